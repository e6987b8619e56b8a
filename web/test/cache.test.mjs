// The cache of textures, and layers, on a device that does nothing.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { TextureCache } from "../dist/cache.js";
import { encodedLayers } from "../dist/layers.js";

const destroyed = [];
const texture = (label, format = "bc7-rgba-unorm") => ({
    label,
    format,
    width: 8,
    height: 4,
    mipLevelCount: 1,
    destroy: () => destroyed.push(label),
});
const encoded = (label, format) => ({ texture: texture(label, format), size: [8, 4], uvScale: [1, 1] });
const device = {
    pushErrorScope() {},
    popErrorScope: async () => null,
    createTexture: ({ label, format }) => texture(label, format),
    createCommandEncoder: () => ({ copyTextureToTexture() {}, finish() {} }),
    queue: { submit() {} },
};

afterEach(() => {
    destroyed.length = 0;
    delete globalThis.document;
});

test("a texture that nobody waits for any more is destroyed", async () => {
    const cache = new TextureCache(1 << 20);
    const controller = new AbortController();
    let finish;
    const call = cache.get(device, "http://host/a.png", { signal: controller.signal }, () => {
        return new Promise((resolve) => (finish = () => resolve(encoded("late"))));
    });
    controller.abort(new Error("stop"));
    await assert.rejects(call, /stop/);
    // The encoding has looked at its signal for the last time.
    finish();
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(destroyed, ["late"]);
});

test("addresses are relative to the document's base", async () => {
    globalThis.document = { baseURI: "http://host/base/" };
    const cache = new TextureCache(1 << 20);
    let count = 0;
    const encode = async () => encoded(`texture ${(count += 1)}`);
    await cache.get(device, "a.png", {}, encode);
    await cache.get(device, "http://host/base/a.png", {}, encode);
    assert.equal(count, 1);
    assert.deepEqual(destroyed, []);
});

test("layers of other sizes and formats are named", async () => {
    const layers = (second) =>
        encodedLayers(device, [encoded("first"), second], { label: "all" }, async (source) => source);
    await assert.rejects(layers({ ...encoded("second"), size: [8, 8] }), {
        code: "size",
        message: "image 1 has 8×8 instead of 8×4 texels",
    });
    await assert.rejects(layers(encoded("second", "rgba8unorm")), {
        code: "source",
        message: "image 1 has the format rgba8unorm instead of bc7-rgba-unorm",
    });
    assert.deepEqual(destroyed, ["first", "second", "all", "first", "second", "all"]);
});
