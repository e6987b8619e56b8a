// Block formats: names, sizes, textures and data.

import type { ChainData, FormatData } from "./data.js";
import { BrickworkError } from "./errors.js";

/** Time against quality. Three of them are for real time. */
export type Quality =
    "ultrafast" | "fast" | "normal" | "high" | "best" | "real-time-1" | "real-time-2" | "real-time-3";

/** Block format that desktop GPUs have. `bc4s`, `bc5s` and `bc6hs` are signed. */
export type BcFormat = "bc1" | "bc2" | "bc3" | "bc4" | "bc4s" | "bc5" | "bc5s" | "bc6h" | "bc6hs" | "bc7";

/** Block format that phones have. `eac-r11s` and `eac-rg11s` are signed. GPUs encode them in real time. */
export type MobileFormat =
    | "etc2-rgb8"
    | "etc2-rgb8a1"
    | "etc2-rgba8"
    | "eac-r11"
    | "eac-r11s"
    | "eac-rg11"
    | "eac-rg11s"
    | "astc-4x4";

export type BlockFormat = BcFormat | MobileFormat;

/** Facts about a block format. */
export interface FormatInfo {
    /** Bytes of a block of 4×4 texels. */
    readonly blockBytes: 8 | 16;
    /** True if blocks store alpha. */
    readonly hasAlpha: boolean;
    /** Texture formats for linear numbers and, if there is one, for sRGB. */
    readonly textureFormats: readonly [linear: GPUTextureFormat, srgb?: GPUTextureFormat];
    /** Feature of devices with such textures. */
    readonly feature: GPUFeatureName;
}

// (In the order of the module's numbers.)
const INFO: Readonly<Record<BlockFormat, FormatInfo>> = {
    bc1: info(8, true, "bc1-rgba-unorm", "bc1-rgba-unorm-srgb"),
    bc2: info(16, true, "bc2-rgba-unorm", "bc2-rgba-unorm-srgb"),
    bc3: info(16, true, "bc3-rgba-unorm", "bc3-rgba-unorm-srgb"),
    bc4: info(8, false, "bc4-r-unorm"),
    bc4s: info(8, false, "bc4-r-snorm"),
    bc5: info(16, false, "bc5-rg-unorm"),
    bc5s: info(16, false, "bc5-rg-snorm"),
    bc6h: info(16, false, "bc6h-rgb-ufloat"),
    bc6hs: info(16, false, "bc6h-rgb-float"),
    bc7: info(16, true, "bc7-rgba-unorm", "bc7-rgba-unorm-srgb"),
    "etc2-rgb8": info(8, false, "etc2-rgb8unorm", "etc2-rgb8unorm-srgb"),
    "etc2-rgb8a1": info(8, true, "etc2-rgb8a1unorm", "etc2-rgb8a1unorm-srgb"),
    "etc2-rgba8": info(16, true, "etc2-rgba8unorm", "etc2-rgba8unorm-srgb"),
    "eac-r11": info(8, false, "eac-r11unorm"),
    "eac-r11s": info(8, false, "eac-r11snorm"),
    "eac-rg11": info(16, false, "eac-rg11unorm"),
    "eac-rg11s": info(16, false, "eac-rg11snorm"),
    "astc-4x4": info(16, true, "astc-4x4-unorm", "astc-4x4-unorm-srgb"),
};

/** Returns the data of a format. Each file is a chunk of its own for bundlers. */
function dataOf(format: BlockFormat): Promise<{ default: FormatData }> {
    switch (format) {
        case "bc1":
            return import("./generated/formats/bc1.js");
        case "bc2":
            return import("./generated/formats/bc2.js");
        case "bc3":
            return import("./generated/formats/bc3.js");
        case "bc4":
        case "bc4s":
            return import("./generated/formats/bc4.js");
        case "bc5":
        case "bc5s":
            return import("./generated/formats/bc5.js");
        case "bc6h":
        case "bc6hs":
            return import("./generated/formats/bc6h.js");
        case "bc7":
            return import("./generated/formats/bc7.js");
        case "astc-4x4":
            return import("./generated/formats/astc.js");
        default:
            return import("./generated/formats/etc.js");
    }
}

function info(
    blockBytes: 8 | 16,
    hasAlpha: boolean,
    ...textureFormats: [GPUTextureFormat, GPUTextureFormat?]
): FormatInfo {
    const [family] = /^(bc|astc)/.exec(textureFormats[0]) ?? ["etc2"];
    const feature = `texture-compression-${family}` as GPUFeatureName;
    return { blockBytes, hasAlpha, textureFormats, feature };
}

/** All block formats. */
export const blockFormats = Object.keys(INFO) as readonly BlockFormat[];

/**
 * Returns facts about a block format.
 *
 * @throws {BrickworkError} `option` if there is no such format.
 */
export function formatInfo(format: BlockFormat): FormatInfo {
    if (!Object.hasOwn(INFO, format)) {
        throw new BrickworkError(
            "option",
            `no block format "${format}"; expected ${blockFormats.join(", ")}`,
        );
    }
    return INFO[format];
}

/** True if the package has kernels for a format and quality. The CPU encodes the others. */
export function hasKernels(format: BlockFormat, quality: Quality): boolean {
    return format.startsWith("bc") || quality.startsWith("real-time");
}

/** Returns the texture format for a colour space. */
export function textureFormatOf(format: BlockFormat, srgb: boolean): GPUTextureFormat {
    const [linear, srgbFormat = linear] = formatInfo(format).textureFormats;
    return srgb ? srgbFormat : linear;
}

/** Returns the data and the chain of a format, quality and colour space. */
export async function loadChain(
    format: BlockFormat,
    quality: Quality,
    srgb: boolean,
): Promise<{ data: FormatData; chain: ChainData }> {
    formatInfo(format);
    const data = (await dataOf(format)).default;
    const chains = (srgb ? data.chains[`${format} srgb`] : undefined) ?? data.chains[format] ?? {};
    const chain = Object.hasOwn(chains, quality) ? chains[quality] : undefined;
    if (!chain) {
        const known = Object.keys(chains).join(", ");
        const text = `no kernels encode ${format} in the quality "${quality}"; expected ${known}`;
        throw new BrickworkError("option", text);
    }
    return { data, chain };
}

/** Returns the number of columns and rows of blocks. */
export function blockCounts([width, height]: readonly [number, number]): [number, number] {
    return [Math.ceil(width / 4), Math.ceil(height / 4)];
}
