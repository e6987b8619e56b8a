// Pages of a level that rays need: boxes of voxels that are read when they are needed.

import { BrickworkError } from "../errors.js";
import type { Calls } from "../volume/jobs.js";
import type { Bytes } from "./boxes.js";
import type { ImagePart } from "./source.js";
import { inTurns } from "./turns.js";

/** Superblocks in memory have 16 voxels along each side: pages consist of whole ones. */
const UNIT = 16;

/** Side of pages if chunks have no suitable one. */
const SIDE = 64;

/** Chunks along an axis up to this side are one page each. */
const MAX_SIDE = 256;

/** Maximum number of pages: records have 13 bits for them. */
const MAX_PAGES = 1 << 13;

/** Pages that rays need at the same time, and these with some more. */
const NEEDED_SLOTS = 32;
const LEAST_SLOTS = 40;

/** Pages that are read at the same time. */
const CONCURRENT = 4;

/** Bytes of a page in memory, at most, beside those of its numbers: for each superblock. */
const EXCESS = 712 + 64 * 64;

type Sides = readonly [number, number, number];

/** What reads voxels, and what takes them. */
interface Reader {
    read(part: ImagePart, options: { signal?: AbortSignal | undefined }): Promise<Bytes>;
}
interface Taker {
    call<Name extends "pageBoxes" | "supplyPage">(
        name: Name,
        args: Calls[Name]["args"],
        options?: { signal?: AbortSignal | undefined },
    ): Promise<Calls[Name]["result"]>;
}

/**
 * Returns the sides of pages of a level: those of chunks where these are suited.
 *
 * @throws {BrickworkError} `limit` if the pool has no room for those that rays need at the same time.
 * @param numberBytes Size of a number.
 * @param poolBytes Bytes of all pages that are in memory at the same time.
 */
export function pageSide(dims: Sides, chunk: Sides, numberBytes: number, poolBytes: number): number[] {
    const sides = dims.map((all, axis) => {
        const edge = chunk[axis] ?? 1;
        const isSuited = edge % UNIT === 0 && edge >= 2 * UNIT && edge <= MAX_SIDE;
        return Math.min(isSuited ? edge : SIDE, Math.ceil(all / UNIT) * UNIT);
    });
    const largest = () => sides.indexOf(Math.max(...sides));
    const bytes = () => {
        const voxels = sides.reduce((product, side) => product * side, 1);
        return voxels * numberBytes + (voxels / UNIT ** 3) * EXCESS;
    };
    while (LEAST_SLOTS * bytes() > poolBytes && Math.max(...sides) > UNIT) {
        const axis = largest();
        sides[axis] = Math.ceil((sides[axis] ?? UNIT) / 2 / UNIT) * UNIT;
    }
    const count = () =>
        sides.reduce((product, side, axis) => product * Math.ceil((dims[axis] ?? 1) / side), 1);
    while (count() > MAX_PAGES) {
        // The axis with the shortest side that still has several pages.
        const several = sides.flatMap((side, axis) => (side < (dims[axis] ?? 1) ? [{ side, axis }] : []));
        several.sort((a, b) => a.side - b.side);
        const axis = several[0]?.axis ?? 0;
        sides[axis] = 2 * (sides[axis] ?? UNIT);
    }
    const needed = Math.min(count(), NEEDED_SLOTS) * bytes();
    if (needed > poolBytes) {
        const pages = `${count()} pages of ${sides.join("×")} voxels (at most ${MAX_PAGES})`;
        throw new BrickworkError(
            "limit",
            `a level of ${dims.join("×")} voxels has ${pages}, of which rays need ${needed} bytes at the same ` +
                `time; gpuBytes or the device's limit is ${poolBytes}: choose a smaller level`,
        );
    }
    return sides;
}

/**
 * Reads the first of these pages, and supplies their voxels: as many as have at most `maxBytes` bytes, but at
 * least one. Returns their number.
 */
export async function readPages(
    reader: Reader,
    taker: Taker,
    part: ImagePart,
    numberBytes: number,
    { pages, maxBytes }: Calls["fetchPages"]["args"],
    signal: AbortSignal | undefined,
): Promise<{ readonly count: number }> {
    const boxes = await taker.call("pageBoxes", pages, { signal });
    const regions = pages.map((page, index) => ({ page, region: boxes.slice(6 * index, 6 * index + 6) }));
    let [count, bytes] = [0, 0];
    for (const { region } of regions) {
        const [x0 = 0, x1 = 0, y0 = 0, y1 = 0, z0 = 0, z1 = 0] = region;
        bytes += (x1 - x0) * (y1 - y0) * (z1 - z0) * numberBytes;
        if (count > 0 && bytes > maxBytes) break;
        count += 1;
    }
    await inTurns(regions.slice(0, count).values(), CONCURRENT, signal, async ({ page, region }, own) => {
        const voxels = await reader.read({ ...part, region }, { signal: own });
        await taker.call("supplyPage", { page, voxels }, { signal: own });
    });
    return { count };
}
