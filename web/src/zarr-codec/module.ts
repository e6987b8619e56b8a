// The WebAssembly module, in browsers, workers and Node.js.

import { BrickworkError } from "../errors.js";
import { ChunkModule, type ChunkExports } from "../zarr/brickwork.js";
import { reasonOf } from "../zarr/fault.js";

/** The module `brickwork-chunk.wasm`: its URL, its bytes, or itself. */
export type ModuleSource = string | URL | BufferSource | WebAssembly.Module;

export interface Exports extends ChunkExports {
    brickwork_chunk_suffix(): number;
    brickwork_chunk_ranges(): number;
    brickwork_chunk_region(): number;
}

let own: ChunkModule<Exports> | undefined;

/** Returns the module of a source; without one, that of the package, which is loaded once. */
export function moduleOf(source: ModuleSource | undefined): ChunkModule<Exports> {
    if (source !== undefined) return new ChunkModule(() => load(source));
    // (Bundlers find the file by this expression.)
    return (own ??= new ChunkModule(() => load(() => new URL("./brickwork-chunk.wasm", import.meta.url))));
}

async function load(source: ModuleSource | (() => URL)): Promise<WebAssembly.Module> {
    try {
        if (source instanceof WebAssembly.Module) return source;
        const isUrl = typeof source === "string" || source instanceof URL || typeof source === "function";
        if (!isUrl) return await WebAssembly.compile(source);
        return await WebAssembly.compile(await fetched(typeof source === "function" ? source() : source));
    } catch (cause) {
        throw new BrickworkError("cpu", `the decoder of chunks cannot be loaded: ${reasonOf(cause)}`, {
            cause,
        });
    }
}

async function fetched(source: string | URL): Promise<BufferSource> {
    const page = (globalThis as { location?: { href?: string } }).location?.href;
    const url = new URL(source, page);
    const { process } = globalThis as { process?: { versions?: { node?: string } } };
    if (url.protocol === "file:" && process?.versions?.node) {
        // (Node.js fetches no files. A name that is not a literal is left alone by bundlers.)
        const name = "node:fs/promises";
        const files = (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as {
            readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
        };
        return files.readFile(url);
    }
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} has status ${response.status}`);
    return response.arrayBuffer();
}
