// The glTF extensions for files with blocks beside an image: DDS, or KTX2 with ASTC.
// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Vendor/MSFT_texture_dds
// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Vendor/EXT_texture_astc

import {
    Extension,
    ExtensionProperty,
    PropertyType,
    type ReaderContext,
    type Texture,
    type WriterContext,
} from "@gltf-transform/core";

interface TextureDef {
    source?: number;
    extensions?: Record<string, { source?: number } | undefined>;
}

/** Property of a texture: the same image as a file with blocks. */
export class TextureFile extends ExtensionProperty<{
    name: string;
    extras: Record<string, unknown>;
    file: Texture;
}> {
    declare extensionName: string;
    declare propertyType: "TextureFile";
    declare parentTypes: [PropertyType.TEXTURE];

    protected override init(): void {
        this.extensionName = (this.constructor as typeof TextureFile).EXTENSION_NAME;
        this.propertyType = "TextureFile";
        this.parentTypes = [PropertyType.TEXTURE];
    }

    protected override getDefaults() {
        return Object.assign(super.getDefaults() as object, { file: null }) as never;
    }

    /** Returns the texture with the file. */
    getFile(): Texture | null {
        return this.getRef("file");
    }

    /** Sets the texture with the file. */
    setFile(texture: Texture | null): this {
        return this.setRef("file", texture);
    }
}

class TextureDds extends TextureFile {
    static override EXTENSION_NAME = "MSFT_texture_dds";
}

class TextureAstc extends TextureFile {
    static override EXTENSION_NAME = "EXT_texture_astc";
}

/** An extension, to register with an `IO` object of gltf-transform. */
export abstract class FileExtension extends Extension {
    abstract readonly mimeType: string;

    /** Creates a property to attach to a texture. */
    abstract createFile(): TextureFile;

    override read(context: ReaderContext): this {
        const name = this.extensionName;
        for (const definition of (context.jsonDoc.json.textures ?? []) as TextureDef[]) {
            const texture = context.textures[definition.source ?? -1];
            const file = context.textures[definition.extensions?.[name]?.source ?? -1];
            if (!texture || !file || texture.getExtension(name)) continue;
            file.setMimeType(this.mimeType);
            texture.setExtension(name, this.createFile().setFile(file));
        }
        return this;
    }

    override write(context: WriterContext): this {
        const name = this.extensionName;
        const definitions = (context.jsonDoc.json.textures ?? []) as TextureDef[];
        for (const [texture, source] of context.imageIndexMap) {
            const file = texture.getExtension<TextureFile>(name)?.getFile();
            const fileSource = file ? context.imageIndexMap.get(file) : undefined;
            if (fileSource === undefined) continue;
            for (const definition of definitions.filter((other) => other.source === source)) {
                definition.extensions = { ...definition.extensions, [name]: { source: fileSource } };
            }
        }
        return this;
    }
}

/** The extension for DDS files. */
export class MSFTTextureDds extends FileExtension {
    static override readonly EXTENSION_NAME = TextureDds.EXTENSION_NAME;
    override readonly extensionName: string = TextureDds.EXTENSION_NAME;
    override readonly mimeType: string = "image/vnd-ms.dds";

    override createFile(): TextureFile {
        return new TextureDds(this.document.getGraph());
    }
}

/** The extension for KTX2 files with ASTC. */
export class EXTTextureAstc extends FileExtension {
    static override readonly EXTENSION_NAME = TextureAstc.EXTENSION_NAME;
    override readonly extensionName: string = TextureAstc.EXTENSION_NAME;
    override readonly mimeType: string = "image/ktx2";

    override createFile(): TextureFile {
        return new TextureAstc(this.document.getGraph());
    }
}
