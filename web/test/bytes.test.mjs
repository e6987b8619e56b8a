// Every format and quality in the page against the native program on the CPU: whole and partial blocks, with
// and without alpha. The files, with their headers, must be equal.
//
// Environment: LARGE=1 runs all cases, else those of `isQuick` run. FILTER selects, of all cases, those whose
// names contain it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { files, openPage } from "./browser.mjs";
import { halves, halvesDds, png, texels } from "./images.mjs";
import { MOBILE, encoded, noProgram } from "./native.mjs";

const QUALITIES = ["ultrafast", "fast", "normal", "high", "best"];
const REAL_TIME = ["real-time-1", "real-time-2", "real-time-3"];
const SIZES = [
    [64, 64],
    [101, 67],
];
const COLORS = ["bc1", "bc2", "bc3", "bc7", "etc2-rgb8a1", "etc2-rgba8", "astc-4x4"];
const OPAQUE = ["etc2-rgb8"];
const CHANNELS = ["bc4", "bc4s", "bc5", "bc5s", "eac-r11", "eac-r11s", "eac-rg11", "eac-rg11s"];
const FLOATS = ["bc6h", "bc6hs"];

function* cases() {
    for (const format of [...COLORS, ...OPAQUE, ...CHANNELS, ...FLOATS]) {
        for (const quality of format in MOBILE ? REAL_TIME : [...REAL_TIME, ...QUALITIES]) {
            for (const size of quality.startsWith("real-time") ? [...SIZES, [768, 512]] : SIZES) {
                const srgb = COLORS.includes(format) || OPAQUE.includes(format);
                yield { format, quality, size, srgb, hasAlpha: false };
                if (COLORS.includes(format)) yield { format, quality, size, srgb, hasAlpha: true };
                if (format === "astc-4x4") yield { format, quality, size, srgb: false, hasAlpha: true };
            }
        }
    }
}

/** Cases for every day: each format once, with partial blocks, and with alpha where there is alpha. */
function isQuick({ format, quality, size, hasAlpha }) {
    const isCommon = ["bc1", "bc7", "astc-4x4"].includes(format);
    const qualities = isCommon ? ["fast", "normal", ...REAL_TIME] : ["fast", "real-time-2"];
    return size[0] === 101 && qualities.includes(quality) && hasAlpha === COLORS.includes(format);
}

const { FILTER, LARGE } = process.env;
const isChosen = (name, options) => (FILTER ? name.includes(FILTER) : LARGE === "1" || isQuick(options));

let opened;
before(async () => {
    opened = await openPage();
    await opened.page.evaluate(async () => {
        window.encoder = await window.brickwork.Brickwork.create();
    });
});
after(() => opened?.close());

let count = 0;
for (const options of cases()) {
    const { format, quality, size, srgb, hasAlpha } = options;
    const [width, height] = size;
    const name = `${format} ${quality} ${width}×${height}${hasAlpha ? " alpha" : ""}${srgb ? " sRGB" : ""}`;
    if (!isChosen(name, options)) continue;
    count += 1;
    test(name, { skip: noProgram }, async () => {
        const isFloat = FLOATS.includes(format);
        const speed = quality.startsWith("real-time")
            ? ["--real-time", quality.slice(-1)]
            : ["--quality", quality];
        const args = ["--format", MOBILE[format] ?? format, ...speed, srgb ? "--srgb" : "--linear"];
        // DDS lacks the formats of phones.
        const container = format in MOBILE ? "ktx2" : "dds";
        let expected, source;
        if (isFloat) {
            const patterns = halves(width, height, format === "bc6hs");
            files.set("/halves", Buffer.from(patterns.buffer));
            source = "/halves";
            expected = await encoded("image.dds", halvesDds(width, height, patterns), args);
        } else {
            const image = png(width, height, texels(width, height, hasAlpha), hasAlpha);
            files.set("/image.png", image);
            source = "/image.png";
            expected = await encoded("image.png", image, args, container);
        }
        const call = {
            source,
            format,
            quality,
            width,
            height,
            isFloat,
            srgb,
            container,
            alpha: hasAlpha ? "straight" : "opaque",
        };
        const found = Buffer.from(await opened.page.evaluate(encode, call), "base64");
        assert.equal(found.length, expected.length);
        const differing = found.reduce((count, byte, i) => count + (byte === expected[i] ? 0 : 1), 0);
        assert.equal(differing, 0, `${differing} of ${expected.length} bytes differ`);
    });
}

if (count === 0) throw new Error(`no case has "${FILTER}" in its name`);

// Runs in the page.
async function encode({ source, width, height, isFloat, ...options }) {
    let image = source;
    if (isFloat) {
        const data = new Uint16Array(await (await fetch(source, { cache: "no-store" })).arrayBuffer());
        image = { data, width, height, format: "rgba16float" };
    } else {
        image = await (await fetch(source, { cache: "no-store" })).blob();
    }
    const file = await window.encoder.encodeFile(image, options);
    return window.toBase64(new Uint8Array(await file.arrayBuffer()));
}
