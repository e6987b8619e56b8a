// Pages on their way from the file to the worker, and from there to the device.

import type { VolumeWorker } from "./client.js";
import { type Bytes, InputKind } from "./jobs.js";

/** Maximum bytes of the file that are requested before the first of their pages are copied. */
const MAX_FETCHED_BYTES = 16 << 20;

/** Pages that are fetched at the same time. */
const CONCURRENT = 4;

/** A page and its place on the device. */
export interface PageLoad {
    readonly page: number;
    readonly buffer: GPUBuffer;
    /** First byte in the buffer. */
    readonly offset: number;
}

/** Copies pages from the worker to the device. Settles after all copies have ended, even if one fails. */
export async function copyPages(
    worker: VolumeWorker,
    device: GPUDevice,
    loads: readonly PageLoad[],
    signal?: AbortSignal,
): Promise<void> {
    let next = 0;
    const copy = async () => {
        for (let load = loads[next++]; load; load = loads[next++]) {
            const { page, buffer, offset } = load;
            const bytes = await worker.call("input", { kind: InputKind.page, number: page }, { signal });
            device.queue.writeBuffer(buffer, offset, bytes);
        }
    };
    const copies = await Promise.allSettled(Array.from({ length: CONCURRENT }, copy));
    for (const ended of copies) if (ended.status === "rejected") throw ended.reason;
}

/**
 * Reads pages that rays wait for from the file, at most {@link MAX_FETCHED_BYTES} or one page at a time. Calls
 * `load` with each portion of pages.
 *
 * @param bits Bits of the missing pages, then of the requested ones.
 * @param slotCount Number of slots. Pages are left out for which `assign` has no slot.
 * @param load Receives `bits` with the portion as the only missing pages. Earlier ones count as requested.
 */
export async function fetchInPortions(
    worker: VolumeWorker,
    bits: Bytes,
    slotCount: number,
    signal: AbortSignal | undefined,
    load: (portion: Bytes) => Promise<void>,
): Promise<void> {
    const length = bits.length / 8;
    const missing = new Uint32Array(bits.buffer, bits.byteOffset, length);
    const requested = new Uint32Array(bits.buffer, bits.byteOffset + 4 * length, length);
    const pages: number[] = [];
    let idle = slotCount;
    for (let page = 0; page < 32 * length; page++) {
        if (isSet(missing, page)) pages.push(page);
        else if (isSet(requested, page)) idle -= 1;
    }
    // Pages take idle slots, and in the first portion also a quarter of the others (`Slots::assign`).
    pages.length = Math.min(pages.length, Math.max(idle, Math.floor(slotCount / 4)));
    const portion = new Uint32Array(2 * length);
    portion.set(requested, length);
    let left = pages;
    for (let next = 0; left.length > 0; left = pages.slice(next, Math.max(0, idle))) {
        const args = { pages: left, maxBytes: MAX_FETCHED_BYTES };
        // (These pages are not in slots yet, so this may be aborted.)
        const { count } = await worker.call("fetchPages", args, { signal });
        portion.fill(0, 0, length);
        for (const page of left.slice(0, count)) {
            set(portion.subarray(0, length), page);
            set(portion.subarray(length), page);
        }
        await load(new Uint8Array(portion.buffer.slice(0)));
        next += count;
    }
}

function isSet(bits: Uint32Array, page: number): boolean {
    return (((bits[page >> 5] ?? 0) >>> (page & 31)) & 1) === 1;
}

function set(bits: Uint32Array, page: number): void {
    bits[page >> 5] = (bits[page >> 5] ?? 0) | (1 << (page & 31));
}
