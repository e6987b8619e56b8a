// Encoders of the CPU, for devices without WebGPU. Nothing else of the package imports them.

export {
    CpuEncoder,
    type CpuOptions,
    type CpuSource,
    type CpuTextureOptions,
    type DecodeOptions,
    type DecodeTextureOptions,
} from "./encoder.js";
export type { EncodedTexture, UsageOptions } from "../brickwork.js";
export { BrickworkError, type ErrorCode } from "../errors.js";
export { type BlockFormat, type FormatInfo, type Quality, blockFormats, formatInfo } from "../formats.js";
export type { EncodeOptions, MipFilter } from "../options.js";
export type { TexelData } from "../sources.js";
