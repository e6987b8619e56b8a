// Types of the generated data: what a host needs to run a chain of kernels.

/** WGSL by name. A kernel is several of them, joined. */
export type Parts = Readonly<Record<string, string>>;

/** Words of a kernel's parameters: numbers, and names of fields that the host fills in. */
export type Template = readonly (number | string)[];

/**
 * 32-bit words; differences of successive words modulo 2³², the first from 0; or 0 and then the single floats
 * dividend / (divisor · n) for n from 1 to count − 1.
 */
export type TablePart =
    | { readonly words: readonly number[] }
    | { readonly differences: readonly number[] }
    | { readonly quotients: readonly [dividend: number, divisor: number, count: number] };

/** 32-bit words in parts. */
export type Table = readonly TablePart[];

/** Type of one binding of bind group 0. */
export type Binding =
    "uniform" | "read" | "write" | "texture" | "texture3d" | "storeTwoWords" | "storeFourWords";

export interface KernelData {
    readonly name: string;
    readonly bindings: readonly Binding[];
    /** Names of the parts, in order. */
    readonly parts: readonly string[];
    /** True if the WGSL needs `enable subgroups;`. */
    readonly subgroups?: boolean;
}

/** Resource at a binding. `scratch:0` is the first buffer between kernels, `table:0` the first table. */
export type Bind = "params" | "texels" | "blocks" | `scratch:${number}` | `table:${number}`;

export interface WorkData {
    /** Parts into which each block's work is divided; 0 if there is nothing to do. */
    readonly parts: number;
    /** Position in `FormatData.params`. */
    readonly params: number;
}

export interface StepData {
    /** Position in `FormatData.kernels`. */
    readonly kernel: number;
    readonly overrides: Readonly<Record<string, number>>;
    readonly binds: readonly Bind[];
    readonly partsPerWorkgroup: number;
    /** Maximum number of blocks in one dispatch. */
    readonly blocksPerDispatch: number;
    /** One entry, or one for each case: 1 if a block is partly outside, plus 2 if texels have alpha. */
    readonly works: readonly WorkData[];
}

export interface ChainData {
    /** Bytes per block of each buffer between kernels. */
    readonly scratch: readonly number[];
    /** Blocks in the first band on a software adapter. Hardware takes eight times as many. */
    readonly firstBandBlocks: number;
    /** Maximum number of blocks in one submission. */
    readonly mostBlocks: number;
    readonly steps: readonly StepData[];
}

/** A kernel that loads texels, block by block. */
export interface LoadData {
    readonly kernel: KernelData;
    readonly params: Template;
}

/** Block formats that share kernels. */
export interface FormatData {
    readonly parts: readonly Parts[];
    readonly tables: readonly Table[];
    /** Loads from a texture. `texels` is the form in which the chain takes texels. */
    readonly load: LoadData & { readonly texels: "rgba8unorm" | "rgba16float" };
    readonly kernels: readonly KernelData[];
    readonly params: readonly Template[];
    /** Chains by format and quality. Those of `astc-4x4 srgb` are for sRGB textures. */
    readonly chains: Readonly<Record<string, Readonly<Record<string, ChainData>>>>;
}

/** Ray casters of volumes. */
export interface CasterData {
    readonly parts: readonly Parts[];
    /** Kernels by mode, then by the number of bound buffers of pages: `1`, `2`, `4`, or `pool`. */
    readonly kernels: Readonly<Record<string, Readonly<Record<string, KernelData>>>>;
}

/** Mip levels by the box filter. */
export interface MipData {
    readonly parts: readonly Parts[];
    /** Loads from a buffer. */
    readonly load: LoadData;
    /** Kernels of levels. If there are two, the first one suffices up to a sum of weights of 257. */
    readonly kernels: readonly KernelData[];
    readonly params: Template;
    /** Light of 8-bit values by colour space. */
    readonly tables?: Readonly<Record<"linear" | "srgb", Table>>;
}

/** Mip levels by other filters than the box. */
export interface FilterData {
    readonly parts: readonly Parts[];
    readonly kernels: readonly [sumsAlongRows: KernelData, texels: KernelData];
    readonly params: Template;
}

/** Changes of normal maps, in place. */
export interface NormalData {
    readonly parts: readonly Parts[];
    readonly kernels: readonly [unitLength: KernelData, blue: KernelData, z: KernelData];
    readonly params: Template;
}

export interface ContainerEntry {
    /** Words before the blocks of a DDS file with one mip level, if DDS has the format. */
    readonly dds?: Template;
    readonly ddsWithMips?: Template;
    readonly vkFormat: number;
    /** Sections of a KTX2 file, in Base64. */
    readonly descriptor: string;
    readonly keyValues: string;
}

/** Entries by format, and by colour space and alpha mode, such as `srgb straight`. */
export type ContainerData = Readonly<Record<string, Readonly<Record<string, ContainerEntry>>>>;
