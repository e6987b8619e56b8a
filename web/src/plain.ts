// Uncompressed textures, for devices without block-compressed ones.

import type { UsageOptions } from "./brickwork.js";
import { checked } from "./device.js";
import { BrickworkError } from "./errors.js";
import { MipMaker, type TexelForm } from "./mips.js";
import { type Settings, mipCount } from "./options.js";
import type { Pipelines } from "./pipelines.js";
import { redrawn } from "./redraw.js";
import { type OpenedSource, TEXELS, upload } from "./sources.js";
import { DEFAULT_LABEL, DEFAULT_USAGE, TextureUsage } from "./usage.js";

/**
 * Returns a texture with an image and its mip levels: `rgba8unorm`, `rgba8unorm-srgb`, or that of floats,
 * with mip levels `rgba16float`.
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
    if (!Object.hasOwn(TEXELS, opened.format)) {
        const expected = Object.keys(TEXELS).join(", ");
        const text = `uncompressed textures of a source texture of ${opened.format} are not supported`;
        throw new BrickworkError("source", `${text}; expected ${expected}`);
    }
    const texels: TexelForm = isFloat ? "rgba16float" : "rgba8unorm";
    const format = isFloat && count > 1 ? texels : opened.format;
    const isOpaque = alpha === "opaque";
    let { texture: source } = await upload(device, opened, size, true, signal);
    let texture: GPUTexture | undefined;
    let maker: MipMaker | undefined;
    try {
        if (isOpaque || format !== opened.format) {
            const drawn = await redrawn(device, source, format, isOpaque);
            source.destroy();
            source = drawn;
        }
        const made = (texture = await checked(device, "the texture", () =>
            device.createTexture({
                label,
                size: [...size],
                mipLevelCount: count,
                format: srgb && !isFloat ? "rgba8unorm-srgb" : format,
                usage: usage | TextureUsage.COPY_DST,
            }),
        ));
        await checked(device, "the texture", () => {
            const encoder = device.createCommandEncoder();
            encoder.copyTextureToTexture({ texture: source }, { texture: made }, [...size]);
            device.queue.submit([encoder.finish()]);
        });
        if (count > 1 || normal) {
            const options = { texels, srgb: srgb && !isFloat, byAlpha: alpha === "straight", filter, normal };
            maker = await MipMaker.create(device, pipelines, source, options);
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
        source.destroy();
    }
}
