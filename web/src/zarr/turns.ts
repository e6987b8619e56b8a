// Limits of what happens at the same time.

/** Runs so many calls at the same time, others later. */
export class Limiter {
    #free: number;
    readonly #waiting: (() => void)[] = [];

    constructor(count: number) {
        this.#free = count;
    }

    async run<T>(work: () => Promise<T>): Promise<T> {
        if (this.#free > 0) this.#free -= 1;
        else await new Promise<void>((resolve) => this.#waiting.push(resolve));
        try {
            return await work();
        } finally {
            const next = this.#waiting.shift();
            if (next) next();
            else this.#free += 1;
        }
    }
}

/**
 * Calls `work` for each item, for `count` items at the same time. Its signal aborts with `signal`, and when one
 * of the calls fails, whose error is then thrown.
 */
export async function inTurns<T>(
    items: Iterator<T>,
    count: number,
    signal: AbortSignal | undefined,
    work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
    signal?.throwIfAborted();
    const stop = new AbortController();
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener("abort", abort);
    const worker = async () => {
        try {
            for (let item = items.next(); !item.done; item = items.next()) {
                stop.signal.throwIfAborted();
                await work(item.value, stop.signal);
            }
        } catch (error) {
            stop.abort(error);
            throw stop.signal.reason;
        }
    };
    try {
        await Promise.all(Array.from({ length: count }, worker));
    } finally {
        signal?.removeEventListener("abort", abort);
    }
}
