// Formats by the device's features: the choice, the encoders of the CPU, files, and the cache.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { defineNumbers, files, openPage, requests } from "./browser.mjs";
import { png, texels } from "./images.mjs";
import { MOBILE, assembled, decoded, encoded, noProgram } from "./native.mjs";

const ASTC = fileURLToPath(new URL("../dist/cpu/brickwork-astc.wasm", import.meta.url));
const skip = existsSync(ASTC) ? false : "dist/ has no modules of ./cpu (npm run build -- --no-cpu)";

const SIZE = [64, 48];
const image = png(...SIZE, texels(...SIZE, true), true);

/** Runs in a page: defines `encoderWith`, `bytesOf` and `expectedBytes`. */
function prepareTexels() {
    window.encoderWith = async (families, options) => {
        const adapter = await navigator.gpu.requestAdapter();
        const requiredFeatures = families.map((family) => `texture-compression-${family}`);
        return window.brickwork.Brickwork.create(await adapter.requestDevice({ requiredFeatures }), options);
    };
    const srgb = (x) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
    // Texels of 8 bits that shaders read. Those of sRGB and of signed formats are as in image files.
    window.bytesOf = async (device, texture, isSigned = false, level = 0) => {
        const numbers = await window.numbers(device, texture, level);
        const isSrgb = texture.format.endsWith("-srgb");
        return Array.from(numbers, (x, i) => {
            if (isSigned && i % 4 < 3) return 127.5 + 127.5 * x;
            return 255 * (isSrgb && i % 4 < 3 ? srgb(x) : x);
        });
    };
    window.expectedBytes = async (device, url) => {
        const plain = { colorSpaceConversion: "none", premultiplyAlpha: "none" };
        const source = await createImageBitmap(await (await fetch(url)).blob(), plain);
        const { TEXTURE_BINDING, COPY_DST, RENDER_ATTACHMENT } = GPUTextureUsage;
        const usage = TEXTURE_BINDING | COPY_DST | RENDER_ATTACHMENT;
        const size = [source.width, source.height];
        const texture = device.createTexture({ size, format: "rgba8unorm", usage });
        device.queue.copyExternalImageToTexture({ source }, { texture }, size);
        return window.bytesOf(device, texture);
    };
    // The largest difference of the first channels.
    window.largest = (a, b, channels = 4) =>
        a.length === b.length
            ? a.reduce((most, x, i) => (i % 4 < channels ? Math.max(most, Math.abs(x - b[i])) : most), 0)
            : Infinity;
}

let opened;
before(async () => {
    files.set("/formats.png", image);
    opened = await openPage();
    await opened.page.evaluate(defineNumbers);
    await opened.page.evaluate(prepareTexels);
});
after(() => opened?.close());

const inPage = (call, argument) => opened.page.evaluate(call, argument);

describe("automatic formats", { skip }, () => {
    for (const [families, alpha, expected, squares] of [
        [["bc", "astc", "etc2"], "straight", "bc7-rgba-unorm-srgb", 60],
        [["astc", "etc2"], "straight", "astc-4x4-unorm-srgb", 30],
        [["etc2"], "straight", "etc2-rgba8unorm-srgb", 200],
        [["etc2"], "opaque", "etc2-rgb8unorm-srgb", 200],
        [[], "straight", "rgba8unorm-srgb", 0.1],
    ]) {
        test(`${families.join(", ") || "none"}, ${alpha}: ${expected}`, async () => {
            const found = await inPage(
                async ([families, alpha]) => {
                    const encoder = await window.encoderWith(families);
                    const device = await encoder.device();
                    const faults = [];
                    device.addEventListener("uncapturederror", ({ error }) => faults.push(error.message));
                    const options = { mips: true, alpha };
                    const { texture } = await encoder.encodeTexture("/formats.png", options);
                    const original = await window.expectedBytes(device, "/formats.png");
                    const bytes = await window.bytesOf(device, texture);
                    const channels = alpha === "opaque" ? 3 : 4;
                    const differences = bytes.map((x, i) => (i % 4 < channels ? (x - original[i]) ** 2 : 0));
                    const squares = differences.reduce((a, b) => a + b) / differences.length;
                    const last = await window.bytesOf(device, texture, false, 6);
                    await device.queue.onSubmittedWorkDone();
                    const { format, mipLevelCount } = texture;
                    return { format, mipLevelCount, squares, last, faults };
                },
                [families, alpha],
            );
            assert.deepEqual([found.format, found.mipLevelCount, found.faults], [expected, 7, []]);
            assert.ok(found.squares <= squares, `MSE ${found.squares}`);
            // The mean of all texels, by their alpha.
            assert.equal(found.last.length, 4);
            if (alpha === "straight") {
                const mean = [113, 118, 96, 215];
                found.last.forEach((x, i) => assert.ok(Math.abs(x - mean[i]) < 25, `${found.last}`));
            }
        });
    }

    test("options that the device cannot follow", async () => {
        const found = await inPage(async () => {
            const bare = await window.encoderWith([]);
            const phone = await window.encoderWith(["astc"]);
            const format = async (encoder, options) =>
                (await encoder.encodeTexture("/formats.png", options)).texture.format;
            return {
                missing: await window.codeOf(() => format(phone, { format: "bc7" })),
                realTime: await format(phone, { quality: "real-time-2" }),
                realTimeAstc: await format(phone, { format: "astc-4x4", quality: "real-time-1" }),
                normal: await format(phone, { normal: true }),
                plainNormal: await format(bare, { normal: true, mips: true }),
                plain: await format(phone, { format: "rgba8", srgb: false }),
                kernels: await window.codeOf(() => phone.prepare("astc-4x4", "fast")),
                dds: await window.codeOf(() =>
                    phone.encodeFile("/formats.png", { format: "astc-4x4", container: "dds" }),
                ),
            };
        });
        assert.deepEqual(found, {
            missing: "no-format",
            realTime: "astc-4x4-unorm-srgb",
            realTimeAstc: "astc-4x4-unorm-srgb",
            normal: "astc-4x4-unorm",
            plainNormal: "rgba8unorm",
            plain: "rgba8unorm",
            kernels: "option",
            dds: "option",
        });
    });

    test("a module that cannot be loaded leaves an uncompressed texture", async () => {
        const found = await inPage(async () => {
            const encoder = await window.encoderWith(["astc"], { cpu: { wasmAstc: "/nothing.wasm" } });
            const quality = "fast";
            const { texture } = await encoder.encodeTexture("/formats.png", { quality });
            const named = await window.codeOf(() =>
                encoder.encodeTexture("/formats.png", { format: "astc-4x4", quality }),
            );
            return [texture.format, named];
        });
        assert.deepEqual(found, ["rgba8unorm-srgb", "cpu"]);
    });

    test("other sizes are padded, and textures are read back", async () => {
        const source = png(101, 67, texels(101, 67, false), false);
        files.set("/padded.png", source);
        const found = await inPage(async () => {
            const encoder = await window.encoderWith(["astc", "etc2"]);
            const device = await encoder.device();
            const original = await window.expectedBytes(device, "/padded.png");
            const plain = await encoder.encodeTexture("/padded.png", { format: "rgba8" });
            const results = [];
            for (const from of ["/padded.png", plain.texture]) {
                const { texture, size, uvScale } = await encoder.encodeTexture(from, { mips: true });
                const bytes = await window.bytesOf(device, texture);
                let squares = 0;
                for (let i = 0; i < 4 * 101 * 67; i++) {
                    const [x, y, c] = [(i >> 2) % 101, Math.floor((i >> 2) / 101), i & 3];
                    squares += (bytes[4 * (y * 104 + x) + c] - original[i]) ** 2;
                }
                const mse = squares / original.length;
                results.push([texture.width, texture.height, texture.mipLevelCount, size, uvScale, mse]);
            }
            const refused = await window.codeOf(() =>
                encoder.encodeTexture("/padded.png", { onUnaligned: "error" }),
            );
            return { results, refused };
        });
        const [first, second] = found.results;
        assert.deepEqual(first, second);
        assert.deepEqual(first.slice(0, 5), [104, 68, 7, [101, 67], [101 / 104, 67 / 68]]);
        assert.ok(first[5] < 40, `MSE ${first[5]}`);
        assert.equal(found.refused, "size");
    });
});

describe("formats of phones", { skip: skip || noProgram }, () => {
    for (const [format, name] of Object.entries(MOBILE)) {
        test(`files of ${format} are the program's, and are shown as it decodes them`, async () => {
            const isSigned = format.endsWith("s");
            const expected = await encoded(
                "a.png",
                image,
                ["-f", name, "-q", "fast", "--linear", "--mips", "--mip-filter", "box"],
                "ktx2",
            );
            files.set("/decoded.png", await decoded("a.ktx2", expected));
            files.set("/phone.ktx2", expected);
            const channels = /11s?$/.test(format) ? (format.includes("rg") ? 2 : 1) : 4;
            const found = await inPage(
                async ([format, isSigned, channels]) => {
                    const phone = await window.encoderWith(["astc", "etc2"]);
                    const bare = await window.encoderWith([]);
                    const options = { format, quality: "fast", srgb: false, mips: true, container: "ktx2" };
                    const file = await phone.encodeFile("/formats.png", options);
                    const result = { file: window.toBase64(new Uint8Array(await file.arrayBuffer())) };
                    for (const [name, encoder] of Object.entries({ phone, bare })) {
                        const device = await encoder.device();
                        const { texture } = await encoder.loadTexture("/phone.ktx2");
                        const bytes = await window.bytesOf(device, texture, isSigned);
                        const expected = await window.expectedBytes(device, "/decoded.png");
                        result[name] = [texture.format, window.largest(bytes, expected, channels)];
                    }
                    return result;
                },
                [format, isSigned, channels],
            );
            assert.deepEqual(Buffer.from(found.file, "base64"), expected);
            assert.match(found.phone[0], new RegExp(`^${format.replace(/s$/, "").replace("-", ".")}`));
            assert.equal(found.bare[0], isSigned ? "rgba16float" : "rgba8unorm");
            // (Numbers of 11 bits are not rounded, and GPUs may round those of ASTC in another way.)
            for (const [, difference] of [found.phone, found.bare]) {
                assert.ok(difference <= 1.01, `a difference of ${difference}`);
            }
        });
    }

    test("sRGB of ASTC is shown as the program decodes it", async () => {
        const file = await encoded("a.png", image, ["-f", "astc", "-q", "fast", "--srgb"], "ktx2");
        files.set("/decoded.png", await decoded("a.ktx2", file));
        files.set("/phone.ktx2", file);
        const found = await inPage(async () => {
            const results = [];
            for (const families of [["astc"], []]) {
                const encoder = await window.encoderWith(families);
                const device = await encoder.device();
                const { texture } = await encoder.loadTexture("/phone.ktx2");
                const expected = await window.expectedBytes(device, "/decoded.png");
                const bytes = await window.bytesOf(device, texture);
                results.push([texture.format, window.largest(bytes, expected)]);
            }
            return results;
        });
        assert.deepEqual(
            found.map(([format]) => format),
            ["astc-4x4-unorm-srgb", "rgba8unorm-srgb"],
        );
        for (const [, difference] of found) assert.ok(difference <= 1.1, `a difference of ${difference}`);
    });
});

test("KTX2 files with Zstandard are loaded", { skip: noProgram }, async () => {
    const options = ["-f", "bc7", "-q", "ultrafast", "--srgb", "--mips"];
    files.set("/plain.ktx2", await encoded("a.png", image, options, "ktx2"));
    for (const level of [1, 9, 19]) {
        files.set("/zstd.ktx2", await encoded("a.png", image, [...options, `--zstd=${level}`], "ktx2"));
        const found = await inPage(async () => {
            const encoder = await window.encoderWith(["bc"]);
            const device = await encoder.device();
            const [plain, zstd] = [
                await encoder.loadTexture("/plain.ktx2"),
                await encoder.loadTexture("/zstd.ktx2"),
            ];
            const levels = [0, 1, 2, 3, 4, 5, 6];
            const differences = [];
            for (const level of levels) {
                const [a, b] = [
                    await window.bytesOf(device, plain.texture, false, level),
                    await window.bytesOf(device, zstd.texture, false, level),
                ];
                differences.push(window.largest(a, b));
            }
            const file = new Uint8Array(await (await fetch("/zstd.ktx2")).arrayBuffer());
            // The first byte of the largest level.
            file[new DataView(file.buffer).getUint32(80, true)] ^= 1;
            const damaged = await window.codeOf(() => encoder.loadTexture(file));
            return { differences, mips: zstd.texture.mipLevelCount, damaged };
        });
        assert.deepEqual(found, { differences: [0, 0, 0, 0, 0, 0, 0], mips: 7, damaged: "source" });
    }
});

test("sizes that files state are found", async () => {
    const { statedSize } = await import("../dist/header.js");
    const sizeOf = (...bytes) => statedSize(new Blob([Uint8Array.from(bytes)]));
    const ascii = (text) => [...Buffer.from(text, "latin1")];
    assert.deepEqual(await statedSize(new Blob([image])), SIZE);
    const jfif = [0xff, 0xe0, 0, 4, 0, 0];
    const frame = [0xff, 0xc2, 0, 11, 8, 0x12, 0x34, 0x56, 0x78, 1];
    assert.deepEqual(await sizeOf(0xff, 0xd8, ...jfif, 0xff, ...frame), [0x5678, 0x1234]);
    assert.deepEqual(await sizeOf(...ascii("GIF89a"), 1, 2, 3, 4), [0x201, 0x403]);
    const webp = (kind, ...data) => sizeOf(...ascii(`RIFF0000WEBP${kind}0000`), ...data);
    assert.deepEqual(await webp("VP8X", 0, 0, 0, 0, 0xff, 1, 0, 0x0f, 2, 0, 0), [0x200, 0x210]);
    assert.deepEqual(await webp("VP8L", 0x2f, 0xff, 0xc0, 0x01, 0), [256, 8]);
    assert.deepEqual(await webp("VP8 ", 0, 0, 0, 0x9d, 1, 0x2a, 0x40, 0x41, 0x30, 0), [0x140, 0x30]);
    for (const bytes of [[], [0xff, 0xd8], [0xff, 0xd8, ...jfif], ascii("other text")]) {
        assert.equal(await sizeOf(...bytes), undefined);
    }
});

test("errors name files, and large images are not decoded", async () => {
    // Only the header of a PNG file.
    const large = Buffer.from(image.subarray(0, 60));
    large.writeUInt32BE(100_000, 16);
    files.set("/large.png", large);
    files.set("/cut.png", image.subarray(0, 60));
    const found = await inPage(async () => {
        const encoder = await window.encoderWith(["bc", "astc"]);
        const messageOf = async (options, url) =>
            encoder.encodeTexture(url, options).then(
                () => "none",
                ({ code, message }) => `${code}: ${message}`,
            );
        return [
            await messageOf({}, "/large.png"),
            await messageOf({ format: "astc-4x4" }, "/large.png"),
            await messageOf({}, "/cut.png"),
        ];
    });
    assert.match(found[0], /^limit: 100000×48 texels exceed the device's limit of \d+/);
    assert.equal(found[1], found[0]);
    assert.match(found[2], /^source: the browser cannot read \/cut\.png: /);
});

test("a URL is encoded once", async () => {
    files.set("/once.png", image);
    requests.length = 0;
    const found = await inPage(async () => {
        const encoder = await window.encoderWith(["bc"]);
        const device = await encoder.device();
        const options = { mips: true };
        const [a, b] = await Promise.all([
            encoder.encodeTexture("/once.png", options),
            encoder.encodeTexture(new URL("/once.png", location.href), options),
        ]);
        a.texture.destroy();
        const c = await encoder.encodeTexture("/once.png", options);
        const bytes = [await window.bytesOf(device, b.texture), await window.bytesOf(device, c.texture)];
        const same = window.largest(...bytes) === 0 && Math.max(...bytes[0]) > 0;
        return { same, distinct: a.texture !== b.texture && b.texture !== c.texture };
    });
    assert.deepEqual(found, { same: true, distinct: true });
    assert.equal(requests.length, 1);
    const aborted = await inPage(async () => {
        const encoder = await window.encoderWith(["bc"]);
        const controller = new AbortController();
        const calls = [
            encoder.encodeTexture("/once.png", { signal: controller.signal }),
            encoder.encodeTexture("/once.png"),
        ];
        const results = Promise.allSettled(calls);
        controller.abort(new Error("stop"));
        const statuses = (await results).map(({ status }) => status);
        const small = await window.encoderWith(["bc"], { cacheBytes: 100 });
        for (let i = 0; i < 2; i++) await small.encodeTexture("/once.png");
        const none = await window.encoderWith(["bc"], { cacheBytes: 0 });
        for (let i = 0; i < 2; i++) await none.encodeTexture("/once.png");
        const failing = [];
        for (let i = 0; i < 2; i++) {
            failing.push(await window.codeOf(() => small.encodeTexture("/missing.png")));
        }
        return [...statuses, ...failing];
    });
    assert.deepEqual(aborted, ["rejected", "fulfilled", "source", "source"]);
    // One for both calls, and two for each encoder without room.
    assert.equal(requests.length, 1 + 1 + 4);
});

test("the CPU encodes instead of a software adapter", { skip }, async () => {
    const software = await openPage({ isSoftware: true });
    try {
        const found = await software.page.evaluate(async () => {
            let pipelines = 0;
            const create = GPUDevice.prototype.createComputePipelineAsync;
            GPUDevice.prototype.createComputePipelineAsync = function (...options) {
                pipelines += 1;
                return create.apply(this, options);
            };
            const { Brickwork } = window.brickwork;
            const counts = [];
            const blocks = [];
            for (const options of [{}, { encoder: "cpu" }, { encoder: "gpu" }]) {
                const encoder = await Brickwork.create(undefined, options);
                const { texture } = await encoder.encodeTexture("/formats.png", { mips: true });
                blocks.push([...(await encoder.encodeBlocks("/formats.png", { format: "bc7" }))].join());
                counts.push(texture.format, pipelines > 0);
                pipelines = 0;
            }
            return { counts, same: blocks.every((other) => other === blocks[0]) };
        });
        const bc7 = "bc7-rgba-unorm-srgb";
        assert.deepEqual(found, { counts: [bc7, false, bc7, false, bc7, true], same: true });
    } finally {
        await software.close();
    }
});

test("GPUs encode the formats of phones in real time, with the bytes of the worker", { skip }, async () => {
    const found = await inPage(async (formats) => {
        const phone = await window.encoderWith(["astc", "etc2"]);
        const worker = await window.encoderWith(["astc", "etc2"], { encoder: "cpu" });
        const device = await phone.device();
        const faults = [];
        device.addEventListener("uncapturederror", ({ error }) => faults.push(error.message));
        const results = {};
        const compare = async (name, options) => {
            const [a, b] = [
                await phone.encodeBlocks("/formats.png", options),
                await worker.encodeBlocks("/formats.png", options),
            ];
            const isSame = a.length === b.length && a.every((byte, i) => byte === b[i]);
            results[name] = isSame && a.some((byte) => byte !== a[0]);
        };
        for (const format of formats) await compare(format, { format, mips: true });
        const astc = { format: "astc-4x4", quality: "real-time-1" };
        await compare("linear", { ...astc, srgb: false });
        await compare("normal", { ...astc, normal: true, mips: true });
        // Recorded into a texture of each colour space.
        const source = (await phone.encodeTexture("/formats.png", { format: "rgba8", srgb: false })).texture;
        for (const srgb of [false, true]) {
            const options = { ...astc, srgb };
            const encoded = (await phone.encodeTexture("/formats.png", options)).texture;
            const { width, height, format, usage } = encoded;
            const texture = device.createTexture({ size: [width, height], format, usage });
            const commands = device.createCommandEncoder();
            await phone.record(commands, { texture: source }, { texture }, options);
            device.queue.submit([commands.finish()]);
            const texels = [await window.bytesOf(device, encoded), await window.bytesOf(device, texture)];
            results[`recorded, ${srgb}`] = window.largest(...texels) === 0 && Math.max(...texels[0]) > 0;
        }
        await device.queue.onSubmittedWorkDone();
        return { results, faults };
    }, Object.keys(MOBILE));
    const names = [...Object.keys(MOBILE), "linear", "normal", "recorded, false", "recorded, true"];
    assert.deepEqual(found, { results: Object.fromEntries(names.map((name) => [name, true])), faults: [] });
});

test("several images become layers", async () => {
    const images = [0, 1, 2, 3, 4, 5].map((i) => {
        const bytes = new Uint8Array(4 * 16 * 16);
        for (let at = 0; at < bytes.length; at += 4) bytes.set([40 * i, 255 - 40 * i, 128, 255], at);
        return png(16, 16, bytes, false);
    });
    images.forEach((file, i) => files.set(`/face${i}.png`, file));
    const found = await inPage(async () => {
        const results = [];
        for (const families of [["bc"], []]) {
            const encoder = await window.encoderWith(families);
            const device = await encoder.device();
            const faults = [];
            device.addEventListener("uncapturederror", ({ error }) => faults.push(error.message));
            const urls = [0, 1, 2, 3, 4, 5].map((i) => `/face${i}.png`);
            const { texture, size } = await encoder.encodeTexture(urls, { mips: true, srgb: false });
            texture.createView({ dimension: "cube" });
            const colors = [];
            for (let layer = 0; layer < 6; layer++) {
                const one = await encoder.encodeTexture(urls[layer], { mips: true, srgb: false });
                const commands = device.createCommandEncoder();
                const { usage, format } = texture;
                const copy = device.createTexture({ size: [16, 16], format, usage });
                const from = { texture, origin: [0, 0, layer] };
                commands.copyTextureToTexture(from, { texture: copy }, [16, 16]);
                device.queue.submit([commands.finish()]);
                const bytes = await window.bytesOf(device, copy);
                colors.push(window.largest(bytes, await window.bytesOf(device, one.texture)));
                colors.push(Math.abs(bytes[0] - 40 * layer) < 3);
            }
            const other = await window.codeOf(() => encoder.encodeTexture([urls[0], "/formats.png"]));
            const none = await window.codeOf(() => encoder.encodeTexture([]));
            const { depthOrArrayLayers, mipLevelCount } = texture;
            results.push({ size, depthOrArrayLayers, mipLevelCount, colors, other, none, faults });
        }
        return results;
    });
    const colors = [0, 1, 2, 3, 4, 5].flatMap(() => [0, true]);
    const [other, none] = ["size", "source"];
    const expected = {
        size: [16, 16],
        depthOrArrayLayers: 6,
        mipLevelCount: 5,
        colors,
        other,
        none,
        faults: [],
    };
    assert.deepEqual(found, [expected, expected]);
});

/** Returns a Radiance HDR file; of rows with run lengths by channel, by texel, or without any. */
function hdr(width, height, rows) {
    const body = [];
    for (let y = 0; y < height; y++) {
        const texels = Array.from({ length: width }, (_, x) => [
            (37 * x + 11 * y) & 255,
            Math.min(255, 3 * y),
            x < width / 2 ? 200 : (x * y) & 255,
            110 + ((x + y) % 40),
        ]);
        if (rows === "plain") body.push(...texels.flat());
        else if (rows === "texels") {
            for (let x = 0; x < width; x += 4) body.push(...texels[x].with(0, 9), 1, 1, 1, 3);
        } else {
            body.push(2, 2, width >> 8, width & 255);
            for (let c = 0; c < 4; c++) {
                for (let x = 0; x < width; x += 16) {
                    const part = texels.slice(x, x + 16).map((texel) => texel[c]);
                    if (part.every((value) => value === part[0])) body.push(128 + part.length, part[0]);
                    else body.push(part.length, ...part);
                }
            }
        }
    }
    const header = `#?RADIANCE\nSOFTWARE=test\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`;
    return Buffer.concat([Buffer.from(header), Buffer.from(body)]);
}

for (const rows of ["plain", "texels", "channels"]) {
    test(`HDR files are sources (${rows})`, { skip: skip || noProgram }, async () => {
        const file = hdr(64, 48, rows);
        files.set("/sky.hdr", file);
        const options = ["-f", "bc6h", "-q", "fast", "--linear"];
        const expected = (await encoded("sky.hdr", file, options)).subarray(148);
        const found = await inPage(async () => {
            const encoder = await window.encoderWith(["bc"]);
            const options = { format: "bc6h", quality: "fast" };
            const { CpuEncoder } = await import("/dist/cpu/index.js");
            const cpu = new CpuEncoder();
            const blocks = [
                await encoder.encodeBlocks("/sky.hdr", options),
                await cpu.encodeBlocks("/sky.hdr", options),
            ];
            const { texture } = await encoder.encodeTexture("/sky.hdr", { format: "rgba8", mips: true });
            const file = await (await fetch("/sky.hdr")).blob();
            const cut = await window.codeOf(() => encoder.encodeBlocks(file.slice(0, 200), options));
            const large = new Blob([
                "#?RGBE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 99999\n",
                new Uint8Array(9999),
            ]);
            const limit = await window.codeOf(() => encoder.encodeBlocks(large, options));
            cpu.dispose();
            return { blocks: blocks.map(window.toBase64), format: texture.format, cut, limit };
        });
        const { blocks, ...facts } = found;
        assert.deepEqual(facts, { format: "rgba16float", cut: "source", limit: "limit" });
        for (const text of blocks) assert.deepEqual(Buffer.from(text, "base64"), expected);
    });
}

test("floats become BC6H, or stay floats", { skip }, async () => {
    files.set("/sky.hdr", hdr(64, 48, "plain"));
    const found = await inPage(async () => {
        const results = {};
        const values = Float32Array.from({ length: 4 * 16 * 16 }, (_, i) => (i % 4 === 3 ? 0.5 : 3));
        const floats = { data: values, width: 16, height: 16, format: "rgba32float" };
        for (const families of [["bc"], ["astc", "etc2"], []]) {
            const encoder = await window.encoderWith(families);
            const device = await encoder.device();
            const faults = [];
            device.addEventListener("uncapturederror", ({ error }) => faults.push(error.message));
            const formats = [];
            for (const [source, options] of [
                ["/sky.hdr", {}],
                [await (await fetch("/sky.hdr")).blob(), { srgb: true, quality: "real-time-1", mips: true }],
                [floats, { alpha: "straight" }],
                [floats, { mips: true, alpha: "opaque" }],
            ]) {
                const { texture } = await encoder.encodeTexture(source, options);
                formats.push(texture.format);
                if (source !== floats) continue;
                const last = await window.numbers(device, texture, texture.mipLevelCount - 1);
                formats.push([...last.subarray(0, 4)].join());
            }
            await device.queue.onSubmittedWorkDone();
            results[families.join() || "none"] = [formats, faults];
        }
        return results;
    });
    const [bc, half, float] = ["bc6h-rgb-ufloat", "rgba16float", "rgba32float"];
    const plain = [[half, half, float, "3,3,3,0.5", half, "3,3,3,1"], []];
    assert.deepEqual(found, {
        bc: [[bc, bc, bc, "3,3,3,1", bc, "3,3,3,1"], []],
        "astc,etc2": plain,
        none: plain,
    });
});

test("uncompressed textures have the alpha that the options state", async () => {
    const found = await inPage(async () => {
        const encoder = await window.encoderWith([]);
        const device = await encoder.device();
        const faults = [];
        device.addEventListener("uncapturederror", ({ error }) => faults.push(error.message));
        const results = [];
        for (const options of [{ mips: true }, { srgb: false }, { mips: true, normal: true }]) {
            const bytes = [];
            for (const alpha of ["opaque", "straight"]) {
                const { texture } = await encoder.encodeTexture("/formats.png", { ...options, alpha });
                for (const level of [0, texture.mipLevelCount - 1]) {
                    bytes.push(await window.bytesOf(device, texture, false, level));
                }
            }
            const isOpaque = bytes.map((level) => level.every((x, i) => i % 4 < 3 || x === 255));
            const isSame = window.largest(bytes[0], bytes[2], 3) < 0.01;
            results.push([...isOpaque, isSame]);
        }
        await device.queue.onSubmittedWorkDone();
        return { results, faults };
    });
    const expected = [true, true, false, false, true];
    assert.deepEqual(found, { results: [expected, expected, expected], faults: [] });
});

test("textures that cannot be copied are refused", async () => {
    const found = await inPage(async () => {
        const encoder = await window.encoderWith([]);
        const device = await encoder.device();
        const faults = [];
        device.addEventListener("uncapturederror", ({ error }) => faults.push(error.message));
        const { TEXTURE_BINDING, COPY_SRC, COPY_DST } = GPUTextureUsage;
        const usage = TEXTURE_BINDING | COPY_SRC | COPY_DST;
        const codes = [];
        for (const format of ["bgra8unorm", "r8unorm", "rgba8unorm-srgb", "rgba16float"]) {
            const source = device.createTexture({ size: [4, 4], format, usage });
            codes.push(await window.codeOf(() => encoder.encodeTexture(source, { format: "rgba8" })));
        }
        await device.queue.onSubmittedWorkDone();
        return { codes, faults };
    });
    assert.deepEqual(found, { codes: ["source", "source", "none", "none"], faults: [] });
});

test("files of cubes and arrays are loaded", { skip: noProgram }, async () => {
    const images = [0, 1, 2, 3, 4, 5].map((i) => {
        const rgba = texels(16, 16, false).map((value, at) => (at % 4 === 0 ? 40 * i : value));
        return png(16, 16, rgba, false);
    });
    images.forEach((file, i) => files.set(`/face${i}.png`, file));
    for (const [name, count, options] of [
        ["cube.dds", 6, ["--cubemap"]],
        ["cube.ktx2", 6, ["--cubemap"]],
        ["array.ktx2", 5, ["--array", "--zstd"]],
        ["array.dds", 5, ["--array"]],
    ]) {
        const shape = options[0];
        const file = await assembled(images.slice(0, count), name, options, [
            "-f",
            "bc7",
            "--linear",
            "--mips",
        ]);
        files.set(`/${name}`, file);
        const found = await inPage(
            async ([name, count]) => {
                const results = [];
                for (const families of [["bc"], []]) {
                    const encoder = await window.encoderWith(families);
                    const device = await encoder.device();
                    const { texture } = await encoder.loadTexture(`/${name}`);
                    const { format, usage } = texture;
                    let largest = 0;
                    for (let layer = 0; layer < count; layer++) {
                        const copy = device.createTexture({ size: [16, 16], format, usage: usage | 2 });
                        const commands = device.createCommandEncoder();
                        const from = { texture, origin: [0, 0, layer] };
                        commands.copyTextureToTexture(from, { texture: copy }, [16, 16]);
                        device.queue.submit([commands.finish()]);
                        const reds = (await window.bytesOf(device, copy)).filter((_, i) => i % 4 === 0);
                        largest = Math.max(largest, ...reds.map((red) => Math.abs(red - 40 * layer)));
                    }
                    results.push([texture.depthOrArrayLayers, texture.mipLevelCount, largest < 12]);
                }
                return results;
            },
            [name, count],
        );
        assert.deepEqual(
            found,
            [
                [count, 5, true],
                [count, 5, true],
            ],
            `${name} ${shape}`,
        );
    }
});
