// Calls by messages: the side that calls.

import { BrickworkError } from "../errors.js";
import type { CallName, Calls, Reply, Request } from "./messages.js";
import type { StoreFacts } from "./store.js";

interface Entry {
    resolve(result: unknown): void;
    reject(reason: unknown): void;
    readonly progress: ((done: number, total: number) => void) | undefined;
}

export interface CallOptions {
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: ((done: number, total: number) => void) | undefined;
    readonly transfer?: Transferable[];
}

/** A port, or a worker. */
export interface Peer {
    onmessage: ((event: MessageEvent<Reply>) => void) | null;
    postMessage(message: Request, transfer: Transferable[]): void;
}

/** Calls of a worker. */
export class Caller {
    readonly #peer: Peer;
    readonly #entries = new Map<number, Entry>();
    #next = 0;
    #failure: unknown;
    /** How files were read so far. */
    facts: StoreFacts = { requests: 0, bytes: 0, refused: 0 };

    constructor(peer: Peer) {
        this.#peer = peer;
        peer.onmessage = ({ data }) => this.#receive(data);
    }

    /** Number of calls that are not finished. */
    get waiting(): number {
        return this.#entries.size;
    }

    /** Calls a function. Rejects with the reason of the signal as soon as that aborts. */
    async call<Name extends CallName>(
        name: Name,
        args: Calls[Name]["args"],
        { signal, onProgress: progress, transfer = [] }: CallOptions = {},
    ): Promise<Calls[Name]["result"]> {
        signal?.throwIfAborted();
        if (this.#failure !== undefined) throw this.#failure;
        const id = this.#next++;
        let abort: (() => void) | undefined;
        try {
            return await new Promise<Calls[Name]["result"]>((resolve, reject) => {
                const take = resolve as (result: unknown) => void;
                this.#entries.set(id, { resolve: take, reject, progress });
                abort = () => {
                    this.#peer.postMessage({ id, abort: true }, []);
                    reject(signal?.reason);
                };
                signal?.addEventListener("abort", abort);
                this.#peer.postMessage({ id, name, args }, transfer);
            });
        } finally {
            this.#entries.delete(id);
            if (abort) signal?.removeEventListener("abort", abort);
        }
    }

    /** Lets all calls fail, also later ones. */
    fail(reason: unknown): void {
        this.#failure ??= reason;
        for (const { reject } of this.#entries.values()) reject(reason);
        this.#entries.clear();
    }

    #receive(reply: Reply): void {
        const entry = this.#entries.get(reply.id);
        if ("progress" in reply) entry?.progress?.(...reply.progress);
        else if ("result" in reply) {
            this.facts = reply.facts;
            entry?.resolve(reply.result);
        } else entry?.reject(new BrickworkError(reply.error.code, reply.error.message));
    }
}
