// Flags of WebGPU, by the specification's names and numbers: not every library of types has them.

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

export const FRAGMENT_STAGE = 0x2;

export const COMPUTE_STAGE = 0x4;

export const MAP_MODE_READ = 0x1;
