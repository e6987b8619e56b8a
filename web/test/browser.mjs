// Headless Chromium on SwiftShader, and a page that can import the package.
//
// Environment: CHROMIUM is the browser's path.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const FOLDERS = ["/dist/", "/dist-site/"];
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
};

/**
 * Files that the server has besides the package, by path. In the folder `no-ranges` it ignores ranges. Pages
 * of other origins may read the folder `shared`, but not its headers `Content-Range`.
 */
export const files = new Map();

/** Requests of these files. */
export const requests = [];

/** Arguments with which headless Chromium shows canvases of WebGPU. Without them, it loses their device. */
const CANVASES = [
    "--enable-features=Vulkan",
    "--use-vulkan=swiftshader",
    "--use-angle=swiftshader",
    "--ignore-gpu-blocklist",
];

/**
 * Opens a server and a browser. `close` ends both. Pages take SwiftShader for a GPU, unless `isSoftware`: on
 * software adapters, the CPU encodes.
 */
export async function openBrowser({ webgpu = true, canvases = false, isSoftware = false } = {}) {
    const server = createServer(respond);
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: [
            "--no-sandbox",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-quic",
            "--disable-sync",
            ...(webgpu
                ? ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"]
                : ["--disable-features=WebGPU"]),
            ...(canvases ? CANVASES : []),
        ],
    });
    const newPage = browser.newPage.bind(browser);
    browser.newPage = async (options) => {
        const page = await newPage(options);
        if (!isSoftware) await page.addInitScript(hideSoftware);
        return page;
    };
    const address = `http://127.0.0.1:${server.address().port}`;
    const close = async () => {
        await browser.close();
        server.close();
    };
    return { browser, address, close };
}

/** Opens a page. `close` ends the browser and the server. */
export async function openPage(options) {
    const { browser, address, close } = await openBrowser(options);
    const page = await browser.newPage();
    await page.goto(`${address}/`);
    await page.evaluate(prepare);
    return { page, address, close };
}

// Runs in a page before its scripts.
function hideSoftware() {
    if (typeof GPUAdapterInfo !== "function") return;
    Object.defineProperty(GPUAdapterInfo.prototype, "isFallbackAdapter", { get: () => false });
}

/** Runs in a page before its scripts: hides features of adapters whose names match. */
export function hideFeatures(pattern) {
    const { get } = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, "features");
    Object.defineProperty(GPUAdapter.prototype, "features", {
        get() {
            return new Set([...get.call(this)].filter((name) => !new RegExp(pattern).test(name)));
        },
    });
}

// Runs in the page.
async function prepare() {
    const module = await import("/dist/index.js");
    window.brickwork = module;
    window.toBase64 = (bytes) => {
        let text = "";
        for (let at = 0; at < bytes.length; at += 0x8000) {
            text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
        }
        return btoa(text);
    };
    // The code of the error that a call throws.
    window.codeOf = async (call) => {
        try {
            await call();
            return "none";
        } catch (error) {
            return error instanceof module.BrickworkError ? error.code : `${error.name}: ${error.message}`;
        }
    };
}

/** Runs in a page: defines `numbers`, which returns what shaders read from a mip level of a texture. */
export function defineNumbers() {
    // (In SwiftShader, compute shaders read zeros from blocks.)
    const code = `
        @group(0) @binding(0) var image: texture_2d<f32>;

        @vertex
        fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
            return vec4f(f32(i & 1) * 4 - 1, f32(i >> 1) * 4 - 1, 0, 1);
        }

        @fragment
        fn number(@builtin(position) at: vec4f) -> @location(0) vec4f {
            return textureLoad(image, vec2u(at.xy), 0);
        }
    `;
    window.numbers = async (device, texture, level) => {
        const [width, height] = [texture.width, texture.height].map((side) => Math.max(1, side >> level));
        const bytesPerRow = Math.ceil((16 * width) / 256) * 256;
        const { COPY_SRC, RENDER_ATTACHMENT } = GPUTextureUsage;
        const target = device.createTexture({
            size: [width, height],
            format: "rgba32float",
            usage: COPY_SRC | RENDER_ATTACHMENT,
        });
        const { COPY_DST, MAP_READ } = GPUBufferUsage;
        const staging = device.createBuffer({ size: bytesPerRow * height, usage: COPY_DST | MAP_READ });
        const module = device.createShaderModule({ code });
        const pipeline = device.createRenderPipeline({
            layout: "auto",
            vertex: { module },
            fragment: { module, targets: [{ format: "rgba32float" }] },
        });
        const resource = texture.createView({ baseMipLevel: level, mipLevelCount: 1 });
        const entries = [{ binding: 0, resource }];
        const commands = device.createCommandEncoder();
        const pass = commands.beginRenderPass({
            colorAttachments: [{ view: target.createView(), loadOp: "clear", storeOp: "store" }],
        });
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
        pass.draw(3);
        pass.end();
        commands.copyTextureToBuffer({ texture: target }, { buffer: staging, bytesPerRow }, [width, height]);
        device.queue.submit([commands.finish()]);
        await staging.mapAsync(GPUMapMode.READ);
        const padded = new Float32Array(staging.getMappedRange());
        const rows = Array.from({ length: height }, (_, y) => {
            const start = (y * bytesPerRow) / 4;
            return [...padded.subarray(start, start + 4 * width)];
        });
        return new Float32Array(rows.flat());
    };
}

async function respond(request, response) {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    let body = files.get(path);
    if (path === "/") body = "<!doctype html><title>test</title>";
    if (body === undefined && FOLDERS.some((folder) => path.startsWith(folder)) && !path.includes("..")) {
        body = await readFile(ROOT + path).catch(() => undefined);
    }
    const type = path === "/" ? ".html" : extname(path);
    const headers = { "content-type": TYPES[type] ?? "application/octet-stream" };
    const { method } = request;
    const { range } = request.headers;
    if (files.has(path)) requests.push({ path, method, range });
    if (path.startsWith("/shared/")) headers["access-control-allow-origin"] = "*";
    const [, first, last] = /^bytes=(\d*)-(\d+)$/.exec(range ?? "") ?? [];
    if (first !== undefined && Buffer.isBuffer(body) && !path.startsWith("/no-ranges/")) {
        // (Without a first byte, these are the last ones.)
        const [start, end] = first
            ? [Number(first), Math.min(Number(last) + 1, body.length)]
            : [Math.max(0, body.length - Number(last)), body.length];
        headers["content-range"] = `bytes ${start}-${end - 1}/${body.length}`;
        response.writeHead(206, headers);
        response.end(body.subarray(start, end));
        return;
    }
    if (method === "HEAD" && body !== undefined) headers["content-length"] = Buffer.byteLength(body);
    response.writeHead(body === undefined ? 404 : 200, headers);
    response.end(body);
}
