// Pages on their way from the worker to the device.

import type { VolumeWorker } from "./client.js";
import { InputKind } from "./jobs.js";

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
