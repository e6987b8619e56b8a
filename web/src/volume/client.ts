// The page's side of the worker.

import { type CallOptions, Caller, type Peer } from "../calls.js";
import { BrickworkError } from "../errors.js";
import { loadModule } from "../wasm/load.js";
import type { ReadFacts } from "./facts.js";
import type { Bytes, CallName, Calls, Progress, Request } from "./jobs.js";

/** URLs of the modules. Default: the files of the package. */
export interface ModuleUrls {
    readonly wasm?: string | URL;
    readonly wasmFull?: string | URL;
}

/** A worker with an instance of a module. */
export class VolumeWorker {
    readonly #worker: Worker;
    readonly #caller: Caller<Calls, ReadFacts, Progress>;

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
        const facts = { requests: 0, bytes: 0, isWhole: false };
        this.#caller = new Caller(this.#worker as unknown as Peer, facts);
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
        return this.#caller.facts;
    }

    /** Calls the module. Rejects with the reason of the signal as soon as that aborts. */
    async call<Name extends CallName>(
        name: Name,
        args: Calls[Name]["args"],
        options: Omit<CallOptions<Progress>, "transfer"> = {},
    ): Promise<Calls[Name]["result"]> {
        if (name === "fetchPages" && this.fetchPages) {
            const pages = args as Calls["fetchPages"]["args"];
            return this.fetchPages(pages, options.signal) as Promise<Calls[Name]["result"]>;
        }
        try {
            return await this.#caller.call(name, args, { ...options, transfer: transferables(name, args) });
        } catch (error) {
            // After a trap, the instance is unusable.
            if (error instanceof BrickworkError && error.code === "cpu") this.close(error);
            throw error;
        }
    }

    /** Ends the worker. Calls that are not finished fail. */
    close(reason: unknown): void {
        this.#worker.terminate();
        this.#caller.fail(reason);
    }

    #post(message: Request): void {
        this.#worker.postMessage(message);
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
