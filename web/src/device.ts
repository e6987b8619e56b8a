// The device: the caller's, or our own.

import { BrickworkError } from "./errors.js";

const FEATURES = ["bc", "etc2", "astc", "unaligned"].map((name) => `texture-compression-${name}`);

/** A device that is replaced once if it is lost and ours. */
export class DeviceHolder {
    readonly #isOwn: boolean;
    #device: GPUDevice;
    #lost: GPUDeviceLostInfo | undefined;
    #replaced: Promise<void> | undefined;
    #isDisposed = false;

    private constructor(device: GPUDevice, isOwn: boolean) {
        this.#isOwn = isOwn;
        this.#device = device;
        this.#watch(device);
    }

    /** Returns a holder of the caller's device, or of a new one. */
    static async create(device?: GPUDevice): Promise<DeviceHolder> {
        return new DeviceHolder(device ?? (await requestDevice()), device === undefined);
    }

    /** Returns the device, after a loss a new one. */
    async current(): Promise<GPUDevice> {
        this.check();
        if (this.#lost && this.#isOwn && !this.#replaced) {
            this.#replaced = requestDevice().then((device) => {
                if (this.#isDisposed) {
                    device.destroy();
                    return;
                }
                this.#device = device;
                this.#lost = undefined;
                this.#watch(device);
            });
        }
        await this.#replaced;
        this.check();
        if (this.#lost) throw lostError(this.#lost);
        return this.#device;
    }

    /** Throws if the holder was disposed of. */
    check(): void {
        if (this.#isDisposed) throw new BrickworkError("disposed", "this Brickwork object was disposed of");
    }

    /** Throws if the device is lost. Calls of a lost device succeed, and do nothing. */
    checkNotLost(device: GPUDevice): void {
        if (device !== this.#device || this.#lost) throw lostError(this.#lost);
    }

    /** Destroys the device if it is ours. */
    dispose(): void {
        this.#isDisposed = true;
        if (this.#isOwn) this.#device.destroy();
    }

    #watch(device: GPUDevice): void {
        void device.lost.then((info) => {
            if (device === this.#device) this.#lost = info;
        });
    }
}

/** Returns the error of a lost device. */
export function lostError(info: GPUDeviceLostInfo | undefined): BrickworkError {
    const reason = info?.message ? `: ${info.message}` : "";
    return new BrickworkError("device-lost", `the GPU device is lost${reason}`);
}

async function requestDevice(): Promise<GPUDevice> {
    const gpu = globalThis.navigator?.gpu;
    if (!gpu) {
        throw new BrickworkError(
            "no-webgpu",
            "this browser has no WebGPU, or the page is not from a secure origin (https or localhost)",
        );
    }
    // A loss consumes the adapter, so each device gets a new one.
    const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
    if (!adapter) throw new BrickworkError("no-webgpu", "WebGPU has no adapter on this machine");
    const { maxBufferSize, maxStorageBufferBindingSize, maxTextureDimension2D } = adapter.limits;
    try {
        return await adapter.requestDevice({
            label: "Brickwork",
            requiredFeatures: FEATURES.filter((name) => adapter.features.has(name)) as GPUFeatureName[],
            requiredLimits: { maxBufferSize, maxStorageBufferBindingSize, maxTextureDimension2D },
        });
    } catch (cause) {
        throw new BrickworkError("no-webgpu", `the adapter gives no device: ${text(cause)}`, { cause });
    }
}

/** Runs `work`, which calls the device, and rejects if the device finds a fault in it. */
export async function checked<T>(device: GPUDevice, what: string, work: () => T): Promise<T> {
    device.pushErrorScope("out-of-memory");
    device.pushErrorScope("validation");
    let result: T;
    let faults: Promise<GPUError | null>[];
    try {
        result = work();
    } finally {
        faults = [device.popErrorScope(), device.popErrorScope()];
        // A lost device rejects them, also if `work` has thrown.
        for (const fault of faults) fault.catch(() => {});
    }
    for (const fault of faults) {
        const found = await fault.catch(() => null);
        if (found)
            throw new BrickworkError("gpu", `${what}: ${found.message || "the device has no memory left"}`);
    }
    return result;
}

/** Returns the message of anything that was thrown. */
export function text(thrown: unknown): string {
    return thrown instanceof Error ? thrown.message : String(thrown);
}
