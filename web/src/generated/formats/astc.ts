// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { FormatData } from "../../data.js";
import parts_astc from "../parts/astc.js";
import parts_bc from "../parts/bc.js";
import parts_load from "../parts/load.js";
import parts_real_time from "../parts/real-time.js";

const data: FormatData = {
    parts: [parts_astc, parts_bc, parts_load, parts_real_time],
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
            name: "astc real time 1",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "astc constants 1", "numbers", "astc/real_time/sums", "astc/real_time/coding",
                "astc/real_time/weights", "astc/real_time/pack", "astc/real_time/real_time",
            ],
        },
        {
            name: "astc real time 2",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "astc constants 2", "numbers", "astc/real_time/sums", "astc/real_time/coding",
                "astc/real_time/weights", "astc/real_time/pack", "astc/real_time/real_time",
            ],
        },
        {
            name: "astc real time 1, sRGB",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "astc constants 3", "numbers", "astc/real_time/sums", "astc/real_time/coding",
                "astc/real_time/weights", "astc/real_time/pack", "astc/real_time/real_time",
            ],
        },
        {
            name: "astc real time 2, sRGB",
            bindings: ["uniform", "read", "write"],
            parts: [
                "real_time/params", "real_time/texels", "visible_at", "visible", "real_time/main",
                "astc constants 4", "numbers", "astc/real_time/sums", "astc/real_time/coding",
                "astc/real_time/weights", "astc/real_time/pack", "astc/real_time/real_time",
            ],
        },
    ],
    params: [["width", "height", "columns", "firstBlock", "endBlock", "target", "pitch", 0]],
    chains: {
        "astc-4x4": {
            "real-time-1": {
                scratch: [],
                firstBandBlocks: 4096,
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
                firstBandBlocks: 4096,
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
                firstBandBlocks: 4096,
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
        "astc-4x4 srgb": {
            "real-time-1": {
                scratch: [],
                firstBandBlocks: 4096,
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
                firstBandBlocks: 4096,
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
                firstBandBlocks: 4096,
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
    },
};

export default data;
