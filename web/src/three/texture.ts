// A texture of blocks for three.js.

import {
    ExternalTexture,
    LinearFilter,
    LinearMipmapLinearFilter,
    Matrix3,
    RED_GREEN_RGTC2_Format,
    SRGBColorSpace,
} from "three/webgpu";
import type { EncodedTexture } from "../brickwork.js";

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

    /** Without an argument, the texture is empty, for `copy`. */
    constructor(encoded?: EncodedTexture, { flipY = true }: BlockTextureOptions = {}) {
        super(encoded?.texture);
        this.generateMipmaps = false;
        this.flipY = false;
        if (!encoded) return;
        const { texture, size, uvScale, decodedFrom = texture.format } = encoded;
        this.#shared = { texture, users: 1 };
        this.image = { width: size[0], height: size[1] } as never;
        this.magFilter = LinearFilter;
        this.minFilter = texture.mipLevelCount > 1 ? LinearMipmapLinearFilter : LinearFilter;
        if (texture.format.endsWith("-srgb")) this.colorSpace = SRGBColorSpace;
        // With this format, three.js computes z of normal maps. Decoded blocks also have no blue.
        if (decodedFrom.startsWith("bc5")) this.format = RED_GREEN_RGTC2_Format as never;
        const [x, y] = uvScale;
        this.#place.set(x, 0, 0, 0, flipY ? -y : y, flipY ? y : 0, 0, 0, 1);
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
