// The renderer's device or context.

import { Brickwork, type BrickworkOptions } from "../brickwork.js";
import { BrickworkError } from "../errors.js";
import { WebGlBrickwork } from "./webgl.js";

/** A `WebGPURenderer`. */
export interface DeviceRenderer {
    readonly backend: object;
    init(): Promise<unknown>;
}

/** A `WebGLRenderer`. */
export interface ContextRenderer {
    getContext(): WebGLRenderingContext | WebGL2RenderingContext;
}

/**
 * Returns an encoder for a renderer: on the device of a `WebGPURenderer`, or for the context of a renderer that
 * uses WebGL 2. The device stays the renderer's: it is never destroyed, and its handlers of errors and losses
 * are kept.
 *
 * @throws {BrickworkError} `no-webgpu` if the renderer has neither.
 */
export async function brickworkFor(
    renderer: DeviceRenderer | ContextRenderer,
    options?: BrickworkOptions,
): Promise<Brickwork | WebGlBrickwork> {
    if (!("backend" in renderer)) {
        return new WebGlBrickwork(renderer.getContext() as WebGL2RenderingContext, options);
    }
    await renderer.init();
    const { device, gl } = renderer.backend as {
        device?: GPUDevice | null;
        gl?: WebGL2RenderingContext | null;
    };
    if (device) return Brickwork.create(device, options);
    if (gl) return new WebGlBrickwork(gl, options);
    throw new BrickworkError("no-webgpu", "the renderer has neither a WebGPU device nor a WebGL context");
}
