// Division into bands, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { BandSizes, areaTexels, areasOf } from "../dist/areas.js";
import { fullMipCount, halved } from "../dist/mips.js";

test("areas cover each block once, in order", () => {
    for (const [columns, rows] of [
        [1, 1],
        [7, 5],
        [64, 3],
        [3, 64],
    ]) {
        for (const limits of [[1], [3], [64], [1000], [2, 100, 5], [5, 1, 9]]) {
            let number = 0;
            const seen = new Set();
            for (const area of areasOf([columns, rows], () => limits[number++ % limits.length])) {
                assert.ok(area.rows === 1 || area.columns === columns);
                for (let y = area.row; y < area.row + area.rows; y++) {
                    for (let x = area.column; x < area.column + area.columns; x++) {
                        assert.equal(seen.size, y * columns + x);
                        seen.add(y * columns + x);
                    }
                }
            }
            assert.equal(seen.size, columns * rows);
        }
    }
});

test("areas end at the image's edge", () => {
    const area = { column: 2, row: 1, columns: 3, rows: 2 };
    assert.deepEqual(areaTexels(area, [18, 11]), { origin: [8, 4], size: [10, 7] });
});

test("bands grow gradually, and shrink at once", () => {
    const sizes = new BandSizes(1000);
    sizes.took(1000, 1);
    assert.equal(sizes.blocks, 4000);
    sizes.took(4000, 400);
    assert.equal(sizes.blocks, 1000);
    // The last band of an image may be small.
    sizes.took(10, 0.01);
    assert.equal(sizes.blocks, 1000);
    // So may the last mip levels, whose time is the GPU's latency.
    sizes.took(1, 2);
    assert.equal(sizes.blocks, 1000);
});

test("bands that the page delays do not shrink without end", () => {
    const sizes = new BandSizes(1000);
    for (let i = 0; i < 10; i++) sizes.took(sizes.blocks, 300);
    assert.equal(sizes.blocks, 125);
    sizes.took(1, 300);
    assert.equal(sizes.blocks, 125);
});

test("mip levels end with 1×1", () => {
    assert.equal(fullMipCount([1, 1]), 1);
    assert.equal(fullMipCount([101, 67]), 7);
    assert.equal(fullMipCount([8192, 1]), 14);
    assert.deepEqual([1, 2, 3, 7].map(halved), [1, 1, 1, 3]);
});
