// Compiles the package to dist/. `--no-cpu` and `--no-volume` leave out the exports `./cpu` and `./volume`, which
// need WebAssembly modules.
//
// Environment: BRICKWORK_WASM, BRICKWORK_WASM_BC6H, BRICKWORK_WASM_BC7, BRICKWORK_WASM_VOLUME and
// BRICKWORK_WASM_VOLUME_FULL are the modules' paths.

import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "./compile.mjs";

const folder = fileURLToPath(new URL("..", import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? `${folder}/../target`;

const CPU = "the CPU's encoders";

/** Modules: export, crate, path in dist/, and what the export brings. */
const MODULES = [
    { name: "cpu", crate: "brickwork-wasm", file: "cpu/brickwork.wasm", what: CPU },
    { name: "cpu", crate: "brickwork-wasm-bc6h", file: "cpu/brickwork-bc6h.wasm", what: CPU },
    { name: "cpu", crate: "brickwork-wasm-bc7", file: "cpu/brickwork-bc7.wasm", what: CPU },
    {
        name: "volume",
        crate: "brickwork-wasm-volume",
        file: "volume/brickwork-volume.wasm",
        what: "volumes",
    },
    {
        name: "volume",
        crate: "brickwork-wasm-volume-full",
        file: "volume/brickwork-volume-full.wasm",
        what: "volumes",
    },
].map((entry) => {
    const isLeftOut = process.argv.includes(`--no-${entry.name}`);
    const file = `${entry.crate.replaceAll("-", "_")}.wasm`;
    const path =
        process.env[file.slice(0, -5).toUpperCase()] ?? `${target}/wasm32-unknown-unknown/wasm/${file}`;
    return { ...entry, isLeftOut, path };
});

for (const { name, crate, what, path, isLeftOut } of MODULES) {
    if (isLeftOut || existsSync(path)) continue;
    const command = `cargo build --profile wasm --target wasm32-unknown-unknown -p ${crate}`;
    console.error(`${path} is missing. Either run, in the repository,\n    ${command}`);
    console.error(`or leave out ${what}:\n    npm run build -- --no-${name}`);
    process.exit(1);
}
rmSync(`${folder}/dist`, { recursive: true, force: true });
// What runs in browsers, then what runs in Node.js.
compile("tsconfig.json");
compile("tsconfig.node.json");
copyFileSync(`${folder}/src/vite/client.d.ts`, `${folder}/dist/vite/client.d.ts`);
for (const { name, file, path, isLeftOut } of MODULES) {
    if (isLeftOut) {
        rmSync(`${folder}/dist/${name}`, { recursive: true, force: true });
        console.log(`left out: the export ./${name}`);
    } else {
        writeFileSync(`${folder}/dist/${file}`, withoutNames(readFileSync(path)));
    }
}

/** Returns a WebAssembly module without its custom sections, such as names of functions. */
function withoutNames(module) {
    const kept = [module.subarray(0, 8)];
    for (let at = 8; at < module.length;) {
        const start = at;
        const id = module[at++];
        let length = 0;
        for (let shift = 0; ; shift += 7) {
            const byte = module[at++];
            length += (byte & 127) * 2 ** shift;
            if (byte < 128) break;
        }
        at += length;
        if (id !== 0) kept.push(module.subarray(start, at));
    }
    return Buffer.concat(kept);
}
