// Encoding of whole images, band by band: while the GPU encodes one band, the next is recorded.

import { type Area, BandSizes, type Pair, areaTexels, areasOf } from "./areas.js";
import type { Load } from "./chain.js";
import { checked } from "./device.js";
import { blockCounts, formatInfo } from "./formats.js";
import type { Recorder, TextureTarget } from "./recorder.js";
import { BufferUsage, MAP_MODE_READ } from "./usage.js";

/** Number of bands in progress at a time. */
const DEPTH = 2;

/** An image to encode. */
export interface BandJob {
    readonly recorder: Recorder;
    readonly size: Pair;
    readonly sizes: BandSizes;
    readonly signal: AbortSignal | undefined;
    /** Returns the load of a rectangle of texels. */
    load(origin: Pair, size: Pair): Load;
    /** Throws if the device is lost. */
    checkNotLost(): void;
}

/** Encodes an image into `blocks`, row by row. */
export function encodeToBytes(job: BandJob, blocks: Uint8Array): Promise<void> {
    const { device, format } = job.recorder;
    const { blockBytes } = formatInfo(format);
    const imageRow = blockCounts(job.size)[0] * blockBytes;
    return inBands(job, async (area, load, size) => {
        const bytes = area.columns * area.rows * blockBytes;
        const buffers: GPUBuffer[] = [];
        try {
            const staging = await checked(device, "encoding", () => {
                const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = BufferUsage;
                const buffer = device.createBuffer({
                    label: "blocks",
                    size: bytes,
                    usage: STORAGE | COPY_SRC,
                });
                const staging = device.createBuffer({
                    label: "staging",
                    size: bytes,
                    usage: MAP_READ | COPY_DST,
                });
                buffers.push(buffer, staging);
                const encoder = device.createCommandEncoder();
                job.recorder.recordToBuffer(encoder, load, size, { buffer, first: 0, pitch: area.columns });
                encoder.copyBufferToBuffer(buffer, 0, staging, 0, bytes);
                device.queue.submit([encoder.finish()]);
                return staging;
            });
            await mapped(staging, job);
            const found = new Uint8Array(staging.getMappedRange());
            const row = area.columns * blockBytes;
            for (let y = 0; y < area.rows; y++) {
                const at = (area.row + y) * imageRow + area.column * blockBytes;
                blocks.set(found.subarray(y * row, (y + 1) * row), at);
            }
        } finally {
            for (const buffer of buffers) buffer.destroy();
        }
    });
}

/** Encodes an image into a mip level of a texture. */
export function encodeToTexture(job: BandJob, target: TextureTarget): Promise<void> {
    const { device } = job.recorder;
    return inBands(job, async (area, load, size) => {
        const buffer = await checked(device, "encoding", () => {
            const encoder = device.createCommandEncoder();
            const buffer = job.recorder.recordToTexture(encoder, load, size, area, target);
            device.queue.submit([encoder.finish()]);
            return buffer;
        });
        await device.queue.onSubmittedWorkDone();
        buffer.destroy();
    });
}

async function mapped(buffer: GPUBuffer, job: BandJob): Promise<void> {
    try {
        await buffer.mapAsync(MAP_MODE_READ);
    } catch (error) {
        job.checkNotLost();
        throw error;
    }
}

type Encode = (area: Area, load: Load, size: Pair) => Promise<void>;

async function inBands(job: BandJob, encode: Encode): Promise<void> {
    const { recorder, sizes, signal } = job;
    const running = new Set<Promise<void>>();
    const failures: unknown[] = [];
    const limit = () => Math.min(sizes.blocks, recorder.maxBlocks);
    let last = 0;
    const timed = async (area: Area, load: Load, size: Pair) => {
        const submitted = performance.now();
        await encode(area, load, size);
        const now = performance.now();
        // The GPU started this band when it had finished the previous one.
        sizes.took(area.columns * area.rows, now - Math.max(submitted, last));
        last = now;
    };
    try {
        for (const area of areasOf(blockCounts(job.size), limit)) {
            signal?.throwIfAborted();
            const { origin, size } = areaTexels(area, job.size);
            // Inner bands have whole blocks only, and may need other kernels than the image.
            await recorder.prepare([size]);
            const band: Promise<void> = timed(area, job.load(origin, size), size)
                .catch((error: unknown) => void failures.push(error))
                .finally(() => running.delete(band));
            running.add(band);
            if (running.size >= DEPTH) await Promise.race(running);
            if (failures.length > 0) break;
        }
    } finally {
        await Promise.all(running);
    }
    if (failures.length > 0) throw failures[0];
    job.checkNotLost();
    signal?.throwIfAborted();
}
