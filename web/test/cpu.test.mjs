// The CPU's encoders as WebAssembly: blocks of every format against the native program's, in Node.js and in
// Chromium's worker; decoded textures against what a GPU samples; errors, aborted calls and traps.
//
// Environment: LARGE=1 runs every quality.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as vite from "vite";
import { defineNumbers, files, openPage } from "./browser.mjs";
import { filtered, halves, halvesDds, normals, png, texels } from "./images.mjs";
import { encoded, noProgram } from "./native.mjs";
import { stubModule } from "./stub.mjs";

const FOLDER = fileURLToPath(new URL("../dist/cpu/", import.meta.url));
const skip = existsSync(`${FOLDER}/brickwork.wasm`)
    ? false
    : "dist/ has no modules of ./cpu (npm run build -- --no-cpu)";
if (skip) console.log(`# skipped: ${skip}`);

const SIZES = [
    [64, 64],
    [101, 67],
];
const COLORS = ["bc1", "bc2", "bc3", "bc7"];
const FORMATS = [...COLORS, "bc4", "bc4s", "bc5", "bc5s", "bc6h", "bc6hs"];
/** Formats of phones, and the program's names. */
const PHONES = {
    "etc2-rgb8": "etc2",
    "etc2-rgb8a1": "etc2-a1",
    "etc2-rgba8": "etc2-a8",
    "eac-r11": "eac-r11",
    "eac-r11s": "eac-r11s",
    "eac-rg11": "eac-rg11",
    "eac-rg11s": "eac-rg11s",
    "astc-4x4": "astc",
};
const QUALITIES = ["fast", "normal", ...(process.env.LARGE === "1" ? ["ultrafast", "high", "best"] : [])];
const DDS_HEADER = 148;

/** Returns the files of a page that Vite bundles with its default settings for workers. */
async function bundle() {
    const root = fileURLToPath(new URL("../dist/cpu", import.meta.url));
    const options = {
        input: { page: join(root, "index.js") },
        preserveEntrySignatures: "strict",
        output: { entryFileNames: "[name].js" },
    };
    const base = "/bundle/";
    const build = { write: false, minify: false, assetsInlineLimit: 0, rollupOptions: options };
    const { output } = await vite.build({ root, base, configFile: false, logLevel: "error", build });
    return output;
}

/** Returns the native program's blocks, without the file's header. */
async function nativeBlocks(image, name, { format, quality, extra = [] }) {
    const speed = quality.startsWith("real-time")
        ? ["--real-time", quality.slice(-1)]
        : ["--quality", quality];
    const space = COLORS.includes(format) ? "--srgb" : "--linear";
    const spaces = extra.includes("--normal") ? [] : [space];
    const file = await encoded(name, image, ["--format", format, ...speed, ...spaces, ...extra]);
    return file.subarray(DDS_HEADER);
}

function assertSame(found, expected) {
    assert.equal(found.length, expected.length);
    const differing = found.reduce((count, byte, i) => count + (byte === expected[i] ? 0 : 1), 0);
    assert.equal(differing, 0, `${differing} of ${expected.length} bytes differ`);
}

function* cases() {
    for (const format of FORMATS) {
        for (const quality of [...QUALITIES, "real-time-1", "real-time-2", "real-time-3"]) {
            for (const size of SIZES) {
                yield { format, quality, size, hasAlpha: false };
                if (COLORS.includes(format) && size[0] === 101) {
                    yield { format, quality, size, hasAlpha: true };
                }
            }
        }
    }
}

describe("in Node.js", { skip }, () => {
    let cpu, bc6h, bc7, etc, astc, jobs, settingsOf, fullMipCount;
    before(async () => {
        const { CpuModule } = await import("../dist/cpu/module.js");
        jobs = {
            ...(await import("../dist/cpu/jobs.js")),
            ...(await import("../dist/cpu/numbers.js")),
        };
        ({ settingsOf } = await import("../dist/options.js"));
        ({ fullMipCount } = await import("../dist/mips.js"));
        const load = async (file) =>
            CpuModule.create(await WebAssembly.compile(await readFile(`${FOLDER}/${file}`)));
        cpu = await load("brickwork.wasm");
        [bc6h, bc7] = [await load("brickwork-bc6h.wasm"), await load("brickwork-bc7.wasm")];
        [etc, astc] = [await load("brickwork-etc.wasm"), await load("brickwork-astc.wasm")];
    });
    const moduleOf = (format) => {
        if (/^(etc2|eac)/.test(format)) return etc;
        return { bc6h, bc6hs: bc6h, bc7, "astc-4x4": astc }[format] ?? cpu;
    };
    const encode = (bytes, texelFormat, options, size, mipLevels = 1) => {
        const numbers = jobs.encodeNumbers(settingsOf(options), mipLevels, size);
        return moduleOf(options.format).encode(numbers, jobs.texelsFlag(texelFormat), bytes);
    };
    const decode = (blocks, texelFormat, format, size) =>
        moduleOf(format).decode(jobs.formatNumber(format), jobs.texelsFlag(texelFormat), ...size, blocks);

    for (const { format, quality, size, hasAlpha } of cases()) {
        const [width, height] = size;
        const name = `${format} ${quality} ${width}×${height}${hasAlpha ? " alpha" : ""}`;
        test(name, { skip: noProgram }, async () => {
            const alpha = hasAlpha ? "straight" : "opaque";
            if (format.startsWith("bc6h")) {
                const patterns = halves(width, height, format === "bc6hs");
                const dds = halvesDds(width, height, patterns);
                const expected = await nativeBlocks(dds, "image.dds", { format, quality });
                const bytes = new Uint8Array(patterns.buffer);
                assertSame(encode(bytes, "rgba16float", { format, quality, alpha }, size), expected);
            } else {
                const rgba = texels(width, height, hasAlpha);
                const image = png(width, height, rgba, hasAlpha);
                const expected = await nativeBlocks(image, "image.png", { format, quality });
                assertSame(encode(rgba, "rgba8unorm", { format, quality, alpha }, size), expected);
            }
        });
    }

    for (const [format, name] of Object.entries(PHONES)) {
        test(`${format} in real time is the program's`, { skip: noProgram }, async () => {
            const size = [101, 67];
            const rgba = texels(...size, false);
            const image = png(...size, rgba, false);
            const found = [1, 2].map((level) => {
                const options = { format, quality: `real-time-${level}`, srgb: false, alpha: "opaque" };
                return encode(rgba, "rgba8unorm", options, size);
            });
            for (const level of [1, 2]) {
                const options = ["-f", name, "--real-time", `${level}`, "--linear"];
                const file = await encoded("image.png", image, options, "ktx2");
                assertSame(found[level - 1], file.subarray(-found[level - 1].length));
            }
            const defaults = encode(rgba, "rgba8unorm", { format, srgb: false, alpha: "opaque" }, size);
            assertSame(defaults, found[1]);
        });
    }

    for (const [filter, size] of [
        ["box", [101, 67]],
        ["triangle", [64, 32]],
        ["kaiser", [101, 67]],
        ["mitchell", [67, 30]],
        ["catmull-rom", [33, 33]],
        ["lanczos3", [101, 67]],
    ]) {
        test(`mip levels by the filter ${filter} are the program's`, { skip: noProgram }, async () => {
            const rgba = texels(...size, true);
            const image = png(...size, rgba, true);
            const format = { format: "bc7", quality: "ultrafast" };
            const extra = ["--mips", "--mip-filter", filter];
            const expected = await nativeBlocks(image, "image.png", { ...format, extra });
            const mips = fullMipCount(size);
            assertSame(encode(rgba, "rgba8unorm", { ...format, mipFilter: filter }, size, mips), expected);
            if (filter === "box") return;
            const box = encode(rgba, "rgba8unorm", format, size, mips);
            assert.ok(Buffer.compare(box, expected) !== 0, "the filter changes nothing");
        });
    }

    test("filters of mip levels have numbers", () => {
        const bytes = texels(8, 8, false);
        const filter = () => settingsOf({ format: "bc1", mipFilter: "nearest" });
        assert.throws(filter, { code: "option", message: /"nearest"; expected box, triangle/ });
        const numbers = jobs.encodeNumbers(settingsOf({ format: "bc1" }), 4, [8, 8]);
        const unknown = { ...numbers, flags: numbers.flags | (6 << 5) };
        assert.throws(() => cpu.encode(unknown, 0, bytes), { code: "option", message: /mip filter .* 6/ });
    });

    for (const filter of ["triangle", "kaiser", "mitchell", "catmull-rom", "lanczos3"]) {
        test(`the weights of the filter ${filter} are the module's`, async () => {
            const { axisOf, firstOf } = await import("../dist/weights.js");
            for (const size of [
                [64, 48],
                [101, 67],
                [3, 35],
                [1, 7],
            ]) {
                const rgba = texels(...size, false);
                const next = size.map((side) => Math.max(1, side >> 1));
                const level = filtered(rgba, size, next, (a) => axisOf(size[a], next[a], filter), firstOf);
                const options = { format: "bc7", quality: "real-time-2", srgb: false, alpha: "opaque" };
                const expected = encode(level, "rgba8unorm", options, next);
                const found = encode(rgba, "rgba8unorm", { ...options, mipFilter: filter }, size, 2);
                assertSame(found.subarray(found.length - expected.length), expected);
            }
        });
    }

    for (const { format, quality, hasBlue, mips } of [
        { format: "bc5", quality: "fast", hasBlue: true, mips: true },
        { format: "bc5s", quality: "ultrafast", hasBlue: false, mips: true },
        { format: "bc7", quality: "ultrafast", hasBlue: false, mips: false },
        { format: "bc7", quality: "ultrafast", hasBlue: true, mips: true },
    ]) {
        const name = `a normal map ${hasBlue ? "with" : "without"} z, ${mips ? "with" : "without"} mip levels`;
        test(`${format}: ${name}, is the program's`, { skip: noProgram }, async () => {
            const size = [101, 67];
            const rgba = normals(...size, hasBlue);
            const extra = ["--normal", ...(mips ? ["--mips", "--mip-filter", "box"] : [])];
            const image = png(...size, rgba, false);
            const expected = await nativeBlocks(image, "image.png", { format, quality, extra });
            const options = { format, quality, alpha: "opaque", normal: true };
            const count = mips ? fullMipCount(size) : 1;
            assertSame(encode(rgba, "rgba8unorm", options, size, count), expected);
            const data = encode(rgba, "rgba8unorm", { ...options, normal: false, srgb: false }, size, count);
            assert.ok(Buffer.compare(data, expected) !== 0, "the option changes nothing");
        });
    }

    test("normal maps have formats of their own, and are not sRGB", () => {
        assert.throws(() => settingsOf({ format: "bc3", normal: true }), {
            code: "option",
            message: /bc3 .* expected bc5, bc5s, bc7/,
        });
        assert.throws(() => settingsOf({ format: "bc7", normal: true, srgb: true }), { code: "option" });
        assert.equal(settingsOf({ format: "bc7", normal: true }).srgb, false);
        assert.equal(settingsOf({ format: "bc7" }).srgb, true);
    });

    test("opaque ignores alpha", () => {
        const size = [64, 64];
        const [opaque, transparent] = [texels(...size, false), texels(...size, false)];
        for (let i = 3; i < transparent.length; i += 4) transparent[i] = i & 255;
        for (const format of ["bc1", "bc7"]) {
            const options = { format, alpha: "opaque" };
            const expected = encode(opaque, "rgba8unorm", options, size);
            assertSame(encode(transparent, "rgba8unorm", options, size), expected);
        }
    });

    test("blocks decode to their texels", () => {
        const size = [101, 67];
        const rgba = texels(...size, true);
        const blocks = encode(rgba, "rgba8unorm", { format: "bc7", quality: "fast" }, size);
        const decoded = decode(blocks, "rgba8unorm", "bc7", size);
        assert.equal(decoded.length, rgba.length);
        const squares = decoded.reduce((sum, byte, i) => sum + (byte - rgba[i]) ** 2, 0);
        assert.ok(squares / rgba.length < 200, `MSE ${squares / rgba.length}`);
    });

    test("half floats keep large and negative numbers", () => {
        const size = [64, 64];
        const patterns = halves(...size, false);
        const bytes = new Uint8Array(patterns.buffer);
        const blocks = encode(bytes, "rgba16float", { format: "bc6h", quality: "fast" }, size);
        // Patterns of positive numbers have the order of the numbers.
        const brightest = (numbers) =>
            numbers.reduce((most, number, i) => (i % 4 < 3 ? Math.max(most, number) : most), 0);
        const decoded = new Uint16Array(decode(blocks, "rgba16float", "bc6h", size).buffer);
        const [found, expected] = [brightest(decoded), brightest(patterns)];
        assert.ok(Math.abs(found - expected) < 512, `${found} instead of ${expected}`);
        assert.equal(brightest(decode(blocks, "rgba8unorm", "bc6h", size)), 255);
        const red = (byte) => {
            const blocks = encode(new Uint8Array(64).fill(byte), "rgba8unorm", { format: "bc4s" }, [4, 4]);
            return [...new Uint16Array(decode(blocks, "rgba16float", "bc4s", [4, 4]).buffer).subarray(0, 4)];
        };
        // −1 and 1.
        assert.deepEqual(red(0), [0xbc00, 0, 0, 0x3c00]);
        assert.deepEqual(red(255), [0x3c00, 0, 0, 0x3c00]);
        // The half float nearest to 1/127.
        const small = decode(new Uint8Array([1, 0, 0, 0, 0, 0, 0, 0]), "rgba16float", "bc4s", [4, 4]);
        assert.equal(new Uint16Array(small.buffer)[0], 0x2008);
    });

    test("each module has its formats, and refuses others by name", () => {
        const phones = "etc2-rgb8 etc2-rgb8a1 etc2-rgba8 eac-r11 eac-r11s eac-rg11 eac-rg11s";
        const modules = {
            "bc1 bc2 bc3 bc4 bc4s bc5 bc5s": cpu,
            "bc6h bc6hs": bc6h,
            bc7,
            [phones]: etc,
            "astc-4x4": astc,
        };
        for (const [names, module] of Object.entries(modules)) {
            for (const format of [...FORMATS, ...phones.split(" "), "astc-4x4"]) {
                const numbers = jobs.encodeNumbers(settingsOf({ format, quality: "fast" }), 1, [4, 4]);
                const call = () => module.encode(numbers, 0, new Uint8Array(64));
                if (names.split(" ").includes(format)) assert.ok(call().length >= 8);
                else assert.throws(call, { code: "option", message: /no codec of (bc|e|astc)/ });
            }
        }
    });

    test("errors have codes and texts", () => {
        const short = () => encode(new Uint8Array(12), "rgba8unorm", { format: "bc1" }, [4, 4]);
        assert.throws(short, { code: "option", message: /64 bytes .* 12 / });
        assert.throws(() => cpu.decode(99, 0, 4, 4, new Uint8Array(8)), { code: "option" });
        assert.throws(() => cpu.decode(0, 2, 4, 4, new Uint8Array(8)), { code: "option" });
        const levels = () => encode(new Uint8Array(64), "rgba8unorm", { format: "bc1" }, [4, 4], 9);
        assert.throws(levels, { code: "option" });
        const real = () => settingsOf({ format: "bc6h", quality: "real-time-4" });
        assert.throws(() => jobs.encodeNumbers(real(), 1, [4, 4]), { code: "option" });
        assert.equal(encode(new Uint8Array(64), "rgba8unorm", { format: "bc1" }, [4, 4]).length, 8);
    });
});

describe("in Chromium", () => {
    let opened, page;
    before(async () => {
        files.set("/stub.wasm", Buffer.from(stubModule()));
        // (Without WebGPU. WebGL reads bitmaps.)
        opened = await openPage({ webgpu: false, canvases: true });
        page = opened.page;
        await page.evaluate(async () => {
            window.cpu = await import("/dist/cpu/index.js");
            window.stub = new window.cpu.CpuEncoder({ wasm: "/stub.wasm", wasmBc7: "/stub.wasm" });
            window.image = { data: new Uint8Array(64).fill(65), width: 4, height: 4 };
        });
    });
    after(() => opened?.close());

    test("a file with alpha", { skip: skip || noProgram }, async () => {
        const size = [101, 67];
        const image = png(...size, texels(...size, true), true);
        files.set("/alpha.png", image);
        for (const format of ["bc1", "bc7"]) {
            const expected = await nativeBlocks(image, "image.png", { format, quality: "normal" });
            const found = await page.evaluate(async (format) => {
                const encoder = new window.cpu.CpuEncoder();
                const blocks = await encoder.encodeBlocks("/alpha.png", { format, quality: "normal" });
                encoder.dispose();
                return window.toBase64(blocks);
            }, format);
            assertSame(Buffer.from(found, "base64"), expected);
        }
    });

    test("texels, bitmaps and canvases give the same blocks", { skip }, async () => {
        const counts = await page.evaluate(async () => {
            const encoder = new window.cpu.CpuEncoder();
            const canvas = new OffscreenCanvas(20, 12);
            const context = canvas.getContext("2d");
            context.fillStyle = "#3478a0";
            context.fillRect(0, 0, 20, 12);
            context.fillStyle = "#f0c010";
            context.fillRect(3, 5, 9, 4);
            const data = context.getImageData(0, 0, 20, 12);
            const bitmap = await createImageBitmap(canvas);
            const blob = await canvas.convertToBlob();
            const options = { format: "bc3", mips: true };
            const all = await Promise.all(
                [data, canvas, bitmap, blob].map((source) => encoder.encodeBlocks(source, options)),
            );
            const decoded = await encoder.decodeBlocks(all[0].subarray(0, 15 * 16), {
                format: "bc3",
                width: 20,
                height: 12,
            });
            encoder.dispose();
            const different = all.filter((blocks) => blocks.some((byte, i) => byte !== all[0][i]));
            return [different.length, all[0].length, decoded.length, bitmap.width];
        });
        // 5×3, 3×2, 2×1, 1×1 and 1×1 blocks. The caller's bitmap is still open.
        assert.deepEqual(counts, [0, 16 * (15 + 6 + 2 + 1 + 1), 4 * 20 * 12, 20]);
    });

    test("Vite bundles the worker and the module", { skip }, async () => {
        const output = await bundle();
        for (const { fileName, code, source } of output) {
            files.set(`/bundle/${fileName}`, Buffer.from(code ?? source));
        }
        assert.ok(output.some(({ fileName }) => /worker.*\.js$/.test(fileName)));
        const modules = output.filter(({ fileName }) => fileName.endsWith(".wasm"));
        assert.equal(modules.length, 5);
        const hasBlocks = await page.evaluate(async () => {
            const { CpuEncoder } = await import("/bundle/page.js");
            const encoder = new CpuEncoder();
            const blocks = await encoder.encodeBlocks(window.image, { format: "bc1" });
            encoder.dispose();
            return blocks.length > 0;
        });
        assert.equal(hasBlocks, true);
    });

    const codes = (options) =>
        page.evaluate(
            (options) => window.codeOf(() => window.stub.encodeBlocks(window.image, options)),
            options,
        );

    test("errors and traps have codes, and the next call works", async () => {
        assert.equal(await codes({ format: "bc1" }), "none");
        assert.equal(await codes({ format: "bc2" }), "option");
        assert.equal(await codes({ format: "bc3" }), "cpu");
        assert.equal(await codes({ format: "bc1" }), "none");
        assert.equal(await codes({ format: "bc6h", quality: "real-time-4" }), "option");
        assert.equal(await codes({ format: "bc9" }), "option");
        const found = await page.evaluate(async () => {
            const { codeOf, cpu, stub, image } = window;
            const size = await codeOf(() => stub.encodeBlocks({ ...image, width: 5 }, { format: "bc1" }));
            const missing = new cpu.CpuEncoder({ wasm: "/missing.wasm" });
            const broken = new cpu.CpuEncoder({ wasm: "/dist/index.js" });
            return [
                size,
                await codeOf(() => missing.encodeBlocks(image, { format: "bc1" })),
                await codeOf(() => broken.encodeBlocks(image, { format: "bc1" })),
                await codeOf(() => stub.encodeBlocks("/missing.png", { format: "bc1" })),
                await codeOf(() =>
                    stub.decodeBlocks(new Uint8Array(9), { format: "bc1", width: 4, height: 4 }),
                ),
            ];
        });
        assert.deepEqual(found, ["size", "cpu", "cpu", "source", "size"]);
    });

    test("signals end running and waiting calls, and dispose ends all", { timeout: 30_000 }, async () => {
        const found = await page.evaluate(async () => {
            const { stub, image } = window;
            const settled = (call) =>
                call.then(
                    () => "done",
                    (error) => error.code ?? error.message ?? error,
                );
            const encode = (format, signal) => stub.encodeBlocks(image, { format, signal });
            const [running, waiting] = [new AbortController(), new AbortController()];
            const calls = [
                encode("bc7", running.signal),
                encode("bc1"),
                encode("bc1", waiting.signal),
                encode("bc1"),
            ].map(settled);
            await new Promise((resolve) => setTimeout(resolve, 100));
            waiting.abort("waiting");
            const second = await calls[2];
            running.abort("running");
            const results = [second, ...(await Promise.all(calls))];
            const before = settled(encode("bc1", AbortSignal.abort("before")));
            const last = [settled(encode("bc7")), settled(encode("bc1"))];
            await new Promise((resolve) => setTimeout(resolve, 100));
            stub.dispose();
            results.push(await before, ...(await Promise.all(last)), await settled(encode("bc1")));
            return results;
        });
        const all = ["waiting", "running", "done", "waiting", "done"];
        assert.deepEqual(found, [...all, "before", "disposed", "disposed", "disposed"]);
    });
});

describe("on a device without BC", { skip }, () => {
    const [WIDTH, HEIGHT] = [64, 48];
    let opened, page;
    before(async () => {
        opened = await openPage();
        page = opened.page;
        await page.evaluate(defineNumbers);
        await page.evaluate(prepareDecoding);
    });
    after(() => opened?.close());

    // Largest difference from the numbers that SwiftShader samples. It rounds BC1 and BC5 in its own way.
    const SAMPLED = [
        ["bc1", "--linear", "rgba8unorm", 3 / 255],
        ["bc5s", "--linear", "rgba16float", 2 / 127],
        ["bc6h", "--linear", "rgba16float", 0.002],
        ["bc7", "--srgb", "rgba8unorm-srgb", 0.002],
    ];
    for (const [format, space, expected, most] of SAMPLED) {
        test(`files of ${format} become textures with the same numbers`, { skip: noProgram }, async () => {
            const hasHalves = format === "bc6h";
            const contents = hasHalves
                ? halvesDds(WIDTH, HEIGHT, halves(WIDTH, HEIGHT, false))
                : png(WIDTH, HEIGHT, texels(WIDTH, HEIGHT, true), true);
            const options = ["--format", format, "--quality", "ultrafast", space, "--mips"];
            const name = hasHalves ? "image.dds" : "image.png";
            files.set("/file.ktx2", await encoded(name, contents, options, "ktx2"));
            const found = await page.evaluate(async () => {
                const { bare, decoder, encoder, numbers } = window;
                const withoutBc = await window.brickwork.Brickwork.create(bare);
                const { decodedFrom } = await withoutBc.loadTexture("/file.ktx2");
                const sampled = (await encoder.loadTexture("/file.ktx2")).texture;
                const { texture, size, uvScale } = await decoder.loadTexture(bare, "/file.ktx2");
                let largest = 0;
                for (let level = 0; level < texture.mipLevelCount; level++) {
                    const a = await numbers(await encoder.device(), sampled, level);
                    const b = await numbers(bare, texture, level);
                    a.forEach((number, i) => {
                        const difference = Math.abs(number - b[i]) / Math.max(1, Math.abs(number));
                        largest = Math.max(largest, difference);
                    });
                }
                const { format, mipLevelCount } = texture;
                return { decodedFrom, format, mipLevelCount, size, uvScale, largest };
            });
            const { largest, ...facts } = found;
            assert.ok(largest <= most, `a difference of ${largest}`);
            const size = [WIDTH, HEIGHT];
            const texture = { format: expected, mipLevelCount: 7, size, uvScale: [1, 1] };
            assert.deepEqual(facts, { decodedFrom: format, ...texture });
        });
    }

    test("blocks of an image and its mip levels become a texture", async () => {
        const found = await page.evaluate(async () => {
            const { bare, codeOf, decoder, numbers } = window;
            const size = { width: 30, height: 18 };
            const data = Uint8Array.from({ length: 4 * 30 * 18 }, (_, i) => (i * 37) & 255);
            const options = { format: "bc3", srgb: false, mips: 2 };
            const blocks = await decoder.encodeBlocks({ data, ...size }, { ...options, quality: "fast" });
            const texture = (more, on = bare) =>
                decoder.decodeTexture(on, blocks, { ...options, ...size, ...more });
            const made = (await texture({})).texture;
            // The second level of 4×3 blocks.
            const second = { format: "bc3", width: 15, height: 9 };
            const expected = await decoder.decodeBlocks(blocks.subarray(-16 * 4 * 3), second);
            const read = (await numbers(bare, made, 1)).map((number) => Math.round(255 * number));
            const lost = await (await navigator.gpu.requestAdapter()).requestDevice();
            lost.destroy();
            await lost.lost;
            return {
                format: made.format,
                same: read.length === expected.length && read.every((byte, i) => byte === expected[i]),
                isVaried: new Set(expected).size > 9,
                levels: await codeOf(() => texture({ mips: 3 })),
                width: await codeOf(() => texture({ width: 0 })),
                unknown: await codeOf(() => texture({ format: "bc9" })),
                lost: await codeOf(() => texture({}, lost)),
                aborted: await codeOf(() => texture({ signal: AbortSignal.abort(new Error("stop")) })),
                texels: await codeOf(() =>
                    decoder.decodeBlocks(blocks.subarray(-16 * 4 * 3), { ...second, texels: "rgba32float" }),
                ),
            };
        });
        assert.deepEqual(found, {
            format: "rgba8unorm",
            same: true,
            isVaried: true,
            levels: "size",
            width: "size",
            unknown: "option",
            lost: "device-lost",
            aborted: "Error: stop",
            texels: "option",
        });
    });
});

// Runs in the page.
async function prepareDecoding() {
    const { CpuEncoder } = await import("/dist/cpu/index.js");
    window.decoder = new CpuEncoder();
    window.encoder = await window.brickwork.Brickwork.create();
    window.bare = await (await navigator.gpu.requestAdapter()).requestDevice();
}
