// The package `@brickwork/zarr-codec`: the decoder of the codec `brickwork`, for readers of Zarr that have a
// registry of codecs.

export { BrickworkError, type ErrorCode } from "../errors.js";
export {
    type Chunk,
    type ChunkMetadata,
    type Codec,
    type CodecEntry,
    type CodecOptions,
    type Numbers,
    type Registry,
    codec,
    register,
} from "./codec.js";
export type { ModuleSource } from "./module.js";
