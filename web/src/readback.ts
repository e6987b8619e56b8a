// Texels of textures, for encoders of the CPU.

import { checked } from "./device.js";
import { BrickworkError } from "./errors.js";
import { TEXELS, type TexelData } from "./sources.js";
import { BufferUsage, MAP_MODE_READ, TextureUsage } from "./usage.js";

/** Returns the texels of a 2D texture with usage `COPY_SRC`, as stored. */
export async function texelsOfTexture(device: GPUDevice, texture: GPUTexture): Promise<TexelData> {
    const { width, height, dimension, sampleCount, usage } = texture;
    const format = texture.format.replace(/-srgb$/, "") as NonNullable<TexelData["format"]>;
    const texels = TEXELS[format];
    if (!texels || dimension !== "2d" || sampleCount !== 1 || !(usage & TextureUsage.COPY_SRC)) {
        const expected = `a 2D texture of ${Object.keys(TEXELS).join(", ")} with the usage COPY_SRC`;
        throw new BrickworkError("source", `the CPU encodes this format from ${expected}`);
    }
    const rowBytes = width * texels.bytes;
    const bytesPerRow = Math.ceil(rowBytes / 256) * 256;
    const staging = await checked(device, "reading the texture", () => {
        const { COPY_DST, MAP_READ } = BufferUsage;
        const buffer = device.createBuffer({ size: bytesPerRow * height, usage: COPY_DST | MAP_READ });
        const encoder = device.createCommandEncoder();
        encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow }, [width, height]);
        device.queue.submit([encoder.finish()]);
        return buffer;
    });
    try {
        await staging.mapAsync(MAP_MODE_READ);
        const rows = new Uint8Array(staging.getMappedRange());
        const data = new Uint8Array(rowBytes * height);
        for (let y = 0; y < height; y++) {
            data.set(rows.subarray(y * bytesPerRow, y * bytesPerRow + rowBytes), y * rowBytes);
        }
        return { data, width, height, format };
    } finally {
        staging.destroy();
    }
}
