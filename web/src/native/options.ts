// Written by `UPDATE=1 cargo test -p brickwork-toolkit --lib lists`. Do not edit.

/** Options of textures, by their long names. */
export interface TextureOptions {
    /**
     * Container if no file name decides it: in a folder, beside the input, on stdout [default: dds; ktx2 for
     * formats that dds lacks].
     */
    readonly container?: "dds" | "ktx2" | "astc" | undefined;
    /**
     * DDS: write the Direct3D 10 header, which can state sRGB [default: only if needed].
     */
    readonly dx10?: boolean | undefined;
    /**
     * DDS: write the Direct3D 9 header, for old readers.
     */
    readonly legacy?: boolean | undefined;
    /**
     * KTX2: compress with Zstandard, level 1 to 22 [default level: 9].
     */
    readonly zstd?: number | boolean | undefined;
    /**
     * Do not measure the error (PSNR).
     */
    readonly "no-metrics"?: boolean | undefined;
    /**
     * Format: bc1, bc2, bc3, bc4, bc4s, bc5, bc5s, bc6h, bc6hs, bc7, etc2, etc2-a1, etc2-a8, eac-r11,
     * eac-r11s, eac-rg11, eac-rg11s, astc, auto, a plain format such as rgba8, or a DXGI_FORMAT_ or
     * VK_FORMAT_ name.
     */
    readonly format?: string | undefined;
    /**
     * Formats among which -f auto chooses: bc for desktop computers, astc for phones, or etc2 for phones
     * without astc [default: bc].
     */
    readonly family?: "bc" | "astc" | "etc2" | undefined;
    /**
     * Channels of the image that become red, green, blue and alpha: four of r, g, b, a, 0 and 1, such as
     * bgra, or four terms with commas, such as r,g,b,1-a or r*0.5+0.5,g,b,1 [default: rgba].
     */
    readonly swizzle?: string | undefined;
    /**
     * The images are normal maps: bc5 with -f auto (astc or eac-rg11 with --family), else bc5, bc5s, bc7,
     * eac-rg11, eac-rg11s or astc; mip levels have normals of length 1.
     */
    readonly normal?: boolean | undefined;
    /**
     * Invert green of normal maps, between the conventions of OpenGL (y up) and Direct3D.
     */
    readonly "normal-flip-y"?: boolean | undefined;
    /**
     * Invert red of normal maps: x to the left instead of to the right.
     */
    readonly "normal-flip-x"?: boolean | undefined;
    /**
     * Scale the vectors of normal maps to length 1, in the image and in mip levels: yes, no, or auto
     * [default: auto].
     */
    readonly normalize?: "yes" | "no" | "auto" | boolean | undefined;
    /**
     * Make normal maps of heights, which are red or grey; a height of 1 (white) is SCALE texels high.
     */
    readonly "from-height"?: number | undefined;
    /**
     * With -f auto: only one channel of the images is used (bc4; astc or eac-r11 with --family).
     */
    readonly "one-channel"?: boolean | undefined;
    /**
     * The images are data, such as packed masks: linear, and alpha is a channel like the others.
     */
    readonly data?: boolean | undefined;
    /**
     * Channel of the roughness for --roughness-from: r, g, b or a; grey images have one roughness [default:
     * r].
     */
    readonly "roughness-channel"?: "r" | "g" | "b" | "a" | undefined;
    /**
     * Trade encoding time for quality.
     */
    readonly quality?: "ultrafast" | "fast" | "normal" | "high" | "best" | undefined;
    /**
     * BC1 to BC3: algorithm that searches for endpoints of colours; auto is cluster-fit.
     */
    readonly method?: "auto" | "cluster-fit" | undefined;
    /**
     * Decoder whose rounding the blocks are optimised for and errors are measured with. real and exact differ
     * only for BC4 and BC5: real does not round to 8 bits. nvidia has its own weights for BC4, BC5 and the
     * alpha of BC3; blocks in real time are not optimised for them.
     */
    readonly decoder?: "real" | "exact" | "trunc" | "nvidia" | "amd" | "intel" | undefined;
    /**
     * BC1 to BC3, BC7, ETC2, ASTC: weights of errors in red, green and blue: uniform, luma (BT.709:
     * 54,183,19), or whole numbers R,G,B.
     */
    readonly weights?: string | undefined;
    /**
     * BC6H: error that is minimised: that of bit patterns, or of log2(1 + |x|) [default: pattern for bc6h,
     * log for bc6hs].
     */
    readonly metric?: "pattern" | "log" | undefined;
    /**
     * BC6H and plain floats: clamp brighter colours to X, above 0 and at most 65504, before the image is
     * resized and mip levels are made.
     */
    readonly "max-value"?: number | undefined;
    /**
     * BC7: modes that blocks may have, as a list such as 1,6 [default: all, 0 to 7].
     */
    readonly modes?: string | undefined;
    /**
     * Blocks: encode in real time, at level 1, 2 or 3; BC7 with modes 1 and 6.
     */
    readonly "real-time"?: 1 | 2 | 3 | undefined;
    /**
     * BC1, BC3, BC4, BC5, BC7: make blocks more compressible; LAMBDA is the squared error that one bit is
     * worth, 0 to 100.
     */
    readonly rdo?: number | undefined;
    /**
     * Fail images whose PSNR is below DB; before, -f auto tries bc7 in place of bc1, and blocks get the
     * qualities high and best.
     */
    readonly "min-psnr"?: number | undefined;
    /**
     * BC1, BC3, BC4, BC5, BC7: search for the largest λ of --rdo with a PSNR of at least DB.
     */
    readonly "target-psnr"?: number | undefined;
    /**
     * BC1, BC3, BC4, BC5, BC7: search for a small λ of --rdo with at most SIZE, such as 300K, or P% of the
     * size without --rdo.
     */
    readonly "target-size"?: number | string | undefined;
    /**
     * BC1: never use the three-colour mode, which some old decoders decode wrongly.
     */
    readonly "no-three-color"?: boolean | undefined;
    /**
     * BC1: let dark texels use transparent black; such texels decode with alpha 0.
     */
    readonly "transparent-black"?: boolean | undefined;
    /**
     * Dither colours to the 5, 6 and 5 bits of endpoints (BC1 to BC3), else 16-bit images to 8 bits, against
     * bands in gradients.
     */
    readonly dither?: boolean | undefined;
    /**
     * BC1: texels with alpha below N become transparent, the others opaque [default: 128].
     */
    readonly "alpha-threshold"?: number | undefined;
    /**
     * BC1: ignore alpha; every texel becomes opaque (--alpha-threshold 0).
     */
    readonly opaque?: boolean | undefined;
    /**
     * BC2, BC3, BC7: weight errors of colours by alpha, in favour of the more visible texels.
     */
    readonly "weigh-by-alpha"?: boolean | undefined;
    /**
     * Give transparent texels (alpha 0) the colours of the nearest others: yes, no, or auto, with which -f
     * auto does so for cut-outs [default: auto].
     */
    readonly dilate?: "yes" | "no" | "auto" | boolean | undefined;
    /**
     * Multiply colours by alpha: bc2, bc3, bc7, etc2-a8, astc and plain formats with alpha.
     */
    readonly premultiply?: boolean | undefined;
    /**
     * The image contains sRGB colours [default: as the file states; the report gives the reason].
     */
    readonly srgb?: boolean | undefined;
    /**
     * The image contains linear data: normals, roughness, masks; --data if alpha is one of the channels.
     */
    readonly linear?: boolean | undefined;
    /**
     * Transfer function of the image's numbers, in place of the one that the file states: srgb, linear, or
     * gamma:G, where light is the number raised to the power G, from 0.1 to 10.
     */
    readonly "assign-oetf"?: string | undefined;
    /**
     * Convert the image's numbers to this transfer function: srgb or linear.
     */
    readonly "convert-oetf"?: "srgb" | "linear" | undefined;
    /**
     * Resize the image, in texels or percent, such as 512x256 or 50%.
     */
    readonly resize?: string | undefined;
    /**
     * Shrink larger images until no side has more than N texels.
     */
    readonly "max-size"?: number | undefined;
    /**
     * Round each side to a power of two: nearest (in ratio), up or down.
     */
    readonly "power-of-two"?: "nearest" | "up" | "down" | undefined;
    /**
     * Round each side up to a multiple of 4, or down if it would exceed --max-size, but to 4 at least;
     * Direct3D requires multiples of 4 of block-compressed textures.
     */
    readonly "multiple-of-4"?: boolean | undefined;
    /**
     * Mirror the image: x (left and right), y (top and bottom) or xy; vectors of normal maps stay as they
     * are.
     */
    readonly flip?: "x" | "y" | "xy" | undefined;
    /**
     * KTX2: store rows from the bottom to the top, as OpenGL and three.js expect them; the file states it.
     */
    readonly "flip-y"?: boolean | undefined;
    /**
     * Generate mip levels: at most N, including the image; all, down to 1×1; or none [default: none].
     */
    readonly mips?: number | "all" | "none" | boolean | undefined;
    /**
     * Filter of mip levels and of new sizes: box and triangle are soft, the others up to lanczos3 are sharper
     * [default: kaiser; box for new sizes of floats (HDR), and for mip levels with ultrafast, fast,
     * --real-time, formats of floats, cubes and 3D textures]; min and max take the least or the greatest
     * number of the covered texels, such as for heights.
     */
    readonly "mip-filter"?: "box" | "triangle" | "kaiser" | "mitchell" | "catmull-rom" | "lanczos3" | "min" | "max" | undefined;
    /**
     * Texels past the edges, for the filter: clamp, repeat (for tiles) or mirror; or X,Y for each axis.
     */
    readonly "mip-wrap"?: string | undefined;
    /**
     * Scale the alpha of mip levels so that an alpha test at X leaves the same share of texels; X is above 0
     * and at most 1 [default X: 0.5].
     */
    readonly "keep-coverage"?: number | boolean | undefined;
    /**
     * Use 10-bit masks of legacy DDS files as stated.
     */
    readonly "stated-dds-masks"?: boolean | undefined;
    /**
     * Layer, part or channel of EXR files, by its name or the end of it: diffuse reads RenderLayer.diffuse
     * [default: the layer most like a picture].
     */
    readonly "exr-layer"?: string | undefined;
    /**
     * Encode all images of textures: mip levels, layers, faces and slices.
     */
    readonly "all-images"?: boolean | undefined;
}

/** Names of these options. */
export const NAMES: readonly string[] = [
    "container",
    "dx10",
    "legacy",
    "zstd",
    "no-metrics",
    "format",
    "family",
    "swizzle",
    "normal",
    "normal-flip-y",
    "normal-flip-x",
    "normalize",
    "from-height",
    "one-channel",
    "data",
    "roughness-channel",
    "quality",
    "method",
    "decoder",
    "weights",
    "metric",
    "max-value",
    "modes",
    "real-time",
    "rdo",
    "min-psnr",
    "target-psnr",
    "target-size",
    "no-three-color",
    "transparent-black",
    "dither",
    "alpha-threshold",
    "opaque",
    "weigh-by-alpha",
    "dilate",
    "premultiply",
    "srgb",
    "linear",
    "assign-oetf",
    "convert-oetf",
    "resize",
    "max-size",
    "power-of-two",
    "multiple-of-4",
    "flip",
    "flip-y",
    "mips",
    "mip-filter",
    "mip-wrap",
    "keep-coverage",
    "stated-dds-masks",
    "exr-layer",
    "all-images",
];

/** Options whose value is optional, and therefore follows `=`. */
export const OPTIONAL_VALUE: readonly string[] = ["zstd", "normalize", "dilate", "mips", "keep-coverage"];
