// Writes the PNG files 0.png to 5.png to a folder: different pictures, which mirroring and turning change.

import { mkdirSync, writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

const SIDE = 32;
const COLORS = [[255, 40, 30], [20, 200, 250], [40, 250, 60], [240, 30, 220], [30, 60, 240], [250, 220, 20]];

/** Returns a chunk with its length and checksum. */
function chunk(name, data) {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
}

/** Returns a PNG in the colour, with a dark top and a light left side. */
function png(color) {
    const rows = Buffer.alloc(SIDE * (1 + 3 * SIDE));
    for (let y = 0; y < SIDE; y++) {
        for (let x = 0; x < SIDE; x++) {
            const light = (y / SIDE) * (x < SIDE / 4 ? 0.4 : 1);
            color.forEach((value, i) => (rows[y * (1 + 3 * SIDE) + 1 + 3 * x + i] = Math.round(value * light)));
        }
    }
    const header = Buffer.alloc(13);
    header.writeUInt32BE(SIDE, 0);
    header.writeUInt32BE(SIDE, 4);
    header.set([8, 2], 8);
    const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
    const data = chunk("IDAT", deflateSync(rows));
    return Buffer.concat([signature, chunk("IHDR", header), data, chunk("IEND", Buffer.alloc(0))]);
}

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
COLORS.forEach((color, i) => writeFileSync(`${folder}/${i}.png`, png(color)));
