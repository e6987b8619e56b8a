// A plugin of GLTFLoader that compresses images as they are loaded.

import type { GLTFLoaderPlugin, GLTFParser } from "three/addons/loaders/GLTFLoader.js";
import { FileLoader, type Loader, Texture } from "three/webgpu";
import type { Brickwork, TextureOptions } from "../brickwork.js";
import { automatic } from "../auto.js";
import { BrickworkError } from "../errors.js";
import { type BlockFormat, formatInfo } from "../formats.js";
import { bitmapOf } from "../sources.js";
import { textureOf } from "./texture.js";
import { type GltfJson, type GltfTexture, type TextureUse, imageOf, usesOf } from "./uses.js";
import { WebGlBrickwork } from "./webgl.js";

/** Encoding of an image of a model. */
export type GltfEncoding = Pick<TextureOptions, "format" | "quality" | "normal" | "mips" | "mipFilter">;

export interface GltfOptions {
    /**
     * Returns the encoding of an image by its use, or undefined or the format `rgba8` to leave it
     * uncompressed. Default: {@link gltfEncoding}.
     */
    readonly encoding?: (use: TextureUse) => GltfEncoding | undefined;
    /**
     * Receives the reason if an image stays uncompressed, such as a size that is not a multiple of 4, or a
     * device without block-compressed textures. Default: nothing is reported.
     */
    readonly onUncompressed?: (reason: unknown, use: TextureUse) => void;
}

/**
 * Returns an encoding for load time, with all mip levels, in the format that the device has: BC5 or EAC for
 * normal maps, of which three.js computes z, else BC7, ASTC or ETC2.
 */
export function gltfEncoding({ kind }: TextureUse): GltfEncoding {
    return { normal: kind === "normal", mips: true };
}

/** Name of the extension for DDS files, and of the plugin. */
const DDS = "MSFT_texture_dds";

/** Feature of a device that the files of each extension need. */
const EXTENSIONS: readonly (readonly [name: string, feature: string])[] = [
    [DDS, "texture-compression-bc"],
    ["EXT_texture_astc", "texture-compression-astc"],
];

/** A file with blocks. */
interface BlockSource {
    readonly feature: string;
    readonly source: number;
}

function blockSourcesOf(extensions: NonNullable<GltfTexture["extensions"]>): BlockSource[] {
    return EXTENSIONS.flatMap(([name, feature]) => {
        const source = extensions[name]?.source;
        return source === undefined ? [] : [{ feature, source }];
    });
}

/** An encoder of `brickworkFor`. */
type Encoder = Brickwork | WebGlBrickwork;

async function featuresOf(brickwork: Encoder): Promise<ReadonlySet<string>> {
    return brickwork instanceof WebGlBrickwork ? brickwork.features : (await brickwork.device()).features;
}

/**
 * Returns a plugin for `GLTFLoader.register`. It compresses a model's images, and loads DDS files
 * (`MSFT_texture_dds`) and KTX2 files with ASTC (`EXT_texture_astc`) as they are on devices with such textures.
 * Images that cannot be compressed are loaded uncompressed.
 */
export function gltfPlugin(
    brickwork: Encoder,
    options: GltfOptions = {},
): (parser: GLTFParser) => GLTFLoaderPlugin {
    const inTurn = turns();
    return (parser) => {
        const json = parser.json as GltfJson;
        let uses: Map<number, TextureUse> | undefined;
        const loadImage = (index: number, image: number, use: TextureUse) =>
            parser.loadTextureImage(
                index,
                image,
                blobLoader(parser, (contents) => inTurn(() => compressed(brickwork, contents, use, options))),
            );
        const loadFile = async (index: number, file: number) =>
            // The loader reports failures on the console, and returns null.
            (await parser.loadTextureImage(
                index,
                file,
                blobLoader(parser, async (contents) => ownTexture(await brickwork.loadTexture(contents))),
            )) as Texture | null;
        const loadFirst = async (
            index: number,
            files: readonly BlockSource[],
            loadOther: () => Promise<Texture> | null,
        ) => {
            const features = await featuresOf(brickwork);
            for (const { source } of files.filter(({ feature }) => features.has(feature))) {
                const texture = await loadFile(index, source);
                if (texture) return texture;
            }
            // (The loader takes null for a texture that cannot be loaded.)
            return loadOther() as Promise<Texture>;
        };
        /** Loads a texture by the other plugins, or the loader itself. */
        const loadElsewhere = (index: number) => {
            for (const other of Object.values(parser.plugins)) {
                const loading = other === plugin ? null : other.loadTexture?.(index);
                if (loading) return loading;
            }
            return json.textures?.[index]?.source === undefined ? null : parser.loadTexture(index);
        };
        const plugin: GLTFLoaderPlugin = {
            name: DDS,
            beforeRoot() {
                // First, before the loader's own plugins for WebP and AVIF.
                const plugins = { [DDS]: parser.plugins[DDS], ...parser.plugins };
                parser.setPlugins(plugins as typeof parser.plugins);
                return null;
            },
            loadTexture(index) {
                uses ??= usesOf(json);
                const texture = json.textures?.[index];
                const image = imageOf(texture);
                const use = image === undefined ? undefined : uses.get(image);
                const files = blockSourcesOf(texture?.extensions ?? {});
                const hasImage = image !== undefined && use !== undefined;
                if (files.length === 0) return hasImage ? loadImage(index, image, use) : null;
                return loadFirst(index, files, () =>
                    hasImage ? loadImage(index, image, use) : loadElsewhere(index),
                );
            },
        };
        return plugin;
    };
}

/** Returns a texture of an image, compressed if possible. */
async function compressed(
    brickwork: Encoder,
    contents: Blob,
    use: TextureUse,
    { encoding = gltfEncoding, onUncompressed }: GltfOptions,
): Promise<Texture> {
    try {
        const chosen = encoding(use);
        if (chosen && chosen.format !== "rgba8") {
            const features = await featuresOf(brickwork);
            const { format, ...named } = automatic({ features } as Pick<GPUDevice, "features">, {
                ...chosen,
                format: twoChannels(chosen, features),
                ...(use.hasAlpha ? {} : { alpha: "opaque" }),
            });
            if (format === "rgba8") throw new BrickworkError("no-format", "the device has no block formats");
            const encoded = await brickwork.encodeTexture(contents, {
                ...named,
                format,
                ...(use.kind === "color" ? {} : { srgb: false }),
                ...alphaOf(format, use),
                // Padded textures cannot be tiled.
                onUnaligned: "error",
            });
            return ownTexture(encoded);
        }
    } catch (error) {
        onUncompressed?.(error, use);
    }
    const texture = new Texture(await bitmapOf(contents));
    texture.needsUpdate = true;
    return texture;
}

function ownTexture(encoded: Parameters<typeof textureOf>[0]): Texture {
    return textureOf(encoded, { flipY: false });
}

/** Returns the format of normal maps with two channels, if the device has one and the options name none. */
function twoChannels(
    { format = "auto", normal }: GltfEncoding,
    features: ReadonlySet<string>,
): NonNullable<GltfEncoding["format"]> {
    if (format !== "auto" || !normal) return format;
    if (features.has("texture-compression-bc")) return "bc5";
    return features.has("texture-compression-etc2") ? "eac-rg11" : "auto";
}

/** Alpha that is data must not weight the colours of mip levels, as straight alpha does. */
function alphaOf(format: BlockFormat, { kind, hasAlpha }: TextureUse): Pick<TextureOptions, "alpha"> {
    if (!formatInfo(format).hasAlpha) return {};
    return { alpha: hasAlpha ? (kind === "color" ? "straight" : "premultiplied") : "opaque" };
}

/** Returns a loader that fetches files as the parser does, and makes textures of them. */
function blobLoader(parser: GLTFParser, textureOf: (contents: Blob) => Promise<Texture>): Loader {
    const { manager, crossOrigin, requestHeader, withCredentials } = parser.options;
    const files = new FileLoader(manager);
    files.setResponseType("blob");
    files.setCrossOrigin(crossOrigin);
    files.setRequestHeader(requestHeader);
    files.setWithCredentials(withCredentials ?? false);
    const load = (
        url: string,
        onLoad: (texture: Texture) => void,
        onProgress?: (event: ProgressEvent) => void,
        onError?: (error: unknown) => void,
    ) => {
        const done = (contents: unknown) =>
            textureOf(contents as Blob)
                .then(onLoad)
                .catch(onError);
        files.load(url, done, onProgress, onError);
    };
    return { load } as unknown as Loader;
}

/** Returns a function that runs one task at a time: each holds an image in memory. */
function turns(): <T>(task: () => Promise<T>) => Promise<T> {
    let last: Promise<unknown> = Promise.resolve();
    return (task) => {
        const next = last.then(task);
        last = next.catch(() => {});
        return next;
    };
}
