// three.js: textures on its device, and glTF models whose images are compressed on load.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { glb, torus } from "../scripts/model.mjs";
import { files, openBrowser, openPage } from "./browser.mjs";
import { png, texels } from "./images.mjs";
import { encoded, noProgram } from "./native.mjs";

const MODULE = fileURLToPath(new URL("../dist/cpu/brickwork-astc.wasm", import.meta.url));
const noCpu = existsSync(MODULE) ? false : "dist/ has no modules of ./cpu (npm run build -- --no-cpu)";

const SIDE = 64;
const image = png(SIDE, SIDE, texels(SIDE, SIDE, false), false);
const normals = png(SIDE, SIDE, normalTexels(), false);
const odd = png(30, 10, texels(30, 10, false), false);

/** Returns a plugin of esbuild for modules without files. */
function virtual(modules, resolveDir) {
    return {
        name: "virtual",
        setup(build) {
            build.onResolve({ filter: /^(main|webgl)$/ }, ({ path }) => ({ path, namespace: "virtual" }));
            build.onLoad({ filter: /.*/, namespace: "virtual" }, ({ path }) => ({
                contents: modules[path],
                resolveDir,
            }));
        },
    };
}

/** Normals of a wavy surface. */
function normalTexels() {
    const bytes = new Uint8Array(4 * SIDE * SIDE);
    for (let i = 0; i < SIDE * SIDE; i++) {
        const [x, y] = [0.4 * Math.sin((i % SIDE) / 5), 0.4 * Math.cos(Math.floor(i / SIDE) / 7)];
        const values = [x, y, Math.sqrt(1 - x * x - y * y), 1];
        bytes.set(
            values.map((value) => Math.round(127.5 + 127.5 * value)),
            4 * i,
        );
    }
    return bytes;
}

let opened;
before(async () => {
    const contents = `
        export * as three from "three/webgpu";
        export { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
        export { KTX2Loader } from "three/addons/loaders/KTX2Loader.js";
        export * as brickwork from "@brickwork/web";
        export * as helper from "@brickwork/web/three";
    `;
    const resolveDir = fileURLToPath(new URL("..", import.meta.url));
    const { outputFiles } = await build({
        entryPoints: [
            { in: "main", out: "main" },
            { in: "webgl", out: "webgl" },
        ],
        plugins: [virtual({ main: contents, webgl: `export { WebGLRenderer } from "three";` }, resolveDir)],
        bundle: true,
        splitting: true,
        format: "esm",
        outdir: "/three",
        write: false,
        logLevel: "silent",
    });
    // The worker and its modules, which lie beside the code that names them.
    const folder = `${resolveDir}/dist/cpu`;
    const worker = { entryPoints: [`${folder}/worker.js`], bundle: true, format: "esm", write: false };
    files.set("/three/worker.js", Buffer.from((await build(worker)).outputFiles[0].contents));
    for (const name of await readdir(folder)) {
        if (name.endsWith(".wasm")) files.set(`/three/${name}`, await readFile(`${folder}/${name}`));
    }
    for (const { path, contents } of outputFiles) files.set(path, Buffer.from(contents));
    const mesh = torus(24, 12);
    files.set("/model.glb", glb({ color: image, normal: normals }, mesh));
    files.set("/odd.glb", glb({ color: odd }, mesh));
    files.set("/image.png", image);
    opened = await openPage();
    await opened.page.evaluate(prepare, SIDE);
});
after(() => opened?.close());

// Runs in the page.
async function prepare(side) {
    Object.assign(window, await import("/three/main.js"));
    const { three, helper } = window;
    const renderer = new three.WebGPURenderer({ antialias: false });
    window.renderer = renderer;
    window.encoder = await helper.brickworkFor(renderer);
    const device = await window.encoder.device();
    window.state = { handler: device.onuncapturederror, isLost: false, faults: [] };
    device.lost.then(() => (window.state.isLost = true));
    device.addEventListener("uncapturederror", ({ error }) => window.state.faults.push(error.message));
    renderer.setSize(side, side, false);
    const target = new three.RenderTarget(2 * side, 2 * side, { colorSpace: three.SRGBColorSpace });
    window.rendered = async (scene, camera) => {
        renderer.setRenderTarget(target);
        await renderer.renderAsync(scene, camera);
        renderer.setRenderTarget(null);
        return renderer.readRenderTargetPixelsAsync(target, 0, 0, 2 * side, 2 * side);
    };
    // A square that fills the rendering, with the texture's colours.
    window.renderedTexture = (texture) => {
        const scene = new three.Scene();
        const material = new three.MeshBasicMaterial({ map: texture });
        scene.add(new three.Mesh(new three.PlaneGeometry(2, 2), material));
        return window.rendered(scene, new three.OrthographicCamera(-1, 1, 1, -1, -1, 1));
    };
    window.loadModel = async (address, options) => {
        const loader = new window.GLTFLoader();
        if (options) loader.register(helper.gltfPlugin(window.encoder, options));
        const { scene } = await loader.loadAsync(address);
        const mesh = scene.getObjectByProperty("isMesh", true);
        return { scene, mesh, material: mesh.material };
    };
    window.renderedModel = async ({ scene }) => {
        const world = new three.Scene();
        const light = new three.DirectionalLight(0xffffff, 3);
        light.position.set(1, 2, 2);
        world.add(scene, light, new three.AmbientLight(0xffffff, 0.7));
        const camera = new three.PerspectiveCamera(45, 1, 0.1, 10);
        camera.position.set(0, 2, 2.5);
        camera.lookAt(0, 0, 0);
        return window.rendered(world, camera);
    };
    window.psnr = (a, b) => {
        let squares = 0;
        for (let i = 0; i < a.length; i++) squares += (a[i] - b[i]) ** 2;
        return 10 * Math.log10((255 * 255 * a.length) / squares);
    };
}

const inPage = (call, argument) => opened.page.evaluate(call, argument);

test("a texture is shown as three.js shows the image", async () => {
    const found = await inPage(async () => {
        const { three, helper, encoder } = window;
        const image = await new three.TextureLoader().loadAsync("/image.png");
        image.colorSpace = three.SRGBColorSpace;
        image.generateMipmaps = false;
        image.minFilter = three.LinearFilter;
        const expected = await window.renderedTexture(image);
        const encoded = await encoder.encodeTexture("/image.png", { format: "bc7", quality: "real-time-2" });
        const texture = new helper.BlockTexture(encoded);
        const psnr = window.psnr(await window.renderedTexture(texture), expected);
        const unflipped = new helper.BlockTexture(encoded, { flipY: false });
        const flippedPsnr = window.psnr(await window.renderedTexture(unflipped), expected);
        return { psnr, flippedPsnr, size: [texture.image.width, texture.image.height] };
    });
    assert.ok(found.psnr > 36, `PSNR ${found.psnr}`);
    assert.ok(found.flippedPsnr < 25, `PSNR ${found.flippedPsnr}`);
    assert.deepEqual(found.size, [SIDE, SIDE]);
});

test("repeat and offset are the caller's", async () => {
    const psnr = await inPage(async () => {
        const { three, helper, encoder } = window;
        const tiled = (texture) => {
            texture.wrapS = texture.wrapT = three.RepeatWrapping;
            texture.repeat.set(2, 3);
            texture.offset.set(0.25, 0.125);
            texture.rotation = 0.5;
            return texture;
        };
        const image = await new three.TextureLoader().loadAsync("/image.png");
        image.colorSpace = three.SRGBColorSpace;
        image.generateMipmaps = false;
        image.minFilter = three.LinearFilter;
        const expected = await window.renderedTexture(tiled(image));
        const encoded = await encoder.encodeTexture("/image.png", { format: "bc7", quality: "real-time-2" });
        const texture = tiled(new helper.BlockTexture(encoded).clone());
        return window.psnr(await window.renderedTexture(texture), expected);
    });
    assert.ok(psnr > 30, `PSNR ${psnr}`);
});

test("three.js computes z of normal maps in BC5, also of decoded blocks", async () => {
    const found = await inPage(async () => {
        const { three, helper, encoder } = window;
        const encoded = await encoder.encodeTexture("/image.png", { format: "bc7", quality: "real-time-1" });
        return ["bc5", "bc7"].map((decodedFrom) => {
            const { format } = new helper.BlockTexture({ ...encoded, decodedFrom });
            return format === three.RED_GREEN_RGTC2_Format;
        });
    });
    assert.deepEqual(found, [true, false]);
});

test("padded textures show the image only", async () => {
    const psnr = await inPage(async () => {
        const { three, helper, encoder } = window;
        const data = new Uint8Array(4 * 30 * 10).map((_, i) => (i % 4 === 3 ? 255 : (i >> 3) & 255));
        const image = new three.DataTexture(data, 30, 10);
        image.colorSpace = three.SRGBColorSpace;
        image.minFilter = image.magFilter = three.LinearFilter;
        image.needsUpdate = true;
        const expected = await window.renderedTexture(image);
        const source = { data, width: 30, height: 10 };
        const encoded = await encoder.encodeTexture(source, { format: "bc7", quality: "real-time-2" });
        // A data texture's first row is at the bottom.
        const texture = new helper.BlockTexture(encoded, { flipY: false });
        return window.psnr(await window.renderedTexture(texture), expected);
    });
    assert.ok(psnr > 30, `PSNR ${psnr}`);
});

test("a model's images are compressed on load", async () => {
    const found = await inPage(async () => {
        const uses = [];
        const encoding = (use) => {
            uses.push(use);
            return window.helper.gltfEncoding(use);
        };
        const plain = await window.loadModel("/model.glb");
        const model = await window.loadModel("/model.glb", { encoding });
        const { map, normalMap } = model.material;
        const psnr = window.psnr(await window.renderedModel(model), await window.renderedModel(plain));
        const texture = ({ isBlockTexture, sourceTexture, wrapS, colorSpace }) => [
            isBlockTexture,
            sourceTexture?.format,
            sourceTexture?.mipLevelCount,
            wrapS === window.three.RepeatWrapping,
            colorSpace,
        ];
        return { psnr, uses, map: texture(map), normalMap: texture(normalMap) };
    });
    assert.ok(found.psnr > 35, `PSNR ${found.psnr}`);
    assert.deepEqual(found.map, [true, "bc7-rgba-unorm-srgb", 7, true, "srgb"]);
    assert.deepEqual(found.normalMap, [true, "bc5-rg-unorm", 7, true, ""]);
    assert.deepEqual(
        found.uses.sort((a, b) => a.kind.localeCompare(b.kind)),
        [
            { kind: "color", hasAlpha: false, slots: ["baseColorTexture"] },
            { kind: "normal", hasAlpha: false, slots: ["normalTexture"] },
        ],
    );
});

test("images that cannot be compressed are loaded as they are", async () => {
    const found = await inPage(async () => {
        const reasons = [];
        const onUncompressed = (error) => reasons.push(error.code);
        const plain = await window.loadModel("/odd.glb");
        const model = await window.loadModel("/odd.glb", { onUncompressed });
        const psnr = window.psnr(await window.renderedModel(model), await window.renderedModel(plain));
        const unwanted = await window.loadModel("/model.glb", { encoding: () => undefined });
        const { isBlockTexture } = unwanted.material.map;
        return { reasons, isSame: psnr > 60, isBlockTexture };
    });
    assert.deepEqual(found, { reasons: ["size"], isSame: true, isBlockTexture: undefined });
});

test("images that should be uncompressed are no failures", async () => {
    const found = await inPage(async () => {
        const reasons = [];
        const onUncompressed = (error) => reasons.push(error.message);
        const encoding = () => ({ format: "rgba8" });
        const model = await window.loadModel("/model.glb", { encoding, onUncompressed });
        return { reasons, isBlockTexture: model.material.map.isBlockTexture };
    });
    assert.deepEqual(found, { reasons: [], isBlockTexture: undefined });
});

test("cubes and arrays are no textures of materials", async () => {
    const found = await inPage(async () => {
        const { encoder, helper } = window;
        const encoded = await encoder.encodeTexture(["/image.png", "/image.png"], { format: "bc7" });
        return window.codeOf(() => helper.textureOf(encoded));
    });
    assert.equal(found, "BrickworkError: the texture has 2 layers; expected one");
});

/** Changes the JSON of a GLB file. */
function changedGlb(file, change) {
    const length = file.readUInt32LE(12);
    const json = JSON.parse(file.subarray(20, 20 + length).toString());
    change(json);
    const text = Buffer.from(JSON.stringify(json));
    const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
    const result = Buffer.concat([file.subarray(0, 20), padded, file.subarray(20 + length)]);
    result.writeUInt32LE(padded.length, 12);
    result.writeUInt32LE(result.length, 8);
    return result;
}

test("files with blocks need no image, and no single use", { skip: noProgram }, async () => {
    const { NodeIO } = await import("@gltf-transform/core");
    const { MSFTTextureDds } = await import("../dist/gltf-transform/index.js");
    const io = new NodeIO().registerExtensions([MSFTTextureDds]);
    const document = await io.readBinary(new Uint8Array(files.get("/model.glb")));
    const extension = document.createExtension(MSFTTextureDds);
    const [color] = document.getRoot().listTextures();
    const contents = await encoded("a.png", image, ["-f", "bc1", "-q", "fast", "--srgb", "--mips"]);
    const dds = document.createTexture().setMimeType("image/vnd-ms.dds").setImage(new Uint8Array(contents));
    color.setExtension("MSFT_texture_dds", extension.createFile().setFile(dds));
    const file = Buffer.from(await io.writeBinary(document));
    const only = changedGlb(file, ({ textures }) => delete textures[0].source);
    const mixed = changedGlb(file, ({ materials }) => {
        materials[0].pbrMetallicRoughness.metallicRoughnessTexture = { index: 0 };
    });
    // An image in place of the file.
    const breakFile = ({ textures, images, bufferViews }) => {
        const { bufferView } = images[textures[0].source ?? 0];
        const copy = bufferViews.push({ ...bufferViews[bufferView] }) - 1;
        const source = images.push({ bufferView: copy, mimeType: "image/png" }) - 1;
        textures[0].extensions.MSFT_texture_dds.source = source;
    };
    const models = { only, mixed, bare: changedGlb(mixed, breakFile), none: changedGlb(only, breakFile) };
    for (const [name, contents] of Object.entries(models)) files.set(`/${name}.glb`, contents);
    const found = await inPage(async () => {
        const maps = [];
        for (const name of ["only", "mixed", "bare", "none"]) {
            const { material } = await window.loadModel(`/${name}.glb`, {});
            maps.push(material.map?.sourceTexture?.format ?? material.map?.image?.width);
        }
        return maps;
    });
    assert.deepEqual(found, ["bc1-rgba-unorm-srgb", "bc1-rgba-unorm-srgb", SIDE, undefined]);
});

test("DDS files of a model are loaded without encoding", { skip: noProgram }, async () => {
    const { Document, NodeIO } = await import("@gltf-transform/core");
    const { MSFTTextureDds } = await import("../dist/gltf-transform/index.js");
    const io = new NodeIO().registerExtensions([MSFTTextureDds]);
    const document = await io.readBinary(new Uint8Array(files.get("/model.glb")));
    assert.ok(document instanceof Document);
    const extension = document.createExtension(MSFTTextureDds);
    const [color, normal] = document.getRoot().listTextures();
    const dds = async (file) => document.createTexture().setMimeType("image/vnd-ms.dds").setImage(file);
    const file = new Uint8Array(
        await encoded("a.png", image, ["-f", "bc1", "-q", "fast", "--srgb", "--mips"]),
    );
    color.setExtension("MSFT_texture_dds", extension.createFile().setFile(await dds(file)));
    const broken = await dds(file.slice(0, 400));
    normal.setExtension("MSFT_texture_dds", extension.createFile().setFile(broken));
    files.set("/dds.glb", Buffer.from(await io.writeBinary(document)));
    const found = await inPage(async () => {
        const plain = await window.loadModel("/dds.glb");
        const model = await window.loadModel("/dds.glb", {});
        const psnr = window.psnr(await window.renderedModel(model), await window.renderedModel(plain));
        return [psnr, model.material.map.sourceTexture.format, model.material.normalMap.sourceTexture.format];
    });
    assert.ok(found[0] > 30, `PSNR ${found[0]}`);
    // The damaged file is replaced by an encoding of the image.
    assert.deepEqual(found.slice(1), ["bc1-rgba-unorm-srgb", "bc5-rg-unorm"]);
});

test("ASTC files of a model are loaded without encoding", { skip: noProgram }, async () => {
    const { NodeIO } = await import("@gltf-transform/core");
    const { EXTTextureAstc } = await import("../dist/gltf-transform/index.js");
    const io = new NodeIO().registerExtensions([EXTTextureAstc]);
    const document = await io.readBinary(new Uint8Array(files.get("/model.glb")));
    const extension = document.createExtension(EXTTextureAstc);
    const [color] = document.getRoot().listTextures();
    const options = ["-f", "astc", "-q", "fast", "--srgb", "--mips"];
    const file = new Uint8Array(await encoded("a.png", image, options, "ktx2"));
    const texture = document.createTexture().setMimeType(extension.mimeType).setImage(file);
    color.setExtension("EXT_texture_astc", extension.createFile().setFile(texture));
    files.set("/astc.glb", Buffer.from(await io.writeBinary(document)));
    const found = await inPage(async () => {
        const plain = await window.loadModel("/astc.glb");
        const model = await window.loadModel("/astc.glb", {});
        const psnr = window.psnr(await window.renderedModel(model), await window.renderedModel(plain));
        return [psnr, model.material.map.sourceTexture.format, model.material.normalMap.sourceTexture.format];
    });
    assert.ok(found[0] > 30, `PSNR ${found[0]}`);
    assert.deepEqual(found.slice(1), ["astc-4x4-unorm-srgb", "bc5-rg-unorm"]);
});

test("KTX2Loader loads files, except BC2, BC6H and ETC2 with 1-bit alpha", async () => {
    const found = await inPage(async () => {
        const { three, encoder } = window;
        const loader = new window.KTX2Loader().detectSupport(window.renderer);
        const loaded = async (format) => {
            const options = { format, quality: "ultrafast", mips: true, container: "ktx2" };
            const file = await encoder.encodeFile("/image.png", options);
            const contents = await file.arrayBuffer();
            return new Promise((resolve, reject) => loader.parse(contents, resolve, reject));
        };
        const image = await new three.TextureLoader().loadAsync("/image.png");
        image.colorSpace = three.SRGBColorSpace;
        const texture = await loaded("bc7");
        texture.flipY = image.flipY = false;
        const psnr = window.psnr(await window.renderedTexture(texture), await window.renderedTexture(image));
        const refused = [];
        for (const format of window.brickwork.blockFormats) {
            await loaded(format).catch(() => refused.push(format));
        }
        return { psnr, mips: texture.mipmaps.length, refused };
    });
    assert.ok(found.psnr > 30, `PSNR ${found.psnr}`);
    assert.equal(found.mips, 7);
    assert.deepEqual(found.refused, ["bc2", "bc6h", "bc6hs", "etc2-rgb8a1"]);
});

test("the texture's memory is freed with its last clone", async () => {
    const found = await inPage(async () => {
        const { helper, encoder } = window;
        const encoded = await encoder.encodeTexture("/image.png", { format: "bc7", quality: "real-time-1" });
        const calls = [];
        const destroy = encoded.texture.destroy.bind(encoded.texture);
        encoded.texture.destroy = () => {
            calls.push("destroyed");
            destroy();
        };
        const texture = new helper.BlockTexture(encoded);
        const clone = texture.clone();
        texture.dispose();
        texture.dispose();
        calls.push("first");
        clone.dispose();
        return { calls, isClone: clone.sourceTexture === encoded.texture };
    });
    assert.deepEqual(found, { calls: ["first", "destroyed"], isClone: true });
});

test("the renderer's device and handlers stay as they are", async () => {
    const found = await inPage(async () => {
        const { state, encoder } = window;
        const device = await encoder.device();
        encoder.dispose();
        await device.queue.onSubmittedWorkDone();
        const isKept = state.handler !== null && device.onuncapturederror === state.handler;
        return { isKept, isLost: state.isLost, faults: state.faults };
    });
    assert.deepEqual(found, { isKept: true, isLost: false, faults: [] });
});

test("a renderer without device and context is refused", async () => {
    const code = await inPage(() =>
        window.helper
            .brickworkFor({ backend: {}, init: async () => {} })
            .then(() => "none")
            .catch((error) => error.code),
    );
    assert.equal(code, "no-webgpu");
});

/** Extensions of WebGL by family. */
const EXTENSIONS = {
    bc: /^(EXT_texture_compression|WEBGL_compressed_texture_s3tc)/,
    astc: /^WEBGL_compressed_texture_astc/,
    etc2: /^WEBGL_compressed_texture_etc/,
};

for (const [family, formats, least] of [
    ["bc", ["RGBA_BPTC_Format", "RED_GREEN_RGTC2_Format"], 35],
    ["astc", ["RGBA_ASTC_4x4_Format", "RGBA_ASTC_4x4_Format"], 35],
    ["etc2", ["RGB_ETC2_Format", "RG11_EAC_Format"], 30],
    ["none", ["RGBAFormat", "RGBAFormat"], 60],
]) {
    test(`WebGL 2 with ${family} shows models as without compression`, { skip: noCpu }, async () => {
        const { browser, address, close } = await openBrowser({ canvases: true });
        try {
            const page = await browser.newPage();
            await page.goto(`${address}/`);
            const found = await page.evaluate(renderWithWebGl, [EXTENSIONS[family]?.source ?? "^$", formats]);
            const expected = family === "none" ? [undefined, undefined] : [true, true];
            assert.deepEqual(found.isData, expected, found.reasons.join());
            assert.deepEqual(found.formats, [true, true]);
            assert.ok(found.psnr > least, `PSNR ${found.psnr}`);
            assert.equal(found.reasons.length, family === "none" ? 2 : 0);
        } finally {
            await close();
        }
    });
}

// Runs in the page: a model with and without compression, by a WebGLRenderer whose context has only the block
// formats of these extensions.
async function renderWithWebGl([extensions, formats]) {
    const { getSupportedExtensions, getExtension } = WebGL2RenderingContext.prototype;
    const isHidden = (name) => /compress/.test(name) && !new RegExp(extensions).test(name);
    Object.assign(WebGL2RenderingContext.prototype, {
        getSupportedExtensions() {
            return getSupportedExtensions.call(this).filter((name) => !isHidden(name));
        },
        getExtension(name) {
            return isHidden(name) ? null : getExtension.call(this, name);
        },
    });
    const { GLTFLoader, helper, three } = await import("/three/main.js");
    const { WebGLRenderer } = await import("/three/webgl.js");
    const renderer = new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
    renderer.setSize(128, 128, false);
    const brickwork = await helper.brickworkFor(renderer);
    const reasons = [];
    const load = async (isCompressed) => {
        const loader = new GLTFLoader();
        const onUncompressed = (error) => reasons.push(error.message);
        if (isCompressed) loader.register(helper.gltfPlugin(brickwork, { onUncompressed }));
        return (await loader.loadAsync("/model.glb")).scene;
    };
    const rendered = (model) => {
        const world = new three.Scene();
        const light = new three.DirectionalLight(0xffffff, 3);
        light.position.set(1, 2, 2);
        world.add(model, light, new three.AmbientLight(0xffffff, 0.7));
        const camera = new three.PerspectiveCamera(45, 1, 0.1, 10);
        camera.position.set(0, 2, 2.5);
        camera.lookAt(0, 0, 0);
        renderer.render(world, camera);
        const pixels = new Uint8Array(4 * 128 * 128);
        const gl = renderer.getContext();
        gl.readPixels(0, 0, 128, 128, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        return pixels;
    };
    const [plain, compressed] = [await load(false), await load(true)];
    const [a, b] = [rendered(plain), rendered(compressed)];
    let squares = 1e-9;
    for (let i = 0; i < a.length; i++) squares += (a[i] - b[i]) ** 2;
    const { map, normalMap } = compressed.getObjectByProperty("isMesh", true).material;
    brickwork.dispose();
    return {
        psnr: 10 * Math.log10((255 * 255 * a.length) / squares),
        isData: [map.isCompressedTexture, normalMap.isCompressedTexture],
        formats: [map, normalMap].map(({ format }, i) => format === three[formats[i]]),
        reasons,
    };
}
