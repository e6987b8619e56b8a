// Arrays and cubes of images.

import type { EncodedTexture, TextureOptions } from "./brickwork.js";
import { checked } from "./device.js";
import { BrickworkError } from "./errors.js";
import { textureLevels } from "./texture-levels.js";
import { DEFAULT_LABEL, DEFAULT_USAGE, TextureUsage } from "./usage.js";

/**
 * Returns a texture with a layer for each source. `encode` makes the texture of one; all must have the same size
 * and format.
 */
export async function encodedLayers<Source>(
    device: GPUDevice,
    sources: readonly Source[],
    options: TextureOptions,
    encode: (source: Source, options: TextureOptions) => Promise<EncodedTexture>,
): Promise<EncodedTexture> {
    const { usage = DEFAULT_USAGE, label = DEFAULT_LABEL } = options;
    if (sources.length === 0) throw new BrickworkError("source", "there are no images");
    let found: EncodedTexture | undefined;
    try {
        for (const [layer, source] of sources.entries()) {
            const own = await encode(source, { ...options, usage: usage | TextureUsage.COPY_SRC });
            const { width, height, mipLevelCount, format } = own.texture;
            try {
                found ??= {
                    ...own,
                    texture: await checked(device, "the texture", () =>
                        device.createTexture({
                            label,
                            size: [width, height, sources.length],
                            mipLevelCount,
                            format,
                            usage: usage | TextureUsage.COPY_DST,
                        }),
                    ),
                };
                const { texture, size } = found;
                if (own.size.join() !== size.join()) {
                    const sizes = `${own.size.join("×")} instead of ${size.join("×")} texels`;
                    throw new BrickworkError("size", `image ${layer} has ${sizes}`);
                }
                if (format !== texture.format) {
                    const formats = `the format ${format} instead of ${texture.format}`;
                    throw new BrickworkError("source", `image ${layer} has ${formats}`);
                }
                await checked(device, "the texture", () => {
                    const encoder = device.createCommandEncoder();
                    for (const [mipLevel, levelSize] of textureLevels(texture)) {
                        const from = { texture: own.texture, mipLevel };
                        encoder.copyTextureToTexture(
                            from,
                            { texture, mipLevel, origin: [0, 0, layer] },
                            levelSize,
                        );
                    }
                    device.queue.submit([encoder.finish()]);
                });
            } finally {
                own.texture.destroy();
            }
        }
    } catch (error) {
        found?.texture.destroy();
        throw error;
    }
    return found as EncodedTexture;
}
