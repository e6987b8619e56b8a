//! Words in the names of files that state the use of pictures.

use brickwork_image::image_file::PictureUse;
use std::path::Path;

/// Characters between the words of a name.
const SEPARATORS: [char; 4] = ['_', '-', '.', ' '];

/// Last words of the names of normal maps.
const NORMALS: [&str; 12] = [
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
const OTHER_NORMALS: [&str; 12] = [
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
const DATA: [&str; 49] = [
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
const LIKELY_DATA: [&str; 4] = ["mr", "rm", "splat", "splats"];

/// Words of one channel of numbers, of which longer words may consist, such as `MetallicSmoothness`.
const NUMBERS: [&str; 30] = [
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

/// Last words of the names of colours.
const COLORS: [&str; 28] = [
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
const COLORS_WITH_NUMBERS: [&str; 10] = [
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
const TRANSPARENCIES: [&str; 4] = ["transparency", "opacity", "alpha", "transparent"];

/// Last parts of words that name nothing.
const FILLERS: [&str; 5] = ["map", "maps", "texture", "tex", "image"];

/// Words of lookup tables, at any place in a name.
const LOOKUP_TABLES: [&str; 8] = ["lut", "luts", "clut", "lut2d", "lut3d", "hald", "haldclut", "colorlut"];

/// Words after the use: the axis of green in normal maps, the longer side of the image, and what it is.
const DETAILS: [&str; 13] =
    ["gl", "dx", "opengl", "directx", "1k", "2k", "4k", "8k", "16k", "tex", "texture", "png", "jpg"];

/// Letters of channels in names such as `ARME`, in capitals. `AO` is one.
const CHANNEL_LETTERS: &str = "MRAOESHGDCT";
/// Capitals that name no channels.
const OTHER_CAPITALS: [&str; 8] = ["HDR", "SDR", "ACES", "HD", "SD", "GEO", "MESH", "DOG"];

/// Use that a name states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NamedUse {
    pub usage: PictureUse,
    /// True if the picture has colours, and alpha is data.
    pub has_data_in_alpha: bool,
    /// True if the name may say something else.
    pub is_guess: bool,
}

impl NamedUse {
    pub const fn of(usage: PictureUse) -> Self {
        Self { usage, has_data_in_alpha: false, is_guess: false }
    }
}

/// Returns the use that the last word of a file's name states, ignoring digits at the end and details such as
/// sizes: `Rock_Normal.png`, `rock-orm2.png`, `rock_rough_4k.png`. Case counts only for lists of channels
/// such as `Rock_ARME`.
pub(super) fn named_use(name: &str) -> Option<NamedUse> {
    let stem = Path::new(name).file_stem()?.to_str()?;
    let (_, word) = words_of(stem)?;
    let lower = word.to_ascii_lowercase();
    let without_filler = FILLERS.iter().find_map(|filler| lower.strip_suffix(*filler)).unwrap_or(&lower);
    [lower.as_str(), without_filler].into_iter().find_map(use_of_word).or_else(|| {
        let is_mixed = stem.chars().any(|c| c.is_ascii_lowercase());
        let guess = NamedUse { is_guess: true, ..NamedUse::of(PictureUse::Data) };
        (is_mixed && lists_channels(word)).then_some(guess)
    })
}

/// Returns the use of `named_use`.
pub fn use_of_name(name: &str) -> Option<PictureUse> {
    named_use(name).map(|named| named.usage)
}

/// True if a word of a file's name states a lookup table of colours.
pub(super) fn is_lookup_table(name: &str) -> bool {
    let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let letters = |word: &str| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase();
    let is_one = |word: &str| {
        LOOKUP_TABLES.contains(&letters(word).as_str())
            || LOOKUP_TABLES.contains(&word.to_ascii_lowercase().as_str())
    };
    stem.split(SEPARATORS).any(is_one)
}

/// Returns the use of a word in lower case.
fn use_of_word(word: &str) -> Option<NamedUse> {
    if NORMALS.contains(&word) || OTHER_NORMALS.contains(&word) {
        return Some(NamedUse::of(PictureUse::Normals));
    }
    if DATA.contains(&word) || are_numbers(word) {
        return Some(NamedUse::of(PictureUse::Data));
    }
    if LIKELY_DATA.contains(&word) {
        return Some(NamedUse { is_guess: true, ..NamedUse::of(PictureUse::Data) });
    }
    if COLORS.contains(&word) {
        return Some(NamedUse::of(PictureUse::Color));
    }
    // `AlbedoTransparency`, `AlbedoSmoothness`.
    let rest = |colors: &&str| word.strip_prefix(*colors);
    COLORS_WITH_NUMBERS.iter().filter_map(rest).find_map(|rest| {
        let is_transparency = TRANSPARENCIES.contains(&rest);
        let has_data_in_alpha = !is_transparency && !rest.is_empty() && are_numbers(rest);
        let named = NamedUse { has_data_in_alpha, ..NamedUse::of(PictureUse::Color) };
        (is_transparency || has_data_in_alpha).then_some(named)
    })
}

/// True if a word consists of one or several of [`NUMBERS`].
fn are_numbers(word: &str) -> bool {
    let rest = |number: &&str| word.strip_prefix(*number);
    NUMBERS.iter().filter_map(rest).any(|rest| rest.is_empty() || are_numbers(rest))
}

/// True for two to five capitals, each of which names another channel, among them metalness, roughness,
/// smoothness or gloss.
fn lists_channels(word: &str) -> bool {
    let is_known = |letter: char| CHANNEL_LETTERS.contains(letter);
    let is_surface = |letter: char| "MRSG".contains(letter);
    // One letter for occlusion.
    let letters = word.replace("AO", "O");
    let is_single = |(index, letter): (usize, char)| !letters[..index].contains(letter);
    (2..=5).contains(&word.len())
        && !OTHER_CAPITALS.contains(&word)
        && word.chars().all(is_known)
        && word.chars().any(is_surface)
        && letters.char_indices().all(is_single)
}

/// Returns the stem of a file's name without its last word, which states the use, and without details after
/// it: `rock` of `rock_rough_02` and `rock_rough_4k`. A stem of one word stays as it is.
pub(super) fn base_of(stem: &str) -> &str {
    words_of(stem).or_else(|| last_word(stem)).map_or(stem, |(base, _)| base)
}

/// Returns the last word of a stem that is no detail, and the text before it.
fn words_of(stem: &str) -> Option<(&str, &str)> {
    let (base, word) = last_word(stem)?;
    let is_detail = DETAILS.iter().any(|detail| detail.eq_ignore_ascii_case(word));
    if is_detail { words_of(base) } else { Some((base, word)) }
}

/// Returns the last word of a stem, without digits at the end, and the text before it.
fn last_word(stem: &str) -> Option<(&str, &str)> {
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(SEPARATORS);
    stem.rsplit_once(SEPARATORS)
}

/// Returns the use in one word.
pub(super) fn words(usage: PictureUse) -> Option<&'static str> {
    match usage {
        PictureUse::Normals => Some("normals"),
        PictureUse::Data => Some("data"),
        PictureUse::Color => Some("colours"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_of_a_name_counts() {
        for name in [
            "rock_n.png",
            "a/b/Wall_Normal.tga",
            "door-nrm.png",
            "x.y_NormalGL.jpg",
            "rock_n_02.png",
            "rock_nor_gl_4k.png",
            "Rock_4K_Normal-DX.png",
            "body_msn.dds",
            "Rock_NormalMap.png",
            "rock_ddna.tif",
            "world_normal.png",
        ] {
            assert_eq!(use_of_name(name), Some(PictureUse::Normals), "{name}");
        }
        for name in [
            "rock_orm.png",
            "helmet_metallicRoughness.png",
            "ao/wall_ao.png",
            "rock_mask1.png",
            "rock_arm_2k.png",
            "Rock_1K-JPG_AmbientOcclusion.jpg",
            "rock_MetallicSmoothness.png",
            "rock_metallic_smoothness.png",
            "rock_MRAO.png",
            "rock_aorm.png",
            "terrain_splatmap.png",
            "rock_OcclusionRoughnessMetallic.png",
            "rock_RoughnessMap.png",
            "Helmet_MetallicRoughnessTexture.png",
        ] {
            assert_eq!(named_use(name), Some(NamedUse::of(PictureUse::Data)), "{name}");
        }
        for name in [
            "rock_albedo.png",
            "rock_normal_albedo.png",
            "Rock BaseColor.png",
            "rock_D.png",
            "rock_AlbedoTransparency.png",
            "rock_BC.tga",
            "Rock_BaseColorMap.png",
            "lamp_Emission.png",
        ] {
            assert_eq!(named_use(name), Some(NamedUse::of(PictureUse::Color)), "{name}");
        }
        assert_eq!(
            ["rock_rough", "a-b_Rough_02", "rough", "x 1", "a_rough_4k", "a_2k", "2k"].map(base_of),
            ["rock", "a-b", "rough", "x 1", "a", "a", "2k"]
        );
        for name in [
            "n.png",
            "normal.png",
            "man.png",
            "_n/a.png",
            "-",
            "rock_north.png",
            "n_1.png",
            "n_2k.png",
            "flower_rose.png",
            "sky_HDR.png",
            "house_door.png",
            "Knight_Head.png",
            "ROCK_ROSE.png",
            "castle_base.png",
            "rock_map.png",
        ] {
            assert_eq!(named_use(name), None, "{name}");
        }
    }

    #[test]
    fn some_names_are_guesses() {
        for name in [
            "Rock_ARHM.png",
            "T_Wall_SRAO.png",
            "Rock_HRAOM.tga",
            "rock_MDA.png",
            "rock_MR.png",
            "terrain_Splat.png",
        ] {
            let guess = NamedUse { is_guess: true, ..NamedUse::of(PictureUse::Data) };
            assert_eq!(named_use(name), Some(guess), "{name}");
        }
        for name in ["Rock_HOUSE.png", "Rock_MOOR.png", "Rock_AO_EDC.png", "Rock_M.png"] {
            assert_eq!(named_use(name), None, "{name}");
        }
    }

    #[test]
    fn alpha_of_colors_may_be_data() {
        for name in ["rock_AlbedoSmoothness.png", "rock_SpecularSmoothness.png", "rock_DiffuseHeight.png"] {
            let expected = NamedUse { has_data_in_alpha: true, ..NamedUse::of(PictureUse::Color) };
            assert_eq!(named_use(name), Some(expected), "{name}");
        }
    }

    #[test]
    fn lookup_tables_are_named_anywhere() {
        for name in ["lut.png", "LUT_warm.png", "film-lut16.png", "a/Warm.LUT.png", "hald_clut_8.png"] {
            assert!(is_lookup_table(name), "{name}");
        }
        assert!(!is_lookup_table("absolute.png") && !is_lookup_table("lutes/a.png"));
    }
}
