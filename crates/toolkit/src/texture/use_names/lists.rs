//! Words of names, in lower case.

/// Last words of the names of normal maps.
pub const NORMALS: [&str; 12] = [
    "n",
    "nor",
    "nrm",
    "nml",
    "norm",
    "normal",
    "normals",
    "normalmap",
    "normalgl",
    "normaldx",
    "ddn",
    "nmap",
];

/// More last words of normal maps: with data in alpha (CryEngine, OpenMW), in the space of an object or of
/// the world (Skyrim, Marmoset, Substance, xNormal).
pub const OTHER_NORMALS: [&str; 12] = [
    "ddna",
    "nh",
    "msn",
    "wsn",
    "osn",
    "worldnormal",
    "worldspacenormal",
    "worldspacenormals",
    "objectnormal",
    "objectspacenormal",
    "modelspacenormal",
    "bentnormal",
];

/// Last words of the names of pictures with packed numbers, and of masks. M, R, A, O, E, S, D and H name
/// channels: metalness, roughness, (ambient) occlusion, emission or edges, smoothness or specular, detail or
/// displacement, height.
pub const DATA: [&str; 49] = [
    "orm",
    "arm",
    "rma",
    "mra",
    "rmo",
    "mro",
    "amr",
    "rao",
    "aor",
    "mrao",
    "raom",
    "aorm",
    "rmao",
    "maro",
    "orma",
    "ormh",
    "ormd",
    "ordp",
    "arme",
    "rmse",
    "rmas",
    "mads",
    "maos",
    "mohs",
    "mosr",
    "mros",
    "mroh",
    "mroe",
    "mrae",
    "mras",
    "srm",
    "srma",
    "hrm",
    "rmos",
    "ormi",
    "mask",
    "masks",
    "maskmap",
    "mixmap",
    "splatmap",
    "weightmap",
    "weights",
    "idmap",
    "flowmap",
    "rgh",
    "met",
    "cavity",
    "curvature",
    "specgloss",
];

/// Words like those of [`DATA`] that may mean something else, such as a splat of blood.
pub const LIKELY_DATA: [&str; 4] = ["mr", "rm", "splat", "splats"];

/// Words of one channel of numbers, of which longer words may consist, such as `MetallicSmoothness`.
pub const NUMBERS: [&str; 30] = [
    "ao",
    "occlusion",
    "ambientocclusion",
    "occ",
    "rough",
    "roughness",
    "gloss",
    "glossiness",
    "glossmap",
    "smoothness",
    "metal",
    "metallic",
    "metalness",
    "metalic",
    "disp",
    "displace",
    "displacement",
    "height",
    "heightmap",
    "bump",
    "bumpmap",
    "depth",
    "opacity",
    "transparency",
    "thickness",
    "transmission",
    "anisotropy",
    "mask",
    "cavity",
    "curvature",
];

/// Words of [`NUMBERS`] that, alone, are also materials: `rusty_metal`, `car_metallic`.
pub const MATERIALS: [&str; 3] = ["metal", "metallic", "metalic"];

/// Last words of the names of colours.
pub const COLORS: [&str; 28] = [
    "albedo",
    "alb",
    "basecolor",
    "basecolour",
    "basemap",
    "bc",
    "col",
    "color",
    "colour",
    "colormap",
    "diff",
    "dif",
    "diffuse",
    "diffusecolor",
    "d",
    "emissive",
    "emission",
    "emis",
    "emit",
    "emissivecolor",
    "emissioncolor",
    "specularcolor",
    "tint",
    "clr",
    "sheencolor",
    "subsurfacecolor",
    "maintex",
    "unlit",
];

/// Words before one of [`NUMBERS`] that make the alpha of colours such a number: `AlbedoSmoothness` and
/// `SpecularSmoothness` (Unity's names).
pub const COLORS_WITH_NUMBERS: [&str; 10] = [
    "albedo",
    "basecolor",
    "basecolour",
    "color",
    "colour",
    "diffuse",
    "specular",
    "spec",
    "base",
    "emissive",
];

/// Last parts of words of colours whose alpha is transparency.
pub const TRANSPARENCIES: [&str; 4] = ["transparency", "opacity", "alpha", "transparent"];

/// Last parts of words that name nothing.
pub const FILLERS: [&str; 5] = ["map", "maps", "texture", "tex", "image"];

/// Words of lookup tables, at any place in a name.
pub const LOOKUP_TABLES: [&str; 8] =
    ["lut", "luts", "clut", "lut2d", "lut3d", "hald", "haldclut", "colorlut"];

/// Words after the use: the axis of green in normal maps, the longer side of the image, and what it is.
pub const DETAILS: [&str; 13] =
    ["gl", "dx", "opengl", "directx", "1k", "2k", "4k", "8k", "16k", "tex", "texture", "png", "jpg"];

/// More words after the use, and before digits: levels of detail, versions, copies, states, coordinates of
/// UDIM and extensions.
pub const STATES: [&str; 52] = [
    "lod",
    "v",
    "ver",
    "version",
    "rev",
    "final",
    "copy",
    "low",
    "high",
    "lowpoly",
    "highpoly",
    "lo",
    "hi",
    "lp",
    "hp",
    "mid",
    "med",
    "medium",
    "small",
    "large",
    "lq",
    "hq",
    "hd",
    "u",
    "udim",
    "new",
    "old",
    "orig",
    "original",
    "backup",
    "bak",
    "edit",
    "edited",
    "fixed",
    "export",
    "exported",
    "bake",
    "baked",
    "wip",
    "draft",
    "temp",
    "tmp",
    "resized",
    "compressed",
    "jpeg",
    "tga",
    "tif",
    "tiff",
    "dds",
    "exr",
    "bmp",
    "webp",
];

/// Ends of words that begin with digits and state a size or a depth: `2048x2048`, `512px`, `16bit`.
pub const UNITS: [&str; 6] = ["k", "x", "px", "bit", "bits", "bpc"];

/// Words that state no use as the only word of a name, or as a part of a word: they are also initials, and
/// things that have textures.
pub const NEEDS_WORDS: [&str; 9] = ["n", "d", "bc", "nh", "mr", "rm", "metal", "splat", "splats"];

/// Lists of channels that, as the only word of a name or a part of a word, count only in capitals.
pub const NEEDS_CAPITALS: [&str; 6] = ["arm", "arme", "met", "rao", "mads", "maro"];

/// Words of which this is likely only: things that have textures, too.
pub const MAYBE_THINGS: [&str; 6] = ["mask", "masks", "roughmetal", "metalrough", "arm", "met"];

/// Letters of channels in names such as `ARME`, in capitals. `AO` is one.
pub const CHANNEL_LETTERS: &str = "MRAOESHGDCT";
/// Capitals that name no channels.
pub const OTHER_CAPITALS: [&str; 8] = ["HDR", "SDR", "ACES", "HD", "SD", "GEO", "MESH", "DOG"];
