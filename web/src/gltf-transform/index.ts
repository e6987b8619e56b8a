// A function for gltf-transform that compresses the images of a model at build time, with the native program.

import { type Document, Material, type Texture, type Transform } from "@gltf-transform/core";
import { type NativeOptions, type ProgramOptions, encodeNatively } from "../native/program.js";
import type { TextureUse } from "../three/uses.js";
import { DDS_MIME_TYPE, MSFTTextureDds } from "./extension.js";

export { MSFTTextureDds, TextureDds } from "./extension.js";
export type { NativeOptions } from "../native/program.js";
export type { TextureUse } from "../three/uses.js";

export interface BrickworkTransformOptions extends ProgramOptions {
    /**
     * Returns options of `brickwork encode` for an image by its use, or undefined to leave it alone. Default:
     * {@link modelEncoding}.
     */
    readonly encoding?: (use: TextureUse) => NativeOptions | undefined;
}

/** Returns options with all mip levels: BC5 for normal maps, else BC7. */
export function modelEncoding({ kind, hasAlpha }: TextureUse): NativeOptions {
    if (kind === "normal") return { format: "bc5", normal: true, mips: true };
    if (kind === "color") return { format: "bc7", srgb: true, mips: true };
    return { format: "bc7", mips: true, ...(hasAlpha ? { data: true } : { linear: true }) };
}

/**
 * Returns a transform that adds a DDS file to each image of a material (`MSFT_texture_dds`). The image remains
 * as the fallback. Left alone are images that are both colours and data, that have a size which is not a
 * multiple of 4, or whose file the program cannot read; each with a warning.
 */
export function brickwork(options: BrickworkTransformOptions = {}): Transform {
    const { encoding = modelEncoding } = options;
    return async (document: Document) => {
        const logger = document.getLogger();
        const extension = document.createExtension(MSFTTextureDds);
        for (const texture of document.getRoot().listTextures()) {
            const label = texture.getName() || texture.getURI() || "a texture";
            const image = texture.getImage();
            const use = useOf(document, texture);
            if (!image || !use || texture.getExtension(MSFTTextureDds.EXTENSION_NAME)) continue;
            if (use === "mixed") {
                logger.warn(`brickwork: ${label} has both colours and data; it stays as it is`);
                continue;
            }
            const chosen = encoding(use);
            if (!chosen) continue;
            try {
                const file = await encodeNatively(image, "dds", chosen, options);
                const [width, height] = [file.readUInt32LE(16), file.readUInt32LE(12)];
                if (width % 4 !== 0 || height % 4 !== 0) {
                    logger.warn(`brickwork: ${label}: ${width}×${height} texels are not multiples of 4`);
                    continue;
                }
                const dds = document
                    .createTexture(texture.getName())
                    .setURI(ddsName(texture.getURI()))
                    // `setURI` guesses another type.
                    .setMimeType(DDS_MIME_TYPE)
                    .setImage(new Uint8Array(file));
                texture.setExtension(
                    MSFTTextureDds.EXTENSION_NAME,
                    extension.createTextureDds().setDdsTexture(dds),
                );
            } catch (error) {
                // Without the program, nothing can work.
                if (error instanceof Error && error.cause) throw error;
                logger.warn(`brickwork: ${label}: ${error instanceof Error ? error.message : String(error)}`);
            }
        }
        if (extension.listProperties().length === 0) extension.dispose();
    };
}

function ddsName(uri: string): string {
    return uri && !uri.startsWith("data:") ? uri.replace(/(\.\w+)?$/, ".dds") : "";
}

/** Returns the use of a texture by materials. */
function useOf(document: Document, texture: Texture): TextureUse | "mixed" | undefined {
    const kinds = new Set<TextureUse["kind"]>();
    const slots = new Set<string>();
    let hasAlpha = false;
    for (const edge of document.getGraph().listParentEdges(texture)) {
        const parent = edge.getParent();
        const slot = edge.getName();
        if (!slot.endsWith("Texture") || slot === "ddsTexture") continue;
        const { isColor = false } = edge.getAttributes() as { isColor?: boolean };
        kinds.add(isColor ? "color" : /normalTexture$/i.test(slot) ? "normal" : "data");
        if (parent instanceof Material) {
            hasAlpha ||= slot === "baseColorTexture" && parent.getAlphaMode() !== "OPAQUE";
        } else {
            hasAlpha ||= slot === "sheenRoughnessTexture" || slot === "specularTexture";
        }
        slots.add(slot);
    }
    const [kind] = kinds;
    if (!kind) return undefined;
    return kinds.size > 1 ? "mixed" : { kind, hasAlpha, slots: [...slots] };
}
