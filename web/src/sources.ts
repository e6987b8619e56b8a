// Sources of texels, and their upload.

import type { Pair } from "./areas.js";
import { text } from "./device.js";
import { BrickworkError } from "./errors.js";
import { statedSize } from "./header.js";
import { checkSides, checkSize } from "./limits.js";
import { TextureUsage } from "./usage.js";

/** Texels in memory: RGBA, row by row. */
export interface TexelData {
    readonly data: ArrayBufferView<ArrayBuffer>;
    readonly width: number;
    readonly height: number;
    /** Default: `rgba8unorm`. */
    readonly format?: "rgba8unorm" | "rgba16float" | "rgba32float";
}

/**
 * Source of an image. The bytes of files are used as stored: no colour profile is applied, and alpha is not
 * multiplied. A canvas with a 2D context keeps premultiplied colours, so its transparent texels are inexact.
 */
export type ImageSource =
    | string
    | URL
    | Blob
    | ImageBitmap
    | ImageData
    | HTMLImageElement
    | HTMLCanvasElement
    | OffscreenCanvas
    | HTMLVideoElement
    | VideoFrame
    | GPUTexture
    | TexelData;

/** An image whose texels can be copied to a texture. */
export interface OpenedSource {
    readonly size: Pair;
    /** Format of the texture that takes the texels unchanged. */
    readonly format: GPUTextureFormat;
    /** The source, if it is a texture. */
    readonly texture?: GPUTexture;
    /** Copies a rectangle of texels. */
    copy(device: GPUDevice, to: GPUTexture, from: Pair, at: Pair, size: Pair): void;
    close(): void;
}

/** Texels that are copied without a pause. */
const STRIP_TEXELS = 1 << 20;

/** Number of a channel's type in kernels, and bytes per texel of four channels. */
export const TEXELS: Readonly<Record<string, { channelType: number; bytes: number }>> = {
    rgba8unorm: { channelType: 0, bytes: 4 },
    rgba16float: { channelType: 2, bytes: 8 },
    rgba32float: { channelType: 3, bytes: 16 },
};

const AS_STORED: ImageBitmapOptions = { colorSpaceConversion: "none", premultiplyAlpha: "none" };

/** Fetches and decodes a source. Files that state sides of more than `limit` texels are not decoded. */
export async function openSource(
    source: ImageSource,
    limit: number,
    signal?: AbortSignal,
): Promise<OpenedSource> {
    if (is("GPUTexture", source)) return textureSource(source as GPUTexture);
    if (is("ImageBitmap", source)) {
        const bitmap = source as ImageBitmap;
        return externalSource(bitmap, [bitmap.width, bitmap.height], () => {});
    }
    if (isTexels(source)) return dataSource(source);
    const found = await bitmapOfSource(source, limit, signal);
    return isTexels(found) ? dataSource(found) : bitmapSource(found);
}

/** Addresses of fetched files, for errors. */
const NAMES = new WeakMap<Blob, string>();

/** Fetches a source that is a URL. `isFloat` is true if the texels are floats. */
export async function fetchedSource(
    source: ImageSource,
    signal?: AbortSignal,
): Promise<{ source: ImageSource; isFloat: boolean }> {
    if (typeof source === "string" || is("URL", source)) {
        const blob = await fetched(source as string | URL, signal);
        NAMES.set(blob, String(source));
        source = blob;
    }
    if (is("Blob", source)) return { source, isFloat: await isHdr(source as Blob) };
    const hasFormat = is("GPUTexture", source) || (isTexels(source) && !is("ImageData", source));
    const format = hasFormat ? (source as GPUTexture | TexelData).format : undefined;
    return { source, isFloat: format?.endsWith("float") ?? false };
}

async function isHdr(file: Blob): Promise<boolean> {
    return (await file.slice(0, 2).text()) === "#?";
}

/** True if a source is texels in memory. */
export function isTexels(source: unknown): source is TexelData | ImageData {
    const isElement = is("HTMLElement", source);
    return typeof source === "object" && source !== null && !isElement && "data" in source;
}

/**
 * Fetches and decodes a source without texels in memory: to texels if it is a Radiance HDR file, else to a bitmap,
 * which the caller closes. Files that state sides of more than `limit` texels are not decoded.
 */
export async function bitmapOfSource(
    source: ImageSource,
    limit: number,
    signal?: AbortSignal,
): Promise<ImageBitmap | TexelData> {
    const isUrl = typeof source === "string" || is("URL", source);
    if (isUrl || is("Blob", source)) {
        const blob = isUrl ? await fetched(source as string | URL, signal) : (source as Blob);
        const name = isUrl ? String(source) : (NAMES.get(blob) ?? "the image");
        if (await isHdr(blob)) {
            const { hdrTexels } = await import("./hdr.js");
            return hdrTexels(new Uint8Array(await blob.arrayBuffer()), name, limit);
        }
        const size = await statedSize(blob);
        if (size) checkSides(size, limit);
        signal?.throwIfAborted();
        return bitmapOf(blob, name);
    }
    if (typeof source !== "object" || source === null) throw unknownSource();
    if (is("ImageBitmap", source)) {
        const { width, height } = source as ImageBitmap;
        checkNotEmpty("the image is empty or closed", [width, height]);
    } else if (is("HTMLVideoElement", source)) {
        const { videoWidth, videoHeight } = source as HTMLVideoElement;
        checkNotEmpty("the video has no frame yet", [videoWidth, videoHeight]);
    } else if (is("HTMLImageElement", source)) {
        await decoded(source as HTMLImageElement);
    } else if (is("HTMLCanvasElement", source) || is("OffscreenCanvas", source)) {
        const { width, height } = source as OffscreenCanvas;
        checkNotEmpty("the canvas is empty", [width, height]);
    } else if (!is("VideoFrame", source)) {
        throw unknownSource();
    }
    signal?.throwIfAborted();
    // A canvas or a video may change while strips are copied, and a frame may be closed; a bitmap does not
    // change. (Chromium 156 loses a device of SwiftShader that copies a frame directly.)
    return bitmapOf(source as ImageBitmapSource);
}

/** Texels on the device. */
export interface Uploaded {
    readonly texture: GPUTexture;
    /** True if the texture is a copy. */
    readonly isOwn: boolean;
}

/**
 * Copies a source to a texture of `size`, with repeated edges if that is larger. A texture that can be read
 * as it is, is not copied.
 */
export async function upload(
    device: GPUDevice,
    source: OpenedSource,
    size: Pair,
    mustCopy: boolean,
    signal?: AbortSignal,
): Promise<Uploaded> {
    checkSize(device, source.size);
    if (source.texture && !mustCopy) return { texture: source.texture, isOwn: false };
    const texture = device.createTexture({
        label: "source",
        size: [...size],
        format: source.format,
        usage:
            TextureUsage.TEXTURE_BINDING |
            TextureUsage.COPY_DST |
            TextureUsage.COPY_SRC |
            // `copyExternalImageToTexture` draws.
            (source.format === "rgba32float" ? 0 : TextureUsage.RENDER_ATTACHMENT),
    });
    try {
        const [width, height] = source.size;
        const rows = Math.max(1, Math.floor(STRIP_TEXELS / width));
        for (let y = 0; y < height; y += rows) {
            if (y > 0) await pause();
            signal?.throwIfAborted();
            source.copy(device, texture, [0, y], [0, y], [width, Math.min(rows, height - y)]);
        }
        repeatEdges(device, source, texture, size);
    } catch (error) {
        texture.destroy();
        throw error;
    }
    return { texture, isOwn: true };
}

function repeatEdges(
    device: GPUDevice,
    source: OpenedSource,
    texture: GPUTexture,
    [width, height]: Pair,
): void {
    const [right, bottom] = [source.size[0] - 1, source.size[1] - 1];
    for (let x = right + 1; x < width; x++) source.copy(device, texture, [right, 0], [x, 0], [1, bottom + 1]);
    for (let y = bottom + 1; y < height; y++) {
        source.copy(device, texture, [0, bottom], [0, y], [right + 1, 1]);
        for (let x = right + 1; x < width; x++) source.copy(device, texture, [right, bottom], [x, y], [1, 1]);
    }
}

/** Lets other tasks of the thread run. */
function pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve));
}

function is(name: string, value: unknown): boolean {
    const type: unknown = (globalThis as Record<string, unknown>)[name];
    return typeof type === "function" && value instanceof type;
}

/** Fetches a file. */
export async function fetched(url: string | URL, signal?: AbortSignal): Promise<Blob> {
    let response: Response;
    try {
        response = await fetch(url, { signal: signal ?? null });
    } catch (cause) {
        signal?.throwIfAborted();
        const hint = "the server does not answer, or does not allow this page to read the file (CORS)";
        throw new BrickworkError("source", `cannot fetch ${url}: ${hint}`, { cause });
    }
    if (!response.ok)
        throw new BrickworkError("source", `cannot fetch ${url}: HTTP status ${response.status}`);
    return response.blob();
}

/** Returns the bytes of a file. A view of memory is not copied. */
export async function bytesOfFile(
    file: string | URL | Blob | BufferSource,
    signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
    if (ArrayBuffer.isView(file)) return new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
    if (file instanceof ArrayBuffer) return new Uint8Array(file);
    const blob = file instanceof Blob ? file : await fetched(file, signal);
    return new Uint8Array(await blob.arrayBuffer());
}

/** Decodes an image, with its numbers as stored. Errors call it `name`. */
export async function bitmapOf(source: ImageBitmapSource, name = "the image"): Promise<ImageBitmap> {
    try {
        return await createImageBitmap(source, AS_STORED);
    } catch (cause) {
        throw new BrickworkError("source", `the browser cannot read ${name}: ${text(cause)}`, { cause });
    }
}

async function decoded(image: HTMLImageElement): Promise<void> {
    try {
        await image.decode();
    } catch (cause) {
        throw new BrickworkError("source", `the browser cannot read ${image.src}: ${text(cause)}`, { cause });
    }
}

function unknownSource(): BrickworkError {
    const expected = "an image, a canvas, a video, texels or a texture";
    return new BrickworkError("source", `the source is not ${expected}`);
}

function checkNotEmpty(what: string, [width, height]: Pair): void {
    if (!width || !height) throw new BrickworkError("size", `${what}: ${width}×${height} texels`);
}

function bitmapSource(bitmap: ImageBitmap): OpenedSource {
    return externalSource(bitmap, [bitmap.width, bitmap.height], () => bitmap.close());
}

function externalSource(image: ImageBitmap, size: Pair, close: () => void): OpenedSource {
    checkNotEmpty("the image is empty or closed", size);
    return {
        size,
        format: "rgba8unorm",
        close,
        copy: (device, texture, from, at, extent) => {
            device.queue.copyExternalImageToTexture(
                { source: image, origin: [...from] },
                { texture, origin: [...at], premultipliedAlpha: false, colorSpace: "srgb" },
                [...extent],
            );
        },
    };
}

/** Returns the bytes and the format of texels in memory, or throws if their number is wrong. */
export function bytesOfTexels(source: TexelData | ImageData): {
    bytes: Uint8Array<ArrayBuffer>;
    format: NonNullable<TexelData["format"]>;
    texelBytes: number;
} {
    const { data, width, height } = source;
    // (ImageData has texels of 8 bits; its format, where there is one, is that of its numbers.)
    const format = (is("ImageData", source) ? undefined : (source as TexelData).format) ?? "rgba8unorm";
    const texels = Object.hasOwn(TEXELS, format) ? TEXELS[format] : undefined;
    if (!texels) throw new BrickworkError("option", `texels of the format "${format}" are not supported`);
    checkNotEmpty("the image is empty", [width, height]);
    const needed = width * height * texels.bytes;
    if (data.byteLength !== needed) {
        const counts = `${data.byteLength} bytes of texels in place of ${needed}`;
        throw new BrickworkError("size", `${width}×${height} texels of ${format} with ${counts}`);
    }
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return { bytes, format, texelBytes: texels.bytes };
}

function dataSource(source: TexelData | ImageData): OpenedSource {
    const { bytes, format, texelBytes } = bytesOfTexels(source);
    const { width, height } = source;
    const bytesPerRow = width * texelBytes;
    return {
        size: [width, height],
        format,
        close: () => {},
        copy: (device, texture, from, at, extent) => {
            const offset = from[1] * bytesPerRow + from[0] * texelBytes;
            const layout = { offset, bytesPerRow, rowsPerImage: extent[1] };
            device.queue.writeTexture({ texture, origin: [...at] }, bytes, layout, [...extent]);
        },
    };
}

function textureSource(source: GPUTexture): OpenedSource {
    if (source.dimension !== "2d" || source.sampleCount !== 1) {
        throw new BrickworkError("source", "the source texture is not a 2D texture with one sample");
    }
    return {
        size: [source.width, source.height],
        format: source.format.replace(/-srgb$/, "") as GPUTextureFormat,
        texture: source,
        close: () => {},
        copy: (device, texture, from, at, extent) => {
            if (!(source.usage & TextureUsage.COPY_SRC)) {
                const why = "for mip levels, padding and sRGB, Brickwork copies the source texture";
                throw new BrickworkError("source", `${why}: it needs the usage COPY_SRC`);
            }
            const encoder = device.createCommandEncoder();
            encoder.copyTextureToTexture(
                { texture: source, origin: [...from] },
                { texture, origin: [...at] },
                [...extent],
            );
            device.queue.submit([encoder.finish()]);
        },
    };
}
