// The decoder of the codec `brickwork`: a module of crates/wasm-volume.

import { BrickworkError } from "../errors.js";
import { type ModuleExports, ModuleInstance } from "../wasm/instance.js";
import { type Bytes, product } from "./boxes.js";
import type { NumberType } from "./types.js";

/** The memory of a module never shrinks: after larger chunks, the instance is replaced. */
const LARGE = 64 << 20;

/** Maximum number of channels, which the last of four axes counts. */
const MAX_CHANNELS = 4;

/** Functions that a module may call while it loads volumes. Decoding calls none. */
const IMPORTS = { brickwork: { progress: () => {} } };

/** Decodes a chunk: numbers, the last axis the fastest. */
export type BrickworkDecoder = (bytes: Bytes, type: NumberType, shape: readonly number[]) => Promise<Bytes>;

export interface ChunkExports extends ModuleExports {
    brickwork_decode_chunk(type: number, x: number, y: number, z: number, channels: number): number;
}

/** A module, which is loaded and instantiated with the first chunk. */
export class ChunkModule<Exports extends ChunkExports> {
    readonly #load: () => Promise<WebAssembly.Module>;
    #module: WebAssembly.Module | undefined;
    #instance: Promise<ModuleInstance<Exports>> | undefined;

    constructor(load: () => Promise<WebAssembly.Module>) {
        this.#load = load;
    }

    /**
     * Calls a function with an input, and returns its output.
     *
     * @param outputBytes Size of the output.
     */
    async run(input: Uint8Array, outputBytes: number, call: (exports: Exports) => number): Promise<Bytes> {
        const started = (this.#instance ??= this.#start());
        // (Another chunk may have started another instance.)
        const drop = () => {
            if (this.#instance === started) this.#instance = undefined;
        };
        const instance = await started.catch((error: unknown) => {
            drop();
            throw error;
        });
        try {
            return instance.run(input, call);
        } catch (error) {
            // After a trap, the instance is unusable.
            if (error instanceof BrickworkError && error.code === "cpu") drop();
            throw error;
        } finally {
            if (outputBytes > LARGE) drop();
        }
    }

    async #start(): Promise<ModuleInstance<Exports>> {
        this.#module ??= await this.#load();
        return ModuleInstance.create<Exports>(this.#module, "the decoder of chunks", IMPORTS);
    }
}

/**
 * Returns the sides of a chunk and its channels.
 *
 * @throws {BrickworkError} `source` if it has other axes than the codec.
 */
export function chunkDims(
    shape: readonly number[],
): readonly [x: number, y: number, z: number, channels: number] {
    const sides = [...shape];
    while (sides.length > 3 && sides[0] === 1) sides.shift();
    const last = sides[3] ?? 0;
    const channels = sides.length === 4 && last > 1 && last <= MAX_CHANNELS ? (sides.pop() ?? 1) : 1;
    if (sides.length > 3) {
        const axes = "z, y and x, or these and 2 to 4 channels, after axes of length 1";
        const chunks = `chunks of ${shape.join("×")}`;
        throw new BrickworkError("source", `${chunks} have other axes than the codec brickwork: ${axes}`);
    }
    const [x = 1, y = 1, z = 1] = sides.reverse();
    return [x, y, z, channels];
}

/** Returns the decoder of a module. */
export function brickworkDecoder(module: ChunkModule<ChunkExports>): BrickworkDecoder {
    return async (bytes, type, shape): Promise<Bytes> => {
        const dims = chunkDims(shape);
        return module.run(bytes, product(shape) * type.bytes, (exports) =>
            exports.brickwork_decode_chunk(type.code ?? -1, ...dims),
        );
    };
}
