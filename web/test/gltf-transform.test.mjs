// The function for gltf-transform: DDS files beside the images of a model.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Document, NodeIO } from "@gltf-transform/core";
import { EXTTextureAstc, MSFTTextureDds, brickwork } from "../dist/gltf-transform/index.js";
import { png, texels } from "./images.mjs";
import { PROGRAM, encoded, noProgram } from "./native.mjs";

const image = png(32, 32, texels(32, 32, true), true);
const odd = png(30, 10, texels(30, 10, false), false);
const NAME = "MSFT_texture_dds";

/** Returns a document whose textures have these images, by slot, and its warnings. */
function model(images) {
    const document = new Document();
    const warnings = [];
    const ignore = () => {};
    document.setLogger({ debug: ignore, info: ignore, error: ignore, warn: (text) => warnings.push(text) });
    const material = document.createMaterial("wall");
    document.createBuffer();
    for (const [slot, contents] of Object.entries(images)) {
        const texture = document
            .createTexture(slot)
            .setImage(new Uint8Array(contents))
            .setMimeType("image/png");
        texture.setURI(`${slot}.png`);
        material[`set${slot}Texture`](texture);
    }
    return { document, warnings };
}

test("images get DDS files of the native program", { skip: noProgram }, async () => {
    const { document, warnings } = model({ BaseColor: image, Normal: image, MetallicRoughness: image });
    await document.transform(brickwork({ program: PROGRAM }));
    const io = new NodeIO().registerExtensions([MSFTTextureDds]);
    for (const again of [
        await io.readBinary(await io.writeBinary(document)),
        await io.readJSON(await io.writeJSON(document)),
    ]) {
        const textures = again.getRoot().listTextures();
        assert.equal(textures.length, 6);
        const [color, normal, data] = textures.map((texture) => texture.getExtension(NAME)?.getFile());
        const mips = ["--mips"];
        for (const [dds, options] of [
            [color, ["-f", "bc7", "--srgb", ...mips]],
            [normal, ["-f", "bc5", "--normal", ...mips]],
            [data, ["-f", "bc7", "--linear", ...mips]],
        ]) {
            assert.deepEqual(Buffer.from(dds.getImage()), await encoded("a.png", image, options));
        }
        assert.deepEqual(Buffer.from(textures[0].getImage()), image);
    }
    const { json, resources } = await io.writeJSON(document);
    assert.deepEqual(json.extensionsUsed, [NAME]);
    assert.equal(json.extensionsRequired, undefined);
    assert.deepEqual(json.textures[0].extensions, { [NAME]: { source: 3 } });
    assert.equal(json.images[3].mimeType, "image/vnd-ms.dds");
    assert.ok("BaseColor.dds" in resources);
    assert.deepEqual(warnings, []);
});

test("images get KTX2 files with ASTC, beside DDS files", { skip: noProgram }, async () => {
    const { document, warnings } = model({ BaseColor: image, Normal: image, MetallicRoughness: image });
    const families = ["bc", "astc"].map((family) => brickwork({ program: PROGRAM, family }));
    await document.transform(...families);
    const io = new NodeIO().registerExtensions([MSFTTextureDds, EXTTextureAstc]);
    const again = await io.readBinary(await io.writeBinary(document));
    const textures = again.getRoot().listTextures();
    assert.equal(textures.length, 9);
    for (const [texture, options] of [
        [textures[0], ["--srgb"]],
        [textures[1], ["--normal"]],
        [textures[2], ["--linear"]],
    ]) {
        const file = texture.getExtension("EXT_texture_astc").getFile();
        const expected = await encoded("a.png", image, ["-f", "astc", "--mips", ...options], "ktx2");
        assert.deepEqual(Buffer.from(file.getImage()), expected);
        assert.equal(file.getMimeType(), "image/ktx2");
        assert.ok(texture.getExtension(NAME).getFile());
    }
    const { json, resources } = await io.writeJSON(document);
    assert.deepEqual(json.extensionsUsed.toSorted(), ["EXT_texture_astc", NAME]);
    assert.deepEqual(Object.keys(json.textures[0].extensions).sort(), ["EXT_texture_astc", NAME]);
    assert.ok("BaseColor.ktx2" in resources);
    assert.deepEqual(warnings, []);
});

test("what cannot be compressed stays as it is, with a warning", { skip: noProgram }, async () => {
    const { document, warnings } = model({ BaseColor: odd, Normal: Buffer.from("no image") });
    const texture = document.createTexture("both").setImage(new Uint8Array(image)).setMimeType("image/png");
    const material = document.createMaterial("other");
    material.setEmissiveTexture(texture).setOcclusionTexture(texture);
    document.createTexture("unused").setImage(new Uint8Array(image));
    await document.transform(brickwork({ program: PROGRAM }));
    assert.equal(warnings.length, 3);
    assert.match(warnings[0], /BaseColor: 30×10 texels are not multiples of 4/);
    assert.match(warnings[1], /Normal: /);
    assert.match(warnings[2], /both has both colours and data/);
    assert.deepEqual(document.getRoot().listExtensionsUsed(), []);
});

test("the encoding can be chosen", { skip: noProgram }, async () => {
    const { document } = model({ BaseColor: image, Normal: image });
    document.getRoot().listMaterials()[0].setAlphaMode("BLEND");
    const uses = [];
    const encoding = (use) => {
        uses.push(use);
        return use.kind === "color" ? { format: "bc3", quality: "fast" } : undefined;
    };
    await document.transform(brickwork({ program: PROGRAM, encoding }));
    assert.deepEqual(uses, [
        { kind: "color", hasAlpha: true, slots: ["baseColorTexture"] },
        { kind: "normal", hasAlpha: false, slots: ["normalTexture"] },
    ]);
    const [color, normal] = document.getRoot().listTextures();
    const expected = await encoded("a.png", image, ["-f", "bc3", "-q", "fast"]);
    assert.deepEqual(Buffer.from(color.getExtension(NAME).getFile().getImage()), expected);
    assert.equal(normal.getExtension(NAME), null);
});

test("a missing program is named", async () => {
    const { document } = model({ BaseColor: image });
    const call = document.transform(brickwork({ program: "/nothing/brickwork" }));
    await assert.rejects(call, /cannot run \/nothing\/brickwork: it is not found; install it/);
});
