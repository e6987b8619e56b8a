// Messages between page and workers. This file imports only types: some bundlers cannot split workers' code.

import type { ErrorCode } from "../errors.js";
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
    | { readonly id: number; readonly abort: true }
    | { readonly id: number; readonly name: CallName; readonly args: unknown };

/** Message from a worker. */
export type Reply =
    | { readonly id: number; readonly result: unknown; readonly facts: StoreFacts }
    | { readonly id: number; readonly progress: readonly [number, number] }
    | { readonly id: number; readonly error: { readonly code: ErrorCode; readonly message: string } };
