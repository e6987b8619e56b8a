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

/** Opens a server and a browser. `close` ends both. */
export async function openBrowser({ webgpu = true, canvases = false } = {}) {
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
    const code = `
        @group(0) @binding(0) var image: texture_2d<f32>;
        @group(0) @binding(1) var<storage, read_write> numbers: array<vec4f>;

        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3u) {
            let size = textureDimensions(image);
            if id.x < size.x * size.y {
                numbers[id.x] = textureLoad(image, vec2u(id.x % size.x, id.x / size.x), 0);
            }
        }
    `;
    window.numbers = async (device, texture, level) => {
        const [width, height] = [texture.width, texture.height].map((side) => Math.max(1, side >> level));
        const size = 16 * width * height;
        const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
        const buffer = device.createBuffer({ size, usage: STORAGE | COPY_SRC });
        const staging = device.createBuffer({ size, usage: COPY_DST | MAP_READ });
        const module = device.createShaderModule({ code });
        const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
        const view = texture.createView({ baseMipLevel: level, mipLevelCount: 1 });
        const entries = [
            { binding: 0, resource: view },
            { binding: 1, resource: { buffer } },
        ];
        const commands = device.createCommandEncoder();
        const pass = commands.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
        pass.dispatchWorkgroups(Math.ceil((width * height) / 64));
        pass.end();
        commands.copyBufferToBuffer(buffer, 0, staging, 0, size);
        device.queue.submit([commands.finish()]);
        await staging.mapAsync(GPUMapMode.READ);
        return new Float32Array(staging.getMappedRange().slice());
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
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
    if (first !== undefined && Buffer.isBuffer(body) && !path.startsWith("/no-ranges/")) {
        const [start, end] = [Number(first), Math.min(Number(last) + 1, body.length)];
        headers["content-range"] = `bytes ${start}-${end - 1}/${body.length}`;
        response.writeHead(206, headers);
        response.end(body.subarray(start, end));
        return;
    }
    if (method === "HEAD" && body !== undefined) headers["content-length"] = Buffer.byteLength(body);
    response.writeHead(body === undefined ? 404 : 200, headers);
    response.end(body);
}
