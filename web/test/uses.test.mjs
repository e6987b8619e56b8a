// The uses of a glTF file's images.

import assert from "node:assert/strict";
import { test } from "node:test";
import { imageOf, usesOf } from "../dist/three/uses.js";

const slot = (index) => ({ index });

test("images are colours, normal maps or data", () => {
    const textures = [5, 6, 7, 8, 9].map((source) => ({ source }));
    const materials = [
        {
            pbrMetallicRoughness: { baseColorTexture: slot(0), metallicRoughnessTexture: slot(1) },
            normalTexture: slot(2),
            occlusionTexture: slot(1),
            extensions: {
                KHR_materials_clearcoat: { clearcoatNormalTexture: slot(3) },
                KHR_materials_sheen: { sheenColorTexture: slot(4) },
            },
        },
    ];
    assert.deepEqual(Object.fromEntries(usesOf({ textures, materials })), {
        5: { kind: "color", hasAlpha: false, slots: ["baseColorTexture"] },
        6: { kind: "data", hasAlpha: false, slots: ["metallicRoughnessTexture", "occlusionTexture"] },
        7: { kind: "normal", hasAlpha: false, slots: ["normalTexture"] },
        8: { kind: "normal", hasAlpha: false, slots: ["clearcoatNormalTexture"] },
        9: { kind: "color", hasAlpha: false, slots: ["sheenColorTexture"] },
    });
});

test("alpha counts where a material reads it", () => {
    const textures = [{ source: 0 }, { source: 1 }, { source: 2 }];
    const materials = [
        { pbrMetallicRoughness: { baseColorTexture: slot(0) }, emissiveTexture: slot(2) },
        { pbrMetallicRoughness: { baseColorTexture: slot(0) }, alphaMode: "MASK" },
        { extensions: { KHR_materials_specular: { specularTexture: slot(1) } } },
    ];
    const uses = usesOf({ textures, materials });
    assert.deepEqual(
        [0, 1, 2].map((image) => uses.get(image).hasAlpha),
        [true, true, false],
    );
});

test("images with several kinds of use, or none, are left out", () => {
    const textures = [{ source: 0 }, { source: 0, sampler: 1 }, { source: 1 }];
    const materials = [{ emissiveTexture: slot(0) }, { occlusionTexture: slot(1) }];
    assert.equal(usesOf({ textures, materials }).size, 0);
    assert.equal(usesOf({}).size, 0);
});

test("images of extensions come first if browsers read them", () => {
    const webp = { source: 3, extensions: { EXT_texture_webp: { source: 4 } } };
    assert.equal(imageOf(webp), 4);
    assert.equal(imageOf({ source: 3, extensions: { KHR_texture_basisu: { source: 4 } } }), 3);
    assert.equal(imageOf({ extensions: { KHR_texture_basisu: { source: 4 } } }), undefined);
    assert.equal(imageOf(undefined), undefined);
});
