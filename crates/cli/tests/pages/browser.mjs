// Headless Chromium, for the tests of pages. .ci/pages installs it.

import { chromium } from "playwright-core";
import assert from "node:assert/strict";
import { resolve } from "node:path";

export const DESKTOP = { viewport: { width: 1280, height: 900 } };
export const PHONE = {
    viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true,
};

export const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
        "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync",
    ],
});

/** Opens a page, which must request nothing and report no error. `close` checks that. */
export async function open(name, options) {
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

/** Opens a page in a browser that runs no scripts. */
export const openWithoutScripts = (name, options) => open(name, { ...options, javaScriptEnabled: false });

/** Checks that nothing is wider than the window. */
export async function checkWidth(page, name) {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    // The inner width of a phone's window grows with its contents.
    const inner = page.viewportSize().width;
    assert.ok(width <= inner, `${name}: ${width} of ${inner}`);
}

/** Checks that the button changes between the light and the dark theme. */
export async function checkThemes(page) {
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await back();
    await page.getByRole("button", { name: "Dark" }).click();
    assert.notEqual(await back(), light);
}

/** Writes screenshots of a page to a folder. `openPage` opens it, as `open` does. */
export async function screenshots(name, folder, openPage = open) {
    for (const [device, options] of [["desktop", DESKTOP], ["phone", PHONE]]) {
        for (const colorScheme of ["light", "dark"]) {
            const { page, close } = await openPage(name, { ...options, colorScheme });
            const path = `${folder}/${name.replace(".html", "")}-${device}-${colorScheme}.png`;
            await page.screenshot({ path, fullPage: true });
            await close();
        }
    }
}
