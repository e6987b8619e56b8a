// The worker: one job after the other.

import { BrickworkError } from "../errors.js";
import { texelsOfBitmap } from "./bitmap.js";
import { type Job, type ModuleName, type Reply, type Request, texelsFlag } from "./jobs.js";
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
    if ("bytes" in texels) return opened.encode(numbers, texelsFlag(texels.format), texels.bytes);
    try {
        return opened.encode(numbers, texelsFlag("rgba8unorm"), texelsOfBitmap(texels.bitmap));
    } finally {
        texels.bitmap.close();
    }
}
