// One encoding of the page: an image on the GPU, its blocks, and their differences.

import { type Brickwork, BrickworkError } from "@brickwork/web";
import type { CpuEncoder, DecodeTextureOptions } from "@brickwork/web/cpu";
import { type Difference, difference } from "./difference.js";
import { pause } from "./dom.js";
import { FORMATS, type PageOptions, encodeOptions } from "./options.js";
import { type Channels, texelsOf } from "./pixels.js";
import { TextureUsage } from "../src/usage.js";

/** Largest number of texels that the page compares. */
const MOST_TEXELS = 1 << 26;

/** An image on the GPU, and its texels. */
export interface Picture {
    readonly name: string;
    readonly texture: GPUTexture;
    readonly texels: ImageData;
    readonly hasAlpha: boolean;
}

export interface Encoding {
    /** The original and the decoded image, with the channels that the format stores. */
    readonly original: ImageData;
    readonly decoded: ImageData;
    readonly difference: Difference;
    /** True if the CPU has decoded the blocks: the device has no block-compressed textures. */
    readonly isPreview: boolean;
    readonly channels: Channels;
    /** Bytes of the blocks of the first mip level. */
    readonly bytes: number;
    /** Milliseconds of the encoding, and of the kernels' compilation before. */
    readonly time: number;
    readonly compileTime: number;
}

/** Decodes a file, and copies it to the GPU. */
export async function openPicture(brickwork: Brickwork, name: string, file: Blob): Promise<Picture> {
    let bitmap: ImageBitmap;
    try {
        bitmap = await createImageBitmap(file, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
    } catch (cause) {
        throw new BrickworkError("source", `${name} is not an image that this browser reads`, { cause });
    }
    const { width, height } = bitmap;
    try {
        const device = await brickwork.device();
        const limit = device.limits.maxTextureDimension2D;
        if (width > limit || height > limit) {
            throw new BrickworkError("limit", `${name}: sides of ${width}×${height} texels exceed ${limit}`);
        }
        if (width * height > MOST_TEXELS) {
            throw new BrickworkError(
                "limit",
                `${name}: this page compares at most ${MOST_TEXELS >> 20} megapixels`,
            );
        }
        const { TEXTURE_BINDING, COPY_DST, COPY_SRC, RENDER_ATTACHMENT } = TextureUsage;
        const texture = device.createTexture({
            label: name,
            size: [width, height],
            format: "rgba8unorm",
            usage: TEXTURE_BINDING | COPY_DST | COPY_SRC | RENDER_ATTACHMENT,
        });
        const target = { texture, premultipliedAlpha: false, colorSpace: "srgb" } as const;
        device.queue.copyExternalImageToTexture({ source: bitmap }, target, [width, height]);
        const texels = await texelsOf(device, texture, [width, height], "rgba");
        return { name, texture, texels, hasAlpha: await isTransparent(texels) };
    } finally {
        bitmap.close();
    }
}

/** Returns true if any texel is not opaque. */
async function isTransparent({ data }: ImageData): Promise<boolean> {
    for (let at = 3; at < data.length; at += 4) {
        if (data[at] !== 255) return true;
        if (at % (1 << 22) === 3) await pause();
    }
    return false;
}

let decoder: CpuEncoder | undefined;

/** Decodes blocks on the CPU. Its code is loaded when it is first needed. */
async function decodedTexture(
    device: GPUDevice,
    blocks: Uint8Array,
    options: DecodeTextureOptions,
): Promise<GPUTexture> {
    const { CpuEncoder } = await import("@brickwork/web/cpu");
    decoder ??= new CpuEncoder();
    return (await decoder.decodeTexture(device, blocks, options)).texture;
}

/** Encodes a picture, and compares it with what the GPU decodes, or the CPU on devices without BC. */
export async function encodePicture(
    brickwork: Brickwork,
    picture: Picture,
    options: PageOptions,
    signal: AbortSignal,
): Promise<Encoding> {
    const device = await brickwork.device();
    const { texture: source, hasAlpha } = picture;
    const { width, height } = source;
    const { format, quality } = options;
    const stored = FORMATS[format]?.channels ?? "rgba";
    const channels = stored === "rgba" && !hasAlpha ? "rgb" : stored;
    // Blocks do not depend on the colour space. The picture is read as it is stored.
    const settings = { ...encodeOptions(options, hasAlpha), srgb: false, signal };
    const started = performance.now();
    await brickwork.prepare(format, quality, settings.alpha !== "opaque");
    signal.throwIfAborted();
    const compiled = performance.now();
    const isPreview = !device.features.has("texture-compression-bc");
    const encoded = isPreview
        ? await brickwork.encodeBlocks(source, settings)
        : await brickwork.encodeTexture(source, settings);
    const times = { time: performance.now() - compiled, compileTime: compiled - started };
    const texture =
        encoded instanceof Uint8Array
            ? await decodedTexture(device, encoded, { format, srgb: false, width, height, signal })
            : encoded.texture;
    try {
        const decoded = await texelsOf(device, texture, [width, height], channels);
        const original =
            channels === "rgba" ? picture.texels : await texelsOf(device, source, [width, height], channels);
        signal.throwIfAborted();
        const found = await difference(original, decoded, channels, format === "bc1", signal);
        const blockBytes = format === "bc1" || format === "bc4" ? 8 : 16;
        const bytes = Math.ceil(width / 4) * Math.ceil(height / 4) * blockBytes;
        return { original, decoded, difference: found, isPreview, channels, bytes, ...times };
    } finally {
        texture.destroy();
    }
}
