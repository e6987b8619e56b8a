//! Reading of bit planes from words at any bit.

use crate::simd::Bits;

/// Returns 64 bits from `position` on.
#[inline(always)]
pub(super) fn word(bytes: &[u8], position: usize) -> Option<u64> {
    let at = position / 8;
    let window = bytes.get(at..at + 9)?;
    let low = u64::from_le_bytes(window[..8].try_into().ok()?) >> (position % 8);
    Some(low | (u64::from(window[8]) << 1) << (63 - position % 8))
}

/// Reads the bit planes of 64 values, of which `coded` have codes, leaves their quotients in `quotients`, and
/// returns where the bit planes end.
#[inline(always)]
pub(super) fn bit_planes<B: Bits>(
    bits: B,
    bytes: &[u8],
    mut position: usize,
    coded: u64,
    rice_levels: &[u32; 8],
    cap: u32,
    quotients: &mut [u8; 64],
) -> Option<usize> {
    let (mut active, mut half) = (0u64, 0u64);
    for (g, &rice_level) in rice_levels.iter().enumerate() {
        let group = 0xff << (8 * g);
        active |= if rice_level > 0 { group } else { 0 };
        half |= if rice_level > 0 && rice_level & 1 == 0 { group } else { 0 };
    }
    active &= coded;
    half &= active;
    let mut read = |mask: u64| {
        let bit_plane = bits.deposit(word(bytes, position)?, mask);
        position += mask.count_ones() as usize;
        Some(bit_plane)
    };
    let mut counts = bits.counts();
    let mut alive = if cap > 0 { read(active)? } else { 0 };
    bits.add(&mut counts, alive);
    if half != 0 {
        // Half a step: without ones, quotients 0 and 1 remain to be distinguished; each one counts from 2 on.
        let apart = read(half & !alive)?;
        bits.add(&mut counts, apart | half & alive);
    }
    for _ in 1..cap {
        if alive == 0 {
            break;
        }
        alive = read(alive)?;
        bits.add(&mut counts, alive);
    }
    *quotients = bits.to_bytes(counts);
    Some(position)
}
