// Volumes: byte ranges and their faults, in Node.js; pictures of every mode against the native program's, in
// Chromium.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { files, openPage, requests } from "./browser.mjs";
import { encodedVolume, noProgram, rendered } from "./native.mjs";
import { respond, serve } from "./zarr-files.mjs";

const WASM = fileURLToPath(new URL("../dist/volume/brickwork-volume.wasm", import.meta.url));
const FULL = fileURLToPath(new URL("../dist/volume/brickwork-volume-full.wasm", import.meta.url));
const skip = existsSync(WASM) ? false : "dist/ has no export ./volume (npm run build -- --no-volume)";
if (skip) console.log(`# skipped: ${skip}`);

const file = (name) => fileURLToPath(new URL(`../../test-data/bwv/${name}.bwv`, import.meta.url));
const atlas = fileURLToPath(new URL("../site/volume/atlas.bwv", import.meta.url));
const SIZE = [64, 48];

/** Returns the number of bytes of ranges. */
const sizeOf = (ranges) => ranges.reduce((sum, [start, end]) => sum + end - start, 0);

/** Returns a `.bwv` file of random bytes with two mip levels. */
function noise(side) {
    const voxels = Buffer.alloc(side ** 3);
    for (let i = 0, random = 1; i < voxels.length; i++) {
        random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
        voxels[i] = random >>> 24;
    }
    return encodedVolume(voxels, [side, side, side], ["--brick", "4", "--levels", "2"]);
}

/** A NIfTI-1 file of 5×4×3 numbers of 8 bits in each frame. */
function nifti(frames = 1) {
    const bytes = Buffer.alloc(352 + 60 * frames);
    bytes.writeInt32LE(348, 0);
    [frames > 1 ? 4 : 3, 5, 4, 3, frames, 1, 1, 1].forEach((side, i) => bytes.writeInt16LE(side, 40 + 2 * i));
    bytes.writeInt16LE(2, 70);
    bytes.writeInt16LE(8, 72);
    [1, 2, 3, 4].forEach((distance, i) => bytes.writeFloatLE(distance, 76 + 4 * i));
    bytes.writeFloatLE(352, 108);
    bytes.write("n+1\0", 344, "latin1");
    for (let i = 0; i < 60 * frames; i++) bytes[352 + i] = i;
    return bytes;
}

describe("in Node.js", { skip }, () => {
    let VolumeModule, small, full;
    before(async () => {
        ({ VolumeModule } = await import("../dist/volume/module.js"));
        [small, full] = await Promise.all(
            [WASM, FULL].map(async (path) => WebAssembly.compile(await readFile(path))),
        );
    });

    /** Opens bytes as the worker does. */
    async function open(bytes, compiled = small) {
        const module = await VolumeModule.create(compiled);
        module.open(bytes.length);
        for (let needed = module.needed(); needed.length > 0; needed = module.needed()) {
            for (const [start, end] of needed) module.supply(start, bytes.subarray(start, end));
        }
        return module;
    }

    function supply(module, part, bytes) {
        for (const [start, end] of module.missing(part)) module.supply(start, bytes.subarray(start, end));
    }

    test("facts and voxels are those of the file", async () => {
        const bytes = await readFile(file("u16"));
        const module = await open(bytes);
        const facts = module.facts();
        assert.deepEqual([facts.format, facts.dims, facts.voxelType], ["bwv", [21, 13, 9], "u16"]);
        assert.equal(facts.kind, "intensities");
        const region = [3, 20, 0, 13, 4, 6];
        supply(module, { region }, bytes);
        const part = new Uint16Array(module.read({ region }).buffer);
        assert.equal(part.length, 17 * 13 * 2);
        supply(module, {}, bytes);
        const all = new Uint16Array(module.read({}).buffer);
        assert.equal(all.length, 21 * 13 * 9);
        for (let z = 0; z < 2; z++) {
            for (let y = 0; y < 13; y++) {
                const row = all.subarray(3 + 21 * (y + 13 * (z + 4))).subarray(0, 17);
                assert.deepEqual(part.subarray(17 * (y + 13 * z)).subarray(0, 17), row);
            }
        }
    });

    test("slices show the voxels", async () => {
        const bytes = await readFile(file("u8"));
        const module = await open(bytes);
        supply(module, {}, bytes);
        const all = module.read({});
        module.load({});
        const slice = module.slice({ axis: "z", index: 3, window: [0, 255] });
        const [width, height, index, count] = new Uint32Array(slice.buffer, 0, 4);
        assert.deepEqual([width, height, index, count], [21, 13, 3, 9]);
        const pixels = slice.subarray(32);
        for (let i = 0; i < width * height; i++) {
            const grey = all[i + width * height * 3];
            assert.deepEqual([...pixels.subarray(4 * i, 4 * i + 4)], [grey, grey, grey, 255]);
        }
    });

    test("slices of the file are those of the loaded part, and read their chunks only", async () => {
        for (const [path, level] of [
            [file("rgba-levels"), 1],
            [file("i16-eight"), 0],
            [file("u8"), 0],
            [atlas, 1],
        ]) {
            const bytes = await readFile(path);
            const [loaded, module] = [await open(bytes), await open(bytes)];
            supply(loaded, { level }, bytes);
            loaded.load({ level });
            const window = [10, 200];
            for (const axis of ["x", "y", "z", "axial", "coronal", "sagittal"]) {
                for (const index of [0, 3]) {
                    const options = { level, axis, index, window };
                    for (const [start, end] of module.missingSlice(options)) {
                        module.supply(start, bytes.subarray(start, end));
                    }
                    const found = module.fileSlice(options);
                    const expected = loaded.slice({ axis, index, window });
                    assert.deepEqual(found, expected, `${path} ${axis} ${index}`);
                }
            }
        }
        const bytes = await readFile(atlas);
        const module = await open(bytes);
        const [{ bytes: all }] = module.facts().levels;
        const slice = sizeOf(module.missingSlice({ level: 0, axis: "z", index: 20 }));
        assert.ok(slice > 0 && slice < 0.1 * all, `${slice} of ${all} bytes`);
        assert.throws(() => module.fileSlice({ level: 0, axis: "z", index: 20 }), { code: "source" });
        const whole = await VolumeModule.create(full);
        whole.openWhole(nifti(3));
        assert.deepEqual(whole.missingSlice({ level: 0 }), []);
        assert.throws(() => whole.fileSlice({ level: 0 }), { code: "option", message: /no part/ });
        whole.load({ frame: 2 });
        const [place, window] = [{ axis: "y", index: 1 }, [100, 200]];
        assert.deepEqual(
            whole.fileSlice({ ...place, level: 0, frame: 2, window }),
            whole.slice({ ...place, window }),
        );
    });

    test("files of other formats are read as a whole", async () => {
        const module = await VolumeModule.create(full);
        const bytes = nifti();
        assert.equal(module.format(bytes), "nifti");
        assert.equal(module.isFull, true);
        module.openWhole(bytes);
        const facts = module.facts();
        assert.deepEqual([facts.dims, facts.voxelType], [[5, 4, 3], "u8"]);
        assert.deepEqual(facts.spacing, [2, 3, 4]);
        assert.deepEqual([...module.read({ region: [1, 3, 0, 1, 2, 3] })], [41, 42]);
        assert.deepEqual(module.load({}).dims, [5, 4, 3]);
    });

    test("numbers that are not finite are refused", async () => {
        const module = await VolumeModule.create(full);
        module.openWhole(nifti());
        const refused = (name) => ({ code: "option", message: new RegExp(`^${name}: .* not a finite`) });
        assert.throws(() => module.load({ poolBytes: NaN }), refused("poolBytes"));
        module.load({});
        assert.throws(() => module.look({ window: [0, Infinity] }), refused("window"));
        assert.throws(() => module.look({ points: [[0, 0, 0, 0, NaN]] }), refused("points"));
        assert.throws(() => module.view({ width: 8, height: 4, zoom: -Infinity }), refused("zoom"));
    });

    test("the small module reads .bwv files as the full one does", async () => {
        const other = await VolumeModule.create(small);
        assert.deepEqual([other.isFull, other.format(nifti())], [false, ""]);
        assert.throws(() => other.openWhole(nifti()), { code: "cpu", message: /only the full module/ });
        for (const name of ["u16", "i16-eight", "guthe2016", "u16-flat-slices", "u64"]) {
            const bytes = await readFile(file(name));
            const modules = [await open(bytes), await open(bytes, full)];
            for (const module of modules) supply(module, {}, bytes);
            const [found, expected] = modules.map((module) => [
                module.format(bytes),
                module.facts(),
                module.read({}),
                module.load({ bufferBytes: 1 << 20 }),
                module.input(1, 0),
                module.input(4, 0),
            ]);
            assert.equal(found[0], "bwv");
            assert.deepEqual(found, expected, name);
        }
    });

    test("the bytes of a mip level are those of a frame", async () => {
        const module = await VolumeModule.create(full);
        module.openWhole(nifti(3));
        const { frames, levels } = module.facts();
        assert.deepEqual([frames, levels], [3, [{ dims: [5, 4, 3], bytes: 60 }]]);
        assert.deepEqual([...module.read({ frame: 2, region: [1, 3, 0, 1, 2, 3] })], [161, 162]);
    });

    test("every test file opens, and loads with the inputs of kernels", async () => {
        const names = ["f32", "f64-frames", "guthe2016", "i16-eight", "i32-constant", "i64-eight", "u64"];
        for (const name of [...names, "labels-levels", "rgba-levels", "u16-flat-slices"]) {
            const bytes = await readFile(file(name));
            const module = await open(bytes, full);
            const level = module.facts().levels.length - 1;
            supply(module, { level }, bytes);
            const { pages, buffers, boundBuffers } = module.load({ level, bufferBytes: 1 << 20 });
            assert.equal(buffers.flat().length, pages.length, name);
            assert.ok([1, 2, 4].includes(boundBuffers), name);
            const { words, tiles } = module.view({ width: 20, height: 9 });
            assert.deepEqual([words, tiles], [20 * 9 + 8, 9], name);
            assert.equal(module.render().length, 4 * 20 * 9, name);
        }
    });

    test("faults have a code and name the field", async () => {
        const bytes = await readFile(file("u16"));
        const cut = bytes.subarray(0, 300);
        await assert.rejects(open(cut), { code: "source" });
        const damaged = Buffer.from(bytes);
        damaged[1000] ^= 4;
        const module = await open(damaged);
        supply(module, {}, damaged);
        assert.throws(() => module.load({}), { code: "source", message: /checksum|CRC/i });
        const sound = await open(bytes);
        assert.throws(() => sound.load({}), { code: "source", message: /not been supplied/ });
        supply(sound, {}, bytes);
        assert.throws(() => sound.load({ level: 7 }), { code: "option", message: /level is 7; there are 1/ });
        sound.load({});
        for (const [call, message] of [
            [() => sound.look({ mode: "x-ray" }), /mode is "x-ray"; there are mip, dvr, iso, labels/],
            [() => sound.look({ mode: "labels" }), /labels/],
            [() => sound.look({ iso: "high" }), /iso is "high", which is not a number/],
            [() => sound.view({ width: 0, height: 9 }), /./],
            [() => sound.view({ width: 8, height: 8, up: "w" }), /up is "w"/],
            [() => sound.view({ width: 2 ** 32, height: 8 }), /width is 4294967296, which is not a whole/],
            [() => sound.slice({ axis: "z", index: 9 }), /index is 9; there are 9 slices/],
            [() => sound.slice({ axis: "z", index: 2 ** 32 }), /index is 4294967296; there are 9 slices/],
            [() => sound.load({ level: 2 ** 32 }), /level is 4294967296; there are 1/],
            [() => sound.look({ hiddenLabels: [1, 65536] }), /hiddenLabels has 65536, which is not a whole/],
            [() => sound.look({ hiddenLabels: [-1] }), /hiddenLabels has -1, .* from 0 to 65535/],
            [() => sound.look({ hiddenLabels: [2.5] }), /hiddenLabels has 2.5, which/],
            [() => sound.look({ hiddenLabels: 3 }), /hiddenLabels is 3, which is not a list/],
            [() => sound.read({ region: [0, 1.5, 0, 1, 0, 1] }), /region has 1.5, which/],
            [() => sound.read({ region: [-1, 1, 0, 1, 0, 1] }), /region has -1, which/],
            [() => sound.read({ region: [0, 1] }), /region has 2 numbers, not 6/],
            [() => sound.supply(0.5, bytes), /offset is 0.5, which is not a whole number/],
        ]) {
            assert.throws(call, { code: "option", message });
        }
        assert.equal(sound.look({ mode: "iso", hiddenLabels: [0, 65535] }).mode, "iso");
    });

    test("pages of a part on demand are read one by one", async () => {
        const bytes = await readFile(atlas);
        const module = await open(bytes);
        const [{ bytes: all }] = module.facts().levels;
        const part = { level: 0, onDemand: true };
        // The tables, and a smaller mip level for the look.
        assert.ok(sizeOf(module.missing(part)) < all / 2);
        supply(module, part, bytes);
        const sizes = { poolBytes: 1 << 20, bufferBytes: 1 << 20 };
        const { slots, isOnDemand, pages } = module.load({ ...part, ...sizes });
        assert.deepEqual([isOnDemand, pages], [true, []]);
        const slotBytes = (slots.buffers * slots.bufferBytes) / slots.count;
        module.dropBytes();
        const count = module.input(6, 0).length / 4;
        assert.ok(count > 32, `${count} pages`);
        assert.throws(() => module.input(4, 0), { code: "source", message: /not been supplied/ });
        let read = 0;
        for (const page of [0, count - 1]) {
            const ranges = module.missingPages(new Uint32Array([page]));
            read += sizeOf(ranges);
            for (const [start, end] of ranges) module.supply(start, bytes.subarray(start, end));
            const { length } = module.input(4, page);
            assert.ok(length > 0 && length <= slotBytes, `${length} of ${slotBytes} bytes`);
            const changes = module.input(7, 0);
            const [start] = new Uint32Array(changes.buffer, 0, 1);
            const records = module.input(1, 0).subarray(start, start + changes.length - 4);
            assert.ok(records.length > 0);
            assert.deepEqual(changes.subarray(4), records);
            assert.equal(module.input(7, 0).length, 0);
        }
        assert.ok(read > 0 && read < all / 10, `${read} of ${all} bytes`);
        assert.throws(() => module.input(4, count), { code: "option" });
        module.view({ width: 8, height: 4 });
        const other = await open(bytes, full);
        supply(other, part, bytes);
        other.load({ ...part, ...sizes });
        other.view({ width: 8, height: 4 });
        assert.throws(() => other.render(), { code: "option", message: /on demand/ });
        assert.throws(() => module.slice({}), { code: "option", message: /on demand/ });
        for (const [name, message] of [
            ["u64", /64 bits/],
            ["u16-flat-slices", /16×16×1/],
            ["guthe2016", /guthe2016/],
            ["f32", /NaN/],
        ]) {
            const bytes = await readFile(file(name));
            const module = await open(bytes);
            const load = () => {
                supply(module, { onDemand: true }, bytes);
                module.load({ onDemand: true, poolBytes: 4096 });
            };
            assert.throws(load, { code: "source", message }, name);
        }
    });

    test("loading reports its stages", async () => {
        // Values of labels are not counted.
        for (const [path, level, stages] of [
            [atlas, 0, ["preparing"]],
            [file("u8"), 0, ["preparing", "analyzing"]],
        ]) {
            const bytes = await readFile(path);
            const module = await open(bytes);
            supply(module, { level }, bytes);
            const reports = [];
            const progress = (done, total, stage) => reports.push([stage, done, total]);
            const { residentBytes } = module.load({ level }, progress);
            const count = reports.length;
            for (const [stage, done, total] of reports) {
                assert.ok(stages.includes(stage), stage);
                assert.ok(done > 0 && done <= total, `${stage}: ${done} of ${total}`);
            }
            for (const name of stages) {
                assert.ok(
                    reports.some(([stage, done, total]) => stage === name && done === total),
                    name,
                );
            }
            assert.ok(path !== atlas || count > 30, `${count} reports`);
            assert.equal(module.load({ level }).residentBytes, residentBytes);
            assert.equal(reports.length, count);
        }
    });

    test("a volume has slots only if its pages do not fit", async () => {
        const bytes = await readFile(atlas);
        const module = await open(bytes);
        supply(module, {}, bytes);
        const sizes = { pageBytes: 4096, bufferBytes: 1 << 20 };
        const { pages, slots } = module.load(sizes);
        assert.equal(slots, null);
        const poolBytes = pages.reduce((sum, size) => sum + size, 0);
        assert.equal(module.load({ ...sizes, poolBytes }).slots, null);
        assert.ok(module.load({ ...sizes, poolBytes: poolBytes - 1 }).slots.count < pages.length);
        // They fit into memory, but not into four buffers of this size.
        const bufferBytes = Math.floor(poolBytes / 5);
        assert.ok(module.load({ ...sizes, bufferBytes, poolBytes }).slots.count < pages.length);
    });

    test("pages are assigned to slots", async () => {
        const bytes = await readFile(atlas);
        const module = await open(bytes);
        supply(module, {}, bytes);
        const sizes = { pageBytes: 4096, bufferBytes: 1 << 20 };
        // 32 slots, each for the largest page.
        const small = () => module.load({ ...sizes, poolBytes: 130_000 });
        assert.throws(small, { code: "limit", message: /gpuBytes is 130000, .* 32 pages of \d+ bytes/ });
        assert.throws(() => module.load({ ...sizes, poolBytes: 1 << 20, bufferBytes: 9000 }), {
            code: "limit",
            message: /at least \d+ bytes, and the device's limit is 9000/,
        });
        const { slots, pages } = module.load({ ...sizes, poolBytes: 131_072 });
        assert.equal(slots.count, 32);
        assert.ok(slots.buffers * slots.bufferBytes <= 131_072);
        assert.ok(pages.length > 32);
        const words = Math.ceil(pages.length / 32);
        const bits = new Uint32Array(2 * words);
        bits[0] = 0b1010;
        const loads = new Uint32Array(module.assign(new Uint8Array(bits.buffer)).buffer);
        assert.deepEqual(
            [...loads].filter((_, i) => i % 3 === 0),
            [1, 3],
        );
        const table = () => new Uint32Array(module.input(6, 0).buffer);
        assert.deepEqual([...table().subarray(0, 4)], [0, 1, 0, 2]);
        module.emptySlots();
        assert.ok(table().every((slot) => slot === 0));
        assert.deepEqual(new Uint32Array(module.assign(new Uint8Array(bits.buffer)).buffer), loads);
    });
});

describe("pages", { skip }, () => {
    /** A worker that takes different times for pages, and fails for page 99. */
    class SlowWorker {
        running = 0;
        most = 0;

        async call(_name, { number }) {
            this.most = Math.max(this.most, ++this.running);
            await new Promise((resolve) => setTimeout(resolve, number % 3));
            this.running--;
            if (number === 99) throw new Error("there is no page 99");
            return new Uint8Array(4).fill(number);
        }
    }

    test("several pages are fetched at the same time, and each is written to its place", async () => {
        const { copyPages } = await import("../dist/volume/pages.js");
        const [worker, written] = [new SlowWorker(), new Map()];
        const writeBuffer = (buffer, offset, bytes) => written.set(`${buffer} ${offset}`, bytes[0]);
        const device = { queue: { writeBuffer } };
        const loads = Array.from({ length: 20 }, (_, page) => ({ page, buffer: page % 2, offset: 4 * page }));
        await copyPages(worker, device, loads);
        assert.deepEqual(
            written,
            new Map(loads.map(({ page, buffer, offset }) => [`${buffer} ${offset}`, page])),
        );
        assert.equal(worker.most, 4);
        const failing = [{ page: 99, buffer: 0, offset: 0 }, ...loads];
        await assert.rejects(copyPages(worker, device, failing), /no page 99/);
        assert.equal(worker.running, 0, "a copy is under way");
    });

    /** Returns the pages of each portion, and those that count as requested. */
    async function portions(missing, requested, slotCount, perCall) {
        const { fetchInPortions } = await import("../dist/volume/pages.js");
        const bits = new Uint32Array(4);
        const set = (start, page) => (bits[start + (page >> 5)] |= 1 << (page & 31));
        for (const page of missing) set(0, page);
        for (const page of requested) set(2, page);
        const [fetched, found] = [[], []];
        const worker = {
            async call(name, { pages, maxBytes }) {
                assert.equal(name, "fetchPages");
                assert.ok(maxBytes <= 16 << 20);
                fetched.push(pages.slice(0, perCall));
                return { count: Math.min(perCall, pages.length) };
            },
        };
        await fetchInPortions(worker, new Uint8Array(bits.buffer), slotCount, undefined, async (portion) => {
            const words = new Uint32Array(portion.buffer);
            const pagesOf = (words) =>
                Array.from({ length: 64 }, (_, page) => page).filter(
                    (page) => (words[page >> 5] >>> (page & 31)) & 1,
                );
            const [now, all] = [pagesOf(words.subarray(0, 2)), pagesOf(words.subarray(2))];
            assert.deepEqual(now, fetched.at(-1));
            found.push([now, all]);
        });
        return found;
    }

    test("pages are fetched in portions, of which none takes the slots of another", async () => {
        // Of eight slots, two have requested pages.
        assert.deepEqual(await portions([1, 4, 31, 32, 63], [0, 1, 4, 31, 32, 50, 63], 8, 2), [
            [
                [1, 4],
                [0, 1, 4, 31, 32, 50, 63],
            ],
            [
                [31, 32],
                [0, 1, 4, 31, 32, 50, 63],
            ],
            [[63], [0, 1, 4, 31, 32, 50, 63]],
        ]);
        // Three of eight slots are idle: the others are not fetched.
        const requested = [10, 11, 12, 13, 14];
        const fetched = (found) => found.map(([now]) => now);
        assert.deepEqual(fetched(await portions([1, 2, 3, 4], requested, 8, 2)), [[1, 2], [3]]);
        // None is idle: one portion takes a quarter of the slots.
        const all = [10, 11, 12, 13, 14, 15, 16, 17];
        assert.deepEqual(fetched(await portions([1, 2, 3, 4], all, 8, 9)), [[1, 2]]);
        assert.deepEqual(fetched(await portions([1, 2, 3, 4], all, 8, 1)), [[1]]);
        // Pages of earlier portions count as requested.
        const [, [, later]] = await portions([1, 2], [9], 8, 1);
        assert.deepEqual(later, [1, 2, 9]);
    });
});

test("after a range that cannot be read, no other is read", { skip }, async () => {
    const { ByteSource } = await import("../dist/volume/bytes.js");
    let [started, taken] = [0, 0];
    const read = async (start, end) => {
        started += 1;
        if (start === 1 << 17) throw new DOMException("it is gone", "NotReadableError");
        await sleep(5);
        return new ArrayBuffer(end - start);
    };
    const size = 1 << 22;
    const blob = { size, slice: (start, end) => ({ arrayBuffer: () => read(start, end) }) };
    const { signal } = new AbortController();
    const source = await ByteSource.open(blob, size, signal);
    const ranges = Array.from({ length: 20 }, (_, i) => [(i + 2) << 16, ((i + 2) << 16) + 16]);
    const reading = source.read(ranges, signal, () => (taken += 1));
    await assert.rejects(reading, { code: "source", message: /it is gone/ });
    await sleep(50);
    // The first bytes, and four requests at the same time.
    assert.deepEqual([started, taken], [5, 0]);
});

test(
    "a file that is compressed on its way is read as a whole, and is what its bytes say",
    { skip },
    async () => {
        const { ByteSource } = await import("../dist/volume/bytes.js");
        const contents = Buffer.alloc(200_000, "a header, and voxels. ");
        const { signal } = new AbortController();
        // A `.nii.gz` that the server sends as compressed `.nii`, and one that it compresses again.
        for (const file of [contents, gzipSync(contents)]) {
            for (const isHeadOnly of [false, true]) {
                const server = await serve(new Map(), (path, count, request, response) => {
                    const { method, headers } = request;
                    if (isHeadOnly && headers.range) {
                        // (Without `Content-Range`, the size comes from HEAD.)
                        response.writeHead(206);
                        response.end(file.subarray(0, 1 << 16));
                    } else {
                        const encoding = { "content-encoding": "gzip" };
                        respond(gzipSync(file), headers.range, response, method, encoding);
                    }
                    return true;
                });
                try {
                    const source = await ByteSource.open(`${server.url}scan.nii.gz`, 1 << 20, signal);
                    assert.equal(source.byteCount, file.length);
                    assert.deepEqual(Buffer.from(source.start), file);
                    await source.read([[10, 50]], signal, ({ bytes }) =>
                        assert.deepEqual(Buffer.from(bytes), file.subarray(10, 50)),
                    );
                    // (The range of the whole file counts, too.)
                    assert.equal(source.facts.requests, server.requests.length + 1);
                } finally {
                    server.close();
                }
            }
        }
    },
);

describe("the worker", { skip }, () => {
    /** Calls the code of the worker, in this thread. */
    async function startWorker() {
        const replies = new Map();
        globalThis.postMessage = (reply) => {
            const { resolve, reject } = replies.get(reply.id);
            if ("result" in reply) resolve(reply.result);
            else if ("error" in reply) reject(Object.assign(new Error(reply.error.message), reply.error));
        };
        await import("../dist/volume/worker.js");
        globalThis.onmessage({ data: { module: await WebAssembly.compile(await readFile(WASM)) } });
        let next = 0;
        return (name, args) =>
            new Promise((resolve, reject) => {
                const id = next++;
                replies.set(id, { resolve, reject });
                globalThis.onmessage({ data: { id, name, args } });
            });
    }

    after(() => {
        delete globalThis.onmessage;
        delete globalThis.postMessage;
    });

    test("pages are read up to a number of bytes", async () => {
        const bytes = await readFile(atlas);
        let read = 0;
        const slice = (start, end) => ({
            async arrayBuffer() {
                read += end - start;
                return new Uint8Array(bytes.subarray(start, end)).buffer;
            },
        });
        const call = await startWorker();
        await call("open", { source: { size: bytes.length, slice }, maxWholeBytes: 1000 });
        const part = { level: 0, frame: 0, channel: 0, labels: false, onDemand: true };
        const { slots } = await call("load", { ...part, bufferBytes: 1 << 20, poolBytes: 4 << 20 });
        const length = (await call("input", { kind: 6, number: 0 })).length / 4;
        assert.ok(slots.count > 32 && length > 64);
        const maxBytes = 40_000;
        let [total, calls] = [0, 0];
        for (let pages = Array.from({ length }, (_, page) => page); pages.length > 0; calls++) {
            read = 0;
            const { count } = await call("fetchPages", { pages, maxBytes });
            assert.ok(count >= 1 && read <= maxBytes, `${count} pages, ${read} bytes`);
            for (const number of pages.slice(0, count)) await call("input", { kind: 4, number });
            pages = pages.slice(count);
            total += read;
        }
        assert.ok(calls >= 4 && total > 3 * maxBytes, `${calls} calls, ${total} bytes`);
        // One page is read even if it is larger.
        const { count } = await call("fetchPages", { pages: [0, 1, 2], maxBytes: 1 });
        assert.equal(count, 3, "all of them were read");
        // The next call drops the bytes.
        await call("read", { level: 2 });
        assert.equal((await call("fetchPages", { pages: [5, 60], maxBytes: 1 })).count, 1);
    });
});

test("the CPU draws where WebGPU has only a software adapter", { skip: skip || noProgram }, async () => {
    files.set("/atlas.bwv", await readFile(atlas));
    const { page, close } = await openPage({ isSoftware: true });
    try {
        const found = await page.evaluate(async () => {
            const { VolumeView } = await import("/dist/volume/index.js");
            const results = [];
            for (const options of [{}, { cpu: true }, { cpu: false }, { onDemand: true }]) {
                const view = await VolumeView.open(undefined, undefined, "/atlas.bwv", options);
                const { pixels } = view.isOnCpu ? await view.render({ width: 32, height: 24 }) : {};
                results.push([view.isOnCpu, pixels && toBase64(new Uint8Array(pixels.buffer))]);
                view.dispose();
            }
            return results;
        });
        assert.deepEqual(
            found.map(([isOnCpu]) => isOnCpu),
            [true, true, false, false],
        );
        assert.equal(found[0][1], found[1][1]);
        assert.ok(found[0][1].length > 1000);
    } finally {
        await close();
        files.delete("/atlas.bwv");
    }
});

test("a view keeps no results of earlier calls", { skip }, async () => {
    files.set("/atlas.bwv", await readFile(atlas));
    const { page, close } = await openPage({ webgpu: false });
    try {
        await page.evaluate(async () => {
            const { VolumeView } = await import("/dist/volume/index.js");
            window.view = await VolumeView.open(undefined, undefined, "/atlas.bwv", { cpu: true });
            window.results = [];
            for (let i = 0; i < 8; i++) {
                window.results.push(new WeakRef(await window.view.voxels({ region: [0, 8, 0, 8, 0, 8] })));
            }
        });
        await page.requestGC();
        const kept = () => window.results.filter((result) => result.deref()).length;
        assert.equal(await page.evaluate(kept), 0);
    } finally {
        await close();
        files.delete("/atlas.bwv");
    }
});

describe("in Chromium", { skip }, () => {
    let opened;
    before(async () => {
        for (const name of ["u16", "labels-levels", "i32-eight"]) {
            files.set(`/volumes/${name}.bwv`, await readFile(file(name)));
        }
        for (const folder of ["volumes", "no-ranges", "shared"]) {
            files.set(`/${folder}/atlas.bwv`, await readFile(atlas));
        }
        const damaged = Buffer.from(await readFile(file("u16")));
        damaged[1000] ^= 4;
        files.set("/volumes/damaged.bwv", damaged);
        files.set("/volumes/text.bwv", Buffer.from("no volume"));
        opened = await openPage();
        await opened.page.evaluate(async () => {
            window.volumes = await import("/dist/volume/index.js");
            window.pixelsOf = async (png) => {
                const blob = await (await fetch(`data:image/png;base64,${png}`)).blob();
                const bitmap = await createImageBitmap(blob, { colorSpaceConversion: "none" });
                const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
                context.drawImage(bitmap, 0, 0);
                return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
            };
        });
    });
    after(() => opened?.close());

    /** Renders as the native program does, and returns the largest difference. */
    const compare = (name, look, png, options) =>
        opened.page.evaluate(
            async ([name, look, png, options, [width, height]]) => {
                const { VolumeView } = window.volumes;
                const view = await VolumeView.open(undefined, undefined, `/volumes/${name}.bwv`, options);
                try {
                    await view.setLook(look);
                    const { pixels, statistics } = await view.render({ width, height, statistics: true });
                    const expected = await window.pixelsOf(png);
                    let largest = 0;
                    pixels.forEach((value, i) => {
                        largest = Math.max(largest, Math.abs(value - expected[i]));
                    });
                    const colors = new Set(new Uint32Array(pixels.buffer, pixels.byteOffset, width * height));
                    return { largest, colors: colors.size, statistics };
                } finally {
                    view.dispose();
                }
            },
            [name, look, png.toString("base64"), options, SIZE],
        );

    for (const [name, look, options] of [
        ["u16", { mode: "dvr" }, ["--mode", "dvr"]],
        ["u16", { mode: "dvr", preset: "fire" }, ["--transfer", "fire"]],
        ["u16", { mode: "mip" }, ["--mode", "mip"]],
        ["u16", { mode: "iso" }, ["--mode", "iso"]],
        ["i32-eight", { mode: "dvr" }, ["--mode", "dvr"]],
        ["labels-levels", { mode: "labels" }, ["--mode", "labels"]],
    ]) {
        const title = `${name} ${Object.values(look).join(" ")}`;
        test(`${title}: pictures are the native program's`, { skip: noProgram }, async () => {
            const png = await rendered(file(name), ["--size", SIZE.join("x"), ...options]);
            const cpu = await compare(name, look, png, { cpu: true });
            assert.equal(cpu.largest, 0, "on the CPU");
            assert.ok(cpu.colors > 4, `${cpu.colors} colours`);
            const { largest, statistics } = await compare(name, look, png, {});
            assert.ok(largest <= 1, `differs by ${largest}`);
            assert.ok(statistics.samples > 0 && statistics.brickReads > 0, JSON.stringify(statistics));
        });
    }

    test("pages that rays wait for are loaded", { skip: noProgram }, async () => {
        files.set("/volumes/noise-64.bwv", await noise(64));
        const found = await opened.page.evaluate(async () => {
            const { VolumeView } = window.volumes;
            const open = (options) =>
                VolumeView.open(undefined, undefined, "/volumes/noise-64.bwv", { level: 0, ...options });
            const pictures = [];
            for (const options of [{ gpuBytes: 250_000 }, {}]) {
                const view = await open(options);
                await view.setLook({ mode: "mip", window: [0, 255] });
                const { pixels } = await view.render({ width: 16, height: 8 });
                const { slots, pages } = view.part;
                pictures.push({ slots, pageCount: pages.length, pixels: [...pixels] });
                view.dispose();
            }
            const refused = await open({ gpuBytes: 100_000 }).catch(({ code, message }) => [code, message]);
            return { pictures, refused };
        });
        const [paged, whole] = found.pictures;
        assert.ok(paged.slots.count < paged.pageCount, `${paged.slots.count} slots`);
        assert.ok(paged.slots.buffers * paged.slots.bufferBytes <= 250_000);
        assert.equal(whole.slots, null);
        assert.ok(new Set(whole.pixels).size > 8, "the picture shows the volume");
        assert.deepEqual(paged.pixels, whole.pixels);
        const [code, message] = found.refused;
        assert.equal(code, "limit");
        assert.match(message, /gpuBytes is 100000, .* 32 pages/);
    });

    test("a close-up reads the chunks that its rays ask for", { skip: noProgram }, async () => {
        const volume = await noise(96);
        files.set("/volumes/noise.bwv", volume);
        const found = await opened.page.evaluate(async () => {
            const { VolumeView } = window.volumes;
            const camera = { azimuth: 0, elevation: 0, zoom: 8, orthographic: true };
            const views = [];
            for (const onDemand of [true, false]) {
                const options = { level: 0, onDemand };
                const view = await VolumeView.open(undefined, undefined, "/volumes/noise.bwv", options);
                await view.setLook({ mode: "mip", window: [0, 255] });
                const before = view.read.bytes;
                const { pixels } = await view.render({ width: 8, height: 8, camera });
                const { bytes, requests } = view.read;
                await view.render({ width: 8, height: 8, camera });
                const again = view.read.requests - requests;
                views.push({ pixels: [...pixels], fetched: bytes - before, bytes, again });
                view.dispose();
            }
            const options = { onDemand: true, maxBytes: 100 };
            const open = () => VolumeView.open(undefined, undefined, "/volumes/noise.bwv", options);
            return { views, code: await codeOf(open) };
        });
        const [onDemand, whole] = found.views;
        assert.equal(found.code, "limit");
        assert.ok(new Set(whole.pixels).size > 8, "the picture shows the volume");
        assert.deepEqual(onDemand.pixels, whole.pixels);
        // The rays are 12 voxels apart at most, and pass 3 of 27 chunks.
        assert.ok(onDemand.fetched > 0 && onDemand.fetched < volume.length / 6, `${onDemand.fetched} bytes`);
        assert.ok(onDemand.bytes < volume.length / 2, `${onDemand.bytes} of ${volume.length} bytes`);
        assert.ok(whole.bytes > 0.8 * volume.length && whole.fetched === 0, `${whole.bytes} bytes`);
        assert.equal(onDemand.again, 0);
    });

    test(
        "a lost device of the view is replaced, and pages are loaded again",
        { skip: noProgram },
        async () => {
            files.set("/volumes/noise-64.bwv", await noise(64));
            const found = await opened.page.evaluate(async () => {
                const { VolumeView } = window.volumes;
                const devices = [];
                const { requestDevice } = GPUAdapter.prototype;
                GPUAdapter.prototype.requestDevice = async function (options) {
                    const device = await requestDevice.call(this, options);
                    devices.push(device);
                    return device;
                };
                const options = { level: 0, gpuBytes: 250_000 };
                const view = await VolumeView.open(undefined, undefined, "/volumes/noise-64.bwv", options);
                try {
                    const pictures = [];
                    for (let i = 0; i < 2; i++) {
                        const { pixels } = await view.render({ width: 16, height: 8 });
                        pictures.push([...pixels]);
                        devices.at(-1).destroy();
                        await devices.at(-1).lost;
                    }
                    const code = await view.render({ width: 16, height: 8 }).catch((error) => error.code);
                    return { pictures, code, devices: devices.length, slots: view.part.slots };
                } finally {
                    GPUAdapter.prototype.requestDevice = requestDevice;
                    view.dispose();
                }
            });
            const [first, second] = found.pictures;
            assert.ok(new Set(first).size > 4, "the picture shows the volume");
            assert.deepEqual(second, first);
            assert.ok(found.slots !== null);
            assert.deepEqual([found.devices, found.code], [2, "device-lost"]);
        },
    );

    for (const [folder, title] of [
        ["volumes", "a file is opened by its ends, and the rest is read by ranges"],
        ["shared", "the size of a file of another origin takes one more request"],
    ]) {
        test(title, async () => {
            requests.length = 0;
            const isOther = folder === "shared";
            const address = isOther ? opened.address.replace("127.0.0.1", "localhost") : "";
            const read = await opened.page.evaluate(async (url) => {
                const { VolumeView } = window.volumes;
                const view = await VolumeView.open(undefined, undefined, url, { cpu: true, level: 2 });
                const { read } = view;
                view.dispose();
                return read;
            }, `${address}/${folder}/atlas.bwv`);
            const { length } = files.get("/volumes/atlas.bwv");
            const heads = requests.filter(({ method }) => method === "HEAD");
            const ranges = requests.filter(({ method }) => method === "GET").map(({ range }) => range);
            assert.equal(heads.length, isOther ? 1 : 0);
            assert.deepEqual(ranges.slice(0, 2), ["bytes=0-65535", `bytes=${length - 65536}-${length - 1}`]);
            assert.ok(ranges.length <= 4, `${ranges.length} requests`);
            assert.deepEqual([read.isWhole, read.requests], [false, requests.length]);
            assert.ok(read.bytes < length, `${read.bytes} of ${length} bytes`);
        });
    }

    test("the full module is loaded for other formats and for the CPU", async () => {
        const found = await opened.page.evaluate(
            async (bytes) => {
                const { VolumeView } = window.volumes;
                const nifti = new Blob([new Uint8Array(bytes)]);
                const views = [];
                for (const [source, options] of [
                    ["/volumes/u16.bwv", {}],
                    [nifti, {}],
                    [nifti, { cpu: true }],
                ]) {
                    performance.clearResourceTimings();
                    const view = await VolumeView.open(undefined, undefined, source, options);
                    await view.setLook({ mode: "mip", window: [0, 59] });
                    const { pixels } = await view.render({ width: 8, height: 6 });
                    const modules = performance
                        .getEntriesByType("resource")
                        .map(({ name }) => new URL(name).pathname.split("/").at(-1))
                        .filter((name) => name.endsWith(".wasm"));
                    views.push({ format: view.facts.format, modules, pixels: [...pixels] });
                    view.dispose();
                }
                return views;
            },
            [...nifti()],
        );
        const [small, full] = ["brickwork-volume.wasm", "brickwork-volume-full.wasm"];
        assert.deepEqual(
            found.map(({ format, modules }) => [format, modules]),
            [
                ["bwv", [small]],
                ["nifti", [small, full]],
                ["nifti", [full]],
            ],
        );
        const [, { pixels }, onCpu] = found;
        assert.ok(new Set(pixels).size > 4, "the picture shows the volume");
        const differences = pixels.map((value, i) => Math.abs(value - onCpu.pixels[i]));
        assert.ok(Math.max(...differences) <= 1, `differs by ${Math.max(...differences)}`);
    });

    test("a slice of a larger mip level reads its chunks once", async () => {
        const found = await opened.page.evaluate(async () => {
            const { VolumeView } = window.volumes;
            const options = { cpu: true, level: 2 };
            const view = await VolumeView.open(undefined, undefined, "/volumes/atlas.bwv", options);
            const reads = [view.read];
            for (const index of [20, 21]) {
                const { width, height } = await view.slice({ level: 0, axis: "z", index });
                reads.push({ ...view.read, size: [width, height] });
            }
            const code = await codeOf(() => view.slice({ frame: 0 }));
            view.dispose();
            return { reads, code };
        });
        const [opening, first, second] = found.reads;
        assert.deepEqual(first.size, [181, 217]);
        assert.equal(first.requests, opening.requests + 1);
        const bytes = first.bytes - opening.bytes;
        assert.ok(bytes < files.get("/volumes/atlas.bwv").length / 10, `${bytes} bytes`);
        assert.deepEqual([second.requests, second.bytes], [first.requests, first.bytes]);
        assert.equal(found.code, "option");
    });

    test("after an aborted call, no part is loaded", async () => {
        const found = await opened.page.evaluate(async () => {
            const { VolumeView } = window.volumes;
            const abort = new AbortController();
            // The first part is loaded. The second call is aborted while its voxels are read.
            let isFirst = true;
            const onProgress = () => isFirst || abort.abort();
            const options = { cpu: true, level: 2, onProgress };
            const view = await VolumeView.open(undefined, undefined, "/volumes/atlas.bwv", options);
            isFirst = false;
            const size = { width: 8, height: 4 };
            const loading = view.load({ level: 1 }, abort.signal).catch((error) => error.name);
            const rendering = codeOf(() => view.render(size));
            const slicing = codeOf(() => view.slice());
            const codes = [await loading, await rendering, await slicing, await codeOf(() => view.part)];
            isFirst = true;
            await view.load({ level: 2 });
            const { width } = await view.render(size);
            view.dispose();
            return [...codes, width];
        });
        assert.deepEqual(found, ["AbortError", "option", "option", "option", 8]);
    });

    test("servers without ranges send the whole file, up to a limit", async () => {
        const found = await opened.page.evaluate(async () => {
            const { VolumeView } = window.volumes;
            const open = (options) =>
                VolumeView.open(undefined, undefined, "/no-ranges/atlas.bwv", {
                    cpu: true,
                    level: 2,
                    ...options,
                });
            const view = await open({});
            const { read } = view;
            view.dispose();
            return { ...read, code: await codeOf(() => open({ maxWholeBytes: 100_000 })) };
        });
        assert.deepEqual([found.requests, found.isWhole, found.code], [1, true, "limit"]);
    });

    test("faults have a code", async () => {
        const codes = await opened.page.evaluate(async () => {
            const { VolumeView } = window.volumes;
            const open = (source, options) =>
                VolumeView.open(undefined, undefined, source, { cpu: true, ...options });
            const code = async (source, options) => {
                try {
                    (await open(source, options)).dispose();
                    return "none";
                } catch (error) {
                    return typeof error.code === "string" ? error.code : error.name;
                }
            };
            return {
                missing: await code("/volumes/missing.bwv"),
                damaged: await code("/volumes/damaged.bwv"),
                text: await code("/volumes/text.bwv"),
                empty: await code(new Blob([])),
                small: await code("/volumes/atlas.bwv", { maxBytes: 100 }),
                level: await code("/volumes/atlas.bwv", { level: 9 }),
                aborted: await code("/volumes/atlas.bwv", { signal: AbortSignal.abort() }),
            };
        });
        assert.deepEqual(codes, {
            missing: "source",
            damaged: "source",
            text: "source",
            empty: "source",
            small: "limit",
            level: "option",
            aborted: "AbortError",
        });
    });

    test("a lost device of the caller is reported, and disposing ends calls", async () => {
        const found = await opened.page.evaluate(async () => {
            const { VolumeView } = window.volumes;
            const adapter = await navigator.gpu.requestAdapter();
            const device = await adapter.requestDevice();
            const size = { width: 8, height: 4 };
            const view = await VolumeView.open(device, undefined, "/volumes/u16.bwv");
            await view.render(size);
            device.destroy();
            await device.lost;
            const lost = await view.render(size).catch((error) => error.code);
            const rendering = view.render(size).catch((error) => error.code);
            view.dispose();
            return [lost, await rendering, await view.slice().catch((error) => error.code)];
        });
        assert.deepEqual(found, ["device-lost", "disposed", "disposed"]);
    });

    test("a texture is drawn on, and a later picture replaces an earlier one", async () => {
        const found = await opened.page.evaluate(async () => {
            const { VolumeView } = window.volumes;
            const adapter = await navigator.gpu.requestAdapter();
            const device = await adapter.requestDevice();
            const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
            const target = device.createTexture({ size: [64, 8], format: "rgba8unorm", usage });
            const view = await VolumeView.open(device, target, "/volumes/u16.bwv");
            const drawn = await Promise.all([view.draw(), view.draw()]);
            const { pixels } = await view.render({ width: 64, height: 8 });
            const buffer = device.createBuffer({ size: 2048, usage: 9 });
            const encoder = device.createCommandEncoder();
            encoder.copyTextureToBuffer({ texture: target }, { buffer, bytesPerRow: 256 }, [64, 8]);
            device.queue.submit([encoder.finish()]);
            await buffer.mapAsync(GPUMapMode.READ);
            const shown = new Uint8Array(buffer.getMappedRange());
            const differing = pixels.filter((value, i) => value !== shown[i]).length;
            view.dispose();
            // The caller's device and texture still work.
            device.queue.writeBuffer(device.createBuffer({ size: 4, usage: 8 }), 0, new Uint8Array(4));
            return { drawn, differing };
        });
        assert.deepEqual(found, { drawn: [false, true], differing: 0 });
    });
});
