// Compiles the package to dist/.

import { copyFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "./compile.mjs";

const folder = fileURLToPath(new URL("..", import.meta.url));
rmSync(`${folder}/dist`, { recursive: true, force: true });
// What runs in browsers, then what runs in Node.js.
compile("tsconfig.json");
compile("tsconfig.node.json");
copyFileSync(`${folder}/src/vite/client.d.ts`, `${folder}/dist/vite/client.d.ts`);
