// Limits of a device.

import { BrickworkError } from "./errors.js";

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
export function checkSize(device: GPUDevice, [width, height]: readonly [number, number]): void {
    if (!(width > 0 && height > 0)) {
        throw new BrickworkError("size", `the image is empty: ${width}×${height} texels`);
    }
    const limit = device.limits.maxTextureDimension2D;
    if (width > limit || height > limit) {
        throw new BrickworkError(
            "limit",
            `${width}×${height} texels exceed the device's limit of ${limit} for each side`,
        );
    }
}
