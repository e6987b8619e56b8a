// Flags of WebGPU, by the specification's names and numbers: not every library of types has them. Defaults of
// textures.

export const BufferUsage = {
    MAP_READ: 0x1,
    COPY_SRC: 0x4,
    COPY_DST: 0x8,
    UNIFORM: 0x40,
    STORAGE: 0x80,
} as const;

export const TextureUsage = {
    COPY_SRC: 0x1,
    COPY_DST: 0x2,
    TEXTURE_BINDING: 0x4,
    RENDER_ATTACHMENT: 0x10,
} as const;

/** Usage of a texture for shaders and copies of it, besides `COPY_DST`. */
export const DEFAULT_USAGE = TextureUsage.TEXTURE_BINDING | TextureUsage.COPY_SRC;

export const DEFAULT_LABEL = "Brickwork";

export const FRAGMENT_STAGE = 0x2;

export const COMPUTE_STAGE = 0x4;

export const MAP_MODE_READ = 0x1;
