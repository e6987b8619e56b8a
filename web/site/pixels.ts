// Texels of textures on the GPU, read back through a draw call: the GPU decodes blocks.

import { BufferUsage, MAP_MODE_READ, TextureUsage } from "../src/usage.js";

/** Channels that a block format stores. */
export type Channels = "rgba" | "rgb" | "rg" | "r";

const SHADER = `
@group(0) @binding(0) var image: texture_2d<f32>;
override CHANNELS: u32;

@vertex
fn corner(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn texel(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let value = textureLoad(image, vec2u(at.xy), 0);
    switch CHANNELS {
        case 1u: { return vec4f(value.rrr, 1.0); }
        // A normal map: blue is z, which shaders compute.
        case 2u: {
            let xy = 2.0 * value.rg - 1.0;
            return vec4f(value.rg, 0.5 + 0.5 * sqrt(max(0.0, 1.0 - dot(xy, xy))), 1.0);
        }
        case 3u: { return vec4f(value.rgb, 1.0); }
        default: { return value; }
    }
}
`;

const CHANNELS: Readonly<Record<Channels, number>> = { r: 1, rg: 2, rgb: 3, rgba: 4 };

const pipelines = new WeakMap<GPUDevice, Map<Channels, GPURenderPipeline>>();

function pipelineOf(device: GPUDevice, channels: Channels): GPURenderPipeline {
    let known = pipelines.get(device);
    if (!known) pipelines.set(device, (known = new Map()));
    let pipeline = known.get(channels);
    if (!pipeline) {
        const module = device.createShaderModule({ code: SHADER });
        pipeline = device.createRenderPipeline({
            layout: "auto",
            vertex: { module },
            fragment: {
                module,
                constants: { CHANNELS: CHANNELS[channels] },
                targets: [{ format: "rgba8unorm" }],
            },
        });
        known.set(channels, pipeline);
    }
    return pipeline;
}

/** Returns an image with only these channels, as the draw call shows them. */
export function withChannels(image: ImageData, channels: Channels): ImageData {
    if (channels === "rgba") return image;
    const shown = new ImageData(image.data.slice(), image.width, image.height);
    const { data } = shown;
    for (let at = 0; at < data.length; at += 4) {
        data[at + 3] = 255;
        const [red, green] = [data[at] ?? 0, data[at + 1] ?? 0];
        if (channels === "r") data.fill(red, at + 1, at + 3);
        if (channels !== "rg") continue;
        const [x, y] = [(2 * red) / 255 - 1, (2 * green) / 255 - 1];
        data[at + 2] = 255 * (0.5 + 0.5 * Math.sqrt(Math.max(0, 1 - x * x - y * y)));
    }
    return shown;
}

/** Returns the first mip level of a texture as 8-bit RGBA. */
export async function texelsOf(
    device: GPUDevice,
    texture: GPUTexture,
    [width, height]: readonly [number, number],
    channels: Channels,
): Promise<ImageData> {
    const pipeline = pipelineOf(device, channels);
    const target = device.createTexture({
        label: "decoded",
        size: [width, height],
        format: "rgba8unorm",
        usage: TextureUsage.RENDER_ATTACHMENT | TextureUsage.COPY_SRC,
    });
    const bytesPerRow = Math.ceil((4 * width) / 256) * 256;
    const rows = Math.max(1, Math.min(height, Math.floor((64 << 20) / bytesPerRow)));
    const buffer = device.createBuffer({
        label: "decoded",
        size: bytesPerRow * rows,
        usage: BufferUsage.COPY_DST | BufferUsage.MAP_READ,
    });
    try {
        const view = texture.createView({
            format: texture.format.replace(/-srgb$/, "") as GPUTextureFormat,
            mipLevelCount: 1,
            usage: TextureUsage.TEXTURE_BINDING,
        });
        const group = device.createBindGroup({
            layout: pipeline.getBindGroupLayout(0),
            entries: [{ binding: 0, resource: view }],
        });
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginRenderPass({
            colorAttachments: [{ view: target.createView(), loadOp: "clear", storeOp: "store" }],
        });
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.draw(3);
        pass.end();
        device.queue.submit([encoder.finish()]);
        const image = new ImageData(width, height);
        for (let y = 0; y < height; y += rows) {
            const count = Math.min(rows, height - y);
            const copy = device.createCommandEncoder();
            copy.copyTextureToBuffer({ texture: target, origin: [0, y] }, { buffer, bytesPerRow }, [
                width,
                count,
            ]);
            device.queue.submit([copy.finish()]);
            await buffer.mapAsync(MAP_MODE_READ, 0, bytesPerRow * count);
            const mapped = new Uint8Array(buffer.getMappedRange(0, bytesPerRow * count));
            for (let row = 0; row < count; row++) {
                const from = row * bytesPerRow;
                image.data.set(mapped.subarray(from, from + 4 * width), 4 * width * (y + row));
            }
            buffer.unmap();
        }
        return image;
    } finally {
        target.destroy();
        buffer.destroy();
    }
}
