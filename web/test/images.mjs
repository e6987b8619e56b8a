// Test images: gradients, edges and noise, the same in each run.

import { crc32, deflateSync } from "node:zlib";

function* noise(seed) {
    let state = seed;
    for (;;) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        yield state >>> 24;
    }
}

/** Returns RGBA texels. With alpha, some blocks are opaque, some transparent, and some have edges. */
export function texels(width, height, hasAlpha) {
    const random = noise(width * 65537 + height);
    const bytes = new Uint8Array(4 * width * height);
    for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
            const at = 4 * (y * width + x);
            const rough = (x >> 4) % 3 === 2 ? random.next().value >> 2 : random.next().value >> 5;
            const isEdge = (x + 2 * y) % 37 < 11;
            bytes[at] = Math.min(255, ((x * 200) / width + rough) | 0);
            bytes[at + 1] = Math.min(255, ((y * 180) / height + (isEdge ? 70 : rough)) | 0);
            bytes[at + 2] = isEdge ? 30 + rough : Math.min(255, (((x + y) * 3) % 190) + rough);
            const fade = Math.max(0, Math.min(255, 8 * (x - y) + 128 + rough));
            bytes[at + 3] = hasAlpha && (y >> 4) % 2 === 1 ? fade : 255;
        }
    }
    return bytes;
}

/** Returns the RGBA texels of a normal map: waves and noise. Without z, blue is the same everywhere. */
export function normals(width, height, hasBlue) {
    const random = noise(width * 1021 + height);
    const bytes = new Uint8Array(4 * width * height).fill(255);
    for (let i = 0; i < width * height; i++) {
        const [x, y] = [i % width, Math.floor(i / width)];
        const rough = random.next().value / 256 - 0.5;
        const slopes = [Math.sin(x / 3) + rough, Math.cos((x + 2 * y) / 5) - rough];
        const length = Math.hypot(...slopes, 1);
        const vector = [...slopes, 1].map((v) => Math.round(127.5 + (127.5 * v) / length));
        bytes.set(hasBlue ? vector : [vector[0], vector[1], 0], 4 * i);
    }
    return bytes;
}

/** Returns the bit patterns of RGBA half floats, opaque. Signed ones are partly below 0. */
export function halves(width, height, isSigned) {
    const random = noise(width * 257 + height);
    const patterns = new Uint16Array(4 * width * height);
    for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
            const at = 4 * (y * width + x);
            const rough = random.next().value >> 3;
            const sign = isSigned && (x + y) % 29 < 9 ? 0x8000 : 0;
            patterns[at] = sign | (0x2800 + 60 * x + 4 * rough);
            patterns[at + 1] = sign | (0x3000 + 40 * y + 9 * rough);
            patterns[at + 2] = (x >> 3) % 4 === 3 ? 0x1000 + 32 * rough : 0x4000 + 20 * (x + y) + rough;
            patterns[at + 3] = 0x3c00;
        }
    }
    return patterns;
}

/**
 * Returns opaque linear RGBA texels, filtered to the size `to` with sums of single floats. `axisOf` returns
 * the weights of an axis, 0 or 1, and `firstOf` the first texel that they are for.
 */
export function filtered(rgba, [width, height], to, axisOf, firstOf) {
    const [columns, rows] = [axisOf(0), axisOf(1)];
    const inside = (index, side) => Math.max(0, Math.min(side - 1, index));
    const weighted = (axis, index, value) => {
        const first = firstOf(axis, index);
        const weights = axis.weights[index % axis.weights.length];
        return weights.reduce((sum, weight, k) => {
            return Math.fround(sum + Math.fround(value(first + k) * weight));
        }, 0);
    };
    const bytes = new Uint8Array(4 * to[0] * to[1]).fill(255);
    for (let i = 0; i < to[0] * to[1]; i++) {
        for (let c = 0; c < 3; c++) {
            const light = (x, y) => 257 * rgba[4 * (inside(y, height) * width + inside(x, width)) + c];
            const sum = weighted(rows, Math.floor(i / to[0]), (y) =>
                weighted(columns, i % to[0], (x) => light(x, y)),
            );
            const rounded = Math.floor(Math.fround(Math.max(0, Math.min(65535, sum)) + 0.5));
            bytes[4 * i + c] = Math.floor((rounded + 128) / 257);
        }
    }
    return bytes;
}

/** Returns a PNG file of RGBA texels, without alpha if `hasAlpha` is false. */
export function png(width, height, rgba, hasAlpha) {
    const channels = hasAlpha ? 4 : 3;
    const rows = new Uint8Array(height * (1 + channels * width));
    for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
            const from = 4 * (y * width + x);
            rows.set(rgba.subarray(from, from + channels), y * (1 + channels * width) + 1 + channels * x);
        }
    }
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, hasAlpha ? 6 : 2], 8);
    const chunk = (name, data) => {
        const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(name, "latin1"), data, Buffer.alloc(4)]);
        bytes.writeUInt32BE(data.length, 0);
        bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
        return bytes;
    };
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const end = chunk("IEND", Buffer.alloc(0));
    return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), end]);
}

/** Returns a DDS file of uncompressed half floats. */
export function halvesDds(width, height, patterns) {
    const words = new Uint32Array(37);
    words[0] = 0x20534444; // "DDS "
    words[1] = 124;
    words[2] = 0x100f; // sizes, pixel format and pitch
    words[3] = height;
    words[4] = width;
    words[5] = 8 * width;
    words[19] = 32;
    words[20] = 4;
    words[21] = 0x30315844; // "DX10"
    words[27] = 0x1000;
    words[32] = 10; // DXGI_FORMAT_R16G16B16A16_FLOAT
    words[33] = 3;
    words[35] = 1;
    return Buffer.concat([Buffer.from(words.buffer), Buffer.from(patterns.buffer)]);
}
