// Mip levels of textures.

/** Returns the number and size of each mip level, in whole blocks for compressed textures. */
export function textureLevels({
    format,
    mipLevelCount,
    width,
    height,
}: GPUTexture): [mipLevel: number, size: [number, number]][] {
    const block = /^(bc|etc2|eac|astc)/.test(format) ? 4 : 1;
    const side = (length: number, level: number) => block * Math.ceil(Math.max(1, length >> level) / block);
    return Array.from({ length: mipLevelCount }, (_, level) => [
        level,
        [side(width, level), side(height, level)],
    ]);
}
