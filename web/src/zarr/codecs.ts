// Codecs of chunks, from bytes to numbers.

import { zstdDecoded } from "../zstd.js";
import { bloscDecoded, unpackLz4 } from "./blosc.js";
import { type Bytes, type Place, copyBox, filled, floatsOf, product, stridesOf, swapBytes } from "./boxes.js";
import type { BrickworkDecoder } from "./brickwork.js";
import { crc32c } from "./checksums.js";
import { causedFault, fault, overLimit, reasonOf } from "./fault.js";
import type { BytesCodec, Pipeline } from "./metadata.js";
import { readIndex } from "./shards.js";
import { type NumberType, maxStored } from "./types.js";

/** What decoding needs besides the bytes. */
interface Context {
    /** Name of the chunk in errors. */
    readonly name: string;
    readonly type: NumberType;
    /** Number that is not stored, in little-endian order. */
    readonly fill: Bytes;
    readonly brickwork: BrickworkDecoder;
}

/** A chunk, and the box of it that is wanted. */
export interface Job extends Omit<Context, "brickwork"> {
    readonly bytes: Bytes;
    readonly pipeline: Pipeline;
    readonly shape: readonly number[];
    /** First number of the box, and its numbers, along each axis. */
    readonly start: readonly number[];
    readonly counts: readonly number[];
    /** Axes of the result, the slowest first. */
    readonly axes: readonly number[];
}

/** Returns the numbers of a box, in the order of the axes and of the type of voxels that holds them. */
export async function decodeBox(job: Job, brickwork: BrickworkDecoder): Promise<Bytes> {
    const { shape, start, counts, axes, type } = job;
    const numbers = await decodeChunk(job.pipeline, shape, job.bytes, { ...job, brickwork });
    const isWhole = counts.every((count, axis) => count === shape[axis]);
    // (The order of axes with one number does not matter.)
    const moved = axes.filter((axis) => shape[axis] !== 1);
    const isInOrder = moved.every((axis, index) => index === 0 || axis > (moved[index - 1] ?? 0));
    let box = numbers;
    if (!isWhole || !isInOrder) {
        const strides = stridesOf(shape);
        const first = start.reduce((sum, at, axis) => sum + at * (strides[axis] ?? 0), 0);
        const along = (values: readonly number[]) => axes.map((axis) => values[axis] ?? 1);
        const target = {
            bytes: new Uint8Array(product(counts) * type.bytes),
            first: 0,
            strides: stridesOf(along(counts)),
        };
        copyBox({ bytes: numbers, first, strides: along(strides) }, target, along(counts), type.bytes);
        box = target.bytes;
    }
    return voxelsOf(box, type);
}

/** Returns numbers of a type as voxels that hold them. */
export function voxelsOf(numbers: Bytes, type: NumberType): Bytes {
    return type.name === "float16" ? floatsOf(numbers) : numbers;
}

/** Returns the numbers of a chunk of this shape, the last axis the fastest, in little-endian order. */
async function decodeChunk(
    pipeline: Pipeline,
    shape: readonly number[],
    stored: Bytes,
    context: Context,
): Promise<Bytes> {
    const { name, type } = context;
    const byteCount = product(shape) * type.bytes;
    // Codecs of arrays permute axes: the axes of the stored array, and back.
    const { order } = pipeline;
    const inner = order.map((axis) => shape[axis] ?? 1);
    const { toBytes } = pipeline;
    const exact = toBytes.kind === "bytes" ? byteCount : undefined;
    const bytes = await undone(pipeline.chain, stored, exact, maxStored(product(shape), type), name);
    let numbers: Bytes;
    if (toBytes.kind === "bytes") {
        if (bytes.length !== byteCount) throw fault(name, `it has ${bytes.length} bytes, not ${byteCount}`);
        numbers = bytes;
        if (toBytes.isBig && type.bytes > 1) {
            numbers = bytes === stored ? bytes.slice() : bytes;
            swapBytes(numbers, type.bytes);
        }
    } else if (toBytes.kind === "brickwork") {
        try {
            numbers = await context.brickwork(bytes, type, inner);
        } catch (cause) {
            throw causedFault(name, cause);
        }
    } else {
        numbers = await decodeShard(toBytes, inner, bytes, context);
    }
    if (order.every((axis, index) => axis === index)) return numbers;
    const strides = stridesOf(shape);
    const target = {
        bytes: new Uint8Array(byteCount),
        first: 0,
        strides: order.map((axis) => strides[axis] ?? 0),
    };
    copyBox({ bytes: numbers, first: 0, strides: stridesOf(inner) }, target, inner, type.bytes);
    return target.bytes;
}

/** Decodes a whole shard, whose bytes are in memory. */
async function decodeShard(
    sharding: Extract<Pipeline["toBytes"], { kind: "sharding" }>,
    shape: readonly number[],
    bytes: Bytes,
    context: Context,
): Promise<Bytes> {
    const { name, type, fill } = context;
    const { index, inner, chunk } = sharding;
    const counts = shape.map((side, axis) => side / (chunk[axis] ?? 1));
    if (index.byteCount > bytes.length) throw fault(name, "the index of the shard is cut short");
    const start = index.isAtStart ? 0 : bytes.length - index.byteCount;
    const entries = readIndex(index, bytes.slice(start, start + index.byteCount), bytes.length, name);
    const target: Place = { bytes: filled(product(shape), fill), first: 0, strides: stridesOf(shape) };
    const strides = stridesOf(counts);
    const chunkStrides = stridesOf(chunk);
    for (let place = 0; place < product(counts); place++) {
        const range = entries.at(place);
        if (!range) continue;
        const position = strides.map((stride, axis) => Math.floor(place / stride) % (counts[axis] ?? 1));
        const own = { ...context, name: `${name}, inner chunk ${position.join(",")}` };
        const numbers = await decodeChunk(inner, chunk, bytes.slice(...range), own);
        const first = position.reduce(
            (sum, at, axis) => sum + at * (chunk[axis] ?? 1) * (target.strides[axis] ?? 0),
            0,
        );
        copyBox({ bytes: numbers, first: 0, strides: chunkStrides }, { ...target, first }, chunk, type.bytes);
    }
    return target.bytes;
}

/** Undoes codecs of bytes, the last one first. `exact` is the number of bytes before the first one, if known. */
async function undone(
    chain: readonly BytesCodec[],
    stored: Bytes,
    exact: number | undefined,
    most: number,
    name: string,
): Promise<Bytes> {
    let bytes = stored;
    for (let i = chain.length - 1; i >= 0; i--) {
        const codec = chain[i] ?? "crc32c";
        // Checksums add four bytes each.
        const before = chain.slice(0, i);
        const known = before.every((other) => other === "crc32c") ? exact : undefined;
        const length = known === undefined ? undefined : known + 4 * before.length;
        try {
            bytes = await undo(codec, bytes, length, length ?? most, name);
        } catch (cause) {
            if (cause instanceof RangeError) throw fault(name, `${codec}: ${cause.message}`, cause);
            throw cause;
        }
    }
    return bytes;
}

async function undo(
    codec: BytesCodec,
    bytes: Bytes,
    length: number | undefined,
    most: number,
    name: string,
): Promise<Bytes> {
    switch (codec) {
        case "gzip":
            return inflated(bytes, "gzip", most, name);
        case "zlib":
            return inflated(bytes, "deflate", most, name);
        case "zstd":
            return zstdDecoded(bytes, length ?? most, length === undefined);
        case "blosc":
            return bloscDecoded(bytes, most, (part, limit) => inflated(part, "deflate", limit, name));
        case "lz4": {
            const size =
                bytes.length < 4 ? NaN : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
            if (!(size <= most)) throw new RangeError(`it states ${size} bytes, and the limit is ${most}`);
            const contents = new Uint8Array(size);
            unpackLz4(bytes.subarray(4), contents);
            return contents;
        }
        case "crc32c": {
            const end = bytes.length - 4;
            if (end < 0) throw new RangeError("it is shorter than its checksum");
            const stated = new DataView(bytes.buffer, bytes.byteOffset + end).getUint32(0, true);
            if (crc32c(bytes.subarray(0, end)) !== stated) throw new RangeError("the checksum differs");
            return bytes.subarray(0, end);
        }
    }
}

/** Inflates bytes to at most `most` bytes, by the browser's decoder. */
export async function inflated(
    bytes: Bytes,
    format: "gzip" | "deflate" | "deflate-raw",
    most: number,
    name: string,
): Promise<Bytes> {
    const parts: Uint8Array[] = [];
    let length = 0;
    try {
        const stream = new DecompressionStream(format);
        const writer = stream.writable.getWriter();
        // (A fault of the input also ends the reader.)
        writer.write(bytes).catch(() => {});
        writer.close().catch(() => {});
        const reader = stream.readable.getReader();
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
            length += part.value.length;
            if (length > most) {
                void reader.cancel().catch(() => {});
                break;
            }
            parts.push(part.value);
        }
    } catch (cause) {
        throw fault(name, `its compressed data (${format}) are damaged: ${reasonOf(cause)}`, cause);
    }
    if (length > most) throw overLimit(name, `it unpacks to more than the ${most} bytes that it can have`);
    const contents = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
        contents.set(part, at);
        at += part.length;
    }
    return contents;
}
