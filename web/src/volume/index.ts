// Volumes rendered on WebGPU by the native ray casters.

export { BrickworkError, type ErrorCode } from "../errors.js";
export type {
    CameraOptions,
    ChannelLook,
    LabelFacts,
    LevelFacts,
    LoadStage,
    LookFacts,
    LookOptions,
    PartFacts,
    PartOptions,
    ReadFacts,
    ReadOptions,
    Region,
    RenderMode,
    RenderStatistics,
    Rendering,
    SliceImage,
    SliceOptions,
    VolumeFacts,
    ZarrFacts,
} from "./facts.js";
export { Orbit, type OrbitOptions } from "./orbit.js";
export type { VolumeTarget } from "./presenter.js";
export { type DrawOptions, type RenderOptions, type VolumeOptions, VolumeView } from "./view.js";
export type { VolumeSource } from "./zarr-source.js";
