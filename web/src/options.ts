// Options of an encoding, with their defaults.

import type { Pair } from "./areas.js";
import type { AlphaMode } from "./containers.js";
import { BrickworkError } from "./errors.js";
import { type BlockFormat, type Quality, formatInfo } from "./formats.js";
import { fullMipCount } from "./mips.js";

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
    /**
     * True for all mip levels, or their maximum number, including the image. They are made by a box filter.
     * Default: false.
     */
    readonly mips?: boolean | number;
    readonly signal?: AbortSignal;
}

/** Options with all defaults. */
export interface Settings {
    readonly format: BlockFormat;
    readonly quality: Quality;
    readonly srgb: boolean;
    readonly alpha: AlphaMode;
    readonly mips: boolean | number;
    readonly signal: AbortSignal | undefined;
}

/** Returns the settings, or throws if options contradict each other. */
export function settingsOf(options: EncodeOptions): Settings {
    const { format, quality = "normal", mips = false, signal } = options;
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
    return { format, quality, srgb, alpha, mips, signal };
}

/** Returns the number of mip levels of a texture. */
export function mipCount(mips: boolean | number, size: Pair): number {
    const most = fullMipCount(size);
    return typeof mips === "number" ? Math.min(mips, most) : mips ? most : 1;
}
