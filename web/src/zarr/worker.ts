// A worker: the first one opens images and fetches their chunks; it and the others decode them.

import { Caller, type Peer } from "../calls.js";
import { BrickworkError } from "../errors.js";
import type { Bytes } from "./boxes.js";
import { ChunkModule, brickworkDecoder } from "./brickwork.js";
import { type Job, decodeBox } from "./codecs.js";
import type { CallName, Calls, Progress, Reply, Request } from "./messages.js";
import { storeOf } from "./open.js";
import { ZarrImage } from "./source.js";
import { NO_FACTS, type Store, type StoreFacts } from "./store.js";

/** The worker's global scope, or a port. */
interface Scope {
    onmessage: ((event: { readonly data: Request }) => void) | null;
    postMessage(message: Reply, transfer: Transferable[]): void;
}

const aborts = new Map<number, AbortController>();
let provide: (module: WebAssembly.Module) => void = () => {};
// (A chunk may come before the module: their messages have different ports.)
const module = new Promise<WebAssembly.Module>((resolve) => (provide = resolve));
const bricks = brickworkDecoder(new ChunkModule(() => module));
let helpers: readonly Caller<Calls, StoreFacts, Progress>[] = [];
let store: Store | undefined;
let image: ZarrImage | undefined;

type Handlers = {
    [Name in CallName]: (
        args: Calls[Name]["args"],
        signal: AbortSignal,
        progress: (done: number, total: number) => void,
    ) => Promise<Calls[Name]["result"]>;
};

const handlers: Handlers = {
    async open({ source, path }, signal) {
        store = await storeOf(source, path, signal);
        image = await ZarrImage.open(store, path, signal);
        return image.description;
    },
    read(part, signal, progress) {
        if (!image) throw new BrickworkError("option", "no image is open");
        return image.read(part, decodeAnywhere, signal, progress);
    },
    decode: (job) => decodeBox(job, bricks),
};

/** Decodes a chunk in the worker that has the least to do. */
function decodeAnywhere(job: Job, signal: AbortSignal): Promise<Bytes> {
    let [best] = helpers;
    for (const helper of helpers) if (helper.waiting < (best?.waiting ?? 0)) best = helper;
    if (!best) return decodeBox(job, bricks);
    // (A view of a part of a buffer is copied: others need the rest.)
    const isOwn = job.bytes.byteLength === job.bytes.buffer.byteLength;
    return best.call("decode", job, { signal, transfer: isOwn ? [job.bytes.buffer] : [] });
}

function serve(scope: Scope): void {
    scope.onmessage = ({ data }) => {
        if ("module" in data) provide(data.module);
        else if ("port" in data) serve(data.port as unknown as Scope);
        else if ("helpers" in data)
            helpers = data.helpers.map((port) => new Caller(port as unknown as Peer, NO_FACTS));
        else if ("abort" in data) aborts.get(data.id)?.abort();
        else void run(scope, data.id, data.name, data.args);
    };
}

async function run(scope: Scope, id: number, name: CallName, args: unknown): Promise<void> {
    const abort = new AbortController();
    aborts.set(id, abort);
    try {
        const handler = handlers[name] as (
            args: unknown,
            signal: AbortSignal,
            progress: (done: number, total: number) => void,
        ) => Promise<unknown>;
        // Chunks come faster than a page can show.
        let last = 0;
        const progress = (done: number, total: number) => {
            const now = performance.now();
            if (done < total && now - last < 30) return;
            last = now;
            scope.postMessage({ id, progress: [done, total] }, []);
        };
        const result = await handler(args, abort.signal, progress);
        const transfer = result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : [];
        scope.postMessage({ id, result, facts: { ...(store?.facts ?? NO_FACTS) } }, transfer);
    } catch (error) {
        // (The page has rejected an aborted call.)
        if (abort.signal.aborted) return;
        const code = error instanceof BrickworkError ? error.code : "cpu";
        const message = error instanceof Error ? error.message : String(error);
        scope.postMessage({ id, error: { code, message } }, []);
    } finally {
        aborts.delete(id);
    }
}

serve(globalThis as unknown as Scope);
