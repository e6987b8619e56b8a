//! Packing of the best encodings into the bytes of blocks.

use super::{
    best::Best,
    fit::{Values, is_upper},
    line::{Line, RuleLanes},
    palette::{EIGHT_VALUES, SIX_VALUES, ValueRule},
};
use crate::{
    bc::{batch::BATCH, real_time::eight_indices},
    simd::{Float, Int, Mask as _, Simd},
};

/// Blocks of a batch, as words: the lower halves of all blocks, then the upper halves.
pub(crate) type BatchBlocks = [[i32; BATCH]; 2];

/// Returns the indices of each half of the texels.
#[inline(always)]
pub(super) fn indices<S: Simd, const MASKED: bool, const RESTS: bool>(
    s: S,
    rule: &ValueRule,
    values: &Values<S, MASKED, RESTS>,
    best: &Best<S, RESTS>,
) -> [S::I; 2] {
    let line = RuleLanes::new(s, rule, EIGHT_VALUES).line(s, best.low, best.high);
    let halves = [
        eight_indices(s, places(s, &line, &values.v[..8])),
        eight_indices(s, places(s, &line, &values.v[8..])),
    ];
    if !best.six.any() {
        return halves;
    }
    six_where(s, rule, &values.with_extremes(s, rule), best, halves)
}

/// Returns `halves`, with the indices of six values where the best encoding has six.
#[inline(always)]
pub(super) fn six_where<S: Simd, const MASKED: bool, const RESTS: bool>(
    s: S,
    rule: &ValueRule,
    values: &Values<S, MASKED, RESTS>,
    best: &Best<S, RESTS>,
    halves: [S::I; 2],
) -> [S::I; 2] {
    let line = RuleLanes::new(s, rule, SIX_VALUES).line(s, best.low, best.high);
    let low = six_indices::<S, MASKED, RESTS, 0>(s, &line, values);
    let high = six_indices::<S, MASKED, RESTS, 8>(s, &line, values);
    [halves[0].or_if(best.six, low), halves[1].or_if(best.six, high)]
}

/// Writes blocks from lane `first` on.
#[inline(always)]
pub(super) fn pack<S: Simd, const RESTS: bool>(
    s: S,
    rule: &ValueRule,
    halves: [S::I; 2],
    best: &Best<S, RESTS>,
    first: usize,
    blocks: &mut BatchBlocks,
) {
    let offset = s.i(if rule.is_signed { 127 } else { 0 });
    let byte = s.i(255);
    let (low, high) = ((best.low.to_i() - offset) & byte, (best.high.to_i() - offset) & byte);
    let (r0, r1) = (high.or_if(best.six, low), low.or_if(best.six, high));
    (r0 | r1.shl::<8>() | halves[0].shl::<16>()).store(&mut blocks[0][first..]);
    (halves[0].shr::<16>() | halves[1].shl::<8>()).store(&mut blocks[1][first..]);
}

/// Returns the places of eight texels on a line, 3 bits each.
#[inline(always)]
pub(super) fn places<S: Simd>(s: S, line: &Line<S>, values: &[S::F]) -> S::F {
    // Horner's rule from the last texel: exact below 2²⁴.
    let mut places = s.f(0.0);
    for &v in values.iter().rev() {
        places = places.mul_add(s.f(8.0), line.nearest(s, v));
    }
    places
}

/// Returns the indices of the eight texels from `FIRST` on in a block of six values. Place 0 is index 0, 5 is
/// 1, and any other k is k + 1. Index 6 is the smallest code of the format and 7 the largest.
#[inline(always)]
fn six_indices<S: Simd, const MASKED: bool, const RESTS: bool, const FIRST: usize>(
    s: S,
    line: &Line<S>,
    values: &Values<S, MASKED, RESTS>,
) -> S::I {
    let mut indices = s.f(0.0);
    for t in (FIRST..FIRST + 8).rev() {
        let v = values.v[t];
        let k = line.nearest(s, v);
        let d = line.error(v, k);
        let index = (k + s.f(1.0)).or_if(k.lt(s.f(1.0)), s.f(0.0)).or_if(s.f(4.0).lt(k), s.f(1.0));
        let extreme_index = s.f(6.0).or_if(is_upper(s, values.sources()[t]), s.f(7.0));
        let index = index.or_if(values.is_at_extreme(s, t, d), extreme_index);
        indices = indices.mul_add(s.f(8.0), index);
    }
    indices.to_i()
}
