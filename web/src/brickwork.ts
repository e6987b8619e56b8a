// The package's class.

import { BandSizes, type Pair } from "./areas.js";
import { type AutoFormat, automaticFor } from "./auto.js";
import { type BandJob, encodeToBytes, encodeToTexture } from "./bands.js";
import type { TextureCache } from "./cache.js";
import { Chain, type Load } from "./chain.js";
import { type Container, checkContainer, textureFile } from "./containers.js";
import type { CpuEncoder, CpuOptions, CpuSource } from "./cpu/encoder.js";
import { DeviceHolder, checked } from "./device.js";
import { BrickworkError } from "./errors.js";
import {
    type BlockFormat,
    type Quality,
    blockCounts,
    formatInfo,
    hasKernels,
    loadChain,
    textureFormatOf,
} from "./formats.js";
import { alignedSize, checkFeature, checkSize, checkTexture, mostTexels } from "./limits.js";
import { MipMaker } from "./mips.js";
import { type EncodeOptions, type Settings, mipCount, settingsOf } from "./options.js";
import { Pipelines } from "./pipelines.js";
import {
    type BufferTarget,
    type RecordSource,
    Recorder,
    type TextureTarget,
    linearView,
} from "./recorder.js";
import { type ImageSource, type OpenedSource, bytesOfFile, openSource, upload } from "./sources.js";
import { DEFAULT_LABEL, DEFAULT_USAGE, TextureUsage } from "./usage.js";

/** Options of a texture, besides its contents. */
export interface UsageOptions {
    /** Usage of the texture besides `COPY_DST`. Default: `TEXTURE_BINDING` and `COPY_SRC`. */
    readonly usage?: GPUTextureUsageFlags;
    /** Default: `Brickwork`. */
    readonly label?: string;
    readonly signal?: AbortSignal;
}

export interface TextureOptions extends Omit<EncodeOptions, "format">, UsageOptions {
    /**
     * `auto` is the best format that the device has: BC7, ASTC, ETC2, or `rgba8`, which is not compressed.
     * For floats, such as HDR files, it is BC6H, or `rgba8`, which keeps floats. Default: `auto`.
     */
    readonly format?: AutoFormat;
    /**
     * WebGPU's block-compressed textures have sides that are multiples of 4. Other images are padded, and
     * {@link EncodedTexture.uvScale} is the share of the texture that is the image. `error` refuses them.
     * A device with the feature `texture-compression-unaligned` needs neither. Default: `pad`.
     */
    readonly onUnaligned?: "pad" | "error";
}

export interface EncodedTexture {
    readonly texture: GPUTexture;
    /** Width and height of the image in texels. The texture may be larger. */
    readonly size: Pair;
    /** Texture coordinate where the image ends: 1, 1 unless the texture is padded. */
    readonly uvScale: Pair;
    /** Format of the blocks whose decoded texels the texture has. Default: the texture has the blocks. */
    readonly decodedFrom?: BlockFormat;
}

export interface BrickworkOptions {
    /**
     * Device that encodes BC1 to BC7, and the other formats in real time. `auto` is the GPU, unless it is a
     * software adapter, which is slower than the encoders of the CPU. The CPU encodes the other qualities of
     * ASTC, ETC2 and EAC. Default: `auto`.
     */
    readonly encoder?: "auto" | "gpu" | "cpu";
    /**
     * Maximum bytes of textures that are kept, so that {@link Brickwork.encodeTexture} encodes no URL twice with
     * the same options. Those that were used last are kept. Default: 32 MiB.
     */
    readonly cacheBytes?: number;
    /** URLs of the WebAssembly modules. Default: the files of the package. */
    readonly cpu?: CpuOptions;
}

export interface FileOptions extends EncodeOptions {
    readonly container: Container;
}

const DEFAULT_CACHE_BYTES = 32 << 20;

/** What is kept for a device. */
interface DeviceState {
    readonly device: GPUDevice;
    readonly pipelines: Pipelines;
    readonly recorders: Map<string, Promise<Recorder>>;
    readonly chains: Chain[];
    readonly sizes: Map<string, BandSizes>;
}

/** Encoder of textures on a GPU device. */
export class Brickwork {
    readonly #holder: DeviceHolder;
    readonly #options: BrickworkOptions;
    #state: DeviceState | undefined;
    #cpu: Promise<CpuEncoder> | undefined;
    #cache: Promise<TextureCache> | undefined;

    private constructor(holder: DeviceHolder, options: BrickworkOptions) {
        this.#holder = holder;
        this.#options = options;
    }

    /**
     * Returns an encoder on the caller's device, which is never destroyed, or on a new one. A new device that
     * is lost is replaced once.
     *
     * @throws {BrickworkError} `no-webgpu` without a device.
     */
    static async create(device?: GPUDevice, options: BrickworkOptions = {}): Promise<Brickwork> {
        return new Brickwork(await DeviceHolder.create(device), options);
    }

    /** Returns the device. After a loss, a device of ours is a new one. */
    device(): Promise<GPUDevice> {
        return this.#holder.current();
    }

    /**
     * Returns a recorder, whose `record` puts an encoding into the caller's commands. Compiles the kernels.
     *
     * @param hasAlpha False if every texel is opaque. Default: true.
     * @param srgb True for sRGB textures, of which the blocks of ASTC differ. Default: true where the format has
     *     them.
     */
    async prepare(
        format: BlockFormat,
        quality?: Quality,
        hasAlpha = true,
        srgb?: boolean,
    ): Promise<Recorder> {
        const settings = settingsOf({
            format,
            ...(quality ? { quality } : {}),
            ...(srgb === undefined ? {} : { srgb }),
        });
        const recorder = await this.#recorder(await this.#current(), settings, hasAlpha);
        // Regions with and without partial blocks.
        await recorder.prepare([
            [4, 4],
            [5, 5],
        ]);
        return recorder;
    }

    /** Records an encoding into the caller's commands: {@link prepare} and {@link Recorder.record} in one. */
    async record(
        encoder: GPUCommandEncoder,
        source: RecordSource,
        target: TextureTarget | BufferTarget,
        options: Pick<EncodeOptions, "format" | "quality" | "alpha" | "srgb">,
    ): Promise<void> {
        const { format, quality, alpha, srgb } = settingsOf(options);
        (await this.prepare(format, quality, alpha !== "opaque", srgb)).record(encoder, source, target);
    }

    /**
     * Encodes an image of any size. Returns the blocks row by row, with the largest mip level first. The
     * device does not need to support block-compressed textures.
     *
     * @throws {BrickworkError} or the reason of the signal.
     */
    async encodeBlocks(source: ImageSource, options: EncodeOptions): Promise<Uint8Array<ArrayBuffer>> {
        const { levels } = await this.encodeLevels(source, settingsOf(options));
        const blocks = new Uint8Array(levels.reduce((sum, level) => sum + level.length, 0));
        let at = 0;
        for (const level of levels) {
            blocks.set(level, at);
            at += level.length;
        }
        return blocks;
    }

    /** Encodes an image of any size to a DDS or KTX2 file. Throws as {@link encodeBlocks}. */
    async encodeFile(source: ImageSource, options: FileOptions): Promise<Blob> {
        const { container } = options;
        checkContainer(container);
        const settings = settingsOf(options);
        const { size, levels } = await this.encodeLevels(source, settings);
        return textureFile(container, settings, size, levels);
    }

    /**
     * Encodes an image to a texture on the device, or several of the same size to its layers: six of them,
     * from +x to −z, are a cube for views of the dimension `cube`. The texture is the caller's, who destroys it.
     *
     * @throws {BrickworkError} or the reason of the signal. `no-format` if the device has no textures of the
     *     format that the options name.
     */
    async encodeTexture(
        source: ImageSource | readonly ImageSource[],
        options: TextureOptions = {},
    ): Promise<EncodedTexture> {
        if (isList(source)) {
            const { encodedLayers } = await import("./layers.js");
            const device = await this.#holder.current();
            return encodedLayers(device, source, options, (own, more) => this.#encodeTexture(own, more));
        }
        const { cacheBytes = DEFAULT_CACHE_BYTES } = this.#options;
        const isUrl = typeof source === "string" || source instanceof URL;
        if (!isUrl || cacheBytes <= 0) return this.#encodeTexture(source, options);
        options.signal?.throwIfAborted();
        const device = await this.#holder.current();
        this.#cache ??= import("./cache.js").then(({ TextureCache }) => new TextureCache(cacheBytes));
        const cache = await this.#cache;
        return cache.get(device, source, options, (own) => this.#encodeTexture(source, own));
    }

    async #encodeTexture(given: ImageSource, options: TextureOptions): Promise<EncodedTexture> {
        const state = await this.#current();
        const { device } = state;
        const { source, chosen } = await automaticFor(device, given, options);
        const { format } = chosen;
        if (format === "rgba8") return this.#plainTexture(state, source, options);
        const named = { ...chosen, format };
        const settings = settingsOf(named);
        checkFeature(device, formatInfo(format), "use the format auto");
        if (this.#usesCpu(device, source, settings)) {
            try {
                const { encoder, readable } = await this.#onCpu(device, source);
                const encoded = await encoder.encodeTexture(device, readable, named);
                this.#holder.checkNotLost(device);
                return encoded;
            } catch (error) {
                // Without a worker or its module, the GPU or an uncompressed texture remains.
                if (!(error instanceof BrickworkError) || error.code !== "cpu") throw error;
                if (!hasKernels(format, settings.quality)) {
                    if ((options.format ?? "auto") !== "auto") throw error;
                    return this.#plainTexture(state, source, options);
                }
            }
        }
        const { onUnaligned = "pad", usage = DEFAULT_USAGE, label = DEFAULT_LABEL } = options;
        return this.#opened(source, settings, async (opened) => {
            const { size } = opened;
            const textureSize = alignedSize(device, size, onUnaligned);
            const texture = await checked(device, "the texture", () =>
                device.createTexture({
                    label,
                    size: [...textureSize],
                    mipLevelCount: mipCount(settings.mips, textureSize),
                    format: textureFormatOf(settings.format, settings.srgb),
                    usage: usage | TextureUsage.COPY_DST,
                }),
            );
            try {
                await this.#eachLevel(state, opened, textureSize, settings, (job, mipLevel) =>
                    encodeToTexture(job, { texture, mipLevel }),
                );
            } catch (error) {
                texture.destroy();
                throw error;
            }
            const uvScale: Pair = [size[0] / textureSize[0], size[1] / textureSize[1]];
            return { texture, size, uvScale };
        });
    }

    /**
     * Loads a 2D texture, an array or a cube that is compressed already: a DDS file with a DX10 header, or a
     * KTX2 file, also with Zstandard. Nothing is encoded.
     *
     * The blocks of a format that the device does not have are decoded by the CPU.
     *
     * @throws {BrickworkError} or the reason of the signal.
     */
    async loadTexture(
        file: string | URL | Blob | BufferSource,
        options: UsageOptions = {},
    ): Promise<EncodedTexture> {
        const { usage, label, signal } = options;
        const { device } = await this.#current();
        const { readTextureFile, uploadFile } = await import("./reader.js");
        const contents = await bytesOfFile(file, signal);
        signal?.throwIfAborted();
        const blocks = await readTextureFile(contents, (found) => checkTexture(device, found));
        if (!device.features.has(formatInfo(blocks.format).feature)) {
            return (await this.#cpuEncoder()).decodeFile(device, blocks, options);
        }
        const [width, height] = alignedSize(device, blocks.size, "error");
        const texture = await uploadFile(device, blocks, usage, label);
        this.#holder.checkNotLost(device);
        return { texture, size: [width, height], uvScale: [1, 1] };
    }

    /** Frees the memory on the device, and destroys the device unless it is the caller's. */
    dispose(): void {
        for (const chain of this.#state?.chains ?? []) chain.dispose();
        this.#state = undefined;
        void this.#cpu?.then((encoder) => encoder.dispose());
        void this.#cache?.then((cache) => cache.dispose());
        this.#holder.dispose();
    }

    /** True if the CPU encodes a source. */
    #usesCpu(device: GPUDevice, source: ImageSource, { format, quality }: Settings): boolean {
        const { encoder = "auto" } = this.#options;
        if (!hasKernels(format, quality)) return true;
        const isOnGpu = typeof GPUTexture === "function" && source instanceof GPUTexture;
        if (encoder !== "auto" || isOnGpu) return encoder === "cpu";
        return device.adapterInfo?.isFallbackAdapter ?? false;
    }

    #cpuEncoder(): Promise<CpuEncoder> {
        return (this.#cpu ??= import("./cpu/encoder.js").then(
            ({ CpuEncoder }) => new CpuEncoder(this.#options.cpu),
        ));
    }

    /** Returns the encoder of the CPU, and a source that it can read. */
    async #onCpu(
        device: GPUDevice,
        source: ImageSource,
    ): Promise<{ encoder: CpuEncoder; readable: CpuSource }> {
        const encoder = await this.#cpuEncoder();
        const isOnGpu = typeof GPUTexture === "function" && source instanceof GPUTexture;
        const readable = isOnGpu
            ? await (await import("./readback.js")).texelsOfTexture(device, source)
            : (source as CpuSource);
        return { encoder, readable };
    }

    /** Makes an uncompressed texture. */
    async #plainTexture(
        state: DeviceState,
        source: ImageSource,
        options: TextureOptions,
    ): Promise<EncodedTexture> {
        const { device, pipelines } = state;
        const settings = settingsOf({ ...options, format: "bc7", quality: "ultrafast" });
        const { plainTexture } = await import("./plain.js");
        return this.#opened(source, settings, async (opened) => {
            const texture = await plainTexture(device, pipelines, opened, settings, options);
            this.#holder.checkNotLost(device);
            return { texture, size: opened.size, uvScale: [1, 1] };
        });
    }

    /** @internal Encodes an image of any size. Returns the blocks of each mip level, the largest first. */
    async encodeLevels(
        source: ImageSource,
        settings: Settings,
    ): Promise<{ size: Pair; levels: Uint8Array<ArrayBuffer>[] }> {
        const state = await this.#current();
        const { format, quality, mips } = settings;
        const { blockBytes } = formatInfo(format);
        if (this.#usesCpu(state.device, source, settings)) {
            try {
                const { encoder, readable } = await this.#onCpu(state.device, source);
                const { size, blocks } = await encoder.encode(readable, settings);
                const { levelsOf } = await import("./reader.js");
                return { size, levels: levelsOf(blocks, format, size, mipCount(mips, size)) };
            } catch (error) {
                const isUnavailable = error instanceof BrickworkError && error.code === "cpu";
                if (!isUnavailable || !hasKernels(format, quality)) throw error;
            }
        }
        return this.#opened(source, settings, async (opened) => {
            const levels: Uint8Array<ArrayBuffer>[] = [];
            await this.#eachLevel(state, opened, opened.size, settings, (job) => {
                const [columns, rows] = blockCounts(job.size);
                const blocks = new Uint8Array(columns * rows * blockBytes);
                levels.push(blocks);
                return encodeToBytes(job, blocks);
            });
            return { size: opened.size, levels };
        });
    }

    async #opened<T>(
        source: ImageSource,
        { signal }: Settings,
        work: (opened: OpenedSource) => Promise<T>,
    ): Promise<T> {
        signal?.throwIfAborted();
        const opened = await openSource(source, mostTexels(await this.#holder.current()), signal);
        try {
            signal?.throwIfAborted();
            return await work(opened);
        } finally {
            opened.close();
        }
    }

    /** Uploads an image, and calls `encode` for each mip level of a texture of `textureSize`. */
    async #eachLevel(
        state: DeviceState,
        opened: OpenedSource,
        textureSize: Pair,
        settings: Settings,
        encode: (job: BandJob, mipLevel: number) => Promise<void>,
    ): Promise<void> {
        const { device, pipelines } = state;
        const { format, quality, srgb, normal, alpha, mipFilter: filter, signal } = settings;
        checkSize(device, opened.size);
        const count = mipCount(settings.mips, textureSize);
        // Blue of formats of two channels counts in mip levels only. (`MipMaker` refuses other sources than those
        // of 8 bits.)
        const usesBlue = formatInfo(format).hasAlpha || count > 1;
        const restoresZ = normal && usesBlue && !opened.format.endsWith("float");
        const recorder = await this.#recorder(state, settings, alpha !== "opaque");
        const sizes = bandSizes(state, recorder, quality);
        const job = (size: Pair, load: (origin: Pair, size: Pair) => Load): BandJob => ({
            recorder,
            size,
            sizes,
            signal,
            load,
            checkNotLost: () => this.#holder.checkNotLost(device),
        });
        // Level 0 has the image's own size. Its last blocks repeat the edge, as in the native encoder.
        const uploadSize = count > 1 ? textureSize : opened.size;
        const mustCopy = count > 1 || restoresZ || (opened.texture?.format.endsWith("-srgb") ?? false);
        const uploaded = await upload(device, opened, uploadSize, mustCopy, signal);
        let maker: MipMaker | undefined;
        try {
            await recorder.prepare([opened.size]);
            const { texels } = recorder;
            const options = { texels, srgb, byAlpha: alpha === "straight", filter, normal };
            const create = async () =>
                (maker = await MipMaker.create(device, pipelines, uploaded.texture, options));
            const restored = restoresZ ? await create() : undefined;
            const view = linearView(uploaded.texture, 0, 0);
            await encode(
                job(opened.size, (origin, size) =>
                    restored ? restored.load(origin, size) : recorder.textureLoad(view, origin, size),
                ),
                0,
            );
            if (count === 1) return;
            const made = restored ?? (await create());
            for (let level = 1; level < count; level++) {
                const size = await made.next();
                await encode(
                    job(size, (origin, areaSize) => made.load(origin, areaSize)),
                    level,
                );
            }
        } finally {
            maker?.dispose();
            if (uploaded.isOwn) uploaded.texture.destroy();
        }
    }

    async #current(): Promise<DeviceState> {
        const device = await this.#holder.current();
        if (this.#state?.device !== device) {
            this.#state = {
                device,
                pipelines: new Pipelines(device),
                recorders: new Map(),
                chains: [],
                sizes: new Map(),
            };
        }
        return this.#state;
    }

    #recorder(
        state: DeviceState,
        { format, quality, srgb }: Pick<Settings, "format" | "quality" | "srgb">,
        hasAlpha: boolean,
    ): Promise<Recorder> {
        const key = `${format} ${quality} ${srgb} ${hasAlpha}`;
        let recorder = state.recorders.get(key);
        if (!recorder) {
            recorder = loadChain(format, quality, srgb).then(({ data, chain }) => {
                const { blockBytes } = formatInfo(format);
                const made = new Chain(state.device, state.pipelines, data, chain, blockBytes);
                state.chains.push(made);
                return new Recorder(state.device, format, made, hasAlpha);
            });
            state.recorders.set(key, recorder);
            recorder.catch(() => state.recorders.delete(key));
        }
        return recorder;
    }
}

function isList(source: ImageSource | readonly ImageSource[]): source is readonly ImageSource[] {
    return Array.isArray(source);
}

/** Returns the sizes of bands that earlier encodings have found. */
function bandSizes(state: DeviceState, recorder: Recorder, quality: Quality): BandSizes {
    const key = `${recorder.format} ${quality}`;
    let sizes = state.sizes.get(key);
    if (!sizes) {
        sizes = new BandSizes(recorder.firstBandBlocks);
        state.sizes.set(key, sizes);
    }
    return sizes;
}
