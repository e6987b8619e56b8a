// The reader of OME-Zarr in Node.js: chunks that servers refuse, sizes that files state, calls that share a request,
// calls that are aborted or fail.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { blobs, omeFiles, respond, serve, voxelsOf, zipOf } from "./zarr-files.mjs";

const built = fileURLToPath(new URL("../dist/zarr/", import.meta.url));
const skip = existsSync(built) ? false : "dist/ has no reader of OME-Zarr (npm run build)";
if (skip) console.log(`# skipped: ${skip}`);
const SAMPLES = fileURLToPath(new URL("../../test-data/zarr/arrays.zip", import.meta.url));
const WASM = fileURLToPath(new URL("../dist/volume/brickwork-volume.wasm", import.meta.url));
const SPECIFICATION = fileURLToPath(new URL("../../docs/zarr-codec.md", import.meta.url));
const never = new AbortController().signal;
const ATLAS = fileURLToPath(new URL("../site/volume/atlas.bwv", import.meta.url));
const quick = { pause: 1, stall: 300 };

describe("the reader of OME-Zarr", { skip }, () => {
    let reader;
    before(async () => {
        const names = ["brickwork", "codecs", "http", "open", "pages", "source", "store", "zip"];
        const modules = await Promise.all(names.map((name) => import(`../dist/zarr/${name}.js`)));
        reader = Object.assign({}, ...modules, await import("../dist/zstd.js"));
    });

    const noBricks = () => Promise.reject(new Error("no module"));
    const open = async (source, path = "") =>
        reader.ZarrImage.open(await reader.storeOf(source, path, never), path, never);
    const openUrl = (url) => reader.ZarrImage.open(new reader.HttpStore(url, quick), "", never);
    const decode = (job) => reader.decodeBox(job, noBricks);
    const read = (image, part = {}, signal = never, by = decode) =>
        image.read({ level: 0, frame: 0, channel: 0, ...part }, by, signal, () => {});
    const failure = async (call, pattern) => {
        const error = await call().then(
            () => assert.fail("nothing failed"),
            (error) => error,
        );
        assert.equal(error.name, "BrickworkError", error.stack);
        assert.match(error.message, pattern);
        return error;
    };

    /** Returns the files of an array of `arrays.zip`. */
    async function sample(name) {
        const store = await reader.ZipStore.open(
            reader.BlobStore.ofFile(new Blob([await readFile(SAMPLES)])),
            "arrays.zip",
            never,
        );
        const files = new Map();
        for (const key of store.keys()) {
            if (key.startsWith(`${name}/`)) {
                files.set(key.slice(name.length + 1), await store.get(key, 1 << 20, never));
            }
        }
        return files;
    }

    test("a server that refuses missing files: regions without chunks are the fill value", async () => {
        const files = omeFiles({ levels: 1, counts: { c: 2 } });
        // Only the first chunk of the first channel is stored.
        const refuse = (path, count, request, response) => {
            if (files.has(path) && (!path.includes("/c/") || path.endsWith("/c/0/0/0/0/0"))) return false;
            response.writeHead(403);
            response.end();
            return true;
        };
        const server = await serve(files, refuse);
        const closed = await serve(files, (path, ...rest) => path.includes("/c/") && refuse("x/c/", ...rest));
        try {
            const image = await openUrl(server.url);
            const region = [8, 16, 0, 8, 0, 8];
            const isEmpty = (voxels) => voxels.every((byte) => byte === 0);
            assert.ok(isEmpty(await read(image, { region })));
            assert.ok(!isEmpty(await read(image)));
            assert.ok(isEmpty(await read(image, { region })));
            // Chunks of the image can be read: those of this channel are missing.
            assert.ok(isEmpty(await read(image, { channel: 1 })));
            await failure(async () => read(await openUrl(closed.url)), /refuses all of its chunks/);
        } finally {
            server.close();
            closed.close();
        }
    });

    test("a server that refuses what it has sent before: an error, not an empty volume", async () => {
        const files = omeFiles({ levels: 2, counts: { c: 2 } });
        let isRefused = () => false;
        const answer = (status) => (path, count, request, response) => {
            if (files.has(path) && !isRefused(path, count)) return false;
            response.writeHead(files.has(path) ? 403 : status);
            response.end();
            return true;
        };
        for (const status of [403, 404]) {
            const { url, requests, close } = await serve(files, answer(status));
            try {
                isRefused = () => false;
                const image = await openUrl(url);
                const region = [0, 8, 0, 8, 0, 8];
                await read(image, { level: 1 });
                // The signed URL expires.
                isRefused = () => true;
                const message = status === 404 ? /^s0\/: .*refuses all/ : /^s0\/: .* that it has sent before/;
                await failure(() => read(image), message);
                await failure(() => read(image, { region }), message);
                // It expires while a level is read.
                isRefused = () => requests.filter(({ path }) => path.startsWith("s0/c/")).length > 3;
                requests.length = 0;
                await failure(() => read(image), /that it has sent before/);
                // A level, or a channel, is refused. Only servers that answer with 404 elsewhere tell.
                isRefused = (path) => path.startsWith("s0/c/0/1/");
                const channel = () => read(image, { channel: 1 });
                if (status === 404) await failure(channel, /refuses all of its chunks/);
                else assert.ok((await channel()).every((byte) => byte === 0));
            } finally {
                close();
            }
        }
    });

    test("sizes that an index or an archive states are limited before anything is read", async () => {
        const files = omeFiles({ levels: 1, chunk: 16 });
        const json = JSON.parse(files.get("s0/zarr.json"));
        const index_codecs = [{ name: "bytes", configuration: { endian: "little" } }];
        const configuration = { chunk_shape: [1, 1, 16, 16, 16], codecs: json.codecs, index_codecs };
        json.codecs = [
            { name: "sharding_indexed", configuration: { ...configuration, index_location: "start" } },
        ];
        files.set("s0/zarr.json", JSON.stringify(json));
        const index = Buffer.alloc(16);
        index.writeBigUInt64LE(16n, 0);
        // A chunk of 16³ numbers of 16 bits may take twice their bytes, and 64 KiB.
        const most = 2 * 2 * 16 ** 3 + 65536;
        index.writeBigUInt64LE(BigInt(most + 1), 8);
        for (const key of files.keys()) if (key.startsWith("s0/c/")) files.set(key, index);
        const { url, requests, close } = await serve(files);
        try {
            const error = await failure(
                async () => read(await openUrl(url)),
                new RegExp(`^s0/c/0/0/0/0/\\d: inner chunk .* ${most + 1} bytes; the limit is ${most}$`),
            );
            assert.equal(error.code, "limit");
            assert.ok(requests.every(({ range }) => range === undefined || range === "bytes=0-15"));
        } finally {
            close();
        }
        const archive = zipOf(
            new Map([
                ["zarr.json", "{}"],
                ["filler", Buffer.alloc(1 << 17)],
            ]),
            {
                isDeflated: (path) => path === "zarr.json",
            },
        );
        // The first entry of the directory states compressed data as long as the archive.
        const at = archive.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
        archive.writeUInt32LE(1 << 17, at + 20);
        const wrong = await failure(
            () => open(new Blob([archive])),
            /zarr.json: it is stated to have 131072 bytes of compressed data for 2; the limit is 65540/,
        );
        assert.equal(wrong.code, "limit");
    });

    test("fill values of 64 bits keep all digits, also in consolidated metadata", async () => {
        for (const [type, fill] of [
            ["uint64", "18446744073709551615"],
            ["int64", "-9223372036854775807"],
        ]) {
            for (const isConsolidated of [false, true]) {
                const files = omeFiles({ levels: 1 });
                const array = JSON.parse(files.get("s0/zarr.json"));
                array.data_type = type;
                // (Another member of this name comes first.)
                const text = JSON.stringify({ attributes: { fill_value: 1 }, ...array, attributes: {} })
                    .replace('"attributes":{}', '"attributes":{"fill_value":12345678901234567890}')
                    .replace('"fill_value":0', `"fill_value": ${fill}`);
                for (const key of [...files.keys()]) if (key.startsWith("s0/")) files.delete(key);
                if (!isConsolidated) files.set("s0/zarr.json", text);
                else {
                    const group = JSON.parse(files.get("zarr.json"));
                    group.consolidated_metadata = { kind: "inline", metadata: { other: {}, s0: "?" } };
                    files.set("zarr.json", JSON.stringify(group).replace('"s0":"?"', `"s0": ${text}`));
                }
                const Numbers = type === "uint64" ? BigUint64Array : BigInt64Array;
                const numbers = new Numbers((await read(await open(blobs(files)))).buffer);
                assert.equal(String(numbers[0]), fill);
            }
        }
        const { memberText } = await import("../dist/zarr/json.js");
        const text = '{"a\\"{": [{"b": 1}, "b:,}"], "c" : {"b": [1, {"d": 2}], "b": 3.50 }, "e":{}}';
        assert.equal(memberText(text, ["c", "b"]), "3.50");
        assert.equal(memberText(text, ['a"{']), '[{"b": 1}, "b:,}"]');
        assert.equal(memberText(text, ["b"]), undefined);
        assert.equal(memberText(text, ["e", "b"]), undefined);
    });

    test("readers of one shard share the request for its index; the abort of one leaves the other", async () => {
        const files = await sample("shard");
        const slow = (path, count, request, response) => {
            if (!path.startsWith("c/")) return false;
            setTimeout(() => respond(Buffer.from(files.get(path)), request.headers.range, response), 30);
            return true;
        };
        const { url, requests, close } = await serve(files, slow);
        try {
            const image = await openUrl(url);
            const abort = new AbortController();
            const regions = [
                [0, 4, 0, 4, 0, 4],
                [4, 8, 0, 4, 0, 4],
                [0, 4, 4, 8, 0, 4],
            ];
            const [first, ...others] = regions.map((region, i) =>
                read(image, { region }, i === 0 ? abort.signal : never),
            );
            first.catch(() => {});
            await sleep(10);
            abort.abort(new Error("enough"));
            await assert.rejects(first, /enough/);
            for (const [i, voxels] of (await Promise.all(others)).entries()) {
                const [x, , y] = regions[i + 1];
                assert.equal(new Uint16Array(voxels.buffer)[0], x * x + 3 * y);
            }
            const indices = requests.filter(({ range }) => range?.startsWith("bytes=-"));
            assert.equal(indices.length, 1);
            // A failed request is not kept.
            const { SharedCalls } = await import("../dist/waiting.js");
            const calls = new SharedCalls();
            await assert.rejects(
                calls.run("a", never, () => Promise.reject(new Error("first"))),
                /first/,
            );
            assert.equal(await calls.run("a", never, async () => 5), 5);
            // When nobody waits any more, the call is aborted.
            let inner;
            const stop = new AbortController();
            const waiting = calls.run("b", stop.signal, (signal) => new Promise(() => (inner = signal)));
            stop.abort(new Error("stop"));
            await assert.rejects(waiting, /stop/);
            assert.equal(inner.aborted, true);
        } finally {
            close();
        }
    });

    test("decoders get a signal that aborts with the read, and when another chunk fails", async () => {
        const image = await open(blobs(omeFiles({ levels: 1 })));
        for (const [act, pattern] of [
            [(abort) => abort.abort(new Error("enough")), /enough/],
            [undefined, /damaged/],
        ]) {
            const abort = new AbortController();
            const signals = [];
            const by = (job, signal) => {
                signals.push(signal);
                if (signals.length === 2 && !act) return Promise.reject(new Error("damaged"));
                if (signals.length === 3) act?.(abort);
                return new Promise((_, reject) =>
                    signal.addEventListener("abort", () => reject(signal.reason)),
                );
            };
            await assert.rejects(read(image, {}, abort.signal, by), pattern);
            assert.ok(signals.length >= 2 && signals.every((signal) => signal.aborted));
        }
    });

    test("a page that cannot be read ends the others", async () => {
        const { readPages } = reader;
        const pages = Array.from({ length: 12 }, (_, page) => page);
        const [started, signals, supplied] = [[], [], []];
        const images = {
            async read({ region }, { signal }) {
                started.push(region[0]);
                signals.push(signal);
                if (region[0] === 1) throw new Error("page 1 is damaged");
                await sleep(20);
                return new Uint8Array(1);
            },
        };
        const taker = {
            async call(name, args, { signal }) {
                signal?.throwIfAborted();
                if (name === "pageBoxes") return args.flatMap((page) => [page, page + 1, 0, 1, 0, 1]);
                supplied.push(args.page);
                return {};
            },
        };
        const part = { level: 0, frame: 0, channel: 0 };
        const reading = readPages(images, taker, part, 1, { pages, maxBytes: 1000 }, undefined);
        await assert.rejects(reading, /page 1 is damaged/);
        await sleep(50);
        assert.deepEqual(started, [0, 1, 2, 3]);
        assert.ok(signals.every((signal) => signal.aborted));
        assert.deepEqual(supplied, []);
    });

    test("a level whose pages exceed the pool is refused, with its sizes", () => {
        const { pageSide } = reader;
        // 8192 pages of this level have 256×256×128 voxels.
        assert.throws(
            () => pageSide([8192, 4096, 2048], [64, 64, 64], 2, 64 << 20),
            (error) =>
                error.code === "limit" &&
                /8192×4096×2048 voxels has 8192 pages of .* is 67108864: choose a smaller/.test(
                    error.message,
                ),
        );
        assert.equal(pageSide([8192, 4096, 2048], [64, 64, 64], 2, 2 ** 31).length, 3);
    });

    test("servers that compress files on their way: the file is read once, as a whole", async () => {
        const files = await sample("shard");
        const expected = await read(await open(blobs(files)));
        const encoded = (withSuffix) => (path, count, request, response) => {
            if (!path.startsWith("c/")) return false;
            // Ranges are those of the compressed data.
            const packed = gzipSync(files.get(path));
            const headers = { "content-encoding": "gzip", etag: `"v1${withSuffix ? "-gzip" : ""}"` };
            respond(packed, request.headers.range, response, request.method, headers);
            return true;
        };
        const origin = globalThis.location;
        for (const location of [undefined, { origin: "https://example.org" }]) {
            // (From other origins, the size comes from HEAD.)
            if (location) globalThis.location = location;
            const { url, requests, close } = await serve(files, encoded(true));
            try {
                const image = await openUrl(url);
                assert.deepEqual(await read(image), expected);
                assert.deepEqual(await read(image), expected);
                const gets = requests.filter(({ path, method }) => path.startsWith("c/") && method === "GET");
                assert.ok(gets.length <= 2, JSON.stringify(gets));
                assert.equal(gets.filter(({ range }) => range === undefined).length, 1);
            } finally {
                close();
                if (location) globalThis.location = origin;
            }
        }
    });

    test("a weak ETag is that of the same file", async () => {
        const files = await sample("shard");
        const tagged = (tags) => (path, count, request, response) => {
            if (!path.startsWith("c/")) return false;
            const headers = { etag: tags[Math.min(count, tags.length - 1)] };
            respond(Buffer.from(files.get(path)), request.headers.range, response, request.method, headers);
            return true;
        };
        for (const [tags, isSame] of [
            [['W/"a"', '"a"'], true],
            [['W/"a"', 'W/"b"'], false],
        ]) {
            const { url, close } = await serve(files, tagged(tags));
            try {
                const image = await openUrl(url);
                if (isSame) await read(image);
                else await failure(() => read(image), /it has changed while it was read/);
            } finally {
                close();
            }
        }
    });

    test("Zstandard frames take the memory of their contents, which they state", () => {
        // A frame of eight stored blocks of 128 KiB, with its size.
        const block = (isLast, size) => [Number(isLast) | (size << 3), (size << 3) >> 8, (size << 3) >> 16];
        const frame = (size, count, stated = size * count) => {
            const header = Buffer.alloc(9);
            header.writeUInt32LE(0xfd2fb528, 0);
            header[4] = 0xa0;
            header.writeUInt32LE(stated, 5);
            const blocks = Array.from({ length: count }, (_, i) =>
                Buffer.concat([Buffer.from(block(i + 1 === count, size)), Buffer.alloc(size, i)]),
            );
            return Buffer.concat([header, ...blocks]);
        };
        const stored = frame(1 << 17, 8);
        const contents = reader.zstdDecoded(new Uint8Array(stored), 2 ** 40, true);
        assert.equal(contents.length, 1 << 20);
        assert.equal(contents.at(-1), 7);
        const damaged = [
            [frame(100, 2), 150, true],
            [frame(100, 2, 201), 1000, true],
            [frame(100, 2, 199), 1000, true],
            [frame(100, 2), 201, false],
        ];
        for (const [bytes, length, isLimit] of damaged) {
            assert.throws(() => reader.zstdDecoded(new Uint8Array(bytes), length, isLimit), RangeError);
        }
        assert.equal(reader.zstdDecoded(new Uint8Array(frame(100, 2)), 200).length, 200);
    });

    test("the latest file is kept at any size, others up to a number of bytes", () => {
        const kept = new reader.KeptFiles(100);
        const has = () => ["a", "b", "c", "large"].filter((key) => kept.get(key)).join("");
        kept.set("a", new Uint8Array(40));
        kept.set("b", new Uint8Array(40));
        kept.set("c", new Uint8Array(40));
        assert.equal(has(), "bc");
        kept.set("large", new Uint8Array(1000));
        assert.equal(has(), "large");
        kept.set("large", new Uint8Array(1001));
        assert.equal(has(), "large");
        kept.set("a", new Uint8Array(100));
        assert.equal(has(), "a");
    });

    test("faults of chunks keep the code of the decoder", async () => {
        const pipeline = { order: [0, 1, 2], toBytes: { kind: "brickwork" }, chain: [] };
        const job = {
            ...{ name: "c/0/0/0", bytes: new Uint8Array(9), pipeline, shape: [8, 8, 8] },
            ...{ type: { name: "uint8", bytes: 1, kind: "unsigned", voxelType: "u8", code: 0 } },
            ...{ fill: new Uint8Array(1), start: [0, 0, 0], counts: [8, 8, 8], axes: [0, 1, 2] },
        };
        const { BrickworkError } = await import("../dist/errors.js");
        for (const code of ["cpu", "limit", "source"]) {
            const decoder = () => Promise.reject(new BrickworkError(code, "no bricks"));
            const call = reader.decodeBox(job, decoder);
            await assert.rejects(call, { name: "BrickworkError", code, message: "c/0/0/0: no bricks" });
        }
        const call = reader.decodeBox(job, () => Promise.reject(new TypeError("no network")));
        await assert.rejects(call, {
            name: "BrickworkError",
            code: "source",
            message: "c/0/0/0: no network",
        });
    });

    test("a module that could not be loaded is loaded again", async () => {
        let loads = 0;
        const module = new reader.ChunkModule(async () => {
            if (loads++ === 0) throw new Error("there is no network");
            return WebAssembly.compile(await readFile(WASM));
        });
        const decoder = reader.brickworkDecoder(module);
        const type = { name: "uint8", bytes: 1, code: 0 };
        // The example of the specification: its table has the bytes.
        const text = await readFile(SPECIFICATION, "utf8");
        const rows = text.matchAll(/^\| \d+ \| ([\dA-F ]+) \|/gm);
        const chunk = Buffer.from([...rows].map(([, bytes]) => bytes.replaceAll(" ", "")).join(""), "hex");
        await assert.rejects(decoder(chunk, type, [4, 4, 8]), /there is no network/);
        const numbers = await decoder(chunk, type, [4, 4, 8]);
        for (let i = 0; i < 128; i++) {
            const [x, y, z] = [i % 8, (i >> 3) % 4, i >> 5];
            assert.equal(numbers[i], x < 4 ? 7 : x < 6 ? 20 + 3 * x + y * y + z : 0);
        }
        // After a large chunk, the instance is another one, of the same module.
        const exports = [];
        const decodes = (outputBytes) =>
            module.run(chunk, outputBytes, (own) => {
                exports.push(own);
                return own.brickwork_decode_chunk(0, 8, 4, 4, 1);
            });
        for (const outputBytes of [128, 1 << 30, 128]) await decodes(outputBytes);
        assert.deepEqual([exports[0] === exports[1], exports[1] === exports[2], loads], [true, false, 2]);
        await assert.rejects(decoder(chunk, type, [4, 4, 2, 5]), {
            code: "source",
            message: /2×5 have other axes/,
        });
        const half = { name: "float16", bytes: 2, code: 10 };
        await assert.rejects(decoder(chunk, half, [4, 4, 8]), { code: "source" });
    });

    test("entries of archives are kept when a worker has taken their bytes", async () => {
        const archive = zipOf(
            new Map([
                ["zarr.json", "{}"],
                ["a", "abcdefgh"],
            ]),
            { isDeflated: () => true },
        );
        const store = await reader.ZipStore.open(
            reader.BlobStore.ofFile(new Blob([archive])),
            "a.zip",
            never,
        );
        for (let i = 0; i < 3; i++) {
            const bytes = await store.get("a", 100, never);
            assert.equal(Buffer.from(bytes).toString(), "abcdefgh");
            structuredClone(bytes, { transfer: [bytes.buffer] });
            assert.equal(bytes.length, 0);
        }
    });
});

describe("the module of volumes", { skip }, () => {
    let module, VolumeModule;
    before(async () => {
        ({ VolumeModule } = await import("../dist/volume/module.js"));
        module = await WebAssembly.compile(await readFile(WASM));
    });
    const description = (change = {}) => ({
        format: "zarr",
        voxelType: "u16",
        labels: false,
        notes: ["one"],
        metadata: { a: 1 },
        levels: [[64, 32, 32, 1, 1, 1, 0, 0, 0]],
        ...change,
    });

    test("pages of a batch stay until they are copied; those of an earlier one do not", async () => {
        const volume = await VolumeModule.create(module);
        volume.describe(description());
        const voxels = voxelsOf([64, 32, 32]);
        volume.supplyVoxels(new Uint8Array(voxels.buffer));
        const part = { level: 0, onDemand: true, pageSide: [32, 32, 32], surveyLevel: 0 };
        volume.load({ ...part, bufferBytes: 1 << 24, poolBytes: 1 << 26 });
        const pageVoxels = (page) =>
            new Uint8Array(voxels.filter((_, i) => Math.floor((i % 64) / 32) === page).buffer);
        assert.deepEqual(volume.pageBoxes([0, 1]), [0, 32, 0, 32, 0, 32, 32, 64, 0, 32, 0, 32]);
        for (const page of [0, 1]) volume.supplyPage(page, pageVoxels(page));
        assert.ok(volume.input(4, 1).length > 0);
        volume.pageBoxes([1]);
        volume.supplyPage(1, pageVoxels(1));
        assert.throws(() => volume.input(4, 0), {
            code: "option",
            message: /the voxels of page 0 were not supplied/,
        });
        assert.ok(volume.input(4, 1).length > 0);
        assert.throws(() => volume.pageBoxes([1, 2]), { code: "option", message: /there is no page 2/ });
    });

    test("fields of wrong types are errors that name them", async () => {
        const volume = await VolumeModule.create(module);
        for (const [change, pattern] of [
            [{ notes: "one" }, /^notes is "one", which is not a list of texts$/],
            [{ notes: ["one", 2] }, /^notes is \["one",2\], which is not a list of texts$/],
            [{ metadata: [1] }, /^metadata is \[1\], which is not an object$/],
            [{ levels: [[2.5, 1, 1, 1, 1, 1, 0, 0, 0]] }, /^a side in levels is 2.5, which is not a whole/],
            [{ labels: 1 }, /^labels is 1, which is not true or false$/],
        ]) {
            assert.throws(() => volume.describe(description(change)), { code: "option", message: pattern });
        }
        volume.describe(description({ notes: undefined, metadata: null }));
    });
});

describe("the worker of volumes", { skip }, () => {
    after(() => {
        delete globalThis.onmessage;
        delete globalThis.postMessage;
    });

    test("progress ends with all of the work", async () => {
        const [seen, replies] = [new Map(), new Map()];
        globalThis.postMessage = (reply) => {
            if ("progress" in reply) {
                const [done, total, stage] = reply.progress;
                seen.set(stage, [done, total]);
            } else replies.get(reply.id)(reply);
        };
        await import("../dist/volume/worker.js");
        globalThis.onmessage({ data: { module: await WebAssembly.compile(await readFile(WASM)) } });
        const call = (id, name, args) =>
            new Promise((resolve) => {
                replies.set(id, resolve);
                globalThis.onmessage({ data: { id, name, args } });
            });
        const source = new Blob([await readFile(ATLAS)]);
        await call(0, "open", { source, maxWholeBytes: 1 << 24 });
        const part = { level: 0, frame: 0, channel: 0, labels: false, onDemand: false };
        const reply = await call(1, "load", { ...part, bufferBytes: 1 << 24 });
        assert.ok("result" in reply, JSON.stringify(reply));
        assert.ok(seen.size >= 2, [...seen.keys()].join());
        for (const [stage, [done, total]] of seen) assert.equal(done, total, stage);
    });
});
