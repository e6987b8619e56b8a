// The class of the export `./cpu`.

import { BrickworkError } from "../errors.js";
import { type BlockFormat, blockCounts, formatInfo } from "../formats.js";
import { type EncodeOptions, mipCount, settingsOf } from "../options.js";
import { type ImageSource, bitmapOfSource, bytesOfTexels, isTexels } from "../sources.js";
import { loadModule } from "../wasm/load.js";
import { encodeNumbers, formatNumber } from "./numbers.js";
import { WorkerQueue } from "./queue.js";

/** Source of an image: those of `Brickwork.encodeBlocks`, except textures. */
export type CpuSource = Exclude<ImageSource, GPUTexture>;

export interface CpuOptions {
    /** URL of `brickwork.wasm`. Default: the file of the package. */
    readonly wasm?: string | URL;
}

export interface DecodeOptions {
    readonly format: BlockFormat;
    /** Width in texels. */
    readonly width: number;
    /** Height in texels. */
    readonly height: number;
    readonly signal?: AbortSignal;
}

/**
 * Encoder on the CPU, in a worker. It gives the same bytes as `Brickwork`, and needs no WebGPU. Calls of one
 * encoder run one after the other.
 */
export class CpuEncoder {
    readonly #queue = new WorkerQueue();
    readonly #url: string | URL | undefined;
    #module: Promise<WebAssembly.Module> | undefined;
    #isDisposed = false;

    /** Returns an encoder. The first call starts the worker and loads the module. */
    constructor(options: CpuOptions = {}) {
        this.#url = options.wasm;
    }

    /**
     * Encodes an image of any size. Returns the blocks row by row, with the largest mip level first.
     *
     * @throws {BrickworkError} or the reason of the signal. `cpu` if the encoder cannot be loaded or stops.
     */
    async encodeBlocks(source: CpuSource, options: EncodeOptions): Promise<Uint8Array<ArrayBuffer>> {
        const settings = settingsOf(options);
        const { signal } = settings;
        this.#check(signal);
        if (isTexels(source)) {
            const size = [source.width, source.height] as const;
            const { bytes, format } = bytesOfTexels(source);
            const numbers = encodeNumbers(settings, mipCount(settings.mips, size), size);
            // The caller may change the texels while the module is loaded.
            const copy = bytes.slice();
            const module = await this.#load(signal);
            const job = { kind: "encode", numbers, texels: { bytes: copy, format } } as const;
            return this.#queue.run(module, job, [copy.buffer], signal);
        }
        encodeNumbers(settings, 1, [1, 1]);
        const bitmap = await bitmapOfSource(source, signal);
        try {
            const size = [bitmap.width, bitmap.height] as const;
            const numbers = encodeNumbers(settings, mipCount(settings.mips, size), size);
            const module = await this.#load(signal);
            const job = { kind: "encode", numbers, texels: { bitmap } } as const;
            return await this.#queue.run(module, job, [bitmap], signal);
        } finally {
            // (Without effect if the worker has it.)
            bitmap.close();
        }
    }

    /**
     * Decodes the blocks of one image to texels of 8-bit RGBA, for instance to show an image on a device
     * without block-compressed textures. Numbers of BC6H are clamped to 0 and 1.
     *
     * @throws {BrickworkError} or the reason of the signal.
     */
    async decodeBlocks(blocks: Uint8Array, options: DecodeOptions): Promise<Uint8Array<ArrayBuffer>> {
        const { format, width, height, signal } = options;
        this.#check(signal);
        const { blockBytes } = formatInfo(format);
        if (!(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0)) {
            throw new BrickworkError("size", `${width}×${height} is not the size of an image`);
        }
        const [columns, rows] = blockCounts([width, height]);
        const needed = columns * rows * blockBytes;
        if (blocks.length !== needed) {
            const counts = `${blocks.length} bytes of blocks in place of ${needed}`;
            throw new BrickworkError("size", `${width}×${height} texels of ${format} with ${counts}`);
        }
        const copy = new Uint8Array(blocks);
        const module = await this.#load(signal);
        const job = { kind: "decode", format: formatNumber(format), width, height, blocks: copy } as const;
        return this.#queue.run(module, job, [copy.buffer], signal);
    }

    /** Ends the worker. Calls that are not finished fail with the code `disposed`. */
    dispose(): void {
        this.#isDisposed = true;
        this.#module = undefined;
        this.#queue.close(disposed());
    }

    #check(signal?: AbortSignal): void {
        if (this.#isDisposed) throw disposed();
        signal?.throwIfAborted();
    }

    /** Loads the module once. Workers that replace a terminated one use it again. */
    async #load(signal?: AbortSignal): Promise<WebAssembly.Module> {
        if (!this.#module) {
            // Bundlers find the file by this expression.
            const url = () => this.#url ?? new URL("./brickwork.wasm", import.meta.url);
            const module = (this.#module = loadModule(url, "the encoder"));
            module.catch(() => {
                if (this.#module === module) this.#module = undefined;
            });
        }
        const module = await this.#module;
        this.#check(signal);
        return module;
    }
}

function disposed(): BrickworkError {
    return new BrickworkError("disposed", "the encoder was disposed of");
}
