// One encoding of the page: an image on the GPU, its blocks, and their differences.

import { type Brickwork, BrickworkError, type FileOptions, formatInfo } from "@brickwork/web";
import type { CpuEncoder } from "@brickwork/web/cpu";
import { type Difference, difference } from "./difference.js";
import { pause } from "./dom.js";
import { FORMATS, type PageOptions, encodeOptions } from "./options.js";
import { type Channels, texelsOf, withChannels } from "./pixels.js";
import { texelsOfBitmap } from "../src/cpu/bitmap.js";
import { hasKernels } from "../src/formats.js";
import { TextureUsage } from "../src/usage.js";

/** Largest number of texels that the page compares. */
const MOST_TEXELS = 1 << 26;

/** An image, and its texture where there is a GPU. */
export interface Picture {
    readonly name: string;
    readonly texture: GPUTexture | undefined;
    readonly texels: ImageData;
    readonly hasAlpha: boolean;
}

export interface Encoding {
    /** The original and the decoded image, with the channels that the format stores. */
    readonly original: ImageData;
    readonly decoded: ImageData;
    readonly difference: Difference;
    /** True if the CPU has decoded the blocks: the device has no such textures. */
    readonly isPreview: boolean;
    /** True if the CPU has encoded the blocks. */
    readonly isByCpu: boolean;
    readonly channels: Channels;
    /** Bytes of the blocks of the first mip level. */
    readonly bytes: number;
    /** Milliseconds of the encoding, and of the kernels' compilation before. */
    readonly time: number;
    readonly compileTime: number;
}

/** Decodes a file, and copies it to the GPU. */
export async function openPicture(
    brickwork: Brickwork | undefined,
    name: string,
    file: Blob,
): Promise<Picture> {
    let bitmap: ImageBitmap;
    try {
        bitmap = await createImageBitmap(file, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
    } catch (cause) {
        throw new BrickworkError("source", `${name} is not an image that this browser reads`, { cause });
    }
    const { width, height } = bitmap;
    try {
        const device = await brickwork?.device();
        const limit = device?.limits.maxTextureDimension2D ?? Infinity;
        if (width > limit || height > limit) {
            throw new BrickworkError("limit", `${name}: sides of ${width}×${height} texels exceed ${limit}`);
        }
        if (width * height > MOST_TEXELS) {
            throw new BrickworkError(
                "limit",
                `${name}: this page compares at most ${MOST_TEXELS >> 20} megapixels`,
            );
        }
        if (!device) {
            const texels = new ImageData(new Uint8ClampedArray(texelsOfBitmap(bitmap).buffer), width, height);
            return { name, texture: undefined, texels, hasAlpha: await isTransparent(texels) };
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

let cpu: Promise<CpuEncoder> | undefined;

/** Returns the encoder of the CPU. Its code is loaded when it is first needed. */
function cpuEncoder(): Promise<CpuEncoder> {
    return (cpu ??= import("@brickwork/web/cpu").then(({ CpuEncoder }) => new CpuEncoder()));
}

/** Encodes a picture to a file. */
export async function encodeFile(
    brickwork: Brickwork | undefined,
    { texels }: Picture,
    options: FileOptions,
): Promise<Blob> {
    return (brickwork ?? (await cpuEncoder())).encodeFile(texels, options);
}

/** Encodes a picture, and compares it with what the GPU decodes, or the CPU on devices without the format. */
export async function encodePicture(
    brickwork: Brickwork | undefined,
    picture: Picture,
    options: PageOptions,
    signal: AbortSignal,
): Promise<Encoding> {
    const device = await brickwork?.device();
    const { texels, hasAlpha } = picture;
    const { width, height } = texels;
    const { format, quality } = options;
    const stored = FORMATS[format]?.channels ?? "rgba";
    const channels = stored === "rgba" && !hasAlpha ? "rgb" : stored;
    // Only the blocks of ASTC depend on the colour space. The picture is read as it is stored.
    const settings = { ...encodeOptions(options, hasAlpha), srgb: false, signal };
    const { blockBytes, feature } = formatInfo(format);
    const isByCpu = !device || !hasKernels(format, quality) || device.adapterInfo?.isFallbackAdapter;
    const started = performance.now();
    if (brickwork && !isByCpu) await brickwork.prepare(format, quality, settings.alpha !== "opaque", false);
    signal.throwIfAborted();
    const compiled = performance.now();
    const source = isByCpu ? texels : (picture.texture ?? texels);
    const isPreview = !device?.features.has(feature);
    const encoded =
        brickwork && !isPreview
            ? (await brickwork.encodeTexture(source, settings)).texture
            : await (brickwork ?? (await cpuEncoder())).encodeBlocks(source as ImageData, settings);
    const times = { time: performance.now() - compiled, compileTime: compiled - started };
    let decoded: ImageData;
    if (encoded instanceof Uint8Array) {
        const size = { format, width, height, signal };
        const bytes = await (await cpuEncoder()).decodeBlocks(encoded, size);
        decoded = withChannels(new ImageData(new Uint8ClampedArray(bytes.buffer), width, height), channels);
    } else {
        try {
            decoded = await texelsOf(await brickwork!.device(), encoded, [width, height], channels);
        } finally {
            encoded.destroy();
        }
    }
    const original = withChannels(texels, channels);
    signal.throwIfAborted();
    const found = await difference(original, decoded, channels, format === "bc1", signal);
    const bytes = Math.ceil(width / 4) * Math.ceil(height / 4) * blockBytes;
    return { original, decoded, difference: found, isPreview, isByCpu, channels, bytes, ...times };
}
