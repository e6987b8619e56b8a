// Opens pages of `brickwork report` for two folders in headless Chromium and uses them. Run by .ci/pages, in a
// folder with the pages folders.html and few.html; a folder at the end receives screenshots.

import {
    DESKTOP, PHONE, browser, checkThemes, checkWidth, open, openWithoutScripts, screenshots,
} from "./browser.mjs";
import assert from "node:assert/strict";
import { statSync } from "node:fs";

const [name, few, shots] = process.argv.slice(2);

const rows = (page) => page.locator(".files tbody tr");

/** Returns the numbers by which a column is sorted, from the first row to the last; null without a number. */
const column = (page, label) => page.evaluate((label) =>
    [...document.querySelectorAll(`.files td[data-label="${label}"]`)].map(({ dataset: { value } }) =>
        value === "" ? null : Number(value)), label);

/** The button of a column, whose name does not contain the arrow. */
const heading = (page, label) => page.locator(".sort").getByText(label, { exact: true });

const isSorted = (numbers) => numbers.every((number, i) => i === 0 || numbers[i - 1] <= number);

/** Follows the link of a row, waits until the pictures of its section are drawn, and returns the section. */
async function follow(page, row) {
    const link = rows(page).nth(row).locator("th a");
    const id = (await link.getAttribute("href")).slice(1);
    await link.click();
    await page.waitForFunction((id) => Number(document.querySelector(`#${id} .comparison`).dataset.ready) > 0, id);
    const section = page.locator(`#${id}`);
    const { y } = await section.locator("h2").boundingBox();
    assert.ok(y > -100 && y < page.viewportSize().height, `${id} is at ${y}`);
    return section;
}

/** Waits until the first section has its pictures again. */
const firstIsDrawn = (page) => page.waitForFunction(() => document.querySelector(".pair canvas").width > 1);

const label = (section) => section.locator(".stage").getAttribute("aria-label");

/** Returns a number that changes with the pixels of a section's canvas. */
const sum = (section) => section.locator("canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.reduce((sum, value) => (Math.imul(sum, 31) + value) | 0, 0);
});

async function sorts() {
    const { page, close } = await open(name, DESKTOP);
    assert.match(await page.title(), /before and .*after$/);
    assert.equal(await rows(page).count(), 4);
    assert.ok(isSorted(await column(page, "PSNR")));
    await heading(page, "Memory").click();
    assert.ok(isSorted((await column(page, "Memory")).reverse()));
    await heading(page, "Memory").click();
    assert.ok(isSorted(await column(page, "Memory")));
    // Rows without a number are last in both orders.
    for (let order = 0; order < 2; order++) {
        await heading(page, "mPSNR").click();
        const [first, ...rest] = await column(page, "mPSNR");
        assert.ok(first > 0 && rest.length === 3 && rest.every((value) => value === null), `${first}, ${rest}`);
    }
    // Rows and sections of one kind.
    const kinds = page.locator(".filters select").first();
    await kinds.selectOption("HDR");
    assert.deepEqual(await rows(page).locator("visible=true").locator("th a").allInnerTexts(), ["lobby"]);
    assert.equal(await page.locator(".pair").locator("visible=true").count(), 1);
    await kinds.selectOption("");
    assert.equal(await page.locator(".pair").locator("visible=true").count(), 4);
    // Thumbnails are over a checkerboard and left of the names.
    const [thumb, link] = [rows(page).first().locator(".thumb img").first(), rows(page).first().locator("th a")];
    assert.match(await thumb.evaluate((image) => getComputedStyle(image).backgroundImage), /^repeating-conic-gradient/);
    const [left, right] = [await thumb.boundingBox(), await link.boundingBox()];
    assert.ok(left.x + left.width <= right.x, `${left.x} + ${left.width}, ${right.x}`);
    await heading(page, "Pair").press("Enter");
    assert.match(await rows(page).first().locator("bdi").innerText(), /^<img src=x onerror=.*>$/);
    const text = await page.locator("main").innerText();
    for (const word of ["before/alone: has no partner in after", "after/broken.png: ", "mPSNR"]) {
        assert.ok(text.includes(word), word);
    }
    await checkThemes(page);
    await close();
}

/** Each section has a slider of its own, and keys are those of the section that was used last. */
async function usesSections() {
    const { page, close } = await open(name, DESKTOP);
    const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((element) => element.id));
    assert.equal(new Set(ids).size, ids.length);
    const first = await follow(page, 0);
    const second = await follow(page, 1);
    const half = await sum(second);
    const stage = await second.locator(".stage").boundingBox();
    await page.mouse.click(stage.x + stage.width * 0.8, stage.y + stage.height * 0.5);
    assert.match(await label(second), /Slider at 80 %/);
    assert.notEqual(await sum(second), half);
    await second.locator(".split input").press("End");
    assert.match(await label(second), /Slider at 100 %/);
    await page.keyboard.press("1");
    assert.equal(await second.locator(".zoom").innerText(), "100 %");
    await second.getByRole("button", { name: "Heat map" }).click();
    assert.match(await label(second), /heat map of the error/);
    await follow(page, 0);
    assert.match(await label(first), /Slider at 50 %/);
    assert.equal(await first.locator(".heat").getAttribute("aria-pressed"), "false");
    await close();
}

/** The wheel scrolls the page, also above stages. It zooms after a click, or with Ctrl. */
async function scrollsOverStages() {
    const { page, close } = await open(name, DESKTOP);
    const first = await follow(page, 0);
    const top = await page.evaluate(() => window.scrollY);
    const zoom = async () => parseInt(await first.locator(".zoom").innerText(), 10);
    const pointAt = async (section) => {
        const stage = await section.locator(".stage").boundingBox();
        await page.mouse.move(stage.x + stage.width / 2, stage.y + stage.height / 2);
    };
    const fitting = await zoom();
    await pointAt(first);
    for (let i = 0; i < 40; i++) await page.mouse.wheel(0, 120);
    await page.waitForFunction((top) => window.scrollY > top + 2000, top);
    await follow(page, 0);
    await firstIsDrawn(page);
    await pointAt(first);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -400);
    await page.keyboard.up("Control");
    const zoomed = await zoom();
    assert.ok(zoomed > fitting, `${zoomed} %, before ${fitting} %`);
    await first.locator(".stage").click();
    await page.mouse.wheel(0, -400);
    assert.ok((await zoom()) > zoomed, `${await zoom()} %, before ${zoomed} %`);
    // Zoomed out, the page scrolls again.
    const before = await page.evaluate(() => window.scrollY);
    for (let i = 0; i < 40; i++) await page.mouse.wheel(0, 120);
    await page.waitForFunction((before) => window.scrollY > before + 200, before);
    await close();
}

/** Keys change no viewer without pictures. */
async function keysAreOfVisibleSections() {
    const { page, close } = await open(name, DESKTOP);
    const first = await follow(page, 0);
    await first.locator(".stage").click();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.waitForFunction(() => document.querySelector(".pair canvas").width === 1);
    for (const key of ["o", ".", "ArrowRight"]) await page.keyboard.press(key);
    await page.evaluate(() => document.querySelector(".pair").scrollIntoView());
    await firstIsDrawn(page);
    assert.match(await label(first), /Slider at 50 %/);
    assert.equal(await first.locator(".view").first().getAttribute("aria-current"), "true");
    // The stage has the focus still.
    await page.keyboard.press("o");
    assert.match(await label(first), /Slider at 100 %/);
    await close();
}

/** Pictures of sections far from the window are released, and loaded again. */
async function releasesPictures() {
    const { page, close } = await open(name, DESKTOP);
    const first = await follow(page, 0);
    const drawn = await sum(first);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.waitForFunction(() => document.querySelector(".pair canvas").width === 1);
    await follow(page, 0);
    await firstIsDrawn(page);
    assert.equal(await sum(first), drawn);
    await close();
}

async function fitsPhones(name) {
    const { page, close } = await open(name, PHONE);
    await checkWidth(page, name);
    const table = await page.locator(".scroll").first().evaluate((scroll) => scroll.scrollWidth - scroll.clientWidth);
    assert.ok(table <= 1, `the table is wider by ${table}`);
    await close();
}

/** Printed sections have their pictures, although no viewer has drawn them. */
async function prints() {
    const { page, close } = await open(name, DESKTOP);
    await page.emulateMedia({ media: "print" });
    const last = page.locator(".pair").last();
    assert.equal(await last.locator(".originals img").first().isVisible(), true);
    assert.equal(await last.locator(".stage").isVisible(), false);
    await close();
}

/** A small page has pictures of the worst pairs alone. */
async function keepsTheLimit() {
    assert.ok(statSync(few).size <= 280 * 1024);
    const { page, close } = await open(few, DESKTOP);
    const links = await rows(page).evaluateAll((rows) => rows.map((row) => row.querySelector("th a") !== null));
    assert.ok(links[0] && !links.at(-1), `${links}`);
    assert.match(await page.locator(".lead").first().innerText(), /pairs? with the smallest errors ha(s|ve) no pictures/);
    await follow(page, 0);
    await close();
}

async function worksWithoutScripts() {
    const { page, close } = await openWithoutScripts(name, PHONE);
    assert.equal(await rows(page).first().isVisible(), true);
    assert.equal(await page.locator(".pair .originals img").first().isVisible(), true);
    assert.equal(await page.locator(".stage").first().isVisible(), false);
    // Thumbnails are not cut off.
    for (const image of await page.locator(".view img.texture").all()) {
        const { x, width } = await image.boundingBox();
        assert.ok(x + width <= PHONE.viewport.width, `a thumbnail ends at ${x + width}`);
    }
    await close();
}

try {
    await sorts();
    await usesSections();
    await scrollsOverStages();
    await keysAreOfVisibleSections();
    await releasesPictures();
    await prints();
    for (const page of [name, few]) await fitsPhones(page);
    await keepsTheLimit();
    await worksWithoutScripts();
    if (shots) await screenshots(name, shots);
    console.log(`${name}, ${few}: sorting, links, several viewers, the limit and phones work`);
} finally {
    await browser.close();
}
