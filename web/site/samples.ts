// Images of the repository's test data.

import type { BlockFormat } from "@brickwork/web";
import parrots from "../../test-data/kodak/kodim23.png?url&no-inline";
import leather from "../../test-data/textures/leather-base-color.png?url&no-inline";
import normals from "../../test-data/textures/leather-normal.png?url&no-inline";

export interface Sample {
    readonly name: string;
    readonly title: string;
    readonly address: string;
    readonly format: BlockFormat;
}

export const SAMPLES: readonly Sample[] = [
    { name: "parrots.png", title: "Photograph", address: parrots, format: "bc7" },
    { name: "leather.png", title: "Base colour", address: leather, format: "bc7" },
    { name: "leather-normal.png", title: "Normal map", address: normals, format: "bc5" },
];
