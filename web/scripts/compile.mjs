// The TypeScript compiler.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("..", import.meta.url));

/** Runs the compiler for a project, or ends this process with its status. */
export function compile(project, ...options) {
    try {
        const compiler = `${folder}/node_modules/typescript/bin/tsc`;
        execFileSync(process.execPath, [compiler, "-p", project, ...options], {
            cwd: folder,
            stdio: "inherit",
        });
    } catch (error) {
        process.exit(error.status ?? 1);
    }
}
