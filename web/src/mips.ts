// Mip levels, with the same numbers as the native encoder. The box filter is here.

import type { Pair } from "./areas.js";
import type { Load } from "./chain.js";
import type { MipData } from "./data.js";
import { filledBuffer, recordDispatches } from "./dispatches.js";
import { BrickworkError } from "./errors.js";
import { blockCounts } from "./formats.js";
import { maxBinding } from "./limits.js";
import type { MipFilter } from "./options.js";
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
    readonly filter: MipFilter;
    /** True if texels of 8 bits are normals. */
    readonly normal: boolean;
}

/** Texels of a level in a buffer, row by row. */
export interface Level {
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
    readonly #light: Uint32Array<ArrayBuffer> | undefined;
    #table: GPUBuffer | undefined;
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
        this.#light = table && wordsOf(table);
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
        const level = copied(device, texture);
        if (options.normal && level.channelType === 0) {
            await (await import("./normals.js")).restoreZ(device, pipelines, level);
        }
        return new MipMaker(device, pipelines, data, options, load, level);
    }

    /** Makes the next level, and returns its size. */
    async next(): Promise<Pair> {
        const { filter, normal } = this.#options;
        const [device, pipelines] = [this.#device, this.#pipelines];
        let next: Level;
        if (filter === "box") {
            next = await this.#mean();
        } else {
            const { filteredLevel } = await import("./filters.js");
            next = await filteredLevel(device, pipelines, this.#level, {
                ...this.#options,
                light: this.#light,
            });
        }
        if (normal && next.channelType === 0) {
            await (await import("./normals.js")).toUnitLength(device, pipelines, next);
        }
        this.#level.buffer.destroy();
        this.#level = next;
        return next.size;
    }

    /** Makes the next level by the box filter. */
    async #mean(): Promise<Level> {
        const { size, pitch, channelType, buffer } = this.#level;
        const made = emptyLevel(this.#device, size, this.#options.texels);
        const next = made.size;
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
        const resources: (GPUBindingResource | "params")[] = ["params", { buffer }, { buffer: made.buffer }];
        const light = this.#light;
        if (light) {
            const fill = (memory: Uint32Array) => memory.set(light);
            this.#table ??= filledBuffer(this.#device, "light", BufferUsage.STORAGE, light.byteLength, fill);
            resources.push({ buffer: this.#table });
        }
        const workgroups = Math.ceil((next[0] * next[1]) / 64);
        const encoder = this.#device.createCommandEncoder();
        recordDispatches(this.#device, encoder, [{ pipeline, words, resources, workgroups }]);
        this.#device.queue.submit([encoder.finish()]);
        return made;
    }

    /** Returns the load of a rectangle of the current level's texels. */
    load(origin: Pair, [width, height]: Pair): Load {
        const { buffer, pitch, channelType, texelBytes } = this.#level;
        const [columns, rows] = blockCounts([width, height]);
        const offset = origin[1] * pitch + origin[0] * texelBytes;
        const fields = { width, height, columns, blocks: columns * rows, offset, pitch, channelType };
        return { pipeline: this.#load, words: filled(this.#data.load.params, fields), resource: { buffer } };
    }

    /** Copies the current level's texels to a level of a texture. */
    copyTo(texture: GPUTexture, mipLevel: number): void {
        const { buffer, size, pitch } = this.#level;
        const encoder = this.#device.createCommandEncoder();
        // (Copies of several rows need a pitch of 256 bytes.)
        for (let y = 0; y < size[1]; y++) {
            const to = { texture, mipLevel, origin: [0, y] };
            encoder.copyBufferToTexture({ buffer, offset: y * pitch }, to, [size[0]]);
        }
        this.#device.queue.submit([encoder.finish()]);
    }

    /** Frees the memory, after the commands that use it. */
    dispose(): void {
        this.#level.buffer.destroy();
        this.#table?.destroy();
    }
}

/** Returns the next level of one of this size, whose texels are zeros. */
export function emptyLevel(device: GPUDevice, [width, height]: Pair, texels: TexelForm): Level {
    const size: Pair = [halved(width), halved(height)];
    const { bytes: texelBytes, channelType } = texelsOf(texels);
    const pitch = size[0] * texelBytes;
    const usage = BufferUsage.STORAGE | BufferUsage.COPY_SRC;
    const buffer = device.createBuffer({ label: "mip level", size: size[1] * pitch, usage });
    return { buffer, size, pitch, channelType, texelBytes };
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
        const uses = "mip levels and normal maps";
        throw new BrickworkError("source", `${uses} of a source texture of ${format} are not supported`);
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
        usage: BufferUsage.STORAGE | BufferUsage.COPY_DST | BufferUsage.COPY_SRC,
    });
    const encoder = device.createCommandEncoder();
    encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: pitch }, [width, height]);
    device.queue.submit([encoder.finish()]);
    return { buffer, size: [width, height], pitch, channelType, texelBytes };
}
