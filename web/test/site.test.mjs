// The site, as built: the page for textures and the example for three.js.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { files, hideFeatures, openBrowser } from "./browser.mjs";
import { png, texels } from "./images.mjs";
import { PROGRAM, encoded, noProgram, noServer, reported } from "./native.mjs";
import { omeFiles } from "./zarr-files.mjs";

const FOLDER = fileURLToPath(new URL("..", import.meta.url));
const PARROTS = `${FOLDER}/../test-data/kodak/kodim23.png`;
/** Reason to skip the page of volumes; false if the package was built with them. */
const noVolume = existsSync(`${FOLDER}/dist/volume`) ? false : "dist/ has no export ./volume";

const image = png(64, 48, texels(64, 48, true), true);

// Two browsers: the example draws on a canvas of WebGPU.
let opened, canvases;
before(async () => {
    execFileSync("npm", ["run", "--silent", "build:site"], { cwd: FOLDER, stdio: "ignore" });
    opened = await openBrowser();
    canvases = await openBrowser({ canvases: true });
});
after(() => Promise.all([opened?.close(), canvases?.close()]));

/** Opens a page of the site. `wait` is false if nothing will be shown. */
async function open(path, { wait = true, setup, hidden, ...options } = {}) {
    const { browser, address } = /^(three|volume)/.test(path) ? canvases : opened;
    const page = await browser.newPage(options);
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
    });
    if (setup) await page.addInitScript(setup);
    if (hidden) await page.addInitScript(hideFeatures, hidden);
    await page.goto(`${address}/dist-site/${path}`);
    if (wait) await ready(page, 1);
    return { page, errors };
}

const ready = (page, count) =>
    page.waitForFunction((count) => Number(document.body.dataset.ready) >= count, count, { timeout: 60_000 });

const text = (page, id) => page.locator(`#${id}`).textContent();

const PHONE = {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
};

/** Keeps a picture of a page in the folder that the environment variable SCREENSHOTS names. */
async function screenshot(page, name) {
    const { SCREENSHOTS } = process.env;
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

/** Runs in a page: removes WebGPU. */
function hideWebGpu() {
    Object.defineProperty(navigator, "gpu", { value: undefined });
}

/** Returns the native program's PSNR of the first sample, as the page prints it. */
async function nativePsnr() {
    const { files } = await reported(PARROTS, ["-f", "bc7", "--real-time", "1"]);
    const { mse } = files[0].metrics;
    return `${(10 * Math.log10(255 ** 2 / mse.rgb)).toFixed(2)} dB`;
}

test("the sample's PSNR is that of the native program", { skip: noProgram }, async () => {
    const { page, errors } = await open("index.html#format=bc7&quality=real-time-1");
    assert.equal(await text(page, "psnr"), await nativePsnr());
    assert.match(await text(page, "size"), /^384 KiB, 1\/4 of 1\.50 MiB$/);
    assert.match(await text(page, "time"), /ms|s, [\d.]+ Mpix\/s/);
    assert.deepEqual(errors, []);
    await page.close();
});

test("a file is opened, encoded and written", { skip: noProgram }, async () => {
    const { page, errors } = await open("index.html#format=bc1&quality=ultrafast");
    const file = { name: "wood.png", mimeType: "image/png", buffer: image };
    await page.locator("#file").setInputFiles(file);
    await ready(page, 2);
    assert.match(await text(page, "image-name"), /^wood\.png, 64×48, with alpha$/);
    await page.selectOption("#format", "bc7");
    await ready(page, 3);
    await page.selectOption("#quality", "real-time-2");
    await ready(page, 4);
    assert.match(await text(page, "psnr"), /^\d\d\.\d\d dB, \d\d\.\d\d dB$/);
    assert.match(page.url(), /#format=bc7&quality=real-time-2$/);
    assert.match(await text(page, "code"), /format: "bc7", quality: "real-time-2", mips: true/);
    for (const container of ["dds", "ktx2"]) {
        const [download] = await Promise.all([
            page.waitForEvent("download"),
            page.locator(`[data-container="${container}"]`).click(),
        ]);
        assert.equal(download.suggestedFilename(), `wood.${container}`);
        const options = ["-f", "bc7", "--real-time", "2", "--srgb", "--mips", "--mip-filter", "box"];
        const expected = await encoded("wood.png", image, options, container);
        assert.deepEqual(await readFile(await download.path()), expected);
        await page.locator(`[data-container="${container}"]:enabled`).waitFor();
    }
    const broken = { name: "broken.png", mimeType: "image/png", buffer: image.subarray(0, 40) };
    await page.locator("#file").setInputFiles(broken);
    await page.locator("#notice:visible").waitFor();
    assert.match(await text(page, "notice"), /^Broken\.png is not an image that this browser reads\.$/);
    assert.deepEqual(errors, []);
    await page.close();
});

test("keys and pointers move the divider and the image", async () => {
    const { page, errors } = await open("index.html#format=bc7&quality=real-time-1");
    const divider = async () => Number(await page.locator("#handle").getAttribute("aria-valuenow"));
    const settled = () =>
        page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    const press = async (...keys) => {
        for (const key of keys) await page.keyboard.press(key);
        await settled();
    };
    await page.locator("#stage").focus();
    await press("ArrowRight");
    assert.equal(await divider(), 52);
    await press("1");
    assert.equal(await text(page, "zoom"), "100 %");
    await press("+", "+");
    assert.equal(await text(page, "zoom"), "225 %");
    await press("ArrowRight");
    assert.equal(await divider(), 52);
    await press("Shift+ArrowLeft");
    assert.equal(await divider(), 50);
    await press("0", "d");
    assert.equal(await page.locator('[value="difference"]').isChecked(), true);
    assert.equal(await page.locator("#legend").isVisible(), true);
    assert.match(await text(page, "heat-end"), /^\d+\+?$/);
    const box = await page.locator("#stage").boundingBox();
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.25, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
    await settled();
    assert.equal(await divider(), 25);
    assert.match(await text(page, "readout"), /^\d+, \d+: original \d+ \d+ \d+ · compressed \d+ \d+ \d+$/);
    await page.mouse.wheel(0, -300);
    await settled();
    assert.notEqual(await text(page, "zoom"), "225 %");
    assert.deepEqual(errors, []);
    await page.close();
});

test("both pages fit a phone", async () => {
    for (const path of ["index.html#format=bc7&quality=real-time-1", "three.html"]) {
        const { page, errors } = await open(path, PHONE);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
        assert.deepEqual(errors, []);
        await page.close();
    }
});

test("without the format, files can be written, and the page shows what the CPU decodes", async () => {
    const hidden = "^texture-compression";
    const { page, errors } = await open("index.html#format=bc7&quality=real-time-1", { hidden });
    assert.match(await text(page, "notice"), /no such textures.*The CPU has decoded/);
    assert.match(await text(page, "size"), /^384 KiB/);
    assert.equal(await text(page, "right-tag"), "BC7");
    // (All decoders of BC7 give the same numbers.)
    assert.match(await text(page, "psnr"), /^\d\d\.\d\d dB$/);
    if (!noProgram) assert.equal(await text(page, "psnr"), await nativePsnr());
    const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator('[data-container="ktx2"]').click(),
    ]);
    assert.equal(download.suggestedFilename(), "parrots.ktx2");
    assert.deepEqual(errors, []);
    await page.close();
});

test("on a phone without BC, the pages show ASTC", async () => {
    const options = { ...PHONE, hidden: "^texture-compression-bc" };
    const { page, errors } = await open("index.html", options);
    assert.equal(await text(page, "right-tag"), "ASTC 4X4");
    assert.equal(await page.locator("#notice").isVisible(), false);
    assert.match(await text(page, "size"), /^384 KiB, 1\/4 of 1\.50 MiB$/);
    assert.doesNotMatch(await text(page, "time"), /on the CPU/);
    assert.ok(parseFloat(await text(page, "psnr")) > 40, await text(page, "psnr"));
    assert.equal(await page.locator('[data-container="dds"]').isDisabled(), true);
    const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator('[data-container="ktx2"]').click(),
    ]);
    const file = await readFile(await download.path());
    // VK_FORMAT_ASTC_4x4_SRGB_BLOCK
    assert.equal(file.readUInt32LE(12), 158);
    await screenshot(page, "phone");
    assert.deepEqual(errors, []);
    await page.close();
    const model = await open("three.html", options);
    assert.match(await text(model.page, "list"), /map: 512×512, astc-4x4-unorm-srgb/);
    assert.match(await text(model.page, "list"), /normalMap: 512×512, eac-rg11unorm/);
    assert.deepEqual(
        [await text(model.page, "memory"), await text(model.page, "raw")],
        ["683 KiB", "2.67 MiB"],
    );
    await screenshot(model.page, "phone-three");
    assert.deepEqual(model.errors, []);
    await model.page.close();
});

test("the result is visible at once, and targets are large enough for fingers", async () => {
    const { page } = await open("index.html", { viewport: { width: 1280, height: 800 } });
    const bottom = (await page.locator(".results").boundingBox()).y;
    const { height } = await page.locator(".results").boundingBox();
    assert.ok(bottom + height <= 800, `the result ends at ${bottom + height}`);
    await screenshot(page, "desktop");
    await page.close();
    for (const path of ["index.html#format=bc7&quality=real-time-1", "three.html"]) {
        const { page } = await open(path, PHONE);
        const small = await page.evaluate(() =>
            [...document.querySelectorAll("a, button, select, label:has(input), summary, [role=slider]")]
                .filter((target) => target.checkVisibility() && !target.closest("footer, .lead"))
                .map((target) => [target.id || target.textContent.trim(), target.getBoundingClientRect()])
                .filter(([, { width, height }]) => Math.min(width, height) < 44)
                .map(([name, { width, height }]) => `${name}: ${width}×${height}`),
        );
        assert.deepEqual(small, [], path);
        await page.close();
    }
});

test("the address names a file of this server", async () => {
    files.set("/files/wood%.png", image);
    const fast = "#format=bc7&quality=real-time-1";
    const { page, errors } = await open(`index.html?file=${encodeURIComponent("/files/wood%25.png")}${fast}`);
    assert.match(await text(page, "image-name"), /^wood%\.png, 64×48, with alpha$/);
    assert.equal(await page.locator("#served").isVisible(), false);
    // A sample is opened instead of a file of another server.
    await page.goto(`${opened.address}/dist-site/index.html?file=https://example.com/a.png${fast}`);
    await ready(page, 1);
    assert.match(await text(page, "image-name"), /^parrots\.png/);
    assert.equal(
        await text(page, "notice"),
        "The page's address names https://example.com/a.png, which is not on this server.",
    );
    assert.doesNotMatch(page.url(), /file=/);
    assert.deepEqual(errors, []);
    await page.close();
});

test("the program's server lists the images of a folder", { skip: noServer }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "brickwork-web-"));
    await mkdir(join(folder, "walls"));
    await writeFile(join(folder, "walls", "old wood.png"), image);
    await writeFile(join(folder, "notes.txt"), "text");
    const options = ["--site", `${FOLDER}/dist-site`, "--port", "0"];
    const server = spawn(PROGRAM, ["serve", folder, ...options], { stdio: ["ignore", "pipe", "inherit"] });
    try {
        const [line] = await once(server.stdout, "data");
        const [address] = /http:\S+/.exec(line);
        const page = await opened.browser.newPage();
        await page.goto(`${address}#format=bc7&quality=real-time-1`);
        await ready(page, 1);
        const names = () => page.locator("#served button").allTextContents();
        assert.deepEqual(await names(), ["walls/"]);
        await page.locator("#served button").click();
        await page.locator("#served button", { hasText: "old wood.png" }).click();
        await ready(page, 2);
        assert.deepEqual(await names(), ["../", "old wood.png"]);
        assert.match(await text(page, "image-name"), /^old wood\.png, 64×48, with alpha$/);
        assert.match(page.url(), /\?file=%2Ffiles%2Fwalls%2Fold%2520wood\.png#format=bc7/);
        await page.reload();
        await ready(page, 1);
        assert.match(await text(page, "image-name"), /^old wood\.png/);
        await page.close();
    } finally {
        server.kill("SIGINT");
        const [code] = await once(server, "exit");
        assert.equal(code, 130);
        await rm(folder, { recursive: true });
    }
});

test("without WebGPU, the CPU encodes", { skip: noProgram }, async () => {
    const setup = hideWebGpu;
    const { page, errors } = await open("index.html#format=bc7&quality=real-time-1", { setup });
    assert.match(await text(page, "notice"), /no WebGPU.*The CPU encodes/);
    assert.equal(await text(page, "psnr"), await nativePsnr());
    const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator('[data-container="dds"]').click(),
    ]);
    assert.equal(download.suggestedFilename(), "parrots.dds");
    assert.deepEqual(errors, []);
    await page.close();
});

test("the example compresses its model on load", async () => {
    const { page, errors } = await open("three.html");
    assert.match(await text(page, "list"), /map: 512×512, bc7-rgba-unorm-srgb/);
    assert.match(await text(page, "list"), /normalMap: 512×512, bc5-rg-unorm/);
    assert.deepEqual([await text(page, "memory"), await text(page, "raw")], ["683 KiB", "2.67 MiB"]);
    await page.locator("label", { hasText: "Uncompressed" }).click();
    await ready(page, 2);
    assert.equal(await text(page, "memory"), "2.67 MiB");
    assert.deepEqual(errors, []);
    await page.close();
});

test("the example also works with WebGL 2", async () => {
    const { page, errors } = await open("three.html", { setup: hideWebGpu });
    assert.match(await text(page, "list"), /map: 512×512, (bc7|astc-4x4|etc2-rgb8)/);
    assert.match(await text(page, "list"), /normalMap: 512×512, (bc5|eac-rg11|astc-4x4)/);
    assert.equal(await text(page, "memory"), "683 KiB");
    assert.equal(await page.locator("#notice").isVisible(), false);
    assert.deepEqual(errors, []);
    await page.close();
});

test("volumes are drawn, turned and sliced", { skip: noVolume }, async () => {
    const setup = () => Object.defineProperty(window, "devicePixelRatio", { value: 0.1 });
    const { page, errors } = await open("volume.html", { setup, viewport: { width: 500, height: 600 } });
    assert.match(await text(page, "volume-name"), /^Hydrogen: 64×64×64 f32/);
    assert.match(await text(page, "time"), /ms|s, \d+×\d+ pixels$/);
    assert.match(await text(page, "memory"), /KiB for 1\.00 MiB$/);
    assert.match(await text(page, "read"), /KiB in \d requests?$/);
    await page.selectOption("#mode", "mip");
    await page.waitForFunction(() => document.querySelector("#code").textContent.includes('"mip"'));
    await page.locator("#canvas").press("ArrowLeft");
    await page.locator('[name="picture"][value="z"]').check({ force: true });
    await page.waitForFunction(() => document.querySelector("#index-value").textContent === "33 of 64");
    await page.locator("#index").fill("10");
    await page.waitForFunction(() => document.querySelector("#index-value").textContent === "11 of 64");
    const buffer = Buffer.from("no volume");
    await page.locator("#file").setInputFiles({ name: "a.bwv", mimeType: "", buffer });
    await page.waitForFunction(() => !document.querySelector("#notice").hidden);
    assert.match(await text(page, "notice"), /format is not known/);
    assert.deepEqual(errors, []);
    await page.close();
});

test("the address names an OME-Zarr of the server; a picked folder is one", { skip: noVolume }, async () => {
    const zarr = omeFiles({ counts: { c: 2 } });
    for (const [key, value] of zarr) files.set(`/cells.zarr/${key}`, Buffer.from(value));
    const setup = () => Object.defineProperty(window, "devicePixelRatio", { value: 0.1 });
    const { page, errors } = await open("volume.html?file=/cells.zarr", { setup });
    assert.match(await text(page, "volume-name"), /^cells\.zarr: 20×14×10 u16/);
    assert.equal(await page.locator("#level option").count(), 2);
    await page.selectOption("#channel", "1");
    await page.selectOption("#level", "1");
    await page.waitForFunction(() => document.querySelector("#level-tag").textContent === "Mip level 1");
    await page.waitForFunction(() => document.querySelector("#busy").hidden);
    const folder = await mkdtemp(join(tmpdir(), "brickwork-site-"));
    for (const [key, value] of omeFiles({ dims: [12, 10, 8], levels: 1 })) {
        await mkdir(dirname(join(folder, "small.zarr", key)), { recursive: true });
        await writeFile(join(folder, "small.zarr", key), value);
    }
    await page.locator("#folder").setInputFiles(join(folder, "small.zarr"));
    await ready(page, 2);
    assert.match(await text(page, "volume-name"), /^small\.zarr: 12×10×8 u16/);
    // The group has no labels.
    assert.ok(
        errors.every((error) => /404/.test(error)),
        errors.join(),
    );
    for (const path of [...files.keys()]) if (path.startsWith("/cells.zarr")) files.delete(path);
    await rm(folder, { recursive: true });
    await page.close();
});

test("volumes are drawn on the CPU without WebGPU", { skip: noVolume }, async () => {
    const setup = () => {
        Object.defineProperty(navigator, "gpu", { value: undefined });
        Object.defineProperty(window, "devicePixelRatio", { value: 0.1 });
    };
    const { page, errors } = await open("volume.html#sample=atlas", { setup });
    assert.match(await text(page, "notice"), /no WebGPU.*CPU/);
    assert.match(await text(page, "volume-name"), /^Brain atlas: 181×217×181 u8/);
    assert.deepEqual(errors, []);
    await page.close();
});
