// Division of an image into bands of blocks.

/** A pair of numbers: x and y, columns and rows, or width and height. */
export type Pair = readonly [number, number];

/** A rectangle of blocks: whole rows, or a part of one row. */
export interface Area {
    readonly column: number;
    readonly row: number;
    readonly columns: number;
    readonly rows: number;
}

/** Returns the texels of an area in an image of this size. */
export function areaTexels(area: Area, [width, height]: Pair): { origin: Pair; size: Pair } {
    const [x, y] = [4 * area.column, 4 * area.row];
    return {
        origin: [x, y],
        size: [Math.min(width - x, 4 * area.columns), Math.min(height - y, 4 * area.rows)],
    };
}

/**
 * Returns areas of at most `limit()` blocks that cover an image, in the order of its blocks. The limit may
 * change between areas. A row that was started in parts is completed in parts.
 */
export function* areasOf([columns, rows]: Pair, limit: () => number): Generator<Area> {
    let [column, row] = [0, 0];
    while (row < rows) {
        const blocks = Math.max(1, Math.floor(limit()));
        if (columns > blocks || column > 0) {
            const count = Math.min(columns - column, blocks);
            yield { column, row, columns: count, rows: 1 };
            column += count;
            if (column === columns) [column, row] = [0, row + 1];
        } else {
            const count = Math.min(Math.floor(blocks / columns), rows - row);
            yield { column, row, columns, rows: count };
            row += count;
        }
    }
}

/** Milliseconds that a band should take: drivers' watchdogs stop work that takes seconds. */
const BAND_TIME = 50;

/** Size of bands, by the time that they took. */
export class BandSizes {
    /** Blocks in the next band. */
    blocks: number;
    /**
     * Minimum of `blocks`: on hardware, the first band of a software adapter. A page that draws on the same
     * device delays bands of every size, and smaller ones would not help.
     */
    readonly #least: number;

    /** `first` is the number of blocks in the first band. */
    constructor(first: number) {
        this.blocks = first;
        this.#least = Math.max(1, Math.floor(first / 8));
    }

    /** Reports that a band of `count` blocks took this many milliseconds. */
    took(count: number, milliseconds: number): void {
        // A small band, such as an image's last one or a small mip level, takes mostly fixed time. It does not
        // show the speed unless it takes too long itself.
        if (count < this.blocks / 2 && milliseconds <= BAND_TIME) return;
        const wanted = (count * BAND_TIME) / Math.max(milliseconds, 0.1);
        // Grows gradually: the first bands include one-time costs.
        const next = Math.floor(Math.max(Math.min(wanted, 4 * count, 1 << 26), count / 4));
        this.blocks = Math.max(next, this.#least);
    }
}
