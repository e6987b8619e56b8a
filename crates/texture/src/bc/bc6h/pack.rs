//! Endpoints and indices to the bytes of a block.

use super::modes::MODES;
use crate::bc::bc7::partitions::TWO_ANCHORS;

/// Returns a block of the mode at a place in `MODES`. Bits past those of `codes` are ignored. Indices have
/// four bits each; those of anchors lack the highest bit that the mode has.
pub(super) fn packed(index: usize, partition: usize, codes: &[[i32; 3]; 4], indices: u64) -> [u8; 16] {
    let mode = &MODES[index];
    let mut block = u128::from(mode.prefix);
    let mut at = mode.prefix_bits;
    let mut put = |value: u64, count: u32| {
        block |= u128::from(value & ((1 << count) - 1)) << at;
        at += count;
    };
    for field in mode.fields {
        let code = codes[field.endpoint][field.channel];
        let base = codes[0][field.channel];
        let stored = if mode.has_deltas && field.endpoint > 0 { code - base } else { code };
        put((stored >> field.first) as u32 as u64, field.count);
    }
    if mode.subsets == 1 {
        put(indices & 7, 3);
        put(indices >> 4, 60);
    } else {
        put(partition as u64, 5);
        let anchor = u32::from(TWO_ANCHORS[partition]);
        for t in 0..16 {
            put(indices >> (4 * t) & 7, if t == 0 || t == anchor { 2 } else { 3 });
        }
    }
    debug_assert_eq!(at, 128);
    block.to_le_bytes()
}
