// Indices of shards: the byte range of each inner chunk.

import type { Bytes } from "./boxes.js";
import { crc32c } from "./checksums.js";
import { fault } from "./fault.js";
import type { IndexForm } from "./metadata.js";

/** Start and end of bytes. */
export type Range = readonly [start: number, end: number];

/** Index of a shard. */
export class ShardIndex {
    readonly byteCount: number;
    readonly #words: DataView;
    readonly #isBig: boolean;
    readonly #shardBytes: number;
    readonly #name: string;

    constructor(words: DataView, isBig: boolean, shardBytes: number, name: string) {
        this.#words = words;
        this.#isBig = isBig;
        this.#shardBytes = shardBytes;
        this.#name = name;
        this.byteCount = words.byteLength;
    }

    /** Returns the bytes of an inner chunk in the shard; undefined if it is not stored. */
    at(place: number): Range | undefined {
        const [offset, size] = [this.#word(2 * place), this.#word(2 * place + 1)];
        if (offset === undefined && size === undefined) return undefined;
        const end = (offset ?? NaN) + (size ?? NaN);
        if (offset !== undefined && end <= this.#shardBytes) return [offset, end];
        throw fault(
            this.#name,
            `inner chunk ${place} is stated at ${offset} to ${end}, outside of the shard`,
        );
    }

    /** Returns a word; undefined for the largest one, NaN for others that are too large. */
    #word(index: number): number | undefined {
        const [first, second] = [8 * index, 8 * index + 4].map((at) =>
            this.#words.getUint32(at, !this.#isBig),
        );
        const [low = 0, high = 0] = this.#isBig ? [second, first] : [first, second];
        if (low === 0xffffffff && high === 0xffffffff) return undefined;
        const word = high * 2 ** 32 + low;
        return Number.isSafeInteger(word) ? word : NaN;
    }
}

/** Reads an index, of which `bytes` are all bytes. */
export function readIndex(form: IndexForm, bytes: Bytes, shardBytes: number, name: string): ShardIndex {
    if (bytes.length !== form.byteCount) throw fault(name, "the index of the shard is cut short");
    const end = 16 * form.count;
    const view = new DataView(bytes.buffer, bytes.byteOffset, end);
    if (form.hasChecksum) {
        const stated = new DataView(bytes.buffer, bytes.byteOffset + end).getUint32(0, true);
        if (crc32c(bytes.subarray(0, end)) !== stated)
            throw fault(name, "the checksum of the shard's index differs");
    }
    return new ShardIndex(view, form.isBig, shardBytes, name);
}
