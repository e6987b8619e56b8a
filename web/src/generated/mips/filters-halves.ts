// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { FilterData } from "../../data.js";
import parts_filters from "../parts/filters.js";
import parts_filters_halves from "../parts/filters-halves.js";
import parts_load from "../parts/load.js";
import parts_load_halves from "../parts/load-halves.js";
import parts_mips from "../parts/mips.js";
import parts_mips_halves from "../parts/mips-halves.js";

const data: FilterData = {
    parts: [
        parts_filters,
        parts_filters_halves,
        parts_load,
        parts_load_halves,
        parts_mips,
        parts_mips_halves,
    ],
    kernels: [
        {
            name: "filter sums, halves, clamped",
            bindings: ["uniform", "read", "write", "read"],
            parts: [
                "gpu/filter/params", "gpu/filter/single", "gpu/filter/sums", "gpu/filter/clamped",
                "filters-halves constants 1", "gpu/convert", "gpu/convert_wide", "gpu/source",
                "gpu/source_wide", "gpu/filter/read_wide",
            ],
        },
        {
            name: "filter texels, halves",
            bindings: ["uniform", "read", "write", "read", "read"],
            parts: [
                "gpu/filter/params", "gpu/filter/single", "gpu/filter/texels",
                "filters-halves constants 2", "gpu/convert", "gpu/convert_wide", "gpu/source",
                "gpu/source_wide", "gpu/filter/read_wide", "gpu/put_wide", "gpu/filter/write_wide",
            ],
        },
    ],
    params: [
        "columnStart", "columnStride", "columnStep", "columnTaps", "rowStart", "rowStride",
        "rowStep", "rowTaps", "coveredColumnStart", "coveredColumnStride", "coveredColumnStep",
        "coveredColumnTaps", "coveredRowStart", "coveredRowStride", "coveredRowStep",
        "coveredRowTaps", "columns", "rows", "firstColumn", "firstRow", "levelPitch", "firstSum",
        "sums", 0, "pitch", 4, "channelType", "byAlpha", "width", "height",
    ],
};

export default data;
