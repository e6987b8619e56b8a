// Jobs that wait for a worker.

import { BrickworkError } from "../errors.js";
import type { CodecModule, Job, Reply, Request } from "./jobs.js";

interface Entry {
    readonly codec: CodecModule;
    readonly job: Job;
    readonly transfer: Transferable[];
    resolve(result: Uint8Array<ArrayBuffer>): void;
    reject(reason: unknown): void;
}

/** Queue of one worker, which is started for the first job and kept. */
export class WorkerQueue {
    readonly #waiting: Entry[] = [];
    #running: Entry | undefined;
    #worker: Worker | undefined;

    /** Runs a job after those before it. When the signal aborts a running job, its worker is terminated. */
    async run(
        codec: CodecModule,
        job: Job,
        transfer: Transferable[],
        signal?: AbortSignal,
    ): Promise<Uint8Array<ArrayBuffer>> {
        signal?.throwIfAborted();
        let abort: (() => void) | undefined;
        try {
            return await new Promise((resolve, reject) => {
                const entry: Entry = { codec, job, transfer, resolve, reject };
                abort = () => this.#abort(entry, signal?.reason);
                signal?.addEventListener("abort", abort);
                this.#waiting.push(entry);
                this.#next();
            });
        } finally {
            if (abort) signal?.removeEventListener("abort", abort);
        }
    }

    /** Ends the worker. Jobs that are not finished fail. */
    close(reason: unknown): void {
        for (const { reject } of this.#waiting.splice(0)) reject(reason);
        this.#stop(reason);
    }

    #next(): void {
        if (this.#running) return;
        const entry = this.#waiting.shift();
        if (!entry) return;
        this.#running = entry;
        try {
            this.#worker ??= this.#start();
            const request: Request = { ...entry.codec, job: entry.job };
            this.#worker.postMessage(request, entry.transfer);
        } catch (cause) {
            this.#stop(new BrickworkError("cpu", "the worker cannot be started", { cause }));
        }
    }

    #start(): Worker {
        const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
        worker.onmessage = ({ data }: MessageEvent<Reply>) => {
            if (worker !== this.#worker) return;
            if ("result" in data) {
                this.#finished()?.resolve(data.result);
            } else {
                const error = new BrickworkError(data.error.code, data.error.message);
                // After a trap, the instance is unusable.
                if (error.code === "cpu") this.#stop(error);
                else this.#finished()?.reject(error);
            }
            this.#next();
        };
        worker.onerror = (event) => {
            if (worker !== this.#worker) return;
            event.preventDefault();
            const reason = event.message || "its code cannot be loaded";
            this.#stop(new BrickworkError("cpu", `the worker failed: ${reason}`));
        };
        return worker;
    }

    #finished(): Entry | undefined {
        const entry = this.#running;
        this.#running = undefined;
        return entry;
    }

    #abort(entry: Entry, reason: unknown): void {
        if (entry === this.#running) {
            this.#stop(reason);
            return;
        }
        const at = this.#waiting.indexOf(entry);
        if (at >= 0) this.#waiting.splice(at, 1);
        entry.reject(reason);
    }

    /** Terminates the worker. The running job fails, and the next one gets a new worker. */
    #stop(reason: unknown): void {
        this.#worker?.terminate();
        this.#worker = undefined;
        this.#finished()?.reject(reason);
        this.#next();
    }
}
