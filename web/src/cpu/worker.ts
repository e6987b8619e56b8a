// The worker: one job after the other.

import { BrickworkError } from "../errors.js";
import { texelsOfBitmap } from "./bitmap.js";
import {
    type EncodeNumbers,
    type Job,
    type ModuleName,
    type Reply,
    type Request,
    texelsFlag,
} from "./jobs.js";
import { CpuModule } from "./module.js";

/** The worker's global scope. */
interface Scope {
    onmessage: ((event: { readonly data: Request }) => void) | null;
    postMessage(message: Reply, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as Scope;

const instances = new Map<ModuleName, Promise<CpuModule>>();

scope.onmessage = ({ data: { name, module, job } }) => {
    const instance = instances.get(name) ?? CpuModule.create(module);
    instances.set(name, instance);
    instance
        .then((opened) => run(opened, job))
        .then(
            (result) => scope.postMessage({ result }, [result.buffer]),
            (error: unknown) => {
                const code = error instanceof BrickworkError ? error.code : "cpu";
                scope.postMessage({
                    error: { code, message: error instanceof Error ? error.message : String(error) },
                });
            },
        );
};

function run(opened: CpuModule, job: Job): Uint8Array<ArrayBuffer> {
    if (job.kind === "decode") {
        return opened.decode(job.format, job.channels, job.width, job.height, job.blocks);
    }
    const { numbers, texels } = job;
    if ("bytes" in texels) {
        return opened.encode(numbers, texelsFlag(texels.format), padded(texels.bytes, texels.size, numbers));
    }
    try {
        const bytes = padded(texelsOfBitmap(texels.bitmap), texels.size, numbers);
        return opened.encode(numbers, texelsFlag("rgba8unorm"), bytes);
    } finally {
        texels.bitmap.close();
    }
}

/** Returns the texels of an image that is extended to a larger size by repeating its edges. */
function padded(
    bytes: Uint8Array<ArrayBuffer>,
    [columns, rows]: readonly [number, number],
    { width, height }: EncodeNumbers,
): Uint8Array<ArrayBuffer> {
    if (width === columns && height === rows) return bytes;
    const texelBytes = bytes.length / (columns * rows);
    const rowBytes = columns * texelBytes;
    const extended = new Uint8Array(width * height * texelBytes);
    for (let y = 0; y < height; y++) {
        const start = Math.min(y, rows - 1) * rowBytes;
        const row = bytes.subarray(start, start + rowBytes);
        extended.set(row, y * width * texelBytes);
        for (let x = columns; x < width; x++) {
            extended.set(row.subarray(-texelBytes), (y * width + x) * texelBytes);
        }
    }
    return extended;
}
