// The reader of OME-Zarr in Node.js: arrays of zarr-python, metadata, archives, servers that misbehave.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { blobs, omeFiles, respond, serve, voxelsOf, zipOf } from "./zarr-files.mjs";

const built = fileURLToPath(new URL("../dist/zarr/", import.meta.url));
const skip = existsSync(built) ? false : "dist/ has no reader of OME-Zarr (npm run build)";
if (skip) console.log(`# skipped: ${skip}`);
const SAMPLES = fileURLToPath(new URL("../../test-data/zarr/arrays.zip", import.meta.url));
const never = new AbortController().signal;

/** Dims of the arrays in `arrays.zip`: x, y and z. */
const DIMS = [14, 13, 9];

/** Returns the numbers of an array in `arrays.zip`, as its script made them. */
function expected(name) {
    const type = /^(?:type|v2|missing)-(\w+)$/.exec(name)?.[1] ?? "";
    const numbers = [];
    for (let z = 0; z < DIMS[2]; z++) {
        for (let y = 0; y < DIMS[1]; y++) {
            for (let x = 0; x < DIMS[0]; x++) {
                const number = x * x + 3 * y + 7 * z;
                const isFirst = x < 12 && y < 10 && z < 8;
                if (name === "missing" || name === "missing-shard") numbers.push(isFirst ? number : 7);
                else if (name.endsWith("missing-nan")) numbers.push(isFirst ? 1.5 : NaN);
                else if (name === "missing-u8") numbers.push(isFirst ? 5n : 2n ** 64n - 1n);
                else if (name === "missing-f2") {
                    // The nearest half floats.
                    const first = [1007 * 2 ** -24, Infinity, -(2 ** -24), 65504, NaN];
                    numbers.push(z + y === 0 && x < 5 ? first[x] : 1638 * 2 ** -14);
                } else if (type === "bool") numbers.push(number % 2);
                else if (type.startsWith("float")) {
                    numbers.push(type === "float16" ? number / 8 : number / 8);
                } else if (type === "int8") numbers.push(((number - 20) << 24) >> 24);
                else if (type === "uint8") numbers.push(number & 255);
                else if (type === "int64") numbers.push(BigInt(number - 20));
                else if (type === "uint64") numbers.push(BigInt(number));
                else if (type.startsWith("int")) numbers.push(number - 20);
                else numbers.push(number);
            }
        }
    }
    return numbers;
}

const ARRAYS = {
    u8: Uint8Array,
    i8: Int8Array,
    u16: Uint16Array,
    i16: Int16Array,
    u32: Uint32Array,
    i32: Int32Array,
    f32: Float32Array,
    u64: BigUint64Array,
    i64: BigInt64Array,
    f64: Float64Array,
};

describe("OME-Zarr in Node.js", { skip }, () => {
    let reader;
    before(async () => {
        const names = [
            "blosc",
            "boxes",
            "checksums",
            "codecs",
            "http",
            "metadata",
            "open",
            "plan",
            "source",
            "zip",
        ];
        const modules = await Promise.all(names.map((name) => import(`../dist/zarr/${name}.js`)));
        reader = Object.assign({}, ...modules);
    });

    const noBricks = () => Promise.reject(new Error("no module"));
    const open = async (source, path = "", signal = never) =>
        reader.ZarrImage.open(await reader.storeOf(source, path, signal), path, signal);
    const read = (image, part = {}, signal = never, progress = () => {}) =>
        image.read(
            { level: 0, frame: 0, channel: 0, ...part },
            (job) => reader.decodeBox(job, noBricks),
            signal,
            progress,
        );
    const failure = async (call, pattern) => {
        const error = await call().then(
            () => assert.fail("nothing failed"),
            (error) => error,
        );
        assert.equal(error.name, "BrickworkError", error.stack);
        assert.match(error.message, pattern);
        return error;
    };

    test("arrays of zarr-python have their voxels, as a whole and in regions", async () => {
        const { ZipStore, storeOf } = reader;
        const archive = new Blob([await readFile(SAMPLES)]);
        const names = new Set();
        await assert.rejects(storeOf(archive, "", never), /several hierarchies of Zarr: /);
        assert.equal((await open(archive, "shard")).description.channels, 1);
        const { BlobStore } = await import("../dist/zarr/store.js");
        const store = await ZipStore.open(BlobStore.ofFile(archive), "arrays.zip", never);
        for (const key of store.keys()) names.add(key.split("/")[0]);
        assert.equal(names.size, 59);
        for (const name of names) {
            const image = await reader.ZarrImage.open(store, name, never);
            const { voxelType, levels } = image.description;
            assert.deepEqual(levels[0].dims, DIMS, name);
            const typed = (bytes) => Array.from(new ARRAYS[voxelType](bytes.buffer));
            const want = expected(name);
            assert.deepEqual(typed(await read(image)), want, name);
            const region = [2, 13, 1, 12, 3, 9];
            const part = typed(await read(image, { region }));
            const inside = want.filter((_, i) => {
                const at = [i % 14, Math.floor(i / 14) % 13, Math.floor(i / 182)];
                return at.every((side, axis) => side >= region[2 * axis] && side < region[2 * axis + 1]);
            });
            assert.deepEqual(part, inside, name);
        }
    });

    test("zarrita reads the same voxels", async () => {
        const zarrita = await import("zarrita");
        const { ZipStore } = reader;
        const { BlobStore } = await import("../dist/zarr/store.js");
        const archive = new Blob([await readFile(SAMPLES)]);
        const store = await ZipStore.open(BlobStore.ofFile(archive), "arrays.zip", never);
        const names = new Set([...store.keys()].map((key) => key.split("/")[0]));
        // Cases that zarrita 0.7.5 reads wrongly or not at all.
        const isFaulty = (name) =>
            /shard-(?:start|nested|gzip|transposed)|float16|missing-f2|missing-u8/.test(name);
        let count = 0;
        for (const name of names) {
            if (isFaulty(name)) continue;
            const other = {
                get: (key) => store.get(`${name}${key}`, 1 << 20, never),
                async getRange(key, { offset, length, suffixLength }) {
                    if (suffixLength)
                        return (await store.getEnd(`${name}${key}`, suffixLength, never))?.bytes;
                    return store.getRange(`${name}${key}`, offset, offset + length, never);
                },
            };
            const array = await zarrita.open(zarrita.root(other), { kind: "array" });
            const { data, stride } = await zarrita.get(array);
            const image = await reader.ZarrImage.open(store, name, never);
            const { voxelType } = image.description;
            const own = new ARRAYS[voxelType]((await read(image)).buffer);
            const at = (index) => (typeof data.get === "function" ? Number(data.get(index)) : data[index]);
            const theirs = Array.from(own, (_, i) =>
                at(
                    (i % 14) * stride[2] +
                        (Math.floor(i / 14) % 13) * stride[1] +
                        Math.floor(i / 182) * stride[0],
                ),
            );
            assert.deepEqual(Array.from(own), theirs, name);
            count += 1;
        }
        assert.equal(count, 50);
    });

    test("versions 0.1 to 0.5 have levels, frames and channels", async () => {
        for (const version of ["0.1", "0.2", "0.3", "0.4", "0.5"]) {
            const files = omeFiles({ version, counts: { t: 2, c: 2 } });
            const image = await open(blobs(files));
            const { description } = image;
            assert.equal(description.version, version);
            assert.deepEqual([description.frames, description.channels], [2, 2]);
            assert.deepEqual(
                description.levels.map(({ dims }) => dims),
                [
                    [20, 14, 10],
                    [10, 7, 5],
                ],
            );
            const isPlaced = version >= "0.4";
            const [side, half] = isPlaced ? [0.0005, 0.00025] : [1, 0];
            assert.deepEqual(description.levels[0].spacing, [side, side, side]);
            assert.deepEqual(description.levels[1].spacing, isPlaced ? [0.001, 0.001, 0.001] : [1, 1, 1]);
            assert.deepEqual(description.levels[1].origin, [half, half, half]);
            const numbers = new Uint16Array((await read(image, { level: 1, frame: 1, channel: 1 })).buffer);
            assert.deepEqual(
                numbers,
                voxelsOf([10, 7, 5], 2).map((number) => number + 14096),
            );
            const both = new Uint16Array((await read(image, { frame: 0, channel: undefined })).buffer);
            const first = voxelsOf([20, 14, 10]);
            assert.deepEqual(
                [...both.subarray(0, 6)],
                [...first.subarray(0, 3)].flatMap((n) => [n, n + 4096]),
            );
            assert.equal(both.length, 2 * first.length);
        }
    });

    test("axes in other orders and numbers", async () => {
        for (const axes of [
            ["x", "y", "z"],
            ["z", "y", "x"],
            ["y", "x"],
            ["c", "y", "z", "x"],
            ["z", "y", "x", "c"],
        ]) {
            const dims = axes.includes("z") ? [20, 14, 10] : [20, 14, 1];
            const counts = { c: axes.includes("c") ? 3 : 1 };
            const image = await open(blobs(omeFiles({ axes, dims, counts, version: "0.4", levels: 1 })));
            const channel = counts.c - 1;
            const numbers = new Uint16Array((await read(image, { channel })).buffer);
            assert.deepEqual(
                numbers,
                voxelsOf(dims).map((number) => number + 4096 * channel),
                axes.join(),
            );
        }
        await failure(
            () => open(blobs(omeFiles({ axes: ["t", "z", "z", "x"] }))),
            /the axes t, z, z, x of .* are not/,
        );
    });

    test("translations, units and channels", async () => {
        const scales = (step, level) => [
            { type: "scale", scale: [1, 1, 2 * step, step, step] },
            { type: "translation", translation: [0, 0, level, level / 2, level / 2] },
        ];
        const omero = {
            channels: [
                {
                    label: "DAPI",
                    color: "0000FF",
                    window: { start: 100, end: 900, min: 0, max: 65535 },
                    active: true,
                },
                { label: "GFP", color: "green", window: { start: 5, end: 5 }, inverted: true, active: false },
            ],
        };
        const files = omeFiles({ scales, counts: { c: 2 }, unit: "nanometer", attributes: { omero } });
        const { description } = await open(blobs(files));
        assert.deepEqual(description.levels[1].spacing, [2e-6, 2e-6, 4e-6]);
        assert.deepEqual(description.levels[1].origin, [0.5e-6, 0.5e-6, 1e-6]);
        assert.deepEqual(description.notes, []);
        assert.deepEqual(description.channelLooks, [
            { name: "DAPI", window: [100, 900], color: [0, 0, 1], isInverted: false, isActive: true },
            { name: "GFP", window: null, color: null, isInverted: true, isActive: false },
        ]);
        const strange = await open(blobs(omeFiles({ unit: "cubit" })));
        assert.match(strange.description.notes.join(), /the unit cubit is not known/);
    });

    test("collections of images state what can be opened", async () => {
        const image = omeFiles({ prefix: "0/", levels: 1 });
        const group = (path, ome) => [
            `${path}zarr.json`,
            JSON.stringify({ zarr_format: 3, node_type: "group", attributes: { ome } }),
        ];
        const plate = new Map([group("", { plate: { wells: [{ path: "A/1" }, { path: "B/2" }] } })]);
        await failure(() => open(blobs(plate)), /is a plate, not an image. Open one of A\/1\/0, B\/2\/0/);
        const well = new Map([...plate, group("A/1/", { well: { images: [{ path: "0" }] } })]);
        await failure(() => open(blobs(well), "A/1"), /is a well, .* A\/1\/0/);
        const raw = new Map([...image, group("", { "bioformats2raw.layout": 3 })]);
        assert.equal((await open(blobs(raw))).description.path, "0");
        const series = new Map([...raw, group("OME/", { series: ["0", "1"] })]);
        const { description } = await open(blobs(series));
        assert.match(description.notes.join(), /image 0 of 2 is shown; there are 0, 1/);
        const other = new Map([...image, group("", {})]);
        await failure(() => open(blobs(other)), /is a group without multiscales.* It has 0$/);
        await failure(() => open(blobs(other), "nothing"), /there is no Zarr/);
        const labels = omeFiles({ prefix: "labels/cells/", levels: 1, attributes: { "image-label": {} } });
        const labelled = new Map([...omeFiles(), ...labels, group("labels/", { labels: ["cells"] })]);
        assert.deepEqual((await open(blobs(labelled))).description.labelPaths, ["labels/cells"]);
        assert.equal((await open(blobs(labelled), "labels/cells")).description.isLabels, true);
        // The picked folder is the parent of the hierarchy.
        const inside = new Map([...omeFiles({ prefix: "scan.zarr/" }), ["readme.txt", "x"]]);
        assert.equal((await open(blobs(inside))).description.channels, 1);
    });

    test("metadata that cannot be read are refused by name", async () => {
        const three = (change) => {
            const files = omeFiles();
            const json = JSON.parse(files.get("s0/zarr.json"));
            change(json);
            files.set("s0/zarr.json", JSON.stringify(json));
            return () => open(blobs(files));
        };
        const two = (change) => {
            const files = omeFiles({ version: "0.4" });
            const json = JSON.parse(files.get("0/.zarray"));
            change(json);
            files.set("0/.zarray", JSON.stringify(json));
            return () => open(blobs(files));
        };
        const sharding = (configuration) => (json) => {
            json.codecs = [
                {
                    name: "sharding_indexed",
                    configuration: {
                        chunk_shape: [1, 1, 4, 4, 4],
                        codecs: json.codecs,
                        index_codecs: [{ name: "bytes", configuration: { endian: "little" } }],
                        ...configuration,
                    },
                },
            ];
        };
        for (const [change, pattern] of [
            [
                (json) => json.codecs.push({ name: "jpeg2k" }),
                /^s0\/zarr.json: the codec jpeg2k is not supported/,
            ],
            [(json) => (json.chunk_grid.name = "rectilinear"), /the chunk grid rectilinear is not/],
            [
                (json) => (json.storage_transformers = [{ name: "magic" }]),
                /the storage transformer magic is not/,
            ],
            [(json) => (json.future = {}), /the field future is not/],
            [(json) => (json.data_type = "complex64"), /the type complex64 is not/],
            [(json) => (json.shape = [1, 1, 1e9, 1e9, "x"]), /shape is .* no list of positive whole numbers/],
            [(json) => (json.shape = [1]), /chunk_shape has 5 axes, not 1/],
            [(json) => (json.chunk_key_encoding.name = "odd"), /the chunk key encoding odd is not/],
            [(json) => (json.fill_value = "0x10"), /fill_value is 0x10, which is no uint16/],
            [(json) => (json.fill_value = 65536), /fill_value is 65536/],
            [
                (json) => (json.chunk_grid.configuration.chunk_shape = [1, 1, 4096, 4096, 4096]),
                /the limit is 268435456/,
            ],
            [
                (json) => (json.codecs = [json.codecs[1]]),
                /the codec gzip is not supported|none that makes bytes/,
            ],
            [(json) => delete json.codecs[0].configuration, /endian of the codec bytes is nothing/],
            [
                (json) =>
                    json.codecs.unshift({ name: "transpose", configuration: { order: [0, 0, 1, 2, 3] } }),
                /no permutation/,
            ],
            [sharding({ chunk_shape: [1, 1, 3, 4, 4] }), /do not consist of chunks/],
            [sharding({ index_codecs: [{ name: "zstd" }] }), /index_codecs zstd are not supported/],
            [sharding({ index_location: "middle" }), /index_location is middle/],
            [(json) => (json.zarr_format = 4), /zarr_format is 4/],
        ]) {
            assert.equal((await failure(three(change), pattern)).message.startsWith("s0/"), true);
        }
        for (const [change, pattern] of [
            [(json) => (json.dtype = [["a", "<u2"]]), /^0\/.zarray: the type .* is not supported/],
            [(json) => (json.compressor = { id: "bz2" }), /the codec bz2 is not/],
            [(json) => (json.filters = [{ id: "delta" }]), /the codec delta is not/],
            [(json) => (json.order = "K"), /the order K is neither/],
            [(json) => (json.dimension_separator = "-"), /the separator - is neither/],
        ]) {
            await failure(two(change), pattern);
        }
        const group = (change) => {
            const files = omeFiles();
            const json = JSON.parse(files.get("zarr.json"));
            change(json.attributes.ome);
            files.set("zarr.json", JSON.stringify(json));
            return () => open(blobs(files));
        };
        for (const [change, pattern] of [
            [(ome) => (ome.version = "0.6"), /version 0.6 of OME-NGFF is not supported/],
            [
                (ome) => (ome.multiscales[0].datasets[1].path = "../x"),
                /the path ..\/x of a dataset is not allowed/,
            ],
            [(ome) => (ome.multiscales[0].datasets[1].path = "s9"), /s9: multiscales names it/],
            [(ome) => (ome.multiscales[0].datasets = []), /has no datasets/],
            [
                (ome) => (ome.multiscales[0].datasets[0].coordinateTransformations[0].type = "affine"),
                /the type affine is not supported/,
            ],
            [
                (ome) => (ome.multiscales[0].datasets[0].coordinateTransformations[0].scale[4] = 0),
                /the scale 0 is not positive/,
            ],
        ]) {
            await failure(group(change), pattern);
        }
        await failure(() => open(new Map([["zarr.json", new Blob(["{"])]])), /zarr.json: it is no JSON/);
    });

    test("damaged chunks and shards are errors with key and chunk", async () => {
        const { ZipStore } = reader;
        const { BlobStore } = await import("../dist/zarr/store.js");
        const archive = new Blob([await readFile(SAMPLES)]);
        const store = await ZipStore.open(BlobStore.ofFile(archive), "arrays.zip", never);
        const damaged = async (name, key, change, pattern, part = {}) => {
            const files = new Map();
            for (const path of store.keys()) {
                if (!path.startsWith(`${name}/`)) continue;
                const bytes = await store.get(path, 1 << 20, never);
                const own = path.slice(name.length + 1);
                files.set(own, own === key ? change(bytes.slice()) : bytes);
            }
            const image = await open(blobs(files));
            return failure(() => read(image, part), pattern);
        };
        const flip = (at) => (bytes) => {
            bytes[at < 0 ? bytes.length + at : at] ^= 0x55;
            return bytes;
        };
        await damaged(
            "zstd-crc",
            "c/0/0/0",
            flip(-1),
            /^c\/0\/0\/0, chunk 0,0,0: crc32c: the checksum differs/,
        );
        await damaged("zstd", "c/0/1/0", flip(0), /^c\/0\/1\/0, chunk 0,1,0: zstd: /);
        await damaged("gzip", "c/1/0/0", (bytes) => bytes.slice(0, 20), /^c\/1\/0\/0, chunk 1,0,0: .*gzip/);
        await damaged("none", "c/0/0/0", (bytes) => bytes.slice(2), /it has 1918 bytes, not 1920/);
        await damaged("blosc-lz4-shuffle", "c/0/0/0", (bytes) => bytes.slice(0, 60), /blosc: /);
        await damaged("shard", "c/0/0/0", flip(-1), /the checksum of the shard's index differs/);
        await damaged(
            "shard",
            "c/0/0/0",
            (bytes) => bytes.slice(0, 30),
            /c\/0\/0\/0: the index of the shard is cut/,
        );
        const bomb = () => gzipSync(Buffer.alloc(1 << 20));
        await damaged("gzip", "c/0/0/0", bomb, /unpacks to more than the 1920 bytes/);
        // An index without a checksum that names bytes outside of the shard.
        const image = omeFiles({ levels: 1, chunk: 16 });
        const json = JSON.parse(image.get("s0/zarr.json"));
        json.codecs = [
            {
                name: "sharding_indexed",
                configuration: {
                    chunk_shape: [1, 1, 16, 16, 16],
                    codecs: json.codecs,
                    index_codecs: [{ name: "bytes", configuration: { endian: "little" } }],
                },
            },
        ];
        image.set("s0/zarr.json", JSON.stringify(json));
        for (const [offset, size] of [
            [1000n, 1n],
            [2n ** 63n, 5n],
            [0n, 2n ** 64n - 1n],
        ]) {
            const index = Buffer.alloc(16);
            index.writeBigUInt64LE(offset, 0);
            index.writeBigUInt64LE(size, 8);
            for (const key of image.keys()) if (key.startsWith("s0/c/")) image.set(key, index);
            const opened = await open(blobs(image));
            await failure(() => read(opened), /inner chunk 0 is stated at .*, outside of the shard/);
        }
    });

    test("no damage of any byte has another result than voxels or an error", async () => {
        const { ZipStore } = reader;
        const { BlobStore } = await import("../dist/zarr/store.js");
        const archive = new Blob([await readFile(SAMPLES)]);
        const store = await ZipStore.open(BlobStore.ofFile(archive), "arrays.zip", never);
        let random = 1;
        const next = (count) => {
            random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
            return Math.floor((random / 2 ** 32) * count);
        };
        const names = [
            "blosc-lz4-shuffle",
            "blosc-blosclz-bitshuffle",
            "blosc-zstd-noshuffle",
            "blosc-zlib-shuffle",
        ];
        names.push("zstd", "gzip", "shard-nested-start", "shard-gzip", "v2-lz4", "v2-order-f");
        for (const name of names) {
            const files = new Map();
            for (const path of store.keys()) {
                if (!path.startsWith(`${name}/`)) continue;
                files.set(path.slice(name.length + 1), await store.get(path, 1 << 20, never));
            }
            const keys = [...files.keys()];
            for (let i = 0; i < 40; i++) {
                const key = keys[next(keys.length)];
                const bytes = files.get(key).slice();
                for (let flips = 1 + next(3); flips > 0; flips--) bytes[next(bytes.length)] ^= 1 << next(8);
                const damaged = new Map(files).set(key, next(4) ? bytes : bytes.slice(0, next(bytes.length)));
                try {
                    const image = await open(blobs(damaged));
                    const [x, y, z] = image.description.levels[0].dims;
                    if (x * y * z < 1 << 20) await read(image);
                } catch (error) {
                    assert.equal(error.name, "BrickworkError", `${name} ${key}: ${error.stack}`);
                }
            }
        }
    });

    test("archives: stored, deflated, ZIP64, comments; damaged ones", async () => {
        const files = omeFiles();
        const want = voxelsOf([20, 14, 10]);
        for (const options of [
            {},
            { isDeflated: () => true },
            { isWide: true, comment: "PK\u0005\u0006 is in this comment" },
            { isDeflated: (path) => path.endsWith(".json"), comment: "x".repeat(65535) },
        ]) {
            const archive = zipOf(files, options);
            const { url, requests, close } = await serve(new Map([["scan.ozx", archive]]));
            try {
                for (const source of [new Blob([archive]), `${url}scan.ozx`]) {
                    const image = await open(source);
                    assert.deepEqual(new Uint16Array((await read(image)).buffer), want);
                }
                // The end, or with a long comment end and directory in three requests. Then header and data of
                // each file in one.
                assert.ok(requests.length <= 3 + 3 + 12, String(requests.length));
            } finally {
                close();
            }
        }
        const inFolder = zipOf(omeFiles({ prefix: "scan.zarr/" }));
        assert.deepEqual(new Uint16Array((await read(await open(new Blob([inFolder])))).buffer), want);
        const archive = zipOf(files);
        await failure(() => open(new Blob([archive.subarray(0, -30)])), /has no end record/);
        await failure(() => open(new Blob(["PK"])), /has no end record/);
        const wrong = zipOf(files, { sumOf: () => 1 });
        await failure(() => open(new Blob([wrong])), /zarr.json: it is damaged: size or checksum differ/);
        // No damage of directory or headers has another result than an error or the voxels.
        const start = archive.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
        for (let at = start; at < archive.length; at += 7) {
            const damaged = Buffer.from(archive);
            damaged[at] ^= 0xff;
            const result = open(new Blob([damaged])).then(read);
            await result.catch((error) => assert.equal(error.name, "BrickworkError", error.stack));
        }
    });

    describe("from servers", () => {
        const files = omeFiles({ levels: 1 });
        const want = voxelsOf([20, 14, 10]);
        const CHUNK = "s0/c/0/0/1/1/2";
        const quick = { pause: 1, stall: 300 };

        /** Reads an image of a server that misbehaves. */
        async function from(misbehave, act, own = files) {
            const server = await serve(own, misbehave);
            try {
                const store = new reader.HttpStore(server.url, quick);
                return await act(() => reader.ZarrImage.open(store, "", never), server);
            } finally {
                server.close();
            }
        }
        const voxelsFrom = (misbehave, own) =>
            from(misbehave, async (opened) => new Uint16Array((await read(await opened())).buffer), own);
        const status =
            (code, headers = {}) =>
            (request, response) => {
                response.writeHead(code, headers);
                response.end("<!doctype html><title>x</title>");
                return true;
            };

        test("passing failures are tried again", async () => {
            for (const code of [408, 429, 500, 502, 503]) {
                const voxels = await voxelsFrom(
                    (path, count, ...rest) =>
                        path === CHUNK && count < 2 && status(code, { "retry-after": "0" })(...rest),
                );
                assert.deepEqual(voxels, want);
            }
            const cut = (path, count, request, response) => {
                if (path !== CHUNK || count > 1) return false;
                response.writeHead(200, { "content-length": 1000 });
                response.write("abc");
                setTimeout(() => response.destroy(), 20);
                return true;
            };
            assert.deepEqual(await voxelsFrom(cut), want);
            // A server that stops in the middle.
            const silent = (path, count, request, response) => {
                if (path !== CHUNK || count > 0) return false;
                response.writeHead(200, { "content-length": 1000 });
                response.write("abc");
                return true;
            };
            assert.deepEqual(await voxelsFrom(silent), want);
        });

        test("lasting failures name the file", async () => {
            const at =
                (answer) =>
                (path, count, ...rest) =>
                    path === CHUNK && answer(...rest);
            await failure(
                () => voxelsFrom(at(status(500))),
                /s0\/c\/0\/0\/1\/1\/2: .*status 500 \(4 attempts\)/,
            );
            await failure(() => voxelsFrom(at(status(401))), /s0\/c\/0\/0\/1\/1\/2: .*status 401$/);
            const silent = (request, response) => {
                response.writeHead(200, { "content-length": 1000 });
                response.write("abc");
                return true;
            };
            await failure(
                () => voxelsFrom(at(silent)),
                /s0\/c\/0\/0\/1\/1\/2: the server sent nothing for 0.3 s/,
            );
            const page = at(status(200, { "content-type": "text/html" }));
            await failure(() => voxelsFrom(page), /chunk 0,0,1,1,2: /);
            await failure(
                () => voxelsFrom((path, count, ...rest) => status(200)(...rest)),
                /the server answers every path/,
            );
            await failure(
                () => voxelsFrom((path, count, ...rest) => status(403)(...rest)),
                /refuses them \(status 403\)/,
            );
            const huge = at((request, response) => {
                response.writeHead(200);
                response.end(Buffer.alloc(1 << 20));
                return true;
            });
            await failure(() => voxelsFrom(huge), /the server sends more than .* bytes; the limit is/);
        });

        test("missing chunks are the fill value: 404, and 403 of some", async () => {
            for (const code of [404, 403]) {
                const voxels = await voxelsFrom(
                    (path, count, ...rest) => path === CHUNK && status(code)(...rest),
                );
                const wanted = want.map((number, i) => {
                    const [x, y, z] = [i % 20, Math.floor(i / 20) % 14, Math.floor(i / 280)];
                    return x >= 16 && y >= 8 && z >= 8 ? 0 : number;
                });
                assert.deepEqual(voxels, wanted);
            }
            const all = (path, count, ...rest) => path.includes("/c/") && status(403)(...rest);
            await failure(() => voxelsFrom(all), /refuses all of its chunks \(status 403\)/);
        });

        test("shards: few requests, servers without ranges, changed and cut files", async () => {
            const { ZipStore } = reader;
            const { BlobStore } = await import("../dist/zarr/store.js");
            const archive = new Blob([await readFile(SAMPLES)]);
            const store = await ZipStore.open(BlobStore.ofFile(archive), "arrays.zip", never);
            const shards = new Map();
            for (const key of store.keys()) {
                const [name, ...rest] = key.split("/");
                if (name === "shard" || name === "shard-start")
                    shards.set(key, await store.get(key, 1 << 20, never));
            }
            const from = async (name, misbehave, act) => {
                const server = await serve(shards, misbehave);
                try {
                    const http = new reader.HttpStore(`${server.url}${name}/`, quick);
                    const image = await reader.ZarrImage.open(http, "", never);
                    return await act(image, server);
                } finally {
                    server.close();
                }
            };
            const numbers = async (image) => Array.from(new Uint16Array((await read(image)).buffer));
            for (const name of ["shard", "shard-start"]) {
                await from(name, undefined, async (image, { requests }) => {
                    assert.deepEqual(await numbers(image), expected(name));
                    // One shard: metadata, the index, all inner chunks.
                    assert.equal(requests.length, 3);
                    assert.deepEqual(await numbers(image), expected(name));
                    assert.equal(requests.length, 4);
                });
            }
            const whole = (path, count, request, response) => {
                if (!path.includes("/c/")) return false;
                respond(Buffer.from(shards.get(path)), undefined, response);
                return true;
            };
            await from("shard", whole, async (image, { requests }) => {
                assert.deepEqual(await numbers(image), expected("shard"));
                assert.equal(requests.length, 2);
            });
            const changed = (path, count, request, response) => {
                if (!path.includes("/c/")) return false;
                const tag = { etag: `"${count}"` };
                respond(Buffer.from(shards.get(path)), request.headers.range, response, "GET", tag);
                return true;
            };
            await from("shard", changed, (image) =>
                failure(() => read(image), /c\/0\/0\/0: it has changed while/),
            );
            const short = (path, count, request, response) => {
                if (!path.includes("/c/") || count === 0) return false;
                response.writeHead(206);
                response.end("abc");
                return true;
            };
            await from("shard", short, (image) =>
                failure(() => read(image), /the server sent 3 bytes, not \d+/),
            );
            const shifted = (path, count, request, response) => {
                if (!path.includes("/c/") || count === 0) return false;
                response.writeHead(206, { "content-range": "bytes 7-9/100" });
                response.end("abc");
                return true;
            };
            await from("shard", shifted, (image) =>
                failure(() => read(image), /the server sent bytes 7 to 10 for/),
            );
        });

        test("an abort ends all requests", async () => {
            const slow = (path, count, request, response) => {
                if (!path.includes("/c/")) return false;
                setTimeout(() => respond(Buffer.from(files.get(path)), undefined, response), 50);
                return true;
            };
            await from(slow, async (opened, { requests }) => {
                const image = await opened();
                const abort = new AbortController();
                const reason = new Error("enough");
                const reading = read(image, {}, abort.signal, (done) => done > 0 && abort.abort(reason));
                await assert.rejects(reading, reason);
                // (Those on their way arrive.)
                await sleep(100);
                const count = requests.length;
                assert.ok(count < files.size, String(count));
                await sleep(200);
                assert.equal(requests.length, count);
                // The image can be read again.
                assert.deepEqual(new Uint16Array((await read(image)).buffer), want);
            });
        });

        test("progress goes from nothing to all of the voxels", async () => {
            await from(undefined, async (opened) => {
                const seen = [];
                await read(await opened(), {}, never, (done, total) => seen.push([done, total]));
                assert.deepEqual(seen[0], [0, 5600]);
                assert.deepEqual(seen.at(-1), [5600, 5600]);
                assert.ok(seen.every(([done], i) => i === 0 || done >= seen[i - 1][0]));
                assert.equal(seen.length, 14);
            });
        });
    });

    test("too large parts and wrong options are refused", async () => {
        const files = omeFiles({ levels: 1 });
        const json = JSON.parse(files.get("s0/zarr.json"));
        json.shape = [1, 1, 100000, 100000, 100000];
        files.set("s0/zarr.json", JSON.stringify(json));
        const huge = await open(blobs(files));
        assert.equal((await failure(() => read(huge), /bytes; the limit is/)).code, "limit");
        const image = await open(blobs(omeFiles()));
        for (const [part, pattern] of [
            [{ channel: 1 }, /channel is 1; there are 1/],
            [{ frame: -1 }, /frame is -1/],
            [{ region: [0, 21, 0, 1, 0, 1] }, /region has 0 to 21 along x, where there are 20/],
        ]) {
            assert.equal((await failure(() => read(image, part), pattern)).code, "option");
        }
    });

    test("pages are as large as chunks, where these are suited", async () => {
        const { pageSide } = await import("../dist/zarr/pages.js");
        const pool = 256 << 20;
        assert.deepEqual(pageSide([640, 640, 640], [64, 64, 64], 2, pool), [64, 64, 64]);
        assert.deepEqual(pageSide([640, 640, 20], [128, 96, 50], 2, pool), [128, 96, 32]);
        assert.deepEqual(pageSide([640, 640, 640], [50, 16, 1], 2, pool), [64, 64, 64]);
        // Of four bytes, 40 pages of 256³ or 128³ exceed the pool.
        assert.deepEqual(pageSide([2048, 2048, 2048], [256, 256, 256], 4, pool), [64, 128, 128]);
        // At most 8192 pages.
        const sides = pageSide([4096, 4096, 2048], [64, 64, 64], 1, 2 ** 31);
        assert.ok(
            sides.reduce((count, side, axis) => count * Math.ceil([4096, 4096, 2048][axis] / side), 1) <=
                8192,
        );
    });

    test("regions keep their chunks", async () => {
        const { url, requests, close } = await serve(omeFiles({ levels: 1 }));
        try {
            const image = await open(url);
            const count = () => requests.filter(({ path }) => path.includes("/c/")).length;
            const want = new Uint16Array((await read(image, { region: [3, 9, 2, 10, 1, 9] })).buffer);
            assert.equal(count(), 8);
            const again = new Uint16Array((await read(image, { region: [3, 9, 2, 10, 1, 9] })).buffer);
            assert.deepEqual([count(), again], [8, want]);
            await read(image, { region: [3, 20, 2, 10, 1, 9] });
            assert.equal(count(), 12);
        } finally {
            close();
        }
    });

    test("ranges are joined up to a size", () => {
        const chunk = (start, end) => ({ position: [start], range: [start, end] });
        const MB = 1 << 20;
        const fetches = reader.joined("k", [
            chunk(3 * MB, 4 * MB),
            chunk(0, MB),
            chunk(MB + 32768, 2 * MB),
            chunk(2 * MB + 40000, 3 * MB),
            chunk(4 * MB, 5 * MB),
            chunk(6 * MB, 16 * MB),
        ]);
        assert.deepEqual(
            fetches.map(({ range }) => range),
            [
                [0, 2 * MB],
                [2 * MB + 40000, 5 * MB],
                [6 * MB, 16 * MB],
            ],
        );
        assert.deepEqual(
            fetches.map(({ chunks }) => chunks.length),
            [2, 3, 1],
        );
    });
});
