// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { NormalData } from "../../data.js";
import parts_normals from "../parts/normals.js";

const data: NormalData = {
    parts: [parts_normals],
    kernels: [
        {
            name: "normals, unit length",
            bindings: ["uniform", "write"],
            parts: ["gpu/normals/normals", "gpu/normals/unit_length"],
        },
        {
            name: "normals, blue",
            bindings: ["uniform", "write", "write"],
            parts: ["gpu/normals/normals", "gpu/normals/blue"],
        },
        {
            name: "normals, z",
            bindings: ["uniform", "write", "read"],
            parts: ["gpu/normals/normals", "gpu/normals/z"],
        },
    ],
    params: ["width", "height", "pitch", 0],
};

export default data;
