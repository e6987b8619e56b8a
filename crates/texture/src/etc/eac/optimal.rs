//! Quality best: the smallest error of all bases, multipliers and tables.
//!
//! For a table and a multiplier, a step of the base moves each value by at most a unit. The distance of each
//! texel from its value changes no more, and the root of the error of 16 texels by at most 4 units. Bases
//! whose error cannot be smaller than the best one are skipped.

use super::{
    best::Best,
    kind::Kind,
    values::{Cost, REACHES, Values},
};
use crate::simd::{Float, Int, Mask, Simd};

/// Improves the best candidate until no other has a smaller error.
#[inline(always)]
pub(super) fn improve<S: Simd>(s: S, kind: &Kind, values: &Values<S>, best: &mut Best<S>) {
    let numbers = values.numbers;
    let [first_base, last_base] = numbers.bases;
    let step = s.f(1.0 / (4.0 * kind.unit as f32));
    for table in 0..16 {
        for multiplier in kind.least_multiplier..16 {
            let multiplier = s.f(multiplier as f32);
            let scale = numbers.scale(s, multiplier);
            // The values must reach the texels, except for the root of the error.
            let (root, _) = roots(s, best.cost);
            let reach = s.f(REACHES[4 * table + 3]) * scale + root;
            let half = scale * s.f(0.5) - numbers.offset;
            let mut base = ((values.greatest - reach + half) * numbers.inverse).floor().max(first_base);
            let last = ((values.least + reach + half) * numbers.inverse + s.f(1.0)).floor().min(last_base);
            while (!last.lt(base)).any() {
                let inside = base.min(last).max(first_base);
                let cost = s.call(Cost { values, table, base: inside, scale });
                best.offer(s, cost, inside, multiplier, table);
                let (root, _) = roots(s, best.cost);
                let (_, of_candidate) = roots(s, cost);
                base = base + ((of_candidate - root) * step).floor().max(s.f(0.0)) + s.f(1.0);
            }
        }
    }
}

/// Returns an upper and a lower bound of the root of an error, less than 0.2 % apart.
#[inline(always)]
fn roots<S: Simd>(s: S, cost: S::F) -> (S::F, S::F) {
    let cost = cost.max(s.f(1e-6));
    // Half the exponent; then a step of Newton's method, which ends above the root.
    let estimate = (cost.bits().shr::<1>() + s.i(0x1fbd_1df5)).float_of_bits();
    let above = (estimate + cost / estimate) * s.f(0.5 * 1.0001);
    (above, cost / above)
}
