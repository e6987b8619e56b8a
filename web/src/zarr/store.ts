// Files of a Zarr hierarchy by their keys, such as `0/c/1/2/3`: those of a Blob or a folder. `http.ts` has those
// of servers, `zip.ts` those of archives.

import type { Bytes } from "./boxes.js";
import { fault, overLimit, reasonOf } from "./fault.js";

/** The last bytes of a file, and its size. */
export interface End {
    readonly bytes: Bytes;
    readonly byteCount: number;
}

/** How a hierarchy was read. */
export interface StoreFacts {
    requests: number;
    bytes: number;
    /** Requests that the server answered with status 404 or 410. */
    missing: number;
    /** Requests that it refused by status 403, which usually counts as missing. */
    refused: number;
}

/** Facts before anything was read. */
export const NO_FACTS: StoreFacts = { requests: 0, bytes: 0, missing: 0, refused: 0 };

/** Files by their keys. Missing ones are undefined. */
export interface Store {
    readonly facts: StoreFacts;
    /** Returns a whole file of at most `most` bytes. */
    get(key: string, most: number, signal: AbortSignal): Promise<Bytes | undefined>;
    /** Returns the bytes from `start` to `end`, all of which the file must have. */
    getRange(key: string, start: number, end: number, signal: AbortSignal): Promise<Bytes | undefined>;
    /** Returns the last bytes, `count` of them or all. */
    getEnd(key: string, count: number, signal: AbortSignal): Promise<End | undefined>;
    /** True if a server refuses a file, which is not read. Caches do not answer. */
    refuses?(key: string, signal: AbortSignal): Promise<boolean>;
    /** Returns the keys of all files, if they are known. */
    keys?(): Iterable<string>;
}

/** A folder as browsers return it: the part of `FileSystemDirectoryHandle` that is needed. */
export interface FolderHandle {
    readonly kind: "directory";
    getDirectoryHandle(name: string): Promise<FolderHandle>;
    getFileHandle(name: string): Promise<{ getFile(): Promise<Blob> }>;
}

/** Files that are Blobs. */
export class BlobStore implements Store {
    readonly facts: StoreFacts = { requests: 0, bytes: 0, missing: 0, refused: 0 };
    readonly #find: (key: string) => Blob | undefined | Promise<Blob | undefined>;
    readonly keys?: () => Iterable<string>;

    private constructor(find: (key: string) => Blob | undefined | Promise<Blob | undefined>) {
        this.#find = find;
    }

    /** Returns a store whose only file has the key "". */
    static ofFile(file: Blob): BlobStore {
        return new BlobStore((key) => (key === "" ? file : undefined));
    }

    /** Returns the store of a folder's files by their paths. */
    static ofFiles(files: ReadonlyMap<string, Blob>): BlobStore {
        const store = new BlobStore((key) => files.get(key));
        return Object.assign(store, { keys: () => files.keys() });
    }

    /** Returns the store of a folder that the user has picked. */
    static ofFolder(root: FolderHandle): BlobStore {
        const folders = new Map<string, Promise<FolderHandle | undefined>>([["", Promise.resolve(root)]]);
        const folderOf = (path: string): Promise<FolderHandle | undefined> => {
            const known = folders.get(path);
            if (known) return known;
            const cut = path.lastIndexOf("/");
            const found = folderOf(path.slice(0, Math.max(0, cut))).then((parent) =>
                present(parent?.getDirectoryHandle(path.slice(cut + 1))),
            );
            folders.set(path, found);
            return found;
        };
        return new BlobStore(async (key) => {
            const cut = key.lastIndexOf("/");
            const folder = await folderOf(key.slice(0, Math.max(0, cut)));
            return (await present(folder?.getFileHandle(key.slice(cut + 1))))?.getFile();
        });
    }

    async get(key: string, most: number, signal: AbortSignal): Promise<Bytes | undefined> {
        const file = await this.#find(key);
        signal.throwIfAborted();
        if (!file) return undefined;
        if (file.size > most) throw overLimit(key, `it takes ${file.size} bytes; the limit is ${most}`);
        return this.#read(key, file, 0, file.size);
    }

    async getRange(key: string, start: number, end: number, signal: AbortSignal): Promise<Bytes | undefined> {
        const file = await this.#find(key);
        signal.throwIfAborted();
        if (!file) return undefined;
        if (end > file.size) throw fault(key, `it has ${file.size} bytes, not ${end}: it was cut short`);
        return this.#read(key, file, start, end);
    }

    async getEnd(key: string, count: number, signal: AbortSignal): Promise<End | undefined> {
        const file = await this.#find(key);
        signal.throwIfAborted();
        if (!file) return undefined;
        const bytes = await this.#read(key, file, Math.max(0, file.size - count), file.size);
        return { bytes, byteCount: file.size };
    }

    async #read(key: string, file: Blob, start: number, end: number): Promise<Bytes> {
        try {
            const bytes = new Uint8Array(await file.slice(start, end).arrayBuffer());
            this.facts.requests += 1;
            this.facts.bytes += bytes.length;
            return bytes;
        } catch (cause) {
            throw fault(key, `it cannot be read: ${reasonOf(cause)}`, cause);
        }
    }
}

/** The files of a folder inside a store. */
export class SubStore implements Store {
    readonly #store: Store;
    readonly #prefix: string;

    constructor(store: Store, prefix: string) {
        this.#store = store;
        this.#prefix = prefix;
    }

    get facts(): StoreFacts {
        return this.#store.facts;
    }

    get(key: string, most: number, signal: AbortSignal): Promise<Bytes | undefined> {
        return this.#store.get(this.#prefix + key, most, signal);
    }

    getRange(key: string, start: number, end: number, signal: AbortSignal): Promise<Bytes | undefined> {
        return this.#store.getRange(this.#prefix + key, start, end, signal);
    }

    getEnd(key: string, count: number, signal: AbortSignal): Promise<End | undefined> {
        return this.#store.getEnd(this.#prefix + key, count, signal);
    }

    *keys(): Iterable<string> {
        for (const key of this.#store.keys?.() ?? []) {
            if (key.startsWith(this.#prefix)) yield key.slice(this.#prefix.length);
        }
    }
}

/** Files that a store keeps: the latest one, and others up to a number of bytes. */
export class KeptFiles {
    readonly #most: number;
    readonly #files = new Map<string, Bytes>();
    #bytes = 0;

    constructor(most: number) {
        this.#most = most;
    }

    get(key: string): Bytes | undefined {
        const bytes = this.#files.get(key);
        if (!bytes) return undefined;
        this.#files.delete(key);
        this.#files.set(key, bytes);
        return bytes;
    }

    set(key: string, bytes: Bytes): void {
        this.#delete(key);
        this.#files.set(key, bytes);
        this.#bytes += bytes.length;
        for (const oldest of this.#files.keys()) {
            if (this.#bytes <= this.#most || oldest === key) break;
            this.#delete(oldest);
        }
    }

    #delete(key: string): void {
        this.#bytes -= this.#files.get(key)?.length ?? 0;
        this.#files.delete(key);
    }
}

/** Files of metadata. */
const METADATA = /^((?:.*\/)?)(?:zarr\.json|\.zattrs|\.zarray|\.zgroup)$/s;

/**
 * Returns the store of a hierarchy in a picked folder or an archive: the store itself, or the folder with
 * metadata at the least depth, of which there must be one. If `path` has metadata, it is a path in the store.
 */
export function rooted(store: Store, path: string): Store {
    const roots = new Set<string>();
    let least = Infinity;
    for (const key of store.keys?.() ?? []) {
        const prefix = METADATA.exec(key)?.[1];
        if (prefix === undefined) continue;
        if (path !== "" && prefix === `${path}/`) return store;
        const depth = prefix.split("/").length;
        if (depth > least) continue;
        if (depth < least) roots.clear();
        least = depth;
        roots.add(prefix);
    }
    const [root = "", ...others] = roots;
    if (others.length > 0) {
        const names = [...roots].slice(0, 8).map((name) => name.replace(/\/$/, ""));
        throw fault("", `has several hierarchies of Zarr: ${names.join(", ")}. Open one of them by its path`);
    }
    return root === "" ? store : new SubStore(store, root);
}

/** Returns what a promise of a handle gives; undefined if there is no such file or folder. */
async function present<T>(handle: Promise<T> | undefined): Promise<T | undefined> {
    try {
        return await handle;
    } catch (error) {
        const name = error instanceof Error ? error.name : "";
        if (name === "NotFoundError" || name === "TypeMismatchError" || name === "TypeError")
            return undefined;
        throw error;
    }
}
