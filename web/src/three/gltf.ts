// A plugin of GLTFLoader that compresses images as they are loaded.

import type { GLTFLoaderPlugin, GLTFParser } from "three/addons/loaders/GLTFLoader.js";
import { FileLoader, type Loader, Texture } from "three/webgpu";
import type { Brickwork, TextureOptions } from "../brickwork.js";
import { formatInfo } from "../formats.js";
import { bitmapOf } from "../sources.js";
import { BlockTexture } from "./texture.js";
import { type GltfJson, type TextureUse, imageOf, usesOf } from "./uses.js";

/** Encoding of an image of a model. */
export type GltfEncoding = Pick<TextureOptions, "format" | "quality" | "normal" | "mips" | "mipFilter">;

export interface GltfOptions {
    /**
     * Returns the encoding of an image by its use, or undefined to leave it uncompressed. Default:
     * {@link gltfEncoding}.
     */
    readonly encoding?: (use: TextureUse) => GltfEncoding | undefined;
    /**
     * Receives the reason if an image stays uncompressed, such as a size that is not a multiple of 4, or a
     * device without block-compressed textures. Default: nothing is reported.
     */
    readonly onUncompressed?: (reason: unknown, use: TextureUse) => void;
}

/** Returns an encoding for load time, with all mip levels: BC5 for normal maps, else BC7 in real time. */
export function gltfEncoding({ kind }: TextureUse): GltfEncoding {
    return kind === "normal"
        ? { format: "bc5", quality: "fast", normal: true, mips: true }
        : { format: "bc7", quality: "real-time-2", mips: true };
}

/** Name of the extension for DDS files, and of the plugin. */
const DDS = "MSFT_texture_dds";

/**
 * Returns a plugin for `GLTFLoader.register`. It compresses a model's images on the encoder's device, and loads
 * DDS files (`MSFT_texture_dds`) as they are. Images that cannot be compressed are loaded uncompressed.
 */
export function gltfPlugin(
    brickwork: Brickwork,
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
        const loadDds = async (index: number, dds: number, image: number, use: TextureUse) => {
            const { features } = await brickwork.device();
            // The loader reports failures on the console, and returns null.
            const texture: Texture | null = features.has("texture-compression-bc")
                ? await parser.loadTextureImage(
                      index,
                      dds,
                      blobLoader(parser, async (contents) =>
                          ownTexture(await brickwork.loadTexture(contents)),
                      ),
                  )
                : null;
            return texture ?? loadImage(index, image, use);
        };
        return {
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
                if (image === undefined || !use) return null;
                const dds = texture?.extensions?.[DDS]?.source;
                return dds === undefined ? loadImage(index, image, use) : loadDds(index, dds, image, use);
            },
        };
    };
}

/** Returns a texture of an image, compressed if possible. */
async function compressed(
    brickwork: Brickwork,
    contents: Blob,
    use: TextureUse,
    { encoding = gltfEncoding, onUncompressed }: GltfOptions,
): Promise<Texture> {
    try {
        const chosen = encoding(use);
        if (chosen) {
            // Padded textures cannot be tiled.
            const encoded = await brickwork.encodeTexture(contents, {
                ...chosen,
                ...(use.kind === "color" ? {} : { srgb: false }),
                ...alphaOf(chosen, use),
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

function ownTexture(encoded: ConstructorParameters<typeof BlockTexture>[0]): BlockTexture {
    return new BlockTexture(encoded, { flipY: false });
}

/** Alpha that is data must not weight the colours of mip levels, as straight alpha does. */
function alphaOf({ format }: GltfEncoding, { kind, hasAlpha }: TextureUse): Pick<TextureOptions, "alpha"> {
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
