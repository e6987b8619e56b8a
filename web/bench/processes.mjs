// CPU time of processes: Linux's /proc.

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";

/** Returns the parent of a process and its ticks of CPU time, or undefined if it has ended. */
function statOf(pid) {
    try {
        const text = readFileSync(`/proc/${pid}/stat`, "latin1");
        // The name, in brackets, may contain spaces. Fields 14 to 17 are the times in user and in kernel mode
        // of the process, then of its children that have ended.
        const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
        const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
        return { pid, parent: fields[1], ticks };
    } catch {
        return undefined;
    }
}

/**
 * Returns the CPU time in seconds of all processes that this one has started, directly and indirectly, in
 * steps of a tick (10 ms). Those that have ended are included, except direct children.
 */
export function startedSeconds() {
    const all = readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .map(statOf)
        .filter((stat) => stat !== undefined);
    const ticksBelow = (pid) =>
        all
            .filter(({ parent }) => parent === pid)
            .reduce((sum, child) => sum + child.ticks + ticksBelow(child.pid), 0);
    return ticksBelow(String(process.pid)) / ticksPerSecond();
}

let known;

function ticksPerSecond() {
    known ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
    return known;
}
