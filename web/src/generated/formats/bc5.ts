// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { FormatData } from "../../data.js";
import parts_bc from "../parts/bc.js";
import parts_bc4 from "../parts/bc4.js";
import parts_load from "../parts/load.js";
import tables_values from "../tables/values.js";

const data: FormatData = {
    parts: [parts_bc, parts_bc4, parts_load],
    tables: [tables_values],
    load: {
        texels: "rgba8unorm",
        kernel: {
            name: "load texture",
            bindings: ["uniform", "texture", "write"],
            parts: ["gpu/load_texture", "gpu/convert", "gpu/texel_rgba8", "gpu/put_rgba8"],
        },
        params: ["originX", "originY", "width", "height", "columns", "blocks"],
    },
    kernels: [
        {
            name: "bc4 quick",
            bindings: ["uniform", "read", "read", "write"],
            parts: [
                "bc4/params", "bc4/task", "bc4/found", "bc4/line", "bc4/words", "bc4/quick",
                "bc4 constants 1",
            ],
        },
        {
            name: "bc4 search",
            bindings: ["uniform", "read", "read", "write"],
            parts: [
                "bc4/params", "visible_at", "visible", "bc4/task", "bc4/line", "bc4/found",
                "bc4/search", "bc4 constants 1",
            ],
        },
        {
            name: "bc4 finish",
            bindings: ["uniform", "read", "read", "read", "write"],
            parts: [
                "bc4/params", "bc4/task", "bc4/found", "bc4/line", "bc4/words", "bc4/finish",
                "bc4 constants 1",
            ],
        },
        {
            name: "bc4 optimal",
            bindings: ["uniform", "read", "read", "write"],
            parts: [
                "bc4/params", "visible_at", "visible", "bc4/task", "bc4/line", "bc4/found",
                "bc4/optimal", "bc4 constants 1",
            ],
        },
    ],
    params: [
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 4, 0, 2, 0,
            0, 0, 1132396544, 1108082688, 1108082688, 1048576000, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 4, 0, 2, 0,
            1, 0, 1132396544, 1108082688, 1108082688, 1048576000, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 4, 0, 2, 0,
            2, 0, 1132396544, 1108082688, 1108082688, 1048576000, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 4, 0, 2, 0,
            3, 0, 1132396544, 1108082688, 1108082688, 1048576000, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 4, 0, 2, 0,
            4, 0, 1132396544, 1108082688, 1108082688, 1048576000, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 4, 0, 2, 0,
            0, 1, 1132331008, 1108082688, 1108046707, 1006632960, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 4, 0, 2, 0,
            1, 1, 1132331008, 1108082688, 1108046707, 1006632960, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 4, 0, 2, 0,
            2, 1, 1132331008, 1108082688, 1108046707, 1006632960, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 4, 0, 2, 0,
            3, 1, 1132331008, 1108082688, 1108046707, 1006632960, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 4, 0, 2, 0,
            4, 1, 1132331008, 1108082688, 1108046707, 1006632960, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
    ],
    chains: {
        bc5: {
            ultrafast: {
                scratch: [],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 0,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 0 }],
                    },
                ],
            },
            fast: {
                scratch: [8],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 1,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 1 }],
                    },
                    {
                        kernel: 2,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 1 }],
                    },
                ],
            },
            normal: {
                scratch: [8],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 1,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 2 }],
                    },
                    {
                        kernel: 2,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 2 }],
                    },
                ],
            },
            high: {
                scratch: [8],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 1,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 3 }],
                    },
                    {
                        kernel: 2,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 3 }],
                    },
                ],
            },
            best: {
                scratch: [8],
                firstBandBlocks: 256,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 1,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 4 }],
                    },
                    {
                        kernel: 3,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 4 }],
                    },
                    {
                        kernel: 2,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 4 }],
                    },
                ],
            },
        },
        bc5s: {
            ultrafast: {
                scratch: [],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 0,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 5 }],
                    },
                ],
            },
            fast: {
                scratch: [8],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 1,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 6 }],
                    },
                    {
                        kernel: 2,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 6 }],
                    },
                ],
            },
            normal: {
                scratch: [8],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 1,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 7 }],
                    },
                    {
                        kernel: 2,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 7 }],
                    },
                ],
            },
            high: {
                scratch: [8],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 1,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 8 }],
                    },
                    {
                        kernel: 2,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 8 }],
                    },
                ],
            },
            best: {
                scratch: [8],
                firstBandBlocks: 256,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 1,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 9 }],
                    },
                    {
                        kernel: 3,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 9 }],
                    },
                    {
                        kernel: 2,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 2, params: 9 }],
                    },
                ],
            },
        },
    },
};

export default data;
