// Messages between page and workers. This file imports only types: some bundlers cannot split workers' code.

import type { CallReply, CallRequest } from "../calls.js";
import type { Bytes } from "./boxes.js";
import type { Job } from "./codecs.js";
import type { ZarrSource } from "./open.js";
import type { ImageDescription, ImagePart } from "./source.js";
import type { StoreFacts } from "./store.js";

/** Calls of a worker: arguments and result. */
export interface Calls {
    open: { args: { readonly source: ZarrSource; readonly path: string }; result: ImageDescription };
    read: { args: ImagePart; result: Bytes };
    decode: { args: Job; result: Bytes };
}

export type CallName = keyof Calls;

/** Message to a worker. */
export type Request =
    /** Ports of the workers that decode chunks. */
    | { readonly helpers: readonly MessagePort[] }
    /** Port from which the calls of a worker come that decodes chunks. */
    | { readonly port: MessagePort }
    /** The module that decodes the codec `brickwork`. */
    | { readonly module: WebAssembly.Module }
    | CallRequest<Calls>;

/** Bytes of voxels that are there, and of all. */
export type Progress = readonly [done: number, total: number];

/** Message from a worker. */
export type Reply = CallReply<StoreFacts, Progress>;
