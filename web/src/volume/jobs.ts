// Messages between page and worker. This file imports only types: some bundlers cannot split workers' code.

import type { CallReply, CallRequest } from "../calls.js";
import type {
    CameraOptions,
    LoadStage,
    LookFacts,
    LookOptions,
    PartFacts,
    ReadFacts,
    ReadOptions,
    SliceOptions,
    VolumeFacts,
} from "./facts.js";

export type Bytes = Uint8Array<ArrayBuffer>;

/** A part to be loaded. */
export interface LoadRequest {
    readonly level: number;
    readonly frame: number;
    readonly channel: number;
    readonly labels: boolean;
    /** Reads chunks when rays need them. */
    readonly onDemand: boolean;
    /** Maximum bytes of a buffer with pages. */
    readonly bufferBytes: number;
    /** Most bytes of all pages. Those of a larger volume, and on demand, are loaded as rays need them. */
    readonly poolBytes?: number;
    readonly pageBytes?: number;
    /** Voxels along x, y and z of a page of a described volume on demand. */
    readonly pageSide?: readonly number[];
    /** Its level whose voxels are supplied, and decide on presets. */
    readonly surveyLevel?: number;
}

/** A camera and the size of the picture. */
export interface ViewRequest extends CameraOptions {
    readonly width: number;
    readonly height: number;
    readonly statistics?: boolean;
}

export interface ViewFacts {
    /** Words of the rendering's buffer. */
    readonly words: number;
    readonly tiles: number;
    /** Byte of the parameters with the number of the first tile. */
    readonly firstTile: number;
    /** Byte of the parameters that is 1 where rays start. */
    readonly isFirst: number;
    /** Words of slots, missing bits, requested bits and the number of waiting rays in the buffer. */
    readonly paging: readonly [number, number, number, number] | null;
}

/** Inputs of the kernels, by the numbers of `brickwork_buffer`. */
export const InputKind = {
    shape: 0,
    records: 1,
    tables: 2,
    look: 3,
    page: 4,
    params: 5,
    slots: 6,
    changedRecords: 7,
} as const;

/** Calls of the worker: arguments and result. */
export interface Calls {
    /** The result is null if only the full module reads the file. A second call continues with it. */
    open: {
        args: { source: string | Blob; maxWholeBytes: number };
        result: VolumeFacts | null;
    };
    /** Opens a volume whose voxels are supplied: `describe` in crates/wasm-volume. */
    describe: { args: object; result: VolumeFacts };
    /** Supplies the voxels of a part that is loaded next, or of the next slice. */
    supplyVoxels: { args: Bytes; result: object };
    /** Returns the region of a slice: from and to along x, y and z. */
    sliceRegion: { args: SliceOptions; result: readonly number[] };
    /** Returns the boxes of pages of a described volume on demand: from and to along x, y and z. */
    pageBoxes: { args: readonly number[]; result: readonly number[] };
    /** Supplies the voxels of such a page, which {@link Calls.input} then returns. */
    supplyPage: { args: { readonly page: number; readonly voxels: Bytes }; result: object };
    load: { args: LoadRequest; result: PartFacts };
    look: { args: LookOptions; result: LookFacts };
    view: { args: ViewRequest; result: { facts: ViewFacts; params: Bytes } };
    input: { args: { kind: number; number: number }; result: Bytes };
    assign: { args: Bytes; result: Bytes };
    emptySlots: { args: object; result: object };
    /**
     * Reads the first of these pages of a part on demand, which {@link Calls.input} then returns: as many as
     * take at most `maxBytes` bytes of the file, but at least one. The result is their number.
     */
    fetchPages: {
        args: { readonly pages: readonly number[]; readonly maxBytes: number };
        result: { readonly count: number };
    };
    render: { args: ViewRequest; result: Bytes };
    slice: { args: SliceOptions & { labels: boolean }; result: Bytes };
    read: { args: ReadOptions; result: Bytes };
}

export type CallName = keyof Calls;

/** What is done of a stage, and all of it. */
export type Progress = readonly [done: number, total: number, stage: LoadStage];

/** Message to the worker. */
export type Request = { readonly module: WebAssembly.Module } | CallRequest<Calls>;

/** Message from the worker. */
export type Reply = CallReply<ReadFacts, Progress>;
