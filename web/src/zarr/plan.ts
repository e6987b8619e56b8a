// From a box of an array to requests: the chunks that it meets, their places in files, and ranges of several.

import { SharedCalls } from "../waiting.js";
import { product, stridesOf } from "./boxes.js";
import { fault, overLimit } from "./fault.js";
import { type ArrayMeta, type IndexForm, type Pipeline, isPlainSharding } from "./metadata.js";
import { type Range, type ShardIndex, readIndex } from "./shards.js";
import type { Store } from "./store.js";
import { maxStored } from "./types.js";

/** A gap of fewer bytes is fetched, too: a request costs more. */
const SMALL_GAP = 1 << 15;

/** Maximum size of a range of several chunks. */
const MAX_JOINED = 4 << 20;

/** Maximum number of files and chunks of a box. */
const MAX_CHUNKS = 1 << 20;

/** Bytes of indices that are kept. */
const MAX_INDICES = 32 << 20;

/** A box: from and to along each axis. */
export type Box = readonly Range[];

/** A chunk that is decoded on its own. */
export interface Chunk {
    /** Its indices along each axis, in the grid of such chunks of the whole array. */
    readonly position: readonly number[];
    /** Its bytes in the file; undefined for all. */
    readonly range: Range | undefined;
}

/** A range of a file with chunks. */
export interface Fetch {
    readonly key: string;
    /** Undefined for the whole file. */
    readonly range: Range | undefined;
    readonly chunks: readonly Chunk[];
}

/** Chunks of an array. */
export class ChunkGrid {
    readonly #array: ArrayMeta;
    /** Shapes of files and of chunks inside of them, the smallest last. */
    readonly #shapes: readonly (readonly number[])[];
    readonly #indices: readonly IndexForm[];
    /** Codecs of the smallest chunks. */
    readonly pipeline: Pipeline;
    /** Maximum size of a stored chunk. */
    readonly maxStored: number;
    readonly #known = new Map<string, ShardIndex>();
    #knownBytes = 0;
    readonly #reading = new SharedCalls<ShardIndex | undefined>();

    constructor(array: ArrayMeta) {
        this.#array = array;
        const shapes = [array.chunk];
        const indices: IndexForm[] = [];
        let { pipeline } = array;
        while (pipeline.toBytes.kind === "sharding" && isPlainSharding(pipeline)) {
            const { chunk, index, inner } = pipeline.toBytes;
            shapes.push(chunk);
            indices.push(index);
            pipeline = inner;
        }
        this.#shapes = shapes;
        this.#indices = indices;
        this.pipeline = pipeline;
        this.maxStored = maxStored(product(this.shape), array.type);
    }

    /** Shape of a chunk that is decoded on its own. */
    get shape(): readonly number[] {
        return this.#shapes.at(-1) ?? [];
    }

    /** Returns the positions of the files that a box meets, x fastest. */
    files(box: Box): Generator<number[]> {
        const counts = box.map(([start, end], axis) => covered(start, end, this.#array.chunk[axis] ?? 1));
        const count = product(counts.map(([from, to]) => to - from));
        if (count > MAX_CHUNKS) {
            throw overLimit(this.#array.prefix, `the region has ${count} chunks; the limit is ${MAX_CHUNKS}`);
        }
        return positions(counts);
    }

    /** Returns the key of a file. */
    keyOf(position: readonly number[]): string {
        const { keyStart, separator } = this.#array;
        return keyStart + position.join(separator);
    }

    /** Returns the requests for the chunks of a file that a box meets. Reads the file's indices. */
    async fetches(
        store: Store,
        position: readonly number[],
        box: Box,
        signal: AbortSignal,
    ): Promise<Fetch[]> {
        const key = this.keyOf(position);
        if (this.#indices.length === 0)
            return [{ key, range: undefined, chunks: [{ position, range: undefined }] }];
        const chunks = await this.#inner(store, key, 0, position, undefined, box, signal);
        return joined(key, chunks);
    }

    /** Returns the stored chunks inside a shard that a box meets. `range` is that of the shard in the file. */
    async #inner(
        store: Store,
        key: string,
        depth: number,
        position: readonly number[],
        range: Range | undefined,
        box: Box,
        signal: AbortSignal,
    ): Promise<Chunk[]> {
        const form = this.#indices[depth];
        if (!form) return [{ position, range }];
        const shard = await this.#index(store, key, form, range, signal);
        if (!shard) return [];
        const outer = this.#shapes[depth] ?? [];
        const shape = this.#shapes[depth + 1] ?? [];
        const counts = outer.map((side, axis) => side / (shape[axis] ?? 1));
        const strides = stridesOf(counts);
        const first = position.map((at, axis) => at * (counts[axis] ?? 1));
        const ranges = box.map(([start, end], axis): Range => {
            const [from, to] = covered(start, end, shape[axis] ?? 1);
            const own = first[axis] ?? 0;
            return [Math.max(from, own), Math.min(to, own + (counts[axis] ?? 1))];
        });
        const found: Chunk[] = [];
        for (const inner of positions(ranges)) {
            const place = inner.reduce(
                (sum, at, axis) => sum + (at - (first[axis] ?? 0)) * (strides[axis] ?? 0),
                0,
            );
            const stored = shard.at(place);
            if (!stored) continue;
            const size = stored[1] - stored[0];
            if (depth + 1 === this.#indices.length && size > this.maxStored) {
                const name = `inner chunk ${inner.join(",")}`;
                throw overLimit(
                    key,
                    `${name} is stated to take ${size} bytes; the limit is ${this.maxStored}`,
                );
            }
            const offset = range?.[0] ?? 0;
            const bytes: Range = [offset + stored[0], offset + stored[1]];
            found.push(...(await this.#inner(store, key, depth + 1, inner, bytes, box, signal)));
            if (found.length > MAX_CHUNKS)
                throw overLimit(key, `the region has more than ${MAX_CHUNKS} chunks`);
        }
        return found;
    }

    /** Returns the index of a shard; undefined if there is no shard. */
    async #index(
        store: Store,
        key: string,
        form: IndexForm,
        range: Range | undefined,
        signal: AbortSignal,
    ): Promise<ShardIndex | undefined> {
        const name = range ? `${key}, bytes ${range[0]} to ${range[1]}` : key;
        const known = this.#known.get(name);
        if (known) return known;
        return this.#reading.run(name, signal, async (own) => {
            const index = await this.#read(store, key, name, form, range, own);
            if (!index) return undefined;
            this.#knownBytes += index.byteCount;
            if (this.#knownBytes > MAX_INDICES) {
                this.#known.clear();
                this.#knownBytes = index.byteCount;
            }
            this.#known.set(name, index);
            return index;
        });
    }

    async #read(
        store: Store,
        key: string,
        name: string,
        form: IndexForm,
        range: Range | undefined,
        signal: AbortSignal,
    ): Promise<ShardIndex | undefined> {
        const { byteCount, isAtStart } = form;
        if (range) {
            const [start, end] = range;
            if (end - start < byteCount) throw fault(name, "the index of the shard is cut short");
            const from = isAtStart ? start : end - byteCount;
            const bytes = await store.getRange(key, from, from + byteCount, signal);
            if (!bytes) throw fault(key, "it is no longer there");
            return readIndex(form, bytes, end - start, name);
        }
        if (isAtStart) {
            const bytes = await store.getRange(key, 0, byteCount, signal);
            if (!bytes) return undefined;
            // (The size of the file is not known. Ranges past its end are refused when they are read.)
            return readIndex(form, bytes, Number.MAX_SAFE_INTEGER, name);
        }
        const end = await store.getEnd(key, byteCount, signal);
        return end && readIndex(form, end.bytes, end.byteCount, name);
    }
}

/** Joins chunks with small gaps to ranges. */
export function joined(key: string, chunks: readonly Chunk[]): Fetch[] {
    const fetches: { key: string; range: [number, number]; chunks: Chunk[] }[] = [];
    const sorted = chunks.flatMap((chunk) => (chunk.range ? [{ chunk, range: chunk.range }] : []));
    sorted.sort((a, b) => a.range[0] - b.range[0]);
    for (const { chunk, range } of sorted) {
        const last = fetches.at(-1);
        const [start, end] = range;
        if (last && start - last.range[1] <= SMALL_GAP && end - last.range[0] <= MAX_JOINED) {
            last.range[1] = Math.max(last.range[1], end);
            last.chunks.push(chunk);
        } else fetches.push({ key, range: [start, end], chunks: [chunk] });
    }
    return fetches;
}

/** Returns the chunks that cover numbers along an axis. */
function covered(start: number, end: number, side: number): Range {
    return [Math.floor(start / side), Math.ceil(end / side)];
}

function* positions(ranges: readonly Range[]): Generator<number[]> {
    if (ranges.some(([from, to]) => from >= to)) return;
    const position = ranges.map(([from]) => from);
    for (;;) {
        yield [...position];
        let axis = ranges.length - 1;
        for (; axis >= 0; axis--) {
            const [from, to] = ranges[axis] ?? [0, 1];
            const next = (position[axis] ?? 0) + 1;
            if (next < to) {
                position[axis] = next;
                break;
            }
            position[axis] = from;
        }
        if (axis < 0) return;
    }
}
