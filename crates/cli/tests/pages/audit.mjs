// Opens a page of `brickwork audit` in headless Chromium and uses it. Run by .ci/pages, in a folder with the page
// audit.html; a folder at the end receives screenshots.

import {
    DESKTOP, PHONE, browser, checkThemes, checkWidth, open, openWithoutScripts, screenshots,
} from "./browser.mjs";
import assert from "node:assert/strict";

const [name, shots] = process.argv.slice(2);

/** Returns the numbers by which a column is sorted, from the first row to the last. */
const column = (page, number) => page.evaluate((number) =>
    [...document.querySelectorAll(".files tbody tr")].map((row) => Number(row.cells[number].dataset.value)), number);

const isSorted = (numbers) => numbers.every((number, i) => i === 0 || numbers[i - 1] <= number);

async function sorts() {
    const { page, close } = await open(name, DESKTOP);
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
    await checkThemes(page);
    await close();
}

async function fitsPhones() {
    const { page, close } = await open(name, PHONE);
    await checkWidth(page, name);
    const table = await page.locator(".scroll").evaluate((scroll) => scroll.scrollWidth - scroll.clientWidth);
    assert.ok(table <= 1, `the table is wider by ${table}`);
    await close();
}

async function worksWithoutScripts() {
    const { page, close } = await openWithoutScripts(name, PHONE);
    assert.equal(await page.locator(".files tbody tr").first().isVisible(), true);
    assert.equal(await page.locator("#theme").isVisible(), false);
    await close();
}

try {
    await sorts();
    await fitsPhones();
    await worksWithoutScripts();
    if (shots) await screenshots(name, shots);
    console.log(`${name}: sorting, themes and phones work`);
} finally {
    await browser.close();
}
