// Blosc's format of version 2, which c-blosc 1 writes: BloscLZ, LZ4, zlib and Zstandard, with and without shuffling;
// and LZ4's blocks. The twin of crates/formats/src/zarr/blosc.rs, which names the sources.

import { zstdDecoded } from "../zstd.js";
import type { Bytes } from "./boxes.js";

/** Inflates bytes of zlib to at most `most` bytes. */
export type Inflate = (bytes: Bytes, most: number) => Promise<Bytes>;

const HEADER_BYTES = 16;

/** Bits of the header's flags. */
const BYTE_SHUFFLE = 1;
const MEMCPY = 2;
const BIT_SHUFFLE = 4;
const NOT_SPLIT = 16;

/** Maximum size of a number whose bytes are split into parts, and minimum size of a part. */
const MAX_SPLITS = 16;
const MIN_PART = 128;

/** Largest distance of a match in BloscLZ, except far ones. */
const BLOSCLZ_DISTANCE = 8191;

/**
 * Returns the contents of a buffer of Blosc.
 *
 * @throws {RangeError} if it is damaged, or has more than `most` bytes.
 */
export async function bloscDecoded(bytes: Bytes, most: number, inflate: Inflate): Promise<Bytes> {
    if (bytes.length < HEADER_BYTES) throw damaged();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const [version = 0, , flags = 0, size = 0] = bytes;
    if (version !== 2) throw new RangeError(`version ${version} of Blosc is not supported`);
    const [total, block] = [view.getUint32(4, true), view.getUint32(8, true)];
    if (total > most) throw new RangeError(`Blosc states ${total} bytes, and the limit is ${most}`);
    const output = new Uint8Array(total);
    if (total === 0) return output;
    if (flags & MEMCPY) {
        if (HEADER_BYTES + total > bytes.length) throw damaged();
        output.set(bytes.subarray(HEADER_BYTES, HEADER_BYTES + total));
        return output;
    }
    if (block === 0 || size === 0) throw damaged();
    const scratch = new Uint8Array(Math.min(block, total));
    for (let start = 0, index = 0; start < total; start += block, index++) {
        const length = Math.min(block, total - start);
        const isSplit =
            (flags & NOT_SPLIT) === 0 && length === block && size <= MAX_SPLITS && block / size >= MIN_PART;
        const parts = isSplit ? size : 1;
        if (length % parts !== 0) throw damaged();
        const share = length / parts;
        if (HEADER_BYTES + 4 * index + 4 > bytes.length) throw damaged();
        let at = view.getUint32(HEADER_BYTES + 4 * index, true);
        for (let part = 0; part < parts; part++) {
            if (at + 4 > bytes.length) throw damaged();
            const packed = view.getUint32(at, true);
            at += 4;
            if (at + packed > bytes.length) throw damaged();
            const target = scratch.subarray(part * share, (part + 1) * share);
            await unpack(bytes.subarray(at, at + packed), flags >> 5, target, inflate);
            at += packed;
        }
        unshuffle(scratch.subarray(0, length), output.subarray(start, start + length), flags, size);
    }
    return output;
}

async function unpack(part: Bytes, format: number, target: Bytes, inflate: Inflate): Promise<void> {
    if (part.length === target.length) target.set(part);
    else if (format === 0) unpackBloscLz(part, target);
    else if (format === 1) unpackLz4(part, target);
    else if (format === 3) {
        const contents = await inflate(part, target.length);
        if (contents.length !== target.length) throw damaged();
        target.set(contents);
    } else if (format === 4) target.set(zstdDecoded(part, target.length));
    else
        throw new RangeError(
            format === 2 ? "Snappy in Blosc is not supported" : `compressor ${format} of Blosc is not known`,
        );
}

/** Decodes an LZ4 block that fills `target`. */
export function unpackLz4(bytes: Bytes, target: Bytes): void {
    const [length, end] = [bytes.length, target.length];
    let [at, to] = [0, 0];
    const extension = (): number => {
        for (let sum = 0; ;) {
            if (at >= length) throw damaged();
            const byte = bytes[at++] ?? 0;
            sum += byte;
            if (byte !== 255) return sum;
        }
    };
    for (;;) {
        if (at >= length) throw damaged();
        const token = bytes[at++] ?? 0;
        let count = token >> 4;
        if (count === 15) count += extension();
        if (at + count > length || to + count > end) throw damaged();
        if (count > 16) target.set(bytes.subarray(at, at + count), to);
        else for (let i = 0; i < count; i++) target[to + i] = bytes[at + i] ?? 0;
        at += count;
        to += count;
        if (at === length) break;
        if (at + 2 > length) throw damaged();
        const distance = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
        at += 2;
        count = token & 15;
        if (count === 15) count += extension();
        repeat(target, to, distance, count + 4);
        to += count + 4;
    }
    if (to !== end) throw damaged();
}

function unpackBloscLz(bytes: Bytes, target: Bytes): void {
    let [at, to] = [0, 0];
    const next = (): number => {
        if (at >= bytes.length) throw damaged();
        return bytes[at++] ?? 0;
    };
    let control = next() & 31;
    for (;;) {
        if (control < 32) {
            const count = control + 1;
            if (at + count > bytes.length || to + count > target.length) throw damaged();
            target.set(bytes.subarray(at, at + count), to);
            at += count;
            to += count;
        } else {
            let count = (control >> 5) + 2;
            const high = control & 31;
            if (count === 9) {
                for (let byte = 255; byte === 255; count += byte) byte = next();
            }
            const low = next();
            const isFar = high === 31 && low === 255;
            const distance = isFar
                ? BLOSCLZ_DISTANCE + 1 + ((next() << 8) | next())
                : ((high << 8) | low) + 1;
            repeat(target, to, distance, count);
            to += count;
        }
        if (at === bytes.length) break;
        control = next();
    }
    if (to !== target.length) throw damaged();
}

/** Repeats bytes that are `distance` before `to`, which may be less than their number. */
function repeat(target: Bytes, to: number, distance: number, count: number): void {
    const from = to - distance;
    if (distance === 0 || from < 0 || to + count > target.length) throw damaged();
    if (distance === 1) target.fill(target[from] ?? 0, to, to + count);
    else if (count > 32 && distance >= count) target.copyWithin(to, from, from + count);
    else for (let i = 0; i < count; i++) target[to + i] = target[from + i] ?? 0;
}

/** Writes a block with its bytes or bits in the order of its numbers. */
function unshuffle(block: Bytes, output: Bytes, flags: number, size: number): void {
    const count = Math.floor(block.length / size);
    const row = count / 8;
    if (flags & BYTE_SHUFFLE && size > 1) {
        for (let byte = 0; byte < size; byte++) {
            const from = byte * count;
            for (let i = 0, to = byte; i < count; i++, to += size) output[to] = block[from + i] ?? 0;
        }
    } else if (flags & BIT_SHUFFLE && count > 0 && Number.isInteger(row)) {
        // Eight bytes, one of each bit's plane, become the same byte of eight numbers.
        for (let byte = 0; byte < size; byte++) {
            for (let group = 0; group < row; group++) {
                let [low, high] = [0, 0];
                for (let bit = 0; bit < 4; bit++) {
                    low |= (block[(8 * byte + bit) * row + group] ?? 0) << (8 * bit);
                    high |= (block[(8 * byte + bit + 4) * row + group] ?? 0) << (8 * bit);
                }
                // (Transposition of 8×8 bits: Hacker's Delight, 7-3. Rows are bytes from the lowest on.)
                let swap = (low ^ (low >>> 7)) & 0x00aa00aa;
                low ^= swap ^ (swap << 7);
                swap = (high ^ (high >>> 7)) & 0x00aa00aa;
                high ^= swap ^ (swap << 7);
                swap = (low ^ (low >>> 14)) & 0x0000cccc;
                low ^= swap ^ (swap << 14);
                swap = (high ^ (high >>> 14)) & 0x0000cccc;
                high ^= swap ^ (swap << 14);
                const lower = (low & 0x0f0f0f0f) | ((high << 4) & 0xf0f0f0f0);
                const upper = ((low >>> 4) & 0x0f0f0f0f) | (high & 0xf0f0f0f0);
                const to = 8 * group * size + byte;
                for (let i = 0; i < 4; i++) {
                    output[to + i * size] = lower >>> (8 * i);
                    output[to + (i + 4) * size] = upper >>> (8 * i);
                }
            }
        }
    } else {
        output.set(block);
        return;
    }
    output.set(block.subarray(count * size), count * size);
}

function damaged(): RangeError {
    return new RangeError("its Blosc buffer or LZ4 block is damaged");
}
