// Textures of URLs that are encoded once.

import type { EncodedTexture, TextureOptions } from "./brickwork.js";
import { checked } from "./device.js";
import { textureLevels } from "./texture-levels.js";
import { DEFAULT_LABEL, DEFAULT_USAGE, TextureUsage } from "./usage.js";

interface Entry {
    readonly encoded: Promise<EncodedTexture>;
    readonly controller: AbortController;
    /** Number of calls that wait for the encoding. */
    waiting: number;
    /** Bytes of the texture; 0 until it is encoded. */
    bytes: number;
}

/** Cache of textures, from which each caller gets a copy. */
export class TextureCache {
    readonly #mostBytes: number;
    /** Entries by URL and options, the one that was used last at the end. */
    readonly #entries = new Map<string, Entry>();
    #device: GPUDevice | undefined;

    constructor(mostBytes: number) {
        this.#mostBytes = mostBytes;
    }

    /** Returns a texture that the caller owns. `encode` makes it unless it is cached or in progress. */
    async get(
        device: GPUDevice,
        url: string | URL,
        options: TextureOptions,
        encode: (options: TextureOptions) => Promise<EncodedTexture>,
    ): Promise<EncodedTexture> {
        if (device !== this.#device) this.dispose();
        this.#device = device;
        const { signal, usage = DEFAULT_USAGE, label = DEFAULT_LABEL, ...encoding } = options;
        const address = new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href).href;
        const key = JSON.stringify([address, usage, Object.entries(encoding).sort()]);
        const entry = this.#entries.get(key) ?? this.#start(key, { ...encoding, usage, label }, encode);
        this.#entries.delete(key);
        this.#entries.set(key, entry);
        entry.waiting += 1;
        try {
            const encoded = await settledBefore(entry.encoded, signal);
            return { ...encoded, texture: await copied(device, encoded.texture, usage, label) };
        } finally {
            entry.waiting -= 1;
            if (entry.waiting === 0 && entry.bytes === 0) {
                // All callers have gone, or the encoding failed.
                if (this.#entries.get(key) === entry) this.#entries.delete(key);
                entry.controller.abort(signal?.reason);
                // (The encoding may not look at its signal any more.)
                destroy(entry);
            }
            this.#shrink();
        }
    }

    /** Destroys all textures. */
    dispose(): void {
        for (const entry of this.#entries.values()) destroy(entry);
        this.#entries.clear();
    }

    #start(
        key: string,
        options: TextureOptions,
        encode: (options: TextureOptions) => Promise<EncodedTexture>,
    ): Entry {
        const controller = new AbortController();
        const usage = (options.usage ?? 0) | TextureUsage.COPY_SRC;
        const encoded = encode({ ...options, usage, signal: controller.signal });
        const entry: Entry = { encoded, controller, waiting: 0, bytes: 0 };
        encoded.then(
            ({ texture }) => (entry.bytes = bytesOf(texture)),
            () => {
                if (this.#entries.get(key) === entry) this.#entries.delete(key);
            },
        );
        return entry;
    }

    /** Destroys textures until the others fit. */
    #shrink(): void {
        let bytes = 0;
        for (const entry of this.#entries.values()) bytes += entry.bytes;
        for (const [key, entry] of this.#entries) {
            if (bytes <= this.#mostBytes) break;
            if (entry.waiting > 0 || entry.bytes === 0) continue;
            this.#entries.delete(key);
            destroy(entry);
            bytes -= entry.bytes;
        }
    }
}

function destroy({ encoded }: Entry): void {
    encoded.then(
        ({ texture }) => texture.destroy(),
        () => {},
    );
}

/** Waits for a promise until the signal is aborted. */
async function settledBefore<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (!signal) return promise;
    let abort: (() => void) | undefined;
    const aborted = new Promise<never>((_, reject) => {
        abort = () => reject(signal.reason as Error);
        if (signal.aborted) abort();
        else signal.addEventListener("abort", abort);
    });
    try {
        return await Promise.race([promise, aborted]);
    } finally {
        if (abort) signal.removeEventListener("abort", abort);
    }
}

function bytesOf(texture: GPUTexture): number {
    const bytesPerTexel = /^(bc1|bc4|etc2-rgb8|eac-r11)/.test(texture.format)
        ? 0.5
        : /^(bc|etc2|eac|astc)/.test(texture.format)
          ? 1
          : texture.format.startsWith("rgba8")
            ? 4
            : 16;
    const texels = textureLevels(texture).reduce((sum, [, [width, height]]) => sum + width * height, 0);
    return texels * bytesPerTexel;
}

/** Returns a copy of a texture. */
function copied(
    device: GPUDevice,
    texture: GPUTexture,
    usage: GPUTextureUsageFlags,
    label: string,
): Promise<GPUTexture> {
    const { width, height, mipLevelCount, format } = texture;
    return checked(device, "the texture", () => {
        const copy = device.createTexture({
            label,
            size: [width, height],
            mipLevelCount,
            format,
            usage: usage | TextureUsage.COPY_DST,
        });
        const encoder = device.createCommandEncoder();
        for (const [mipLevel, size] of textureLevels(texture)) {
            encoder.copyTextureToTexture({ texture, mipLevel }, { texture: copy, mipLevel }, size);
        }
        device.queue.submit([encoder.finish()]);
        return copy;
    });
}
