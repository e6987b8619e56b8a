// The native program, which encodes at build time.

import { spawn } from "node:child_process";
import process from "node:process";
import { NAMES, OPTIONAL_VALUE, type TextureOptions } from "./options.js";

/** Options of the file and the report, which this module states. */
type FixedOption = "container" | "dx10" | "legacy" | "no-metrics";

const FIXED: readonly string[] = ["container", "dx10", "legacy", "no-metrics"] satisfies FixedOption[];

/** Options of the machine. */
interface MachineOptions {
    readonly device?: "auto" | "cpu" | "gpu" | undefined;
    readonly adapter?: string | number | undefined;
    readonly threads?: number | undefined;
    readonly "max-memory"?: string | number | undefined;
}

const OF_MACHINE: readonly string[] = [
    "device",
    "adapter",
    "threads",
    "max-memory",
] satisfies (keyof MachineOptions)[];

/**
 * Options of `brickwork encode`, by their long names. True is an option without a value; false and undefined
 * leave it out.
 */
export type NativeOptions = Omit<TextureOptions, FixedOption> & MachineOptions;

export interface ProgramOptions {
    /** Path of the program. Default: the environment variable `BRICKWORK`, then `brickwork` on `PATH`. */
    readonly program?: string | undefined;
}

/** Options that are passed on. Others, such as those of files, are not. */
export const KNOWN: ReadonlySet<string> = new Set([
    ...NAMES.filter((name) => !FIXED.includes(name)),
    ...OF_MACHINE,
]);

/** Returns the path of the program. */
export function programPath({ program }: ProgramOptions): string {
    return program ?? process.env["BRICKWORK"] ?? "brickwork";
}

/** Returns the arguments for these options, or throws if one is unknown. */
export function argumentsOf(options: NativeOptions): string[] {
    const entries: [string, string | number | boolean | undefined][] = Object.entries(options);
    return entries.flatMap(([name, value]) => {
        if (!KNOWN.has(name)) {
            throw new Error(
                `no option "${name}"; expected options of brickwork encode: ${[...KNOWN].join(", ")}`,
            );
        }
        if (value === undefined || value === false) return [];
        if (value === true) return [`--${name}`];
        return OPTIONAL_VALUE.includes(name) ? [`--${name}=${value}`] : [`--${name}`, String(value)];
    });
}

/**
 * Encodes an image. The input is a path or the contents of a file.
 *
 * @returns the texture file.
 * @throws if the program is not found, or with its message if it refuses the image or the options.
 */
export async function encodeNatively(
    input: string | Uint8Array,
    container: "dds" | "ktx2",
    options: NativeOptions,
    program: ProgramOptions = {},
): Promise<Buffer<ArrayBuffer>> {
    const fixed = ["--quiet", "--no-metrics", "--no-rules", "--container", container, "-o", "-"];
    const header = container === "dds" ? ["--dx10"] : [];
    const path = typeof input === "string" ? input : "-";
    const contents = typeof input === "string" ? undefined : input;
    return run(
        programPath(program),
        ["encode", ...fixed, ...header, ...argumentsOf(options), "--", path],
        contents,
    );
}

/** Returns the program's name and version. */
export async function programVersion(program: ProgramOptions): Promise<string> {
    return (await run(programPath(program), ["--version"])).toString().trim();
}

function run(program: string, args: readonly string[], input?: Uint8Array): Promise<Buffer<ArrayBuffer>> {
    return new Promise((resolve, reject) => {
        const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
        const output: Buffer[] = [];
        const messages: Buffer[] = [];
        child.stdout.on("data", (data: Buffer) => output.push(data));
        child.stderr.on("data", (data: Buffer) => messages.push(data));
        // The program may end before it has read everything.
        child.stdin.on("error", () => {});
        child.stdin.end(input);
        child.on("error", (cause: NodeJS.ErrnoException) => {
            const hint = "install it, or set the environment variable BRICKWORK or the option program";
            const reason = cause.code === "ENOENT" ? `it is not found; ${hint}` : cause.message;
            reject(new Error(`cannot run ${program}: ${reason}`, { cause }));
        });
        child.on("close", (status, signal) => {
            if (status === 0) resolve(Buffer.concat(output));
            else
                reject(new Error(Buffer.concat(messages).toString().trim() || `${program} ended: ${signal}`));
        });
    });
}
