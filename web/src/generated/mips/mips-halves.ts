// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { MipData } from "../../data.js";
import parts_load from "../parts/load.js";
import parts_load_halves from "../parts/load-halves.js";
import parts_mips from "../parts/mips.js";
import parts_mips_halves from "../parts/mips-halves.js";

const data: MipData = {
    parts: [parts_load, parts_load_halves, parts_mips, parts_mips_halves],
    load: {
        kernel: {
            name: "load halves",
            bindings: ["uniform", "read", "write"],
            parts: [
                "gpu/load", "mips-halves constants 1", "gpu/convert", "gpu/convert_wide",
                "gpu/source", "gpu/source_wide", "gpu/put_wide",
            ],
        },
        params: ["width", "height", "columns", "blocks", "offset", "pitch", 4, "channelType"],
    },
    kernels: [
        {
            name: "mip halves",
            bindings: ["uniform", "read", "write"],
            parts: [
                "gpu/mip_params", "gpu/words", "gpu/mip_wide", "mips-halves constants 1",
                "gpu/convert", "gpu/convert_wide", "gpu/source", "gpu/source_wide", "gpu/put_wide",
            ],
        },
    ],
    params: [
        "width", "height", "firstX", "firstY", "columns", "rows", "weightSumLow", "weightSumHigh",
        0, "pitch", 4, "channelType", "byAlpha", 0,
    ],
};

export default data;
