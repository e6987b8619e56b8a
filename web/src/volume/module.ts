// The WebAssembly module: crates/wasm-volume explains its functions.

import { BrickworkError, type ErrorCode } from "../errors.js";
import type { Bytes } from "./jobs.js";

interface Exports {
    readonly memory: WebAssembly.Memory;
    brickwork_input(byteCount: number): number;
    brickwork_output(): number;
    brickwork_output_length(): number;
    brickwork_free(): void;
    brickwork_format(): number;
    brickwork_open(byteCount: number): number;
    brickwork_open_whole(): number;
    brickwork_needed(): number;
    brickwork_supply(offset: number): number;
    brickwork_facts(): number;
    brickwork_missing(): number;
    brickwork_read(): number;
    brickwork_load(): number;
    brickwork_drop_bytes(): number;
    brickwork_look(): number;
    brickwork_view(): number;
    brickwork_buffer(kind: number, number: number): number;
    brickwork_assign(): number;
    brickwork_empty_slots(): number;
    brickwork_render(): number;
    brickwork_slice(): number;
}

/** Start and end of bytes. */
export type Range = readonly [number, number];

/** Code of each status but 0. */
const CODES: readonly ErrorCode[] = ["cpu", "option", "limit", "cpu", "source"];

const NOTHING: Bytes = new Uint8Array(0);

/** An instance of the module. After an error with the code `cpu` it must be discarded. */
export class VolumeModule {
    readonly #exports: Exports;

    private constructor(exports: Exports) {
        this.#exports = exports;
    }

    /** Returns an instance. */
    static async create(module: WebAssembly.Module): Promise<VolumeModule> {
        const instance = await WebAssembly.instantiate(module, {});
        return new VolumeModule(instance.exports as unknown as Exports);
    }

    /** Returns the name of the format that a file's first bytes have, or an empty text. */
    format(start: Bytes): string {
        return new TextDecoder().decode(this.#run(start, (exports) => exports.brickwork_format()));
    }

    /** Starts a `.bwv` file of this size. */
    open(byteCount: number): void {
        this.#run(NOTHING, (exports) => exports.brickwork_open(byteCount));
    }

    /** Opens a file of another format. */
    openWhole(bytes: Bytes): void {
        this.#run(bytes, (exports) => exports.brickwork_open_whole());
    }

    /** Returns the bytes to be supplied before the file is open. If there are none, it is open. */
    needed(): Range[] {
        return ranges(this.#run(NOTHING, (exports) => exports.brickwork_needed()));
    }

    supply(offset: number, bytes: Bytes): void {
        this.#run(bytes, (exports) => exports.brickwork_supply(offset));
    }

    facts(): unknown {
        return parsed(this.#run(NOTHING, (exports) => exports.brickwork_facts()));
    }

    /** Returns the bytes to be supplied before a part is loaded or read. */
    missing(part: object): Range[] {
        return ranges(this.#run(json(part), (exports) => exports.brickwork_missing()));
    }

    read(part: object): Bytes {
        return this.#run(json(part), (exports) => exports.brickwork_read());
    }

    load(part: object): unknown {
        return parsed(this.#run(json(part), (exports) => exports.brickwork_load()));
    }

    dropBytes(): void {
        this.#run(NOTHING, (exports) => exports.brickwork_drop_bytes());
    }

    look(options: object): unknown {
        return parsed(this.#run(json(options), (exports) => exports.brickwork_look()));
    }

    view(options: object): unknown {
        return parsed(this.#run(json(options), (exports) => exports.brickwork_view()));
    }

    input(kind: number, number: number): Bytes {
        return this.#run(NOTHING, (exports) => exports.brickwork_buffer(kind, number));
    }

    assign(bits: Bytes): Bytes {
        return this.#run(bits, (exports) => exports.brickwork_assign());
    }

    /** Forgets the pages in slots: none is loaded any more. */
    emptySlots(): void {
        this.#run(NOTHING, (exports) => exports.brickwork_empty_slots());
    }

    render(): Bytes {
        return this.#run(NOTHING, (exports) => exports.brickwork_render());
    }

    slice(options: object): Bytes {
        return this.#run(json(options), (exports) => exports.brickwork_slice());
    }

    #run(input: Bytes, call: (exports: Exports) => number): Bytes {
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
            if (status === 0) return output as Bytes;
            throw new BrickworkError(CODES[status] ?? "cpu", new TextDecoder().decode(output));
        } catch (cause) {
            if (cause instanceof BrickworkError) throw cause;
            const reason = cause instanceof Error ? cause.message : String(cause);
            throw new BrickworkError("cpu", `the reader of volumes stopped: ${reason}`, { cause });
        }
    }
}

function json(value: object): Bytes {
    return new TextEncoder().encode(JSON.stringify(value));
}

function parsed(bytes: Bytes): unknown {
    return JSON.parse(new TextDecoder().decode(bytes));
}

function ranges(bytes: Bytes): Range[] {
    const numbers = new Float64Array(bytes.buffer, 0, bytes.length / 8);
    const found: Range[] = [];
    for (let at = 0; at + 1 < numbers.length; at += 2) found.push([numbers[at] ?? 0, numbers[at + 1] ?? 0]);
    return found;
}
