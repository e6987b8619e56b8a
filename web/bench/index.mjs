// Measures the package against its goals, and prints a table.
//
//     cargo build --release && npm run build && npm run bench
//
// `npm run bench -- --write` also writes the table into docs/measured/web.md. Needs Linux, Chromium and the
// native program. Environment: CHROMIUM is the browser's path; BRICKWORK is the program's path (default:
// target/release/brickwork).

import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { speedRows } from "./cpu.mjs";
import { firstTextureRows, longTaskRows } from "./page.mjs";

const PAGE = fileURLToPath(new URL("../../docs/measured/web.md", import.meta.url));
const [BEGIN, END] = ["<!-- web:begin -->", "<!-- web:end -->"];

/** Returns rows as a table of Markdown. Rows without a goal have no last column. */
function table(rows) {
    const cells = rows.map(({ name, goal = "–", measured, isReached }) => {
        const reached = isReached === undefined ? "–" : isReached ? "yes" : "**no**";
        return `| ${name} | ${goal} | ${measured} | ${reached} |`;
    });
    return ["| | goal | measured | reached |", "|---|---:|---:|---|", ...cells].join("\n");
}

function write(section) {
    const document = readFileSync(PAGE, "utf8");
    const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
    if (begin < 0 || end < begin) throw new Error(`${PAGE} lacks the lines ${BEGIN} and ${END}`);
    const [before, after] = [document.slice(0, begin + BEGIN.length), document.slice(end)];
    writeFileSync(PAGE, `${before}\n\n${section}\n\n${after}`);
}

const unknown = process.argv.slice(2).filter((argument) => argument !== "--write");
if (unknown.length > 0) {
    console.error(`unknown: ${unknown.join(" ")}. Usage: npm run bench -- [--write]`);
    process.exit(2);
}
const first = await firstTextureRows();
const { rows: tasks, chromium } = await longTaskRows();
const rows = [...first, ...tasks, ...(await speedRows())];
const [cpu] = cpus();
const load = loadavg()[0].toFixed(1);
const section = [
    `- Machine: ${cpu?.model.trim()}, ${cpus().length} logical CPUs, load ${load} at the end`,
    `- Chromium ${chromium}, headless, on SwiftShader; Node.js ${process.versions.node}`,
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    "",
    table(rows),
].join("\n");
console.log(section);
if (process.argv.includes("--write")) write(section);
