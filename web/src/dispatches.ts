// Dispatches of kernels, whose parameters share one buffer.

import type { Pipeline } from "./pipelines.js";
import { BufferUsage } from "./usage.js";

/** Workgroups that one dimension may have at least. */
const ROW = 65535;
/** Alignment that every device takes. */
const ALIGNMENT = 256;

/** One dispatch. */
export interface Dispatch {
    readonly pipeline: Pipeline;
    /** Words of the parameters. */
    readonly words: Uint32Array;
    /** Resources in the order of the bindings; `params` is replaced. */
    readonly resources: readonly (GPUBindingResource | "params")[];
    readonly workgroups: number;
}

/** Records dispatches in one pass. */
export function recordDispatches(
    device: GPUDevice,
    encoder: GPUCommandEncoder,
    dispatches: readonly Dispatch[],
): void {
    const offsets: number[] = [];
    let end = 0;
    for (const { words } of dispatches) {
        offsets.push(end);
        end += Math.ceil(words.byteLength / ALIGNMENT) * ALIGNMENT;
    }
    const params = filledBuffer(device, "parameters", BufferUsage.UNIFORM, end, (memory) => {
        dispatches.forEach(({ words }, i) => memory.set(words, (offsets[i] ?? 0) / 4));
    });
    const pass = encoder.beginComputePass();
    dispatches.forEach(({ pipeline, words, resources, workgroups }, i) => {
        const entries = resources.map((resource, binding) => ({
            binding,
            resource:
                resource === "params"
                    ? { buffer: params, offset: offsets[i] ?? 0, size: words.byteLength }
                    : resource,
        }));
        pass.setPipeline(pipeline.raw);
        pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.layout, entries }));
        const rows = Math.max(1, Math.ceil(workgroups / ROW));
        pass.dispatchWorkgroups(Math.ceil(workgroups / rows), rows);
    });
    pass.end();
}

/** Returns a buffer with contents that `fill` writes. */
export function filledBuffer(
    device: GPUDevice,
    label: string,
    usage: GPUBufferUsageFlags,
    size: number,
    fill: (memory: Uint32Array) => void,
): GPUBuffer {
    const buffer = device.createBuffer({ label, usage, size, mappedAtCreation: true });
    fill(new Uint32Array(buffer.getMappedRange()));
    buffer.unmap();
    return buffer;
}
