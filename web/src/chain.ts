// A chain of kernels on a device: an interpreter of the generated data.

import type { Bind, ChainData, FormatData, StepData, WorkData } from "./data.js";
import type { Pair } from "./areas.js";
import { type Dispatch, filledBuffer } from "./dispatches.js";
import { blockCounts } from "./formats.js";
import type { Pipeline, Pipelines } from "./pipelines.js";
import { BufferUsage } from "./usage.js";
import { wordsOf, filled } from "./words.js";

/** Source of a region's texels: a kernel that loads them. */
export interface Load {
    readonly pipeline: Pipeline;
    readonly words: Uint32Array;
    readonly resource: GPUBindingResource;
}

/** Target of blocks. Positions are in blocks. */
export interface BlockBuffer {
    readonly buffer: GPUBuffer;
    /** Position of the first block. */
    readonly first: number;
    /** Distance between rows of blocks. */
    readonly pitch: number;
}

/** Buffers between kernels. */
interface Scratch {
    readonly blocks: number;
    readonly texels: GPUBuffer;
    readonly between: readonly GPUBuffer[];
}

/** A step with its compiled kernel, which is missing while no dispatch has needed it. */
interface CompiledStep {
    readonly data: StepData;
    pipeline: Pipeline | undefined;
}

export class Chain {
    /** Bytes per block of the largest buffer between kernels. */
    readonly bytesPerBlock: number;
    readonly data: ChainData;
    /** Form in which the kernels take texels. */
    readonly texels: "rgba8unorm" | "rgba16float";
    readonly #device: GPUDevice;
    readonly #pipelines: Pipelines;
    readonly #format: FormatData;
    readonly #steps: readonly CompiledStep[];
    readonly #tables: readonly GPUBuffer[];
    readonly #texelBytes: number;
    #load: Pipeline | undefined;
    #scratch: Scratch | undefined;

    constructor(
        device: GPUDevice,
        pipelines: Pipelines,
        format: FormatData,
        chain: ChainData,
        blockBytes: number,
    ) {
        this.data = chain;
        this.texels = format.load.texels;
        this.#device = device;
        this.#pipelines = pipelines;
        this.#format = format;
        this.#steps = chain.steps.map((data) => ({ data, pipeline: undefined }));
        this.#tables = format.tables.map((table) => {
            const words = wordsOf(table);
            const usage = BufferUsage.STORAGE | BufferUsage.UNIFORM;
            return filledBuffer(device, "table", usage, words.byteLength, (memory) => memory.set(words));
        });
        this.#texelBytes = 16 * (format.load.texels === "rgba8unorm" ? 4 : 8);
        this.bytesPerBlock = Math.max(this.#texelBytes, blockBytes, ...chain.scratch);
    }

    /** Compiles the kernels that regions of these sizes need, in parallel. */
    async prepare(sizes: readonly Pair[], hasAlpha: boolean): Promise<void> {
        const { parts, kernels, load } = this.#format;
        const cases = new Set(sizes.map((size) => workCase(size, hasAlpha)));
        const isNeeded = (step: StepData) => [...cases].some((number) => workOf(step, number).parts > 0);
        const compile = async (step: CompiledStep) => {
            step.pipeline ??= await this.#pipelines.get(
                found(kernels[step.data.kernel]),
                parts,
                step.data.overrides,
            );
        };
        await Promise.all([
            this.#pipelines.get(load.kernel, parts).then((pipeline) => (this.#load = pipeline)),
            ...this.#steps.filter((step) => isNeeded(step.data)).map(compile),
        ]);
    }

    /** Returns the load of a rectangle of texels from a texture. */
    textureLoad(view: GPUTextureView, [originX, originY]: Pair, [width, height]: Pair): Load {
        const [columns, rows] = blockCounts([width, height]);
        const fields = { originX, originY, width, height, columns, blocks: columns * rows };
        return {
            pipeline: found(this.#load),
            words: filled(this.#format.load.params, fields),
            resource: view,
        };
    }

    /** Returns the dispatches that encode a region whose kernels are prepared. */
    dispatches(load: Load, size: Pair, hasAlpha: boolean, to: BlockBuffer): Dispatch[] {
        const [columns, rows] = blockCounts(size);
        const blocks = columns * rows;
        const scratch = this.#scratchFor(blocks);
        const number = workCase(size, hasAlpha);
        const dispatches: Dispatch[] = [
            {
                pipeline: load.pipeline,
                words: load.words,
                resources: ["params", load.resource, { buffer: scratch.texels }],
                workgroups: Math.ceil(blocks / 4),
            },
        ];
        for (const { data: step, pipeline } of this.#steps) {
            const work = workOf(step, number);
            if (work.parts === 0) continue;
            const resources = step.binds.map((bind) => this.#resource(bind, scratch, to.buffer));
            for (let firstBlock = 0; firstBlock < blocks;) {
                const endBlock = Math.min(blocks, firstBlock + step.blocksPerDispatch);
                const fields = {
                    width: size[0],
                    height: size[1],
                    columns,
                    firstBlock,
                    endBlock,
                    target: to.first,
                    pitch: to.pitch,
                };
                dispatches.push({
                    pipeline: found(pipeline),
                    words: filled(found(this.#format.params[work.params]), fields),
                    resources,
                    workgroups: Math.ceil((work.parts * (endBlock - firstBlock)) / step.partsPerWorkgroup),
                });
                firstBlock = endBlock;
            }
        }
        return dispatches;
    }

    /** Frees the memory, after the commands that use it. */
    dispose(): void {
        this.#freeScratch();
        for (const table of this.#tables) table.destroy();
    }

    #resource(bind: Bind, scratch: Scratch, blocks: GPUBuffer): GPUBindingResource | "params" {
        if (bind === "params") return bind;
        if (bind === "texels") return { buffer: scratch.texels };
        if (bind === "blocks") return { buffer: blocks };
        const [kind, place] = bind.split(":");
        const buffers = kind === "table" ? this.#tables : scratch.between;
        return { buffer: found(buffers[Number(place)]) };
    }

    /** All regions share this memory. Commands of one queue run in order. */
    #scratchFor(blocks: number): Scratch {
        if (!this.#scratch || this.#scratch.blocks < blocks) {
            // Recorded commands may still need the smaller buffers, which are therefore not destroyed.
            const buffer = (label: string, bytesPerBlock: number) =>
                this.#device.createBuffer({
                    label,
                    size: blocks * bytesPerBlock,
                    usage: BufferUsage.STORAGE,
                });
            this.#scratch = {
                blocks,
                texels: buffer("texels", this.#texelBytes),
                between: this.data.scratch.map((bytes, i) => buffer(`scratch ${i}`, bytes)),
            };
        }
        return this.#scratch;
    }

    #freeScratch(): void {
        for (const buffer of this.#scratch ? [this.#scratch.texels, ...this.#scratch.between] : [])
            buffer.destroy();
        this.#scratch = undefined;
    }
}

/** Returns the case of a region: 1 if a block is partly outside, plus 2 if texels have alpha. */
function workCase([width, height]: Pair, hasAlpha: boolean): number {
    return (width % 4 || height % 4 ? 1 : 0) + (hasAlpha ? 2 : 0);
}

function workOf(step: StepData, number: number): WorkData {
    return found(step.works[step.works.length === 1 ? 0 : number]);
}

/** Returns a value that the generated data has. */
function found<T>(value: T | undefined): T {
    if (value === undefined) throw new Error("the generated data is incomplete, or a kernel is not prepared");
    return value;
}
