// DDS and KTX2 files.

import type { Pair } from "./areas.js";
import type { ContainerEntry } from "./data.js";
import { BrickworkError } from "./errors.js";
import { type BlockFormat, formatInfo } from "./formats.js";
import type { Settings } from "./options.js";
import { bytesOf, filled } from "./words.js";

/** Kind of a file. */
export type Container = "dds" | "ktx2";

/** Interpretation of alpha. */
export type AlphaMode = "opaque" | "straight" | "premultiplied";

/** Blocks of each mip level, the largest first. */
type Levels = readonly Uint8Array<ArrayBuffer>[];

const MEDIA_TYPES: Readonly<Record<Container, string>> = { dds: "image/vnd-ms.dds", ktx2: "image/ktx2" };

/** Throws unless there is such a container. */
export function checkContainer(container: string): void {
    if (!Object.hasOwn(MEDIA_TYPES, container)) {
        throw new BrickworkError("option", `no container "${String(container)}"; expected dds or ktx2`);
    }
}

/** Returns the file of a texture. */
export async function textureFile(
    container: Container,
    { format, srgb, alpha }: Pick<Settings, "format" | "srgb" | "alpha">,
    size: Pair,
    levels: Levels,
): Promise<Blob> {
    const data = (await import("./generated/containers.js")).default;
    const key = `${srgb ? "srgb" : "linear"} ${alpha}`;
    const entry = data[format]?.[key];
    if (!entry) throw new Error(`the generated data has no ${key} ${format}`);
    const parts =
        container === "dds"
            ? ddsParts(entry, format, size, levels)
            : ktx2Parts(entry, formatInfo(format).blockBytes, size, levels);
    return new Blob(parts, { type: MEDIA_TYPES[container] });
}

function ddsParts(entry: ContainerEntry, format: BlockFormat, size: Pair, levels: Levels): BlobPart[] {
    const template = levels.length > 1 ? entry.ddsWithMips : entry.dds;
    if (!template) throw new BrickworkError("option", `DDS has no ${format}; expected the container ktx2`);
    const header = filled(template, {
        width: size[0],
        height: size[1],
        levelBytes: levels[0]?.length ?? 0,
        mipLevels: levels.length,
    });
    return [littleEndian(header), ...levels];
}

/** Header and level index of KTX2: Khronos, *KTX File Format Specification* 2.0, section 3. */
function ktx2Parts(entry: ContainerEntry, blockBytes: number, size: Pair, levels: Levels): BlobPart[] {
    const [descriptor, keyValues] = [bytesOf(entry.descriptor), bytesOf(entry.keyValues)];
    const descriptorAt = 80 + 24 * levels.length;
    const keyValuesAt = descriptorAt + descriptor.length;
    const end = keyValuesAt + keyValues.length;
    // Levels start at multiples of the block size.
    const first = Math.ceil(end / blockBytes) * blockBytes;
    const head = new DataView(new ArrayBuffer(descriptorAt));
    [0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a].forEach((byte, i) => {
        head.setUint8(i, byte);
    });
    const sections = [descriptorAt, descriptor.length, keyValuesAt, keyValues.length, 0, 0, 0, 0];
    // The type size is 1 for blocks. Depth and layers are 0: a 2D texture that is no array.
    [entry.vkFormat, 1, size[0], size[1], 0, 0, 1, levels.length, 0, ...sections].forEach((word, i) => {
        head.setUint32(12 + 4 * i, word, true);
    });
    let at = first;
    for (let level = levels.length - 1; level >= 0; level--) {
        const bytes = levels[level]?.length ?? 0;
        [at, bytes, bytes].forEach((value, i) => {
            head.setBigUint64(80 + 24 * level + 8 * i, BigInt(value), true);
        });
        at += bytes;
    }
    return [head, descriptor, keyValues, new Uint8Array(first - end), ...levels.toReversed()];
}

function littleEndian(words: Uint32Array): ArrayBuffer {
    const bytes = new DataView(new ArrayBuffer(4 * words.length));
    words.forEach((word, i) => bytes.setUint32(4 * i, word, true));
    return bytes.buffer;
}
