// Mip levels by filters other than the box, with the same bytes as the native encoder.

import { filledBuffer, recordDispatches } from "./dispatches.js";
import { type Level, type TexelForm, emptyLevel } from "./mips.js";
import type { MipFilter } from "./options.js";
import type { Pipelines } from "./pipelines.js";
import { BufferUsage } from "./usage.js";
import { type Axis, axisOf, firstOf } from "./weights.js";
import { filled } from "./words.js";

export interface FilterOptions {
    readonly texels: TexelForm;
    readonly filter: MipFilter;
    /** True if colours are weighted by alpha. */
    readonly byAlpha: boolean;
    /** Light of 8-bit values, and the inverse. */
    readonly light: Uint32Array | undefined;
}

/** Most sums along rows in memory: 8 MiB. */
const MOST_SUMS = 1 << 19;
const MOST_COLUMNS = 4096;

/** Records the commands that make the next level, and submits them. */
export async function filteredLevel(
    device: GPUDevice,
    pipelines: Pipelines,
    level: Level,
    { texels, filter, byAlpha, light }: FilterOptions,
): Promise<Level> {
    const module =
        texels === "rgba8unorm"
            ? await import("./generated/mips/filters.js")
            : await import("./generated/mips/filters-halves.js");
    const data = module.default;
    const [sumsPipeline, texelsPipeline] = await Promise.all([
        pipelines.get(data.kernels[0], data.parts),
        pipelines.get(data.kernels[1], data.parts),
    ]);
    const next = emptyLevel(device, level.size, texels);
    const [width, height] = next.size;
    const rowAxis = axisOf(level.size[1], height, filter);
    const words = [...(light ?? [])];
    const columnEntries = added(words, axisOf(level.size[0], width, filter), width);
    const rowEntries = added(words, rowAxis, height);
    const [coveredColumns, coveredRows] = byAlpha
        ? [
              added(words, axisOf(level.size[0], width, "box"), width),
              added(words, axisOf(level.size[1], height, "box"), height),
          ]
        : [columnEntries, rowEntries];
    const fields = {
        ...named("column", columnEntries),
        ...named("row", rowEntries),
        ...named("coveredColumn", coveredColumns),
        ...named("coveredRow", coveredRows),
        levelPitch: width,
        pitch: level.pitch,
        channelType: level.channelType,
        byAlpha: byAlpha ? 1 : 0,
        width: level.size[0],
        height: level.size[1],
    };
    const storage = BufferUsage.STORAGE;
    const table = filledBuffer(device, "weights", storage, 4 * words.length, (memory) => memory.set(words));
    const columns = Math.min(width, MOST_COLUMNS);
    // A row of the level adds at most three rows of the image.
    const rows = Math.max(1, Math.floor((MOST_SUMS / columns - rowAxis.taps) / 3));
    const rowsSummed = (first: number, end: number) =>
        firstOf(rowAxis, end - 1) + rowAxis.taps - firstOf(rowAxis, first);
    const sumCount = Math.min(columns * rowsSummed(0, height), MOST_SUMS);
    const sums = device.createBuffer({ label: "sums along rows", size: 16 * sumCount, usage: storage });
    const bind = (buffers: readonly GPUBuffer[]): (GPUBindingResource | "params")[] => [
        "params",
        ...buffers.map((buffer) => ({ buffer })),
    ];
    for (let firstRow = 0; firstRow < height; firstRow += rows) {
        const rowCount = Math.min(rows, height - firstRow);
        const summed = rowsSummed(firstRow, firstRow + rowCount);
        for (let firstColumn = 0; firstColumn < width; firstColumn += columns) {
            const columnCount = Math.min(columns, width - firstColumn);
            const piece = { columns: columnCount, rows: rowCount, firstColumn, firstRow, sums: summed };
            const firstSum = firstOf(rowAxis, firstRow);
            const params = filled(data.params, { ...fields, ...piece, firstSum });
            const encoder = device.createCommandEncoder();
            recordDispatches(device, encoder, [
                {
                    pipeline: sumsPipeline,
                    words: params,
                    resources: bind([level.buffer, sums, table]),
                    workgroups: Math.ceil((columnCount * summed) / 64),
                },
                {
                    pipeline: texelsPipeline,
                    words: params,
                    resources: bind([level.buffer, next.buffer, table, sums]),
                    workgroups: Math.ceil((columnCount * rowCount) / 64),
                },
            ]);
            device.queue.submit([encoder.finish()]);
        }
    }
    table.destroy();
    sums.destroy();
    return next;
}

/** Place of an axis in the table of weights. */
interface Entries {
    readonly Start: number;
    readonly Stride: number;
    readonly Step: number;
    readonly Taps: number;
}

/** Adds the entries of a side of `count` texels to a table: the first source texel, then the weights. */
function added(words: number[], axis: Axis, count: number): Entries {
    const { taps, step, weights } = axis;
    const phases = weights.map((floats) => new Uint32Array(floats.buffer));
    const isSingle = phases.length === 1;
    const start = words.length;
    for (let i = 0; i < (isSingle ? 1 : count); i++) {
        words.push(firstOf(axis, i), ...(phases[i % phases.length] ?? []));
    }
    return { Start: start, Stride: isSingle ? 0 : taps + 1, Step: isSingle ? step : 0, Taps: taps };
}

function named(name: string, entries: Entries): Record<string, number> {
    return Object.fromEntries(Object.entries(entries).map(([key, value]) => [name + key, value as number]));
}
