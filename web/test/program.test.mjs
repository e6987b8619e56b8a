// The options that the tools for build time pass on, against the native program's help.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { OPTIONAL_VALUE } from "../dist/native/options.js";
import { KNOWN } from "../dist/native/program.js";
import { PROGRAM, noProgram } from "./native.mjs";

test("all options are those of the program", { skip: noProgram }, () => {
    const help = execFileSync(PROGRAM, ["encode", "--help"], { encoding: "utf8" });
    const [known, optional] = [new Set(), new Set()];
    for (const [, name, mark] of help.matchAll(/^ +(?:-\w, )?--([\w-]+)(\[=)?/gm)) {
        known.add(name);
        if (mark) optional.add(name);
    }
    assert.ok(known.size > 20, help);
    assert.deepEqual(
        [...KNOWN].filter((name) => !known.has(name)),
        [],
    );
    const found = [...KNOWN].filter((name) => optional.has(name));
    assert.deepEqual(new Set(OPTIONAL_VALUE), new Set(found));
    assert.ok(["dither", "premultiply", "assign-oetf", "convert-oetf"].every((name) => KNOWN.has(name)));
});
