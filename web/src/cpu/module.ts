// The WebAssembly module: crates/wasm explains its functions.

import { BrickworkError, type ErrorCode } from "../errors.js";
import type { EncodeNumbers } from "./jobs.js";

interface Exports {
    readonly memory: WebAssembly.Memory;
    brickwork_input(byteCount: number): number;
    brickwork_encode(
        format: number,
        quality: number,
        flags: number,
        mipLevels: number,
        width: number,
        height: number,
    ): number;
    brickwork_decode(format: number, width: number, height: number): number;
    brickwork_output(): number;
    brickwork_output_length(): number;
    brickwork_free(): void;
}

/** Code of each status but 0. */
const CODES: readonly ErrorCode[] = ["cpu", "option", "limit", "cpu"];

/** An instance of the module. After an error with the code `cpu` it must be discarded. */
export class CpuModule {
    readonly #exports: Exports;

    private constructor(exports: Exports) {
        this.#exports = exports;
    }

    /** Returns an instance. */
    static async create(module: WebAssembly.Module): Promise<CpuModule> {
        const instance = await WebAssembly.instantiate(module, {});
        return new CpuModule(instance.exports as unknown as Exports);
    }

    /**
     * Returns the blocks of all mip levels, the largest first.
     *
     * @param channels Flag of the type of the texels.
     * @throws {BrickworkError} `option`, `limit` or `cpu`.
     */
    encode(numbers: EncodeNumbers, channels: number, texels: Uint8Array): Uint8Array<ArrayBuffer> {
        const { format, quality, flags, mipLevels, width, height } = numbers;
        return this.#run(texels, (exports) =>
            exports.brickwork_encode(format, quality, flags | channels, mipLevels, width, height),
        );
    }

    /** Returns texels of 8-bit RGBA. Throws as {@link encode}. */
    decode(format: number, width: number, height: number, blocks: Uint8Array): Uint8Array<ArrayBuffer> {
        return this.#run(blocks, (exports) => exports.brickwork_decode(format, width, height));
    }

    #run(input: Uint8Array, call: (exports: Exports) => number): Uint8Array<ArrayBuffer> {
        const exports = this.#exports;
        try {
            // (Addresses are unsigned.)
            const address = exports.brickwork_input(input.length) >>> 0;
            if (address === 0) {
                throw new BrickworkError("limit", `${input.length} bytes exceed the module's memory`);
            }
            new Uint8Array(exports.memory.buffer, address, input.length).set(input);
            const status = call(exports);
            // The memory may have grown, which detaches earlier views.
            const [start, length] = [
                exports.brickwork_output() >>> 0,
                exports.brickwork_output_length() >>> 0,
            ];
            const output = new Uint8Array(exports.memory.buffer, start, length).slice();
            exports.brickwork_free();
            if (status === 0) return output;
            throw new BrickworkError(CODES[status] ?? "cpu", new TextDecoder().decode(output));
        } catch (cause) {
            if (cause instanceof BrickworkError) throw cause;
            const reason = cause instanceof Error ? cause.message : String(cause);
            throw new BrickworkError("cpu", `the encoder stopped: ${reason}`, { cause });
        }
    }
}
