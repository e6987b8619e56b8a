// Speed of the WebAssembly module over that of the native encoder with SSE4.1, on one thread: BC1 and BC7 at
// `normal`, 768×512 texels. Times are the best of several, measured in turns.

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

/** Speed of the module over that of the native encoder. */
const MIN_RATIO = 0.6;

/** Returns the seconds of one encoding of a file by the program. */
function nativeSeconds(folder, format) {
    const [image, output] = [join(folder, "image.png"), join(folder, "out.dds")];
    const fixed = ["--device", "cpu", "--threads", "1", "--no-metrics", "--no-rules", "--json", "--force"];
    const options = ["-o", output, "--format", format, "--quality", "normal", "--srgb"];
    const env = { ...process.env, BRICKWORK_TEXTURE_SIMD: "sse4.1" };
    const text = execFileSync(PROGRAM, ["encode", image, ...fixed, ...options], { env });
    const [report] = JSON.parse(text).files;
    if (report.simd !== "sse41") throw new Error(`the program used ${report.simd}, not SSE4.1`);
    return report.encode_seconds;
}

function moduleSeconds(cpu, format, rgba) {
    const numbers = encodeNumbers(settingsOf({ format, alpha: "opaque" }), 1, [WIDTH, HEIGHT]);
    const start = performance.now();
    cpu.encode(numbers, texelsFlag("rgba8unorm"), rgba);
    return (performance.now() - start) / 1000;
}

/** Returns the rows of the module's speed. */
export async function speedRows() {
    const folder = mkdtempSync(join(tmpdir(), "brickwork-bench-"));
    try {
        const rgba = texels(WIDTH, HEIGHT, false);
        writeFileSync(join(folder, "image.png"), png(WIDTH, HEIGHT, rgba, false));
        const files = { bc1: "brickwork.wasm", bc7: "brickwork-bc7.wasm" };
        const modules = {};
        for (const [format, file] of Object.entries(files)) {
            const module = await WebAssembly.compile(readFileSync(path(`../dist/cpu/${file}`)));
            modules[format] = await CpuModule.create(module);
        }
        return Object.entries(modules).map(([format, cpu]) => {
            const best = [Infinity, Infinity];
            for (let turn = 0; turn < TURNS; turn++) {
                best[0] = Math.min(best[0], nativeSeconds(folder, format));
                best[1] = Math.min(best[1], moduleSeconds(cpu, format, rgba));
            }
            const [native, wasm] = best.map((seconds) => (WIDTH * HEIGHT) / seconds / 1e6);
            const speeds = `${wasm.toFixed(2)} ÷ ${native.toFixed(2)} Mtexel/s`;
            return {
                name: `${format.toUpperCase()} normal: WebAssembly ÷ SSE4.1, one thread`,
                goal: `≥ ${MIN_RATIO}`,
                measured: `${(wasm / native).toFixed(2)} (${speeds})`,
                isReached: wasm / native >= MIN_RATIO,
            };
        });
    } finally {
        rmSync(folder, { recursive: true });
    }
}
