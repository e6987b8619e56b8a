// Normal maps, with the same bytes as the native encoder.

import type { KernelData } from "./data.js";
import { recordDispatches } from "./dispatches.js";
import data from "./generated/mips/normals.js";
import type { Level } from "./mips.js";
import type { Pipelines } from "./pipelines.js";
import { BufferUsage } from "./usage.js";
import { filled } from "./words.js";

/** Scales the vectors of a level of 8 bits to length 1. */
export function toUnitLength(device: GPUDevice, pipelines: Pipelines, level: Level): Promise<void> {
    return change(device, pipelines, level, [[data.kernels[0]]]);
}

/** Computes blue from red and green if it is the same in all texels of 8 bits. */
export async function restoreZ(device: GPUDevice, pipelines: Pipelines, level: Level): Promise<void> {
    const [, blue, z] = data.kernels;
    const differs = device.createBuffer({ label: "blue differs", size: 4, usage: BufferUsage.STORAGE });
    await change(device, pipelines, level, [
        [blue, differs],
        [z, differs],
    ]);
    differs.destroy();
}

/** Runs kernels, each with the buffers that it binds besides the texels. */
async function change(
    device: GPUDevice,
    pipelines: Pipelines,
    { buffer, size: [width, height], pitch }: Level,
    kernels: readonly (readonly [kernel: KernelData, ...buffers: GPUBuffer[]])[],
): Promise<void> {
    const compiled = await Promise.all(kernels.map(([kernel]) => pipelines.get(kernel, data.parts)));
    const words = filled(data.params, { width, height, pitch: pitch / 4 });
    const dispatches = compiled.map((pipeline, i) => {
        const [, ...more] = kernels[i] ?? [];
        const buffers = [buffer, ...more].map((buffer) => ({ buffer }));
        const resources: (GPUBindingResource | "params")[] = ["params", ...buffers];
        return { pipeline, words, resources, workgroups: Math.ceil((width * height) / 64) };
    });
    const encoder = device.createCommandEncoder();
    recordDispatches(device, encoder, dispatches);
    device.queue.submit([encoder.finish()]);
}
