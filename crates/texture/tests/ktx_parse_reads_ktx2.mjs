// Reads every KTX2 file of a folder with ktx-parse, and its Zstandard data with zstddec.
//
// Usage: node ktx_parse_reads_ktx2.mjs FOLDER
//
// Beside NAME.ktx2 it writes NAME.txt, what the header and the data format descriptor say, and NAME.blocks, the
// blocks of all mip levels from the largest on. Run by tests/all/containers.rs, which compares both with the
// texture that it wrote. Both packages are looked for in NODE_PATH and where `npm install -g` puts them; the
// script exits with 3 if one is missing.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);

async function load(name) {
    try {
        const prefixes = [dirname(dirname(process.execPath)), "/usr/local"];
        const path = require.resolve(name, { paths: prefixes.map((prefix) => join(prefix, "lib")) });
        return await import(pathToFileURL(path));
    } catch (error) {
        console.log(error.message);
        process.exit(3);
    }
}

const ktx = await load("ktx-parse");
const { ZSTDDecoder } = await load("zstddec");
const zstd = new ZSTDDecoder();
await zstd.init();

function describe(file) {
    const sizes = [file.pixelWidth, file.pixelHeight, file.pixelDepth];
    const counts = [file.layerCount, file.faceCount, file.levels.length];
    const descriptor = file.dataFormatDescriptor[0];
    const { colorModel, colorPrimaries, transferFunction, flags } = descriptor;
    const lines = [
        `format ${file.vkFormat}, type size ${file.typeSize}`,
        `size ${sizes}, layers, faces, levels ${counts}`,
        `descriptors ${file.dataFormatDescriptor.length}`,
        `model ${colorModel}, primaries ${colorPrimaries}, transfer ${transferFunction}, flags ${flags}`,
        `block ${descriptor.texelBlockDimension}, bytes ${descriptor.bytesPlane[0]}`,
    ];
    for (const sample of descriptor.samples) {
        const { bitOffset, bitLength, channelType, sampleLower, sampleUpper } = sample;
        const range = [sampleLower >>> 0, sampleUpper >>> 0];
        lines.push(`sample ${[bitOffset, bitLength + 1, channelType & 15, channelType >> 4, ...range]}`);
    }
    return lines.join("\n") + "\n";
}

function blocks(file) {
    return file.levels.map(({ levelData, uncompressedByteLength }) => {
        if (file.supercompressionScheme === ktx.KHR_SUPERCOMPRESSION_NONE) return levelData;
        if (file.supercompressionScheme !== ktx.KHR_SUPERCOMPRESSION_ZSTD) throw new Error("supercompression");
        return zstd.decode(levelData, uncompressedByteLength);
    });
}

const folder = process.argv[2];
for (const name of readdirSync(folder).filter((name) => name.endsWith(".ktx2"))) {
    const file = ktx.read(readFileSync(join(folder, name)));
    const stem = join(folder, name.slice(0, -".ktx2".length));
    writeFileSync(`${stem}.txt`, describe(file));
    writeFileSync(`${stem}.blocks`, Buffer.concat(blocks(file)));
}
