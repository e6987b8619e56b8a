// Formats by the device's features.

import type { TextureOptions } from "./brickwork.js";
import type { BlockFormat } from "./formats.js";
import { type ImageSource, fetchedSource } from "./sources.js";

/** Block format, an uncompressed one, or the choice by the device. */
export type AutoFormat = BlockFormat | "rgba8" | "auto";

/**
 * Returns the options with a format: BC7, ASTC, ETC2 or `rgba8`, the first one that the device has. All of
 * them give shaders the same channels, and have the same qualities. For floats, except normal maps, it
 * is BC6H, whose options neither have alpha nor sRGB, or `rgba8`, which keeps floats.
 */
export function automatic(
    device: Pick<GPUDevice, "features">,
    options: TextureOptions,
    isFloat = false,
): TextureOptions & { readonly format: BlockFormat | "rgba8" } {
    const { format = "auto", alpha, normal = false, ...others } = options;
    if (format === "auto" && isFloat && !normal) {
        if (!device.features.has("texture-compression-bc")) return { ...options, format: "rgba8" };
        const { alpha, srgb, ...kept } = options;
        return { ...kept, format: "bc6h" };
    }
    const chosen = format === "auto" ? bestFormat(device, alpha === "opaque", normal) : format;
    return { ...others, normal, format: chosen, ...(alpha ? { alpha } : {}) };
}

/** Returns the options by {@link automatic}, and the source, which is fetched if the choice depends on it. */
export async function automaticFor(
    device: Pick<GPUDevice, "features">,
    source: ImageSource,
    options: TextureOptions,
): Promise<{ source: ImageSource; chosen: ReturnType<typeof automatic> }> {
    if ((options.format ?? "auto") !== "auto") return { source, chosen: automatic(device, options) };
    const found = await fetchedSource(source, options.signal);
    return { source: found.source, chosen: automatic(device, options, found.isFloat) };
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
