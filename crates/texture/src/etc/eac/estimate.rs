//! The multiplier and the base by the range of the texels.

use super::{
    best::Best,
    kind::Kind,
    values::{Cost, REACHES, Values},
};
use crate::simd::{Float, Simd};

/// Returns the multiplier whose values have the range of the texels.
#[inline(always)]
pub(super) fn multiplier<S: Simd>(s: S, kind: &Kind, values: &Values<S>, table: usize) -> S::F {
    let reach = 2.0 * REACHES[4 * table + 3];
    let range = values.greatest - values.least;
    let [least, greatest] = values.numbers.multipliers;
    let multiplier = (range * s.f(1.0 / (reach * kind.unit as f32)) + s.f(0.5)).floor();
    // A multiplier of 1/8 reaches twice its range, rather than a whole one.
    let is_small = range.lt(s.f(2.0 * reach));
    multiplier.max(s.f(1.0).or_if(is_small, least)).min(greatest)
}

/// Tries one multiplier and one base of each of `tables`.
#[inline(always)]
pub(super) fn estimate<S: Simd>(s: S, kind: &Kind, values: &Values<S>, tables: &[usize], best: &mut Best<S>) {
    let middle = (values.least + values.greatest) * s.f(0.5);
    for &table in tables {
        let multiplier = multiplier(s, kind, values, table);
        let scale = values.numbers.scale(s, multiplier);
        let base = values.numbers.base(s, middle, scale);
        best.offer(s, s.call(Cost { values, table, base, scale }), base, multiplier, table);
    }
}
