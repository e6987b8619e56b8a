// DDS and KTX2 files with blocks, and their textures.

import type { Pair } from "./areas.js";
import type { ContainerEntry } from "./data.js";
import { checked, text } from "./device.js";
import { BrickworkError } from "./errors.js";
import { type BlockFormat, blockCounts, blockFormats, formatInfo, textureFormatOf } from "./formats.js";
import { checkSize } from "./limits.js";
import { fullMipCount, halved } from "./mips.js";
import { DEFAULT_LABEL, DEFAULT_USAGE, TextureUsage } from "./usage.js";

/** A 2D texture in a file, or an array or cube of them. */
export interface BlockFile {
    readonly format: BlockFormat;
    readonly srgb: boolean;
    /** Width and height in texels. */
    readonly size: Pair;
    /** Number of layers, of which cubes have six. Default: 1. */
    readonly layers?: number;
    /** Blocks of each mip level, the largest first, with all layers. */
    readonly levels: readonly Uint8Array<ArrayBuffer>[];
}

const DDS_MAGIC = 0x20534444;
const DX10 = 0x30315844;
/** Number of Zstandard among the schemes of KTX2. */
const ZSTD = 2;
const KTX2_IDENTIFIER = [0x58544bab, 0xbb303220, 0x0a1a0a0d];

/** What the header of a file states. */
export type BlockHeader = Omit<BlockFile, "levels">;

/**
 * Reads a 2D texture with blocks: a DDS file with a DX10 header, or a KTX2 file, also with Zstandard. `check`
 * throws if the texture is not wanted, before memory is taken for its blocks.
 *
 * @throws {BrickworkError} `source` if the file is another one, or is damaged.
 */
export async function readTextureFile(
    bytes: Uint8Array<ArrayBuffer>,
    check: (header: BlockHeader) => void,
): Promise<BlockFile> {
    const word = wordsOf(bytes);
    if (word(0) === DDS_MAGIC) return ddsFile(bytes, word, check);
    if (KTX2_IDENTIFIER.every((value, i) => word(4 * i) === value)) return ktx2File(bytes, word, check);
    throw fileError("it is neither DDS nor KTX2");
}

/** Makes a texture of a file's blocks. */
export async function uploadFile(
    device: GPUDevice,
    { format, srgb, size, layers = 1, levels }: BlockFile,
    usage: GPUTextureUsageFlags = DEFAULT_USAGE,
    label = DEFAULT_LABEL,
): Promise<GPUTexture> {
    checkSize(device, size);
    const { blockBytes } = formatInfo(format);
    return checked(device, "the texture", () => {
        const texture = device.createTexture({
            label,
            size: [...size, layers],
            mipLevelCount: levels.length,
            format: textureFormatOf(format, srgb),
            usage: usage | TextureUsage.COPY_DST,
        });
        let levelSize = size;
        levels.forEach((blocks, mipLevel) => {
            const [columns, rows] = blockCounts(levelSize);
            const layout = { bytesPerRow: columns * blockBytes, rowsPerImage: rows };
            device.queue.writeTexture({ texture, mipLevel }, blocks, layout, [4 * columns, 4 * rows, layers]);
            levelSize = [halved(levelSize[0]), halved(levelSize[1])];
        });
        return texture;
    });
}

/** Returns the 32-bit number at a byte. */
type Word = (at: number) => number;

function wordsOf(bytes: Uint8Array<ArrayBuffer>): Word {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return (at) => {
        if (at + 4 > bytes.length) throw fileError("it is too short");
        return view.getUint32(at, true);
    };
}

/** Microsoft, *Programming guide for DDS*. */
async function ddsFile(
    bytes: Uint8Array<ArrayBuffer>,
    word: Word,
    check: (header: BlockHeader) => void,
): Promise<BlockFile> {
    if (word(84) !== DX10) throw fileError("it has no DX10 header");
    if (word(132) !== 3) throw fileError("it is not a 2D texture");
    const layers = checkedLayers(Math.max(1, word(140)) * ((word(136) & 4) === 0 ? 1 : 6));
    const number = word(128);
    const kind = await kindOf((entry) => entry.dds?.[32] === number, `DXGI format ${number}`);
    const size: Pair = [word(16), word(12)];
    check({ ...kind, size, layers });
    const lengths = levelSizes(kind.format, size, Math.max(1, word(28)));
    const layerBytes = lengths.reduce((sum, length) => sum + length, 0);
    const data = slice(bytes, 148, layers * layerBytes);
    let at = 0;
    const levels = lengths.map((length) => {
        const start = at;
        at += length;
        if (layers === 1) return data.subarray(start, at);
        // Each layer has all its levels together.
        const level = new Uint8Array(layers * length);
        for (let layer = 0; layer < layers; layer++) {
            const from = layer * layerBytes + start;
            level.set(data.subarray(from, from + length), layer * length);
        }
        return level;
    });
    return { ...kind, size, layers, levels };
}

/** Header of a KTX2 file. */
export interface Ktx2Header extends BlockHeader {
    readonly levelCount: number;
    readonly supercompression: number;
}

/** Reads the header of a KTX2 file: Khronos, *KTX File Format Specification* 2.0, section 3. */
export async function readKtx2Header(bytes: Uint8Array<ArrayBuffer>): Promise<Ktx2Header> {
    const word = wordsOf(bytes);
    const number = word(12);
    const kind = await kindOf((entry) => entry.vkFormat === number, `VkFormat ${number}`);
    if (word(28) > 0) throw fileError("it is not a 2D texture");
    const faces = word(36);
    if (faces !== 1 && faces !== 6) throw fileError(`it has ${faces} faces; expected 1 or 6`);
    const layers = checkedLayers(Math.max(1, word(32)) * faces);
    const size: Pair = [word(20), word(24)];
    return { ...kind, size, layers, levelCount: Math.max(1, word(40)), supercompression: word(44) };
}

async function ktx2File(
    bytes: Uint8Array<ArrayBuffer>,
    word: Word,
    check: (header: BlockHeader) => void,
): Promise<BlockFile> {
    const { format, srgb, size, layers = 1, levelCount, supercompression } = await readKtx2Header(bytes);
    check({ format, srgb, size, layers });
    if (supercompression !== 0 && supercompression !== ZSTD) {
        throw fileError(`it is compressed by scheme ${supercompression}; expected none or Zstandard`);
    }
    const decoded = supercompression === ZSTD ? (await import("./zstd.js")).zstdDecoded : undefined;
    const levels = levelSizes(format, size, levelCount).map((layerLength, i) => {
        const length = layers * layerLength;
        const entry = 80 + 24 * i;
        const stored = word(entry + 8);
        const isDamaged = word(entry + 16) !== length || (!decoded && stored !== length);
        if (isDamaged || word(entry + 4) !== 0) throw fileError(`mip level ${i} is damaged`);
        const contents = slice(bytes, word(entry), stored);
        if (!decoded) return contents;
        try {
            return decoded(contents, length);
        } catch (cause) {
            throw fileError(`mip level ${i}: ${text(cause)}`);
        }
    });
    return { format, srgb, size, layers, levels };
}

/** Returns the number of layers, which no device exceeds. */
function checkedLayers(layers: number): number {
    if (layers < 1 || layers > 2048) throw fileError(`it has ${layers} layers`);
    return layers;
}

/** Returns the format and colour space of the entry that a container's number names. */
async function kindOf(
    matches: (entry: ContainerEntry) => boolean,
    name: string,
): Promise<{ format: BlockFormat; srgb: boolean }> {
    const data = (await import("./generated/containers.js")).default;
    for (const format of blockFormats) {
        for (const [key, entry] of Object.entries(data[format] ?? {})) {
            if (matches(entry)) return { format, srgb: key.startsWith("srgb") };
        }
    }
    throw fileError(`its ${name} is not a block format that Brickwork writes`);
}

/** Returns the number of bytes of each mip level. */
export function levelSizes(format: BlockFormat, size: Pair, count: number): number[] {
    const { blockBytes } = formatInfo(format);
    if (count > fullMipCount(size))
        throw fileError(`${count} mip levels are too many for ${size.join("×")} texels`);
    return Array.from({ length: count }, (_, level) => {
        const [columns, rows] = blockCounts([Math.max(1, size[0] >> level), Math.max(1, size[1] >> level)]);
        return columns * rows * blockBytes;
    });
}

/** Returns the blocks of each mip level, which follow each other. */
export function levelsOf(
    blocks: Uint8Array<ArrayBuffer>,
    format: BlockFormat,
    size: Pair,
    count: number,
): Uint8Array<ArrayBuffer>[] {
    let end = 0;
    return levelSizes(format, size, count).map((length) => blocks.subarray(end, (end += length)));
}

function slice(bytes: Uint8Array<ArrayBuffer>, at: number, length: number): Uint8Array<ArrayBuffer> {
    if (at + length > bytes.length) throw fileError("it is too short");
    return bytes.subarray(at, at + length);
}

function fileError(reason: string): BrickworkError {
    return new BrickworkError("source", `the texture file cannot be read: ${reason}`);
}
