// Compiles the package to dist/, and that of the Zarr codec to zarr-codec/dist/, with their WebAssembly modules:
// each is a crate with other features. `--no-cpu` leaves out the modules of `./cpu`, whose calls then fail with the
// code `cpu`; `--no-volume` the export `./volume` and the package of the codec. With both, cargo is not needed.

import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "./compile.mjs";

const folder = fileURLToPath(new URL("..", import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? `${folder}/../target`;

/** Modules: export, crate, features, path in dist/ or in the other package. */
const MODULES = [
    { name: "cpu", crate: "brickwork-wasm", features: "bc1-to-bc5", file: "cpu/brickwork.wasm" },
    { name: "cpu", crate: "brickwork-wasm", features: "bc6h", file: "cpu/brickwork-bc6h.wasm" },
    { name: "cpu", crate: "brickwork-wasm", features: "bc7", file: "cpu/brickwork-bc7.wasm" },
    { name: "cpu", crate: "brickwork-wasm", features: "etc", file: "cpu/brickwork-etc.wasm" },
    { name: "cpu", crate: "brickwork-wasm", features: "astc", file: "cpu/brickwork-astc.wasm" },
    {
        name: "volume",
        crate: "brickwork-wasm-volume",
        features: "volumes",
        file: "volume/brickwork-volume.wasm",
    },
    {
        name: "volume",
        crate: "brickwork-wasm-volume",
        features: "full",
        file: "volume/brickwork-volume-full.wasm",
    },
    {
        name: "volume",
        crate: "brickwork-wasm-volume",
        features: "regions",
        file: "../zarr-codec/dist/zarr-codec/brickwork-chunk.wasm",
    },
];

const isLeftOut = (name) => process.argv.includes(`--no-${name}`);
const modules = MODULES.filter(({ name }) => !isLeftOut(name)).map((module) => ({
    ...module,
    bytes: withoutNames(built(module)),
}));
for (const part of ["", "zarr-codec/"]) rmSync(`${folder}/${part}dist`, { recursive: true, force: true });
// What runs in browsers, what runs in Node.js, and the Zarr codec.
compile("tsconfig.json");
compile("tsconfig.node.json");
if (!isLeftOut("volume")) compile("tsconfig.zarr-codec.json");
copyFileSync(`${folder}/src/vite/client.d.ts`, `${folder}/dist/vite/client.d.ts`);
for (const { file, bytes } of modules) writeFileSync(`${folder}/dist/${file}`, bytes);
if (isLeftOut("cpu")) console.log("left out: the modules of ./cpu");
if (isLeftOut("volume")) {
    for (const part of ["volume", "zarr"]) rmSync(`${folder}/dist/${part}`, { recursive: true, force: true });
    console.log("left out: the export ./volume and the package @brickwork/zarr-codec");
}

/** Builds a module and returns it. The next one of the same crate replaces the file. */
function built({ name, crate, features }) {
    const choice = ["-p", crate, "--no-default-features", "--features", features];
    const profile = ["--profile", "wasm", "--target", "wasm32-unknown-unknown"];
    try {
        execFileSync("cargo", ["build", ...profile, ...choice], { cwd: `${folder}/..`, stdio: "inherit" });
    } catch (error) {
        console.error(`${error.message}\nTo leave out what it brings:\n    npm run build -- --no-${name}`);
        process.exit(1);
    }
    return readFileSync(`${target}/wasm32-unknown-unknown/wasm/${crate.replaceAll("-", "_")}.wasm`);
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
