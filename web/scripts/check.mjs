// Checks the types of the packages and of the site.

import { compile } from "./compile.mjs";

for (const project of [
    "tsconfig.json",
    "tsconfig.node.json",
    "tsconfig.zarr-codec.json",
    "test/tsconfig.json",
    "site/tsconfig.json",
])
    compile(project, "--noEmit");
