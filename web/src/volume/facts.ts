// What is known of a volume, and what callers choose.

/** A mip level. */
export interface LevelFacts {
    /** Voxels along x, y and z. */
    readonly dims: readonly [number, number, number];
    /** Bytes of its first channel and frame: in a `.bwv` file as they are stored, else uncompressed. */
    readonly bytes: number;
}

/** A label of a segmentation. */
export interface LabelFacts {
    readonly layer: number;
    readonly value: number;
    readonly name: string;
    /** Red, green and blue, 0 to 255. */
    readonly color: readonly [number, number, number];
}

/** Facts of a file's header. */
export interface VolumeFacts {
    /** Format of the file, such as `bwv`, `nifti` or `zarr`. */
    readonly format: string;
    readonly dims: readonly [number, number, number];
    /** Type of a voxel's numbers, such as `u16`. */
    readonly voxelType: string;
    readonly kind: "intensities" | "labels";
    readonly channels: number;
    readonly channelNames: readonly string[] | null;
    readonly frames: number;
    /** Seconds between frames; 0 if unknown. */
    readonly frameSeconds: number;
    /** Distances of voxels in millimetres. */
    readonly spacing: readonly [number, number, number];
    /** Centre of the first voxel. */
    readonly origin: readonly [number, number, number];
    /** Directions of x, y and z, one after the other. */
    readonly directions: readonly number[];
    /** True if the directions of a patient are known. */
    readonly isAnatomical: boolean;
    /** Mip levels, the volume itself first. */
    readonly levels: readonly LevelFacts[];
    /**
     * Conversion of stored numbers to physical values; null if it is unknown or differs between slices. In
     * the second case, renderings and slices have physical values.
     */
    readonly rescale: { readonly slope: number; readonly intercept: number } | null;
    /** Unit of physical values. */
    readonly unit: string | null;
    readonly labels: readonly LabelFacts[];
    /** Facts that users should know although nothing failed. */
    readonly notes: readonly string[];
    /** Facts of an image of OME-Zarr. */
    readonly zarr?: ZarrFacts;
}

/** Facts of an image of OME-Zarr. */
export interface ZarrFacts {
    /** Path of the image in the hierarchy. */
    readonly path: string;
    /** Version of OME-NGFF; null for an array of Zarr without a group. */
    readonly version: string | null;
    readonly zarrVersion: 2 | 3;
    /** Looks that OMERO's metadata state, which are the first looks of channels. */
    readonly channelLooks: readonly ChannelLook[];
    /** Paths of labels of the image, which the option `path` opens. */
    readonly labelPaths: readonly string[];
}

/** Look of a channel by OMERO's metadata. */
export interface ChannelLook {
    readonly name: string | null;
    /** Stored numbers that are black and in full colour. */
    readonly window: readonly [number, number] | null;
    /** Red, green and blue, 0 to 1. */
    readonly color: readonly [number, number, number] | null;
    readonly isInverted: boolean;
    readonly isActive: boolean;
}

/** How the file was read. */
export interface ReadFacts {
    /** Requests so far: of a URL or, of a Blob, slices. */
    readonly requests: number;
    readonly bytes: number;
    /** True if the server ignored the range, so that the whole file was read. */
    readonly isWhole: boolean;
}

/** Rule that combines the samples along a ray. */
export type RenderMode = "dvr" | "mip" | "iso" | "labels";

/** A look. Absent fields have values that suit the volume. */
export interface LookOptions {
    readonly mode?: RenderMode;
    /** Name of a transfer function: one of {@link PartFacts.presets}. */
    readonly preset?: string;
    /** Transfer function: value, red, green, blue (0 to 1) and opacity per unit of length, by value. */
    readonly points?: readonly (readonly [number, number, number, number, number])[];
    /** Values that the transfer function covers. */
    readonly window?: readonly [number, number];
    /** Value of the isosurface. */
    readonly iso?: number;
    /** Red, green and blue, 0 to 1. */
    readonly isoColor?: readonly [number, number, number];
    /** True if `points`, `window` and `iso` are stored numbers. Default: physical values. */
    readonly storedValues?: boolean;
    /** Labels from 0 to 65535 that are invisible. */
    readonly hiddenLabels?: readonly number[];
    /** Red, green, blue and alpha, 0 to 1. */
    readonly background?: readonly [number, number, number, number];
}

/** The look that was chosen. */
export interface LookFacts {
    readonly mode: RenderMode;
    /** Preset, if the transfer function is one. */
    readonly preset: string | null;
    /** Value of the isosurface. */
    readonly iso: number | null;
    readonly background: readonly [number, number, number, number];
    /** Default camera, in degrees. */
    readonly camera: { readonly azimuth: number; readonly elevation: number };
}

/** A camera. Absent fields have the defaults of the look. */
export interface CameraOptions {
    /** Angle around the vertical axis in degrees. */
    readonly azimuth?: number;
    /** Angle above the horizon in degrees. */
    readonly elevation?: number;
    /** Rotation about the camera's own axis in degrees, clockwise. */
    readonly roll?: number;
    /** At 1 the volume fills the picture. */
    readonly zoom?: number;
    readonly orthographic?: boolean;
    /** Degrees from the lower to the upper edge, 1 to 150. Default: 30. */
    readonly fieldOfView?: number;
    readonly up?: "x" | "-x" | "y" | "-y" | "z" | "-z";
    /** Distance of samples in units of the smallest distance of voxels, 1/64 to 16. Default: 0.5. */
    readonly step?: number;
    /** True if the distance is the same for every azimuth. Default: false. */
    readonly orbiting?: boolean;
}

/** A part of the file that is rendered. */
export interface PartOptions {
    /** Mip level. Default: the largest that `maxBytes` allows, or on demand 0. */
    readonly level?: number;
    readonly frame?: number;
    readonly channel?: number;
    /** Takes the voxels as labels. Default: false, the kind that the file states. */
    readonly labels?: boolean;
    /**
     * Reads chunks of the mip level when rays need them, and not all of it first. A smaller mip level, which
     * is read as a whole, decides on presets. The file is an OME-Zarr, or a `.bwv` file with bricks of 4×4×4 or
     * 8×8×8 voxels, and its numbers have at most 32 bits. Needs WebGPU. Default: false.
     */
    readonly onDemand?: boolean;
}

/** Sizes of a part in memory. */
export interface PartFacts {
    readonly dims: readonly [number, number, number];
    readonly spacing: readonly [number, number, number];
    /** Bytes of the compressed voxels with their index; of a part on demand, those of the index. */
    readonly residentBytes: number;
    /** True if chunks are read when rays need them. */
    readonly isOnDemand: boolean;
    readonly presets: readonly string[];
    readonly look: LookFacts;
    /** @internal */
    readonly pages: readonly number[];
    /** @internal */
    readonly buffers: readonly (readonly number[])[];
    /** @internal */
    readonly boundBuffers: number;
    /** @internal */
    readonly slots: { readonly buffers: number; readonly bufferBytes: number; readonly count: number } | null;
}

/** A box of voxels: from and to along x, y and z. */
export type Region = readonly [number, number, number, number, number, number];

export interface ReadOptions extends Omit<PartOptions, "labels" | "onDemand"> {
    /** Default: all voxels of the mip level. */
    readonly region?: Region;
    /** Channels side by side. Default: false. */
    readonly allChannels?: boolean;
}

export interface SliceOptions {
    /** Mip level of the file, of which only the chunks of the slice are read. Default: the loaded part. */
    readonly level?: number;
    /** With `level`. Default: 0. */
    readonly frame?: number;
    /** With `level`. Default: 0. */
    readonly channel?: number;
    /** Axis of the volume, or of the patient. Default: `z`. */
    readonly axis?: "x" | "y" | "z" | "axial" | "coronal" | "sagittal";
    /** Default: the middle slice. */
    readonly index?: number;
    /** Stored numbers that are black and white. Default: those that suit the loaded part. */
    readonly window?: readonly [number, number];
}

/** A slice as an image. */
export interface SliceImage {
    readonly width: number;
    readonly height: number;
    readonly index: number;
    /** Number of slices along the axis. */
    readonly count: number;
    /** Distances of voxels to the right and down. */
    readonly spacing: readonly [number, number];
    /** Red, green, blue and alpha, row by row. */
    readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** Cost of a rendering. */
export interface RenderStatistics {
    readonly samples: number;
    /** Requests of bricks, by samples and bricks. */
    readonly brickLookups: number;
    /** Requests that waited for a brick. */
    readonly misses: number;
    /** Bricks decoded. */
    readonly brickReads: number;
}

/** A rendering in memory. */
export interface Rendering {
    readonly width: number;
    readonly height: number;
    /** Red, green, blue and straight alpha, row by row. */
    readonly pixels: Uint8ClampedArray<ArrayBuffer>;
    /** Null if they were not requested, or if the CPU rendered. */
    readonly statistics: RenderStatistics | null;
}

/** Stage of loading: bytes are read, voxels decoded, bricks prepared, or values counted. */
export type LoadStage = "reading" | "decoding" | "preparing" | "analyzing";
