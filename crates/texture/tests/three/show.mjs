// Opens show.html in headless Chromium for each DDS file of the command line, and fails if a pixel differs from
// NAME.png by more than the rounding of a conversion to sRGB. Run by .ci/three, in a folder with all files.

import { chromium } from "playwright-core";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".png": "image/png" };
const LARGEST = 1;

const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    try {
        const bytes = readFileSync(`.${path}`);
        response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream");
        response.end(bytes);
    } catch {
        response.statusCode = 404;
        response.end();
    }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
        "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
        "--ignore-gpu-blocklist",
    ],
});
let failed = 0;
try {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.log(error.message));
    await page.goto(`http://127.0.0.1:${server.address().port}/show.html`);
    await page.waitForFunction(() => window.compare);
    for (const name of process.argv.slice(2)) {
        const found = await page.evaluate((name) => window.compare(name), name);
        const isRight = found.error === 0 && found.levels > 1 && found.largest <= LARGEST;
        console.log(name, JSON.stringify(found), isRight ? "" : "WRONG");
        failed += isRight ? 0 : 1;
    }
} finally {
    await browser.close();
    server.close();
}
process.exitCode = failed === 0 ? 0 : 1;
