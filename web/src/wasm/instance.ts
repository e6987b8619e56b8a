// Calls of the package's WebAssembly modules: crates/wasm and crates/wasm-volume.

import { BrickworkError, type ErrorCode } from "../errors.js";

/** Functions that every module exports. */
export interface ModuleExports {
    readonly memory: WebAssembly.Memory;
    brickwork_input(byteCount: number): number;
    brickwork_output(): number;
    brickwork_output_length(): number;
    brickwork_free(): void;
}

/** Code of each status but 0. */
const CODES: readonly ErrorCode[] = ["cpu", "option", "limit", "cpu", "source"];

/** An instance of a module. After an error with the code `cpu` it must be discarded. */
export class ModuleInstance<Exports extends ModuleExports> {
    readonly #exports: Exports;
    readonly #name: string;

    private constructor(exports: Exports, name: string) {
        this.#exports = exports;
        this.#name = name;
    }

    /** Returns an instance. Errors call it `name`. */
    static async create<Exports extends ModuleExports>(
        module: WebAssembly.Module,
        name: string,
        imports: WebAssembly.Imports = {},
    ): Promise<ModuleInstance<Exports>> {
        const instance = await WebAssembly.instantiate(module, imports);
        return new ModuleInstance(instance.exports as unknown as Exports, name);
    }

    /** Returns true if the module has this function. */
    has(name: keyof Exports): boolean {
        return this.#exports[name] !== undefined;
    }

    /** Returns the text in UTF-8 at an address of the module's memory. */
    text(address: number, length: number): string {
        const bytes = new Uint8Array(this.#exports.memory.buffer, address >>> 0, length >>> 0);
        return new TextDecoder().decode(bytes);
    }

    /**
     * Copies the input to the module, calls a function that returns a status, and returns its output.
     *
     * @throws {BrickworkError} `option`, `limit`, `source` or `cpu`.
     */
    run(input: Uint8Array, call: (exports: Exports) => number): Uint8Array<ArrayBuffer> {
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
            const start = exports.brickwork_output() >>> 0;
            const length = exports.brickwork_output_length() >>> 0;
            const output = new Uint8Array(exports.memory.buffer, start, length).slice();
            exports.brickwork_free();
            if (status === 0) return output;
            throw new BrickworkError(CODES[status] ?? "cpu", new TextDecoder().decode(output));
        } catch (cause) {
            if (cause instanceof BrickworkError) throw cause;
            const reason = cause instanceof Error ? cause.message : String(cause);
            throw new BrickworkError("cpu", `${this.#name} stopped: ${reason}`, { cause });
        }
    }
}
