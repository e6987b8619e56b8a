// The renderer's device.

import { Brickwork } from "../brickwork.js";
import { BrickworkError } from "../errors.js";

/** A `WebGPURenderer`. */
export interface DeviceRenderer {
    readonly backend: object;
    init(): Promise<unknown>;
}

/**
 * Returns an encoder on the device of a `WebGPURenderer`. The device stays the renderer's: it is never
 * destroyed, and its handlers of errors and losses are kept.
 *
 * @throws {BrickworkError} `no-webgpu` if the renderer has fallen back to WebGL.
 */
export async function brickworkFor(renderer: DeviceRenderer): Promise<Brickwork> {
    await renderer.init();
    const { device } = renderer.backend as { device?: GPUDevice | null };
    if (!device) {
        throw new BrickworkError("no-webgpu", "the renderer has no WebGPU device: it uses WebGL");
    }
    return Brickwork.create(device);
}
