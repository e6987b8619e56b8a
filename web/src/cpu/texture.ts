// Textures of decoded blocks, for devices without block-compressed textures.

import type { EncodedTexture, UsageOptions } from "../brickwork.js";
import { checked, lostError } from "../device.js";
import type { BlockFormat } from "../formats.js";
import { checkSize } from "../limits.js";
import { type TexelForm, halved } from "../mips.js";
import type { BlockFile } from "../reader.js";
import { DEFAULT_LABEL, DEFAULT_USAGE, TextureUsage } from "../usage.js";
import type { CpuEncoder, DecodeOptions } from "./encoder.js";

export { levelSizes, levelsOf, readTextureFile, uploadFile } from "../reader.js";

/** Formats with numbers outside of 0 to 1. */
const WIDE: readonly BlockFormat[] = ["bc4s", "bc5s", "bc6h", "bc6hs", "eac-r11s", "eac-rg11s"];

/** Makes a texture of a file's blocks, which are decoded one mip level after the other. */
export async function decodedTexture(
    decoder: CpuEncoder,
    device: GPUDevice,
    { format, srgb, size, layers = 1, levels }: BlockFile,
    { usage = DEFAULT_USAGE, label = DEFAULT_LABEL, signal }: UsageOptions,
): Promise<EncodedTexture> {
    checkSize(device, size);
    const texels: TexelForm = WIDE.includes(format) ? "rgba16float" : "rgba8unorm";
    const texelBytes = texels === "rgba16float" ? 8 : 4;
    const texture = await checked(device, "the texture", () =>
        device.createTexture({
            label,
            size: [...size, layers],
            mipLevelCount: levels.length,
            format: srgb ? "rgba8unorm-srgb" : texels,
            usage: usage | TextureUsage.COPY_DST,
        }),
    );
    try {
        let [width, height] = size;
        for (const [mipLevel, blocks] of levels.entries()) {
            const options: DecodeOptions = { format, width, height, texels, ...(signal ? { signal } : {}) };
            const layout = { bytesPerRow: texelBytes * width, rowsPerImage: height };
            const extent = [width, height];
            const length = blocks.length / layers;
            for (let layer = 0; layer < layers; layer++) {
                const own = blocks.subarray(layer * length, (layer + 1) * length);
                const bytes = await decoder.decodeBlocks(own, options);
                const to = { texture, mipLevel, origin: [0, 0, layer] };
                await checked(device, "the texture", () =>
                    device.queue.writeTexture(to, bytes, layout, extent),
                );
            }
            [width, height] = [halved(width), halved(height)];
        }
        // Calls of a lost device succeed, and do nothing.
        const lost = await Promise.race([device.lost, undefined]);
        if (lost) throw lostError(lost);
    } catch (error) {
        texture.destroy();
        throw error;
    }
    return { texture, size, uvScale: [1, 1], decodedFrom: format };
}
