// The page's side of the worker.

import { BrickworkError } from "../errors.js";
import { loadModule } from "../wasm/load.js";
import type { LoadStage, ReadFacts } from "./facts.js";
import type { Bytes, CallName, Calls, Reply, Request } from "./jobs.js";

type Progress = (done: number, total: number, stage: LoadStage) => void;

interface Entry {
    resolve(result: unknown): void;
    reject(reason: unknown): void;
    readonly progress: Progress | undefined;
}

export interface CallOptions {
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: Progress | undefined;
}

/** URLs of the modules. Default: the files of the package. */
export interface ModuleUrls {
    readonly wasm?: string | URL;
    readonly wasmFull?: string | URL;
}

/** A worker with an instance of a module. */
export class VolumeWorker {
    readonly #worker: Worker;
    readonly #entries = new Map<number, Entry>();
    #failure: unknown;
    #next = 0;
    #read: ReadFacts = { requests: 0, bytes: 0, isWhole: false };

    /** Replaces the call `fetchPages`, if the voxels of pages are supplied. */
    fetchPages:
        | ((args: Calls["fetchPages"]["args"], signal?: AbortSignal) => Promise<{ readonly count: number }>)
        | undefined;
    /** The module, for other workers. */
    readonly module: WebAssembly.Module;

    private constructor(module: WebAssembly.Module) {
        this.module = module;
        try {
            this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
        } catch (cause) {
            throw new BrickworkError("cpu", "the worker cannot be started", { cause });
        }
        this.#worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#receive(data);
        this.#worker.onerror = (event) => {
            event.preventDefault();
            const reason = event.message || "its code cannot be loaded";
            this.close(new BrickworkError("cpu", `the worker failed: ${reason}`));
        };
        this.#post({ module });
    }

    /** Starts a worker with the full module, or with the one that only reads `.bwv` files. */
    static async create(urls: ModuleUrls, isFull: boolean, signal?: AbortSignal): Promise<VolumeWorker> {
        return new VolumeWorker(await compiled(urls, isFull, signal));
    }

    /** Replaces the module by the full one. */
    async useFull(urls: ModuleUrls, signal?: AbortSignal): Promise<void> {
        this.#post({ module: await compiled(urls, true, signal) });
    }

    /** Requests and bytes of all calls that have succeeded. */
    get read(): ReadFacts {
        return this.#read;
    }

    /** Calls the module. Rejects with the reason of the signal as soon as that aborts. */
    async call<Name extends CallName>(
        name: Name,
        args: Calls[Name]["args"],
        { signal, onProgress }: CallOptions = {},
    ): Promise<Calls[Name]["result"]> {
        signal?.throwIfAborted();
        if (this.#failure !== undefined) throw this.#failure;
        if (name === "fetchPages" && this.fetchPages) {
            const pages = args as Calls["fetchPages"]["args"];
            return this.fetchPages(pages, signal) as Promise<Calls[Name]["result"]>;
        }
        const id = this.#next++;
        let abort: (() => void) | undefined;
        try {
            return await new Promise<Calls[Name]["result"]>((resolve, reject) => {
                this.#entries.set(id, {
                    resolve: resolve as (result: unknown) => void,
                    reject,
                    progress: onProgress,
                });
                abort = () => {
                    this.#post({ id, abort: true });
                    reject(signal?.reason);
                };
                signal?.addEventListener("abort", abort);
                this.#post({ id, name, args } as Request, transferables(name, args));
            });
        } finally {
            this.#entries.delete(id);
            if (abort) signal?.removeEventListener("abort", abort);
        }
    }

    /** Ends the worker. Calls that are not finished fail. */
    close(reason: unknown): void {
        this.#failure ??= reason;
        this.#worker.terminate();
        for (const { reject } of this.#entries.values()) reject(reason);
        this.#entries.clear();
    }

    #post(message: Request, transfer: Transferable[] = []): void {
        this.#worker.postMessage(message, transfer);
    }

    #receive(reply: Reply): void {
        const entry = this.#entries.get(reply.id);
        // (The page has rejected the call.)
        if ("aborted" in reply) return;
        if ("progress" in reply) {
            entry?.progress?.(...reply.progress);
        } else if ("result" in reply) {
            this.#read = reply.read;
            entry?.resolve(reply.result);
        } else {
            const error = new BrickworkError(reply.error.code, reply.error.message);
            entry?.reject(error);
            // After a trap, the instance is unusable.
            if (error.code === "cpu") this.close(error);
        }
    }
}

/** Returns the buffers of voxels, which the page does not need any more. */
function transferables<Name extends CallName>(name: Name, args: Calls[Name]["args"]): Transferable[] {
    if (name === "supplyVoxels") return [(args as Bytes).buffer];
    if (name === "supplyPage") return [(args as Calls["supplyPage"]["args"]).voxels.buffer];
    return [];
}

async function compiled(
    { wasm, wasmFull }: ModuleUrls,
    isFull: boolean,
    signal?: AbortSignal,
): Promise<WebAssembly.Module> {
    // Bundlers find the files by these expressions.
    const url = isFull
        ? () => wasmFull ?? new URL("./brickwork-volume-full.wasm", import.meta.url)
        : () => wasm ?? new URL("./brickwork-volume.wasm", import.meta.url);
    const module = await loadModule(url, "the reader of volumes", signal);
    signal?.throwIfAborted();
    return module;
}
