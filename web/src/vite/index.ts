// A Vite plugin that compresses images at build time, with the native program.

import { createHash } from "node:crypto";
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import process from "node:process";
import { type Plugin, normalizePath } from "vite";
import {
    type NativeOptions,
    type ProgramOptions,
    argumentsOf,
    encodeNatively,
    programVersion,
} from "../native/program.js";
import { textureFormatOf } from "../formats.js";
import { readKtx2Header } from "../reader.js";

export type { NativeOptions } from "../native/program.js";

export interface BrickworkPluginOptions extends ProgramOptions {
    /** Options of every image, unless its import states others. Default: `{ mips: true }`. */
    readonly options?: NativeOptions;
}

/**
 * Returns a plugin for imports such as `./wood.png?brickwork&format=bc7`. The other parameters are options of
 * `brickwork encode`. The module has these exports:
 *
 * - `default`: URL of a KTX2 file;
 * - `fallback`: URL of the image, for devices without block-compressed textures;
 * - `format`: its `GPUTextureFormat`; `width`, `height`; `mipLevels`: their number.
 *
 * Files are kept in Vite's `cacheDir`. They are made again if the image, the options or the program change.
 */
export function brickwork(options: BrickworkPluginOptions = {}): Plugin {
    let folder = "";
    let identity: Promise<string> | undefined;
    return {
        name: "brickwork",
        enforce: "pre",
        configResolved(config) {
            folder = join(config.cacheDir, "brickwork");
        },
        async load(id) {
            const [file = "", query = ""] = id.split("?", 2);
            const parameters = new URLSearchParams(query);
            if (!parameters.has("brickwork")) return null;
            this.addWatchFile(file);
            const chosen = optionsOf(parameters, options.options ?? { mips: true });
            const program = await (identity ??= identityOf(options));
            const contents = await readFile(file);
            const texture = await cached(folder, file, contents, chosen, program, options);
            const { format, srgb, size, levelCount } = await readKtx2Header(await readFile(texture));
            if (size.some((side) => side % 4 !== 0)) {
                this.warn(
                    `${basename(file)}: sides of ${size.join("×")} texels are not multiples of 4, which WebGPU ` +
                        `requires; use the fallback, or the parameter multiple-of-4`,
                );
            }
            const url = (path: string) => JSON.stringify(`${normalizePath(path)}?url&no-inline`);
            return [
                `export { default } from ${url(texture)};`,
                `export { default as fallback } from ${url(file)};`,
                `export const format = ${JSON.stringify(textureFormatOf(format, srgb))};`,
                `export const width = ${size[0]}, height = ${size[1]}, mipLevels = ${levelCount};`,
                "",
            ].join("\n");
        },
    };
}

function optionsOf(parameters: URLSearchParams, defaults: NativeOptions): NativeOptions {
    const options: Record<string, string | number | boolean | undefined> = { ...defaults };
    for (const [name, value] of parameters) {
        // Vite adds `t` and `v` to the addresses of changed modules.
        if (name === "brickwork" || name === "t" || name === "v") continue;
        options[name] = value === "" || value === "true" ? true : value === "false" ? false : value;
    }
    // Names that the program does not know are refused when it is called.
    return options as NativeOptions;
}

/** Identity of the program's code. */
async function identityOf(options: BrickworkPluginOptions): Promise<string> {
    const version = await programVersion(options);
    const path = options.program ?? process.env["BRICKWORK"];
    if (!path) return version;
    const { size, mtimeMs } = await stat(path);
    return `${version} ${size} ${mtimeMs}`;
}

/** Returns the path of the KTX2 file, after it is made or found. */
async function cached(
    folder: string,
    file: string,
    contents: Uint8Array,
    options: NativeOptions,
    identity: string,
    program: ProgramOptions,
): Promise<string> {
    const name = basename(file, extname(file));
    const key = createHash("sha256")
        .update(JSON.stringify([identity, basename(file), argumentsOf(options)]))
        .update(contents)
        .digest("hex")
        .slice(0, 32);
    const path = join(folder, key, `${name}.ktx2`);
    if (await stat(path).catch(() => undefined)) return path;
    const texture = await encodeNatively(file, "ktx2", options, program);
    await mkdir(join(folder, key), { recursive: true });
    // Another process may write the same file.
    const partial = `${path}.${process.pid}`;
    await writeFile(partial, texture);
    await rename(partial, path);
    return path;
}
