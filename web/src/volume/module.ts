// The WebAssembly modules: crates/wasm-volume explains their functions.

import { BrickworkError } from "../errors.js";
import { type ModuleExports, ModuleInstance } from "../wasm/instance.js";
import type { Bytes } from "./jobs.js";

interface Exports extends ModuleExports {
    brickwork_format(): number;
    brickwork_open(byteCount: number): number;
    /** Of the full module. */
    brickwork_open_whole?(): number;
    brickwork_describe(): number;
    brickwork_supply_voxels(): number;
    brickwork_slice_region(): number;
    brickwork_page_boxes(): number;
    brickwork_supply_page(number: number): number;
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
    brickwork_missing_pages(): number;
    /** Of the full module. */
    brickwork_render?(): number;
    brickwork_slice(): number;
    brickwork_missing_slice(): number;
    brickwork_file_slice(): number;
}

/** What the module calls. */
interface Calls {
    progress?: ((done: number, total: number, stage: string) => void) | undefined;
}

/** Start and end of bytes. */
export type Range = readonly [number, number];

const NOTHING: Bytes = new Uint8Array(0);

/** An instance of the module. After an error with the code `cpu` it must be discarded. */
export class VolumeModule {
    readonly #instance: ModuleInstance<Exports>;
    readonly #calls: Calls;

    private constructor(instance: ModuleInstance<Exports>, calls: Calls) {
        this.#instance = instance;
        this.#calls = calls;
    }

    /** Returns an instance. */
    static async create(module: WebAssembly.Module): Promise<VolumeModule> {
        const calls: Calls = {};
        const progress = (name: number, length: number, done: number, total: number) =>
            calls.progress?.(done, total, instance.text(name, length));
        const imports = { brickwork: { progress } };
        const instance = await ModuleInstance.create<Exports>(module, "the reader of volumes", imports);
        return new VolumeModule(instance, calls);
    }

    /** True if the module reads other formats than `.bwv`, and renders. */
    get isFull(): boolean {
        return this.#instance.has("brickwork_open_whole");
    }

    /** Returns the format of a file with these first bytes, or an empty text if the module does not read it. */
    format(start: Bytes): string {
        return new TextDecoder().decode(this.#instance.run(start, (exports) => exports.brickwork_format()));
    }

    /** Starts a `.bwv` file of this size. */
    open(byteCount: number): void {
        this.#instance.run(NOTHING, (exports) => exports.brickwork_open(byteCount));
    }

    /** Opens a file of another format, if the module is the full one. */
    openWhole(bytes: Bytes): void {
        this.#instance.run(bytes, (exports) => called(exports.brickwork_open_whole));
    }

    /** Opens a volume whose voxels are supplied. */
    describe(description: object): void {
        this.#instance.run(json(description), (exports) => exports.brickwork_describe());
    }

    /** Supplies the voxels of the next part. */
    supplyVoxels(voxels: Bytes): void {
        this.#instance.run(voxels, (exports) => exports.brickwork_supply_voxels());
    }

    /** Returns the region of a slice. */
    sliceRegion(options: object): number[] {
        return ranges(
            this.#instance.run(json(options), (exports) => exports.brickwork_slice_region()),
        ).flat();
    }

    /** Returns the boxes of pages. */
    pageBoxes(pages: readonly number[]): number[] {
        const bytes = new Uint8Array(Uint32Array.from(pages).buffer);
        return ranges(this.#instance.run(bytes, (exports) => exports.brickwork_page_boxes())).flat();
    }

    /** Supplies the voxels of a page. */
    supplyPage(page: number, voxels: Bytes): void {
        this.#instance.run(voxels, (exports) => exports.brickwork_supply_page(page));
    }

    /** Returns the bytes to be supplied before the file is open. If there are none, it is open. */
    needed(): Range[] {
        return ranges(this.#instance.run(NOTHING, (exports) => exports.brickwork_needed()));
    }

    supply(offset: number, bytes: Bytes): void {
        this.#instance.run(bytes, (exports) => exports.brickwork_supply(offset));
    }

    facts(): unknown {
        return parsed(this.#instance.run(NOTHING, (exports) => exports.brickwork_facts()));
    }

    /** Returns the bytes to be supplied before a part is loaded or read. */
    missing(part: object): Range[] {
        return ranges(this.#instance.run(json(part), (exports) => exports.brickwork_missing()));
    }

    read(part: object): Bytes {
        return this.#instance.run(json(part), (exports) => exports.brickwork_read());
    }

    /** Loads a part. `progress` receives the work that is done, all work, and the stage. */
    load(part: object, progress?: (done: number, total: number, stage: string) => void): unknown {
        this.#calls.progress = progress;
        try {
            return parsed(this.#instance.run(json(part), (exports) => exports.brickwork_load()));
        } finally {
            this.#calls.progress = undefined;
        }
    }

    dropBytes(): void {
        this.#instance.run(NOTHING, (exports) => exports.brickwork_drop_bytes());
    }

    look(options: object): unknown {
        return parsed(this.#instance.run(json(options), (exports) => exports.brickwork_look()));
    }

    view(options: object): unknown {
        return parsed(this.#instance.run(json(options), (exports) => exports.brickwork_view()));
    }

    input(kind: number, number: number): Bytes {
        return this.#instance.run(NOTHING, (exports) => exports.brickwork_buffer(kind, number));
    }

    assign(bits: Bytes): Bytes {
        return this.#instance.run(bits, (exports) => exports.brickwork_assign());
    }

    /** Forgets the pages in slots: none is loaded any more. */
    emptySlots(): void {
        this.#instance.run(NOTHING, (exports) => exports.brickwork_empty_slots());
    }

    /** Returns the bytes to be supplied before pages of a part on demand are inputs. */
    missingPages(pages: Uint32Array): Range[] {
        const bytes = new Uint8Array(pages.buffer, pages.byteOffset, pages.byteLength);
        return ranges(this.#instance.run(bytes, (exports) => exports.brickwork_missing_pages()));
    }

    /** Renders on the CPU, if the module is the full one. */
    render(): Bytes {
        return this.#instance.run(NOTHING, (exports) => called(exports.brickwork_render));
    }

    /** Returns a slice of the loaded part. */
    slice(options: object): Bytes {
        return this.#instance.run(json(options), (exports) => exports.brickwork_slice());
    }

    /** Returns the bytes to be supplied before a slice of the file is read. */
    missingSlice(options: object): Range[] {
        return ranges(this.#instance.run(json(options), (exports) => exports.brickwork_missing_slice()));
    }

    /** Returns a slice of a mip level of the file. */
    fileSlice(options: object): Bytes {
        return this.#instance.run(json(options), (exports) => exports.brickwork_file_slice());
    }
}

function called(full: (() => number) | undefined): number {
    if (!full) throw new Error("only the full module has this function");
    return full();
}

/** Returns options as JSON, which has no numbers such as NaN: they would become null, that is, the default. */
function json(options: object): Bytes {
    for (const [name, value] of Object.entries(options) as [string, unknown][]) {
        // (Points of transfer functions are lists of lists.)
        for (const part of [value].flat(2)) {
            if (typeof part === "number" && !Number.isFinite(part)) {
                throw new BrickworkError("option", `${name}: ${part} is not a finite number`);
            }
        }
    }
    return new TextEncoder().encode(JSON.stringify(options));
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
