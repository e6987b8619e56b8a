// Regions of chunks without the others' bytes: an extension of zarrita's arrays.

import { BrickworkError } from "../errors.js";
import { SharedCalls } from "../waiting.js";
import { type Bytes, filled, product, stridesOf } from "../zarr/boxes.js";
import { type ChunkModule, chunkDims } from "../zarr/brickwork.js";
import { causedFault, fault, reasonOf, shown } from "../zarr/fault.js";
import { type Json, elements, members, parseJson } from "../zarr/json.js";
import { type ArrayMeta, arrayOfVersion3 } from "../zarr/metadata.js";
import { type Chunk as StoredChunk, ChunkGrid } from "../zarr/plan.js";
import type { Range } from "../zarr/shards.js";
import { type End, KeptFiles, NO_FACTS, type Store } from "../zarr/store.js";
import { type Chunk, arrayOf } from "./codec.js";
import { type Exports, type ModuleSource, moduleOf } from "./module.js";

/** Bytes at the end of a chunk that usually contain its index. */
const END_BYTES = 4096;

/** Bytes of the ends of chunks that are kept, and of their other parts of at most {@link END_BYTES}. */
const MAX_KEPT = 32 << 20;

/** Missing chunks that are remembered. */
const MAX_MISSING = 1 << 16;

/** Sides of the parts of chunks that are read on their own along z, y and x, by the size of bricks. */
const WINDOWS: Readonly<Record<string, readonly [number, number, number]>> = {
    "4": [32, 32, 32],
    "8": [64, 64, 64],
    "16x16x1": [8, 128, 128],
};

interface Options {
    readonly signal?: AbortSignal | undefined;
}

/** A store of zarrita. */
export interface RangeStore {
    get(key: `/${string}`, options?: never): Promise<Uint8Array | undefined> | Uint8Array | undefined;
    getRange?(
        key: `/${string}`,
        range: never,
        options?: never,
    ): Promise<Uint8Array | undefined> | Uint8Array | undefined;
}

/** An array of zarrita 0.7. */
export interface ChunkedArray {
    readonly store: RangeStore;
    readonly path: string;
}

/** What the extension replaces: chunks are windows of the stored ones. */
export type Windows = {
    readonly chunks: number[];
    getChunk(position: number[], options?: Options): Promise<Chunk>;
};

export interface RegionOptions {
    /**
     * Contents of the array's `zarr.json`: its text, or an object, in which a fill value of more than 53 bits is an
     * error. Default: the file is read.
     */
    readonly metadata?: unknown;
    /** The module `brickwork-chunk.wasm`. Default: the file of the package. */
    readonly wasm?: ModuleSource;
}

/**
 * Extension for `defineArrayExtension` of zarrita 0.7: reads the windows of chunks that a region meets. Arrays stay
 * as they are where windows gain nothing: those with other codecs, of small chunks, and in stores without ranges.
 *
 * @throws {BrickworkError} `source` or `limit` if the metadata cannot be read; `option` if they are neither text
 * nor an object.
 */
export async function regions(
    array: ChunkedArray,
    options: RegionOptions = {},
): Promise<Windows | Record<string, never>> {
    if (!array.store.getRange) return {};
    const path = array.path.replace(/^\/+|\/+$/g, "");
    const prefix = path && `${path}/`;
    const store = new ZarritaStore(array.store);
    const found = await metadataOf(store, `${prefix}zarr.json`, options.metadata);
    if (!found) return {};
    const { json, text } = found;
    const brick = brickOf(elements(json["codecs"]));
    const shape = elements(json["shape"]);
    if (brick === undefined || shape.length === 0 || shape.includes(0)) return {};
    const meta = arrayOfVersion3(prefix, json, () => text, 2 ** 53);
    const grid = new ChunkGrid(meta);
    const window = windowOf(grid.shape, brick);
    if (window.every((side, axis) => side === grid.shape[axis])) return {};
    const reader = new WindowReader(store, meta, grid, window, moduleOf(options.wasm));
    return {
        chunks: [...window],
        getChunk: (position, { signal } = {}) => reader.read(position, signal ?? never()),
    };
}

function never(): AbortSignal {
    return new AbortController().signal;
}

/** Returns the metadata of an array, which `given` may replace, and their text if it is known. */
async function metadataOf(
    store: Store,
    key: string,
    given: unknown,
): Promise<{ json: Json; text?: string } | undefined> {
    if (typeof given === "string") return parseJson(key, new TextEncoder().encode(given));
    if (given === undefined) {
        const bytes = await store.get(key, Infinity, never());
        return bytes && parseJson(key, bytes);
    }
    if (typeof given === "object" && given !== null && !Array.isArray(given)) return { json: members(given) };
    const text = `metadata is ${shown(given)}, neither the text of zarr.json nor its object`;
    throw new BrickworkError("option", text);
}

/** Returns the window of chunks of this shape. */
function windowOf(shape: readonly number[], brick: string): number[] {
    const [, , , channels] = chunkDims(shape);
    const sides = WINDOWS[brick] ?? [64, 64, 64];
    // Axes after x: that of channels.
    const last = shape.length - (channels > 1 ? 1 : 0);
    return shape.map((side, axis) => {
        const wanted = axis < last ? (sides[3 - (last - axis)] ?? side) : side;
        // Windows do not cross chunks.
        return side % wanted === 0 ? wanted : side;
    });
}

/**
 * Returns the size of bricks that the metadata state; undefined if there are other codecs than this one inside of
 * shards. (A chunk may have other bricks, and is read as well.)
 */
function brickOf([codec, ...others]: readonly unknown[]): string | undefined {
    if (others.length > 0) return undefined;
    const { name, configuration } = members(codec);
    const { brick, codecs } = members(configuration);
    if (name === "brickwork") return typeof brick === "string" ? brick : "8";
    return name === "sharding_indexed" ? brickOf(elements(codecs)) : undefined;
}

/** Reader of windows. */
class WindowReader {
    readonly #store: Store;
    readonly #meta: ArrayMeta;
    readonly #grid: ChunkGrid;
    readonly #window: readonly number[];
    readonly #module: ChunkModule<Exports>;
    readonly #kept = new KeptFiles(MAX_KEPT);
    readonly #missing = new Set<string>();
    readonly #reading = new SharedCalls<Bytes | undefined>();

    constructor(
        store: Store,
        meta: ArrayMeta,
        grid: ChunkGrid,
        window: readonly number[],
        module: ChunkModule<Exports>,
    ) {
        this.#store = store;
        this.#meta = meta;
        this.#grid = grid;
        this.#window = window;
        this.#module = module;
    }

    /** Returns the numbers of a window; the fill value if its chunk is not stored. */
    async read(position: readonly number[], signal: AbortSignal): Promise<Chunk> {
        const { type, fill, chunk: file } = this.#meta;
        const window = this.#window;
        const first = position.map((at, axis) => at * (window[axis] ?? 1));
        const box = first.map((at): Range => [at, at + 1]);
        const place = first.map((at, axis) => Math.floor(at / (file[axis] ?? 1)));
        const [fetch] = await this.#grid.fetches(this.#store, place, box, signal);
        const [chunk] = fetch?.chunks ?? [];
        const numbers = fetch && chunk && (await this.#region(fetch.key, chunk, first, signal));
        const array = arrayOf(type);
        const data = new array((numbers ?? filled(product(window), fill)).buffer);
        return { data, shape: [...window], stride: stridesOf(window) };
    }

    async #region(
        key: string,
        { range }: StoredChunk,
        first: readonly number[],
        signal: AbortSignal,
    ): Promise<Bytes | undefined> {
        const name = range ? `${key}, bytes ${range[0]} to ${range[1]}` : key;
        try {
            const end = await this.#end(key, name, range, first, signal);
            if (!end) return undefined;
            const ranges = await this.#ranges(first, end);
            const [, size = 0] = ranges;
            if (range && size !== range[1] - range[0]) {
                throw fault(name, `the chunk has ${size} bytes, and the shard's index states another number`);
            }
            const start = range?.[0] ?? 0;
            const pairs = Array.from({ length: ranges.length / 2 - 1 }, (_, i): Range => [
                ranges[2 * i + 2] ?? 0,
                ranges[2 * i + 3] ?? 0,
            ]);
            const parts = await Promise.all(
                pairs.map(async ([from, to]) => {
                    const part = `${name} ${from}-${to}`;
                    const known = this.#kept.get(part);
                    const bytes =
                        known ?? (await this.#store.getRange(key, start + from, start + to, signal));
                    if (!bytes) throw fault(name, "it is no longer there");
                    // (Tables are small, and all windows need them.)
                    if (bytes.length <= END_BYTES) this.#kept.set(part, bytes);
                    return joined([partHead(from, bytes.length), bytes]);
                }),
            );
            const bytes = product(this.#window) * this.#meta.type.bytes;
            const input = joined([this.#head(first, end.length), end, ...parts]);
            return await this.#module.run(input, bytes, (exports) => exports.brickwork_chunk_region());
        } catch (cause) {
            signal.throwIfAborted();
            if (cause instanceof BrickworkError && cause.message.startsWith(key)) throw cause;
            throw causedFault(name, cause);
        }
    }

    /** Returns the last bytes of a chunk with its index, or the whole chunk. The window at `first` checks them. */
    async #end(
        key: string,
        name: string,
        range: Range | undefined,
        first: readonly number[],
        signal: AbortSignal,
    ): Promise<Bytes | undefined> {
        const known = this.#kept.get(name);
        if (known || this.#missing.has(name)) return known;
        return this.#reading.run(name, signal, async (own) => {
            const whole = () => this.#store.get(key, Infinity, own);
            const read = async (count: number): Promise<Bytes | undefined> => {
                if (range)
                    return this.#store.getRange(key, Math.max(range[0], range[1] - count), range[1], own);
                return count === Infinity ? whole() : (await this.#store.getEnd(key, count, own))?.bytes;
            };
            const end = await this.#indexed(read, first).catch((cause: unknown) => {
                own.throwIfAborted();
                // Ranges that start before a file are errors in some stores, and have other bytes in others.
                const isRange = !range && cause instanceof BrickworkError && cause.code === "source";
                if (isRange) return whole();
                throw cause;
            });
            if (end) this.#kept.set(name, end);
            else {
                if (this.#missing.size === MAX_MISSING) this.#missing.clear();
                this.#missing.add(name);
            }
            return end;
        });
    }

    /** Reads the last bytes of a chunk until they contain its index. */
    async #indexed(
        read: (count: number) => Promise<Bytes | undefined>,
        first: readonly number[],
    ): Promise<Bytes | undefined> {
        let end = await read(END_BYTES);
        if (!end) return undefined;
        const suffix = await this.#module.run(end, 0, (exports) => exports.brickwork_chunk_suffix());
        const [needed = 0] = doubles(suffix);
        if (needed > end.length) end = await read(needed);
        if (end) await this.#ranges(first, end);
        return end;
    }

    /** Returns the size of a chunk, and the ranges of it that a window needs. */
    async #ranges(first: readonly number[], end: Bytes): Promise<Float64Array> {
        const input = joined([this.#head(first, end.length), end]);
        return doubles(await this.#module.run(input, 0, (exports) => exports.brickwork_chunk_ranges()));
    }

    /** Returns the start of a call's input: the chunk's shape, the region, the number of bytes of the end. */
    #head(first: readonly number[], endBytes: number): Bytes {
        const shape = this.#grid.shape;
        const dims = chunkDims(shape);
        const last = shape.length - (dims[3] > 1 ? 2 : 1);
        const region = [0, 1, 2].flatMap((fromLast) => {
            const axis = last - fromLast;
            const start = axis < 0 ? 0 : (first[axis] ?? 0) % (shape[axis] ?? 1);
            return [start, start + (axis < 0 ? 1 : (this.#window[axis] ?? 1))];
        });
        const words = [this.#meta.type.code ?? -1, ...dims, ...region, endBytes];
        return new Uint8Array(Uint32Array.from(words).buffer);
    }
}

function partHead(from: number, count: number): Bytes {
    const bytes = new Uint8Array(12);
    const view = new DataView(bytes.buffer);
    view.setFloat64(0, from, true);
    view.setUint32(8, count, true);
    return bytes;
}

function doubles(bytes: Bytes): Float64Array {
    return new Float64Array(bytes.buffer, 0, bytes.length / 8);
}

function joined(parts: readonly Bytes[]): Bytes {
    const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
    }
    return bytes;
}

type Request = { offset: number; length: number } | { suffixLength: number };

/** A store of zarrita as one of this reader. */
class ZarritaStore implements Store {
    readonly facts = NO_FACTS;
    readonly #store: RangeStore;

    constructor(store: RangeStore) {
        this.#store = store;
    }

    get(key: string, _most: number, signal: AbortSignal): Promise<Bytes | undefined> {
        return read(key, signal, () => this.#store.get(`/${key}`, { signal } as never));
    }

    async getRange(key: string, start: number, end: number, signal: AbortSignal): Promise<Bytes | undefined> {
        const bytes = await this.#range(key, { offset: start, length: end - start }, signal);
        if (!bytes || bytes.length === end - start) return bytes;
        throw fault(key, `the store returned ${bytes.length} bytes, not ${end - start}`);
    }

    async getEnd(key: string, count: number, signal: AbortSignal): Promise<End | undefined> {
        const bytes = await this.#range(key, { suffixLength: count }, signal);
        // (The size of the file is not known. Ranges past its end are refused when they are read.)
        return bytes && { bytes, byteCount: Number.MAX_SAFE_INTEGER };
    }

    #range(key: string, range: Request, signal: AbortSignal): Promise<Bytes | undefined> {
        const options = { signal } as never;
        return read(key, signal, () => this.#store.getRange?.(`/${key}`, range as never, options));
    }
}

/** Calls a store of zarrita. */
async function read(
    key: string,
    signal: AbortSignal,
    call: () => ReturnType<RangeStore["get"]>,
): Promise<Bytes | undefined> {
    try {
        return (await call()) as Bytes | undefined;
    } catch (cause) {
        signal.throwIfAborted();
        throw fault(key, `the store fails: ${reasonOf(cause)}`, cause);
    }
}
