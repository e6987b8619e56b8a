// Calls by messages: the side that calls a worker.

import { BrickworkError, type ErrorCode } from "./errors.js";

/** Functions of a worker by their names. */
export type CallTable<Calls> = {
    readonly [Name in keyof Calls]: { readonly args: unknown; readonly result: unknown };
};

/** Message to a worker. */
export type CallRequest<Calls> =
    | { readonly id: number; readonly abort: true }
    | {
          [Name in keyof Calls]: {
              readonly id: number;
              readonly name: Name;
              readonly args: Calls[Name] extends { readonly args: infer Args } ? Args : never;
          };
      }[keyof Calls];

/** Message from a worker. An aborted call has no reply. */
export type CallReply<Facts, Progress> =
    | { readonly id: number; readonly result: unknown; readonly facts: Facts }
    | { readonly id: number; readonly progress: Progress }
    | { readonly id: number; readonly error: { readonly code: ErrorCode; readonly message: string } };

interface Entry<Progress extends readonly unknown[]> {
    resolve(result: unknown): void;
    reject(reason: unknown): void;
    readonly progress: ((...progress: Progress) => void) | undefined;
}

export interface CallOptions<Progress extends readonly unknown[]> {
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: ((...progress: Progress) => void) | undefined;
    readonly transfer?: Transferable[];
}

/** A port, or a worker. */
export interface Peer {
    onmessage: ((event: MessageEvent) => void) | null;
    postMessage(message: unknown, transfer: Transferable[]): void;
}

/** Calls of a worker. */
export class Caller<Calls extends CallTable<Calls>, Facts, Progress extends readonly unknown[]> {
    readonly #peer: Peer;
    readonly #entries = new Map<number, Entry<Progress>>();
    #next = 0;
    #failure: unknown;
    /** Facts of the worker after the last call that has succeeded. */
    facts: Facts;

    constructor(peer: Peer, facts: Facts) {
        this.#peer = peer;
        this.facts = facts;
        peer.onmessage = ({ data }) => this.#receive(data as CallReply<Facts, Progress>);
    }

    /** Number of calls that are not finished. */
    get waiting(): number {
        return this.#entries.size;
    }

    /** Calls a function. Rejects with the reason of the signal as soon as that aborts. */
    async call<Name extends keyof Calls>(
        name: Name,
        args: Calls[Name]["args"],
        { signal, onProgress: progress, transfer = [] }: CallOptions<Progress> = {},
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

    #receive(reply: CallReply<Facts, Progress>): void {
        const entry = this.#entries.get(reply.id);
        if ("progress" in reply) entry?.progress?.(...reply.progress);
        else if ("result" in reply) {
            this.facts = reply.facts;
            entry?.resolve(reply.result);
        } else entry?.reject(new BrickworkError(reply.error.code, reply.error.message));
    }
}
