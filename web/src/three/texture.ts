// A texture of blocks for three.js.

import {
    ExternalTexture,
    LinearFilter,
    LinearMipmapLinearFilter,
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
 * The texture's transform (`repeat`, `offset`) flips and crops the image: of a padded texture, it selects the
 * image's share. Such a texture cannot be tiled.
 */
export class BlockTexture extends ExternalTexture {
    readonly isBlockTexture = true;
    #shared: Shared | undefined;

    /** Without an argument, the texture is empty, for `copy`. */
    constructor(encoded?: EncodedTexture, { flipY = true }: BlockTextureOptions = {}) {
        super(encoded?.texture);
        this.generateMipmaps = false;
        this.flipY = false;
        if (!encoded) return;
        const { texture, size, uvScale } = encoded;
        this.#shared = { texture, users: 1 };
        this.image = { width: size[0], height: size[1] } as never;
        this.magFilter = LinearFilter;
        this.minFilter = texture.mipLevelCount > 1 ? LinearMipmapLinearFilter : LinearFilter;
        if (texture.format.endsWith("-srgb")) this.colorSpace = SRGBColorSpace;
        // With this format, three.js computes z of normal maps.
        if (texture.format.startsWith("bc5")) this.format = RED_GREEN_RGTC2_Format as never;
        this.repeat.set(uvScale[0], flipY ? -uvScale[1] : uvScale[1]);
        if (flipY) this.offset.set(0, uvScale[1]);
        this.needsUpdate = true;
    }

    override copy(source: this): this {
        super.copy(source);
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
