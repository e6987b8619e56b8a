// An image of OME-Zarr as a volume: its description, and the voxels of its parts.

import { BrickworkError } from "../errors.js";
import type { ChannelLook } from "../volume/facts.js";
import { type Bytes, copyBox, filled, product, stridesOf } from "./boxes.js";
import { type Job, voxelsOf } from "./codecs.js";
import { fault, overLimit, shown } from "./fault.js";
import type { ArrayMeta } from "./metadata.js";
import { type AxisKind, type ImageLabel, type LevelPlace, axesOf, placeOf, scaleOf } from "./ngff.js";
import { type OpenedImage, openImage } from "./open.js";
import { type Box, type Chunk, ChunkGrid, type Fetch, joined } from "./plan.js";
import type { Range } from "./shards.js";
import { KeptFiles, type Store } from "./store.js";
import { Limiter, inTurns } from "./turns.js";

/** Requests at the same time: browsers open six connections to a server of HTTP/1.1. */
const MAX_REQUESTS = 6;

/** Ranges in memory at the same time. */
const MAX_RANGES = 10;

/** Bytes of compressed chunks that are kept. */
const MAX_KEPT = 64 << 20;

/** Maximum size of a part in memory. */
const MAX_PART = 2 ** 31 - 1;

/** Decodes a chunk's box. */
export type Decode = (job: Job, signal: AbortSignal) => Promise<Bytes>;

/** A mip level. */
export interface LevelDescription {
    readonly dims: readonly [number, number, number];
    readonly spacing: readonly [number, number, number];
    readonly origin: readonly [number, number, number];
    /** Voxels of a chunk that is decoded on its own. */
    readonly chunk: readonly [number, number, number];
}

/** An image, as messages can carry it. */
export interface ImageDescription {
    /** Path of the image in the hierarchy. */
    readonly path: string;
    readonly version: string | null;
    readonly zarrVersion: 2 | 3;
    readonly voxelType: string;
    readonly isLabels: boolean;
    readonly channels: number;
    readonly channelLooks: readonly ChannelLook[];
    readonly frames: number;
    readonly frameSeconds: number;
    readonly levels: readonly LevelDescription[];
    readonly labels: readonly ImageLabel[];
    readonly labelPaths: readonly string[];
    readonly orientation: readonly number[] | null;
    readonly metadata: Readonly<Record<string, unknown>> | null;
    readonly notes: readonly string[];
}

/** A part of an image. */
export interface ImagePart {
    readonly level: number;
    readonly frame: number;
    /** Undefined for all channels, side by side. */
    readonly channel: number | undefined;
    /** From and to along x, y and z. Default: all. Of regions, chunks are kept: others may need them, too. */
    readonly region?: readonly number[];
}

interface Level {
    readonly array: ArrayMeta;
    readonly grid: ChunkGrid;
    readonly axes: readonly AxisKind[];
    readonly place: LevelPlace;
}

/** An image whose parts can be read. */
export class ZarrImage {
    readonly description: ImageDescription;
    readonly #store: Store;
    readonly #levels: readonly Level[];
    readonly #requests = new Limiter(MAX_REQUESTS);
    readonly #kept = new KeptFiles(MAX_KEPT);
    /** Key of a chunk, or of a shard, that was there. */
    #known: string | undefined;

    private constructor(store: Store, levels: readonly Level[], description: ImageDescription) {
        this.#store = store;
        this.#levels = levels;
        this.description = description;
    }

    /** Opens the image at a path of a store. */
    static async open(store: Store, path: string, signal: AbortSignal): Promise<ZarrImage> {
        const opened = await openImage(store, path, signal);
        const { image } = opened;
        const levels = levelsOf(opened);
        const [first] = levels;
        if (!first) throw fault(path, "there are no levels");
        const side = (level: Level, axis: AxisKind) => sideOf(level, axis);
        levels.forEach((level, index) => {
            const isSame =
                level.array.type === first.array.type &&
                side(level, "channel") === side(first, "channel") &&
                side(level, "frame") === side(first, "frame");
            if (!isSame)
                throw fault(
                    level.array.prefix,
                    `level ${index} differs from level 0 in type, channels or frames`,
                );
        });
        const { type } = first.array;
        const notes = [...opened.notes, ...levels.flatMap(({ place }) => place.notes)];
        const { places, note } = alignedOrigins(opened, levels);
        if (note) notes.push(note);
        if (type.name === "float64") notes.push("numbers of 64 bits are rendered as 32-bit floats");
        const description: ImageDescription = {
            path: opened.path,
            version: image?.version ?? null,
            zarrVersion: first.array.version,
            voxelType: type.voxelType,
            isLabels: image?.isLabels ?? false,
            channels: side(first, "channel"),
            channelLooks: image?.channels ?? [],
            frames: side(first, "frame"),
            frameSeconds: first.place.frameSeconds,
            levels: levels.map((level, index) => ({
                dims: [side(level, "x"), side(level, "y"), side(level, "z")],
                spacing: level.place.spacing,
                origin: places[index] ?? level.place.origin,
                chunk: [chunkSide(level, "x"), chunkSide(level, "y"), chunkSide(level, "z")],
            })),
            labels: image?.labels ?? [],
            labelPaths: opened.labelPaths,
            orientation: image?.orientation ?? null,
            metadata: image?.metadata ?? null,
            notes: [...new Set(notes)],
        };
        return new ZarrImage(store, levels, description);
    }

    /** True if chunks need the decoder of the codec `brickwork`. */
    get hasBricks(): boolean {
        return this.#levels.some(({ array }) => array.hasBricks);
    }

    /**
     * Reads a part: numbers in little-endian order, channels fastest, then x, y and z. `progress` receives the
     * bytes of voxels that are there, and of all.
     */
    async read(
        part: ImagePart,
        decode: Decode,
        signal: AbortSignal,
        progress: (done: number, total: number) => void,
    ): Promise<Bytes> {
        const level = this.#levels[part.level];
        if (!level) throw fault("", `there is no level ${part.level}`);
        const { array, axes, grid } = level;
        const box = this.#box(level, part);
        const counts = box.map(([start, end]) => end - start);
        const voxelBytes = voxelsOf(array.fill, array.type).length as 1 | 2 | 4 | 8;
        const total = product(counts) * voxelBytes;
        if (total > MAX_PART)
            throw overLimit(array.prefix, `the part takes ${total} bytes; the limit is ${MAX_PART}`);
        let voxels: Bytes;
        try {
            voxels = filled(product(counts), voxelsOf(array.fill, array.type));
        } catch (cause) {
            throw overLimit(
                array.prefix,
                `${total} bytes of memory are not available (${shown(String(cause))})`,
            );
        }
        // Axes of the result, the slowest first.
        const slowest: readonly AxisKind[] = ["frame", "z", "y", "x", "channel"];
        const order = axes
            .map((_, axis) => axis)
            .sort((a, b) => rank(slowest, axes, a) - rank(slowest, axes, b));
        const along = (values: readonly number[]) => order.map((axis) => values[axis] ?? 1);
        const strides = stridesOf(along(counts));
        let done = 0;
        progress(0, total);
        const take = (start: readonly number[], taken: readonly number[], numbers: Bytes) => {
            const first = along(start).reduce((sum, at, index) => sum + at * (strides[index] ?? 0), 0);
            const from = { bytes: numbers, first: 0, strides: stridesOf(along(taken)) };
            copyBox(from, { bytes: voxels, first, strides }, along(taken), voxelBytes);
            done += numbers.length;
            progress(done, total);
        };
        const { refused } = this.#store.facts;
        let hasChunks = false;
        const readChunk = async (key: string, chunk: Chunk, bytes: Bytes, own: AbortSignal) => {
            const first = chunk.position.map((at, axis) => at * (grid.shape[axis] ?? 1));
            const start = box.map(([from], axis) => Math.max(0, from - (first[axis] ?? 0)));
            const taken = box.map(([, to], axis) => {
                const side = grid.shape[axis] ?? 1;
                return Math.min(side, to - (first[axis] ?? 0)) - (start[axis] ?? 0);
            });
            const job: Job = {
                name: `${key}, chunk ${chunk.position.join(",")}`,
                bytes,
                pipeline: grid.pipeline,
                shape: grid.shape,
                type: array.type,
                fill: array.fill,
                start,
                counts: taken,
                axes: order,
            };
            const numbers = await decode(job, own);
            own.throwIfAborted();
            take(
                first.map((at, axis) => at + (start[axis] ?? 0) - (box[axis]?.[0] ?? 0)),
                taken,
                numbers,
            );
        };
        const ranges = new Limiter(MAX_RANGES);
        await inTurns(grid.files(box), MAX_RANGES, signal, async (position, own) => {
            const all = await this.#requests.run(() => grid.fetches(this.#store, position, box, own));
            const [fetches, kept] = part.region ? this.#others(all) : [all, []];
            hasChunks ||= kept.length > 0;
            await Promise.all([
                ...kept.map(({ key, chunk, bytes }) => ranges.run(() => readChunk(key, chunk, bytes, own))),
                ...fetches.map((fetch) =>
                    ranges.run(async () => {
                        own.throwIfAborted();
                        const bytes = await this.#requests.run(() => this.#fetch(fetch, level, own));
                        if (!bytes) return;
                        hasChunks = true;
                        this.#known ??= fetch.key;
                        const chunks = fetch.chunks.map((chunk) => {
                            const stored = within(bytes, fetch, chunk);
                            // (Decoding takes the bytes.)
                            if (part.region) this.#kept.set(nameOf(fetch.key, chunk), stored.slice());
                            return readChunk(fetch.key, chunk, stored, own);
                        });
                        await Promise.all(chunks);
                    }),
                ),
            ]);
        });
        if (this.#store.facts.refused > refused) {
            await this.#checkRefused(array.prefix, hasChunks, part.region !== undefined, signal);
        }
        progress(total, total);
        return voxels;
    }

    /** Object stores answer with 403 where a file is missing, and where they do not allow to read it. */
    async #checkRefused(
        prefix: string,
        hasChunks: boolean,
        isRegion: boolean,
        signal: AbortSignal,
    ): Promise<void> {
        // A server that answers with 404 tells one from the other.
        const isDecided = this.#store.facts.missing > 0 || (!this.#known && !isRegion);
        if (isDecided && !hasChunks) {
            throw fault(prefix, "the server refuses all of its chunks (status 403)");
        }
        // Signed URLs expire.
        if (this.#known !== undefined && (await this.#store.refuses?.(this.#known, signal))) {
            throw fault(prefix, "the server refuses chunks that it has sent before (status 403)");
        }
    }

    #box({ array, axes }: Level, { level, frame, channel, region }: ImagePart): Box {
        const dims = this.description.levels[level]?.dims ?? [1, 1, 1];
        const [x, y, z] = [0, 1, 2].map((axis): Range => {
            const [from, to] = region ? [region[2 * axis], region[2 * axis + 1]] : [0, dims[axis]];
            return [from ?? 0, to ?? 0];
        }) as [Range, Range, Range];
        const { channels, frames } = this.description;
        const at = (name: string, index: number, count: number): Range => {
            if (Number.isInteger(index) && index >= 0 && index < count) return [index, index + 1];
            throw option(`${name} is ${index}; there are ${count}, counted from 0`);
        };
        const box = {
            x,
            y,
            z,
            frame: at("frame", frame, frames),
            channel: channel === undefined ? ([0, channels] as const) : at("channel", channel, channels),
        };
        [x, y, z].forEach(([from, to], axis) => {
            const side = dims[axis] ?? 0;
            if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from < to && to <= side)) {
                throw option(
                    `region has ${from} to ${to} along ${"xyz"[axis]}, where there are ${side} voxels`,
                );
            }
        });
        if (axes.length !== array.shape.length)
            throw fault(array.prefix, "the axes are not those of the array");
        return axes.map((axis) => box[axis]);
    }

    /** Returns the requests for chunks that are not kept, and those that are. */
    #others(fetches: readonly Fetch[]): [Fetch[], { key: string; chunk: Chunk; bytes: Bytes }[]] {
        const kept: { key: string; chunk: Chunk; bytes: Bytes }[] = [];
        const others = fetches.flatMap((fetch) => {
            const { key } = fetch;
            const missing = fetch.chunks.filter((chunk) => {
                const bytes = this.#kept.get(nameOf(key, chunk));
                if (bytes) kept.push({ key, chunk, bytes: bytes.slice() });
                return !bytes;
            });
            return missing.length === fetch.chunks.length ? [fetch] : joined(key, missing);
        });
        return [others, kept];
    }

    async #fetch({ key, range }: Fetch, { grid }: Level, signal: AbortSignal): Promise<Bytes | undefined> {
        if (!range) return this.#store.get(key, grid.maxStored, signal);
        const [start, end] = range;
        const bytes = await this.#store.getRange(key, start, end, signal);
        if (!bytes) throw fault(key, "it is no longer there");
        return bytes;
    }
}

function within(bytes: Bytes, fetch: Fetch, { range }: Chunk): Bytes {
    const start = fetch.range?.[0] ?? 0;
    if (!range || fetch.chunks.length === 1) return bytes;
    return bytes.slice(range[0] - start, range[1] - start);
}

function levelsOf({ levels, image, axes: texts }: OpenedImage): Level[] {
    return levels.map(({ array, transformations }) => {
        const { prefix, shape } = array;
        const own = texts ?? [];
        if (own.length !== shape.length)
            throw fault(prefix, `there are ${own.length} axes for an array of ${shape.length}`);
        const axes = axesOf(prefix, own, shape);
        const scale = scaleOf(prefix, shape.length, [transformations, image?.transformations]);
        return { array, axes, grid: new ChunkGrid(array), place: placeOf(prefix, axes, own, scale) };
    });
}

/** Returns the origins of levels without a translation: the centres of all levels are at the same place. */
function alignedOrigins(
    { levels: arrays }: OpenedImage,
    levels: readonly Level[],
): { places: [number, number, number][]; note: string | undefined } {
    const [first] = levels;
    const isTranslated = arrays.some(
        ({ array, transformations }) =>
            scaleOf(array.prefix, array.shape.length, [transformations]).isTranslated,
    );
    const isCoarser = ({ place }: Level) =>
        place.spacing.some((side, axis) => side > (first?.place.spacing[axis] ?? side));
    if (!first || isTranslated || !levels.some(isCoarser)) return { places: [], note: undefined };
    const places = levels.map(({ place }) =>
        place.origin.map(
            (at, axis) => at + ((place.spacing[axis] ?? 1) - (first.place.spacing[axis] ?? 1)) / 2,
        ),
    );
    const note = "the levels state no translation: the first voxel of each is placed on those that it covers";
    return { places: places as [number, number, number][], note };
}

function sideOf({ array, axes }: Level, axis: AxisKind): number {
    return array.shape[axes.indexOf(axis)] ?? 1;
}

function nameOf(key: string, { range }: Chunk): string {
    return `${key} ${range?.join("-") ?? ""}`;
}

function chunkSide({ grid, axes }: Level, axis: AxisKind): number {
    return grid.shape[axes.indexOf(axis)] ?? 1;
}

function rank(order: readonly AxisKind[], axes: readonly AxisKind[], axis: number): number {
    const kind = axes[axis];
    return kind ? order.indexOf(kind) : 0;
}

function option(reason: string): Error {
    return new BrickworkError("option", reason);
}
