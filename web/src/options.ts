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
    /** Default: `normal`. */
    readonly quality?: Quality;
    /** True if colours are sRGB. Default: true for formats with sRGB textures. */
    readonly srgb?: boolean;
    /**
     * Interpretation of alpha. `opaque` ignores it. In mip levels, colours are weighted by straight alpha.
     * Default: `straight` for formats with alpha.
     */
    readonly alpha?: AlphaMode;
    /** True for all mip levels, or their maximum number, including the image. Default: false. */
    readonly mips?: boolean | number;
    /** Filter of mip levels. `Brickwork` has `box`, and `CpuEncoder` all of them. Default: `box`. */
    readonly mipFilter?: MipFilter;
    readonly signal?: AbortSignal;
}

/** Options with all defaults. */
export interface Settings {
    readonly format: BlockFormat;
    readonly quality: Quality;
    readonly srgb: boolean;
    readonly alpha: AlphaMode;
    readonly mips: boolean | number;
    readonly mipFilter: MipFilter;
    readonly signal: AbortSignal | undefined;
}

/** Returns the settings, or throws if options contradict each other. */
export function settingsOf(options: EncodeOptions): Settings {
    const { format, quality = "normal", mips = false, mipFilter = "box", signal } = options;
    const info = formatInfo(format);
    const hasSrgb = info.textureFormats[1] !== undefined;
    const { srgb = hasSrgb, alpha = info.hasAlpha ? "straight" : "opaque" } = options;
    if (srgb && !hasSrgb) throw new BrickworkError("option", `${format} has no sRGB textures`);
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
    return { format, quality, srgb, alpha, mips, mipFilter, signal };
}

/** Returns the settings of an encoding on a GPU, which has one filter of mip levels. Throws as above. */
export function gpuSettingsOf(options: EncodeOptions): Settings {
    const settings = settingsOf(options);
    if (settings.mips !== false && settings.mipFilter !== "box") {
        const text = `mipFilter is "${settings.mipFilter}"; GPUs have "box", and CpuEncoder has all filters`;
        throw new BrickworkError("option", text);
    }
    return settings;
}

/** Returns the number of mip levels of a texture. */
export function mipCount(mips: boolean | number, size: Pair): number {
    const most = fullMipCount(size);
    return typeof mips === "number" ? Math.min(mips, most) : mips ? most : 1;
}
