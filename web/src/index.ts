// Textures compressed on WebGPU, with the same bytes as the native encoder.

export {
    Brickwork,
    type BrickworkOptions,
    type EncodedTexture,
    type FileOptions,
    type TextureOptions,
    type UsageOptions,
} from "./brickwork.js";
export type { Pair } from "./areas.js";
export type { AutoFormat } from "./auto.js";
export type { AlphaMode, Container } from "./containers.js";
export { BrickworkError, type ErrorCode } from "./errors.js";
export { type BlockFormat, type FormatInfo, type Quality, blockFormats, formatInfo } from "./formats.js";
export type { EncodeOptions, MipFilter } from "./options.js";
export type { BufferTarget, RecordSource, Recorder, TextureTarget } from "./recorder.js";
export type { ImageSource, TexelData } from "./sources.js";
