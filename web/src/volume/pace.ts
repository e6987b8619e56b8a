// Size of the parts in which a rendering is submitted. Large parts fill a fast GPU; parts that take seconds
// would block the page's other work, and would end long after the rendering is aborted.

/** Tiles of 8×4 pixels of the first submission. */
const FIRST = { hardware: 1024, software: 2 };

/** Target time of a submission in milliseconds. */
const TARGET = 20;

/** Most workgroups of a dispatch in one dimension. */
const MOST = 65535;

export class Pace {
    #tiles: number;

    constructor(isSoftware: boolean) {
        this.#tiles = isSoftware ? FIRST.software : FIRST.hardware;
    }

    /** Tiles of the next submission. */
    get tiles(): number {
        return this.#tiles;
    }

    /** Takes the time of a submission into account. */
    learn(tiles: number, milliseconds: number): void {
        const suited = (tiles * TARGET) / Math.max(milliseconds, 0.1);
        // A smaller submission, the last of a picture, tells little: each has a fixed cost.
        if (tiles < this.#tiles && suited >= this.#tiles) return;
        this.#tiles = Math.max(1, Math.min(MOST, Math.floor(Math.min(suited, 2 * this.#tiles))));
    }
}
