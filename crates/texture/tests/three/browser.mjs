// Opens show.html of the current folder in headless Chromium.

import { chromium } from "playwright-core";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".png": "image/png", ".wasm": "application/wasm" };

/** Returns the page, and a function that closes it. */
export async function openPage() {
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
            "--disable-component-update", "--disable-sync", "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
        ],
    });
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.log(error.message));
    await page.goto(`http://127.0.0.1:${server.address().port}/show.html`);
    await page.waitForFunction(() => window.compare);
    const close = async () => {
        await browser.close();
        server.close();
    };
    return { page, close };
}
