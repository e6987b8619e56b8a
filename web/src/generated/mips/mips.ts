// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { MipData } from "../../data.js";
import parts_load from "../parts/load.js";
import parts_mips from "../parts/mips.js";
import tables_linear_light from "../tables/linear-light.js";
import tables_srgb_light from "../tables/srgb-light.js";

const data: MipData = {
    parts: [parts_load, parts_mips],
    load: {
        kernel: {
            name: "load",
            bindings: ["uniform", "read", "write"],
            parts: [
                "gpu/load", "gpu/convert", "gpu/source", "gpu/source_rgba8", "gpu/texel_rgba8",
                "gpu/put_rgba8",
            ],
        },
        params: ["width", "height", "columns", "blocks", "offset", "pitch", 4, "channelType"],
    },
    kernels: [
        {
            name: "mip",
            bindings: ["uniform", "read", "write", "read"],
            parts: [
                "gpu/mip_params", "gpu/transfer", "gpu/mip", "gpu/mip_one_word", "mips constants 1",
                "gpu/convert", "gpu/source", "gpu/source_rgba8",
            ],
        },
        {
            name: "mip two words",
            bindings: ["uniform", "read", "write", "read"],
            parts: [
                "gpu/mip_params", "gpu/transfer", "gpu/mip", "gpu/words", "gpu/mip_two_words",
                "mips constants 1", "gpu/convert", "gpu/source", "gpu/source_rgba8",
            ],
        },
    ],
    params: [
        "width", "height", "firstX", "firstY", "columns", "rows", "weightSumLow", "weightSumHigh",
        0, "pitch", 4, "channelType", "byAlpha", 0,
    ],
    tables: { linear: tables_linear_light, srgb: tables_srgb_light },
};

export default data;
