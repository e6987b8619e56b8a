// The Vite plugin: a build and the development server, with the native program.

import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build, createServer } from "vite";
import { brickwork } from "../dist/vite/index.js";
import { png, texels } from "./images.mjs";
import { PROGRAM, encoded, noProgram } from "./native.mjs";

const image = png(64, 32, texels(64, 32, true), true);
const options = { program: PROGRAM, options: { device: "cpu", mips: true } };

let root;
before(async () => {
    root = await mkdtemp(join(tmpdir(), "brickwork-vite-"));
    await writeFile(join(root, "wood.png"), image);
    await writeFile(join(root, "odd.png"), png(30, 10, texels(30, 10, false), false));
    const html = '<!doctype html><script type="module" src="./main.js"></script>';
    await writeFile(join(root, "index.html"), html);
    await main('import url, * as all from "./wood.png?brickwork&format=bc7"; window.found = [url, all];');
});
after(() => rm(root, { recursive: true }));

const main = (text) => writeFile(join(root, "main.js"), text);

/** Builds the page. Returns the files by name, without their hash. */
async function built(warnings = []) {
    await build({
        root,
        logLevel: "warn",
        cacheDir: join(root, "cache"),
        customLogger: { ...logger, warn: (text) => warnings.push(text) },
        plugins: [brickwork(options)],
        build: { assetsInlineLimit: 1e6, minify: false },
    });
    const folder = join(root, "dist/assets");
    const files = new Map();
    for (const name of await readdir(folder)) {
        files.set(name.replace(/-[\w-]{8}\./, "."), await readFile(join(folder, name)));
    }
    return files;
}

const logger = {
    hasWarned: false,
    info() {},
    warnOnce() {},
    error() {},
    clearScreen() {},
    hasErrorLogged: () => false,
};

test("a build contains the native file and the image", { skip: noProgram }, async () => {
    const files = await built();
    const expected = await encoded("wood.png", image, ["--format", "bc7", "--mips"], "ktx2");
    assert.deepEqual(files.get("wood.ktx2"), expected);
    assert.deepEqual(files.get("wood.png"), image);
    const code = files.get("index.js").toString();
    for (const part of [/"bc7-rgba-unorm-srgb"/, /width\b.*64/, /height\b.*32/, /mipLevels\b.*7/]) {
        assert.match(code, part);
    }
});

test("files are kept until an image or an option changes", { skip: noProgram }, async () => {
    const folder = join(root, "cache/brickwork");
    const [key] = await readdir(folder);
    const file = join(folder, key, "wood.ktx2");
    // A build that encodes again would not see these bytes.
    const marked = await readFile(file);
    marked[marked.length - 1] ^= 1;
    await writeFile(file, marked);
    assert.deepEqual((await built()).get("wood.ktx2"), marked);
    await writeFile(join(root, "wood.png"), png(64, 32, texels(64, 32, false), false));
    assert.notDeepEqual((await built()).get("wood.ktx2"), marked);
    await writeFile(join(root, "wood.png"), image);
});

test("parameters are options of the program", { skip: noProgram }, async () => {
    await main(
        'import url from "./wood.png?format=bc1&quality=fast&mips=2&linear&brickwork"; window.found = url;',
    );
    const expected = await encoded(
        "wood.png",
        image,
        ["--format", "bc1", "--quality", "fast", "--mips=2", "--linear"],
        "ktx2",
    );
    assert.deepEqual((await built()).get("wood.ktx2"), expected);
    await main('import url from "./wood.png?brickwork&format=bc7&output=x"; window.found = url;');
    await assert.rejects(built(), /no option "output"/);
    await main('import url from "./wood.png?brickwork&format=bc9"; window.found = url;');
    await assert.rejects(built(), /"bc9" is not a format/);
});

test("ASTC is for phones", { skip: noProgram }, async () => {
    await main('import url, * as all from "./wood.png?brickwork&format=astc"; window.found = [url, all];');
    const files = await built();
    assert.deepEqual(
        files.get("wood.ktx2"),
        await encoded("wood.png", image, ["--format", "astc", "--mips"], "ktx2"),
    );
    assert.match(files.get("index.js").toString(), /"astc-4x4-unorm-srgb"/);
});

test("rows are flipped for three.js on request", { skip: noProgram }, async () => {
    await main('import url from "./wood.png?format=bc7&flip-y&brickwork"; window.found = url;');
    const expected = await encoded("wood.png", image, ["--format", "bc7", "--mips", "--flip-y"], "ktx2");
    const found = (await built()).get("wood.ktx2");
    assert.deepEqual(found, expected);
    assert.ok(found.includes("KTXorientation\0ru\0"));
});

test("sizes that WebGPU refuses are reported", { skip: noProgram }, async () => {
    const warnings = [];
    await main('import url from "./odd.png?brickwork&format=bc7"; window.found = url;');
    await built(warnings);
    assert.match(warnings.join("\n"), /odd\.png: .*30×10 texels are not multiples of 4/);
    warnings.length = 0;
    await main('import url from "./odd.png?brickwork&format=bc7&multiple-of-4"; window.found = url;');
    await built(warnings);
    assert.deepEqual(warnings, []);
});

test("the development server serves the file", { skip: noProgram }, async () => {
    await main('import url from "./wood.png?brickwork&format=bc7"; window.found = url;');
    const server = await createServer({
        root,
        logLevel: "silent",
        cacheDir: join(root, "cache"),
        plugins: [brickwork(options)],
        server: { port: 0, host: "127.0.0.1", ws: false },
    });
    try {
        await server.listen();
        const address = server.resolvedUrls.local[0];
        const module = await (await fetch(`${address}wood.png?brickwork&format=bc7&import`)).text();
        const [, texture] = /from "([^"]*ktx2[^"]*)"/.exec(module) ?? [];
        const inner = await (await fetch(new URL(texture, address))).text();
        const [, path] = /export default "([^"]*)"/.exec(inner) ?? [];
        const file = Buffer.from(await (await fetch(new URL(path, address))).arrayBuffer());
        assert.equal(file.subarray(1, 7).toString(), "KTX 20");
    } finally {
        await server.close();
    }
});

test("a missing program is named", async () => {
    await main('import url from "./wood.png?brickwork&format=bc7"; window.found = url;');
    const plugins = [brickwork({ program: "/nothing/brickwork" })];
    const call = build({ root, logLevel: "silent", cacheDir: join(root, "other"), plugins });
    await assert.rejects(call, /cannot run \/nothing\/brickwork: it is not found; install it/);
});
