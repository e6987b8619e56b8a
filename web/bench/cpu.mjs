// Time of the native encoder with SSE4.1 over the time of the WebAssembly module, on one thread: BC1 and BC7
// at `normal`, 768×512 texels. Times are the best of several, measured in turns.
//
//     cargo build --release && npm run build && node bench/cpu.mjs
//
// Environment: BRICKWORK is the program's path (default: target/release/brickwork).

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { texelsFlag } from "../dist/cpu/jobs.js";
import { CpuModule } from "../dist/cpu/module.js";
import { encodeNumbers } from "../dist/cpu/numbers.js";
import { settingsOf } from "../dist/options.js";
import { png, texels } from "../test/images.mjs";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const PROGRAM = process.env.BRICKWORK ?? path("../../target/release/brickwork");
const [WIDTH, HEIGHT] = [768, 512];
const TURNS = 7;

const folder = mkdtempSync(join(tmpdir(), "brickwork-bench-"));
const rgba = texels(WIDTH, HEIGHT, false);
const image = join(folder, "image.png");
writeFileSync(image, png(WIDTH, HEIGHT, rgba, false));
const module = await WebAssembly.compile(readFileSync(path("../dist/cpu/brickwork.wasm")));
const cpu = await CpuModule.create(module);

/** Returns the seconds of one encoding by the program. */
function nativeSeconds(format) {
    const output = join(folder, "out.dds");
    const fixed = ["--device", "cpu", "--threads", "1", "--no-metrics", "--no-rules", "--json", "-o", output];
    const options = ["--format", format, "--quality", "normal", "--srgb"];
    const env = { ...process.env, BRICKWORK_TEXTURE_SIMD: "sse4.1" };
    const text = execFileSync(PROGRAM, ["encode", image, ...fixed, ...options], { env });
    const [report] = JSON.parse(text).files;
    if (report.simd !== "sse41") throw new Error(`the program used ${report.simd}, not SSE4.1`);
    return report.encode_seconds;
}

function moduleSeconds(format) {
    const numbers = encodeNumbers(settingsOf({ format, alpha: "opaque" }), 1, [WIDTH, HEIGHT]);
    const start = performance.now();
    cpu.encode(numbers, texelsFlag("rgba8unorm"), rgba);
    return (performance.now() - start) / 1000;
}

try {
    for (const format of ["bc1", "bc7"]) {
        const best = [Infinity, Infinity];
        for (let turn = 0; turn < TURNS; turn++) {
            best[0] = Math.min(best[0], nativeSeconds(format));
            best[1] = Math.min(best[1], moduleSeconds(format));
        }
        const speeds = best.map((seconds) => (WIDTH * HEIGHT) / seconds / 1e6);
        const [native, wasm] = speeds.map((speed) => speed.toFixed(2));
        const ratio = (speeds[1] / speeds[0]).toFixed(2);
        console.log(`${format} normal: SSE4.1 ${native}, wasm ${wasm} Mtexel/s; wasm / SSE4.1 ${ratio}`);
    }
} finally {
    rmSync(folder, { recursive: true });
}
