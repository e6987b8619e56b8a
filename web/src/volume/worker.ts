// The worker: fetches byte ranges, and calls the module. One call after the other.

import { BrickworkError } from "../errors.js";
import { ByteSource, requestedBytes } from "./bytes.js";
import type { LoadStage, LookFacts, PartFacts, ReadFacts, VolumeFacts } from "./facts.js";
import {
    type Bytes,
    type CallName,
    type Calls,
    InputKind,
    type Progress as ProgressParts,
    type Reply,
    type Request,
    type ViewFacts,
} from "./jobs.js";
import { type Range, VolumeModule } from "./module.js";

/** Bytes of the file that are kept, in case rays or slices need them again. */
const MOST_KEPT = 256 << 20;

/** Milliseconds between two messages about progress. */
const MIN_INTERVAL = 40;

/** The worker's global scope. */
interface Scope {
    onmessage: ((event: { readonly data: Request }) => void) | null;
    postMessage(message: Reply, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as Scope;

/** Calls that are not finished. */
const aborts = new Map<number, AbortController>();
let instance: Promise<VolumeModule> | undefined;
let source: ByteSource | undefined;
/** Bytes that the module has. */
let supplied = 0;
let last: Promise<void> = Promise.resolve();

type Progress = (...progress: ProgressParts) => void;
type Handlers = {
    [Name in CallName]: (
        module: VolumeModule,
        args: Calls[Name]["args"],
        signal: AbortSignal,
        progress: Progress,
    ) => Promise<Calls[Name]["result"]> | Calls[Name]["result"];
};

const handlers: Handlers = {
    async open(module, { source: from, maxWholeBytes }, signal) {
        // (The second call has it already.)
        source ??= await ByteSource.open(from, maxWholeBytes, signal);
        const { byteCount, start } = source;
        if (module.format(start) === "bwv") {
            module.open(byteCount);
            module.supply(0, start);
            // The end of a file usually has the whole index.
            const { end } = source;
            if (module.needed().length > 0 && end[0] < end[1]) await supply(module, () => [end], signal);
            while (module.needed().length > 0) await supply(module, () => module.needed(), signal);
        } else {
            if (byteCount > maxWholeBytes) {
                const size = `the file takes ${byteCount} bytes; only .bwv files are read in parts`;
                throw new BrickworkError("limit", `${size}, others up to ${maxWholeBytes}`);
            }
            if (!module.isFull) return null;
            const whole = new Uint8Array(byteCount);
            whole.set(start);
            await source.read([[start.length, byteCount]], signal, ({ offset, bytes }) =>
                whole.set(bytes, offset),
            );
            module.openWhole(whole);
        }
        return module.facts() as VolumeFacts;
    },
    describe(module, description) {
        module.describe(description);
        return module.facts() as VolumeFacts;
    },
    supplyVoxels(module, voxels) {
        module.supplyVoxels(voxels);
        return {};
    },
    sliceRegion: (module, options) => module.sliceRegion(options),
    pageBoxes: (module, pages) => module.pageBoxes(pages),
    supplyPage(module, { page, voxels }) {
        module.supplyPage(page, voxels);
        return {};
    },
    async load(module, part, signal, progress) {
        await supply(module, () => module.missing(part), signal, progress);
        const facts = module.load(part, throttled(progress)) as PartFacts;
        dropBytes(module);
        return facts;
    },
    look: (module, options) => module.look(options) as LookFacts,
    view(module, options) {
        const facts = module.view(options) as ViewFacts;
        return { facts, params: module.input(InputKind.params, 0) };
    },
    input: (module, { kind, number }) => module.input(kind, number),
    assign: (module, bits) => module.assign(bits),
    emptySlots(module) {
        module.emptySlots();
        return {};
    },
    async fetchPages(module, { pages, maxBytes }, signal) {
        const missing = (count: number) => module.missingPages(new Uint32Array(pages.slice(0, count)));
        let count = pages.length;
        while (count > 1 && requestedBytes(missing(count)) > maxBytes) count = Math.ceil(count / 2);
        await supply(module, () => missing(count), signal);
        return { count };
    },
    render(module, options) {
        module.view(options);
        return module.render();
    },
    async slice(module, options, signal, progress) {
        if (options.level === undefined) return module.slice(options);
        // The chunks of a slice are kept, for its neighbours.
        if (module.missingSlice(options).length > 0) {
            dropBytes(module);
            await supply(module, () => module.missingSlice(options), signal, progress);
        }
        return module.fileSlice(options);
    },
    async read(module, options, signal, progress) {
        await supply(module, () => module.missing(options), signal, progress);
        const voxels = module.read(options);
        dropBytes(module);
        return voxels;
    },
};

scope.onmessage = ({ data }) => {
    if ("module" in data) {
        instance = VolumeModule.create(data.module);
        instance.catch(() => {});
    } else if ("abort" in data) {
        aborts.get(data.id)?.abort();
    } else {
        aborts.set(data.id, new AbortController());
        last = last.then(() => run(data.id, data.name, data.args));
    }
};

async function run(id: number, name: CallName, args: unknown): Promise<void> {
    const { signal } = aborts.get(id) ?? new AbortController();
    try {
        signal.throwIfAborted();
        const module = await instance;
        if (!module) throw new Error("there is no module");
        const handler = handlers[name] as (
            module: VolumeModule,
            args: unknown,
            signal: AbortSignal,
            progress: Progress,
        ) => unknown;
        const progress: Progress = (...progress) => scope.postMessage({ id, progress });
        const result = await handler(module, args, signal, progress);
        scope.postMessage({ id, result, facts: readFacts() }, transferables(result));
    } catch (error) {
        // (The page has rejected an aborted call.)
        if (signal.aborted) return;
        const code = error instanceof BrickworkError ? error.code : "cpu";
        const message = error instanceof Error ? error.message : String(error);
        scope.postMessage({ id, error: { code, message } });
    } finally {
        aborts.delete(id);
    }
}

/**
 * Fetches ranges and hands them to the module. Drops what it has if both would be too much, such as the bytes
 * of calls that were aborted.
 */
async function supply(
    module: VolumeModule,
    missing: () => readonly Range[],
    signal: AbortSignal,
    progress?: Progress,
): Promise<void> {
    let ranges = missing();
    const needed = requestedBytes(ranges);
    if (needed > 0 && supplied + needed > MOST_KEPT) {
        dropBytes(module);
        ranges = missing();
    }
    await source?.read(ranges, signal, ({ offset, bytes }, done, total) => {
        module.supply(offset, bytes);
        supplied += bytes.length;
        progress?.(done, total, "reading");
    });
}

/** Returns a function that passes on its first call, the end of each stage, and calls not soon after another one. */
function throttled(progress: Progress): (done: number, total: number, stage: string) => void {
    let last = -Infinity;
    return (done, total, stage) => {
        const now = performance.now();
        if (done < total && now - last < MIN_INTERVAL) return;
        last = now;
        progress(done, total, stage as LoadStage);
    };
}

function dropBytes(module: VolumeModule): void {
    module.dropBytes();
    supplied = 0;
}

function readFacts(): ReadFacts {
    return source?.facts ?? { requests: 0, bytes: 0, isWhole: false };
}

function transferables(result: unknown): Transferable[] {
    const all = result instanceof Uint8Array ? [result] : Object.values(result ?? {});
    return all.filter((value): value is Bytes => value instanceof Uint8Array).map((bytes) => bytes.buffer);
}
