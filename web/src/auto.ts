// Formats by the device's features.

import type { TextureOptions } from "./brickwork.js";
import type { BlockFormat } from "./formats.js";

/** Block format, an uncompressed one, or the choice by the device. */
export type AutoFormat = BlockFormat | "rgba8" | "auto";

/**
 * Returns the options with a format: BC7, ASTC, ETC2 or `rgba8`, the first one that the device has. All of
 * them give shaders the same channels, and have qualities for real time.
 */
export function automatic(
    device: Pick<GPUDevice, "features">,
    options: TextureOptions,
): TextureOptions & { readonly format: BlockFormat | "rgba8" } {
    const { format = "auto", alpha, normal = false, ...others } = options;
    const chosen = format === "auto" ? bestFormat(device, alpha === "opaque", normal) : format;
    return { ...others, normal, format: chosen, ...(alpha ? { alpha } : {}) };
}

function bestFormat(
    { features }: Pick<GPUDevice, "features">,
    isOpaque: boolean,
    normal: boolean,
): BlockFormat | "rgba8" {
    if (features.has("texture-compression-bc")) return "bc7";
    if (features.has("texture-compression-astc")) return "astc-4x4";
    // ETC2 is too coarse for normals.
    if (!features.has("texture-compression-etc2") || normal) return "rgba8";
    return isOpaque ? "etc2-rgb8" : "etc2-rgba8";
}
