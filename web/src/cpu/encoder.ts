// The class of the export `./cpu`.

import type { Pair } from "../areas.js";
import type { EncodedTexture, UsageOptions } from "../brickwork.js";
import { BrickworkError } from "../errors.js";
import { type BlockFormat, blockCounts, formatInfo } from "../formats.js";
import type { TexelForm } from "../mips.js";
import { type EncodeOptions, mipCount, settingsOf } from "../options.js";
import { type ImageSource, bitmapOfSource, bytesOfFile, bytesOfTexels, isTexels } from "../sources.js";
import { loadModule } from "../wasm/load.js";
import { type CodecModule, type ModuleName, texelsFlag } from "./jobs.js";
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
        const settings = settingsOf(options);
        const { format: blocks, signal } = settings;
        this.#check(signal);
        if (isTexels(source)) {
            const size = [source.width, source.height] as const;
            const { bytes, format } = bytesOfTexels(source);
            const numbers = encodeNumbers(settings, mipCount(settings.mips, size), size);
            // The caller may change the texels while the module is loaded.
            const copy = bytes.slice();
            const codec = await this.#load(blocks, signal);
            const job = { kind: "encode", numbers, texels: { bytes: copy, format } } as const;
            return this.#queue.run(codec, job, [copy.buffer], signal);
        }
        encodeNumbers(settings, 1, [1, 1]);
        const bitmap = await bitmapOfSource(source, signal);
        try {
            const size = [bitmap.width, bitmap.height] as const;
            const numbers = encodeNumbers(settings, mipCount(settings.mips, size), size);
            const codec = await this.#load(blocks, signal);
            const job = { kind: "encode", numbers, texels: { bitmap } } as const;
            return await this.#queue.run(codec, job, [bitmap], signal);
        } finally {
            // (Without effect if the worker has it.)
            bitmap.close();
        }
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
        const { decodedTexture, levelSizes } = await import("./texture.js");
        const lengths = levelSizes(format, size, mipCount(mips, size));
        checkBytes(
            copy,
            lengths.reduce((sum, length) => sum + length, 0),
            options,
        );
        let end = 0;
        const levels = lengths.map((length) => copy.subarray(end, (end += length)));
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
        return decodedTexture(this, device, await readTextureFile(contents), options);
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
        this.#turn = Promise.allSettled([before, loading]);
        await before;
        const module = await loading;
        this.#check(signal);
        return { name, module };
    }
}

/** Returns the module with the codec of a format. */
function moduleName(format: BlockFormat): ModuleName {
    if (format === "bc7") return "bc7";
    return format === "bc6h" || format === "bc6hs" ? "bc6h" : "bc1-to-bc5";
}

/** Returns the URL of a module. Bundlers find the files by these expressions. */
function moduleUrl(name: ModuleName, { wasm, wasmBc6h, wasmBc7 }: CpuOptions): string | URL {
    switch (name) {
        case "bc1-to-bc5":
            return wasm ?? new URL("./brickwork.wasm", import.meta.url);
        case "bc6h":
            return wasmBc6h ?? new URL("./brickwork-bc6h.wasm", import.meta.url);
        case "bc7":
            return wasmBc7 ?? new URL("./brickwork-bc7.wasm", import.meta.url);
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
