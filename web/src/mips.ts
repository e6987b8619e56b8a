// Mip levels by the box filter, with the same numbers as the native encoder.

import type { Pair } from "./areas.js";
import type { Load } from "./chain.js";
import type { MipData } from "./data.js";
import { filledBuffer, recordDispatches } from "./dispatches.js";
import { BrickworkError } from "./errors.js";
import { blockCounts } from "./formats.js";
import { maxBinding } from "./limits.js";
import type { Pipeline, Pipelines } from "./pipelines.js";
import { TEXELS } from "./sources.js";
import { BufferUsage } from "./usage.js";
import { wordsOf, filled } from "./words.js";

/** Form in which a chain takes texels. */
export type TexelForm = "rgba8unorm" | "rgba16float";

export interface MipOptions {
    readonly texels: TexelForm;
    readonly srgb: boolean;
    /** True if colours are weighted by alpha. */
    readonly byAlpha: boolean;
}

/** Texels of a level in a buffer, row by row. */
interface Level {
    readonly buffer: GPUBuffer;
    readonly size: Pair;
    readonly pitch: number;
    readonly channelType: number;
    readonly texelBytes: number;
}

/** Largest sum of weights for sums of 32 bits. */
const MOST_ONE_WORD = 257;

/** Maker of mip levels, each from the one before. */
export class MipMaker {
    readonly #device: GPUDevice;
    readonly #pipelines: Pipelines;
    readonly #data: MipData;
    readonly #options: MipOptions;
    readonly #table: GPUBuffer | undefined;
    readonly #load: Pipeline;
    #level: Level;

    private constructor(
        device: GPUDevice,
        pipelines: Pipelines,
        data: MipData,
        options: MipOptions,
        load: Pipeline,
        level: Level,
    ) {
        this.#device = device;
        this.#pipelines = pipelines;
        this.#data = data;
        this.#options = options;
        this.#load = load;
        this.#level = level;
        const table = data.tables?.[options.srgb ? "srgb" : "linear"];
        if (table) {
            const words = wordsOf(table);
            this.#table = filledBuffer(device, "light", BufferUsage.STORAGE, words.byteLength, (memory) =>
                memory.set(words),
            );
        }
    }

    /** Returns a maker whose first level is a texture with usage `COPY_SRC`. */
    static async create(
        device: GPUDevice,
        pipelines: Pipelines,
        texture: GPUTexture,
        options: MipOptions,
    ): Promise<MipMaker> {
        const module =
            options.texels === "rgba8unorm"
                ? await import("./generated/mips/mips.js")
                : await import("./generated/mips/mips-halves.js");
        const data = module.default;
        const load = await pipelines.get(data.load.kernel, data.parts);
        return new MipMaker(device, pipelines, data, options, load, copied(device, texture));
    }

    /** Makes the next level, and returns its size. */
    async next(): Promise<Pair> {
        const { size, pitch, channelType, buffer } = this.#level;
        const next: Pair = [halved(size[0]), halved(size[1])];
        const { bytes: texelBytes, channelType: nextType } = texelsOf(this.#options.texels);
        const target = this.#device.createBuffer({
            label: "mip level",
            size: next[0] * next[1] * texelBytes,
            usage: BufferUsage.STORAGE,
        });
        const weightSum = weightSumOf(size[0]) * weightSumOf(size[1]);
        const kernels = this.#data.kernels;
        const kernel = (weightSum <= MOST_ONE_WORD ? kernels[0] : undefined) ?? kernels[kernels.length - 1];
        if (!kernel) throw new Error("the generated data has no kernel for mip levels");
        const pipeline = await this.#pipelines.get(kernel, this.#data.parts);
        const words = filled(this.#data.params, {
            width: size[0],
            height: size[1],
            firstX: 0,
            firstY: 0,
            columns: next[0],
            rows: next[1],
            weightSumLow: weightSum % 2 ** 32,
            weightSumHigh: Math.floor(weightSum / 2 ** 32),
            pitch,
            channelType,
            byAlpha: this.#options.byAlpha ? 1 : 0,
        });
        const resources: (GPUBindingResource | "params")[] = ["params", { buffer }, { buffer: target }];
        if (this.#table) resources.push({ buffer: this.#table });
        const workgroups = Math.ceil((next[0] * next[1]) / 64);
        const encoder = this.#device.createCommandEncoder();
        recordDispatches(this.#device, encoder, [{ pipeline, words, resources, workgroups }]);
        this.#device.queue.submit([encoder.finish()]);
        buffer.destroy();
        this.#level = {
            buffer: target,
            size: next,
            pitch: next[0] * texelBytes,
            channelType: nextType,
            texelBytes,
        };
        return next;
    }

    /** Returns the load of a rectangle of the current level's texels. */
    load(origin: Pair, [width, height]: Pair): Load {
        const { buffer, pitch, channelType, texelBytes } = this.#level;
        const [columns, rows] = blockCounts([width, height]);
        const offset = origin[1] * pitch + origin[0] * texelBytes;
        const fields = { width, height, columns, blocks: columns * rows, offset, pitch, channelType };
        return { pipeline: this.#load, words: filled(this.#data.load.params, fields), resource: { buffer } };
    }

    /** Frees the memory, after the commands that use it. */
    dispose(): void {
        this.#level.buffer.destroy();
        this.#table?.destroy();
    }
}

/** Returns the number of mip levels of a texture that ends with 1×1. */
export function fullMipCount([width, height]: Pair): number {
    return 32 - Math.clz32(Math.max(width, height));
}

/** Returns the length of a side in the next mip level. */
export function halved(side: number): number {
    return Math.max(1, side >> 1);
}

/** Sum of the weights of the texels of a side that a texel covers. */
function weightSumOf(side: number): number {
    if (side === 1) return 1;
    return side % 2 === 0 ? 2 : side;
}

/** Returns the type and size of texels. */
function texelsOf(format: string): { channelType: number; bytes: number } {
    const texels = TEXELS[format];
    if (!texels) {
        throw new BrickworkError("source", `mip levels of a source texture of ${format} are not supported`);
    }
    return texels;
}

/** Copies a texture to a buffer. */
function copied(device: GPUDevice, texture: GPUTexture): Level {
    const { width, height, format } = texture;
    const { bytes: texelBytes, channelType } = texelsOf(format);
    const pitch = Math.ceil((width * texelBytes) / 256) * 256;
    const limit = maxBinding(device);
    if (pitch * height > limit) {
        const needed = `mip levels of ${width}×${height} texels need a buffer of ${pitch * height} bytes`;
        throw new BrickworkError("limit", `${needed}; the device's limit is ${limit}`);
    }
    const buffer = device.createBuffer({
        label: "mip level 0",
        size: pitch * height,
        usage: BufferUsage.STORAGE | BufferUsage.COPY_DST,
    });
    const encoder = device.createCommandEncoder();
    encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: pitch }, [width, height]);
    device.queue.submit([encoder.finish()]);
    return { buffer, size: [width, height], pitch, channelType, texelBytes };
}
