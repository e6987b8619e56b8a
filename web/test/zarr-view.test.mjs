// OME-Zarr in Chromium: voxels and pictures are those of `.bwv` files.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { files, openPage, requests } from "./browser.mjs";
import { PROGRAM, noProgram } from "./native.mjs";
import { omeFiles, serve, voxelsOf } from "./zarr-files.mjs";

const built = fileURLToPath(new URL("../dist/zarr/", import.meta.url));
const skip = noProgram || (existsSync(built) ? false : "dist/ has no reader of OME-Zarr (npm run build)");
if (skip) console.log(`# skipped: ${skip}`);

const DIMS = [50, 44, 40];

/** Adds the files of a folder to the server. */
async function addFolder(folder, path) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
        const own = `${path}/${entry.name}`;
        if (entry.isDirectory()) await addFolder(join(folder, entry.name), own);
        else files.set(own, await readFile(join(folder, entry.name)));
    }
}

describe("OME-Zarr in Chromium", { skip }, () => {
    let page, close, folder;
    const voxels = voxelsOf(DIMS);
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "brickwork-zarr-"));
        const path = (name) => join(folder, name);
        await writeFile(path("scan.raw"), Buffer.from(voxels.buffer));
        const run = (...args) => execFileSync(PROGRAM, ["volume", ...args, "--quiet"]);
        const shape = ["--dims", DIMS.join("x"), "--type", "u16", "--spacing", "0.001,0.001,0.002"];
        run("encode", path("scan.raw"), ...shape, "-o", path("scan.bwv"));
        const parts = ["--levels", "2", "--chunk", "16x16x16", "--shard", "32x32x32"];
        run("convert", path("scan.bwv"), "-o", path("scan.zarr"), ...parts);
        run("convert", path("scan.bwv"), "-o", path("scan.ozx"), ...parts);
        // The program's own reading of the smaller level.
        run("encode", path("scan.zarr"), "--level", "1", "-o", path("level1.bwv"));
        for (const name of ["scan.bwv", "scan.ozx", "level1.bwv"])
            files.set(`/${name}`, await readFile(path(name)));
        await addFolder(path("scan.zarr"), "/scan.zarr");
        for (const [key, value] of omeFiles({ dims: DIMS, chunk: 24 })) {
            files.set(`/plain.zarr/${key}`, Buffer.from(value));
        }
        ({ page, close } = await openPage());
        await page.evaluate(async () => {
            const { VolumeView } = await import("/dist/volume/index.js");
            window.open = (source, options) => VolumeView.open(undefined, undefined, source, options);
            window.picture = async (view) => {
                const { pixels } = await view.render({ width: 48, height: 36 });
                return toBase64(new Uint8Array(pixels.buffer));
            };
            /** Files of a folder of the server, as a picked folder has them. */
            window.folderOf = async (paths) =>
                new Map(
                    await Promise.all(
                        paths.map(async (path) => [path.slice(1), await (await fetch(path)).blob()]),
                    ),
                );
        });
    });
    after(async () => {
        await close?.();
        for (const path of [...files.keys()]) files.delete(path);
        if (folder) await rm(folder, { recursive: true });
    });

    test("from a server, an archive, a Blob and a folder: voxels, facts and pictures of the .bwv file", async () => {
        const paths = [...files.keys()].filter((path) => path.startsWith("/scan.zarr/"));
        const found = await page.evaluate(async (paths) => {
            const results = {};
            const sources = {
                bwv: "/scan.bwv",
                server: "/scan.zarr",
                metadata: "/scan.zarr/zarr.json",
                archive: "/scan.ozx",
                blob: await (await fetch("/scan.ozx")).blob(),
                folder: await folderOf(paths),
            };
            for (const [name, source] of Object.entries(sources)) {
                const view = await open(source);
                const { format, dims, voxelType, spacing, levels } = view.facts;
                const slice = await view.slice({ axis: "x", index: 20, window: [0, 4095] });
                const ofFile = await view.slice({ axis: "x", index: 20, window: [0, 4095], level: 0 });
                results[name] = {
                    facts: [format, dims, voxelType, spacing],
                    levels: levels.length,
                    voxels: toBase64(await view.voxels()),
                    region: toBase64(await view.voxels({ region: [3, 40, 5, 7, 11, 39] })),
                    picture: await picture(view),
                    slice: toBase64(new Uint8Array(slice.pixels.buffer, slice.pixels.byteOffset)),
                    ofFile: toBase64(new Uint8Array(ofFile.pixels.buffer, ofFile.pixels.byteOffset)),
                };
                view.dispose();
            }
            return results;
        }, paths);
        const { bwv, ...others } = found;
        assert.equal(bwv.voxels, Buffer.from(voxels.buffer).toString("base64"));
        for (const [name, other] of Object.entries(others)) {
            assert.deepEqual(other.facts, ["zarr", ...bwv.facts.slice(1)], name);
            assert.equal(other.levels, 2);
            for (const part of ["voxels", "region", "picture", "slice", "ofFile"]) {
                assert.ok(other[part] === bwv[part], `${name}: ${part}`);
            }
        }
    });

    test("a smaller level is that which the program reads", async () => {
        const [own, native] = await page.evaluate(async () => {
            const results = [];
            for (const [source, level] of [
                ["/scan.zarr", 1],
                ["/level1.bwv", 0],
            ]) {
                const view = await open(source, { level });
                results.push({
                    voxels: toBase64(await view.voxels({ level })),
                    picture: await picture(view),
                    part: [view.part.dims, view.part.spacing],
                });
                view.dispose();
            }
            return results;
        });
        assert.deepEqual(own, native);
    });

    test("chunks in gzip: few requests, the first level by its size, progress", async () => {
        requests.length = 0;
        const found = await page.evaluate(async () => {
            const seen = [];
            const onProgress = (done, total, stage) => stage === "reading" && seen.push([done, total]);
            const view = await open("/plain.zarr/", { onProgress });
            const small = await open("/plain.zarr/", { maxBytes: 50000 });
            const result = {
                level: view.level,
                small: [small.level, ...small.part.dims],
                seen,
                voxels: toBase64(await view.voxels()),
                requests: view.read.requests,
                zarr: view.facts.zarr,
            };
            view.dispose();
            small.dispose();
            return result;
        });
        assert.equal(found.voxels, Buffer.from(voxels.buffer).toString("base64"));
        assert.equal(found.level, 0);
        assert.deepEqual(found.small, [1, 25, 22, 20]);
        assert.deepEqual([found.seen[0][0], ...found.seen.at(-1)], [0, 176000, 176000]);
        // Group, labels (missing), levels; 12 chunks, twice.
        assert.equal(found.requests, 1 + 1 + 2 + 12 + 12);
        assert.deepEqual(found.zarr, {
            path: "",
            version: "0.5",
            zarrVersion: 3,
            channelLooks: [],
            labelPaths: [],
        });
    });

    test("OMERO's window and colour are the first look of a channel", async () => {
        const channels = [
            { label: "DNA", color: "00FF00", window: { start: 50, end: 400 } },
            { label: "none", color: "FFFFFF" },
        ];
        for (const [key, value] of omeFiles({ counts: { c: 2 }, attributes: { omero: { channels } } })) {
            files.set(`/cells.zarr/${key}`, Buffer.from(value));
        }
        const found = await page.evaluate(async () => {
            const view = await open("/cells.zarr");
            const first = [view.look.mode, await picture(view)];
            await view.setLook({
                mode: "mip",
                points: [
                    [50, 0, 0, 0, 0],
                    [400, 0, 1, 0, 1],
                ],
            });
            const same = await picture(view);
            await view.load({ channel: 1 });
            const second = view.look.mode;
            const names = view.facts.channelNames;
            const numbers = new Uint16Array((await view.voxels({ channel: 1 })).buffer);
            view.dispose();
            return { first, same, second, names, number: numbers[21] };
        });
        assert.deepEqual(found.first, ["mip", found.same]);
        assert.deepEqual([found.second, found.names], ["dvr", ["DNA", "none"]]);
        assert.equal(found.number, 4096 + 1 + 3);
        const pixels = Buffer.from(found.same, "base64");
        assert.ok(pixels.some((byte, i) => i % 4 === 1 && byte > 50));
        assert.ok(pixels.every((byte, i) => i % 4 === 1 || i % 4 === 3 || byte === 0));
    });

    test("labels and all types of numbers are drawn", async () => {
        files.set("/arrays.zip", await readFile(new URL("../../test-data/zarr/arrays.zip", import.meta.url)));
        const ome = {
            attributes: { "image-label": { colors: [{ "label-value": 3, rgba: [255, 128, 0, 255] }] } },
        };
        for (const [key, value] of omeFiles({ levels: 1, prefix: "labels/cells/", ...ome })) {
            files.set(`/plain.zarr/${key}`, Buffer.from(value));
        }
        const list = { zarr_format: 3, node_type: "group", attributes: { ome: { labels: ["cells"] } } };
        files.set("/plain.zarr/labels/zarr.json", Buffer.from(JSON.stringify(list)));
        const names = ["u1", "i1", "i2", "u4", "i4", "f4", "u8", "i8", "f8", "f2", "?"].map(
            (type) => `type-${{ u: "uint", i: "int", f: "float", "?": "bool" }[type[0]]}${8 * type[1] || ""}`,
        );
        const found = await page.evaluate(async (names) => {
            const archive = await (await fetch("/arrays.zip")).blob();
            const types = {};
            for (const name of names) {
                const view = await open(archive, { path: name });
                const pixels = await picture(view);
                types[view.facts.voxelType] = new Set(atob(pixels)).size > 2;
                view.dispose();
            }
            const parent = await open("/plain.zarr");
            const { labelPaths } = parent.facts.zarr;
            const labels = await open("/plain.zarr", { path: labelPaths[0] });
            const result = { types, labelPaths, kind: labels.facts.kind, mode: labels.look.mode };
            result.labels = labels.facts.labels;
            parent.dispose();
            labels.dispose();
            return result;
        }, names);
        assert.deepEqual(Object.values(found.types), Array(9).fill(true), JSON.stringify(found.types));
        assert.deepEqual([found.labelPaths, found.kind, found.mode], [["labels/cells"], "labels", "labels"]);
        assert.deepEqual(found.labels, [{ layer: 0, value: 3, name: "", color: [255, 128, 0] }]);
    });

    test("servers of other origins get no preflight request, and an error names missing CORS", async () => {
        const scan = new Map();
        for (const [path, value] of files) if (path.startsWith("/scan.zarr/")) scan.set(path.slice(1), value);
        const methods = [];
        const allowed = (path, count, request, response) => {
            methods.push(request.method);
            if (request.method === "OPTIONS") return false;
            response.setHeader("access-control-allow-origin", "*");
            return false;
        };
        const [open, closed] = [await serve(scan, allowed), await serve(scan)];
        try {
            const found = await page.evaluate(
                async ([open, closed]) => {
                    const view = await window.open(`${open}scan.zarr`);
                    const bytes = toBase64(await view.voxels());
                    view.dispose();
                    const error = await window.open(`${closed}scan.zarr`).catch(({ message }) => message);
                    return [bytes, error];
                },
                [open.url, closed.url],
            );
            assert.equal(found[0], Buffer.from(voxels.buffer).toString("base64"));
            assert.match(found[1], /zarr.json: it cannot be fetched: .*\(CORS\) \(4 attempts\)/);
            assert.ok(!methods.includes("OPTIONS"));
            assert.ok(methods.includes("HEAD"));
        } finally {
            open.close();
            closed.close();
        }
    });

    test("pages that rays need have the picture of the whole level", async () => {
        // All bricks are visible: with fewer, the camera of the whole level would be closer.
        const number = (x, y, z) => (Math.imul(x * 7919 + y * 104729 + z * 1299709, 2654435761) >>> 0) % 4096;
        for (const [key, value] of omeFiles({ dims: DIMS, chunk: 24, levels: 1, number })) {
            files.set(`/noise.zarr/${key}`, Buffer.from(value));
        }
        const [whole, onDemand] = await page.evaluate(async () => {
            const results = [];
            for (const onDemand of [false, true]) {
                const options = { level: 0, onDemand, ...(onDemand ? { gpuBytes: 32 << 20 } : {}) };
                const view = await open("/noise.zarr", options);
                const slice = await view.slice({ axis: "y", index: 20, window: [0, 4095] });
                results.push({
                    isOnDemand: view.part.isOnDemand,
                    picture: await picture(view),
                    again: await picture(view),
                    slice: toBase64(new Uint8Array(slice.pixels.buffer, slice.pixels.byteOffset)),
                });
                view.dispose();
            }
            return results;
        });
        assert.deepEqual([whole.isOnDemand, onDemand.isOnDemand], [false, true]);
        assert.ok(onDemand.picture === onDemand.again, "the second picture differs");
        assert.ok(onDemand.slice === whole.slice, "the slice differs");
        assert.ok(onDemand.picture === whole.picture, "the picture differs");
    });

    test("a load that waits for another one is aborted at once; onDemand without WebGPU reads nothing", async () => {
        const found = await page.evaluate(async () => {
            const view = await open("/plain.zarr", { level: 1, cpu: true });
            const before = view.read.requests;
            const error = await view.load({ onDemand: true }).catch(({ message }) => message);
            const read = view.read.requests - before;
            const order = [];
            const abort = new AbortController();
            const first = view.load({ level: 0 }).then(() => order.push("first"));
            const second = view.load({ level: 1 }, abort.signal).catch((reason) => order.push(reason));
            const third = view.load({ level: 1 }).then(() => order.push("third"));
            abort.abort("enough");
            await Promise.all([first, second, third]);
            const { level } = view;
            view.dispose();
            return { error, read, order, level };
        });
        assert.match(found.error, /onDemand needs WebGPU/);
        assert.deepEqual([found.read, found.order, found.level], [0, ["enough", "first", "third"], 1]);
    });

    test("errors name what is wrong; what was loaded stays", async () => {
        files.set("/broken.zarr/zarr.json", files.get("/plain.zarr/zarr.json"));
        for (const path of [...files.keys()]) {
            if (!path.startsWith("/plain.zarr/s")) continue;
            const isBroken = path.endsWith("s0/c/0/0/1/1/2");
            files.set(path.replace("plain", "broken"), isBroken ? Buffer.from("x") : files.get(path));
        }
        const found = await page.evaluate(async () => {
            const messageOf = (call) =>
                call.then(
                    () => "none",
                    (error) => `${error.code}: ${error.message}`,
                );
            const view = await open("/broken.zarr", { level: 1 });
            const before = await picture(view);
            const result = {
                missing: await messageOf(open("/nothing.zarr")),
                broken: await messageOf(view.load({ level: 0 })),
                isKept: before === (await picture(view)) && view.level === 1,
                cpu: await messageOf(open("/plain.zarr", { onDemand: true, cpu: true })),
                channel: await messageOf(open("/plain.zarr", { channel: 3 })),
                path: await messageOf(open("/plain.zarr", { path: "labels/none" })),
                page: await messageOf(open("/", { format: "zarr" })),
            };
            const abort = new AbortController();
            const reading = open("/plain.zarr", {
                signal: abort.signal,
                onProgress: () => abort.abort("enough"),
            });
            result.aborted = await reading.catch((reason) => reason);
            view.dispose();
            result.disposed = await messageOf(view.voxels());
            return result;
        });
        assert.match(found.missing, /^source: http.*\/nothing.zarr.*: there is no Zarr/);
        assert.match(found.broken, /^source: s0\/c\/0\/0\/1\/1\/2, chunk 0,0,1,1,2: .*gzip/);
        assert.equal(found.isKept, true);
        assert.match(found.cpu, /^option: onDemand needs WebGPU/);
        assert.match(found.channel, /^option: channel is 3; there are 1/);
        assert.match(found.path, /^source: .*labels\/none.*there is no Zarr/);
        assert.match(found.page, /^source: .*there is no Zarr|it is no JSON but a page/);
        assert.equal(found.aborted, "enough");
        assert.match(found.disposed, /^disposed/);
    });
});
