// The glTF extension MSFT_texture_dds: a DDS file beside an image.
// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Vendor/MSFT_texture_dds

import {
    Extension,
    ExtensionProperty,
    PropertyType,
    type ReaderContext,
    type Texture,
    type WriterContext,
} from "@gltf-transform/core";

const NAME = "MSFT_texture_dds";

export const DDS_MIME_TYPE = "image/vnd-ms.dds";

interface TextureDef {
    source?: number;
    extensions?: Record<string, { source?: number } | undefined>;
}

/** Property of a texture: the same image as a DDS file. */
export class TextureDds extends ExtensionProperty<{
    name: string;
    extras: Record<string, unknown>;
    ddsTexture: Texture;
}> {
    static override EXTENSION_NAME = NAME;
    declare extensionName: typeof NAME;
    declare propertyType: "TextureDds";
    declare parentTypes: [PropertyType.TEXTURE];

    protected override init(): void {
        this.extensionName = NAME;
        this.propertyType = "TextureDds";
        this.parentTypes = [PropertyType.TEXTURE];
    }

    protected override getDefaults() {
        return Object.assign(super.getDefaults() as object, { ddsTexture: null }) as never;
    }

    /** Returns the texture with the DDS file. */
    getDdsTexture(): Texture | null {
        return this.getRef("ddsTexture");
    }

    /** Sets the texture with the DDS file. */
    setDdsTexture(texture: Texture | null): this {
        return this.setRef("ddsTexture", texture);
    }
}

/** The extension, to register with an `IO` object of gltf-transform. */
export class MSFTTextureDds extends Extension {
    static override readonly EXTENSION_NAME = NAME;
    override readonly extensionName = NAME;

    /** Creates a property to attach to a texture. */
    createTextureDds(): TextureDds {
        return new TextureDds(this.document.getGraph());
    }

    override read(context: ReaderContext): this {
        for (const definition of (context.jsonDoc.json.textures ?? []) as TextureDef[]) {
            const texture = context.textures[definition.source ?? -1];
            const dds = context.textures[definition.extensions?.[NAME]?.source ?? -1];
            if (!texture || !dds || texture.getExtension(NAME)) continue;
            dds.setMimeType(DDS_MIME_TYPE);
            texture.setExtension(NAME, this.createTextureDds().setDdsTexture(dds));
        }
        return this;
    }

    override write(context: WriterContext): this {
        const definitions = (context.jsonDoc.json.textures ?? []) as TextureDef[];
        for (const [texture, source] of context.imageIndexMap) {
            const dds = texture.getExtension<TextureDds>(NAME)?.getDdsTexture();
            const ddsSource = dds ? context.imageIndexMap.get(dds) : undefined;
            if (ddsSource === undefined) continue;
            for (const definition of definitions.filter((other) => other.source === source)) {
                definition.extensions = { ...definition.extensions, [NAME]: { source: ddsSource } };
            }
        }
        return this;
    }
}
