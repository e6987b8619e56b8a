// The package's functions in the page, besides the bytes of each format.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { files, openPage } from "./browser.mjs";
import { png, texels } from "./images.mjs";
import { encoded, noProgram } from "./native.mjs";

const WIDTH = 101;
const HEIGHT = 67;
const image = png(WIDTH, HEIGHT, texels(WIDTH, HEIGHT, true), true);
const aligned = png(64, 64, texels(64, 64, false), false);

let opened;
before(async () => {
    files.set("/image.png", image);
    files.set("/aligned.png", aligned);
    files.set("/broken.png", image.subarray(0, 60));
    opened = await openPage();
    await opened.page.evaluate(async () => {
        window.encoder = await window.brickwork.Brickwork.create();
        window.options = { format: "bc7", quality: "real-time-1" };
        // Blocks of a texture's mip level, read back.
        window.blocksOf = async (texture, mipLevel, blockBytes) => {
            const device = await window.encoder.device();
            const [columns, rows] = [texture.width, texture.height].map((side) =>
                Math.ceil(Math.max(1, side >> mipLevel) / 4),
            );
            const bytesPerRow = Math.ceil((columns * blockBytes) / 256) * 256;
            const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ;
            const buffer = device.createBuffer({ size: bytesPerRow * rows, usage });
            const commands = device.createCommandEncoder();
            const size = [4 * columns, 4 * rows];
            commands.copyTextureToBuffer({ texture, mipLevel }, { buffer, bytesPerRow }, size);
            device.queue.submit([commands.finish()]);
            await buffer.mapAsync(GPUMapMode.READ);
            const mapped = new Uint8Array(buffer.getMappedRange());
            const blocks = new Uint8Array(columns * rows * blockBytes);
            for (let y = 0; y < rows; y++) {
                const row = mapped.subarray(y * bytesPerRow, y * bytesPerRow + columns * blockBytes);
                blocks.set(row, y * columns * blockBytes);
            }
            return blocks;
        };
        window.same = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);
    });
});
after(() => opened?.close());

const inPage = (call, argument) => opened.page.evaluate(call, argument);

for (const container of ["dds", "ktx2"]) {
    for (const format of ["bc7", "bc1"]) {
        test(
            `${container} of ${format} with mip levels is the native file`,
            { skip: noProgram },
            async () => {
                const speed = ["--quality", "fast"];
                const options = ["--format", format, ...speed, "--srgb", "--mips", "--mip-filter", "box"];
                const expected = await encoded("image.png", image, options, container);
                const found = await inPage(
                    async ([format, container]) => {
                        const blob = await window.encoder.encodeFile("/image.png", {
                            format,
                            quality: "fast",
                            mips: true,
                            container,
                        });
                        return window.toBase64(new Uint8Array(await blob.arrayBuffer()));
                    },
                    [format, container],
                );
                assert.deepEqual(Buffer.from(found, "base64"), expected);
            },
        );
    }
}

test("all sources give the same blocks", async () => {
    const differing = await inPage(async () => {
        const { encoder, options } = window;
        const device = await encoder.device();
        const blob = await (await fetch("/aligned.png")).blob();
        const plain = { colorSpaceConversion: "none", premultiplyAlpha: "none" };
        const bitmap = await createImageBitmap(blob, plain);
        const canvas = new OffscreenCanvas(64, 64);
        const context = canvas.getContext("2d");
        context.drawImage(bitmap, 0, 0);
        const imageData = context.getImageData(0, 0, 64, 64);
        const element = document.createElement("img");
        element.src = "/aligned.png";
        const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST | GPUTextureUsage.COPY_SRC;
        const texture = (format) => {
            const texture = device.createTexture({ size: [64, 64], format, usage });
            device.queue.writeTexture({ texture }, imageData.data, { bytesPerRow: 256 }, [64, 64]);
            return texture;
        };
        const sources = {
            url: "/aligned.png",
            absolute: new URL("/aligned.png", location.href),
            blob,
            bitmap,
            canvas,
            imageData,
            element,
            frame: new VideoFrame(canvas, { timestamp: 0 }),
            texels: { data: imageData.data, width: 64, height: 64 },
            floats: {
                data: Float32Array.from(imageData.data, (value) => value / 255),
                width: 64,
                height: 64,
                format: "rgba32float",
            },
            texture: texture("rgba8unorm"),
            srgbTexture: texture("rgba8unorm-srgb"),
        };
        const expected = await encoder.encodeBlocks(blob, options);
        const differing = [];
        for (const [name, source] of Object.entries(sources)) {
            const found = await encoder.encodeBlocks(source, options);
            if (!window.same(found, expected)) differing.push(name);
        }
        return differing;
    });
    assert.deepEqual(differing, []);
});

test("textures hold the blocks", async () => {
    const found = await inPage(async () => {
        const { encoder } = window;
        const options = { ...window.options, mips: 3 };
        const { texture, size, uvScale } = await encoder.encodeTexture("/aligned.png", options);
        const blocks = await encoder.encodeBlocks("/aligned.png", options);
        const levels = await Promise.all([0, 1, 2].map((level) => window.blocksOf(texture, level, 16)));
        const ends = [0, 4096, 4096 + 1024, 4096 + 1024 + 256];
        return {
            format: texture.format,
            mips: texture.mipLevelCount,
            size,
            uvScale,
            same: levels.map((level, i) => window.same(level, blocks.subarray(ends[i], ends[i + 1]))),
        };
    });
    assert.deepEqual(found, {
        format: "bc7-rgba-unorm-srgb",
        mips: 3,
        size: [64, 64],
        uvScale: [1, 1],
        same: [true, true, true],
    });
});

for (const container of ["dds", "ktx2"]) {
    test(`${container} files are loaded without encoding`, async () => {
        const found = await inPage(async (container) => {
            const { encoder } = window;
            const options = { format: "bc1", quality: "ultrafast", mips: true };
            const file = await encoder.encodeFile("/aligned.png", { ...options, container });
            const expected = await encoder.encodeBlocks("/aligned.png", options);
            const { texture, size, uvScale } = await encoder.loadTexture(file);
            const first = await window.blocksOf(texture, 0, 8);
            const last = await window.blocksOf(texture, 6, 8);
            const bytes = new Uint8Array(await file.arrayBuffer());
            const view = (await encoder.loadTexture(new Uint8Array([0, ...bytes]).subarray(1))).texture;
            const fault = (change) => {
                const copy = bytes.slice();
                change(copy);
                return window.codeOf(() => encoder.loadTexture(copy));
            };
            return {
                format: texture.format,
                mips: texture.mipLevelCount,
                size,
                uvScale,
                same:
                    window.same(first, expected.subarray(0, 2048)) &&
                    window.same(last, expected.subarray(-8)),
                view: view.format,
                short: await window.codeOf(() => encoder.loadTexture(bytes.subarray(0, -1))),
                empty: await window.codeOf(() => encoder.loadTexture(new Uint8Array())),
                damaged: await fault((copy) => (copy[container === "dds" ? 128 : 12] = 1)),
                levels: await fault((copy) => (copy[container === "dds" ? 28 : 40] = 200)),
                image: await window.codeOf(() => encoder.loadTexture("/aligned.png")),
                missing: await window.codeOf(() => encoder.loadTexture("/nothing.dds")),
            };
        }, container);
        assert.deepEqual(found, {
            format: "bc1-rgba-unorm-srgb",
            mips: 7,
            size: [64, 64],
            uvScale: [1, 1],
            same: true,
            view: "bc1-rgba-unorm-srgb",
            short: "source",
            empty: "source",
            damaged: "source",
            levels: "source",
            image: "source",
            missing: "source",
        });
    });
}

test("sizes that are not multiples of 4 are padded on request", async () => {
    const found = await inPage(async () => {
        // A device without the feature `texture-compression-unaligned`.
        const adapter = await navigator.gpu.requestAdapter();
        const device = await adapter.requestDevice({ requiredFeatures: ["texture-compression-bc"] });
        const encoder = await window.brickwork.Brickwork.create(device);
        const { texture, size, uvScale } = await encoder.encodeTexture("/image.png", {
            ...window.options,
            mips: true,
        });
        const refused = await window.codeOf(() =>
            encoder.encodeTexture("/image.png", { ...window.options, onUnaligned: "error" }),
        );
        encoder.dispose();
        let isLost = false;
        device.lost.then(() => (isLost = true));
        await device.queue.onSubmittedWorkDone();
        return { sides: [texture.width, texture.height], size, uvScale, refused, isLost };
    });
    const uvScale = [WIDTH / 104, HEIGHT / 68];
    const size = [WIDTH, HEIGHT];
    assert.deepEqual(found, { sides: [104, 68], size, uvScale, refused: "size", isLost: false });
});

test("recording into buffers and textures", async () => {
    const found = await inPage(async () => {
        const { encoder } = window;
        const device = await encoder.device();
        const bitmap = await createImageBitmap(await (await fetch("/aligned.png")).blob());
        const { TEXTURE_BINDING, COPY_DST, COPY_SRC, RENDER_ATTACHMENT } = GPUTextureUsage;
        const texture = device.createTexture({
            size: [64, 64],
            format: "rgba8unorm",
            usage: TEXTURE_BINDING | COPY_DST | RENDER_ATTACHMENT,
        });
        device.queue.copyExternalImageToTexture({ source: bitmap }, { texture }, [64, 64]);
        const target = device.createTexture({
            size: [64, 64],
            format: "bc7-rgba-unorm",
            usage: TEXTURE_BINDING | COPY_DST | COPY_SRC,
        });
        const commands = device.createCommandEncoder();
        await encoder.record(commands, { texture }, { texture: target }, window.options);
        const recorder = await encoder.prepare("bc7", "real-time-1");
        // The lower right quarter over the upper left one.
        const quarter = { texture, origin: [32, 32], size: [32, 32] };
        recorder.record(commands, quarter, { texture: target });
        device.queue.submit([commands.finish()]);
        const blocks = await encoder.encodeBlocks("/aligned.png", window.options);
        const found = await window.blocksOf(target, 0, 16);
        for (let y = 0; y < 8; y++) {
            blocks.copyWithin(256 * y, 256 * (y + 8) + 128, 256 * (y + 8) + 256);
        }
        const region = { texture, origin: [40, 0], size: [64, 64] };
        const outside = await window.codeOf(() => recorder.record(commands, region, { texture: target }));
        return { same: window.same(found, blocks), outside };
    });
    assert.deepEqual(found, { same: true, outside: "size" });
});

test("errors say what is wrong", async () => {
    const found = await inPage(async () => {
        const { encoder, codeOf, options } = window;
        const { Brickwork } = window.brickwork;
        const encode = (source, more) => codeOf(() => encoder.encodeBlocks(source, { ...options, ...more }));
        const adapter = await navigator.gpu.requestAdapter();
        const bare = await adapter.requestDevice();
        const withoutBc = await Brickwork.create(bare);
        const lost = await Brickwork.create(await (await navigator.gpu.requestAdapter()).requestDevice());
        (await lost.device()).destroy();
        await new Promise((resolve) => setTimeout(resolve, 50));
        const disposed = await Brickwork.create(bare);
        disposed.dispose();
        const aborted = new AbortController();
        aborted.abort(new Error("stop"));
        const texels = { data: new Uint8Array(15), width: 2, height: 2 };
        return {
            format: await encode("/image.png", { format: "bc8" }),
            quality: await encode("/image.png", { quality: "extreme" }),
            srgb: await encode("/image.png", { format: "bc4", quality: "fast", srgb: true }),
            mips: await encode("/image.png", { mips: 0 }),
            mipFilter: await encode("/image.png", { mips: true, mipFilter: "nearest" }),
            normal: await encode("/image.png", { format: "bc1", normal: true }),
            normalSrgb: await encode("/image.png", { format: "bc7", normal: true, srgb: true }),
            missing: await encode("/nothing.png"),
            unreachable: await encode("http://127.0.0.1:9/image.png"),
            broken: await encode("/broken.png"),
            zero: await encode(Object.assign(document.createElement("canvas"), { width: 0 })),
            texels: await encode(texels),
            nothing: await encode({}),
            large: await encode({ data: new Uint8Array(4 << 15), width: 1 << 15, height: 1 }),
            aborted: await encode("/image.png", { signal: aborted.signal }),
            bc: await codeOf(() => withoutBc.encodeTexture("/aligned.png", options)),
            bcBlocks: await codeOf(() => withoutBc.encodeBlocks("/aligned.png", options)),
            lost: await codeOf(() => lost.encodeBlocks("/aligned.png", options)),
            disposed: await codeOf(() => disposed.encodeBlocks("/aligned.png", options)),
        };
    });
    assert.deepEqual(found, {
        format: "option",
        quality: "option",
        srgb: "option",
        mips: "option",
        mipFilter: "option",
        normal: "option",
        normalSrgb: "option",
        missing: "source",
        unreachable: "source",
        broken: "source",
        zero: "size",
        texels: "size",
        nothing: "source",
        large: "limit",
        aborted: "Error: stop",
        bc: "no-format",
        bcBlocks: "none",
        lost: "device-lost",
        disposed: "disposed",
    });
});

test("a lost device of ours is replaced once", async () => {
    const found = await inPage(async () => {
        const { Brickwork } = window.brickwork;
        const encoder = await Brickwork.create();
        const results = [];
        for (let i = 0; i < 2; i++) {
            (await encoder.device()).destroy();
            await new Promise((resolve) => setTimeout(resolve, 50));
            results.push(await window.codeOf(() => encoder.encodeBlocks("/aligned.png", window.options)));
        }
        return results;
    });
    assert.deepEqual(found, ["none", "device-lost"]);
});

test("an image in many bands, aborted half-way", async () => {
    const found = await inPage(async () => {
        const { encoder, options } = window;
        const [width, height] = [1024, 768];
        const data = new Uint8Array(4 * width * height).map((_, i) => (i * 7) ^ (i >> 9));
        const image = { data, width, height };
        const whole = await encoder.encodeBlocks(image, options);
        // The quality ultrafast starts with small bands.
        const bands = { format: "bc1", quality: "ultrafast" };
        const blocks = await encoder.encodeBlocks(image, bands);
        // Strips of one row of blocks each, which are less than a band.
        const strip = { ...image, height: 4 };
        const differing = [];
        for (const y of [0, 8, 9, 100, 191]) {
            const data = image.data.subarray(16 * width * y, 16 * width * (y + 1));
            const row = blocks.subarray(2 * width * y, 2 * width * (y + 1));
            if (!window.same(await encoder.encodeBlocks({ ...strip, data }, bands), row)) differing.push(y);
        }
        const aborter = new AbortController();
        const call = encoder.encodeBlocks(image, {
            format: "bc7",
            quality: "ultrafast",
            signal: aborter.signal,
        });
        setTimeout(() => aborter.abort(new Error("stop")), 50);
        const aborted = await window.codeOf(() => call);
        const again = await encoder.encodeBlocks(image, options);
        return { length: blocks.length, differing, aborted, same: window.same(whole, again) };
    });
    const length = (1024 * 768) / 2;
    assert.deepEqual(found, { length, differing: [], aborted: "Error: stop", same: true });
});

test("without WebGPU, create reports it", async () => {
    const without = await openPage({ webgpu: false });
    try {
        const code = await without.page.evaluate(async () => {
            Object.defineProperty(navigator, "gpu", { value: undefined });
            return window.codeOf(() => window.brickwork.Brickwork.create());
        });
        assert.equal(code, "no-webgpu");
    } finally {
        await without.close();
    }
});
