// A texture of blocks for three.js.

import {
    CompressedTexture,
    type CompressedPixelFormat,
    ExternalTexture,
    LinearFilter,
    LinearMipmapLinearFilter,
    Matrix3,
    R11_EAC_Format,
    RED_GREEN_RGTC2_Format,
    RED_RGTC1_Format,
    RG11_EAC_Format,
    RGBA_ASTC_4x4_Format,
    RGBA_BPTC_Format,
    RGBA_ETC2_EAC_Format,
    RGBA_S3TC_DXT1_Format,
    RGBA_S3TC_DXT3_Format,
    RGBA_S3TC_DXT5_Format,
    RGB_BPTC_SIGNED_Format,
    RGB_BPTC_UNSIGNED_Format,
    RGB_ETC2_Format,
    SIGNED_R11_EAC_Format,
    SIGNED_RED_GREEN_RGTC2_Format,
    SIGNED_RED_RGTC1_Format,
    SIGNED_RG11_EAC_Format,
    SRGBColorSpace,
} from "three/webgpu";
import type { EncodedTexture } from "../brickwork.js";
import { BrickworkError } from "../errors.js";
import type { BlockFormat } from "../formats.js";
import { halved } from "../mips.js";
import type { BlockFile } from "../reader.js";

export interface BlockTextureOptions {
    /**
     * True if texture coordinates start at the lower left corner, as those of three.js's geometries do. False
     * for those of glTF, which start at the upper left one. Default: true.
     */
    readonly flipY?: boolean;
}

/** A texture on the device, and the number of three.js's textures that use it. */
interface Shared {
    readonly texture: GPUTexture;
    users: number;
}

/**
 * Texture of three.js with the blocks of {@link Brickwork.encodeTexture} or {@link Brickwork.loadTexture}. It
 * owns the `GPUTexture`: `dispose` of the last clone destroys it.
 *
 * The texture's transform (`repeat`, `offset`, `rotation`) is the caller's. Its matrix then flips the image,
 * and selects the image's share of a padded texture. Such a texture cannot be tiled.
 */
export class BlockTexture extends ExternalTexture {
    readonly isBlockTexture = true;
    #shared: Shared | undefined;
    /** Place of the image in the texture: from coordinates of the image to those of the texture. */
    #place = new Matrix3();

    /**
     * Without an argument, the texture is empty, for `copy`.
     *
     * @throws {BrickworkError} `source` if the texture is a cube or an array.
     */
    constructor(encoded?: EncodedTexture, { flipY = true }: BlockTextureOptions = {}) {
        super(encoded?.texture);
        this.generateMipmaps = false;
        this.flipY = false;
        if (!encoded) return;
        const { texture, size, uvScale, decodedFrom = texture.format } = encoded;
        checkLayers(texture.depthOrArrayLayers);
        this.#shared = { texture, users: 1 };
        this.image = { width: size[0], height: size[1] } as never;
        this.magFilter = LinearFilter;
        this.minFilter = texture.mipLevelCount > 1 ? LinearMipmapLinearFilter : LinearFilter;
        if (texture.format.endsWith("-srgb")) this.colorSpace = SRGBColorSpace;
        // With this format, three.js computes z of normal maps. Decoded blocks also have no blue.
        if (/^(bc5|eac-rg11)/.test(decodedFrom)) this.format = RED_GREEN_RGTC2_Format as never;
        setPlace(this.#place, uvScale, flipY);
        this.needsUpdate = true;
    }

    /** Computes the matrix: the transform, then the place of the image. */
    override updateMatrix(): void {
        super.updateMatrix();
        this.matrix.premultiply(this.#place);
    }

    override copy(source: this): this {
        super.copy(source);
        this.#place.copy(source.#place);
        const shared = source.#shared;
        if (shared !== this.#shared) {
            this.#release();
            this.#shared = shared;
            if (shared) shared.users += 1;
        }
        return this;
    }

    /** Frees the texture's memory, unless a clone uses it. */
    override dispose(): void {
        super.dispose();
        this.#release();
    }

    #release(): void {
        const shared = this.#shared;
        this.#shared = undefined;
        if (!shared) return;
        shared.users -= 1;
        if (shared.users === 0) shared.texture.destroy();
    }
}

/** Formats of three.js, which has none for ETC2 with 1-bit alpha. */
const FORMATS: Readonly<Partial<Record<BlockFormat, CompressedPixelFormat>>> = {
    bc1: RGBA_S3TC_DXT1_Format,
    bc2: RGBA_S3TC_DXT3_Format,
    bc3: RGBA_S3TC_DXT5_Format,
    bc4: RED_RGTC1_Format,
    bc4s: SIGNED_RED_RGTC1_Format,
    bc5: RED_GREEN_RGTC2_Format,
    bc5s: SIGNED_RED_GREEN_RGTC2_Format,
    bc6h: RGB_BPTC_UNSIGNED_Format,
    bc6hs: RGB_BPTC_SIGNED_Format,
    bc7: RGBA_BPTC_Format,
    "etc2-rgb8": RGB_ETC2_Format,
    "etc2-rgba8": RGBA_ETC2_EAC_Format,
    "eac-r11": R11_EAC_Format,
    "eac-r11s": SIGNED_R11_EAC_Format,
    "eac-rg11": RG11_EAC_Format,
    "eac-rg11s": SIGNED_RG11_EAC_Format,
    "astc-4x4": RGBA_ASTC_4x4_Format,
};

/** Texture of three.js with blocks in memory, for renderers that use WebGL 2. Its matrix flips the image. */
export class BlockDataTexture extends CompressedTexture {
    blockFormat: BlockFormat;
    #place = new Matrix3();

    /** Without an argument, the texture is empty, for `copy`. */
    constructor(file?: BlockFile, { flipY = true }: BlockTextureOptions = {}) {
        const { format = "bc7", srgb = false, size = [4, 4], layers = 1, levels = [] } = file ?? {};
        checkLayers(layers);
        const number = FORMATS[format];
        if (number === undefined) throw new BrickworkError("no-format", `three.js has no ${format}`);
        let [width, height] = size;
        const mipmaps = levels.map((data) => {
            const level = { data, width, height };
            [width, height] = [halved(width), halved(height)];
            return level;
        });
        super(mipmaps as never, size[0], size[1], number);
        this.blockFormat = format;
        this.magFilter = LinearFilter;
        this.minFilter = levels.length > 1 ? LinearMipmapLinearFilter : LinearFilter;
        if (srgb) this.colorSpace = SRGBColorSpace;
        setPlace(this.#place, [1, 1], flipY);
        this.needsUpdate = levels.length > 0;
    }

    /** Computes the matrix: the transform, then the flip. */
    override updateMatrix(): void {
        super.updateMatrix();
        this.matrix.premultiply(this.#place);
    }

    override copy(source: this): this {
        super.copy(source);
        this.blockFormat = source.blockFormat;
        this.#place.copy(source.#place);
        return this;
    }
}

/**
 * Returns the texture of what an encoder of {@link brickworkFor} returns.
 *
 * @throws {BrickworkError} `source` if it is a cube or an array.
 */
export function textureOf(
    encoded: EncodedTexture | BlockFile,
    options?: BlockTextureOptions,
): BlockTexture | BlockDataTexture {
    return "levels" in encoded ? new BlockDataTexture(encoded, options) : new BlockTexture(encoded, options);
}

function checkLayers(layers: number): void {
    if (layers > 1) throw new BrickworkError("source", `the texture has ${layers} layers; expected one`);
}

/** Sets the matrix from coordinates of the image to those of the texture. */
function setPlace(place: Matrix3, [x, y]: readonly [number, number], flipY: boolean): void {
    place.set(x, 0, 0, 0, flipY ? -y : y, flipY ? y : 0, 0, 0, 1);
}
