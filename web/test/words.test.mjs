// Words of tables, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { wordsOf } from "../dist/words.js";

test("tables are made of their parts", () => {
    const table = [{ words: [7, 0xffffffff] }, { differences: [5, -6, 2] }, { quotients: [31, 255, 4] }];
    // 31/255, 31/510 and 31/765, rounded to single floats.
    const quotients = [0, 0x3df8f8f9, 0x3d78f8f9, 0x3d25fb51];
    assert.deepEqual([...wordsOf(table)], [7, 0xffffffff, 5, 0xffffffff, 1, ...quotients]);
});
