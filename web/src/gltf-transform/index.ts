// A function for gltf-transform that compresses the images of a model at build time, with the native program.

import { type Document, Material, type Texture, type Transform } from "@gltf-transform/core";
import { type NativeOptions, type ProgramOptions, encodeNatively } from "../native/program.js";
import type { TextureUse } from "../three/uses.js";
import { EXTTextureAstc, MSFTTextureDds } from "./extension.js";

export { EXTTextureAstc, MSFTTextureDds, TextureFile } from "./extension.js";
export type { NativeOptions } from "../native/program.js";
export type { TextureUse } from "../three/uses.js";

/** Formats of desktop GPUs, in DDS files, or of phones, in KTX2 files. */
export type Family = "bc" | "astc";

export interface BrickworkTransformOptions extends ProgramOptions {
    /** Formats of the files. Call {@link brickwork} twice for both. Default: `bc`. */
    readonly family?: Family;
    /**
     * Returns options of `brickwork encode` for an image by its use, or undefined to leave it alone. Default:
     * {@link modelEncoding}.
     */
    readonly encoding?: (use: TextureUse, family: Family) => NativeOptions | undefined;
}

/** Returns options with all mip levels: BC5 for normal maps and else BC7, or ASTC. */
export function modelEncoding({ kind, hasAlpha }: TextureUse, family: Family = "bc"): NativeOptions {
    const format = family === "astc" ? "astc-4x4" : kind === "normal" ? "bc5" : "bc7";
    if (kind === "normal") return { format, normal: true, mips: true };
    if (kind === "color") return { format, srgb: true, mips: true };
    return { format, mips: true, ...(hasAlpha ? { data: true } : { linear: true }) };
}

/** Container of each family, and the position of width and height in its header. */
const FAMILIES = {
    bc: { extension: MSFTTextureDds, container: "dds", sizeAt: [16, 12] },
    astc: { extension: EXTTextureAstc, container: "ktx2", sizeAt: [20, 24] },
} as const;

/**
 * Returns a transform that adds a file with blocks to each image of a material: DDS (`MSFT_texture_dds`), or
 * KTX2 with ASTC (`EXT_texture_astc`). The image remains as the fallback. Left alone are images that are both
 * colours and data, that have a size which is not a multiple of 4, or whose file the program cannot read;
 * each with a warning.
 */
export function brickwork(options: BrickworkTransformOptions = {}): Transform {
    const { encoding = modelEncoding, family = "bc" } = options;
    const { extension: Extension, container, sizeAt } = FAMILIES[family];
    return async (document: Document) => {
        const logger = document.getLogger();
        const extension = document.createExtension(Extension);
        for (const texture of document.getRoot().listTextures()) {
            const label = texture.getName() || texture.getURI() || "a texture";
            const image = texture.getImage();
            const use = useOf(document, texture);
            if (!image || !use || texture.getExtension(Extension.EXTENSION_NAME)) continue;
            if (use === "mixed") {
                logger.warn(`brickwork: ${label} has both colours and data; it stays as it is`);
                continue;
            }
            const chosen = encoding(use, family);
            if (!chosen) continue;
            try {
                const file = await encodeNatively(image, container, chosen, options);
                const size = sizeAt.map((at) => file.readUInt32LE(at));
                if (size.some((side) => side % 4 !== 0)) {
                    logger.warn(`brickwork: ${label}: ${size.join("×")} texels are not multiples of 4`);
                    continue;
                }
                const blocks = document
                    .createTexture(texture.getName())
                    .setURI(fileName(texture.getURI(), container))
                    // `setURI` guesses another type.
                    .setMimeType(extension.mimeType)
                    .setImage(new Uint8Array(file));
                texture.setExtension(Extension.EXTENSION_NAME, extension.createFile().setFile(blocks));
            } catch (error) {
                // Without the program, nothing can work.
                if (error instanceof Error && error.cause) throw error;
                logger.warn(`brickwork: ${label}: ${error instanceof Error ? error.message : String(error)}`);
            }
        }
        if (extension.listProperties().length === 0) extension.dispose();
    };
}

function fileName(uri: string, extension: string): string {
    return uri && !uri.startsWith("data:") ? uri.replace(/(\.\w+)?$/, `.${extension}`) : "";
}

/** Returns the use of a texture by materials. */
function useOf(document: Document, texture: Texture): TextureUse | "mixed" | undefined {
    const kinds = new Set<TextureUse["kind"]>();
    const slots = new Set<string>();
    let hasAlpha = false;
    for (const edge of document.getGraph().listParentEdges(texture)) {
        const parent = edge.getParent();
        const slot = edge.getName();
        if (!slot.endsWith("Texture")) continue;
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
