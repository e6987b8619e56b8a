//! Samples of decoders as voxels.

use brickwork_volume::VoxelType;

/// Stores a sample of `precision` bits, which may have a sign, as number `place` of a voxel.
pub fn put(sample: i32, precision: u32, voxel_type: VoxelType, voxel: &mut [u8], place: usize) {
    let is_signed = matches!(voxel_type, VoxelType::I8 | VoxelType::I16);
    let unused = 32 - precision;
    let number = if is_signed { sample << unused >> unused } else { sample };
    let byte_count = voxel_type.byte_count();
    voxel[place * byte_count..][..byte_count].copy_from_slice(&number.to_le_bytes()[..byte_count]);
}
