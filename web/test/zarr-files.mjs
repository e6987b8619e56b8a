// OME-Zarr for tests: a writer of small hierarchies, archives, and a server that misbehaves.

import { createServer } from "node:http";
import { deflateRawSync, gzipSync } from "node:zlib";

/** Returns files as Blobs by their paths. */
export const blobs = (files) => new Map([...files].map(([path, bytes]) => [path, new Blob([bytes])]));

/** Returns the number of voxel (x, y, z) of a level whose voxels cover `step` of the volume's. */
export const voxel = (x, y, z, step = 1) => (x * x * step * step + 3 * y * step + 7 * z * step) % 4096;

/** Returns the voxels of a level as numbers of 16 bits, x the fastest. */
export function voxelsOf([width, height, depth], step = 1) {
    const voxels = new Uint16Array(width * height * depth);
    let at = 0;
    for (let z = 0; z < depth; z++)
        for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) voxels[at++] = voxel(x, y, z, step);
    return voxels;
}

/**
 * Returns the files of an image with levels of `dims` (x, y and z), each level half the size of the former.
 *
 * - `version`: of OME-NGFF. 0.5 is Zarr 3, others are Zarr 2.
 * - `axes`: names, the slowest first.
 * - `counts`: frames and channels, `{ t, c }`. The number of a voxel is that of {@link voxel} plus 10000 t + 4096 c.
 * - `chunk`: side of chunks.
 * - `number`: function of the number of a voxel, instead of {@link voxel}.
 * - `attributes`: more of the group's OME attributes.
 */
export function omeFiles({
    dims = [20, 14, 10],
    levels = 2,
    version = "0.5",
    axes = ["t", "c", "z", "y", "x"],
    counts = {},
    chunk = 8,
    attributes = {},
    scales = (step) => [{ type: "scale", scale: axes.map((name) => ("zyx".includes(name) ? step / 2 : 1)) }],
    prefix = "",
    unit = "micrometer",
    number = voxel,
} = {}) {
    const files = new Map();
    const put = (path, value) =>
        files.set(prefix + path, Buffer.isBuffer(value) ? value : JSON.stringify(value));
    const isThree = version === "0.5";
    const datasets = [];
    for (let level = 0; level < levels; level++) {
        const step = 2 ** level;
        const own = dims.map((side) => Math.ceil(side / step));
        const sizes = { t: counts.t ?? 1, c: counts.c ?? 1, z: own[2], y: own[1], x: own[0] };
        const shape = axes.map((name) => sizes[name]);
        const chunks = axes.map((name) => ("zyx".includes(name) ? chunk : 1));
        const path = isThree ? `s${level}` : String(level);
        datasets.push({ path, coordinateTransformations: scales(step, level) });
        const separator = version === "0.1" ? "." : "/";
        if (isThree) {
            put(`${path}/zarr.json`, {
                zarr_format: 3,
                node_type: "array",
                shape,
                data_type: "uint16",
                chunk_grid: { name: "regular", configuration: { chunk_shape: chunks } },
                chunk_key_encoding: { name: "default", configuration: { separator } },
                codecs: [
                    { name: "bytes", configuration: { endian: "little" } },
                    { name: "gzip", configuration: {} },
                ],
                fill_value: 0,
                attributes: {},
            });
        } else {
            put(`${path}/.zarray`, {
                zarr_format: 2,
                shape,
                chunks,
                dtype: "<u2",
                compressor: { id: "gzip", level: 5 },
                fill_value: 0,
                filters: null,
                order: "C",
                ...(version === "0.1" ? {} : { dimension_separator: separator }),
            });
        }
        const grid = shape.map((side, axis) => Math.ceil(side / chunks[axis]));
        for (let place = 0; place < grid.reduce((all, count) => all * count, 1); place++) {
            const position = [];
            for (let axis = axes.length - 1, rest = place; axis >= 0; axis--) {
                position.unshift(rest % grid[axis]);
                rest = Math.floor(rest / grid[axis]);
            }
            const numbers = new Uint16Array(chunks.reduce((all, side) => all * side, 1));
            for (let i = 0; i < numbers.length; i++) {
                const at = { t: 0, c: 0, z: 0, y: 0, x: 0 };
                for (let axis = axes.length - 1, rest = i; axis >= 0; axis--) {
                    at[axes[axis]] = position[axis] * chunks[axis] + (rest % chunks[axis]);
                    rest = Math.floor(rest / chunks[axis]);
                }
                numbers[i] = number(at.x, at.y, at.z, step) + 10000 * at.t + 4096 * at.c;
            }
            const key = isThree ? ["c", ...position].join("/") : position.join(separator);
            put(`${path}/${key}`, gzipSync(Buffer.from(numbers.buffer)));
        }
    }
    const named = axes.map((name) => {
        const type = { t: "time", c: "channel" }[name] ?? "space";
        return { name, type, ...(type === "space" && unit ? { unit } : {}) };
    });
    const own = { 0.1: {}, 0.2: {}, 0.3: { axes } }[version] ?? { axes: named };
    if (["0.1", "0.2", "0.3"].includes(version)) {
        for (const dataset of datasets) delete dataset.coordinateTransformations;
    }
    const multiscales = [{ ...(isThree ? {} : { version }), name: "image", datasets, ...own }];
    const ome = { ...(isThree ? { version } : {}), multiscales, ...attributes };
    if (isThree) put("zarr.json", { zarr_format: 3, node_type: "group", attributes: { ome } });
    else {
        put(".zgroup", { zarr_format: 2 });
        put(".zattrs", ome);
    }
    return files;
}

/** Returns a ZIP archive. `isDeflated` decides by path, `isWide` uses the fields of ZIP64. */
export function zipOf(files, { isDeflated = () => false, isWide = false, comment = "", sumOf = crc32 } = {}) {
    const [parts, entries] = [[], []];
    let at = 0;
    const push = (bytes) => {
        parts.push(bytes);
        at += bytes.length;
    };
    for (const [path, value] of files) {
        const contents = Buffer.from(value);
        const name = Buffer.from(path);
        const method = isDeflated(path) ? 8 : 0;
        const packed = method === 8 ? deflateRawSync(contents) : contents;
        const sum = sumOf(contents);
        const start = at;
        const local = Buffer.alloc(30);
        local.writeUInt32LE(0x04034b50, 0);
        local.writeUInt16LE(method, 8);
        local.writeUInt32LE(sum, 14);
        local.writeUInt32LE(packed.length, 18);
        local.writeUInt32LE(contents.length, 22);
        local.writeUInt16LE(name.length, 26);
        // (Extra fields that the directory does not have.)
        local.writeUInt16LE(8, 28);
        push(Buffer.concat([local, name, Buffer.from([0x99, 0x99, 4, 0, 1, 2, 3, 4]), packed]));
        const extra = Buffer.alloc(isWide ? 28 : 0);
        if (isWide) {
            extra.writeUInt16LE(1, 0);
            extra.writeUInt16LE(24, 2);
            [contents.length, packed.length, start].forEach((n, i) =>
                extra.writeBigUInt64LE(BigInt(n), 4 + 8 * i),
            );
        }
        const entry = Buffer.alloc(46);
        entry.writeUInt32LE(0x02014b50, 0);
        entry.writeUInt16LE(method, 10);
        entry.writeUInt32LE(sum, 16);
        entry.writeUInt32LE(isWide ? 0xffffffff : packed.length, 20);
        entry.writeUInt32LE(isWide ? 0xffffffff : contents.length, 24);
        entry.writeUInt16LE(name.length, 28);
        entry.writeUInt16LE(extra.length, 30);
        entry.writeUInt32LE(isWide ? 0xffffffff : start, 42);
        entries.push(Buffer.concat([entry, name, extra]));
    }
    const start = at;
    const directory = Buffer.concat(entries);
    push(directory);
    if (isWide) {
        const record = Buffer.alloc(76);
        record.writeUInt32LE(0x06064b50, 0);
        record.writeBigUInt64LE(44n, 4);
        [files.size, files.size, directory.length, start].forEach((n, i) =>
            record.writeBigUInt64LE(BigInt(n), 24 + 8 * i),
        );
        record.writeUInt32LE(0x07064b50, 56);
        record.writeBigUInt64LE(BigInt(at), 64);
        record.writeUInt32LE(1, 72);
        push(record);
    }
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(isWide ? 0xffff : files.size, 8);
    end.writeUInt16LE(isWide ? 0xffff : files.size, 10);
    end.writeUInt32LE(isWide ? 0xffffffff : directory.length, 12);
    end.writeUInt32LE(isWide ? 0xffffffff : start, 16);
    end.writeUInt16LE(Buffer.byteLength(comment), 20);
    push(Buffer.concat([end, Buffer.from(comment)]));
    return Buffer.concat(parts);
}

/** Returns the CRC-32 bit by bit. */
function crc32(bytes) {
    let rest = -1;
    for (const byte of bytes) {
        rest ^= byte;
        for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    }
    return ~rest >>> 0;
}

/**
 * Opens a server of files by their paths. `misbehave(path, count, request, response)` returns true if it has
 * answered; `count` is the number of earlier requests of the path. `requests` lists all requests.
 */
export async function serve(files, misbehave = () => false) {
    const requests = [];
    const counts = new Map();
    const server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname).slice(1);
        const count = counts.get(path) ?? 0;
        counts.set(path, count + 1);
        const { range } = request.headers;
        requests.push({ path, method: request.method, range });
        if (misbehave(path, count, request, response)) return;
        const found = files.get(path);
        if (found === undefined) {
            response.writeHead(404);
            response.end("not found");
            return;
        }
        respond(Buffer.from(found), range, response, request.method);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const close = () => {
        server.closeAllConnections();
        server.close();
    };
    return { url: `http://127.0.0.1:${server.address().port}/`, requests, close };
}

/** Answers with bytes or a range of them. */
export function respond(body, range, response, method = "GET", headers = {}) {
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
    if (first === undefined || method === "HEAD") {
        response.writeHead(200, { ...headers, "content-length": body.length });
        response.end(method === "HEAD" ? undefined : body);
        return;
    }
    const start = first === "" ? Math.max(0, body.length - Number(last)) : Number(first);
    const end = first === "" || last === "" ? body.length : Math.min(body.length, Number(last) + 1);
    if (start >= body.length) {
        response.writeHead(416);
        response.end();
        return;
    }
    response.writeHead(206, { ...headers, "content-range": `bytes ${start}-${end - 1}/${body.length}` });
    response.end(body.subarray(start, end));
}
