// Mip levels by every filter, and normal maps, in the page against the native program on the CPU. The files,
// with their headers, must be equal.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { files, openPage } from "./browser.mjs";
import { halves, halvesDds, normals, png, texels } from "./images.mjs";
import { encoded, noProgram } from "./native.mjs";

const BC7 = { format: "bc7", quality: "real-time-1" };
const BC5 = { format: "bc5", quality: "ultrafast", normal: true };
const BC6H = { format: "bc6hs", quality: "ultrafast", isFloat: true };
const CASES = [
    { ...BC7, filter: "box", size: [101, 67] },
    { ...BC7, filter: "triangle", size: [64, 32] },
    { ...BC7, filter: "kaiser", size: [101, 67] },
    { ...BC7, filter: "kaiser", size: [256, 192], hasAlpha: true },
    { ...BC7, filter: "mitchell", size: [67, 30], hasAlpha: true },
    { ...BC7, filter: "catmull-rom", size: [33, 1] },
    { ...BC7, filter: "lanczos3", size: [101, 67], hasAlpha: true },
    { ...BC6H, filter: "box", size: [67, 30] },
    { ...BC6H, filter: "kaiser", size: [67, 30] },
    { ...BC6H, filter: "lanczos3", size: [64, 32] },
    { ...BC5, filter: "box", size: [101, 67], hasBlue: true },
    { ...BC5, filter: "kaiser", size: [64, 48], hasBlue: false },
    { ...BC5, format: "bc5s", filter: "triangle", size: [30, 20], hasBlue: true },
    { ...BC7, normal: true, filter: "kaiser", size: [101, 67], hasBlue: true },
    { ...BC7, normal: true, filter: "box", size: [101, 67], hasBlue: false },
    { ...BC7, normal: true, filter: undefined, size: [101, 67], hasBlue: false },
];

let opened;
before(async () => {
    opened = await openPage();
    await opened.page.evaluate(async () => {
        window.encoder = await window.brickwork.Brickwork.create();
    });
});
after(() => opened?.close());

for (const options of CASES) {
    const { format, quality, filter, size, isFloat, normal, hasBlue, hasAlpha } = options;
    const use = normal ? ` normals ${hasBlue ? "with" : "without"} z` : "";
    const name = `${format}${use} ${size.join("×")}${hasAlpha ? " alpha" : ""}, ${filter ?? "no mip levels"}`;
    test(name, { skip: noProgram }, async () => {
        const speed = quality.startsWith("real") ? ["--real-time", "1"] : ["--quality", quality];
        const space = normal ? "--normal" : isFloat ? "--linear" : "--srgb";
        const mips = filter ? ["--mips", "--mip-filter", filter] : [];
        const args = ["--format", format, ...speed, space, ...mips];
        let expected, source;
        if (isFloat) {
            const patterns = halves(...size, true);
            source = { data: [...patterns], width: size[0], height: size[1] };
            expected = await encoded("image.dds", halvesDds(...size, patterns), args);
        } else {
            const rgba = normal ? normals(...size, hasBlue) : texels(...size, hasAlpha);
            const image = png(...size, rgba, hasAlpha);
            files.set("/image.png", image);
            expected = await encoded("image.png", image, args);
        }
        const alpha = hasAlpha ? "straight" : "opaque";
        const call = { source, format, quality, filter, normal, alpha };
        const found = Buffer.from(await opened.page.evaluate(encode, call), "base64");
        assert.equal(found.length, expected.length);
        const differing = found.reduce((count, byte, i) => count + (byte === expected[i] ? 0 : 1), 0);
        assert.equal(differing, 0, `${differing} of ${expected.length} bytes differ`);
    });
}

// Runs in the page.
async function encode({ source, format, quality, filter, normal = false, alpha }) {
    const image = source
        ? { ...source, data: Uint16Array.from(source.data), format: "rgba16float" }
        : await (await fetch("/image.png", { cache: "no-store" })).blob();
    const mips = filter ? { mips: true, mipFilter: filter } : {};
    const options = { format, quality, alpha, normal, ...mips, container: "dds" };
    const file = await window.encoder.encodeFile(image, options);
    return window.toBase64(new Uint8Array(await file.arrayBuffer()));
}

test("a padded texture has normals of length 1", async () => {
    const rgba = normals(30, 21, true);
    const found = await opened.page.evaluate(
        async (data) => {
            const image = { data: Uint8Array.from(data), width: 30, height: 21 };
            const options = { format: "bc7", quality: "real-time-1", normal: true, mips: true };
            const { texture, uvScale } = await window.encoder.encodeTexture(image, options);
            const { format, mipLevelCount } = texture;
            texture.destroy();
            return { format, mipLevelCount, uvScale };
        },
        [...rgba],
    );
    assert.equal(found.format, "bc7-rgba-unorm");
    assert.ok(found.mipLevelCount >= 5);
});

test("a source of other texels than those of 8 bits is refused by name", async () => {
    const found = await opened.page.evaluate(async () => {
        const device = await window.encoder.device();
        const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_SRC;
        const texture = device.createTexture({ size: [8, 8], format: "bgra8unorm", usage });
        const options = { format: "bc7", quality: "real-time-1", normal: true };
        return window.encoder.encodeBlocks(texture, options).then(
            () => "none",
            (error) => error.message,
        );
    });
    assert.match(found, /normal maps .* bgra8unorm/);
});
