// The native program, whose bytes the page must give.
//
// Environment: BRICKWORK is the program's path.

import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Path of the program. */
export const PROGRAM =
    process.env.BRICKWORK ?? fileURLToPath(new URL("../../target/debug/brickwork", import.meta.url));
const run = promisify(execFile);

/** The program's names of the formats of phones. */
export const MOBILE = {
    "etc2-rgb8": "etc2",
    "etc2-rgb8a1": "etc2-a1",
    "etc2-rgba8": "etc2-a8",
    "eac-r11": "eac-r11",
    "eac-r11s": "eac-r11s",
    "eac-rg11": "eac-rg11",
    "eac-rg11s": "eac-rg11s",
    "astc-4x4": "astc",
};

/** Reason to skip tests that need the program; false if it exists. */
export const noProgram = existsSync(PROGRAM)
    ? false
    : `the program ${PROGRAM} does not exist (set BRICKWORK)`;
if (noProgram && process.env.BRICKWORK !== undefined) throw new Error(noProgram);
if (noProgram) console.log(`# skipped: ${noProgram}`);

/** Reason to skip tests of `brickwork serve`; false if the program has it. */
export const noServer =
    noProgram ||
    (spawnSync(PROGRAM, ["serve", "--help"]).status === 0
        ? false
        : `the program ${PROGRAM} was built without the feature serve`);

/** Encodes a file's contents on the CPU. Returns the texture file. */
export async function encoded(name, contents, options, container = "dds") {
    const folder = await mkdtemp(join(tmpdir(), "brickwork-web-"));
    try {
        const input = join(folder, name);
        const output = join(folder, `out.${container}`);
        await writeFile(input, contents);
        const header = container === "dds" ? ["--dx10"] : [];
        const fixed = ["--device", "cpu", "--quiet", "--no-metrics", "--no-rules", "-o", output];
        await run(PROGRAM, ["encode", input, ...fixed, ...header, ...options]);
        return await readFile(output);
    } finally {
        await rm(folder, { recursive: true });
    }
}

/** Assembles images to a cube or an array. Returns the texture file. */
export async function assembled(images, name, shape, options) {
    const folder = await mkdtemp(join(tmpdir(), "brickwork-web-"));
    try {
        const paths = images.map((_, i) => join(folder, `${i}.png`));
        await Promise.all(images.map((image, i) => writeFile(paths[i], image)));
        const output = join(folder, name);
        const fixed = ["--device", "cpu", "--quiet", "-o", output];
        await run(PROGRAM, ["assemble", ...shape, ...paths, ...fixed, ...options]);
        return await readFile(output);
    } finally {
        await rm(folder, { recursive: true });
    }
}

/** Decodes a texture file. Returns the PNG file. */
export async function decoded(name, contents) {
    const folder = await mkdtemp(join(tmpdir(), "brickwork-web-"));
    try {
        const [input, output] = [join(folder, name), join(folder, "out.png")];
        await writeFile(input, contents);
        await run(PROGRAM, ["decode", input, "--quiet", "-o", output]);
        return await readFile(output);
    } finally {
        await rm(folder, { recursive: true });
    }
}

/** Encodes raw voxels of 8 bits. Returns the `.bwv` file. */
export async function encodedVolume(voxels, dims, options) {
    const folder = await mkdtemp(join(tmpdir(), "brickwork-web-"));
    try {
        const [input, output] = [join(folder, "in.raw"), join(folder, "out.bwv")];
        await writeFile(input, voxels);
        const shape = ["--dims", dims.join("x"), "--type", "u8"];
        await run(PROGRAM, ["volume", "encode", input, ...shape, "--quiet", "-o", output, ...options]);
        return await readFile(output);
    } finally {
        await rm(folder, { recursive: true });
    }
}

/** Renders a volume on the CPU. Returns the PNG. */
export async function rendered(path, options) {
    const folder = await mkdtemp(join(tmpdir(), "brickwork-web-"));
    try {
        const output = join(folder, "out.png");
        await run(PROGRAM, [
            "volume",
            "render",
            path,
            "--device",
            "cpu",
            "--quiet",
            "-o",
            output,
            ...options,
        ]);
        return await readFile(output);
    } finally {
        await rm(folder, { recursive: true });
    }
}

/** Returns the program's report about an encoding. */
export async function reported(path, options) {
    const folder = await mkdtemp(join(tmpdir(), "brickwork-web-"));
    try {
        const fixed = ["--device", "cpu", "--json", "--no-rules", "-o", join(folder, "out.dds")];
        const { stdout } = await run(PROGRAM, ["encode", path, ...fixed, ...options]);
        return JSON.parse(stdout);
    } finally {
        await rm(folder, { recursive: true });
    }
}
