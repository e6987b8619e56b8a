// The uses of a glTF file's images.

/** Use of an image by the materials of a model. */
export interface TextureUse {
    /** `color`: sRGB; `normal`: a normal map; `data`: other numbers, such as roughness. */
    readonly kind: "color" | "normal" | "data";
    /** True if a material reads alpha. */
    readonly hasAlpha: boolean;
    /** Names of the materials' properties, such as `baseColorTexture`. */
    readonly slots: readonly string[];
}

/** The part of a glTF file that is read here. */
export interface GltfJson {
    readonly textures?: readonly GltfTexture[];
    readonly materials?: readonly object[];
}

export interface GltfTexture {
    readonly source?: number;
    readonly extensions?: Readonly<Record<string, { readonly source?: number }>>;
}

/** Properties with sRGB colours: glTF 2.0, section 5.19, and Khronos's extensions. */
const COLORS = new Set([
    "baseColorTexture",
    "emissiveTexture",
    "sheenColorTexture",
    "specularColorTexture",
    "diffuseTransmissionColorTexture",
    "multiscatterColorTexture",
]);

/** Properties whose alpha is a number of its own. */
const ALPHA_DATA = new Set(["sheenRoughnessTexture", "specularTexture"]);

/** Extensions whose image replaces `source`, and that browsers can read. */
const IMAGE_EXTENSIONS = ["EXT_texture_avif", "EXT_texture_webp"];

/** Returns the number of the image that browsers can read, if there is one. */
export function imageOf(texture: GltfTexture | undefined): number | undefined {
    for (const name of IMAGE_EXTENSIONS) {
        const source = texture?.extensions?.[name]?.source;
        if (source !== undefined) return source;
    }
    return texture?.source;
}

/**
 * Returns the use of each image that materials use in one way. Images that are both colours and data are left
 * out.
 */
export function usesOf({ textures = [], materials = [] }: GltfJson): Map<number, TextureUse> {
    const found = new Map<
        number,
        { kinds: Set<TextureUse["kind"]>; hasAlpha: boolean; slots: Set<string> }
    >();
    for (const material of materials) {
        const isOpaque = ((material as { alphaMode?: string }).alphaMode ?? "OPAQUE") === "OPAQUE";
        for (const [slot, index] of textureSlots(material)) {
            const image = imageOf(textures[index]);
            if (image === undefined) continue;
            const use = found.get(image) ?? { kinds: new Set(), hasAlpha: false, slots: new Set() };
            use.kinds.add(COLORS.has(slot) ? "color" : /normalTexture$/i.test(slot) ? "normal" : "data");
            use.hasAlpha ||= ALPHA_DATA.has(slot) || (slot === "baseColorTexture" && !isOpaque);
            use.slots.add(slot);
            found.set(image, use);
        }
    }
    const uses = new Map<number, TextureUse>();
    for (const [image, { kinds, hasAlpha, slots }] of found) {
        const [kind] = kinds;
        if (kind && kinds.size === 1) uses.set(image, { kind, hasAlpha, slots: [...slots] });
    }
    return uses;
}

/** Yields the properties of a material, and of its extensions, that name textures. */
function* textureSlots(node: object): Generator<[slot: string, texture: number]> {
    for (const [key, value] of Object.entries(node) as [string, unknown][]) {
        if (typeof value !== "object" || value === null) continue;
        const { index } = value as { index?: unknown };
        if (key.endsWith("Texture") && typeof index === "number") yield [key, index];
        else yield* textureSlots(value);
    }
}
