// Measurements in headless Chromium on SwiftShader, a GPU that the CPU emulates: the CPU time until the first
// texture, and long tasks on the page's thread.

import { setTimeout as sleep } from "node:timers/promises";
import { files, openBrowser } from "../test/browser.mjs";
import { png, texels } from "../test/images.mjs";
import { startedSeconds } from "./processes.mjs";

/** Number of browsers or pages for each measurement, of which the median counts. */
const RUNS = 3;

/** Side of the first texture in texels, and the largest side of images whose encoding has no long task. */
const [FIRST_SIDE, LARGE_SIDE] = [512, 2048];

const MAX_CPU_SECONDS = 2;

/** Tasks that take longer are long, by the specification of long tasks. */
const MAX_TASK_MS = 50;

/** Encodings without long tasks: description and code for the page. */
const ENCODINGS = {
    "PNG file to a texture with mip levels": `encodeTexture("/large.png", { ...options, mips: true })`,
    "PNG file to blocks": `encodeBlocks("/large.png", options)`,
    "texels in memory to a texture": `encodeTexture(window.texels, options)`,
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const file = (side) => png(side, side, texels(side, side, false), false);

/** Waits until the browser has nothing to do. */
async function settle() {
    let last = startedSeconds();
    for (let i = 0; i < 20; i++) {
        await sleep(500);
        const now = startedSeconds();
        if (now - last < 0.05) return;
        last = now;
    }
    throw new Error("the browser does not become idle");
}

// Runs in the page.
async function encodeFirst(quality) {
    const start = performance.now();
    const { Brickwork } = await import("/dist/index.js");
    const brickwork = await Brickwork.create(undefined, { encoder: "gpu", cacheBytes: 0 });
    const { texture } = await brickwork.encodeTexture("/first.png", { format: "bc7", quality });
    return { side: texture.width, seconds: (performance.now() - start) / 1000 };
}

/** Returns CPU and wall seconds of a new browser, from a page that is loaded to its first texture. */
async function firstTexture(quality) {
    const { browser, address, close } = await openBrowser();
    try {
        const page = await browser.newPage();
        await page.goto(`${address}/`);
        await settle();
        const before = startedSeconds();
        const { side, seconds } = await page.evaluate(encodeFirst, quality);
        if (side !== FIRST_SIDE) throw new Error(`the texture has ${side} texels along a side`);
        return { cpu: startedSeconds() - before, wall: seconds };
    } finally {
        await close();
    }
}

/** Returns the rows of the first texture. */
export async function firstTextureRows() {
    files.set("/first.png", file(FIRST_SIDE));
    const rows = [];
    for (const level of [1, 2]) {
        const times = [];
        for (let i = 0; i < RUNS; i++) times.push(await firstTexture(`real-time-${level}`));
        const name = `first ${FIRST_SIDE}² texture of BC7, real time ${level}`;
        const [cpu, wall] = ["cpu", "wall"].map((kind) => median(times.map((time) => time[kind])));
        rows.push({
            name: `${name}: CPU time of all of Chromium's processes`,
            goal: `≤ ${MAX_CPU_SECONDS} s`,
            measured: `${cpu.toFixed(2)} s`,
            isReached: cpu <= MAX_CPU_SECONDS,
        });
        rows.push({ name: `${name}: wall time`, measured: `${wall.toFixed(2)} s` });
    }
    return rows;
}

// Runs in the page. Returns the milliseconds of the longest task; 0 if no task is long.
async function longestTask(code) {
    const tasks = [];
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
    observer.observe({ type: "longtask" });
    const { Brickwork } = await import("/dist/index.js");
    const brickwork = await Brickwork.create(undefined, { encoder: "gpu", cacheBytes: 0 });
    const options = { format: "bc7", quality: "real-time-1" };
    await new Function("brickwork", "options", `return brickwork.${code}`)(brickwork, options);
    await new Promise((resolve) => setTimeout(resolve, 200));
    tasks.push(...observer.takeRecords());
    brickwork.dispose();
    return tasks.reduce((most, { duration }) => Math.max(most, duration), 0);
}

/** Returns the rows of long tasks. */
export async function longTaskRows() {
    files.set("/large.png", file(LARGE_SIDE));
    const { browser, address, close } = await openBrowser();
    try {
        const rows = [];
        for (const [name, code] of Object.entries(ENCODINGS)) {
            const longest = [];
            for (let i = 0; i < RUNS; i++) {
                const page = await browser.newPage();
                await page.goto(`${address}/`);
                // (Before the measurement: the caller's own texels.)
                await page.evaluate((side) => {
                    const data = new Uint8Array(4 * side * side).map((_, i) => (i * 7) ^ (i >> 9));
                    window.texels = { data, width: side, height: side };
                }, LARGE_SIDE);
                await settle();
                longest.push(await page.evaluate(longestTask, code));
                await page.close();
            }
            const most = median(longest);
            rows.push({
                name: `${LARGE_SIDE}², ${name}: longest task on the page's thread`,
                goal: `≤ ${MAX_TASK_MS} ms`,
                measured: most === 0 ? `at most ${MAX_TASK_MS} ms` : `${most.toFixed(0)} ms`,
                isReached: most <= MAX_TASK_MS,
            });
        }
        return { rows, chromium: browser.version() };
    } finally {
        await close();
    }
}
