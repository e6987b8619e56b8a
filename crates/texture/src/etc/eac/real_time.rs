//! Channels in real time. `real_time.wgsl` takes the same steps.
//!
//! ```text
//! every table: multiplier by the range of the texels, base by its middle → the smallest error
//! level 2: multipliers around the best → base by the middle → fit it to the indices → steps
//! ```

#[cfg(feature = "gpu")]
use super::{batch::target_numbers, values::Numbers};
use super::{
    best::Best,
    estimate::estimate,
    kind::Kind,
    values::{REACHES, Values, error, fitted_base},
};
#[cfg(feature = "gpu")]
use crate::simd::Scalar;
use crate::{
    RealTime,
    simd::{Float, Int, LaneFn, Simd, each},
};

/// Every table, in the order of [`TABLES`](super::kind::TABLES).
const TABLES: [usize; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Searches for the best candidate.
#[inline(always)]
pub(super) fn search<S: Simd>(s: S, kind: &Kind, level: RealTime, values: &Values<S>, best: &mut Best<S>) {
    estimate(s, kind, values, &TABLES, best);
    if level == RealTime::Level1 {
        return;
    }
    let start = *best;
    for step in [-1.0, 0.0, 1.0] {
        let [least, greatest] = values.numbers.multipliers;
        let multiplier = (start.multiplier + s.f(step)).max(least).min(greatest);
        let fitted = s.call(Fit { values, table: start.table, multiplier });
        let better = fitted.cost.lt(best.cost);
        best.cost = best.cost.min(fitted.cost);
        best.base = best.base.or_if(better, fitted.base);
        best.multiplier = best.multiplier.or_if(better, multiplier);
    }
}

/// The best of the fitted base and its neighbours, for a table and a multiplier.
struct Fit<'a, S: Simd> {
    values: &'a Values<S>,
    table: S::F,
    multiplier: S::F,
}

impl<S: Simd> LaneFn<S> for Fit<'_, S> {
    type Output = Best<S>;

    #[inline(always)]
    fn run(self, s: S) -> Best<S> {
        let Self { values, table, multiplier } = self;
        let Values { numbers, .. } = values;
        let scale = numbers.scale(s, multiplier);
        let place = table.to_i().shl::<2>();
        let reach = each!(k in 4 => s.gather(&REACHES, place + s.i(k as i32)) * scale);
        let middle = numbers.base(s, (values.least + values.greatest) * s.f(0.5), scale);
        let fitted = fitted_base(s, values, middle, scale, reach);
        let [first, last] = numbers.bases;
        let mut best: Best<S> = Best { cost: s.f(f32::MAX), base: fitted, multiplier, table };
        for step in [0.0, -1.0, 1.0] {
            let base = (fitted + s.f(step)).max(first).min(last);
            let cost = error(s, values, base, scale, reach);
            let better = cost.lt(best.cost);
            best.cost = best.cost.min(cost);
            best.base = best.base.or_if(better, base);
        }
        best
    }
}

/// Returns the reaches of the tables without their halves, four bits each, two tables in a word.
#[cfg(feature = "gpu")]
pub(in crate::etc) fn table_words() -> [u32; 8] {
    let nibbles = |word: usize| super::kind::TABLES[2 * word..][..2].as_flattened().iter();
    std::array::from_fn(|word| nibbles(word).rev().fold(0, |bits, &modifier| bits << 4 | modifier as u32))
}

/// Returns constants of the kernels.
#[cfg(feature = "gpu")]
pub(in crate::etc) fn numbers(kind: &Kind) -> [(&'static str, f32); 10] {
    let numbers = Numbers::new(Scalar, kind);
    let [scale, offset] = target_numbers(kind);
    [
        ("UNIT", numbers.unit),
        ("OFFSET", numbers.offset),
        ("INVERSE", numbers.inverse),
        ("BOTTOM", numbers.range[0]),
        ("TOP", numbers.range[1]),
        ("FIRST_BASE", numbers.bases[0]),
        ("LAST_BASE", numbers.bases[1]),
        ("LEAST_MULTIPLIER", numbers.multipliers[0]),
        ("TARGET_SCALE", scale),
        ("TARGET_OFFSET", offset),
    ]
}
