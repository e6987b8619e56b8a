// Opens pages of `brickwork report` in headless Chromium and uses them. Run by .ci/pages, in a folder with the
// pages report.html, hdr.html, reduced.html, normals.html and data.html; a folder at the end receives screenshots.

import {
    DESKTOP, PHONE, browser, checkThemes, checkWidth, open, openWithoutScripts, screenshots,
} from "./browser.mjs";
import assert from "node:assert/strict";
import { statSync } from "node:fs";

const pages = process.argv.slice(2).filter((name) => name.endsWith(".html"));
const shots = process.argv.slice(2).find((name) => !name.endsWith(".html"));

/** Opens a page and waits until its pictures are drawn. */
async function openDrawn(name, options) {
    const opened = await open(name, options);
    await settled(opened.page);
    return opened;
}

/** Waits until the pictures are drawn; after an action, until those of a later number are. */
async function settled(page, after = 0) {
    const ready = (after) => {
        const number = Number(document.querySelector(".comparison").dataset.ready);
        return number > after && number;
    };
    return (await page.waitForFunction(ready, after)).jsonValue();
}

/** Returns the colour of the canvas at a share of its width and height. */
const pixel = (page, x, y) => page.evaluate(([x, y]) => {
    const canvas = document.querySelector("canvas");
    const [left, top] = [Math.floor(canvas.width * x), Math.floor(canvas.height * y)];
    return [...canvas.getContext("2d").getImageData(left, top, 1, 1).data];
}, [x, y]);

/** Returns a number that changes with the pixels of the canvas. */
const sum = (page) => page.evaluate(() => {
    const canvas = document.querySelector("canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.reduce((sum, value) => (Math.imul(sum, 31) + value) | 0, 0);
});

const text = (page, selector) => page.locator(selector).first().innerText();
const label = (page) => page.locator(".stage").getAttribute("aria-label");

async function usesAll() {
    const { page, close } = await openDrawn("report.html", DESKTOP);
    assert.equal(await page.title(), "test-data/kodak/kodim23.png and its textures");
    assert.equal(await page.getByRole("tab").count(), 3);

    // The slider, by keyboard and by mouse.
    const half = await sum(page);
    await page.locator(".split input").press("End");
    const original = await sum(page);
    assert.notEqual(original, half);
    assert.match(await label(page), /Slider at 100 %/);
    const stage = await page.locator(".stage").boundingBox();
    const at = (x, y) => [stage.x + stage.width * x, stage.y + stage.height * y];
    await page.mouse.move(...at(0.95, 0.5));
    await page.mouse.down();
    await page.mouse.move(...at(0.5, 0.5), { steps: 4 });
    await page.mouse.up();
    assert.match(await label(page), /Slider at 50 %/);
    assert.equal(await sum(page), half);
    await page.locator(".stage").press("ArrowLeft");
    assert.match(await label(page), /Slider at 48 %/);

    // The heat map is on the right of the slider alone.
    const before = [await pixel(page, 0.3, 0.4), await pixel(page, 0.7, 0.4)];
    await page.getByRole("button", { name: "Heat map" }).click();
    assert.deepEqual(await pixel(page, 0.3, 0.4), before[0]);
    assert.notDeepEqual(await pixel(page, 0.7, 0.4), before[1]);
    assert.match(await text(page, ".tag.right"), /^error of bc1$/);
    const scaled = await sum(page);
    await page.locator(".end").selectOption("4");
    assert.notEqual(await sum(page), scaled);
    await page.locator(".stage").press("h");
    assert.deepEqual(await pixel(page, 0.7, 0.4), before[1]);

    // Zoom: a texel becomes a square of one colour.
    await page.keyboard.press("1");
    assert.equal(await text(page, ".zoom"), "100 %");
    await page.mouse.move(...at(0.2, 0.2));
    await page.mouse.wheel(0, -2000);
    const zoom = parseInt(await text(page, ".zoom"), 10);
    assert.ok(zoom > 1000, `${zoom}`);
    assert.match(await text(page, ".readout"), /^x \d+, y \d+ {4}original \d+ \d+ \d+ {4}bc1 \d+ \d+ \d+ {4}largest/);
    const colors = await page.evaluate(() => {
        const canvas = document.querySelector("canvas");
        const row = canvas.getContext("2d").getImageData(0, 100, 400, 1).data;
        return new Set(Array.from({ length: 400 }, (_, x) => row.slice(4 * x, 4 * x + 3).join())).size;
    });
    assert.ok(colors < 60, `${colors} colours`);
    const zoomed = await sum(page);
    await page.locator(".stage").press("ArrowRight");
    assert.notEqual(await sum(page), zoomed);
    await page.keyboard.press("0");

    // Mip levels, channels, other textures.
    const views = page.locator("section.texture.current .view");
    assert.equal(await views.count(), 11);
    assert.match(await views.nth(1).innerText(), /^Endpoints of blocks$/);
    let number = await settled(page);
    const full = await sum(page);
    // Each half of a block has one colour: the first endpoint, then the second one.
    await views.nth(1).click();
    number = await settled(page, number);
    assert.match(await label(page), /^Endpoints of blocks\./);
    assert.equal(await page.locator(".heat").isDisabled(), true);
    const halves = await views.nth(1).locator("img.texture").evaluate((image) => {
        const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, 64, 64);
        const at = (x, y) => [...data.slice(4 * (64 * y + x), 4 * (64 * y + x) + 3)].join();
        return Array.from({ length: 64 * 64 }, (_, i) => [i % 64, i >> 6])
            .every(([x, y]) => at(x, y) === at(x & ~1, y & ~3));
    });
    assert.ok(halves);
    await views.nth(6).click();
    number = await settled(page, number);
    assert.notEqual(await sum(page), full);
    assert.match(await label(page), /^Level 5 · 24×16\./);
    assert.equal(await page.locator(".heat").isDisabled(), true);
    await page.keyboard.press("]");
    number = await settled(page, number);
    assert.match(await text(page, "section.texture.current h2"), /<img src=x onerror=.*>\.ktx2$/);
    await page.locator(".channel").selectOption("1");
    const [red, green, blue] = await pixel(page, 0.6, 0.6);
    assert.ok(red === green && green === blue);
    await page.locator(".channel").selectOption("all");
    await page.locator(".stage").press("[");
    number = await settled(page, number);
    await page.locator(".stage").press("[");
    await settled(page, number);
    // BC4 beside its red alone.
    const [grey, , also] = await pixel(page, 0.3, 0.4);
    assert.equal(grey, also);

    // Figures, and the other theme.
    const table = await text(page, "table");
    for (const word of ["Bits per texel", "PSNR, RGB", "SSIM", "Encoding time", "KTX2, Zstandard"]) {
        assert.ok(table.includes(word), word);
    }
    await checkThemes(page);
    const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, select, input")]
        .filter((e) => !(e.innerText || e.getAttribute("aria-label") || e.labels?.length)).length);
    assert.equal(unnamed, 0);
    await close();
}

/** Nothing is wider than a phone, and a finger moves the slider. */
async function fitsPhones(name) {
    const { page, close } = await openDrawn(name, PHONE);
    await checkWidth(page, name);
    const before = await sum(page);
    const stage = await page.locator(".stage").boundingBox();
    await page.touchscreen.tap(stage.x + stage.width * 0.2, stage.y + stage.height * 0.5);
    assert.notEqual(await sum(page), before);
    assert.match(await label(page), /Slider at 20 %/);
    await close();
}

/** Pictures that are reduced have a part that is not. */
async function showsDetail() {
    assert.ok(statSync("reduced.html").size <= 900 * 1024);
    const { page, close } = await openDrawn("reduced.html", DESKTOP);
    assert.match(await text(page, ".lead"), /a pixel of the pictures shows \d×\d texels/);
    const number = await settled(page);
    await page.keyboard.press(".");
    await settled(page, number);
    assert.match(await label(page), /^Largest errors · \d+×\d+\./);
    await close();
}

/** Normals of x and y have z, and light from the upper left. */
async function showsNormals() {
    const { page, close } = await openDrawn("normals.html", DESKTOP);
    const choice = page.locator(".channel");
    assert.equal(await choice.inputValue(), "z");
    const places = [[0.31, 0.42], [0.71, 0.63]];
    const normals = [];
    for (const [x, y] of places) {
        const texel = await pixel(page, x, y);
        const [nx, ny] = texel.map((value) => value / 127.5 - 1);
        const nz = Math.sqrt(1 - nx * nx - ny * ny);
        assert.ok(Math.abs(texel[2] - (nz + 1) * 127.5) <= 1, `${texel}`);
        normals.push([nx, ny, nz]);
    }
    await choice.selectOption("lit");
    assert.equal(await page.locator(".light").inputValue(), "135");
    for (const [i, [x, y]] of places.entries()) {
        const [grey, also] = await pixel(page, x, y);
        // The light is (−½, ½, √½).
        const [nx, ny, nz] = normals[i];
        const expected = 255 * (-nx / 2 + ny / 2 + nz * Math.SQRT1_2);
        assert.ok(grey === also && Math.abs(grey - expected) <= 1, `${grey}, not ${expected}`);
    }
    const before = await sum(page);
    await page.locator(".light").press("ArrowRight");
    assert.notEqual(await sum(page), before);
    // The endpoints of blocks are no normals.
    const number = await settled(page);
    await page.keyboard.press(".");
    await settled(page, number);
    const [red, green, blue] = await pixel(page, 0.31, 0.42);
    assert.ok(red !== green && blue === 0, `${red} ${green} ${blue}`);
    await close();
}

/** Light may be displayed at another exposure: −1 of the page and the slider's 2 are 4 times the light. */
async function exposes() {
    const { page, close } = await openDrawn("hdr.html", DESKTOP);
    const light = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    const places = [[0.2, 0.3], [0.35, 0.6], [0.7, 0.4], [0.85, 0.7]];
    const at = () => Promise.all(places.map(([x, y]) => pixel(page, x, y)));
    const before = await at();
    await page.locator(".exposure").fill("2");
    assert.equal(await text(page, ".stops"), "+2 EV");
    const after = await at();
    let checked = 0;
    for (const [i, texel] of after.entries()) {
        for (const c of [0, 1, 2]) {
            if (before[i][c] < 30 || before[i][c] > 250) continue;
            // Rounding of the number before, and 1 of 128 of the light.
            const [low, high] = [-0.5, 0.5].map((half) => 4 * light(before[i][c] + half));
            const shown = light(texel[c]);
            assert.ok(shown >= Math.min(0.98, low * 0.97) && shown <= high * 1.03, `${before[i]}: ${texel}`);
            checked += 1;
        }
    }
    assert.ok(checked >= 6, `${checked}`);
    await page.locator(".exposure").fill("0");
    assert.deepEqual(await at(), before);
    await close();
}

/** Packed data is shown by channel: three grey pictures of the same texels. */
async function showsChannels() {
    const { page, close } = await openDrawn("data.html", DESKTOP);
    assert.equal(await page.locator(".channel").inputValue(), "tiles");
    const stage = await page.locator(".stage").boundingBox();
    const tones = [];
    for (const tile of [0, 1, 2]) {
        const y = (tile + 0.5) / 3;
        await page.mouse.move(stage.x + stage.width * 0.5, stage.y + stage.height * y);
        const [, column, row] = (await text(page, ".readout")).match(/^x (\d+), y (\d+) /).map(Number);
        assert.ok(Math.abs(column - 384) < 5 && Math.abs(row - 256) < 5, `${column}, ${row}`);
        const [red, green, blue] = await pixel(page, 0.45, y);
        assert.ok(red === green && green === blue);
        tones.push(red);
    }
    assert.equal(new Set(tones).size, 3);
    // A heat map has no tiles.
    await page.keyboard.press("h");
    await page.mouse.move(stage.x + stage.width * 0.5, stage.y + stage.height * 0.5);
    assert.match(await text(page, ".readout"), /^x 38\d, y 25\d /);
    await close();
}

/** Without scripts, the pictures and figures remain. */
async function worksWithoutScripts() {
    const { page, close } = await openWithoutScripts("report.html", DESKTOP);
    assert.equal(await page.locator("table").isVisible(), true);
    assert.equal(await page.locator("#original-0 img").first().isVisible(), true);
    assert.equal(await page.locator(".stage").isVisible(), false);
    await close();
}

try {
    await usesAll();
    for (const name of pages) await fitsPhones(name);
    await showsDetail();
    await showsNormals();
    await showsChannels();
    await exposes();
    await worksWithoutScripts();
    if (shots) for (const name of pages) await screenshots(name, shots, openDrawn);
    console.log(`${pages.join(", ")}: slider, zoom, heat map, mip levels and phones work`);
} finally {
    await browser.close();
}
