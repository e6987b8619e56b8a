// Pictures shown on a canvas or in a texture.

import { BrickworkError } from "../errors.js";
import { BufferUsage, FRAGMENT_STAGE, TextureUsage } from "../usage.js";

/** Where pictures are shown. */
export type VolumeTarget = HTMLCanvasElement | OffscreenCanvas | GPUTexture;

const WGSL = `
struct Size { picture: vec2u, target_size: vec2u, premultiplies: u32 }
@group(0) @binding(0) var<uniform> size: Size;
@group(0) @binding(1) var<storage, read> picture: array<u32>;

@vertex fn cover(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment fn show(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let place = min(vec2u(at.xy) * size.picture / size.target_size, size.picture - vec2u(1u));
    let color = unpack4x8unorm(picture[place.y * size.picture.x + place.x]);
    return select(color, vec4f(color.rgb * color.a, color.a), size.premultiplies == 1u);
}
`;

/** Shows pictures on a target. A smaller picture is enlarged. */
export class Presenter {
    readonly #device: GPUDevice;
    readonly #target: VolumeTarget;
    readonly #context: GPUCanvasContext | undefined;
    readonly #layout: GPUBindGroupLayout;
    readonly #size: GPUBuffer;
    readonly #pipeline: GPURenderPipeline;

    constructor(device: GPUDevice, target: VolumeTarget) {
        this.#device = device;
        this.#target = target;
        let format: GPUTextureFormat;
        if (isTexture(target)) {
            if ((target.usage & TextureUsage.RENDER_ATTACHMENT) === 0) {
                throw new BrickworkError("option", "the target texture needs the usage RENDER_ATTACHMENT");
            }
            format = target.format;
        } else {
            const context = target.getContext("webgpu") as GPUCanvasContext | null;
            if (!context) throw new BrickworkError("option", "the canvas has a context of another kind");
            format = navigator.gpu.getPreferredCanvasFormat();
            context.configure({ device, format, alphaMode: "premultiplied" });
            this.#context = context;
        }
        this.#layout = device.createBindGroupLayout({
            entries: [
                { binding: 0, visibility: FRAGMENT_STAGE, buffer: { type: "uniform" } },
                { binding: 1, visibility: FRAGMENT_STAGE, buffer: { type: "read-only-storage" } },
            ],
        });
        const usage = BufferUsage.UNIFORM | BufferUsage.COPY_DST;
        this.#size = device.createBuffer({ label: "size of the picture", size: 32, usage });
        const module = device.createShaderModule({ label: "show a picture", code: WGSL });
        this.#pipeline = device.createRenderPipeline({
            label: "show a picture",
            layout: device.createPipelineLayout({ bindGroupLayouts: [this.#layout] }),
            vertex: { module, entryPoint: "cover" },
            fragment: { module, entryPoint: "show", targets: [{ format }] },
        });
    }

    /** Size of the target in pixels. */
    get size(): readonly [number, number] {
        return [this.#target.width, this.#target.height];
    }

    /** Shows a picture of `width`×`height` pixels. */
    show(picture: GPUBuffer, width: number, height: number): void {
        const device = this.#device;
        const [columns, rows] = this.size;
        const numbers = [width, height, columns, rows, this.#context ? 1 : 0, 0, 0, 0];
        device.queue.writeBuffer(this.#size, 0, new Uint32Array(numbers));
        const texture = this.#context ? this.#context.getCurrentTexture() : (this.#target as GPUTexture);
        const encoder = device.createCommandEncoder({ label: "show a picture" });
        const pass = encoder.beginRenderPass({
            colorAttachments: [{ view: texture.createView(), loadOp: "clear", storeOp: "store" }],
        });
        pass.setPipeline(this.#pipeline);
        pass.setBindGroup(
            0,
            device.createBindGroup({
                layout: this.#layout,
                entries: [
                    { binding: 0, resource: { buffer: this.#size } },
                    { binding: 1, resource: { buffer: picture, size: 4 * width * height } },
                ],
            }),
        );
        pass.draw(3);
        pass.end();
        device.queue.submit([encoder.finish()]);
    }

    dispose(): void {
        this.#size.destroy();
        this.#context?.unconfigure();
    }
}

function isTexture(target: VolumeTarget): target is GPUTexture {
    return "createView" in target;
}
