// Opens a page of `brickwork audit` in headless Chromium and uses it. Run by .ci/pages, in a folder with the page
// audit.html; a folder at the end receives screenshots.

import { chromium } from "playwright-core";
import assert from "node:assert/strict";
import { resolve } from "node:path";

const [name, shots] = process.argv.slice(2);
const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
        "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync",
    ],
});

/** Opens the page, which must request nothing and report no error. */
async function open(options) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const wrong = [];
    page.on("pageerror", (error) => wrong.push(error.message));
    page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
    page.on("request", (request) => {
        if (!/^(file|data|blob):/.test(request.url())) wrong.push(request.url());
    });
    await page.goto(`file://${resolve(name)}`);
    return { page, close: () => context.close().then(() => assert.deepEqual(wrong, [], name)) };
}

/** Returns the numbers by which a column is sorted, from the first row to the last. */
const column = (page, number) => page.evaluate((number) =>
    [...document.querySelectorAll(".files tbody tr")].map((row) => Number(row.cells[number].dataset.value)), number);

const isSorted = (numbers) => numbers.every((number, i) => i === 0 || numbers[i - 1] <= number);

async function sorts() {
    const { page, close } = await open(DESKTOP);
    assert.match(await page.title(), /^Audit of .*art$/);
    assert.equal(await page.locator(".files tbody tr").count(), 5);
    assert.ok(isSorted((await column(page, 5)).reverse()));
    await page.getByRole("button", { name: "Memory" }).click();
    assert.ok(isSorted((await column(page, 2)).reverse()));
    await page.getByRole("button", { name: "Memory" }).click();
    assert.ok(isSorted(await column(page, 2)));
    assert.equal(await page.locator("[aria-sort]").getAttribute("aria-sort"), "ascending");
    await page.getByRole("button", { name: "File" }).press("Enter");
    const names = await page.locator(".files tbody th bdi").allInnerTexts();
    assert.match(names[0], /<img src=x onerror=.*>\.png$/);
    const text = await page.locator("main").innerText();
    for (const word of ["GPU memory today", "metallicRoughnessTexture", "broken.png: PNG", "lost.png does not exist"]) {
        assert.ok(text.includes(word), word);
    }
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await back();
    await page.getByRole("button", { name: "Dark" }).click();
    assert.notEqual(await back(), light);
    await close();
}

async function fitsPhones() {
    const { page, close } = await open(PHONE);
    const [width, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok(width <= inner, `${width} of ${inner}`);
    const table = await page.locator(".scroll").evaluate((scroll) => scroll.scrollWidth - scroll.clientWidth);
    assert.ok(table <= 1, `the table is wider by ${table}`);
    await close();
}

async function worksWithoutScripts() {
    const context = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`file://${resolve(name)}`);
    assert.equal(await page.locator(".files tbody tr").first().isVisible(), true);
    assert.equal(await page.locator("#theme").isVisible(), false);
    await context.close();
}

async function screenshots() {
    for (const [device, options] of [["desktop", DESKTOP], ["phone", PHONE]]) {
        for (const colorScheme of ["light", "dark"]) {
            const { page, close } = await open({ ...options, colorScheme });
            await page.screenshot({ path: `${shots}/audit-${device}-${colorScheme}.png`, fullPage: true });
            await close();
        }
    }
}

try {
    await sorts();
    await fitsPhones();
    await worksWithoutScripts();
    if (shots) await screenshots();
    console.log(`${name}: sorting, themes and phones work`);
} finally {
    await browser.close();
}
