// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { FormatData } from "../../data.js";
import parts_bc from "../parts/bc.js";
import parts_bc_real_time from "../parts/bc-real-time.js";
import parts_bc4 from "../parts/bc4.js";
import parts_load from "../parts/load.js";
import parts_real_time from "../parts/real-time.js";
import tables_values from "../tables/values.js";

const data: FormatData = {
    parts: [parts_bc, parts_bc_real_time, parts_bc4, parts_load, parts_real_time],
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
            name: "bc4 real time 1",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "bc4 constants 2", "numbers", "real_time/sixteen", "real_time/channel",
                "real_time/r",
            ],
        },
        {
            name: "bc4 real time 2",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "bc4 constants 3", "numbers", "real_time/sixteen", "real_time/channel",
                "real_time/r",
            ],
        },
        {
            name: "bc4 real time 3",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "bc4 constants 4", "numbers", "real_time/sixteen", "real_time/channel",
                "real_time/r",
            ],
        },
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
                "bc4/spread", "bc4/search", "bc4 constants 1",
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
        {
            name: "bc4s real time 1",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "bc4 constants 5", "numbers", "real_time/sixteen", "real_time/channel",
                "real_time/r",
            ],
        },
        {
            name: "bc4s real time 2",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "bc4 constants 6", "numbers", "real_time/sixteen", "real_time/channel",
                "real_time/r",
            ],
        },
        {
            name: "bc4s real time 3",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "bc4 constants 7", "numbers", "real_time/sixteen", "real_time/channel",
                "real_time/r",
            ],
        },
    ],
    params: [
        ["width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 0],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 2, 0, 1, 0,
            0, 0, 1132396544, 1108082688, 1108082688, 1048576000, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 2, 0, 1, 0,
            1, 0, 1132396544, 1108082688, 1108082688, 1048576000, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 2, 0, 1, 0,
            2, 0, 1132396544, 1108082688, 1108082688, 1048576000, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 2, 0, 1, 0,
            3, 0, 1132396544, 1108082688, 1108082688, 1048576000, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 2, 0, 1, 0,
            4, 0, 1132396544, 1108082688, 1108082688, 1048576000, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 2, 0, 1, 0,
            0, 1, 1132331008, 1108082688, 1108046707, 1006632960, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 2, 0, 1, 0,
            1, 1, 1132331008, 1108082688, 1108046707, 1006632960, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 2, 0, 1, 0,
            2, 1, 1132331008, 1108082688, 1108046707, 1006632960, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 2, 0, 1, 0,
            3, 1, 1132331008, 1108082688, 1108046707, 1006632960, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
        [
            "width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 2, 0, 1, 0,
            4, 1, 1132331008, 1108082688, 1108046707, 1006632960, 0, 0, 1045220557, 1041385765,
            1084227584, 1088421888, 0,
        ],
    ],
    chains: {
        bc4: {
            "real-time-1": {
                scratch: [],
                firstBandBlocks: 16384,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 0,
                        overrides: {},
                        binds: ["params", "texels", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 0 }],
                    },
                ],
            },
            "real-time-2": {
                scratch: [],
                firstBandBlocks: 16384,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 1,
                        overrides: {},
                        binds: ["params", "texels", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 0 }],
                    },
                ],
            },
            "real-time-3": {
                scratch: [],
                firstBandBlocks: 16384,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 2,
                        overrides: {},
                        binds: ["params", "texels", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 0 }],
                    },
                ],
            },
            ultrafast: {
                scratch: [],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 3,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 1 }],
                    },
                ],
            },
            fast: {
                scratch: [4],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 4,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 2 }],
                    },
                    {
                        kernel: 5,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 2 }],
                    },
                ],
            },
            normal: {
                scratch: [4],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 4,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 3 }],
                    },
                    {
                        kernel: 5,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 3 }],
                    },
                ],
            },
            high: {
                scratch: [4],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 4,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 4 }],
                    },
                    {
                        kernel: 5,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 4 }],
                    },
                ],
            },
            best: {
                scratch: [4],
                firstBandBlocks: 256,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 4,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 5 }],
                    },
                    {
                        kernel: 6,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 5 }],
                    },
                    {
                        kernel: 5,
                        overrides: { HAS_RESTS: 0 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 5 }],
                    },
                ],
            },
        },
        bc4s: {
            "real-time-1": {
                scratch: [],
                firstBandBlocks: 16384,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 7,
                        overrides: {},
                        binds: ["params", "texels", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 0 }],
                    },
                ],
            },
            "real-time-2": {
                scratch: [],
                firstBandBlocks: 16384,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 8,
                        overrides: {},
                        binds: ["params", "texels", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 0 }],
                    },
                ],
            },
            "real-time-3": {
                scratch: [],
                firstBandBlocks: 16384,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 9,
                        overrides: {},
                        binds: ["params", "texels", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 0 }],
                    },
                ],
            },
            ultrafast: {
                scratch: [],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 3,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 6 }],
                    },
                ],
            },
            fast: {
                scratch: [4],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 4,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 7 }],
                    },
                    {
                        kernel: 5,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 7 }],
                    },
                ],
            },
            normal: {
                scratch: [4],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 4,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 8 }],
                    },
                    {
                        kernel: 5,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 8 }],
                    },
                ],
            },
            high: {
                scratch: [4],
                firstBandBlocks: 2048,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 4,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 9 }],
                    },
                    {
                        kernel: 5,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 9 }],
                    },
                ],
            },
            best: {
                scratch: [4],
                firstBandBlocks: 256,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 4,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 10 }],
                    },
                    {
                        kernel: 6,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 10 }],
                    },
                    {
                        kernel: 5,
                        overrides: { HAS_RESTS: 1 },
                        binds: ["params", "table:0", "texels", "scratch:0", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 10 }],
                    },
                ],
            },
        },
    },
};

export default data;
