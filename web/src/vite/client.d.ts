// Types of imports such as "./wood.png?brickwork&format=bc7". Use it as
// /// <reference types="@brickwork/web/vite/client" />
// TypeScript knows imports that end in "?brickwork&format=…" or "&brickwork": of several parameters,
// "brickwork" comes last ("./wood.png?format=bc7&quality=high&brickwork").

declare module "*?brickwork" {
    /** URL of the KTX2 file. */
    const url: string;
    export default url;
    /** URL of the image, for devices without block-compressed textures. */
    export const fallback: string;
    export const format: GPUTextureFormat;
    export const width: number;
    export const height: number;
    export const mipLevels: number;
}

declare module "*&brickwork" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=bc1" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=bc2" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=bc3" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=bc4" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=bc4s" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=bc5" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=bc5s" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=bc6h" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=bc6hs" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=bc7" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=etc2" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=etc2-a1" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=etc2-a8" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=eac-r11" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=eac-r11s" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=eac-rg11" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=eac-rg11s" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=astc" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=astc-4x4" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}

declare module "*?brickwork&format=auto" {
    export { default, fallback, format, width, height, mipLevels } from "*?brickwork";
}
