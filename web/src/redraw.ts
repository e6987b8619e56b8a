// Copies of textures by drawing.

import { checked } from "./device.js";
import { TextureUsage } from "./usage.js";

const CODE = `
    @group(0) @binding(0) var source: texture_2d<f32>;

    @vertex
    fn cover(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
        return vec4f(f32(i & 1) * 4 - 1, f32(i >> 1) * 4 - 1, 0, 1);
    }

    @fragment
    fn texel(@builtin(position) at: vec4f) -> @location(0) vec4f {
        return textureLoad(source, vec2u(at.xy), 0);
    }

    @fragment
    fn opaque_texel(@builtin(position) at: vec4f) -> @location(0) vec4f {
        return vec4f(textureLoad(source, vec2u(at.xy), 0).rgb, 1);
    }
`;

/** Returns a texture of another format with the texels of the first mip level, if `isOpaque` with alpha 1. */
export function redrawn(
    device: GPUDevice,
    source: GPUTexture,
    format: GPUTextureFormat,
    isOpaque: boolean,
): Promise<GPUTexture> {
    return checked(device, "the texture", () => {
        const usage = TextureUsage.RENDER_ATTACHMENT | TextureUsage.COPY_SRC;
        const size = [source.width, source.height];
        const texture = device.createTexture({ label: "source", size, format, usage });
        const module = device.createShaderModule({ label: "redraw", code: CODE });
        const pipeline = device.createRenderPipeline({
            label: "redraw",
            layout: "auto",
            vertex: { module, entryPoint: "cover" },
            fragment: { module, entryPoint: isOpaque ? "opaque_texel" : "texel", targets: [{ format }] },
        });
        const entries = [{ binding: 0, resource: source.createView() }];
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginRenderPass({
            colorAttachments: [{ view: texture.createView(), loadOp: "clear", storeOp: "store" }],
        });
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
        pass.draw(3);
        pass.end();
        device.queue.submit([encoder.finish()]);
        return texture;
    });
}
