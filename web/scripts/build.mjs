// Compiles the package to dist/. `--no-cpu` leaves out the export `./cpu`, which needs a WebAssembly module.
//
// Environment: BRICKWORK_WASM is the module's path.

import { copyFileSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "./compile.mjs";

const folder = fileURLToPath(new URL("..", import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? `${folder}/../target`;
const module = process.env.BRICKWORK_WASM ?? `${target}/wasm32-unknown-unknown/wasm/brickwork_wasm.wasm`;
const withCpu = !process.argv.includes("--no-cpu");
if (withCpu && !existsSync(module)) {
    const command = "cargo build --profile wasm --target wasm32-unknown-unknown -p brickwork-wasm";
    console.error(`${module} is missing. Either run, in the repository,\n    ${command}`);
    console.error("or leave out the CPU's encoders:\n    npm run build -- --no-cpu");
    process.exit(1);
}
rmSync(`${folder}/dist`, { recursive: true, force: true });
// What runs in browsers, then what runs in Node.js.
compile("tsconfig.json");
compile("tsconfig.node.json");
copyFileSync(`${folder}/src/vite/client.d.ts`, `${folder}/dist/vite/client.d.ts`);
if (withCpu) {
    copyFileSync(module, `${folder}/dist/cpu/brickwork.wasm`);
} else {
    rmSync(`${folder}/dist/cpu`, { recursive: true });
    console.log("left out: the export ./cpu");
}
