// Compiled kernels of a device.

import type { Binding, KernelData, Parts } from "./data.js";
import { checked, text } from "./device.js";
import { BrickworkError } from "./errors.js";
import { COMPUTE_STAGE } from "./usage.js";

/** A compiled kernel. */
export interface Pipeline {
    readonly raw: GPUComputePipeline;
    readonly layout: GPUBindGroupLayout;
}

export type Overrides = Readonly<Record<string, number>>;

/** Kernels that were compiled, by name and override constants. */
export class Pipelines {
    readonly #device: GPUDevice;
    readonly #pipelines = new Map<string, Promise<Pipeline>>();
    readonly #modules = new Map<string, Promise<GPUShaderModule>>();
    readonly #layouts = new Map<string, GPUBindGroupLayout>();

    constructor(device: GPUDevice) {
        this.#device = device;
    }

    /** Returns a kernel, compiled now or earlier. */
    get(kernel: KernelData, parts: readonly Parts[], overrides: Overrides = {}): Promise<Pipeline> {
        const key = `${kernel.name} ${JSON.stringify(overrides)}`;
        return kept(this.#pipelines, key, () => this.#compile(kernel, parts, overrides));
    }

    async #compile(kernel: KernelData, parts: readonly Parts[], overrides: Overrides): Promise<Pipeline> {
        const device = this.#device;
        const label = kernel.name;
        const module = await kept(this.#modules, label, () => {
            const code = wgslOf(kernel, parts);
            return checked(device, label, () => device.createShaderModule({ label, code }));
        });
        const layout = this.#layout(kernel.bindings);
        try {
            const raw = await device.createComputePipelineAsync({
                label,
                layout: device.createPipelineLayout({ label, bindGroupLayouts: [layout] }),
                compute: { module, entryPoint: "main", constants: { ...overrides } },
            });
            return { raw, layout };
        } catch (cause) {
            throw new BrickworkError("gpu", `the kernel "${label}" does not compile: ${text(cause)}`, {
                cause,
            });
        }
    }

    #layout(bindings: readonly Binding[]): GPUBindGroupLayout {
        const key = bindings.join();
        let layout = this.#layouts.get(key);
        if (!layout) {
            const entries = bindings.map((kind, binding) => ({
                binding,
                visibility: COMPUTE_STAGE,
                ...bindingLayout(kind),
            }));
            layout = this.#device.createBindGroupLayout({ entries });
            this.#layouts.set(key, layout);
        }
        return layout;
    }
}

/** Returns the value of a key, made now or earlier. A failure is not kept. */
function kept<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
    let value = map.get(key);
    if (!value) {
        value = make();
        map.set(key, value);
        value.catch(() => map.delete(key));
    }
    return value;
}

function wgslOf(kernel: KernelData, parts: readonly Parts[]): string {
    const code = kernel.parts.map((name) => {
        const part = parts.find((group) => Object.hasOwn(group, name))?.[name];
        if (part === undefined) throw new Error(`the kernel "${kernel.name}" has no part "${name}"`);
        return part;
    });
    return (kernel.subgroups ? "enable subgroups;\n" : "") + code.join("");
}

function bindingLayout(binding: Binding): Partial<GPUBindGroupLayoutEntry> {
    switch (binding) {
        case "uniform":
            return { buffer: { type: "uniform" } };
        case "read":
            return { buffer: { type: "read-only-storage" } };
        case "write":
            return { buffer: { type: "storage" } };
        case "texture":
            return { texture: { sampleType: "unfilterable-float" } };
        case "texture3d":
            return { texture: { sampleType: "uint", viewDimension: "3d" } };
        case "storeTwoWords":
            return { storageTexture: { format: "rg32uint" } };
        case "storeFourWords":
            return { storageTexture: { format: "rgba32uint" } };
    }
}
