// Recording into the caller's commands.

import { type Area, type Pair, areaTexels, areasOf } from "./areas.js";
import type { BlockBuffer, Chain, Load } from "./chain.js";
import { recordDispatches } from "./dispatches.js";
import { BrickworkError } from "./errors.js";
import { type BlockFormat, blockCounts, formatInfo } from "./formats.js";
import { maxBlocks } from "./limits.js";
import { BufferUsage, TextureUsage } from "./usage.js";

/** A source whose texels are encoded as stored. An sRGB texture is viewed in its linear format, which must be
 * among its `viewFormats`. */
export interface RecordSource {
    /** 2D texture with usage `TEXTURE_BINDING` whose texels are floats in shaders. */
    readonly texture: GPUTexture;
    /** Default: 0. */
    readonly mipLevel?: number;
    /** Array layer. Default: 0. */
    readonly layer?: number;
    /** Left and upper edge of the region in texels. Default: 0, 0. */
    readonly origin?: Pair;
    /** Width and height of the region in texels. Default: the rest of the mip level. */
    readonly size?: Pair;
}

/** A texture of the block format with usage `COPY_DST`. */
export interface TextureTarget {
    readonly texture: GPUTexture;
    /** Default: 0. */
    readonly mipLevel?: number;
    /** Array layer. Default: 0. */
    readonly layer?: number;
    /** Texel where the region's origin goes; multiples of 4. Default: 0, 0. */
    readonly origin?: Pair;
}

/** A buffer with usage `STORAGE`. */
export interface BufferTarget {
    readonly buffer: GPUBuffer;
    /** Byte where the first block starts; a multiple of a block's bytes. Default: 0. */
    readonly offset?: number;
    /** Bytes from one row of blocks to the next; a multiple of a block's bytes. Default: tightly packed. */
    readonly bytesPerRow?: number;
}

/** Encoder of one format and quality, whose kernels are compiled. Recording does not wait. */
export class Recorder {
    readonly device: GPUDevice;
    readonly format: BlockFormat;
    readonly #chain: Chain;
    readonly #hasAlpha: boolean;

    /** @internal */
    constructor(device: GPUDevice, format: BlockFormat, chain: Chain, hasAlpha: boolean) {
        this.device = device;
        this.format = format;
        this.#chain = chain;
        this.#hasAlpha = hasAlpha;
    }

    /**
     * Records the commands that encode a region into a texture or a buffer. All recordings of one
     * {@link Brickwork} object share memory, so submit them to the device's queue. A region with many blocks
     * is divided because of this memory, but all of it is one submission: drivers stop work that takes
     * seconds.
     *
     * @throws {BrickworkError} `size` or `option` if the region is empty, or does not fit source or target.
     */
    record(encoder: GPUCommandEncoder, source: RecordSource, target: TextureTarget | BufferTarget): void {
        const { texture, mipLevel = 0, layer = 0, origin = [0, 0] } = source;
        const [width, height] = levelSize(texture, mipLevel);
        const size = source.size ?? [width - origin[0], height - origin[1]];
        if (!(size[0] > 0 && size[1] > 0))
            throw new BrickworkError("size", `the region is empty: ${size.join("×")}`);
        if (origin[0] < 0 || origin[1] < 0 || origin[0] + size[0] > width || origin[1] + size[1] > height) {
            throw new BrickworkError(
                "size",
                `the region does not fit the source of ${width}×${height} texels`,
            );
        }
        const view = linearView(texture, mipLevel, layer);
        const load = (at: Pair, areaSize: Pair) =>
            this.#chain.textureLoad(view, [origin[0] + at[0], origin[1] + at[1]], areaSize);
        const limit = this.maxBlocks;
        for (const area of areasOf(blockCounts(size), () => limit)) {
            const { origin: at, size: areaSize } = areaTexels(area, size);
            if ("buffer" in target) {
                const to = this.#inBuffer(target, area, size);
                this.recordToBuffer(encoder, load(at, areaSize), areaSize, to);
            } else {
                this.recordToTexture(encoder, load(at, areaSize), areaSize, area, target);
            }
        }
    }

    /** @internal Maximum number of blocks that kernels process together. */
    get maxBlocks(): number {
        return maxBlocks(this.device, this.#chain.bytesPerBlock, this.#chain.data.mostBlocks);
    }

    /** @internal Number of blocks in the first band. */
    get firstBandBlocks(): number {
        const isFallback = this.device.adapterInfo?.isFallbackAdapter ?? false;
        return this.#chain.data.firstBandBlocks * (isFallback ? 1 : 8);
    }

    /** @internal Form in which the chain takes texels. */
    get texels(): "rgba8unorm" | "rgba16float" {
        return this.#chain.texels;
    }

    /** @internal Compiles what regions of other sizes need. */
    prepare(sizes: readonly Pair[]): Promise<void> {
        return this.#chain.prepare(sizes, this.#hasAlpha);
    }

    /** @internal Returns the load of a rectangle of texels from a texture. */
    textureLoad(view: GPUTextureView, origin: Pair, size: Pair): Load {
        return this.#chain.textureLoad(view, origin, size);
    }

    /** @internal Records the encoding of one area into a buffer. */
    recordToBuffer(encoder: GPUCommandEncoder, load: Load, size: Pair, to: BlockBuffer): void {
        recordDispatches(this.device, encoder, this.#chain.dispatches(load, size, this.#hasAlpha, to));
    }

    /** @internal Records the encoding of one area into a texture, through a buffer that it returns. */
    recordToTexture(
        encoder: GPUCommandEncoder,
        load: Load,
        size: Pair,
        area: Area,
        target: TextureTarget,
    ): GPUBuffer {
        const { blockBytes, textureFormats } = formatInfo(this.format);
        const { texture, mipLevel = 0, layer = 0, origin = [0, 0] } = target;
        if (!textureFormats.includes(texture.format)) {
            throw new BrickworkError(
                "option",
                `the target is ${texture.format}, not ${textureFormats.join(" or ")}`,
            );
        }
        if (origin[0] % 4 || origin[1] % 4) {
            throw new BrickworkError(
                "size",
                `the target's origin ${origin.join(", ")} is not a multiple of 4`,
            );
        }
        // Copies to textures take rows of 256 bytes.
        const bytesPerRow = Math.ceil((area.columns * blockBytes) / 256) * 256;
        const buffer = this.device.createBuffer({
            label: "blocks",
            size: bytesPerRow * area.rows,
            usage: BufferUsage.STORAGE | BufferUsage.COPY_SRC,
        });
        this.recordToBuffer(encoder, load, size, { buffer, first: 0, pitch: bytesPerRow / blockBytes });
        const [x, y] = [origin[0] + 4 * area.column, origin[1] + 4 * area.row];
        encoder.copyBufferToTexture(
            { buffer, bytesPerRow },
            { texture, mipLevel, origin: [x, y, layer] },
            // Whole blocks, even past the edge of a mip level.
            [4 * area.columns, 4 * area.rows],
        );
        return buffer;
    }

    #inBuffer(target: BufferTarget, area: Area, size: Pair): BlockBuffer {
        const { blockBytes } = formatInfo(this.format);
        const [columns, rows] = blockCounts(size);
        const { buffer, offset = 0, bytesPerRow = columns * blockBytes } = target;
        if (offset % blockBytes || bytesPerRow % blockBytes || bytesPerRow < columns * blockBytes) {
            throw new BrickworkError(
                "option",
                `offset ${offset} and bytesPerRow ${bytesPerRow} must be multiples of ${blockBytes}; a row of ` +
                    `blocks has ${columns * blockBytes} bytes`,
            );
        }
        if (offset + (rows - 1) * bytesPerRow + columns * blockBytes > buffer.size) {
            throw new BrickworkError("size", `the blocks end after the buffer of ${buffer.size} bytes`);
        }
        const pitch = bytesPerRow / blockBytes;
        return { buffer, first: offset / blockBytes + area.row * pitch + area.column, pitch };
    }
}

function levelSize(texture: GPUTexture, mipLevel: number): Pair {
    return [Math.max(1, texture.width >> mipLevel), Math.max(1, texture.height >> mipLevel)];
}

/** Returns a view of one image of a texture, without the conversion of sRGB. */
export function linearView(texture: GPUTexture, mipLevel: number, layer: number): GPUTextureView {
    return texture.createView({
        format: texture.format.replace(/-srgb$/, "") as GPUTextureFormat,
        dimension: "2d",
        baseMipLevel: mipLevel,
        mipLevelCount: 1,
        baseArrayLayer: layer,
        arrayLayerCount: 1,
        usage: TextureUsage.TEXTURE_BINDING,
    });
}
