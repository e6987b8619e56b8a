// Metadata of Zarr arrays, versions 2 and 3, checked and in one form. Sources: the specifications of Zarr 2 and 3.1,
// numcodecs' names of codecs.

import { type Bytes, product } from "./boxes.js";
import { fault, overLimit, shown } from "./fault.js";
import { type Json, elements, memberText, members } from "./json.js";
import { type NumberType, TYPES } from "./types.js";

/** Maximum size of a file with metadata: groups may repeat that of all their members. */
export const MAX_METADATA = 16 << 20;

/** Maximum size of a decoded chunk in bytes. */
export const MAX_CHUNK = 256 << 20;

/** Maximum number of inner chunks of a shard: their index takes 16 MiB. */
const MAX_INNER = 1 << 20;

const MAX_AXES = 8;
const MAX_CODECS = 16;
const MAX_NESTING = 4;

/** Codec from bytes to bytes. */
export type BytesCodec = "gzip" | "zlib" | "zstd" | "blosc" | "lz4" | "crc32c";

/** Form of the index of shards. */
export interface IndexForm {
    /** Number of inner chunks. */
    readonly count: number;
    readonly byteCount: number;
    readonly hasChecksum: boolean;
    readonly isBig: boolean;
    readonly isAtStart: boolean;
}

/** Codecs of a chunk. */
export interface Pipeline {
    /** Axes of the chunk in the order of the stored array. */
    readonly order: readonly number[];
    readonly toBytes:
        | { readonly kind: "bytes"; readonly isBig: boolean }
        | { readonly kind: "brickwork" }
        | {
              readonly kind: "sharding";
              /** Shape of an inner chunk. */
              readonly chunk: readonly number[];
              readonly inner: Pipeline;
              readonly index: IndexForm;
          };
    readonly chain: readonly BytesCodec[];
}

/** An array. */
export interface ArrayMeta {
    readonly version: 2 | 3;
    /** Path of the array: empty, or with a slash at its end. */
    readonly prefix: string;
    readonly shape: readonly number[];
    readonly type: NumberType;
    /** Shape of a chunk, or of a shard. */
    readonly chunk: readonly number[];
    /** Number that is not stored, in little-endian order. */
    readonly fill: Bytes;
    readonly names: readonly (string | null)[];
    /** Start of the keys of chunks, and what is between the indices. */
    readonly keyStart: string;
    readonly separator: "/" | ".";
    readonly pipeline: Pipeline;
    /** True if a chunk is of the codec `brickwork`. */
    readonly hasBricks: boolean;
}

/** Returns the text of metadata, from which numbers of 64 bits are read. */
export type MetadataText = () => string | undefined;

/** Reads `zarr.json` of an array, whose decoded chunks may have so many bytes. */
export function arrayOfVersion3(prefix: string, json: Json, text: MetadataText, most = MAX_CHUNK): ArrayMeta {
    const key = `${prefix}zarr.json`;
    if (json["zarr_format"] !== 3) throw fault(key, `zarr_format is ${shown(json["zarr_format"])}, not 3`);
    const known = [
        ...[
            "zarr_format",
            "node_type",
            "shape",
            "data_type",
            "chunk_grid",
            "chunk_key_encoding",
            "fill_value",
        ],
        ...["codecs", "attributes", "storage_transformers", "dimension_names", "consolidated_metadata"],
    ];
    for (const [name, value] of Object.entries(json)) {
        if (known.includes(name) || members(value)["must_understand"] === false) continue;
        throw fault(key, `the field ${shown(name)} is not supported`);
    }
    const [transformer] = elements(json["storage_transformers"]);
    if (transformer !== undefined) {
        throw fault(key, `the storage transformer ${shown(named(key, transformer).name)} is not supported`);
    }
    const shape = sides(key, "shape", json["shape"]);
    const dataType = json["data_type"];
    const type = typeOf(key, typeof dataType === "string" ? dataType : named(key, dataType).name);
    const grid = named(key, json["chunk_grid"]);
    if (grid.name !== "regular") throw fault(key, `the chunk grid ${shown(grid.name)} is not supported`);
    const chunk = sides(key, "chunk_shape", grid.configuration["chunk_shape"], shape.length);
    const encoding = named(key, json["chunk_key_encoding"]);
    if (encoding.name !== "default" && encoding.name !== "v2") {
        throw fault(key, `the chunk key encoding ${shown(encoding.name)} is not supported`);
    }
    const isDefault = encoding.name === "default";
    const separator = separatorOf(key, encoding.configuration["separator"], isDefault ? "/" : ".");
    const pipeline = pipelineOf(key, elements(json["codecs"]), chunk, type, 0);
    const names = json["dimension_names"] === undefined ? [] : elements(json["dimension_names"]);
    return checked(
        key,
        {
            version: 3,
            prefix,
            shape,
            type,
            chunk,
            fill: fillOf(key, json["fill_value"], type, text),
            names: names.map((name) => (typeof name === "string" ? name : null)),
            keyStart: isDefault ? `${prefix}c${separator}` : prefix,
            separator,
            pipeline,
            hasBricks: hasBricks(pipeline),
        },
        most,
    );
}

/** Reads `.zarray`. */
export function arrayOfVersion2(prefix: string, json: Json, text: MetadataText): ArrayMeta {
    const key = `${prefix}.zarray`;
    if (json["zarr_format"] !== 2) throw fault(key, `zarr_format is ${shown(json["zarr_format"])}, not 2`);
    const shape = sides(key, "shape", json["shape"]);
    const chunk = sides(key, "chunks", json["chunks"], shape.length);
    const dtype = json["dtype"];
    const [, order, letter, digits] =
        /^([<>|=])([biuf])(\d+)$/.exec(typeof dtype === "string" ? dtype : "") ?? [];
    const kinds: Readonly<Record<string, string>> = { i: "int", u: "uint", f: "float" };
    if (!letter) throw fault(key, `the type ${shown(dtype)} is not supported`);
    const type = typeOf(
        key,
        letter === "b" && digits === "1" ? "bool" : `${kinds[letter] ?? letter}${8 * Number(digits)}`,
    );
    const chain: BytesCodec[] = [];
    for (const codec of [...elements(json["filters"]), json["compressor"]]) {
        if (codec === null || codec === undefined) continue;
        chain.push(bytesCodec(key, String(members(codec)["id"])));
    }
    const layout = json["order"] ?? "C";
    if (layout !== "C" && layout !== "F") throw fault(key, `the order ${shown(layout)} is neither C nor F`);
    const axes = shape.map((_, axis) => axis);
    const pipeline: Pipeline = {
        order: layout === "C" ? axes : axes.reverse(),
        toBytes: { kind: "bytes", isBig: order === ">" },
        chain,
    };
    const separator = separatorOf(key, json["dimension_separator"], ".");
    return checked(key, {
        version: 2,
        prefix,
        shape,
        type,
        chunk,
        fill: fillOf(key, json["fill_value"] ?? 0, type, text),
        names: [],
        keyStart: prefix,
        separator,
        pipeline,
        hasBricks: false,
    });
}

/** True if the inner chunks of shards can be read on their own. */
export function isPlainSharding(pipeline: Pipeline): boolean {
    const { order, toBytes, chain } = pipeline;
    return toBytes.kind === "sharding" && chain.length === 0 && order.every((axis, index) => axis === index);
}

function checked(key: string, array: ArrayMeta, most = MAX_CHUNK): ArrayMeta {
    // The chunks that are decoded as a whole.
    let [chunk, pipeline] = [array.chunk, array.pipeline];
    while (pipeline.toBytes.kind === "sharding" && isPlainSharding(pipeline)) {
        ({ chunk, inner: pipeline } = pipeline.toBytes);
    }
    const bytes = product(chunk) * array.type.bytes;
    if (bytes > most)
        throw overLimit(key, `a chunk of ${chunk.join("×")} takes ${bytes} bytes; the limit is ${most}`);
    if (array.names.length > 0 && array.names.length !== array.shape.length) {
        throw fault(key, `dimension_names has ${array.names.length} names for ${array.shape.length} axes`);
    }
    return array;
}

function hasBricks({ toBytes }: Pipeline): boolean {
    return toBytes.kind === "brickwork" || (toBytes.kind === "sharding" && hasBricks(toBytes.inner));
}

function typeOf(key: string, name: string): NumberType {
    const type = TYPES.find((type) => type.name === name);
    if (type) return type;
    throw fault(key, `the type ${shown(name)} is not supported; voxels are integers or floats`);
}

/** Returns name and configuration of an extension, also of one that is only a name. */
function named(key: string, value: unknown): { name: string; configuration: Json } {
    if (typeof value === "string") return { name: value, configuration: {} };
    const { name, configuration } = members(value) as { name?: unknown; configuration?: unknown };
    if (typeof name !== "string") throw fault(key, `${shown(value)} has no name`);
    return { name, configuration: members(configuration) };
}

function sides(key: string, name: string, value: unknown, count?: number): number[] {
    const list = elements(value);
    const isSide = (side: unknown) => Number.isSafeInteger(side) && (side as number) > 0;
    if (list.length === 0 || !list.every(isSide)) {
        throw fault(key, `${name} is ${shown(value)}, which is no list of positive whole numbers`);
    }
    if (list.length > MAX_AXES)
        throw overLimit(key, `${name} has ${list.length} axes; the limit is ${MAX_AXES}`);
    if (count !== undefined && list.length !== count)
        throw fault(key, `${name} has ${list.length} axes, not ${count}`);
    return list as number[];
}

function separatorOf(key: string, value: unknown, standard: "/" | "."): "/" | "." {
    if (value === undefined || value === null) return standard;
    if (value === "/" || value === ".") return value;
    throw fault(key, `the separator ${shown(value)} is neither "/" nor "."`);
}

function pipelineOf(
    key: string,
    codecs: readonly unknown[],
    shape: readonly number[],
    type: NumberType,
    depth: number,
): Pipeline {
    if (codecs.length > MAX_CODECS)
        throw overLimit(key, `there are ${codecs.length} codecs; the limit is ${MAX_CODECS}`);
    let order = shape.map((_, axis) => axis);
    let toBytes: Pipeline["toBytes"] | undefined;
    const chain: BytesCodec[] = [];
    for (const codec of codecs) {
        const { name, configuration } = named(key, codec);
        if (toBytes) {
            chain.push(bytesCodec(key, name));
            continue;
        }
        if (name === "transpose") {
            const permutation = permutationOf(key, configuration["order"], shape.length);
            order = permutation.map((axis) => order[axis] ?? 0);
        } else if (name === "bytes") {
            const endian = configuration["endian"];
            if (endian !== "big" && endian !== "little" && (endian !== undefined || type.bytes > 1)) {
                throw fault(key, `endian of the codec bytes is ${shown(endian)}, neither "little" nor "big"`);
            }
            toBytes = { kind: "bytes", isBig: endian === "big" };
        } else if (name === "brickwork") {
            if (type.code === undefined)
                throw fault(key, `the codec brickwork has no numbers of type ${type.name}`);
            toBytes = { kind: "brickwork" };
        } else if (name === "sharding_indexed") {
            const stored = order.map((axis) => shape[axis] ?? 1);
            toBytes = shardingOf(key, configuration, stored, type, depth);
        } else throw fault(key, `the codec ${shown(name)} is not supported`);
    }
    if (!toBytes) throw fault(key, "codecs has none that makes bytes of numbers");
    return { order, toBytes, chain };
}

/** Returns the order of the axes that the codec `transpose` stores. */
export function permutationOf(key: string, value: unknown, count: number): number[] {
    const axes = Array.from({ length: count }, (_, axis) => axis);
    if (value === "C") return axes;
    if (value === "F") return axes.reverse();
    const list = elements(value);
    if (list.length === count && axes.every((axis) => list.includes(axis))) return list as number[];
    throw fault(key, `order of the codec transpose is ${shown(value)}, no permutation of ${count} axes`);
}

function shardingOf(
    key: string,
    configuration: Json,
    shape: readonly number[],
    type: NumberType,
    depth: number,
): Pipeline["toBytes"] {
    if (depth === MAX_NESTING) throw overLimit(key, `shards are nested more than ${MAX_NESTING} times`);
    const chunk = sides(key, "chunk_shape of sharding_indexed", configuration["chunk_shape"], shape.length);
    const counts = shape.map((side, axis) => side / (chunk[axis] ?? 1));
    if (!counts.every(Number.isInteger)) {
        throw fault(key, `shards of ${shape.join("×")} do not consist of chunks of ${chunk.join("×")}`);
    }
    const count = product(counts);
    if (count > MAX_INNER) throw overLimit(key, `shards have ${count} chunks; the limit is ${MAX_INNER}`);
    const location = configuration["index_location"] ?? "end";
    if (location !== "end" && location !== "start") {
        throw fault(key, `index_location is ${shown(location)}, neither "start" nor "end"`);
    }
    const codecs = elements(configuration["index_codecs"]).map((codec) => named(key, codec));
    const [first, second, third] = codecs;
    const [endian, isKnown] = [
        first?.configuration["endian"],
        first?.name === "bytes" && (!second || second.name === "crc32c") && !third,
    ];
    if (!isKnown || (endian !== "little" && endian !== "big")) {
        const names = codecs.map(({ name }) => name).join(", ");
        throw fault(
            key,
            `index_codecs ${shown(names)} are not supported: bytes with an endian, and crc32c are`,
        );
    }
    const hasChecksum = second !== undefined;
    const index = {
        count,
        byteCount: 16 * count + (hasChecksum ? 4 : 0),
        hasChecksum,
        isBig: endian === "big",
        isAtStart: location === "start",
    };
    const inner = pipelineOf(key, elements(configuration["codecs"]), chunk, type, depth + 1);
    return { kind: "sharding", chunk, inner, index };
}

function bytesCodec(key: string, name: string): BytesCodec {
    switch (name.replace(/^numcodecs\./, "")) {
        case "gzip":
            return "gzip";
        case "zlib":
            return "zlib";
        case "zstd":
            return "zstd";
        case "blosc":
            return "blosc";
        case "lz4":
            return "lz4";
        case "crc32c":
            return "crc32c";
        default:
            throw fault(key, `the codec ${shown(name)} is not supported`);
    }
}

/** Returns a fill value in little-endian order. */
function fillOf(key: string, value: unknown, type: NumberType, text: MetadataText): Bytes {
    const refused = () => fault(key, `fill_value is ${shown(value)}, which is no ${type.name}`);
    const bytes = new Uint8Array(8);
    const view = new DataView(bytes.buffer);
    const own = () => bytes.slice(0, type.bytes);
    if (type.name === "bool") {
        if (typeof value !== "boolean" && value !== 0 && value !== 1) throw refused();
        bytes[0] = Number(value);
        return own();
    }
    if (type.kind === "float") {
        if (typeof value === "string" && /^0x[\da-f]{1,16}$/i.test(value)) {
            if (value.length > 2 + 2 * type.bytes) throw refused();
            view.setBigUint64(0, BigInt(value), true);
            return own();
        }
        const words: Readonly<Record<string, number>> = {
            NaN: NaN,
            Infinity: Infinity,
            "-Infinity": -Infinity,
        };
        const number = typeof value === "string" ? words[value] : value;
        if (typeof number !== "number") throw refused();
        if (type.bytes === 2) view.setUint16(0, halfOf(number), true);
        else if (type.bytes === 4) view.setFloat32(0, number, true);
        else view.setFloat64(0, number, true);
        return own();
    }
    if (typeof value === "boolean") return fillOf(key, Number(value), type, text);
    if (typeof value !== "number") throw refused();
    // JSON.parse rounds numbers of more than 53 bits.
    const written = Number.isSafeInteger(value) ? `{"fill_value":${value}}` : text();
    if (written === undefined) {
        throw fault(key, `fill_value is ${value}, which may be rounded: pass the text of the metadata`);
    }
    const digits = memberText(written, ["fill_value"]);
    if (!/^-?\d+$/.test(digits ?? "")) throw refused();
    const whole = BigInt(digits ?? 0);
    const bits = 8 * type.bytes;
    const kept = type.kind === "signed" ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole);
    if (kept !== whole) throw refused();
    view.setBigUint64(0, BigInt.asUintN(64, whole), true);
    return own();
}

/** Returns the half float next to a number; ties go to even ones. */
function halfOf(number: number): number {
    const sign = number < 0 || Object.is(number, -0) ? 0x8000 : 0;
    const size = Math.abs(number);
    if (Number.isNaN(size)) return 0x7e00;
    if (size >= 65520) return sign | 0x7c00;
    const exponent = Math.max(-14, Math.floor(Math.log2(size || 2 ** -24)));
    const scaled = size * 2 ** (10 - exponent);
    const floor = Math.floor(scaled);
    const isUp = scaled - floor > 0.5 || (scaled - floor === 0.5 && floor % 2 === 1);
    // (A normal number has its leading bit at 10, which adds one to the exponent. So does a carry.)
    return sign | (((exponent + 14) << 10) + floor + (isUp ? 1 : 0));
}
