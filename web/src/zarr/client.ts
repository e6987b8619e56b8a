// The page's side: workers that read an image of OME-Zarr.

import { BrickworkError } from "../errors.js";
import { type CallOptions, Caller, type Peer } from "../calls.js";
import type { Bytes } from "./boxes.js";
import type { Calls, Progress, Request } from "./messages.js";
import type { ZarrSource } from "./open.js";
import { pageSide, readPages } from "./pages.js";
import type { ImageDescription, ImagePart } from "./source.js";
import { NO_FACTS, type StoreFacts } from "./store.js";
import type { VolumeWorker } from "../volume/client.js";
import type { LookOptions, VolumeFacts } from "../volume/facts.js";

/** Maximum number of workers that decode chunks. There are at least two: the page itself waits. */
const MAX_WORKERS = 4;

type ZarrCaller = Caller<Calls, StoreFacts, Progress>;

/** An image of OME-Zarr. */
export class ZarrClient {
    readonly description: ImageDescription;
    readonly #workers: readonly Worker[];
    readonly #caller: ZarrCaller;

    private constructor(description: ImageDescription, workers: readonly Worker[], caller: ZarrCaller) {
        this.description = description;
        this.#workers = workers;
        this.#caller = caller;
    }

    /** Opens the image at a path of a hierarchy. */
    static async open(source: ZarrSource, path: string, signal?: AbortSignal): Promise<ZarrClient> {
        const cores = globalThis.navigator?.hardwareConcurrency ?? 2;
        const count = Math.max(2, Math.min(MAX_WORKERS, cores - 1));
        const workers: Worker[] = [];
        const start = () => {
            try {
                const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
                workers.push(worker);
                return worker;
            } catch (cause) {
                throw new BrickworkError("cpu", "the worker cannot be started", { cause });
            }
        };
        const end = () => workers.forEach((worker) => worker.terminate());
        try {
            const main = start();
            const caller = new Caller<Calls, StoreFacts, Progress>(main as unknown as Peer, NO_FACTS);
            const post = (worker: Worker, message: Request, ports: MessagePort[]) =>
                worker.postMessage(message, ports);
            const helpers = Array.from({ length: count }, () => {
                const { port1, port2 } = new MessageChannel();
                post(start(), { port: port1 }, [port1]);
                return port2;
            });
            post(main, { helpers }, helpers);
            for (const worker of workers) {
                worker.onerror = (event) => {
                    event.preventDefault();
                    const reason = event.message || "its code cannot be loaded";
                    caller.fail(new BrickworkError("cpu", `the worker failed: ${reason}`));
                };
            }
            const description = await caller.call(
                "open",
                { source, path: path.replace(/^\/+|\/+$/g, "") },
                { signal },
            );
            return new ZarrClient(description, workers, caller);
        } catch (error) {
            end();
            throw error;
        }
    }

    /** Provides the module of volumes, which decodes chunks of the codec `brickwork`. */
    provide(module: WebAssembly.Module): void {
        for (const worker of this.#workers) worker.postMessage({ module } satisfies Request);
    }

    /** How files were read so far. */
    get facts(): StoreFacts {
        return this.#caller.facts;
    }

    /** Reads a part: numbers in little-endian order, channels fastest, then x, y and z. */
    read(part: ImagePart, options: CallOptions<Progress>): Promise<Bytes> {
        return this.#caller.call("read", part, options);
    }

    /** Description of the image as a volume of one channel and frame, for the module. */
    get volume(): object {
        const { voxelType, isLabels, orientation, metadata, notes, levels } = this.description;
        return {
            format: "zarr",
            voxelType,
            labels: isLabels,
            orientation,
            metadata,
            notes,
            levels: levels.map(({ dims, spacing, origin }) => [...dims, ...spacing, ...origin]),
        };
    }

    /** Returns the facts of the image by those of {@link volume}. */
    factsOf(volume: VolumeFacts): VolumeFacts {
        const {
            path,
            version,
            zarrVersion,
            channels,
            channelLooks,
            frames,
            frameSeconds,
            labels,
            labelPaths,
        } = this.description;
        const names = channelLooks.map(({ name }) => name ?? "");
        const hasNames = names.length === channels && names.some((name) => name !== "");
        return {
            ...volume,
            channels,
            channelNames: hasNames ? names : volume.channelNames,
            frames,
            frameSeconds,
            labels: [
                ...volume.labels,
                ...labels.flatMap(({ value, name, color }) =>
                    color ? [{ layer: 0, value, name: name ?? "", color }] : [],
                ),
            ],
            zarr: { path, version, zarrVersion, channelLooks, labelPaths },
        };
    }

    /** Returns the look of a channel that OMERO's metadata state: its window in its colour. */
    lookOf(channel: number): LookOptions | undefined {
        const { window, color, isInverted } = this.description.channelLooks[channel] ?? {};
        if (!window || this.description.isLabels) return undefined;
        const full = [...(color ?? [1, 1, 1]), 1] as [number, number, number, number];
        const none = [0, 0, 0, 0] as const;
        const [low, high] = isInverted ? [full, none] : [none, full];
        return {
            mode: "mip",
            points: [
                [window[0], ...low],
                [window[1], ...high],
            ],
            storedValues: true,
        };
    }

    /** Returns the size of a number of the voxels in bytes. */
    get numberBytes(): number {
        return Number(/\d+/.exec(this.description.voxelType)?.[0] ?? 8) / 8;
    }

    /** Returns the sides of pages of a level for a pool of so many bytes. */
    pageSide(level: number, poolBytes: number): readonly number[] {
        const { dims, chunk } = this.description.levels[level] ?? { dims: [1, 1, 1], chunk: [1, 1, 1] };
        return pageSide(dims, chunk, this.numberBytes, poolBytes);
    }

    /** Returns a function that reads pages of a part, and supplies them to a worker. */
    pagesOf(part: ImagePart, worker: VolumeWorker): NonNullable<VolumeWorker["fetchPages"]> {
        return (pages, signal) => readPages(this, worker, part, this.numberBytes, pages, signal);
    }

    /** Ends the workers. Calls that are not finished fail. */
    close(reason: unknown): void {
        this.#caller.fail(reason);
        for (const worker of this.#workers) worker.terminate();
    }
}
