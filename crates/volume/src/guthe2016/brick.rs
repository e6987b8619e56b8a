//! A brick: its minimum, its maximum, and the values of one transform in RBUC.

use super::{rbuc, transform::Transform};
use crate::Dims;

/// Voxels along each side of a brick.
pub(crate) const SIDE: usize = 4;

/// Upper bound of a brick's size in bytes: its minimum and maximum, and 64 codes of up to 35 bits in RBUC.
pub(crate) const MAX_BYTES: usize = 512;

/// Returns the ordinals of the brick whose bytes start `bytes`; `None` if they end too soon or no encoder
/// writes them.
pub(crate) fn decode_brick(bytes: &[u8], voxel_bytes: usize) -> Option<[u32; 64]> {
    let BrickParts { min, range, coded } = BrickParts::of(bytes, voxel_bytes)?;
    Some(decode_values(coded, range)?.map(|value| min + value))
}

/// The parts of a brick's bytes.
pub(crate) struct BrickParts<'a> {
    pub min: u32,
    /// The distance from the minimum to the maximum.
    pub range: u32,
    /// The transform, widths and codes; nothing if the range is 0.
    pub coded: &'a [u8],
}

impl<'a> BrickParts<'a> {
    /// Returns the parts of the brick whose bytes start `bytes`; `None` if they end too soon or no encoder
    /// writes them.
    pub fn of(bytes: &'a [u8], voxel_bytes: usize) -> Option<Self> {
        let (min, rest) = bytes.split_at_checked(voxel_bytes)?;
        let (max, rest) = rest.split_at_checked(voxel_bytes)?;
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
        let (min, max) = (number(min), number(max));
        let range = max.checked_sub(min)?;
        let byte_count = if range == 0 { 0 } else { rbuc::coded_bytes(rest)? };
        Some(Self { min, range, coded: rest.get(..byte_count)? })
    }
}

/// Returns the values of a brick of this range, without its minimum, from its transform, widths and codes.
/// Returns `None` in the same cases as [`decode_brick`]. Its twin is `decode_brick` in brick.wgsl.
pub(crate) fn decode_values(coded: &[u8], range: u32) -> Option<[u32; 64]> {
    if range == 0 {
        return Some([0; 64]);
    }
    let range = i64::from(range);
    let (codes, tag) = rbuc::decode(coded)?;
    let transform = *Transform::ALL.get(usize::from(tag))?;
    let raw = transform.inverse(&from_morton(&codes), range);
    if raw.iter().any(|v| !(0..=range).contains(v)) {
        return None;
    }
    Some(raw.map(|v| v as u32))
}

/// Returns the transform of a brick and its values in Morton order; zeros without a transform if all voxels
/// are equal. Returns `None` in the same cases as [`decode_brick`].
pub(super) fn coded_values(bytes: &[u8], voxel_bytes: usize) -> Option<(Option<Transform>, rbuc::Codes)> {
    let parts = BrickParts::of(bytes, voxel_bytes)?;
    if parts.range == 0 {
        return Some((None, [0; 64]));
    }
    let (codes, tag) = rbuc::decode(parts.coded)?;
    Some((Some(*Transform::ALL.get(usize::from(tag))?), codes))
}

/// The raster index of each place in Morton order: x in bits 0 and 3, y in 1 and 4, z in 2 and 5.
pub(super) const MORTON: [usize; 64] = {
    let mut table = [0; 64];
    let mut m = 0;
    while m < 64 {
        let x = (m & 1) | (m >> 2 & 2);
        let y = (m >> 1 & 1) | (m >> 3 & 2);
        let z = (m >> 2 & 1) | (m >> 4 & 2);
        table[m] = Dims::cube(SIDE).index(x, y, z);
        m += 1;
    }
    table
};

fn from_morton(codes: &[u64; 64]) -> [u64; 64] {
    let mut raster = [0; 64];
    for (code, i) in codes.iter().zip(MORTON) {
        raster[i] = *code;
    }
    raster
}
