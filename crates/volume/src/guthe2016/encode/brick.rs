//! A brick of the transform whose values take the fewest bytes.

use super::{
    super::{brick::MORTON, transform::Transform},
    rbuc,
};

/// Appends the bytes of a brick to `out`.
pub(in super::super) fn encode_brick(ordinals: &[u32; 64], voxel_bytes: usize, out: &mut Vec<u8>) {
    let min = ordinals.iter().fold(u32::MAX, |min, &v| min.min(v));
    let max = ordinals.iter().fold(0, |max, &v| max.max(v));
    out.extend_from_slice(&min.to_le_bytes()[..voxel_bytes]);
    out.extend_from_slice(&max.to_le_bytes()[..voxel_bytes]);
    if min == max {
        return;
    }
    let (raw, range) = (ordinals.map(|v| i64::from(v - min)), i64::from(max - min));
    let mut best = (usize::MAX, Transform::SubtractMin, [0; 64]);
    for &transform in Transform::ALL {
        let codes = to_morton(&transform.forward(&raw, range));
        let byte_count = rbuc::byte_count(&codes);
        if byte_count < best.0 {
            best = (byte_count, transform, codes);
        }
    }
    rbuc::encode(&best.2, best.1 as u8, out);
}

fn to_morton(raster: &[u64; 64]) -> [u64; 64] {
    MORTON.map(|i| raster[i])
}
