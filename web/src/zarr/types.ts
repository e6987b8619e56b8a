// Types of numbers.

import type { NumberBytes } from "./boxes.js";

/** Type of an array's numbers. */
export interface NumberType {
    /** Name in Zarr 3. */
    readonly name: string;
    readonly bytes: NumberBytes;
    readonly kind: "unsigned" | "signed" | "float";
    /** Type of voxels that hold them: that of the number, or the next larger one. */
    readonly voxelType: string;
    /** Number of the type in `VoxelType::ALL` of the volume crate; undefined if it has none. */
    readonly code?: number;
}

export const TYPES: readonly NumberType[] = [
    { name: "uint8", bytes: 1, kind: "unsigned", voxelType: "u8", code: 0 },
    { name: "int8", bytes: 1, kind: "signed", voxelType: "i8", code: 1 },
    { name: "uint16", bytes: 2, kind: "unsigned", voxelType: "u16", code: 2 },
    { name: "int16", bytes: 2, kind: "signed", voxelType: "i16", code: 3 },
    { name: "uint32", bytes: 4, kind: "unsigned", voxelType: "u32", code: 4 },
    { name: "int32", bytes: 4, kind: "signed", voxelType: "i32", code: 5 },
    { name: "float32", bytes: 4, kind: "float", voxelType: "f32", code: 6 },
    { name: "uint64", bytes: 8, kind: "unsigned", voxelType: "u64", code: 7 },
    { name: "int64", bytes: 8, kind: "signed", voxelType: "i64", code: 8 },
    { name: "float64", bytes: 8, kind: "float", voxelType: "f64", code: 9 },
    { name: "bool", bytes: 1, kind: "unsigned", voxelType: "u8" },
    { name: "float16", bytes: 2, kind: "float", voxelType: "f32", code: 10 },
];

/** Allowance for data that compression makes larger: twice the numbers' bytes, and this many more. */
const OVERHEAD_BYTES = 1 << 16;

/** Returns the largest size of a stored chunk that is allowed. */
export function maxStored(numbers: number, type: NumberType): number {
    return 2 * numbers * type.bytes + OVERHEAD_BYTES;
}
