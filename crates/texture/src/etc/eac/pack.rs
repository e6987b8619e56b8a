//! Packing of the best candidates into the bytes of blocks.

use super::{
    best::Best,
    values::{REACHES, Values},
};
use crate::{
    bc::batch::BATCH,
    simd::{Float, Int, Simd, each},
};

/// Blocks of a batch as big-endian words: the first words of all blocks, then the second ones.
pub(crate) type BatchBlocks = [[i32; BATCH]; 2];

/// Writes blocks from lane `first` on.
#[inline(always)]
pub(super) fn pack<S: Simd>(
    s: S,
    values: &Values<S>,
    best: &Best<S>,
    first: usize,
    blocks: &mut BatchBlocks,
) {
    let numbers = &values.numbers;
    let scale = numbers.scale(s, best.multiplier);
    let center = numbers.center(s, best.base, scale);
    let table = best.table.to_i().shl::<2>();
    let reach = each!(k in 4 => s.gather(&REACHES, table + s.i(k as i32)) * scale);
    let [bottom, top] = numbers.range;
    let above = each!(k in 4 => (center + reach[k]).min(top));
    let below = each!(k in 4 => (center - reach[k]).max(bottom));
    // Horner's rule: exact below 2²⁴.
    let mut halves = [s.f(0.0); 2];
    for place in 0..16 {
        let t = values.t[place % 4 * 4 + place / 4];
        let is_below = t.lt(center);
        let distance = each!(k in 4 => (t - above[k]).or_if(is_below, below[k] - t));
        let distance = each!(k in 4 => distance[k].max(s.f(0.0) - distance[k]));
        let [this_side, other_side] =
            [s.f(4.0).or_if(is_below, s.f(0.0)), s.f(0.0).or_if(is_below, s.f(4.0))];
        let mut index = this_side;
        let mut least = distance[0];
        for k in 1..4 {
            index = index.or_if(distance[k].lt(least), this_side + s.f(k as f32));
            least = least.min(distance[k]);
        }
        // A value clamped towards the center may be nearer, although it is on the other side.
        let other = (t - below[0]).or_if(is_below, above[0] - t);
        let index = index.or_if(other.lt(least), other_side);
        halves[place / 8] = halves[place / 8].mul_add(s.f(8.0), index);
    }
    let [high, low] = [halves[0].to_i(), halves[1].to_i()];
    let base = (best.base.to_i() & s.i(255)).shl::<24>();
    let head = base | best.multiplier.to_i().shl::<20>() | best.table.to_i().shl::<16>();
    (head | high.shr::<8>()).store(&mut blocks[0][first..]);
    (high.shl::<24>() | low).store(&mut blocks[1][first..]);
}
