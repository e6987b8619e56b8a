// Differences of two images: PSNR and heat map, as `brickwork compare` defines them.

import { pause } from "./dom.js";
import type { Channels } from "./pixels.js";

export interface Difference {
    /** PSNR in dB of the colours, or of the channels that are stored. */
    readonly colors: number;
    /** PSNR of alpha, if the images have alpha. */
    readonly alpha: number | undefined;
    /** Largest difference of each texel. */
    readonly errors: Uint8Array;
    /** Difference with the brightest colour. */
    readonly heatEnd: number;
}

/** Colours in sRGB at equal distances, from dark to bright. */
const ANCHORS = [
    [10, 10, 28],
    [66, 20, 112],
    [152, 36, 122],
    [224, 76, 72],
    [250, 162, 44],
    [255, 250, 200],
] as const;

const HEAT_ENDS = [4, 8, 16, 32, 64, 128, 255];

/** Texels between two pauses. */
const CHUNK = 1 << 18;

/**
 * Compares an image with its original. With `visibleOnly`, colours of texels with an alpha below 128 do not
 * count: BC1 does not store them.
 */
export async function difference(
    original: ImageData,
    found: ImageData,
    channels: Channels,
    visibleOnly: boolean,
    signal: AbortSignal,
): Promise<Difference> {
    const count = original.width * original.height;
    const [a, b] = [original.data, found.data];
    const errors = new Uint8Array(count);
    const counts = new Uint32Array(256);
    let [squares, alphaSquares, visible] = [0, 0, 0];
    const colorCount = channels === "r" ? 1 : channels === "rg" ? 2 : 3;
    for (let first = 0; first < count; first += CHUNK) {
        if (first > 0) await pause();
        signal.throwIfAborted();
        const end = 4 * Math.min(count, first + CHUNK);
        for (let at = 4 * first; at < end; at += 4) {
            let largest = 0;
            const isVisible = !visibleOnly || (a[at + 3] ?? 0) >= 128;
            if (isVisible) visible += 1;
            for (let channel = 0; channel < (isVisible ? colorCount : 0); channel++) {
                const error = Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0));
                squares += error * error;
                if (error > largest) largest = error;
            }
            const error = Math.abs((a[at + 3] ?? 0) - (b[at + 3] ?? 0));
            alphaSquares += error * error;
            if (error > largest) largest = error;
            errors[at >> 2] = largest;
            counts[largest] = (counts[largest] ?? 0) + 1;
        }
    }
    return {
        colors: psnr(squares, visible * colorCount),
        alpha: channels === "rgba" ? psnr(alphaSquares, count) : undefined,
        errors,
        heatEnd: heatEndOf(counts, count),
    };
}

function psnr(squares: number, count: number): number {
    return squares === 0 ? Infinity : 10 * Math.log10((255 * 255 * count) / squares);
}

/** Returns the smallest end of a scale that 99 % of the errors do not exceed. */
function heatEndOf(counts: Uint32Array, count: number): number {
    const above = (end: number) => counts.subarray(end + 1).reduce((sum, value) => sum + value, 0);
    return HEAT_ENDS.find((end) => above(end) * 100 <= count) ?? 255;
}

/** Returns the colour of a step of 0 to 255. */
export function heatColor(step: number): [number, number, number] {
    const position = step * (ANCHORS.length - 1);
    const first = Math.floor(position / 255);
    const rest = position % 255;
    const low = ANCHORS[first] ?? ANCHORS[5];
    const high = ANCHORS[Math.min(first + 1, ANCHORS.length - 1)] ?? ANCHORS[5];
    const mix = (c: 0 | 1 | 2) => Math.floor((low[c] * (255 - rest) + high[c] * rest + 127) / 255);
    return [mix(0), mix(1), mix(2)];
}

/** Returns the heat map of an image. */
export function heatMap({ errors, heatEnd }: Difference, width: number, height: number): ImageData {
    const colors = Array.from({ length: 256 }, (_, error) => {
        const step = Math.min(255, Math.floor((error * 255 + Math.floor(heatEnd / 2)) / heatEnd));
        const [red, green, blue] = heatColor(step);
        return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
    });
    const image = new ImageData(width, height);
    const words = new Uint32Array(image.data.buffer);
    errors.forEach((error, i) => (words[i] = colors[error] ?? 0));
    return image;
}
