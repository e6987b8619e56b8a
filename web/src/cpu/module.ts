// The WebAssembly module: crates/wasm explains its functions.

import { type ModuleExports, ModuleInstance } from "../wasm/instance.js";
import type { EncodeNumbers } from "./jobs.js";

interface Exports extends ModuleExports {
    brickwork_encode(
        format: number,
        quality: number,
        flags: number,
        mipLevels: number,
        width: number,
        height: number,
    ): number;
    brickwork_decode(format: number, channels: number, width: number, height: number): number;
}

/** An instance of the module. After an error with the code `cpu` it must be discarded. */
export class CpuModule {
    readonly #instance: ModuleInstance<Exports>;

    private constructor(instance: ModuleInstance<Exports>) {
        this.#instance = instance;
    }

    /** Returns an instance. */
    static async create(module: WebAssembly.Module): Promise<CpuModule> {
        return new CpuModule(await ModuleInstance.create<Exports>(module, "the encoder"));
    }

    /**
     * Returns the blocks of all mip levels, the largest first.
     *
     * @param channels Flag of the type of the texels.
     * @throws {BrickworkError} `option`, `limit` or `cpu`.
     */
    encode(numbers: EncodeNumbers, channels: number, texels: Uint8Array): Uint8Array<ArrayBuffer> {
        const { format, quality, flags, mipLevels, width, height } = numbers;
        return this.#instance.run(texels, (exports) =>
            exports.brickwork_encode(format, quality, flags | channels, mipLevels, width, height),
        );
    }

    /** Returns RGBA texels. Throws as {@link encode}. */
    decode(
        format: number,
        channels: number,
        width: number,
        height: number,
        blocks: Uint8Array,
    ): Uint8Array<ArrayBuffer> {
        return this.#instance.run(blocks, (exports) =>
            exports.brickwork_decode(format, channels, width, height),
        );
    }
}
