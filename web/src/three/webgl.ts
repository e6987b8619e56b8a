// Blocks for renderers that use WebGL 2.

import { type AutoFormat, automaticFor } from "../auto.js";
import { Brickwork, type BrickworkOptions, type TextureOptions } from "../brickwork.js";
import type { CpuEncoder } from "../cpu/encoder.js";
import { BrickworkError } from "../errors.js";
import { formatInfo } from "../formats.js";
import { checkSides } from "../limits.js";
import { mipCount, settingsOf } from "../options.js";
import type { BlockFile, BlockHeader } from "../reader.js";
import { type ImageSource, bytesOfFile } from "../sources.js";

/** Extensions of WebGL that a family of formats needs. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
    "texture-compression-bc": [
        "EXT_texture_compression_bptc",
        "EXT_texture_compression_rgtc",
        "WEBGL_compressed_texture_s3tc",
        "WEBGL_compressed_texture_s3tc_srgb",
    ],
    "texture-compression-astc": ["WEBGL_compressed_texture_astc"],
    "texture-compression-etc2": ["WEBGL_compressed_texture_etc"],
};

/** Options of an encoding for WebGL. `rgba8` is left to three.js. */
export type WebGlOptions = Omit<TextureOptions, "usage" | "label" | "onUnaligned"> & {
    readonly format?: Exclude<AutoFormat, "rgba8">;
};

/**
 * Encoder for a renderer that uses WebGL 2. Blocks are encoded on a WebGPU device beside the renderer, or by the
 * CPU, and three.js uploads them.
 */
export class WebGlBrickwork {
    /** Features of the context, by the names of WebGPU. */
    readonly features: ReadonlySet<string>;
    readonly #mostTexels: number;
    readonly #options: BrickworkOptions;
    #gpu: Promise<Brickwork | undefined> | undefined;
    #cpu: Promise<CpuEncoder> | undefined;

    constructor(gl: WebGL2RenderingContext, options: BrickworkOptions = {}) {
        const names = gl.getSupportedExtensions() ?? [];
        const has = (needed: readonly string[]) => needed.every((name) => names.includes(name));
        this.features = new Set(Object.keys(EXTENSIONS).filter((key) => has(EXTENSIONS[key] ?? [])));
        this.#mostTexels = gl.getParameter(gl.MAX_TEXTURE_SIZE) as number;
        this.#options = options;
    }

    /**
     * Encodes an image.
     *
     * @throws {BrickworkError} or the reason of the signal. `no-format` if the context has no such textures,
     *     `size` if a side is not a multiple of 4, as WebGL requires of BC1 to BC7.
     */
    async encodeTexture(given: ImageSource, options: WebGlOptions = {}): Promise<BlockFile> {
        const { source, chosen } = await automaticFor(this as never, given, options);
        const { format, ...others } = chosen;
        if (format === "rgba8" || !this.features.has(formatInfo(format).feature)) {
            const wanted = format === "rgba8" ? "block-compressed textures" : formatInfo(format).feature;
            throw new BrickworkError("no-format", `WebGL has no ${wanted} here`);
        }
        const settings = settingsOf({ ...others, format });
        const { srgb, mips } = settings;
        const gpu = await (this.#gpu ??= Brickwork.create(undefined, this.#options).catch(() => undefined));
        let file: BlockFile;
        if (gpu) {
            file = { format, srgb, ...(await gpu.encodeLevels(source, settings)) };
        } else {
            const encoder = await this.#encoder();
            const { size, blocks } = await encoder.encode(
                source as Exclude<ImageSource, GPUTexture>,
                settings,
            );
            const { levelsOf } = await import("../reader.js");
            file = { format, srgb, size, levels: levelsOf(blocks, format, size, mipCount(mips, size)) };
        }
        this.#check(file);
        return file;
    }

    /**
     * Reads a DDS or KTX2 file.
     *
     * @throws {BrickworkError} as {@link encodeTexture}, or `source`.
     */
    async loadTexture(
        file: string | URL | Blob | BufferSource,
        { signal }: { readonly signal?: AbortSignal } = {},
    ): Promise<BlockFile> {
        const { readTextureFile } = await import("../reader.js");
        return readTextureFile(await bytesOfFile(file, signal), (found) => this.#check(found));
    }

    /** Ends the worker, and frees the device's memory. Textures remain. */
    dispose(): void {
        void this.#gpu?.then((gpu) => gpu?.dispose());
        void this.#cpu?.then((cpu) => cpu.dispose());
    }

    #encoder(): Promise<CpuEncoder> {
        return (this.#cpu ??= import("../cpu/encoder.js").then(
            ({ CpuEncoder }) => new CpuEncoder(this.#options.cpu),
        ));
    }

    #check({ format, size, layers = 1 }: BlockHeader): void {
        if (layers > 1) throw new BrickworkError("source", "the texture has several layers");
        checkSides(size, this.#mostTexels);
        const { feature } = formatInfo(format);
        if (!this.features.has(feature)) {
            throw new BrickworkError("no-format", `WebGL has no ${feature} here`);
        }
        if (format.startsWith("bc") && size.some((side) => side % 4 !== 0)) {
            throw new BrickworkError("size", `${size.join("×")} texels are not multiples of 4`);
        }
    }
}
