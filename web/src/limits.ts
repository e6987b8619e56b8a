// Limits of a device.

import type { Pair } from "./areas.js";
import { BrickworkError } from "./errors.js";
import type { FormatInfo } from "./formats.js";

/** Maximum bytes of any buffer between the kernels of a band. */
const MAX_BAND_BYTES = 32 << 20;

/** Returns the maximum number of blocks that kernels process together, if one takes this many bytes. */
export function maxBlocks(device: GPUDevice, bytesPerBlock: number, mostBlocks: number): number {
    const bytes = Math.min(MAX_BAND_BYTES, maxBinding(device));
    return Math.min(Math.floor(bytes / bytesPerBlock), mostBlocks);
}

/** Returns the maximum size of a buffer that a kernel may bind. */
export function maxBinding(device: GPUDevice): number {
    return Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
}

/** Throws unless a texture may have this size. */
export function checkSize(device: GPUDevice, size: Pair): void {
    if (!(size[0] > 0 && size[1] > 0)) {
        throw new BrickworkError("size", `the image is empty: ${size[0]}×${size[1]} texels`);
    }
    checkSides(size, mostTexels(device));
}

/** Throws if a side of an image has more texels than `limit`. */
export function checkSides([width, height]: Pair, limit: number): void {
    if (width > limit || height > limit) {
        throw new BrickworkError(
            "limit",
            `${width}×${height} texels exceed the device's limit of ${limit} for each side`,
        );
    }
}

/** Throws unless a texture may have this size and number of layers. */
export function checkTexture(
    device: GPUDevice,
    { size, layers = 1 }: { readonly size: Pair; readonly layers?: number },
): void {
    checkSize(device, size);
    const limit = device.limits.maxTextureArrayLayers;
    if (layers > limit) {
        throw new BrickworkError("limit", `${layers} layers exceed the device's limit of ${limit}`);
    }
}

/** Returns the maximum length of a texture's side. */
export function mostTexels(device: GPUDevice): number {
    return device.limits.maxTextureDimension2D;
}

/** Throws unless the device has textures of a format. */
export function checkFeature(device: GPUDevice, { feature }: FormatInfo, hint: string): void {
    if (!device.features.has(feature)) {
        throw new BrickworkError("no-format", `the device has no ${feature}; ${hint}`);
    }
}

/** Returns the size of a block-compressed texture for an image of this size. */
export function alignedSize(device: GPUDevice, size: Pair, onUnaligned: "pad" | "error"): Pair {
    const isAligned = size[0] % 4 === 0 && size[1] % 4 === 0;
    // An experimental feature that TypeScript does not know.
    if (isAligned || device.features.has("texture-compression-unaligned" as GPUFeatureName)) return size;
    if (onUnaligned === "error") {
        throw new BrickworkError("size", `${size[0]}×${size[1]} texels are not multiples of 4`);
    }
    return [4 * Math.ceil(size[0] / 4), 4 * Math.ceil(size[1] / 4)];
}
