// Uncompressed textures, for devices without block-compressed ones.

import type { UsageOptions } from "./brickwork.js";
import { checked } from "./device.js";
import { MipMaker, type TexelForm } from "./mips.js";
import { type Settings, mipCount } from "./options.js";
import type { Pipelines } from "./pipelines.js";
import { type OpenedSource, upload } from "./sources.js";
import { DEFAULT_LABEL, DEFAULT_USAGE, TextureUsage } from "./usage.js";

/**
 * Returns a texture with an image and its mip levels: `rgba8unorm`, `rgba8unorm-srgb`, or that of floats. Mip
 * levels of floats are half floats.
 */
export async function plainTexture(
    device: GPUDevice,
    pipelines: Pipelines,
    opened: OpenedSource,
    { srgb, normal, alpha, mips, mipFilter: filter, signal }: Settings,
    { usage = DEFAULT_USAGE, label = DEFAULT_LABEL }: UsageOptions,
): Promise<GPUTexture> {
    const { size } = opened;
    const count = mipCount(mips, size);
    const isFloat = opened.format.endsWith("float");
    const texels: TexelForm = isFloat ? "rgba16float" : "rgba8unorm";
    const uploaded = await upload(device, opened, size, true, signal);
    let texture: GPUTexture | undefined;
    let maker: MipMaker | undefined;
    try {
        const made = (texture = await checked(device, "the texture", () =>
            device.createTexture({
                label,
                size: [...size],
                mipLevelCount: count,
                format: isFloat ? opened.format : srgb ? "rgba8unorm-srgb" : "rgba8unorm",
                usage: usage | TextureUsage.COPY_DST,
            }),
        ));
        const encoder = device.createCommandEncoder();
        encoder.copyTextureToTexture({ texture: uploaded.texture }, { texture: made }, [...size]);
        device.queue.submit([encoder.finish()]);
        if (count > 1 || normal) {
            const options = { texels, srgb, byAlpha: alpha === "straight", filter, normal };
            maker = await MipMaker.create(device, pipelines, uploaded.texture, options);
            for (let level = normal ? 0 : 1; level < count; level++) {
                signal?.throwIfAborted();
                if (level > 0) await maker.next();
                maker.copyTo(made, level);
            }
        }
        return made;
    } catch (error) {
        texture?.destroy();
        throw error;
    } finally {
        maker?.dispose();
        uploaded.texture.destroy();
    }
}
