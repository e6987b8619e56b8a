// The package outside of a browser: imports, sizes, exports. The README's code with the packed package, in a
// page that Vite bundles.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import * as vite from "vite";
import { defineNumbers, files, hideFeatures, openBrowser } from "./browser.mjs";
import { png } from "./images.mjs";

const FOLDER = fileURLToPath(new URL("..", import.meta.url));

/** True if the package was built with the modules of `./cpu`. */
const hasCpu = existsSync(`${FOLDER}/dist/cpu/brickwork.wasm`);
if (!hasCpu) console.log("# skipped: dist/ has no modules of ./cpu (npm run build -- --no-cpu)");

/** True if the package was built with the export `./volume`. */
const hasVolume = existsSync(`${FOLDER}/dist/volume`);
if (!hasVolume) console.log("# skipped: dist/ has no export ./volume (npm run build -- --no-volume)");

/** Returns the gzip sizes of all chunks of a bundle, by path. */
async function chunks(module = "index.js") {
    const result = await build({
        stdin: { contents: `export * from "./dist/${module}";`, resolveDir: FOLDER },
        bundle: true,
        minify: true,
        splitting: true,
        format: "esm",
        outdir: "out",
        write: false,
        metafile: true,
        logLevel: "silent",
    });
    return Object.entries(result.metafile.outputs).map(([path, output]) => ({
        path,
        entry: output.entryPoint ?? "",
        inputs: Object.keys(output.inputs),
        imports: output.imports,
        bytes: gzipSync(result.outputFiles.find((file) => file.path.endsWith(path)).contents).length,
    }));
}

/** Returns the bytes of a chunk and of all chunks that it imports statically. */
function bytesWith(all, chunk, seen = new Set()) {
    if (seen.has(chunk.path)) return 0;
    seen.add(chunk.path);
    const needed = chunk.imports.filter(({ kind }) => kind === "import-statement");
    const others = needed.map(({ path }) => all.find((other) => other.path === path));
    return others.reduce((sum, other) => sum + bytesWith(all, other, seen), chunk.bytes);
}

test("bundles are small", async () => {
    const all = await chunks();
    const main = all.find(({ entry }) => entry === "<stdin>");
    const [bytes, ...phones] = ["bc7", "astc", "etc"].map((name) => {
        const seen = new Set();
        const format = all.find(({ entry }) => entry.endsWith(`formats/${name}.js`));
        return bytesWith(all, main, seen) + bytesWith(all, format, seen);
    });
    const sum = all.reduce((sum, { bytes }) => sum + bytes, 0);
    console.log(
        `BC7 only: ${bytes}, ASTC, ETC2 only: ${phones.join(", ")}, all textures: ${sum} bytes (gzip)`,
    );
    assert.ok(bytes <= 32_500, `BC7 only: ${bytes} bytes`);
    for (const others of phones) assert.ok(others <= bytes, `ASTC or ETC2 only: ${others} bytes`);
    assert.ok(sum <= 128_000, `all textures: ${sum} bytes`);
    const readme = await readFile(`${FOLDER}/README.md`, "utf8");
    const [, ...stated] = /(\d+) KB with the core for BC7, (\d+) KB for all/.exec(readme);
    assert.deepEqual(
        stated.map(Number),
        [bytes, sum].map((count) => Math.round(count / 1000)),
    );
    const staticBytes = bytesWith(all, main);
    assert.ok(staticBytes <= 16_200, `without formats: ${staticBytes} bytes`);
});

test("the CPU's encoders are small", { skip: !hasCpu }, async () => {
    const all = await chunks("cpu/index.js");
    const main = all.find(({ entry }) => entry === "<stdin>");
    const page = bytesWith(all, main);
    const names = ["", "-bc6h", "-bc7", "-etc", "-astc"].map((name) => `brickwork${name}`);
    const modules = await Promise.all(
        names.map(async (name) => gzipSync(await readFile(`${FOLDER}/dist/cpu/${name}.wasm`)).length),
    );
    console.log(`CPU: page ${page} bytes, modules ${modules.join(", ")} bytes (gzip)`);
    assert.ok(page <= 8_000, `page: ${page} bytes`);
    const limits = [206_500, 139_000, 112_500, 97_000, 163_000];
    modules.forEach((bytes, i) => assert.ok(bytes <= limits[i], `${names[i]}: ${bytes} bytes`));
    const readme = await readFile(`${FOLDER}/README.md`, "utf8");
    const stated = ["BC1 to BC5", "BC6H", "BC7", "ETC2 and EAC", "ASTC"].map(
        (name) => new RegExp(`(\\d+)\\s+KB\\s+for\\s+${name}[ ,]`).exec(readme)?.[1],
    );
    modules.forEach((bytes, i) => {
        assert.ok(Math.abs(Number(stated[i]) - bytes / 1000) < 5, `${stated[i]} KB, ${bytes} bytes`);
    });
    // Only `CpuEncoder` loads a module, and it does so when it is first used.
    const { CpuEncoder } = await import("../dist/cpu/index.js");
    const image = { data: new Uint8Array(64), width: 4, height: 4 };
    await assert.rejects(new CpuEncoder().encodeBlocks(image, { format: "bc1" }), { code: "cpu" });
});

test("volumes are small", { skip: !hasVolume }, async () => {
    const all = await chunks("volume/index.js");
    const page = all.reduce((sum, { bytes }) => sum + bytes, 0);
    const entry = { entryPoints: [`${FOLDER}/dist/volume/worker.js`], bundle: true, minify: true };
    const { outputFiles } = await build({ ...entry, format: "esm", write: false, logLevel: "silent" });
    const worker = gzipSync(outputFiles[0].contents).length;
    const [module, full] = await Promise.all(
        ["brickwork-volume", "brickwork-volume-full"].map(
            async (name) => gzipSync(await readFile(`${FOLDER}/dist/volume/${name}.wasm`)).length,
        ),
    );
    console.log(`volumes: page ${page} bytes, worker ${worker} bytes (gzip)`);
    console.log(`modules of volumes: ${module} bytes, the full one ${full} bytes (gzip)`);
    assert.ok(page + worker <= 60_000, `page and worker: ${page + worker} bytes`);
    assert.ok(module <= 294_000, `module: ${module} bytes`);
    assert.ok(full <= 449_000, `full module: ${full} bytes`);
    const readme = await readFile(`${FOLDER}/README.md`, "utf8");
    const [, ...stated] = /volume\.wasm` \((\d+) KB, gzip\).*?full\.wasm` \((\d+) KB\)/s.exec(readme);
    assert.ok(Math.abs(stated[0] - module / 1000) < 10, `${stated[0]} KB, ${module} bytes`);
    assert.ok(Math.abs(stated[1] - full / 1000) < 10, `${stated[1]} KB, ${full} bytes`);
    const { VolumeView } = await import("../dist/volume/index.js");
    await assert.rejects(VolumeView.open(undefined, undefined, new Blob([])), { code: "no-webgpu" });
});

test(
    "the reader of OME-Zarr is small, and is loaded when it is first used",
    { skip: !hasVolume },
    async () => {
        const entry = { entryPoints: [`${FOLDER}/dist/zarr/worker.js`], bundle: true, minify: true };
        const { outputFiles } = await build({ ...entry, format: "esm", write: false, logLevel: "silent" });
        const worker = gzipSync(outputFiles[0].contents).length;
        const all = await chunks("volume/index.js");
        const [client] = all.filter(({ entry }) => entry.endsWith("zarr/client.js"));
        const first = all.find(({ inputs }) => inputs.some((path) => path.endsWith("volume/view.js")));
        console.log(`OME-Zarr: ${worker + client.bytes} bytes (gzip)`);
        assert.ok(worker + client.bytes <= 30_000, `${worker + client.bytes} bytes`);
        assert.ok(!first.inputs.some((path) => path.includes("dist/zarr/")));
        const readme = await readFile(`${FOLDER}/README.md`, "utf8");
        const [, stated] = /Its workers \((\d+) KB, gzip\)/.exec(readme);
        assert.ok(Math.abs(stated - (worker + client.bytes) / 1000) < 2, stated);
    },
);

test("the package can be imported without a browser", async () => {
    const { Brickwork, blockFormats } = await import("../dist/index.js");
    assert.equal(blockFormats.length, 18);
    await assert.rejects(Brickwork.create(), { code: "no-webgpu" });
});

test("the other exports can be imported without a browser", async () => {
    const { BlockTexture } = await import("../dist/three/index.js");
    assert.equal(new BlockTexture().isExternalTexture, true);
    const [vite, transform] = [
        await import("../dist/vite/index.js"),
        await import("../dist/gltf-transform/index.js"),
    ];
    assert.equal(vite.brickwork().name, "brickwork");
    assert.equal(transform.EXTTextureAstc.EXTENSION_NAME, "EXT_texture_astc");
    assert.equal(transform.MSFTTextureDds.EXTENSION_NAME, "MSFT_texture_dds");
});

test("exports name files, types first", async () => {
    const { exports, sideEffects } = JSON.parse(await readFile(`${FOLDER}/package.json`, "utf8"));
    if (!hasCpu) delete exports["./cpu"];
    if (!hasVolume) delete exports["./volume"];
    for (const entry of Object.values(exports).filter((entry) => typeof entry === "object")) {
        assert.equal(Object.keys(entry)[0], "types");
        for (const path of Object.values(entry)) assert.ok(existsSync(`${FOLDER}/${path}`), path);
    }
    assert.equal(sideEffects, false);
});

/** Returns a smooth image, whose colours are on a line: its file and its texels. */
function gradient(side) {
    const texels = new Uint8Array(4 * side * side);
    for (let i = 0; i < side * side; i++) {
        const share = ((i % side) + 2 * Math.floor(i / side)) / (3 * side);
        texels.set([255 * share, 255 - 255 * share, 128, 255], 4 * i);
    }
    return { file: png(side, side, texels, false), texels };
}

/** Installs the packed package in an empty folder, with the commands of the README. */
async function installPacked(folder, readme) {
    const [, packed] = /npm pack` writes `([^`]+)`/.exec(readme);
    const npm = (cwd, ...options) => execFileSync("npm", options, { cwd, stdio: "pipe" });
    npm(FOLDER, "pack", "--pack-destination", folder);
    const app = join(folder, "app");
    await mkdir(app);
    // (Nothing comes from the network. `npm test` sets the prefix to this package.)
    npm(app, "install", "--offline", "--no-audit", "--no-fund", "--prefix", app, join(folder, packed));
    return app;
}

// The largest difference of a texel's channels from `expected`, of 255. Runs in the page.
async function sampledDifference(expected) {
    const numbers = await window.numbers(await window.brickwork.device(), window.texture, 0);
    // Shaders read linear numbers of sRGB textures.
    const byte = (x) => 255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
    const differences = numbers.map((x, i) => (i % 4 < 3 ? Math.abs(byte(x) - expected[i]) : 0));
    return numbers.length === expected.length ? Math.max(...differences) : Infinity;
}

test("the README's code works in an empty folder", { timeout: 120_000 }, async () => {
    const readme = await readFile(`${FOLDER}/README.md`, "utf8");
    const [first, withoutWebGpu] = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, code]) => code);
    const [, format] = /with\s+BC\s+it\s+is\s+`([^`]+)`/.exec(readme);
    const { file, texels } = gradient(64);
    const folder = await mkdtemp(join(tmpdir(), "brickwork-web-"));
    let opened;
    try {
        const app = await installPacked(folder, readme);
        const scripts = { main: `${first}\nObject.assign(window, { brickwork, texture });\n` };
        if (hasCpu) {
            const imports = 'import { Brickwork } from "@brickwork/web";\n';
            scripts.blocks = `${imports}${withoutWebGpu}\nObject.assign(window, { blocksOf });\n`;
        }
        for (const [name, code] of Object.entries(scripts)) await writeFile(join(app, `${name}.ts`), code);
        const tags = Object.keys(scripts).map((name) => `<script type="module" src="./${name}.ts"></script>`);
        // `main` comes last: it throws without WebGPU.
        await writeFile(join(app, "index.html"), `<!doctype html>${tags.toReversed().join("")}`);
        const options = { root: app, base: "/readme/", configFile: false, logLevel: "error" };
        const { output } = await vite.build({ ...options, build: { write: false } });
        for (const { fileName, code, source } of output) {
            files.set(`/readme/${fileName}`, Buffer.from(code ?? source));
        }
        files.set("/readme/wood.png", file);
        opened = await openBrowser();
        const open = async (setup, name, hidden) => {
            const page = await opened.browser.newPage();
            await page.addInitScript(setup);
            if (hidden) await page.addInitScript(hideFeatures, hidden);
            await page.goto(`${opened.address}/readme/index.html`);
            await page.waitForFunction((name) => window[name], name, { timeout: 60_000 });
            return page;
        };
        const page = await open(defineNumbers, "texture");
        const facts = await page.evaluate(() => [window.texture.format, window.texture.mipLevelCount]);
        assert.deepEqual(facts, [format, 7]);
        const difference = await page.evaluate(sampledDifference, [...texels]);
        assert.ok(difference < 4, `a difference of ${difference}`);
        if (!hasCpu) return;
        // On phones, and on devices without block-compressed textures.
        for (const [hidden, format] of [
            ["^texture-compression-bc", "astc-4x4-unorm-srgb"],
            ["^texture-compression-(bc|astc)", "etc2-rgba8unorm-srgb"],
            ["^texture-compression", "rgba8unorm-srgb"],
        ]) {
            const phone = await open(defineNumbers, "texture", hidden);
            assert.equal(await phone.evaluate(() => window.texture.format), format);
            const difference = await phone.evaluate(sampledDifference, [...texels]);
            assert.ok(difference < 12, `${format}: a difference of ${difference}`);
        }
        const encode = () => window.blocksOf("wood.png", { format: "bc7", quality: "real-time-1" });
        const blocksOf = async (page) => page.evaluate(`(${encode})().then((blocks) => [...blocks])`);
        const hideWebGpu = () => Object.defineProperty(navigator, "gpu", { value: undefined });
        const blocks = await blocksOf(await open(hideWebGpu, "blocksOf"));
        assert.equal(blocks.length, 16 * 16 * 16);
        assert.deepEqual(blocks, await blocksOf(page));
    } finally {
        await opened?.close();
        await rm(folder, { recursive: true });
    }
});
