// Promises that several callers wait for.

/** Returns the result of a promise, or rejects as soon as the signal aborts. The promise goes on. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (!signal) return promise;
    let abort: () => void = () => {};
    const aborted = new Promise<never>((_, reject) => {
        abort = () => reject(signal.reason);
    });
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    try {
        return await Promise.race([aborted, promise]);
    } finally {
        signal.removeEventListener("abort", abort);
    }
}

/** Waits for promises, also for those that reject. Its promise does not keep their results. */
export async function settled(...promises: readonly Promise<unknown>[]): Promise<void> {
    await Promise.allSettled(promises);
}

/** Calls whose results several callers wait for. */
export class SharedCalls<T> {
    readonly #calls = new Map<string, { result: Promise<T>; abort: AbortController; waiting: number }>();

    /**
     * Waits for the call of this name, which `start` starts if there is none. It is aborted when nobody waits
     * for it any more.
     */
    async run(name: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
        signal.throwIfAborted();
        let call = this.#calls.get(name);
        if (!call) {
            const abort = new AbortController();
            const started = { result: start(abort.signal), abort, waiting: 0 };
            const end = () => {
                if (this.#calls.get(name) === started) this.#calls.delete(name);
            };
            started.result.then(end, end);
            this.#calls.set(name, (call = started));
        }
        call.waiting += 1;
        try {
            return await untilAborted(call.result, signal);
        } finally {
            call.waiting -= 1;
            if (call.waiting === 0 && this.#calls.get(name) === call) {
                this.#calls.delete(name);
                call.abort.abort(signal.reason);
            }
        }
    }
}
