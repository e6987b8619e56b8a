// The class of the export `./cpu`.

import type { Pair } from "../areas.js";
import type { EncodedTexture, FileOptions, TextureOptions, UsageOptions } from "../brickwork.js";
import { BrickworkError } from "../errors.js";
import { type BlockFormat, blockCounts, formatInfo } from "../formats.js";
import { alignedSize, checkFeature, checkSides, checkTexture, mostTexels } from "../limits.js";
import type { TexelForm } from "../mips.js";
import { type EncodeOptions, type Settings, mipCount, settingsOf } from "../options.js";
import type { BlockFile } from "../reader.js";
import { type ImageSource, bitmapOfSource, bytesOfFile, bytesOfTexels, isTexels } from "../sources.js";
import { settled } from "../waiting.js";
import { loadModule } from "../wasm/load.js";
import { type CodecModule, type JobTexels, type ModuleName, texelsFlag } from "./jobs.js";
import { encodeNumbers, formatNumber } from "./numbers.js";
import { WorkerQueue } from "./queue.js";

/** Source of an image: those of `Brickwork.encodeBlocks`, except textures. */
export type CpuSource = Exclude<ImageSource, GPUTexture>;

export interface CpuOptions {
    /** URL of `brickwork.wasm`, the module of BC1 to BC5. Default: the file of the package. */
    readonly wasm?: string | URL;
    /** URL of `brickwork-bc6h.wasm`. Default: the file of the package. */
    readonly wasmBc6h?: string | URL;
    /** URL of `brickwork-bc7.wasm`. Default: the file of the package. */
    readonly wasmBc7?: string | URL;
    /** URL of `brickwork-etc.wasm`, the module of ETC2 and EAC. Default: the file of the package. */
    readonly wasmEtc?: string | URL;
    /** URL of `brickwork-astc.wasm`. Default: the file of the package. */
    readonly wasmAstc?: string | URL;
}

/** Options of a texture that the CPU encodes. */
export interface CpuTextureOptions extends TextureOptions {
    readonly format: BlockFormat;
}

/** @internal Blocks of an image. */
export interface CpuBlocks {
    /** Size of the image in texels. */
    readonly imageSize: Pair;
    /** Size of the encoded image, of which the rest repeats the edges. */
    readonly size: Pair;
    /** Blocks of all mip levels, the largest first. */
    readonly blocks: Uint8Array<ArrayBuffer>;
}

export interface DecodeOptions {
    readonly format: BlockFormat;
    /** Width in texels. */
    readonly width: number;
    /** Height in texels. */
    readonly height: number;
    /**
     * Form of the texels. `rgba8unorm` clamps numbers of BC6H to 0 and 1, and has −1 to 1 of signed formats
     * as 0 to 255. `rgba16float` has the numbers that shaders read from a texture of the blocks. Default:
     * `rgba8unorm`.
     */
    readonly texels?: TexelForm;
    readonly signal?: AbortSignal;
}

export interface DecodeTextureOptions extends UsageOptions, Pick<EncodeOptions, "format" | "srgb" | "mips"> {
    /** Width of the image in texels. */
    readonly width: number;
    /** Height of the image in texels. */
    readonly height: number;
}

/**
 * Encoder on the CPU, in a worker. It gives the same bytes as `Brickwork`, and needs no WebGPU. Calls of one
 * encoder run one after the other.
 */
export class CpuEncoder {
    readonly #queue = new WorkerQueue();
    readonly #options: CpuOptions;
    readonly #modules = new Map<ModuleName, Promise<WebAssembly.Module>>();
    /** Settles when all calls so far have their modules. */
    #turn: Promise<unknown> = Promise.resolve();
    #isDisposed = false;

    /** Returns an encoder. The first call starts the worker. Calls load the module of their format. */
    constructor(options: CpuOptions = {}) {
        this.#options = options;
    }

    /**
     * Encodes an image of any size. Returns the blocks row by row, with the largest mip level first.
     *
     * @throws {BrickworkError} or the reason of the signal. `cpu` if the encoder cannot be loaded or stops.
     */
    async encodeBlocks(source: CpuSource, options: EncodeOptions): Promise<Uint8Array<ArrayBuffer>> {
        return (await this.encode(source, settingsOf(options))).blocks;
    }

    /**
     * @internal Encodes an image. Images with sides of more than `limit` texels are refused. `sizeOf` returns
     * the size to which an image is padded.
     */
    async encode(
        source: CpuSource,
        settings: Settings,
        limit = Infinity,
        sizeOf = (size: Pair) => size,
    ): Promise<CpuBlocks> {
        const { signal } = settings;
        this.#check(signal);
        encodeNumbers(settings, 1, [1, 1]);
        const found = isTexels(source) ? source : await bitmapOfSource(source, limit, signal);
        const size: Pair = [found.width, found.height];
        if (isTexels(found)) {
            checkSides(size, limit);
            const { bytes, format } = bytesOfTexels(found);
            // The caller may change the texels while the module is loaded.
            const copy = bytes.slice();
            return this.#encode({ bytes: copy, format, size }, copy.buffer, settings, sizeOf);
        }
        try {
            checkSides(size, limit);
            return await this.#encode({ bitmap: found, size }, found, settings, sizeOf);
        } finally {
            // (Without effect if the worker has it.)
            found.close();
        }
    }

    /** Encodes an image of any size to a DDS or KTX2 file. Throws as {@link encodeBlocks}. */
    async encodeFile(source: CpuSource, options: FileOptions): Promise<Blob> {
        const settings = settingsOf(options);
        const { format, mips } = settings;
        const { checkContainer, textureFile } = await import("../containers.js");
        checkContainer(options.container);
        const { size, blocks } = await this.encode(source, settings);
        const { levelsOf } = await import("./texture.js");
        const levels = levelsOf(blocks, format, size, mipCount(mips, size));
        return textureFile(options.container, settings, size, levels);
    }

    /**
     * Encodes an image to a texture on a device that has textures of the format.
     *
     * @throws {BrickworkError} or the reason of the signal. `no-format` if the device has no such textures.
     */
    async encodeTexture(
        device: GPUDevice,
        source: CpuSource,
        options: CpuTextureOptions,
    ): Promise<EncodedTexture> {
        const settings = settingsOf(options);
        const { format, srgb, mips } = settings;
        const { usage, label, onUnaligned = "pad" } = options;
        checkFeature(device, formatInfo(format), "use decodeTexture");
        const { levelsOf, uploadFile } = await import("./texture.js");
        const encoded = await this.encode(source, settings, mostTexels(device), (size) =>
            alignedSize(device, size, onUnaligned),
        );
        const { imageSize, size, blocks } = encoded;
        const levels = levelsOf(blocks, format, size, mipCount(mips, size));
        const texture = await uploadFile(device, { format, srgb, size, levels }, usage, label);
        const uvScale: Pair = [imageSize[0] / size[0], imageSize[1] / size[1]];
        return { texture, size: imageSize, uvScale };
    }

    async #encode(
        texels: JobTexels,
        transfer: Transferable,
        settings: Settings,
        sizeOf: (size: Pair) => Pair,
    ): Promise<CpuBlocks> {
        const { format, mips, signal } = settings;
        const size = sizeOf(texels.size);
        const numbers = encodeNumbers(settings, mipCount(mips, size), size);
        const codec = await this.#load(format, signal);
        const blocks = await this.#queue.run(codec, { kind: "encode", numbers, texels }, [transfer], signal);
        return { imageSize: texels.size, size, blocks };
    }

    /**
     * Decodes the blocks of one image to RGBA texels.
     *
     * @throws {BrickworkError} or the reason of the signal.
     */
    async decodeBlocks(blocks: Uint8Array, options: DecodeOptions): Promise<Uint8Array<ArrayBuffer>> {
        const { format, width, height, texels = "rgba8unorm", signal } = options;
        this.#check(signal);
        const { blockBytes } = formatInfo(format);
        if (texels !== "rgba8unorm" && texels !== "rgba16float") {
            throw new BrickworkError(
                "option",
                `no texels "${String(texels)}"; expected rgba8unorm or rgba16float`,
            );
        }
        checkIsSize([width, height]);
        const [columns, rows] = blockCounts([width, height]);
        checkBytes(blocks, columns * rows * blockBytes, options);
        const copy = new Uint8Array(blocks);
        const codec = await this.#load(format, signal);
        const numbers = { format: formatNumber(format), channels: texelsFlag(texels), width, height };
        const job = { kind: "decode", ...numbers, blocks: copy } as const;
        return this.#queue.run(codec, job, [copy.buffer], signal);
    }

    /**
     * Decodes the blocks of an image and its mip levels to a texture on a device without block-compressed
     * textures. The texture has the format `rgba8unorm` or `rgba8unorm-srgb`, or `rgba16float` for BC6H and
     * signed formats, and the size of the image. It takes 4 to 16 times the memory of the blocks. Shaders
     * read what they would read from a texture of the blocks, except that BC4 and BC5 are rounded to 8 bits.
     *
     * @param blocks Those of `encodeBlocks`, with the same `format` and `mips`.
     * @throws {BrickworkError} or the reason of the signal.
     */
    async decodeTexture(
        device: GPUDevice,
        blocks: Uint8Array,
        options: DecodeTextureOptions,
    ): Promise<EncodedTexture> {
        const { format, srgb, mips, signal } = settingsOf(options);
        this.#check(signal);
        const size = [options.width, options.height] as const;
        checkIsSize(size);
        // The caller may change the blocks while code is loaded.
        const copy = new Uint8Array(blocks);
        const { decodedTexture, levelSizes, levelsOf } = await import("./texture.js");
        const count = mipCount(mips, size);
        const lengths = levelSizes(format, size, count);
        checkBytes(
            copy,
            lengths.reduce((sum, length) => sum + length, 0),
            options,
        );
        const levels = levelsOf(copy, format, size, count);
        return decodedTexture(this, device, { format, srgb, size, levels }, options);
    }

    /**
     * Loads a 2D texture, as `Brickwork.loadTexture` does, and decodes it as {@link decodeTexture} does.
     *
     * @throws {BrickworkError} or the reason of the signal.
     */
    async loadTexture(
        device: GPUDevice,
        file: string | URL | Blob | BufferSource,
        options: UsageOptions = {},
    ): Promise<EncodedTexture> {
        const { signal } = options;
        this.#check(signal);
        const { decodedTexture, readTextureFile } = await import("./texture.js");
        const contents = await bytesOfFile(file, signal);
        signal?.throwIfAborted();
        const blocks = await readTextureFile(contents, (found) => checkTexture(device, found));
        return decodedTexture(this, device, blocks, options);
    }

    /** @internal Decodes the blocks of a file, as {@link decodeTexture} does. */
    async decodeFile(device: GPUDevice, file: BlockFile, options: UsageOptions): Promise<EncodedTexture> {
        this.#check(options.signal);
        const { decodedTexture } = await import("./texture.js");
        return decodedTexture(this, device, file, options);
    }

    /** Ends the worker. Calls that are not finished fail with the code `disposed`. */
    dispose(): void {
        this.#isDisposed = true;
        this.#modules.clear();
        this.#queue.close(disposed());
    }

    #check(signal?: AbortSignal): void {
        if (this.#isDisposed) throw disposed();
        signal?.throwIfAborted();
    }

    /**
     * Loads the module of a format once. Workers that replace a terminated one use it again. Calls get their
     * modules one after the other, so that they run in order.
     */
    async #load(format: BlockFormat, signal?: AbortSignal): Promise<CodecModule> {
        const name = moduleName(format);
        let loading = this.#modules.get(name);
        if (!loading) {
            const modules = this.#modules;
            const started = (loading = loadModule(() => moduleUrl(name, this.#options), "the encoder"));
            modules.set(name, started);
            started.catch(() => {
                if (modules.get(name) === started) modules.delete(name);
            });
        }
        const before = this.#turn;
        this.#turn = settled(before, loading);
        await before;
        const module = await loading;
        this.#check(signal);
        return { name, module };
    }
}

/** Returns the module with the codec of a format. */
function moduleName(format: BlockFormat): ModuleName {
    if (format === "bc7") return "bc7";
    if (format.startsWith("astc")) return "astc";
    if (format.startsWith("e")) return "etc";
    return format.startsWith("bc6h") ? "bc6h" : "bc1-to-bc5";
}

/** Returns the URL of a module. Bundlers find the files by these expressions. */
function moduleUrl(
    name: ModuleName,
    { wasm, wasmBc6h, wasmBc7, wasmEtc, wasmAstc }: CpuOptions,
): string | URL {
    switch (name) {
        case "bc1-to-bc5":
            return wasm ?? new URL("./brickwork.wasm", import.meta.url);
        case "bc6h":
            return wasmBc6h ?? new URL("./brickwork-bc6h.wasm", import.meta.url);
        case "bc7":
            return wasmBc7 ?? new URL("./brickwork-bc7.wasm", import.meta.url);
        case "etc":
            return wasmEtc ?? new URL("./brickwork-etc.wasm", import.meta.url);
        case "astc":
            return wasmAstc ?? new URL("./brickwork-astc.wasm", import.meta.url);
    }
}

function checkIsSize([width, height]: Pair): void {
    if (!(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0)) {
        throw new BrickworkError("size", `${width}×${height} is not the size of an image`);
    }
}

function checkBytes(
    blocks: Uint8Array,
    needed: number,
    { format, width, height }: Pick<DecodeOptions, "format" | "width" | "height">,
): void {
    if (blocks.length !== needed) {
        const counts = `${blocks.length} bytes of blocks in place of ${needed}`;
        throw new BrickworkError("size", `${width}×${height} texels of ${format} with ${counts}`);
    }
}

function disposed(): BrickworkError {
    return new BrickworkError("disposed", "the encoder was disposed of");
}
