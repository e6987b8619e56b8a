// Options of an encoding, with their defaults.

import type { Pair } from "./areas.js";
import type { AlphaMode } from "./containers.js";
import { BrickworkError } from "./errors.js";
import { type BlockFormat, type Quality, formatInfo } from "./formats.js";
import { fullMipCount } from "./mips.js";

/** Filters of mip levels, in the order of the module's numbers. */
export const mipFilters = ["box", "triangle", "kaiser", "mitchell", "catmull-rom", "lanczos3"] as const;

export type MipFilter = (typeof mipFilters)[number];

export interface EncodeOptions {
    readonly format: BlockFormat;
    /** Default, for load time: `real-time-2`. */
    readonly quality?: Quality;
    /** True if colours are sRGB. Default: true for formats with sRGB textures, except for normal maps. */
    readonly srgb?: boolean;
    /**
     * True if the image is a normal map, in `bc5`, `bc5s`, `bc7`, `eac-rg11`, `eac-rg11s` or `astc-4x4`:
     * value v of red, green and blue means 2v/255 − 1. Vectors of mip levels have length 1. Blue is computed
     * from red and green if it is the same in all texels of 8 bits. Default: false.
     */
    readonly normal?: boolean;
    /**
     * Interpretation of alpha. `opaque` ignores it. In mip levels, colours are weighted by straight alpha.
     * Default: `straight` for formats with alpha.
     */
    readonly alpha?: AlphaMode;
    /** True for all mip levels, or their maximum number, including the image. Default: false. */
    readonly mips?: boolean | number;
    /** Filter of mip levels. Default: `box`. */
    readonly mipFilter?: MipFilter;
    readonly signal?: AbortSignal;
}

const NORMAL_FORMATS: readonly BlockFormat[] = ["bc5", "bc5s", "bc7", "eac-rg11", "eac-rg11s", "astc-4x4"];

/** Options with all defaults. */
export interface Settings {
    readonly format: BlockFormat;
    readonly quality: Quality;
    readonly srgb: boolean;
    readonly normal: boolean;
    readonly alpha: AlphaMode;
    readonly mips: boolean | number;
    readonly mipFilter: MipFilter;
    readonly signal: AbortSignal | undefined;
}

/** Returns the settings, or throws if options contradict each other. */
export function settingsOf(options: EncodeOptions): Settings {
    const {
        format,
        quality = "real-time-2",
        normal = false,
        mips = false,
        mipFilter = "box",
        signal,
    } = options;
    const info = formatInfo(format);
    const hasSrgb = info.textureFormats[1] !== undefined;
    const { srgb = hasSrgb && !normal, alpha = info.hasAlpha ? "straight" : "opaque" } = options;
    if (srgb && !hasSrgb) throw new BrickworkError("option", `${format} has no sRGB textures`);
    if (normal && !NORMAL_FORMATS.includes(format)) {
        const text = `${format} is not for normal maps; expected ${NORMAL_FORMATS.join(", ")}`;
        throw new BrickworkError("option", text);
    }
    if (normal && srgb) throw new BrickworkError("option", "normal maps are not sRGB");
    if (!info.hasAlpha && alpha !== "opaque") throw new BrickworkError("option", `${format} stores no alpha`);
    if (!["opaque", "straight", "premultiplied"].includes(alpha)) {
        throw new BrickworkError(
            "option",
            `no alpha mode "${alpha}"; expected opaque, straight or premultiplied`,
        );
    }
    if (typeof mips === "number" && !(Number.isInteger(mips) && mips >= 1)) {
        throw new BrickworkError("option", `mips is ${mips}; expected true, false or a number of at least 1`);
    }
    if (!mipFilters.includes(mipFilter)) {
        const text = `no mipFilter "${String(mipFilter)}"; expected ${mipFilters.join(", ")}`;
        throw new BrickworkError("option", text);
    }
    return { format, quality, srgb, normal, alpha, mips, mipFilter, signal };
}

/** Returns the number of mip levels of a texture. */
export function mipCount(mips: boolean | number, size: Pair): number {
    const most = fullMipCount(size);
    return typeof mips === "number" ? Math.min(mips, most) : mips ? most : 1;
}
