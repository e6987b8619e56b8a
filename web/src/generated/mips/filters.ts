// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { FilterData } from "../../data.js";
import parts_filters from "../parts/filters.js";
import parts_load from "../parts/load.js";
import parts_mips from "../parts/mips.js";

const data: FilterData = {
    parts: [parts_filters, parts_load, parts_mips],
    kernels: [
        {
            name: "filter sums, clamped",
            bindings: ["uniform", "read", "write", "read"],
            parts: [
                "gpu/filter/params", "gpu/filter/single", "gpu/filter/sums", "gpu/filter/clamped",
                "gpu/convert", "gpu/source", "gpu/source_rgba8", "gpu/filter/read_rgba8",
            ],
        },
        {
            name: "filter texels",
            bindings: ["uniform", "read", "write", "read", "read"],
            parts: [
                "gpu/filter/params", "gpu/filter/single", "gpu/filter/texels",
                "filters constants 1", "gpu/convert", "gpu/source", "gpu/source_rgba8",
                "gpu/filter/read_rgba8", "gpu/put_rgba8", "gpu/transfer", "gpu/filter/write_rgba8",
                "filters constants 2",
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
