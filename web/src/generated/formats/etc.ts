// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { FormatData } from "../../data.js";
import parts_bc from "../parts/bc.js";
import parts_etc from "../parts/etc.js";
import parts_load from "../parts/load.js";
import parts_real_time from "../parts/real-time.js";

const data: FormatData = {
    parts: [parts_bc, parts_etc, parts_load, parts_real_time],
    tables: [],
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
            name: "etc2 real time 1",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "etc constants 1", "etc/numbers", "etc/etc2/real_time_paint",
                "etc/etc2/real_time_finish", "etc/etc2/real_time", "etc/rgb",
            ],
        },
        {
            name: "etc2 real time 2",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "etc constants 2", "etc/numbers", "etc/etc2/real_time_paint",
                "etc/etc2/real_time_finish", "etc/etc2/real_time", "etc/rgb",
            ],
        },
        {
            name: "etc2-a1 real time 1",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "etc constants 3", "etc/numbers", "etc/etc2/real_time_paint",
                "etc/etc2/real_time_finish", "etc/etc2/real_time", "etc/rgb",
            ],
        },
        {
            name: "etc2-a1 real time 2",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "etc constants 4", "etc/numbers", "etc/etc2/real_time_paint",
                "etc/etc2/real_time_finish", "etc/etc2/real_time", "etc/rgb",
            ],
        },
        {
            name: "etc2-a8 real time 1",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "etc constants 5", "etc/numbers", "etc/eac/real_time", "etc/etc2/real_time_paint",
                "etc/etc2/real_time_finish", "etc/etc2/real_time", "etc/rgba",
            ],
        },
        {
            name: "etc2-a8 real time 2",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "etc constants 6", "etc/numbers", "etc/eac/real_time", "etc/etc2/real_time_paint",
                "etc/etc2/real_time_finish", "etc/etc2/real_time", "etc/rgba",
            ],
        },
        {
            name: "eac-r11 real time 1",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "etc constants 7", "etc/numbers", "etc/eac/real_time", "etc/r",
            ],
        },
        {
            name: "eac-r11 real time 2",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "etc constants 8", "etc/numbers", "etc/eac/real_time", "etc/r",
            ],
        },
        {
            name: "eac-r11s real time 1",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "etc constants 9", "etc/numbers", "etc/eac/real_time", "etc/r",
            ],
        },
        {
            name: "eac-r11s real time 2",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "etc constants 10", "etc/numbers", "etc/eac/real_time", "etc/r",
            ],
        },
        {
            name: "eac-rg11 real time 1",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "etc constants 11", "etc/numbers", "etc/eac/real_time", "etc/rg",
            ],
        },
        {
            name: "eac-rg11 real time 2",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "etc constants 12", "etc/numbers", "etc/eac/real_time", "etc/rg",
            ],
        },
        {
            name: "eac-rg11s real time 1",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "etc constants 13", "etc/numbers", "etc/eac/real_time", "etc/rg",
            ],
        },
        {
            name: "eac-rg11s real time 2",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "etc constants 14", "etc/numbers", "etc/eac/real_time", "etc/rg",
            ],
        },
    ],
    params: [["width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 0]],
    chains: {
        "etc2-rgb8": {
            "real-time-1": {
                scratch: [],
                firstBandBlocks: 8192,
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
                firstBandBlocks: 8192,
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
                firstBandBlocks: 8192,
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
        },
        "etc2-rgb8a1": {
            "real-time-1": {
                scratch: [],
                firstBandBlocks: 8192,
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
            "real-time-2": {
                scratch: [],
                firstBandBlocks: 8192,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 3,
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
                firstBandBlocks: 8192,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 3,
                        overrides: {},
                        binds: ["params", "texels", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 0 }],
                    },
                ],
            },
        },
        "etc2-rgba8": {
            "real-time-1": {
                scratch: [],
                firstBandBlocks: 8192,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 4,
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
                firstBandBlocks: 8192,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 5,
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
                firstBandBlocks: 8192,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 5,
                        overrides: {},
                        binds: ["params", "texels", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 0 }],
                    },
                ],
            },
        },
        "eac-r11": {
            "real-time-1": {
                scratch: [],
                firstBandBlocks: 8192,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 6,
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
                firstBandBlocks: 8192,
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
            "real-time-3": {
                scratch: [],
                firstBandBlocks: 8192,
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
        },
        "eac-r11s": {
            "real-time-1": {
                scratch: [],
                firstBandBlocks: 8192,
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
            "real-time-2": {
                scratch: [],
                firstBandBlocks: 8192,
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
            "real-time-3": {
                scratch: [],
                firstBandBlocks: 8192,
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
        },
        "eac-rg11": {
            "real-time-1": {
                scratch: [],
                firstBandBlocks: 8192,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 10,
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
                firstBandBlocks: 8192,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 11,
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
                firstBandBlocks: 8192,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 11,
                        overrides: {},
                        binds: ["params", "texels", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 0 }],
                    },
                ],
            },
        },
        "eac-rg11s": {
            "real-time-1": {
                scratch: [],
                firstBandBlocks: 8192,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 12,
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
                firstBandBlocks: 8192,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 13,
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
                firstBandBlocks: 8192,
                mostBlocks: 4294967295,
                steps: [
                    {
                        kernel: 13,
                        overrides: {},
                        binds: ["params", "texels", "blocks"],
                        partsPerWorkgroup: 64,
                        blocksPerDispatch: 4294967295,
                        works: [{ parts: 1, params: 0 }],
                    },
                ],
            },
        },
    },
};

export default data;
