// The package `@brickwork/zarr-codec`: chunks of the program, through zarrita 0.5 to 0.7, in Node.js, a page and a
// worker; regions of chunks; sizes; the README's code with the packed package.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { files as pageFiles, openPage } from "./browser.mjs";
import { PROGRAM, encodedVolume, noProgram } from "./native.mjs";
import { serve, zipOf } from "./zarr-files.mjs";

const FOLDER = fileURLToPath(new URL("../zarr-codec/", import.meta.url));
const DIST = `${FOLDER}dist/zarr-codec/`;
const EXTENSION = fileURLToPath(
    new URL("../../bindings/python/zarr-extension/sample_data/", import.meta.url),
);
const CHUNKS = fileURLToPath(new URL("../../test-data/chunks/", import.meta.url));
const skip = noProgram || (existsSync(DIST) ? false : "there is no zarr-codec/dist (npm run build)");
if (skip) console.log(`# skipped: ${skip}`);

const ARRAYS = {
    u8: Uint8Array,
    i16: Int16Array,
    u16: Uint16Array,
    f32: Float32Array,
    u64: BigUint64Array,
};

/** Returns the files of a folder by their paths, after `prefix`. */
async function filesOf(folder, prefix = "") {
    const found = new Map();
    for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath ?? entry.path, entry.name);
        found.set(prefix + path.slice(folder.length), new Uint8Array(await readFile(path)));
    }
    return found;
}

describe("the Zarr codec", { skip }, () => {
    let folder, codec, register, regions, zarrita;
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "brickwork-codec-"));
        ({ codec, register } = await import("../zarr-codec/dist/zarr-codec/index.js"));
        ({ regions } = await import("../zarr-codec/dist/zarr-codec/regions.js"));
        zarrita = await import("zarrita");
        register(zarrita.registry);
    });
    after(() => rm(folder, { recursive: true }));

    /** Returns numbers with an object on noise, x the fastest. */
    function numbersOf(type, [width, height, depth]) {
        const numbers = new ARRAYS[type](width * height * depth);
        let [random, at] = [1, 0];
        for (let z = 0; z < depth; z++) {
            for (let y = 0; y < height; y++) {
                for (let x = 0; x < width; x++) {
                    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
                    const inside = (x - width / 2) ** 2 + (y - height / 2) ** 2 + (z - depth / 2) ** 2;
                    const number = (inside < width ** 2 / 9 ? 100 : 3) + (random >>> 29);
                    numbers[at++] = type === "u64" ? BigInt(number) << 40n : number;
                }
            }
        }
        return numbers;
    }

    /** Returns numbers, and the files of an array of them that the program has written. */
    const written = (name, type, dims, ...options) =>
        writtenOf(numbersOf(type, dims), name, type, dims, ...options);

    async function writtenOf(numbers, name, type, dims, ...options) {
        const path = join(folder, name);
        await writeFile(`${path}.raw`, new Uint8Array(numbers.buffer));
        const shape = ["--dims", dims.join("x"), "--type", type];
        const to = ["-o", `${path}.zarr`, "--quiet"];
        execFileSync(PROGRAM, ["volume", "convert", `${path}.raw`, ...shape, ...options, ...to]);
        return { numbers, files: await filesOf(`${path}.zarr`) };
    }

    /** A store of zarrita, with the requests that it has received. */
    class Store {
        requests = [];

        constructor(files) {
            this.files = files;
        }

        async get(key, { signal } = {}) {
            signal?.throwIfAborted();
            const bytes = this.files.get(key);
            if (bytes) this.requests.push({ key, count: bytes.length });
            return bytes?.slice();
        }

        async getRange(key, { offset, length, suffixLength }, { signal } = {}) {
            signal?.throwIfAborted();
            const bytes = this.files.get(key);
            if (!bytes) return undefined;
            const start = suffixLength ? Math.max(0, bytes.length - suffixLength) : offset;
            const found = bytes.slice(start, suffixLength ? bytes.length : start + length);
            this.requests.push({ key, count: found.length });
            return found;
        }
    }

    const opened = async (files, zarr = zarrita) => {
        const store = new Store(files);
        const root = zarr.root(store).resolve("0");
        return { store, array: await zarr.open.v3(root, { kind: "array" }) };
    };

    test("zarrita 0.5 to 0.7 read the program's arrays, of several types and bricks", async () => {
        const cases = [
            ["u8", [50, 40, 30], "--brick", "4", "--chunk", "32x32x32"],
            ["i16", [50, 40, 30], "--brick", "flat", "--chunk", "50x40x30"],
            ["f32", [50, 40, 30], "--brick", "8", "--chunk", "64x64x64"],
            ["u64", [20, 10, 9], "--brick", "4", "--chunk", "16x16x16", "--shard", "32x16x16"],
        ];
        const versions = await Promise.all(["zarrita", "zarrita-0.6", "zarrita-0.5"].map((n) => import(n)));
        for (const zarr of versions.slice(1)) register(zarr.registry);
        for (const [type, dims, ...options] of cases) {
            const { numbers, files } = await written(type, type, dims, ...options);
            for (const zarr of versions) {
                const { array } = await opened(files, zarr);
                const { data, shape } = await zarr.get(array);
                assert.deepEqual(shape, dims.toReversed());
                assert.deepEqual(data, numbers, type);
            }
        }
        assert.equal(new Set(versions.map(({ registry }) => registry)).size, 3);
    });

    test("arrays with `transpose` before the codec, through zarrita 0.5 to 0.7", async () => {
        const versions = await Promise.all(["zarrita", "zarrita-0.6", "zarrita-0.5"].map((n) => import(n)));
        for (const zarr of versions) register(zarr.registry);
        const dims = [24, 40, 12];
        for (const [i, [order, ...options]] of [
            [[2, 1, 0], "--chunk", "24x20x6"],
            ["F", "--chunk", "24x20x6"],
            ["C", "--chunk", "24x20x6"],
            [[1, 2, 0], "--chunk", "24x20x6"],
            [[0, 2, 1], "--chunk", "24x40x12"],
            [[1, 2, 0], "--chunk", "24x20x12", "--shard", "24x40x12"],
        ].entries()) {
            const { numbers, files } = await written(`order${i}`, "u16", dims, "--brick", "4", ...options);
            const axes = { C: [0, 1, 2], F: [2, 1, 0] }[order] ?? order;
            // Axis i of the program's array is axis axes[i] of the transposed one.
            const back = (values) => axes.map((_, axis) => values[axes.indexOf(axis)]);
            const json = JSON.parse(new TextDecoder().decode(files.get("/0/zarr.json")));
            json.shape = back(json.shape);
            const grid = json.chunk_grid.configuration;
            grid.chunk_shape = back(grid.chunk_shape);
            let { codecs } = json;
            assert.equal(codecs[0].name === "sharding_indexed", options.includes("--shard"));
            if (codecs[0].name === "sharding_indexed") {
                const { configuration } = codecs[0];
                configuration.chunk_shape = back(configuration.chunk_shape);
                ({ codecs } = configuration);
            }
            codecs.unshift({ name: "transpose", configuration: { order } });
            delete json.dimension_names;
            const moved = new Map([["/0/zarr.json", new TextEncoder().encode(JSON.stringify(json))]]);
            for (const [key, bytes] of files) {
                const [, place] = /^\/0\/c\/(.*)$/.exec(key) ?? [];
                if (place) moved.set(`/0/c/${back(place.split("/")).join("/")}`, bytes);
            }
            for (const zarr of versions) {
                const { array } = await opened(moved, zarr);
                const { data, shape, stride } = await zarr.get(array);
                const sides = dims.toReversed();
                assert.deepEqual(shape, back(sides));
                for (let z = 0, at = 0; z < sides[0]; z++) {
                    for (let y = 0; y < sides[1]; y++) {
                        for (let x = 0; x < sides[2]; x++, at++) {
                            const place = back([z, y, x]).reduce((sum, n, axis) => sum + n * stride[axis], 0);
                            if (data[place] !== numbers[at]) assert.fail(`${order}: ${[z, y, x]}`);
                        }
                    }
                }
            }
        }
    });

    test("the sample data of the codec's registration", async () => {
        for (const name of ["plain", "sharded"]) {
            const files = await filesOf(`${EXTENSION}${name}.zarr`, "/0");
            const { data, shape } = await zarrita.get((await opened(files)).array);
            assert.deepEqual(shape, [20, 33, 40]);
            for (let i = 0; i < data.length; i++) {
                const [x, y, z] = [i % 40, Math.floor(i / 40) % 33, Math.floor(i / 1320)];
                assert.equal(data[i], x * x + 3 * y + 7 * z);
            }
        }
    });

    test("registries need only `set`; codecs have what numcodecs' have", async () => {
        const entries = new Map();
        assert.equal(register({ set: (name, entry) => void entries.set(name, entry) }), undefined);
        assert.deepEqual([...entries.keys()], ["brickwork"]);
        const entry = await entries.get("brickwork")();
        const own = entry.fromConfig({ brick: "4" }, { shape: [9, 13, 21], dataType: "int32" });
        assert.equal(own.kind, "array_to_bytes");
        // 4 inside of the box of 17×13×8, 9 outside: test-data/chunks, cases in golden.rs.
        const { data, shape, stride } = await own.decode(await readFile(`${CHUNKS}constant-cut`));
        assert.deepEqual(
            [shape, stride],
            [
                [9, 13, 21],
                [273, 21, 1],
            ],
        );
        for (let i = 0; i < data.length; i++) {
            assert.equal(data[i], i % 21 < 17 && i < 8 * 273 ? 4 : 9);
        }
        const zeros = codec().fromConfig(undefined, { shape: [1, 9, 13, 21], data_type: "float64" });
        const { data: floats } = await zeros.decode(await readFile(`${CHUNKS}constant`));
        assert.ok(floats.length === 2457 && floats.every((number) => Object.is(number, -0)));
        // Four channels at most, the last axis.
        const rgb = codec().fromConfig({}, { shape: [9, 13, 21, 3], dataType: "uint8" });
        const colors = await rgb.decode(await readFile(`${CHUNKS}rgb`));
        assert.deepEqual(colors.stride, [819, 63, 3, 1]);
        assert.deepEqual([...colors.data.subarray(51, 63)], Array(12).fill(255));
        assert.throws(() => own.encode({}), { code: "option", message: /only decodes/ });
    });

    test("errors name what is wrong", async () => {
        const from = (configuration, metadata) => () =>
            codec().fromConfig(configuration, { shape: [9, 13, 21], dataType: "uint8", ...metadata });
        for (const [call, code, message] of [
            [from({ brick: "5" }), "source", /^codec brickwork: brick is 5; it must be 4, 8, 16x16x1$/],
            [from({ level: 1 }), "source", /the member level of its configuration is not known/],
            [from("8"), "source", /the configuration is 8, which is no object/],
            [from({}, { dataType: "complex64" }), "source", /the type is complex64; it must be/],
            [from({}, { dataType: "bool" }), "source", /the type is bool/],
            [from({}, { dataType: undefined }), "source", /the type is nothing/],
            [from({}, { shape: [2, 0, 3] }), "source", /shape is \[2,0,3\], which is no list/],
            [from({}, { shape: [2, 3, 4, 5] }), "source", /chunks of 2×3×4×5 have other axes than the codec/],
            [
                from({}, { codecs: [{ name: "transpose", configuration: { order: [0, 0, 1] } }] }),
                "source",
                /^codec brickwork: order of the codec transpose is \[0,0,1\], no permutation of 3 axes$/,
            ],
            [
                from(
                    {},
                    { codecs: ["C", "F"].map((order) => ({ name: "transpose", configuration: { order } })) },
                ),
                "source",
                /several codecs transpose/,
            ],
            [from({}, { shape: [2048, 1024, 1024] }), "limit", /takes 2147483648 bytes; the limit is/],
        ]) {
            assert.throws(call, { name: "BrickworkError", code, message });
        }
        const chunk = await readFile(`${CHUNKS}u8-four`);
        const own = from({})();
        assert.equal((await own.decode(chunk)).data.length, 9 * 13 * 21);
        const flipped = Buffer.from(chunk);
        flipped[20] ^= 1;
        for (const [codec, bytes, message] of [
            [own, flipped, /checksum/],
            [own, chunk.subarray(0, -1), /./],
            [own, new Uint8Array(0), /./],
            [from({}, { shape: [9, 13, 21, 2] })(), chunk, /with 2 channels/],
            [from({}, { shape: [90, 13, 21] })(), chunk, /./],
        ]) {
            await assert.rejects(codec.decode(bytes), { name: "BrickworkError", code: "source", message });
        }
        const missing = codec({ wasm: new URL("./none.wasm", import.meta.url) });
        const absent = missing.fromConfig({}, { shape: [9, 13, 21], dataType: "uint8" });
        await assert.rejects(absent.decode(chunk), {
            code: "cpu",
            message: /cannot be loaded: .*none\.wasm/,
        });
    });

    test("the module may be bytes or compiled, and float16 needs Float16Array", async () => {
        const bytes = await readFile(`${DIST}brickwork-chunk.wasm`);
        const chunk = await readFile(`${CHUNKS}u8-four`);
        const metadata = { shape: [9, 13, 21], dataType: "uint8" };
        const want = await codec().fromConfig({}, metadata).decode(chunk);
        for (const wasm of [bytes, await WebAssembly.compile(bytes), `file://${DIST}brickwork-chunk.wasm`]) {
            assert.deepEqual(await codec({ wasm }).fromConfig({}, metadata).decode(chunk), want);
        }
        assert.deepEqual(WebAssembly.Module.imports(await WebAssembly.compile(bytes)), []);
        const half = () => codec().fromConfig({}, { ...metadata, dataType: "float16" });
        if (globalThis.Float16Array) half();
        else assert.throws(half, { code: "source", message: /need Float16Array/ });
    });

    describe("regions", () => {
        const extended = async (files, options) => {
            const { store, array } = await opened(files);
            const own = await zarrita.defineArrayExtension(regions)(array, options);
            return { store, array, own };
        };
        const slice = (...sides) => zarrita.slice(...sides);

        test("a window of 8³ of a chunk of 256³ takes three requests, and less than 200 KB", async () => {
            const dims = [256, 256, 256];
            const { numbers, files } = await written(
                "large",
                "u16",
                dims,
                "--brick",
                "8",
                "--chunk",
                "256x256x256",
            );
            const { store, own } = await extended(files);
            assert.deepEqual(own.chunks, [64, 64, 64]);
            store.requests.length = 0;
            const { data, shape } = await zarrita.get(own, [slice(100, 108), slice(70, 78), slice(8, 16)]);
            assert.deepEqual(shape, [8, 8, 8]);
            for (let i = 0; i < 512; i++) {
                const [x, y, z] = [8 + (i & 7), 70 + ((i >> 3) & 7), 100 + (i >> 6)];
                assert.equal(data[i], numbers[(z * 256 + y) * 256 + x]);
            }
            const bytes = store.requests.reduce((sum, { count }) => sum + count, 0);
            console.log(`8³ of 256³: ${store.requests.length} requests, ${bytes} bytes`);
            assert.ok(store.requests.length <= 3 && bytes <= 200_000, JSON.stringify(store.requests));
            const whole = files.get("/0/c/0/0/0").length;
            const readme = await readFile(`${FOLDER}README.md`, "utf8");
            const [, stated, all] = /three ranges of (\d+) KB in place of (\d+) MB/.exec(readme);
            assert.deepEqual(
                [Number(stated), Number(all)],
                [Math.round(bytes / 1000), Math.round(whole / 1e6)],
            );
            // Small parts are kept: another window takes one request.
            store.requests.length = 0;
            await zarrita.get(own, [slice(0, 8), slice(0, 8), slice(128, 136)]);
            assert.equal(store.requests.length, 1);
            // From a server.
            const { url, requests, close } = await serve(
                new Map([...files].map(([key, value]) => [key.slice(1), value])),
            );
            try {
                const fetched = new zarrita.FetchStore(`${url}0`, { useSuffixRequest: true });
                const array = await zarrita.open.v3(fetched, { kind: "array", attrs: false });
                const remote = await zarrita.extendArray(array, zarrita.defineArrayExtension(regions));
                requests.length = 0;
                const again = await zarrita.get(remote, [slice(100, 108), slice(70, 78), slice(8, 16)]);
                assert.deepEqual(again.data, data);
                assert.ok(requests.length <= 3, JSON.stringify(requests));
            } finally {
                close();
            }
        });

        test("whole arrays, chunks of any sides, shards, and bricks of 4³", async () => {
            const cases = [
                [[150, 64, 130], [64, 64, 64], "8", "--chunk", "128x64x128"],
                [[70, 70, 70], [32, 32, 32], "4", "--chunk", "64x64x64"],
                // (40 is no multiple of 64.)
                [[128, 128, 40], [40, 64, 64], "8", "--chunk", "128x128x40"],
                [[150, 130, 60], [60, 64, 64], "8", "--chunk", "128x128x60", "--shard", "256x256x60"],
                [[256, 128, 16], [8, 128, 128], "flat", "--chunk", "256x128x16"],
            ];
            for (const [i, [dims, window, brick, ...options]] of cases.entries()) {
                const { numbers, files } = await written(
                    `case${i}`,
                    "u16",
                    dims,
                    "--brick",
                    brick,
                    ...options,
                );
                const { array, own } = await extended(files);
                assert.deepEqual(own.chunks, window);
                assert.notDeepEqual(array.chunks, window);
                const { data } = await zarrita.get(own);
                assert.deepEqual(data, numbers, String(i));
            }
        });

        test("channels, five axes, steps and indices from the end", async () => {
            const dims = [128, 70, 64];
            const { numbers, files } = await written(
                "axes",
                "u16",
                dims,
                "--brick",
                "8",
                "--chunk",
                "128x64x64",
            );
            const json = JSON.parse(new TextDecoder().decode(files.get("/0/zarr.json")));
            const configuration = json.chunk_grid.configuration;
            json.shape = [1, 1, ...json.shape];
            configuration.chunk_shape = [1, 1, ...configuration.chunk_shape];
            delete json.dimension_names;
            const five = new Map(
                [...files].map(([key, bytes]) => [key.replace("/0/c/", "/0/c/0/0/"), bytes]),
            ).set("/0/zarr.json", new TextEncoder().encode(JSON.stringify(json)));
            const { own } = await extended(five);
            assert.deepEqual(own.chunks, [1, 1, 64, 64, 64]);
            const selection = [0, -1, slice(3, 60, 7), -1, slice(-124, 120, 9)];
            const { data, shape } = await zarrita.get(own, selection);
            assert.deepEqual(shape, [9, 13]);
            for (let i = 0; i < data.length; i++) {
                const [z, x] = [3 + 7 * Math.floor(i / 13), 4 + 9 * (i % 13)];
                assert.equal(data[i], numbers[(z * 70 + 69) * 128 + x]);
            }
            // A .bwv file is a chunk, too.
            const colors = Buffer.alloc(2 * 128 * 64 * 64);
            for (let i = 0; i < colors.length; i++) colors[i] = ((i >> 1) % 251) ^ (i & 1 ? 255 : i >> 16);
            const bwv = await encodedVolume(colors, [128, 64, 64], ["--brick", "8", "--channels", "2"]);
            json.shape = configuration.chunk_shape = [64, 64, 128, 2];
            json.data_type = "uint8";
            const { own: pairs } = await extended(
                new Map([
                    ["/0/zarr.json", new TextEncoder().encode(JSON.stringify(json))],
                    ["/0/c/0/0/0/0", new Uint8Array(bwv)],
                ]),
            );
            assert.deepEqual(pairs.chunks, [64, 64, 64, 2]);
            const all = await zarrita.get(pairs);
            assert.ok(Buffer.from(all.data).equals(colors));
            const second = await zarrita.get(pairs, [5, slice(2, 40, 3), slice(60, 70), -1]);
            assert.deepEqual(second.shape, [13, 10]);
            for (let i = 0; i < 130; i++) {
                const [y, x] = [2 + 3 * Math.floor(i / 10), 60 + (i % 10)];
                assert.equal(second.data[i], colors[2 * ((5 * 64 + y) * 128 + x) + 1]);
            }
        });

        test("chunks that are missing are the fill value; aborts and faults reject", async () => {
            const { files } = await written(
                "some",
                "u16",
                [128, 64, 64],
                "--brick",
                "8",
                "--chunk",
                "128x64x64",
            );
            const json = JSON.parse(new TextDecoder().decode(files.get("/0/zarr.json")));
            json.fill_value = 7;
            json.shape = [64, 64, 256];
            const metadata = { ...json };
            files.set("/0/zarr.json", new TextEncoder().encode(JSON.stringify(json)));
            const { store, own } = await extended(files, { metadata });
            for (const [metadata, fill, code = "source"] of [
                [JSON.stringify(json), undefined],
                ["{", /it is no JSON/],
                [{ ...json, data_type: "uint64", fill_value: 2 ** 60 }, /may be rounded: pass the text/],
                [{ ...json, fill_value: 65536 }, /fill_value is 65536, which is no uint16/],
                [null, /^metadata is null, neither the text/, "option"],
                [7, /^metadata is 7, neither the text/, "option"],
                [[json], /^metadata is .*, neither the text/, "option"],
            ]) {
                const call = regions((await opened(files)).array, { metadata });
                if (fill) await assert.rejects(call, { code, message: fill });
                else assert.deepEqual((await call).chunks, [64, 64, 64]);
            }
            // (With metadata, the file is read by zarrita only.)
            assert.equal(store.requests.filter(({ key }) => key === "/0/zarr.json").length, 1);
            const { data } = await zarrita.get(own, [0, 0, slice(128, 256)]);
            assert.ok(data.length === 128 && data.every((number) => number === 7));
            const signal = AbortSignal.abort(new Error("enough"));
            await assert.rejects(own.getChunk([0, 0, 1], { signal }), /enough/);
            const chunk = files.get("/0/c/0/0/0");
            const damaged = chunk.slice();
            damaged[Math.floor(chunk.length / 3)] ^= 1;
            damaged[Math.floor((2 * chunk.length) / 3)] ^= 1;
            files.set("/0/c/0/0/0", damaged);
            const second = (await extended(files)).own;
            await assert.rejects(zarrita.get(second), {
                code: "source",
                message: /^0\/c\/0\/0\/0: .*checksum/,
            });
            const wasm = new Uint8Array(8);
            const fourth = await extended(new Map(files).set("/0/c/0/0/0", chunk), { wasm });
            await assert.rejects(fourth.own.getChunk([0, 0, 0]), {
                code: "cpu",
                message: /^0\/c\/0\/0\/0: .*cannot be loaded/,
            });
            files.set("/0/c/0/0/0", chunk.subarray(0, 3000));
            const third = (await extended(files)).own;
            await assert.rejects(zarrita.get(third), { code: "source", message: /^0\/c\/0\/0\/0: / });
        });

        test("zarrita's stores: chunks smaller than the first range, missing ones, failures", async () => {
            const dims = [128, 64, 64];
            const numbers = new Uint16Array(128 * 64 * 64);
            for (const [i, at] of [5000, 200_000, 524_287].entries()) numbers[at] = 1000 + i;
            const { files } = await writtenOf(
                numbers,
                "sparse",
                "u16",
                dims,
                "--brick",
                "8",
                "--chunk",
                "128x64x64",
            );
            const size = files.get("/0/c/0/0/0").length;
            assert.ok(size < 2048, String(size));
            const json = JSON.parse(new TextDecoder().decode(files.get("/0/zarr.json")));
            // The second chunk is missing.
            json.shape = [64, 64, 256];
            files.set("/0/zarr.json", Buffer.from(JSON.stringify(json)));
            const path = join(folder, "stores");
            for (const [key, bytes] of files) {
                await mkdir(join(path, key, ".."), { recursive: true });
                await writeFile(join(path, key), bytes);
            }
            const plain = new Map([...files].map(([key, bytes]) => [key.slice(1), bytes]));
            const { default: FileSystemStore } = await import("@zarrita/storage/fs");
            const { default: ZipFileStore } = await import("@zarrita/storage/zip");
            // nginx refuses ranges such as bytes=-4011-84.
            const refuse = (path, count, { headers }, response) => {
                if (!/^bytes=-\d+-/.test(headers.range ?? "")) return false;
                response.writeHead(416);
                response.end();
                return true;
            };
            const { url, requests, close } = await serve(plain, refuse);
            const zip = (isDeflated) => new Blob([zipOf(plain, { isDeflated })]);
            try {
                for (const [name, store] of [
                    ["fetch", new zarrita.FetchStore(url)],
                    ["fetch by suffix", new zarrita.FetchStore(url, { useSuffixRequest: true })],
                    ["files", new FileSystemStore(path)],
                    ["stored archive", ZipFileStore.fromBlob(zip(() => false))],
                    ["deflated archive", ZipFileStore.fromBlob(zip(() => true))],
                ]) {
                    const array = await zarrita.open.v3(zarrita.root(store).resolve("0"), { kind: "array" });
                    const own = await zarrita.extendArray(array, zarrita.defineArrayExtension(regions));
                    assert.deepEqual(own.chunks, [64, 64, 64], name);
                    requests.length = 0;
                    const { data } = await zarrita.get(own);
                    for (let i = 0, wrong = 0; i < data.length; i++) {
                        const x = i % 256;
                        if (data[i] !== (x < 128 ? numbers[Math.floor(i / 256) * 128 + x] : 0)) wrong += 1;
                        if (wrong > 0) assert.fail(`${name}: number ${i}`);
                    }
                    // The whole chunk is read once, and the missing one is requested once.
                    const read = requests.filter(
                        ({ path, method }) => path.includes("/c/") && method === "GET",
                    );
                    if (name === "fetch") assert.ok(read.length <= 2, JSON.stringify(read));
                    requests.length = 0;
                    await zarrita.get(own, [0, 0, slice(128, 256)]);
                    assert.equal(requests.length, 0);
                }
            } finally {
                close();
            }
            const failing = new Store(files);
            const array = await zarrita.open.v3(zarrita.root(failing).resolve("0"), { kind: "array" });
            const own = await zarrita.extendArray(array, zarrita.defineArrayExtension(regions));
            failing.get = failing.getRange = () => Promise.reject(new Error("status 500"));
            const expected = {
                name: "BrickworkError",
                code: "source",
                message: /^0\/c\/0\/0\/0: .*status 500$/,
            };
            await assert.rejects(own.getChunk([0, 0, 0]), expected);
            // A path with a slash at its end.
            const slashed = await zarrita.open.v3(zarrita.root(new Store(files)).resolve("0/"), {
                kind: "array",
            });
            const same = await zarrita.extendArray(slashed, zarrita.defineArrayExtension(regions));
            assert.deepEqual(same.chunks, [64, 64, 64]);
            assert.equal((await same.getChunk([0, 0, 0])).data[5000 - 39 * 128 + 39 * 64], 1000);
        });

        test("a store that fails names the shard whose index is read", async () => {
            const options = ["--brick", "8", "--chunk", "128x64x64", "--shard", "256x64x64"];
            const { files } = await written("failing", "u16", [256, 64, 64], ...options);
            const { store, own } = await extended(files);
            assert.deepEqual(own.chunks, [64, 64, 64]);
            store.getRange = () => Promise.reject(new Error("status 500"));
            const expected = {
                name: "BrickworkError",
                code: "source",
                message: /^0\/c\/0\/0\/0: .*status 500$/,
            };
            await assert.rejects(own.getChunk([0, 0, 0]), expected);
            const signal = AbortSignal.abort(new Error("enough"));
            await assert.rejects(own.getChunk([0, 0, 0], { signal }), /enough/);
        });

        test("other arrays stay as they are", async () => {
            const { files } = await written(
                "small",
                "u16",
                [64, 64, 64],
                "--chunk",
                "64x64x64",
                "--brick",
                "8",
            );
            const change = (act) => {
                const json = JSON.parse(new TextDecoder().decode(files.get("/0/zarr.json")));
                act(json);
                return new Map(files).set("/0/zarr.json", new TextEncoder().encode(JSON.stringify(json)));
            };
            const large = (json) => {
                json.shape = [128, 128, 128];
                json.chunk_grid.configuration.chunk_shape = [128, 128, 128];
            };
            const bytes = { name: "bytes", configuration: { endian: "little" } };
            const cast = { name: "cast_value", configuration: { data_type: "uint8" } };
            const sharding = (codecs) => ({
                name: "sharding_indexed",
                configuration: { chunk_shape: [64, 64, 64], codecs, index_codecs: [bytes] },
            });
            for (const [act, window] of [
                [() => {}, [64, 64, 64]],
                [large, [64, 64, 64]],
                [(json) => [large(json), (json.codecs = [bytes])], [128, 128, 128]],
                [(json) => [large(json), json.codecs.push({ name: "gzip" })], [128, 128, 128]],
                [
                    (json) => [
                        large(json),
                        json.codecs.unshift({ name: "transpose", configuration: { order: [2, 1, 0] } }),
                    ],
                    [128, 128, 128],
                ],
                [(json) => [large(json), json.codecs.unshift(cast)], [128, 128, 128]],
                [(json) => [large(json), json.codecs.push({ name: "own" })], [128, 128, 128]],
                [(json) => [large(json), (json.shape = [0, 128, 128])], [128, 128, 128]],
                [
                    (json) => {
                        large(json);
                        json.codecs = [sharding(json.codecs), { name: "own" }];
                    },
                    [64, 64, 64],
                ],
                [
                    (json) => {
                        large(json);
                        json.codecs = [sharding([...json.codecs, { name: "own" }])];
                    },
                    [64, 64, 64],
                ],
            ]) {
                const { array, own } = await extended(change(act));
                assert.deepEqual(own.chunks, window);
                if (act !== large) assert.deepEqual(own.chunks, array.chunks);
            }
            const { store, array } = await opened(change(large));
            store.getRange = undefined;
            assert.deepEqual(await regions(array), {});
        });
    });

    test("in a page and in a worker", async () => {
        const code = await filesOf(`${FOLDER}dist`, "/codec");
        for (const [path, bytes] of code) pageFiles.set(path, Buffer.from(bytes));
        pageFiles.set("/chunk", await readFile(`${CHUNKS}constant-cut`));
        const script = `
            import { codec } from "/codec/zarr-codec/index.js";
            globalThis.numbers = async () => {
                const own = codec().fromConfig({}, { shape: [9, 13, 21], dataType: "int32" });
                const bytes = new Uint8Array(await (await fetch("/chunk")).arrayBuffer());
                return [...(await own.decode(bytes)).data];
            };
            if (!globalThis.document) postMessage(await numbers());
        `;
        pageFiles.set("/code.js", Buffer.from(script));
        const { page, close } = await openPage({ webgpu: false });
        try {
            const [inPage, inWorker] = await page.evaluate(async () => {
                await import("/code.js");
                const worker = new Worker("/code.js", { type: "module" });
                const message = new Promise((resolve, reject) => {
                    worker.onmessage = ({ data }) => resolve(data);
                    worker.onerror = ({ message }) => reject(new Error(message));
                });
                return [await numbers(), await message];
            });
            assert.deepEqual(inPage, inWorker);
            assert.equal(inPage.length, 9 * 13 * 21);
            assert.deepEqual(inPage.slice(15, 19), [4, 4, 9, 9]);
        } finally {
            await close();
            for (const path of [...pageFiles.keys()]) pageFiles.delete(path);
        }
    });

    test("sizes, and what is packed", async () => {
        const module = gzipSync(await readFile(`${DIST}brickwork-chunk.wasm`)).length;
        const sizeOf = async (name) => {
            const { outputFiles } = await build({
                entryPoints: [`${DIST}${name}.js`],
                bundle: true,
                minify: true,
                format: "esm",
                write: false,
                logLevel: "error",
            });
            return gzipSync(outputFiles[0].contents).length;
        };
        const [main, withRegions] = [await sizeOf("index"), await sizeOf("regions")];
        console.log(`codec: module ${module}, codec ${main}, regions ${withRegions} bytes (gzip)`);
        assert.ok(module <= 100_000, `module: ${module} bytes`);
        assert.ok(main <= 4_000 && withRegions <= 11_000, `${main}, ${withRegions} bytes`);
        const readme = await readFile(`${FOLDER}README.md`, "utf8");
        assert.ok(readme.split("\n").length <= 60);
        const [, stated] = /module \((\d+) KB, gzip\)/.exec(readme);
        assert.equal(Number(stated), Math.round(module / 1000));
        const versions = await Promise.all(
            ["zarr-codec/", ""].map((path) => readFile(new URL(`../${path}package.json`, import.meta.url))),
        );
        const [own, web] = versions.map((text) => JSON.parse(text));
        assert.equal(own.version, web.version);
        assert.equal(own.dependencies ?? own.peerDependencies, undefined);
        // Entries are paths, or objects of paths.
        const paths = Object.values(own.exports).flatMap((entry) =>
            typeof entry === "string" ? [entry] : Object.values(entry),
        );
        assert.equal(paths.length, 6);
        for (const path of paths) assert.ok(existsSync(join(FOLDER, path)), path);
    });

    test("the README's code works with the packed package", async () => {
        const { files } = await written(
            "readme",
            "u16",
            [70, 90, 120],
            "--brick",
            "8",
            "--chunk",
            "128x128x128",
        );
        const npm = (cwd, ...options) => execFileSync("npm", options, { cwd, stdio: "pipe" });
        npm(FOLDER, "pack", "--pack-destination", folder);
        const { version } = JSON.parse(await readFile(`${FOLDER}package.json`, "utf8"));
        const app = join(folder, "app");
        await mkdir(app);
        const packed = join(folder, `brickwork-zarr-codec-${version}.tgz`);
        npm(app, "install", "--offline", "--no-audit", "--no-fund", "--prefix", app, packed);
        for (const name of ["zarrita", "@zarrita", "numcodecs"]) {
            const from = fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));
            await symlink(from, join(app, "node_modules", name));
        }
        const { url, close } = await serve(
            new Map([...files].map(([key, value]) => [`scan.zarr${key}`, value])),
        );
        try {
            const readme = await readFile(`${FOLDER}README.md`, "utf8");
            const samples = Array.from(readme.matchAll(/^```js\n(.*?)^```$/gms), ([, code]) => code);
            assert.equal(samples.length, 2);
            const code = samples
                .join("\n")
                .replace("https://example.org/", url)
                // (The array of the test is smaller along y.)
                .concat("\nconsole.log(JSON.stringify([slice.shape, [...window.data]]));\n");
            await writeFile(join(app, "sample.mjs"), code);
            // (This process serves the files.)
            const { execFile } = await import("node:child_process");
            const { promisify } = await import("node:util");
            const { stdout } = await promisify(execFile)(process.execPath, ["sample.mjs"], { cwd: app });
            const [shape, data] = JSON.parse(stdout);
            assert.deepEqual([shape, data.length], [[90, 70], 512]);
            const numbers = numbersOf("u16", [70, 90, 120]);
            for (let i = 0; i < 512; i++) {
                const [x, y, z] = [8 + (i & 7), 70 + ((i >> 3) & 7), 100 + (i >> 6)];
                assert.equal(data[i], numbers[(z * 90 + y) * 70 + x]);
            }
        } finally {
            close();
        }
    });
});
