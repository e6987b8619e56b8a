// The codec for registries.

import { BrickworkError } from "../errors.js";
import { type Bytes, product, stridesOf } from "../zarr/boxes.js";
import { type BrickworkDecoder, brickworkDecoder, chunkDims } from "../zarr/brickwork.js";
import { shown } from "../zarr/fault.js";
import { elements, members } from "../zarr/json.js";
import { permutationOf } from "../zarr/metadata.js";
import { type NumberType, TYPES } from "../zarr/types.js";
import { type ModuleSource, moduleOf } from "./module.js";

/** Name of the codec in metadata. */
const NAME = "brickwork";

/** Values of the member `brick` of the configuration, which is for writers. */
const BRICKS = ["4", "8", "16x16x1"];

/** Maximum size of a decoded chunk in bytes. */
const MAX_CHUNK = 2 ** 31 - 1;

/** Metadata of chunks. zarrita 0.7 passes `dataType`, earlier versions `data_type`. */
export interface ChunkMetadata {
    /** Shape of the chunks of the array, before `codecs`. */
    readonly shape: readonly number[];
    /** All codecs of the array. Those of the name `transpose` before this one permute the shape. Default: none. */
    readonly codecs?: readonly unknown[];
    readonly dataType?: string;
    readonly data_type?: string;
}

/** Numbers of the type of an array. Those of float16 are a `Float16Array`. */
export type Numbers =
    | Uint8Array<ArrayBuffer>
    | Int8Array<ArrayBuffer>
    | Uint16Array<ArrayBuffer>
    | Int16Array<ArrayBuffer>
    | Uint32Array<ArrayBuffer>
    | Int32Array<ArrayBuffer>
    | Float32Array<ArrayBuffer>
    | Float64Array<ArrayBuffer>
    | BigUint64Array<ArrayBuffer>
    | BigInt64Array<ArrayBuffer>;

/** Numbers of a chunk, the last axis the fastest. */
export interface Chunk {
    readonly data: Numbers;
    readonly shape: number[];
    /** Distance of neighbours along each axis, in numbers. */
    readonly stride: number[];
}

/** Decoder of the chunks of an array. */
export interface Codec {
    readonly kind: "array_to_bytes";
    /** Returns the numbers of a chunk. @throws {BrickworkError} `source` if it is damaged or of another shape. */
    decode(bytes: Uint8Array): Promise<Chunk>;
    /** Throws: this package only decodes. */
    encode(chunk: unknown): never;
}

/** What registries contain. */
export interface CodecEntry {
    readonly kind: "array_to_bytes";
    /** Returns the decoder of an array. @throws {BrickworkError} `source` if it has no such codec. */
    fromConfig(configuration: unknown, metadata: ChunkMetadata): Codec;
}

export interface CodecOptions {
    /** The module `brickwork-chunk.wasm`. Default: the file of the package. */
    readonly wasm?: ModuleSource;
}

/** A registry of codecs, such as zarrita's. */
export interface Registry {
    set(name: string, entry: () => Promise<never>): unknown;
}

/** Adds the codec to a registry. The module is loaded with the first chunk. */
export function register(registry: Registry, options: CodecOptions = {}): void {
    const entry = codec(options);
    registry.set(NAME, () => Promise.resolve(entry as never));
}

/** Returns the codec. */
export function codec(options: CodecOptions = {}): CodecEntry {
    const decode = brickworkDecoder(moduleOf(options.wasm));
    return {
        kind: "array_to_bytes",
        fromConfig(configuration, metadata) {
            checkConfiguration(configuration);
            return codecOf(metadata, decode);
        },
    };
}

function codecOf(metadata: ChunkMetadata, decode: BrickworkDecoder): Codec {
    const { shape } = metadata;
    const isSide = (side: unknown) => Number.isInteger(side) && (side as number) > 0;
    if (!Array.isArray(shape) || !shape.every(isSide)) {
        throw wrong(`shape is ${shown(shape)}, which is no list of positive whole numbers`);
    }
    const stored = storedShape(metadata);
    chunkDims(stored);
    const type = typeOf(metadata.dataType ?? metadata.data_type);
    const bytes = product(shape) * type.bytes;
    if (bytes > MAX_CHUNK) {
        const text = `a chunk of ${shape.join("×")} takes ${bytes} bytes; the limit is ${MAX_CHUNK}`;
        throw new BrickworkError("limit", `codec ${NAME}: ${text}`);
    }
    const array = arrayOf(type);
    return {
        kind: "array_to_bytes",
        async decode(bytes) {
            const numbers = await decode(bytes as Bytes, type, stored);
            // (To undo `transpose`, zarrita replaces the strides.)
            return { data: new array(numbers.buffer), shape: [...shape], stride: stridesOf(shape) };
        },
        encode() {
            throw new BrickworkError("option", `codec ${NAME}: this package only decodes`);
        },
    };
}

/** Returns the shape of the chunks that this codec has encoded. */
function storedShape({ shape, codecs }: ChunkMetadata): number[] {
    const axes = shape.map((_, axis) => axis);
    const orders: number[][] = [];
    for (const codec of elements(codecs)) {
        const { name, configuration } = members(codec);
        if (name === NAME) break;
        if (name !== "transpose") continue;
        orders.push(permutationOf(`codec ${NAME}`, members(configuration)["order"] ?? "C", shape.length));
    }
    const [first = axes, ...others] = orders;
    // (zarrita gives chunks the strides of the first one.)
    if (others.some((order) => order.some((axis, index) => axis !== index))) {
        throw wrong("several codecs transpose before it are not supported");
    }
    return first.map((axis) => shape[axis] ?? 1);
}

function checkConfiguration(configuration: unknown): void {
    if (configuration === undefined || configuration === null) return;
    if (typeof configuration !== "object" || Array.isArray(configuration)) {
        throw wrong(`the configuration is ${shown(configuration)}, which is no object`);
    }
    for (const [name, value] of Object.entries(configuration) as [string, unknown][]) {
        if (name !== "brick") {
            throw wrong(`the member ${shown(name)} of its configuration is not known: a newer version?`);
        }
        if (!BRICKS.includes(value as string)) {
            throw wrong(`brick is ${shown(value)}; it must be ${BRICKS.join(", ")}`);
        }
    }
}

function typeOf(name: unknown): NumberType {
    const type = TYPES.find((type) => type.name === name && type.code !== undefined);
    if (type) return type;
    throw wrong(`the type is ${shown(name)}; it must be an integer of 8 to 64 bits or a float of 16 to 64`);
}

/** Returns the constructor of arrays of a type. */
export function arrayOf(type: NumberType): new (buffer: ArrayBuffer) => Numbers {
    const name = {
        uint8: "Uint8Array",
        int8: "Int8Array",
        uint16: "Uint16Array",
        int16: "Int16Array",
        uint32: "Uint32Array",
        int32: "Int32Array",
        float32: "Float32Array",
        uint64: "BigUint64Array",
        int64: "BigInt64Array",
        float64: "Float64Array",
        float16: "Float16Array",
    }[type.name];
    const found = (globalThis as unknown as Record<string, unknown>)[name ?? ""];
    if (found) return found as new (buffer: ArrayBuffer) => Numbers;
    throw wrong(`numbers of the type ${type.name} need ${name}, which this environment lacks`);
}

function wrong(reason: string): BrickworkError {
    return new BrickworkError("source", `codec ${NAME}: ${reason}`);
}
