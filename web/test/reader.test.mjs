// Texture files that are damaged or too large, and Zstandard, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkTexture } from "../dist/limits.js";
import { readTextureFile } from "../dist/reader.js";
import { zstdDecoded } from "../dist/zstd.js";

const BC7 = 145;

/** Returns a KTX2 file of BC7 with one mip level. */
function ktx2({ width = 4, height = 4, layers = 0, faces = 1, scheme = 0, length = 16, contents }) {
    const file = new DataView(new ArrayBuffer(104 + contents.length));
    const words = [0x58544bab, 0xbb303220, 0x0a1a0a0d, BC7, 1, width, height, 0, layers, faces, 1, scheme];
    words.forEach((word, i) => file.setUint32(4 * i, word, true));
    file.setUint32(80, 104, true);
    file.setUint32(88, contents.length, true);
    file.setBigUint64(96, BigInt(length), true);
    const bytes = new Uint8Array(file.buffer);
    bytes.set(contents, 104);
    return bytes;
}

const device = { limits: { maxTextureDimension2D: 8192, maxTextureArrayLayers: 256 } };
const read = (file) => readTextureFile(ktx2(file), (found) => checkTexture(device, found));

test("sizes of texture files are checked before their blocks are decoded", async () => {
    const damaged = { scheme: 2, contents: Uint8Array.of(1, 2, 3, 4) };
    await assert.rejects(read(damaged), { code: "source" });
    await assert.rejects(read({ ...damaged, width: 16384, length: 65536 }), { code: "limit" });
    await assert.rejects(read({ ...damaged, layers: 257, length: 257 * 16 }), {
        code: "limit",
        message: /257 layers .* 256/,
    });
    await assert.rejects(read({ ...damaged, width: 0, length: 0 }), { code: "size" });
    assert.equal((await read({ contents: new Uint8Array(16) })).layers, 1);
});

test("KTX2 files have one face or six", async () => {
    for (const faces of [0, 2, 5, 7]) {
        const file = { faces, length: 16 * faces, contents: new Uint8Array(16 * faces) };
        await assert.rejects(read(file), { code: "source", message: new RegExp(`${faces} faces`) });
    }
    const six = await read({ faces: 6, length: 96, contents: new Uint8Array(96) });
    assert.equal(six.layers, 6);
});

/** Returns a Zstandard frame of blocks. */
function frame(blocks) {
    const parts = [0x28, 0xb5, 0x2f, 0xfd, 0, 0];
    blocks.forEach(({ type, size, bytes }, i) => {
        const header = (size << 3) | (type << 1) | (i + 1 === blocks.length ? 1 : 0);
        parts.push(header & 255, (header >> 8) & 255, header >> 16);
        for (const byte of bytes) parts.push(byte);
    });
    return Uint8Array.from(parts);
}

test("lengths that Zstandard cannot reach are refused before memory is taken", () => {
    const block = { type: 1, size: 1 << 17, bytes: [7] };
    const decoded = zstdDecoded(frame([block, block]), 1 << 18);
    assert.ok(decoded.every((byte) => byte === 7));
    const array = globalThis.Uint8Array;
    const lengths = [];
    globalThis.Uint8Array = class extends array {
        constructor(...values) {
            super(...values);
            lengths.push(this.length);
        }
    };
    try {
        assert.throws(() => zstdDecoded(new array(16), 1 << 24), RangeError);
    } finally {
        globalThis.Uint8Array = array;
    }
    assert.ok(lengths.every((length) => length < 1 << 20));
});

test("small Zstandard blocks with tables of their own are decoded quickly", () => {
    const count = 20_000;
    const raw = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    // No literals, one sequence, and three tables of a single symbol: lengths 0 and 3.
    const bytes = [0, 1, 0xa8, 0xf4, 0x3f, 0xf3, 0x1f, 0xf4, 0x3f, 0, 0, 0, 4];
    const block = { type: 2, size: bytes.length, bytes };
    const file = frame([{ type: 0, size: 8, bytes: raw }, ...Array(count).fill(block)]);
    let [decoded, milliseconds] = [undefined, Infinity];
    // (Other programs may delay a run.)
    for (let i = 0; i < 3; i++) {
        const start = performance.now();
        decoded = zstdDecoded(file, 8 + 3 * count);
        milliseconds = Math.min(milliseconds, performance.now() - start);
    }
    assert.deepEqual([...decoded.subarray(0, 14)], [...raw, 5, 6, 7, 7, 7, 7]);
    assert.ok(milliseconds < 1500, `${milliseconds} ms`);
});

/** Returns the bytes of numbers, each with a count of bits, the lowest first. */
function packed(numbers) {
    const bits = numbers.flatMap(([value, count]) =>
        Array.from({ length: count }, (_, i) => (value >> i) & 1),
    );
    return Array.from({ length: Math.ceil(bits.length / 8) }, (_, i) =>
        bits.slice(8 * i, 8 * i + 8).reduce((byte, bit, at) => byte | (bit << at), 0),
    );
}

test("Huffman weights above 11 are damaged", () => {
    const file = (zeros) => {
        // A code of 32 states: `zeros` symbols without any, then two of 16.
        const repeats = [...Array(Math.floor((zeros - 1) / 3)).fill([3, 2]), [(zeros - 1) % 3, 2]];
        const table = packed([[0, 4], [1, 5], ...repeats, [17, 5], [31, 5]]);
        const weights = [...table, 0, 0x04];
        const literals = [weights.length, ...weights, 1];
        const header = 2 | (4 << 4) | (literals.length << 14);
        const bytes = [header & 255, (header >> 8) & 255, header >> 16, ...literals, 0];
        return frame([{ type: 2, size: bytes.length, bytes }]);
    };
    assert.throws(() => zstdDecoded(file(33), 4), RangeError);
});
