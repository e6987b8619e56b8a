// Checks the types of the package.

import { compile } from "./compile.mjs";

for (const project of ["tsconfig.json", "tsconfig.node.json"])
    compile(project, "--noEmit");
