// Sizes of images in files, so that too large ones are not decoded.

import type { Pair } from "./areas.js";

/** Bytes at the start of a file that are searched. */
const SEARCHED = 1 << 18;

/** Returns the size that a PNG, JPEG, WebP or GIF file states, if it is found. */
export async function statedSize(file: Blob): Promise<Pair | undefined> {
    const view = new DataView(await file.slice(0, SEARCHED).arrayBuffer());
    try {
        return sizeIn(view);
    } catch (error) {
        // The file is too short.
        if (error instanceof RangeError) return undefined;
        throw error;
    }
}

function sizeIn(view: DataView): Pair | undefined {
    const first = view.getUint32(0);
    if (first === 0x89504e47) return [view.getUint32(16), view.getUint32(20)];
    if (first === 0x47494638) return [view.getUint16(6, true), view.getUint16(8, true)];
    if (first >>> 16 === 0xffd8) return jpegSize(view);
    if (first === 0x52494646 && view.getUint32(8) === 0x57454250) return webpSize(view);
    return undefined;
}

/** Finds the header of the frame: ITU-T T.81, annex B. */
function jpegSize(view: DataView): Pair {
    for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
        while (view.getUint8(at + 1) === 0xff) at++;
        const marker = view.getUint8(at + 1);
        const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
        if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    }
}

/** RFC 9649, section 2: extended, lossless or lossy. */
function webpSize(view: DataView): Pair {
    switch (view.getUint32(12)) {
        case 0x56503858:
            return [24, 27].map((at) => 1 + (view.getUint32(at, true) & 0xffffff)) as unknown as Pair;
        case 0x5650384c: {
            const bits = view.getUint32(21, true);
            return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)];
        }
        default:
            return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
    }
}
