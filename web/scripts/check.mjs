// Checks the types of the package and of the site.

import { compile } from "./compile.mjs";

for (const project of ["tsconfig.json", "tsconfig.node.json", "site/tsconfig.json"])
    compile(project, "--noEmit");
