// Radiance HDR files: Greg Ward, "Real Pixels", Graphics Gems II, and the manual of Radiance.

import type { Pair } from "./areas.js";
import { BrickworkError } from "./errors.js";
import { checkSides } from "./limits.js";
import type { TexelData } from "./sources.js";

const LINE_END = 0x0a;
const ONE = 0x3c00;
/** Largest half float: 65504. */
const LARGEST = 0x7bff;

/** Returns the texels of a file as half floats. Its sides have at most `limit` texels. */
export function hdrTexels(bytes: Uint8Array<ArrayBuffer>, name: string, limit: number): TexelData {
    let at = 0;
    const line = () => {
        const end = bytes.indexOf(LINE_END, at);
        if (end < 0) throw damaged(name);
        const text = new TextDecoder().decode(bytes.subarray(at, end));
        at = end + 1;
        return text;
    };
    let header = line();
    for (let next = line(); next !== ""; next = line()) header += `\n${next}`;
    const [, height, width] = /^-Y (\d+) \+X (\d+)$/.exec(line()) ?? [];
    if (!/^FORMAT=32-bit_rle_rgbe$/m.test(header) || !width || !height) {
        throw new BrickworkError("source", `${name} is not an HDR file of RGB rows from the top`);
    }
    const size: Pair = [Number(width), Number(height)];
    checkSides(size, limit);
    // Four texels take at least one byte.
    if (size[0] * size[1] > 256 * bytes.length) throw damaged(name);
    const data = new Uint16Array(4 * size[0] * size[1]);
    const row = new Uint8Array(4 * size[0]);
    for (let y = 0; y < size[1]; y++) {
        at = readRow(bytes, at, row, name);
        for (let x = 0; x < size[0]; x++) {
            const [from, to] = [4 * x, 4 * (y * size[0] + x)];
            const exponent = (row[from + 3] ?? 0) - 136;
            for (let c = 0; c < 3; c++) data[to + c] = half(row[from + c] ?? 0, exponent);
            data[to + 3] = ONE;
        }
    }
    return { data, width: size[0], height: size[1], format: "rgba16float" };
}

/** Reads a row of red, green, blue and exponents, and returns its end. */
function readRow(bytes: Uint8Array, start: number, row: Uint8Array, name: string): number {
    const width = row.length / 4;
    let at = start;
    const byte = () => {
        const value = bytes[at++];
        if (value === undefined) throw damaged(name);
        return value;
    };
    const isByChannel = bytes[at] === 2 && bytes[at + 1] === 2 && (bytes[at + 2] ?? 0) < 128;
    if (isByChannel && ((bytes[at + 2] ?? 0) << 8) + (bytes[at + 3] ?? 0) === width) {
        at += 4;
        for (let c = 0; c < 4; c++) {
            for (let x = 0; x < width;) {
                const count = byte();
                const isRun = count > 128;
                const end = x + (isRun ? count - 128 : count);
                if (end > width || count === 0) throw damaged(name);
                const value = isRun ? byte() : 0;
                for (; x < end; x++) row[4 * x + c] = isRun ? value : byte();
            }
        }
        return at;
    }
    // Texels, and counts of repeated ones.
    for (let x = 0, shift = 0; x < width;) {
        const texel = [byte(), byte(), byte(), byte()];
        if (x > 0 && texel[0] === 1 && texel[1] === 1 && texel[2] === 1) {
            const end = x + (texel[3] ?? 0) * 2 ** shift;
            if (end > width) throw damaged(name);
            for (; x < end; x++) row.copyWithin(4 * x, 4 * x - 4, 4 * x);
            shift += 8;
        } else {
            row.set(texel, 4 * x++);
            shift = 0;
        }
    }
    return at;
}

/** Returns the half float nearest to mantissa · 2^exponent, at most the largest one. */
function half(mantissa: number, exponent: number): number {
    if (mantissa === 0 || exponent === -136) return 0;
    const high = 31 - Math.clz32(mantissa);
    const power = high + exponent;
    if (power > 15) return LARGEST;
    if (power >= -14) return ((power + 15) << 10) + ((mantissa << (10 - high)) & 0x3ff);
    const steps = mantissa * 2 ** (exponent + 24);
    const [below, rest] = [Math.floor(steps), steps % 1];
    return below + (rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? 1 : 0);
}

function damaged(name: string): BrickworkError {
    return new BrickworkError("source", `${name} is damaged`);
}
