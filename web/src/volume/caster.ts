// The native ray casters on a device: buffers of a volume, and renderings in parts.

import type { CasterData } from "../data.js";
import { checked, text } from "../device.js";
import { BrickworkError } from "../errors.js";
import casters from "../generated/volume/casters.js";
import { maxBinding } from "../limits.js";
import { type Pipeline, Pipelines } from "../pipelines.js";
import { BufferUsage, MAP_MODE_READ } from "../usage.js";
import type { VolumeWorker } from "./client.js";
import type { PartFacts, RenderMode } from "./facts.js";
import { type Bytes, InputKind, type ViewFacts } from "./jobs.js";
import { Pace } from "./pace.js";
import { type PageLoad, copyPages, fetchInPortions } from "./pages.js";

/** Counts after the pixels, of two words each. */
const COUNT_WORDS = 8;

/** Rounds without progress before the tiles of a dispatch are halved. */
const MOST_IDLE = 40;

const STORAGE = BufferUsage.STORAGE | BufferUsage.COPY_DST;

/** A volume on a device. */
export class Caster {
    readonly device: GPUDevice;
    readonly #part: PartFacts;
    readonly #worker: VolumeWorker;
    readonly #index: readonly GPUBuffer[];
    readonly #pages: readonly GPUBuffer[];
    readonly #pipelines: Pipelines;
    readonly #pace: Pace;
    #look: { readonly mode: RenderMode; readonly words: GPUBuffer } | undefined;
    #picture: GPUBuffer | undefined;
    #params: GPUBuffer | undefined;

    private constructor(
        device: GPUDevice,
        part: PartFacts,
        worker: VolumeWorker,
        index: readonly GPUBuffer[],
        pages: readonly GPUBuffer[],
    ) {
        this.device = device;
        this.#part = part;
        this.#worker = worker;
        this.#index = index;
        this.#pages = pages;
        this.#pipelines = new Pipelines(device);
        this.#pace = new Pace((device.adapterInfo as GPUAdapterInfo | undefined)?.isFallbackAdapter ?? false);
    }

    /** Maximum bytes of a buffer with pages. */
    static bufferBytes(device: GPUDevice): number {
        return maxBinding(device);
    }

    /** Copies the loaded part of the worker to a device. Slots for pages start empty. */
    static async upload(
        device: GPUDevice,
        part: PartFacts,
        worker: VolumeWorker,
        signal?: AbortSignal,
    ): Promise<Caster> {
        const made: GPUBuffer[] = [];
        const input = (kind: number, number: number) => worker.call("input", { kind, number });
        const buffer = async (label: string, size: number, usage: number) => {
            const limit = maxBinding(device);
            if (size > limit) {
                const text = `the ${label} takes ${size} bytes, and the device's limit is ${limit}`;
                throw new BrickworkError("limit", `${text}; use a smaller mip level`);
            }
            const found = await checked(device, label, () => device.createBuffer({ label, size, usage }));
            made.push(found);
            return found;
        };
        const filled = async (label: string, kind: number, usage: number) => {
            const bytes = await input(kind, 0);
            signal?.throwIfAborted();
            // (Kernels bind 4 bytes at least.)
            const found = await buffer(label, Math.max(4, bytes.length), usage | BufferUsage.COPY_DST);
            device.queue.writeBuffer(found, 0, bytes);
            return found;
        };
        try {
            const index = [
                await filled("volume's shape", InputKind.shape, BufferUsage.UNIFORM),
                await filled("volume's index", InputKind.records, BufferUsage.STORAGE),
                await filled("volume's rank tables", InputKind.tables, BufferUsage.STORAGE),
            ];
            const pages: GPUBuffer[] = [];
            const slots = part.slots;
            if (slots) {
                for (let i = 0; i < slots.buffers; i++) {
                    pages.push(await buffer("pages of the volume", slots.bufferBytes, STORAGE));
                }
                // The worker may know pages in slots of an earlier device.
                await worker.call("emptySlots", {});
            } else {
                if (part.buffers.length > part.boundBuffers) {
                    const text = `the voxels take ${part.buffers.length} buffers`;
                    throw new BrickworkError("limit", `${text}, and kernels bind ${part.boundBuffers}`);
                }
                for (const numbers of part.buffers) {
                    const sizes = numbers.map((page) => part.pages[page] ?? 0);
                    const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
                    const found = await buffer("bricks of the volume", size, STORAGE);
                    let at = 0;
                    const loads = numbers.map((page, i) => {
                        const offset = at;
                        at += sizes[i] ?? 0;
                        return { page, buffer: found, offset };
                    });
                    await copyPages(worker, device, loads, signal);
                    pages.push(found);
                }
                // Missing buffers repeat the first; no brick requests them.
                const first = pages[0] ?? (await buffer("bricks of the volume", 8, STORAGE));
                while (pages.length < Math.max(1, part.boundBuffers)) pages.push(first);
            }
            return new Caster(device, part, worker, index, pages);
        } catch (error) {
            for (const found of made) found.destroy();
            throw error;
        }
    }

    /** Uploads the chosen look, and compiles its kernel. */
    async setLook(mode: RenderMode): Promise<void> {
        const words = await this.#input(InputKind.look, 0);
        const { device } = this;
        if (words.length > maxBinding(device)) {
            throw new BrickworkError(
                "limit",
                `the look takes ${words.length} bytes; use a smaller mip level`,
            );
        }
        const label = "look of the volume";
        const size = Math.max(4, words.length);
        const buffer = await checked(device, label, () =>
            device.createBuffer({ label, size, usage: STORAGE }),
        );
        device.queue.writeBuffer(buffer, 0, words);
        this.#look?.words.destroy();
        this.#look = { mode, words: buffer };
        await this.#pipeline(mode);
    }

    /** The buffer of the last rendering: pixels, row by row, then counts. */
    get picture(): GPUBuffer | undefined {
        return this.#picture;
    }

    /**
     * Draws a picture into {@link picture}. The device is free for others between the parts.
     *
     * @param part Called after each part, with the share of the picture that was submitted.
     */
    async draw(
        facts: ViewFacts,
        params: Bytes,
        signal: AbortSignal | undefined,
        part?: (share: number) => void,
    ): Promise<void> {
        const look = this.#look;
        if (!look) throw new Error("there is no look");
        const pipeline = await this.#pipeline(look.mode);
        signal?.throwIfAborted();
        const { device } = this;
        const picture = await this.#reserve(4 * facts.words);
        if (!this.#params || this.#params.size !== params.length) {
            this.#params?.destroy();
            const usage = BufferUsage.UNIFORM | BufferUsage.COPY_DST;
            this.#params = device.createBuffer({ label: "view", size: params.length, usage });
        }
        device.queue.writeBuffer(this.#params, 0, params);
        const clear = device.createCommandEncoder();
        clear.clearBuffer(picture, 0, 4 * facts.words);
        device.queue.submit([clear.finish()]);
        const resources = [...this.#index, this.#params, look.words, picture, ...this.#pages];
        const bindGroup = device.createBindGroup({
            layout: pipeline.layout,
            entries: resources.map((buffer, binding) => ({ binding, resource: { buffer } })),
        });
        let last: Promise<void> | undefined;
        let finished = performance.now();
        for (let first = 0; first < facts.tiles;) {
            signal?.throwIfAborted();
            const tiles = Math.min(this.#pace.tiles, facts.tiles - first);
            const started = performance.now();
            if (facts.paging) {
                await this.#converge(pipeline, bindGroup, facts, facts.paging, picture, first, tiles, signal);
            } else {
                this.#submit(pipeline, bindGroup, facts, first, tiles);
                // One runs while the next one waits.
                await last;
                last = device.queue.onSubmittedWorkDone().then(() => {
                    const now = performance.now();
                    this.#pace.learn(tiles, now - Math.max(started, finished));
                    finished = now;
                });
            }
            first += tiles;
            part?.(first / facts.tiles);
        }
        await last;
    }

    /** Reads pixels and counts of a picture. */
    async read(pixelCount: number): Promise<{ pixels: Bytes; counts: number[] }> {
        const bytes = await this.#download(0, 4 * (pixelCount + COUNT_WORDS));
        const words = new Uint32Array(bytes.buffer, 4 * pixelCount, COUNT_WORDS);
        const counts: number[] = [];
        for (let i = 0; i + 1 < words.length; i += 2)
            counts.push((words[i] ?? 0) + 2 ** 32 * (words[i + 1] ?? 0));
        return { pixels: bytes.slice(0, 4 * pixelCount), counts };
    }

    /** Frees the buffers. */
    dispose(): void {
        for (const buffer of [...this.#index, ...this.#pages]) buffer.destroy();
        this.#look?.words.destroy();
        this.#picture?.destroy();
        this.#params?.destroy();
    }

    #input(kind: number, number: number): Promise<Bytes> {
        return this.#worker.call("input", { kind, number });
    }

    #pipeline(mode: RenderMode): Promise<Pipeline> {
        const data: CasterData = casters;
        const key = this.#part.slots ? "pool" : String(Math.max(1, this.#part.boundBuffers));
        const kernel = data.kernels[mode]?.[key];
        if (!kernel) throw new Error(`there is no kernel "${mode}" for ${key}`);
        return this.#pipelines.get(kernel, data.parts);
    }

    async #reserve(size: number): Promise<GPUBuffer> {
        if (this.#picture && this.#picture.size >= size) return this.#picture;
        const { device } = this;
        if (size > maxBinding(device)) {
            const limit = maxBinding(device);
            throw new BrickworkError(
                "limit",
                `the picture takes ${size} bytes; the device's limit is ${limit}`,
            );
        }
        this.#picture?.destroy();
        this.#picture = undefined;
        const usage = BufferUsage.STORAGE | BufferUsage.COPY_SRC | BufferUsage.COPY_DST;
        const label = "picture";
        return (this.#picture = await checked(device, label, () =>
            device.createBuffer({ label, size, usage }),
        ));
    }

    #submit(
        pipeline: Pipeline,
        bindGroup: GPUBindGroup,
        facts: ViewFacts,
        first: number,
        tiles: number,
        isFirst = true,
    ): void {
        const { device } = this;
        if (!this.#params) return;
        device.queue.writeBuffer(this.#params, facts.firstTile, new Uint32Array([first]));
        if (facts.paging) {
            device.queue.writeBuffer(this.#params, facts.isFirst, new Uint32Array([isFirst ? 1 : 0]));
        }
        const encoder = device.createCommandEncoder({ label: "rendering" });
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline.raw);
        pass.setBindGroup(0, bindGroup);
        pass.dispatchWorkgroups(tiles);
        pass.end();
        device.queue.submit([encoder.finish()]);
    }

    /** Casts the rays of some tiles again and again, with the pages that they waited for, until none waits. */
    async #converge(
        pipeline: Pipeline,
        bindGroup: GPUBindGroup,
        facts: ViewFacts,
        paging: NonNullable<ViewFacts["paging"]>,
        picture: GPUBuffer,
        first: number,
        tiles: number,
        signal: AbortSignal | undefined,
        isFirst = true,
    ): Promise<void> {
        const [slots, missing, asked, waiting] = paging;
        const bits = asked - missing;
        const { queue } = this.device;
        let starts = isFirst;
        let lastWaiting = Infinity;
        for (let idle = 0; ;) {
            signal?.throwIfAborted();
            queue.writeBuffer(picture, 4 * slots, await this.#input(InputKind.slots, 0));
            // Nothing is missing yet, nothing is requested, no ray waits.
            queue.writeBuffer(picture, 4 * missing, new Uint32Array(2 * bits + 1));
            this.#submit(pipeline, bindGroup, facts, first, tiles, starts);
            const found = await this.#download(4 * missing, 4 * (waiting + 1 - missing));
            const nowWaiting = new Uint32Array(found.buffer)[2 * bits] ?? 0;
            if (nowWaiting === 0) return;
            await this.#loadPages(found.slice(0, 8 * bits), signal);
            starts = false;
            // Where rays wait for more pages than there are slots, those of fewer tiles come first.
            idle = nowWaiting < lastWaiting ? 0 : idle + 1;
            lastWaiting = nowWaiting;
            if (idle <= MOST_IDLE) continue;
            if (tiles === 1)
                throw new BrickworkError("gpu", "rays wait for pages of the volume again and again");
            const half = Math.floor(tiles / 2);
            const rest = tiles - half;
            await this.#converge(pipeline, bindGroup, facts, paging, picture, first, half, signal, false);
            await this.#converge(
                pipeline,
                bindGroup,
                facts,
                paging,
                picture,
                first + half,
                rest,
                signal,
                false,
            );
            return;
        }
    }

    /** Loads pages that rays wait for. `bits` are those of missing and of requested pages. */
    async #loadPages(bits: Bytes, signal: AbortSignal | undefined): Promise<void> {
        const { slots, isOnDemand } = this.#part;
        if (!isOnDemand) return this.#loadAssigned(bits);
        await fetchInPortions(this.#worker, bits, slots?.count ?? 0, signal, (portion) =>
            this.#loadAssigned(portion),
        );
    }

    /** Assigns slots to the missing pages of `bits`, and copies the pages to them. */
    async #loadAssigned(bits: Bytes): Promise<void> {
        const words = new Uint32Array((await this.#worker.call("assign", bits)).buffer);
        const loads: PageLoad[] = [];
        for (let i = 0; i + 2 < words.length; i += 3) {
            const buffer = this.#pages[words[i + 1] ?? 0];
            if (buffer) loads.push({ page: words[i] ?? 0, buffer, offset: words[i + 2] ?? 0 });
        }
        try {
            // (No signal: the worker counts the pages as loaded from now on.)
            await copyPages(this.#worker, this.device, loads);
            if (this.#part.isOnDemand) await this.#updateIndex();
        } catch (error) {
            await this.#worker.call("emptySlots", {}).catch(() => {});
            throw error;
        }
    }

    /** Uploads the records of superblocks whose pages were read for the first time. */
    async #updateIndex(): Promise<void> {
        const changes = await this.#input(InputKind.changedRecords, 0);
        const records = this.#index[1];
        if (changes.length === 0 || !records) return;
        const [start = 0] = new Uint32Array(changes.buffer, 0, 1);
        this.device.queue.writeBuffer(records, start, changes, 4);
    }

    async #download(offset: number, size: number): Promise<Bytes> {
        const { device } = this;
        const picture = this.#picture;
        if (!picture) throw new Error("there is no picture");
        const usage = BufferUsage.MAP_READ | BufferUsage.COPY_DST;
        const staging = device.createBuffer({ label: "read-back", size, usage });
        try {
            const encoder = device.createCommandEncoder();
            encoder.copyBufferToBuffer(picture, offset, staging, 0, size);
            device.queue.submit([encoder.finish()]);
            await staging.mapAsync(MAP_MODE_READ);
            return new Uint8Array(staging.getMappedRange().slice(0));
        } catch (cause) {
            throw new BrickworkError("gpu", `the picture cannot be read: ${text(cause)}`, { cause });
        } finally {
            staging.destroy();
        }
    }
}
