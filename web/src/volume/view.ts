// The class of the export `./volume`.

import { DeviceHolder } from "../device.js";
import { BrickworkError } from "../errors.js";
import { Caster } from "./caster.js";
import { settled, untilAborted } from "../waiting.js";
import type { ZarrClient } from "../zarr/client.js";
import type { ZarrSource } from "../zarr/open.js";
import { VolumeWorker } from "./client.js";
import type {
    CameraOptions,
    LevelFacts,
    LoadStage,
    LookFacts,
    LookOptions,
    PartFacts,
    PartOptions,
    ReadFacts,
    ReadOptions,
    Rendering,
    SliceImage,
    SliceOptions,
    VolumeFacts,
} from "./facts.js";
import type { Bytes, LoadRequest, ViewRequest } from "./jobs.js";
import { Presenter, type VolumeTarget } from "./presenter.js";
import { type VolumeSource, recognised } from "./zarr-source.js";

/** Default limit of the bytes of a mip level, and of a file that is read as a whole. */
const MAX_BYTES = 256 << 20;

/** Voxels of the largest mip level of OME-Zarr that is read without a limit of bytes. */
const FIRST_VOXELS = 4 << 20;

/** Voxels of the level of OME-Zarr that decides on presets where pages are read on demand. */
const SURVEY_VOXELS = 1 << 20;

/** Bytes of a page where pages are loaded as rays need them. */
const PAGE_BYTES = 1 << 20;

export interface VolumeOptions extends PartOptions {
    /**
     * The largest mip level of at most so many bytes is read if `level` is absent. It is compressed in memory
     * and on the device. On demand, the smallest mip level has at most so many bytes. Default: 256 MiB; of
     * OME-Zarr, the largest mip level of at most 4 Mi voxels is read, or else the smallest of at most 256 MiB.
     */
    readonly maxBytes?: number;
    /**
     * Maximum size of a file that is read as a whole: of a format other than `.bwv`, or from a server that
     * does not support ranges. Default: 256 MiB.
     */
    readonly maxWholeBytes?: number;
    /**
     * Maximum memory of the device for bricks. A larger volume is loaded in pages as rays need them. It must
     * have room for 32 pages, or for all if there are fewer: the error `limit` states their size. Default: as
     * much as kernels can bind, or on demand 256 MiB.
     */
    readonly gpuBytes?: number;
    /** Takes a URL or a Blob for an OME-Zarr. Default: its name decides, of a Blob its first bytes. */
    readonly format?: "zarr";
    /** Path of the image in an OME-Zarr, such as `labels/cells`. Default: its root. */
    readonly path?: string;
    /**
     * Renders on the CPU, in the worker, without a device. It is slow, but faster than software adapters of
     * WebGPU. Default: true if there are only these, and `device` and `onDemand` are absent.
     */
    readonly cpu?: boolean;
    /** URL of `brickwork-volume.wasm`. Default: the file of the package. */
    readonly wasm?: string | URL;
    /**
     * URL of `brickwork-volume-full.wasm`, which replaces the former for other formats than `.bwv` and if
     * `cpu` is true. Default: the file of the package.
     */
    readonly wasmFull?: string | URL;
    /**
     * Receives what is done of a stage, and its total: bytes of voxels while reading, units of work in the
     * stages that follow.
     */
    readonly onProgress?: (done: number, total: number, stage: LoadStage) => void;
    readonly signal?: AbortSignal;
}

export interface RenderOptions {
    readonly width: number;
    readonly height: number;
    /** Default: that of {@link VolumeView.camera}. */
    readonly camera?: CameraOptions;
    /** Counts samples and bricks, which makes renderings slightly slower. Default: false. */
    readonly statistics?: boolean;
    readonly signal?: AbortSignal;
}

export interface DrawOptions {
    /** Pixels of the picture along each axis by those of the target. Default: 1. */
    readonly scale?: number;
    readonly signal?: AbortSignal;
    /** Receives the share of the picture that was drawn. */
    readonly onProgress?: (share: number) => void;
}

/** A volume that is rendered by the native ray casters. */
export class VolumeView {
    /** Facts of the file. */
    readonly facts: VolumeFacts;
    readonly #worker: VolumeWorker;
    readonly #holder: DeviceHolder | undefined;
    readonly #target: VolumeTarget | undefined;
    readonly #options: VolumeOptions;
    readonly #zarr: ZarrClient | undefined;
    #request: LoadRequest | undefined;
    #part: PartFacts | undefined;
    #look: LookFacts | undefined;
    #camera: CameraOptions = {};
    #caster: Caster | undefined;
    #presenter: Presenter | undefined;
    /** Calls that use the worker's view or the device run one after the other. */
    #last: Promise<unknown> = Promise.resolve();
    #lastLoad: Promise<unknown> = Promise.resolve();
    #drawing: AbortController | undefined;
    #isDisposed = false;

    private constructor(
        worker: VolumeWorker,
        holder: DeviceHolder | undefined,
        target: VolumeTarget | undefined,
        facts: VolumeFacts,
        options: VolumeOptions,
        zarr: ZarrClient | undefined,
    ) {
        this.#zarr = zarr;
        this.#worker = worker;
        this.#holder = holder;
        this.#target = target;
        this.#options = options;
        this.facts = facts;
    }

    /**
     * Opens a volume and loads a part of it. A `.bwv` file is read by ranges: the first and the last 64 KiB,
     * which usually contain header and index, then the chunks of the mip level. Longer metadata, a longer
     * index and a size that the server does not expose (`Content-Range`) take one more request each. NRRD,
     * MetaImage, NIfTI, MRC, MGH and NumPy files are read as a whole. Of an OME-Zarr, the chunks of one mip
     * level, channel and frame are read.
     *
     * @param device The caller's device, which is never destroyed. Without one, the view has its own, which
     *     is replaced once if it is lost.
     * @param target Canvas, or texture with the usage `RENDER_ATTACHMENT`, for {@link draw}.
     * @throws {BrickworkError} or the reason of the signal. `source` for files that cannot be read, `limit`
     *     if no mip level is small enough.
     */
    static async open(
        device: GPUDevice | undefined,
        target: VolumeTarget | undefined,
        source: VolumeSource,
        options: VolumeOptions = {},
    ): Promise<VolumeView> {
        const { signal } = options;
        const holder = await holderOf(device, options);
        let worker: VolumeWorker | undefined;
        let opening: Promise<ZarrClient> | undefined;
        let view: VolumeView | undefined;
        try {
            const found = await recognised(source, options.format);
            if ("zarr" in found) opening = openZarr(found.zarr, options.path, signal);
            // (It may fail before it is awaited.)
            opening?.catch(() => {});
            worker = await VolumeWorker.create(options, !holder, signal);
            const zarr = await opening;
            const facts = zarr
                ? await described(worker, zarr)
                : await openFile(worker, (found as { file: string | Blob }).file, options);
            view = new VolumeView(worker, holder, target, facts, options, zarr);
            await view.load(options, signal);
            return view;
        } catch (error) {
            view?.dispose();
            worker?.close(error);
            opening?.then((zarr) => zarr.close(error)).catch(() => {});
            if (!view) holder?.dispose();
            throw error;
        }
    }

    /** Requests and bytes so far. */
    get read(): ReadFacts {
        if (!this.#zarr) return this.#worker.read;
        const { requests, bytes } = this.#zarr.facts;
        return { requests, bytes, isWhole: false };
    }

    /** True if the CPU renders. */
    get isOnCpu(): boolean {
        return !this.#holder;
    }

    /** The loaded part. */
    get part(): PartFacts {
        if (!this.#part) throw notLoaded();
        return this.#part;
    }

    /** Mip level of the loaded part. */
    get level(): number {
        return this.#request?.level ?? 0;
    }

    get look(): LookFacts {
        return this.#look ?? this.part.look;
    }

    /** Camera of {@link draw}, and default of {@link render}. */
    get camera(): CameraOptions {
        return this.#camera;
    }

    set camera(camera: CameraOptions) {
        this.#camera = { ...camera };
    }

    /**
     * Loads another part of the file, with the look that suits it. If it is aborted, no part is loaded. Chunks of
     * an OME-Zarr are read first: until then, the earlier part is drawn, and remains if one cannot be read.
     */
    load(options: PartOptions, signal?: AbortSignal): Promise<PartFacts> {
        const zarr = this.#zarr;
        if (!zarr) return this.#load(options, undefined, signal);
        const before = this.#lastLoad;
        const loading = (async () => {
            this.#checkOnDemand(options);
            await untilAborted(before, signal);
            return this.#load(options, await this.#readVoxels(zarr, options, signal), signal);
        })();
        this.#lastLoad = settled(before, loading);
        return loading;
    }

    #load(options: PartOptions, voxels: Bytes | undefined, signal?: AbortSignal): Promise<PartFacts> {
        return this.#alone(async () => {
            const onDemand = options.onDemand ?? false;
            this.#checkOnDemand(options);
            const level = options.level ?? (onDemand ? 0 : this.#chooseLevel());
            // The smallest mip level must be small: on demand, one is read as a whole and decides on presets.
            if (onDemand && !this.#zarr) this.#chooseLevel();
            const device = await this.#holder?.current();
            const most = device ? Caster.bufferBytes(device) : 2 ** 31;
            let request: LoadRequest = {
                level,
                frame: options.frame ?? 0,
                channel: options.channel ?? 0,
                labels: options.labels ?? false,
                onDemand,
                bufferBytes: most,
                ...this.#pool(most, onDemand),
            };
            const zarr = this.#zarr;
            if (zarr && onDemand) {
                const pageSide = zarr.pageSide(level, request.poolBytes ?? MAX_BYTES);
                request = { ...request, pageSide, surveyLevel: this.#surveyLevel(level) };
            }
            const onProgress = this.#options.onProgress;
            this.#release();
            let part: PartFacts;
            try {
                part = voxels
                    ? await this.#loadVoxels(request, voxels, signal)
                    : await this.#worker.call("load", request, { signal, onProgress });
            } catch (error) {
                // It is not known which part the worker has.
                if (signal?.aborted) {
                    this.#request = undefined;
                    this.#part = undefined;
                    this.#look = undefined;
                }
                throw error;
            }
            this.#request = request;
            this.#part = part;
            this.#look = part.look;
            await this.#prepare(signal);
            return part;
        }, signal);
    }

    /** Reads the voxels of a part, or on demand those that decide on presets. */
    #readVoxels(zarr: ZarrClient, options: PartOptions, signal?: AbortSignal): Promise<Bytes> {
        const { level, frame = 0, channel = 0, onDemand = false } = options;
        const read = onDemand ? this.#surveyLevel(level ?? 0) : (level ?? this.#chooseLevel());
        const report = this.#options.onProgress;
        const onProgress = report && ((done: number, total: number) => report(done, total, "reading"));
        return zarr.read({ level: read, frame, channel }, { signal, onProgress });
    }

    /** Returns the level of an OME-Zarr whose voxels decide on presets. */
    #surveyLevel(level: number): number {
        const { levels } = this.facts;
        const isSmall = ({ dims: [x, y, z] }: LevelFacts) => x * y * z <= SURVEY_VOXELS;
        const found = levels.findIndex((facts, index) => index >= level && isSmall(facts));
        if (found >= 0) return found;
        const most = this.#options.maxBytes ?? MAX_BYTES;
        const last = levels.length - 1;
        const { bytes = 0 } = levels[last] ?? {};
        if (bytes <= most) return last;
        const text = `the smallest mip level takes ${bytes} bytes, and the limit is ${most}`;
        throw new BrickworkError("limit", text);
    }

    /** Loads voxels that the reader of OME-Zarr has read. */
    async #loadVoxels(
        request: LoadRequest,
        voxels: Bytes,
        signal: AbortSignal | undefined,
    ): Promise<PartFacts> {
        await this.#worker.call("supplyVoxels", voxels, { signal });
        const onProgress = this.#options.onProgress;
        const loaded = { ...request, frame: 0, channel: 0 };
        const part = await this.#worker.call("load", loaded, { signal, onProgress });
        const { level, frame, channel, onDemand } = request;
        this.#worker.fetchPages = onDemand
            ? this.#zarr?.pagesOf({ level, frame, channel }, this.#worker)
            : undefined;
        const look = request.labels ? undefined : this.#zarr?.lookOf(request.channel);
        return look ? { ...part, look: await this.#worker.call("look", look, { signal }) } : part;
    }

    /** Chooses the look. Absent options have values that suit the volume. */
    setLook(options: LookOptions): Promise<LookFacts> {
        return this.#alone(async () => {
            this.#checkIsLoaded();
            this.#look = await this.#worker.call("look", options);
            try {
                await this.#caster?.setLook(this.#look.mode);
            } catch (error) {
                // It has the earlier look, which the worker has no more.
                this.#release();
                throw error;
            }
            return this.#look;
        });
    }

    /** Renders a picture and reads it back. */
    render(options: RenderOptions): Promise<Rendering> {
        const { width, height, signal } = options;
        return this.#alone(async () => {
            this.#checkIsLoaded();
            const request: ViewRequest = {
                ...(options.camera ?? this.#camera),
                width,
                height,
                statistics: options.statistics ?? false,
            };
            if (this.isOnCpu) {
                const pixels = await this.#worker.call("render", request, { signal });
                return { width, height, pixels: clamped(pixels), statistics: null };
            }
            const caster = await this.#prepare(signal);
            await this.#draw(caster, request, signal);
            const { pixels, counts } = await caster.read(width * height);
            this.#checkNotLost(caster);
            const [samples = 0, brickLookups = 0, misses = 0, brickReads = 0] = counts;
            const statistics = options.statistics ? { samples, brickLookups, misses, brickReads } : null;
            return { width, height, pixels: clamped(pixels), statistics };
        }, signal);
    }

    /**
     * Draws the camera's picture on the target. A later call aborts an earlier one that is not finished.
     * Returns false if that happened.
     */
    async draw(options: DrawOptions = {}): Promise<boolean> {
        const target = this.#target;
        if (!target) throw new BrickworkError("option", "the view has no target");
        this.#drawing?.abort();
        const drawing = (this.#drawing = new AbortController());
        const abort = () => drawing.abort();
        options.signal?.throwIfAborted();
        options.signal?.addEventListener("abort", abort);
        try {
            return await this.#alone(async () => {
                if (drawing.signal.aborted) return false;
                this.#checkIsLoaded();
                const scale = options.scale ?? 1;
                const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
                const [width, height] = [side(target.width), side(target.height)];
                const request: ViewRequest = { ...this.#camera, width, height };
                if (this.isOnCpu) {
                    const pixels = await this.#worker.call("render", request);
                    if (drawing.signal.aborted) return false;
                    await paint(target, pixels, width, height);
                    return true;
                }
                const caster = await this.#prepare(drawing.signal);
                const presenter = (this.#presenter ??= new Presenter(caster.device, target));
                await this.#draw(caster, request, drawing.signal, options.onProgress);
                this.#checkNotLost(caster);
                if (caster.picture) presenter.show(caster.picture, width, height);
                return true;
            });
        } catch (error) {
            if (drawing.signal.aborted && !options.signal?.aborted && !this.#isDisposed) return false;
            options.signal?.throwIfAborted();
            throw error;
        } finally {
            options.signal?.removeEventListener("abort", abort);
        }
    }

    /** Returns a slice as an image: of the loaded part, or of a mip level of the file. */
    async slice(options: SliceOptions = {}, signal?: AbortSignal): Promise<SliceImage> {
        if (options.level === undefined && (options.frame ?? options.channel) !== undefined) {
            throw new BrickworkError("option", "frame and channel of a slice need its level");
        }
        const bytes = await this.#alone(async () => {
            if (options.level === undefined) this.#checkIsLoaded();
            const loaded = this.#request;
            const labels = loaded?.labels ?? false;
            const shown = loaded?.onDemand && options.level === undefined ? loaded : options;
            const { level, frame = 0, channel = 0 } = shown;
            if (this.#zarr && level !== undefined) {
                const part = { ...options, level, frame: 0, channel: 0, labels };
                const region = await this.#worker.call("sliceRegion", part, { signal });
                const voxels = await this.#zarr.read({ level, frame, channel, region }, { signal });
                await this.#worker.call("supplyVoxels", voxels, { signal });
                return this.#worker.call("slice", part, { signal });
            }
            if (!loaded?.onDemand || options.level !== undefined)
                return this.#worker.call("slice", { ...options, labels }, { signal });
            const of = { level: loaded.level, frame: loaded.frame, channel: loaded.channel, labels };
            return this.#worker.call("slice", { ...options, ...of }, { signal });
        }, signal);
        const [width = 0, height = 0, index = 0, count = 0] = new Uint32Array(bytes.buffer, 0, 4);
        const [right = 0, down = 0] = new Float64Array(bytes.buffer, 16, 2);
        const pixels = new Uint8ClampedArray(bytes.buffer, 32);
        return { width, height, index, count, spacing: [right, down], pixels };
    }

    /**
     * Returns voxels of any part of the file: numbers of its type in little-endian order, channels fastest,
     * then x, y and z. Only the chunks that the region meets are read.
     */
    async voxels(options: ReadOptions = {}, signal?: AbortSignal): Promise<Bytes> {
        const { level = 0, frame = 0, channel = 0, region, allChannels = false } = options;
        return this.#alone(() => {
            if (!this.#zarr) return this.#worker.call("read", options, { signal });
            const part = {
                level,
                frame,
                channel: allChannels ? undefined : channel,
                ...(region ? { region } : {}),
            };
            return this.#zarr.read(part, { signal });
        }, signal);
    }

    /** Ends the worker and frees what is on the device. Calls that are not finished fail. */
    dispose(): void {
        if (this.#isDisposed) return;
        this.#isDisposed = true;
        this.#drawing?.abort();
        this.#worker.close(disposed());
        this.#zarr?.close(disposed());
        this.#release();
        this.#presenter?.dispose();
        this.#holder?.dispose();
    }

    /** Returns the largest mip level that is small enough. */
    #chooseLevel(): number {
        const most = this.#options.maxBytes ?? MAX_BYTES;
        if (this.#zarr && this.#options.maxBytes === undefined) {
            const isSmall = ({ dims: [x, y, z] }: LevelFacts) => x * y * z <= FIRST_VOXELS;
            const first = this.facts.levels.findIndex(isSmall);
            if (first >= 0) return first;
            const last = this.facts.levels.length - 1;
            if ((this.facts.levels[last]?.bytes ?? 0) <= most) return last;
        }
        const level = this.facts.levels.findIndex(({ bytes }) => bytes <= most);
        if (level >= 0) return level;
        const smallest = this.facts.levels.at(-1)?.bytes ?? 0;
        const text = `the smallest mip level takes ${smallest} bytes, and the limit is ${most}`;
        throw new BrickworkError("limit", `${text}: write a file with more mip levels, or raise maxBytes`);
    }

    /** Returns the memory that the device may use for pages, and the size of a page. */
    #pool(bufferBytes: number, onDemand: boolean): Pick<LoadRequest, "poolBytes" | "pageBytes"> {
        // Kernels bind four buffers.
        const wanted = this.#options.gpuBytes ?? (onDemand ? MAX_BYTES : Infinity);
        const most = Math.min(wanted, 4 * bufferBytes);
        if (onDemand) return { poolBytes: most };
        if (this.isOnCpu) return {};
        return { poolBytes: most, pageBytes: Math.min(PAGE_BYTES, Math.floor(most / 256)) };
    }

    /** Returns the volume on the device, uploaded again after a loss. */
    async #prepare(signal: AbortSignal | undefined): Promise<Caster> {
        if (!this.#holder) return undefined as never;
        const device = await this.#holder.current();
        if (this.#caster?.device === device) return this.#caster;
        this.#release();
        this.#presenter = undefined;
        const caster = await Caster.upload(device, this.part, this.#worker, signal);
        try {
            await caster.setLook(this.look.mode);
        } catch (error) {
            caster.dispose();
            throw error;
        }
        this.#caster = caster;
        return caster;
    }

    async #draw(
        caster: Caster,
        request: ViewRequest,
        signal: AbortSignal | undefined,
        part?: (share: number) => void,
    ): Promise<void> {
        const { facts, params } = await this.#worker.call("view", request, { signal });
        await caster.draw(facts, params, signal, part);
    }

    #checkOnDemand({ onDemand }: PartOptions): void {
        if (onDemand && !this.#holder) throw new BrickworkError("option", "onDemand needs WebGPU");
    }

    #checkIsLoaded(): void {
        if (!this.#part) throw notLoaded();
    }

    #checkNotLost(caster: Caster): void {
        this.#holder?.checkNotLost(caster.device);
    }

    #release(): void {
        this.#caster?.dispose();
        this.#caster = undefined;
    }

    /** Runs `work` after all earlier work. Rejects as soon as the signal aborts before that. */
    async #alone<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
        const before = this.#last;
        const result = (async () => {
            await untilAborted(before, signal);
            if (this.#isDisposed) throw disposed();
            return work();
        })();
        this.#last = settled(before, result);
        return result;
    }
}

/** Returns the device; undefined if the CPU renders. */
async function holderOf(
    device: GPUDevice | undefined,
    { cpu, onDemand = false }: VolumeOptions,
): Promise<DeviceHolder | undefined> {
    if (cpu) return undefined;
    const holder = await DeviceHolder.create(device);
    if (device || onDemand || cpu === false) return holder;
    const { adapterInfo } = (await holder.current()) as { adapterInfo?: GPUAdapterInfo };
    if (!adapterInfo?.isFallbackAdapter) return holder;
    holder.dispose();
    return undefined;
}

async function openFile(
    worker: VolumeWorker,
    source: string | Blob,
    options: VolumeOptions,
): Promise<VolumeFacts> {
    const { signal } = options;
    const file = { source, maxWholeBytes: options.maxWholeBytes ?? MAX_BYTES };
    const facts = await worker.call("open", file, { signal });
    if (facts) return facts;
    await worker.useFull(options, signal);
    const found = await worker.call("open", file, { signal });
    if (!found) throw new Error("the full module does not read the file");
    return found;
}

async function openZarr(source: ZarrSource, path = "", signal?: AbortSignal): Promise<ZarrClient> {
    const { ZarrClient } = await import("../zarr/client.js");
    return ZarrClient.open(source, path, signal);
}

async function described(worker: VolumeWorker, zarr: ZarrClient): Promise<VolumeFacts> {
    zarr.provide(worker.module);
    return zarr.factsOf(await worker.call("describe", zarr.volume));
}

function clamped(bytes: Bytes): Uint8ClampedArray<ArrayBuffer> {
    return new Uint8ClampedArray(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Shows a picture of the CPU on a canvas. */
async function paint(target: VolumeTarget, pixels: Bytes, width: number, height: number): Promise<void> {
    if (!("getContext" in target)) throw new BrickworkError("option", "the CPU draws on canvases only");
    const context = target.getContext("2d") as CanvasRenderingContext2D | null;
    if (!context) throw new BrickworkError("option", "the canvas has a context of another kind");
    const bitmap = await createImageBitmap(new ImageData(clamped(pixels), width, height));
    context.clearRect(0, 0, target.width, target.height);
    context.drawImage(bitmap, 0, 0, target.width, target.height);
    bitmap.close();
}

function notLoaded(): BrickworkError {
    return new BrickworkError("option", "no part of the volume is loaded");
}

function disposed(): BrickworkError {
    return new BrickworkError("disposed", "the view was disposed of");
}
