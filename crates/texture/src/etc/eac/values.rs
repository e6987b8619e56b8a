//! The values of a channel in lanes, one block in each, and the errors of candidates.
//!
//! The eight values of a block are symmetric: `center ± (modifier + ½) · scale`, clamped. The distance of a
//! texel from the center is therefore compared with four reaches. Clamped values are the ends of the range.
//! They are compared by themselves, and only where a block has any.
//!
//! Numbers are multiples of ½ below 2¹², and products multiples of ¼ that floats store exactly. Sums of
//! errors above 2²⁴ are rounded, but such candidates lose in any case.

use super::kind::{Kind, TABLES};
use crate::{
    bc::batch::{BATCH, BatchTexels},
    etc::RECIPROCALS,
    simd::{Float, Int, LaneFn, Mask, Simd, each},
};

/// Larger than any distance between values.
const FAR: f32 = 4096.0;

/// ½ · (2 · modifier + 1): reaches of each table in steps of the scale.
pub(super) static REACHES: [f32; 64] = {
    let mut reaches = [0.0; 64];
    let mut i = 0;
    while i < 64 {
        reaches[i] = TABLES[i / 4][i % 4] as f32 + 0.5;
        i += 1;
    }
    reaches
};

/// Targets of the texels of one block per lane.
pub(super) struct Values<S: Simd> {
    pub t: [S::F; 16],
    /// 1 for texels inside the image, else 0.
    pub weights: [S::F; 16],
    /// 1 / the number of texels inside the image.
    pub reciprocal: S::F,
    pub least: S::F,
    pub greatest: S::F,
    pub numbers: Numbers<S>,
}

/// Numbers of a kind, in every lane.
#[derive(Clone, Copy)]
pub(super) struct Numbers<S: Simd> {
    pub unit: S::F,
    pub offset: S::F,
    /// 1 / unit.
    pub inverse: S::F,
    pub range: [S::F; 2],
    pub bases: [S::F; 2],
    pub multipliers: [S::F; 2],
}

impl<S: Simd> Numbers<S> {
    #[inline(always)]
    pub fn new(s: S, kind: &Kind) -> Self {
        Self {
            unit: s.f(kind.unit as f32),
            offset: s.f(kind.offset as f32),
            inverse: s.f(1.0 / kind.unit as f32),
            range: [s.f(kind.range[0] as f32), s.f(kind.range[1] as f32)],
            bases: [s.f(kind.bases[0] as f32), s.f(kind.bases[1] as f32)],
            multipliers: [s.f(kind.least_multiplier as f32), s.f(15.0)],
        }
    }

    /// Returns the steps of a modifier. Multiplier 0 means 1/8, where it is used.
    #[inline(always)]
    pub fn scale(&self, s: S, multiplier: S::F) -> S::F {
        (multiplier * self.unit).max(s.f(1.0))
    }

    /// Returns the center of the eight values.
    #[inline(always)]
    pub fn center(&self, s: S, base: S::F, scale: S::F) -> S::F {
        base * self.unit + self.offset - scale * s.f(0.5)
    }

    /// Returns the base whose center is nearest to `center`.
    #[inline(always)]
    pub fn base(&self, s: S, center: S::F, scale: S::F) -> S::F {
        let base = ((center + scale * s.f(0.5) - self.offset) * self.inverse + s.f(0.5)).floor();
        base.max(self.bases[0]).min(self.bases[1])
    }
}

impl<S: Simd> Values<S> {
    /// Loads the lanes from `first` on. Texels whose bit of `visible` is 0 are outside the image.
    #[inline(always)]
    pub fn load(s: S, kind: &Kind, targets: &BatchTexels, visible: &[i32; BATCH], first: usize) -> Self {
        let visible = s.load_i(&visible[first..]);
        let t = each!(i in 16 => s.load_i(&targets[i][first..]).to_f());
        let weights = each!(i in 16 => (visible.shr::<{ i as u32 }>() & s.i(1)).to_f());
        let (mut least, mut greatest, mut count) = (t[0], t[0], s.f(0.0));
        for i in 0..16 {
            // Texels outside the image repeat others, so they change neither end.
            least = least.min(t[i]);
            greatest = greatest.max(t[i]);
            count = count + weights[i];
        }
        let reciprocal = s.gather(&RECIPROCALS, count.to_i());
        Self { t, weights, reciprocal, least, greatest, numbers: Numbers::new(s, kind) }
    }
}

/// Squared error of a candidate.
pub(super) struct Cost<'a, S: Simd> {
    pub values: &'a Values<S>,
    /// Table, the same in every lane.
    pub table: usize,
    pub base: S::F,
    pub scale: S::F,
}

impl<S: Simd> LaneFn<S> for Cost<'_, S> {
    type Output = S::F;

    #[inline(always)]
    fn run(self, s: S) -> S::F {
        let reach = each!(k in 4 => s.f(REACHES[4 * self.table + k]) * self.scale);
        error(s, self.values, self.base, self.scale, reach)
    }
}

/// Returns the squared error of a candidate whose values are at most these distances from the center.
#[inline(always)]
pub(super) fn error<S: Simd>(s: S, values: &Values<S>, base: S::F, scale: S::F, reach: [S::F; 4]) -> S::F {
    let Values { t, weights, numbers, .. } = values;
    let center = numbers.center(s, base, scale);
    // (d − r)² = d² + (r² − 2·d·r).
    let squares = each!(k in 4 => reach[k] * reach[k]);
    let doubles = each!(k in 4 => s.f(-2.0) * reach[k]);
    let [bottom, top] = numbers.range;
    let is_low = (center - reach[3]).lt(bottom);
    let is_high = top.lt(center + reach[3]);
    let mut sum = s.f(0.0);
    if (is_low | is_high).any() {
        let bottom = s.f(-2.0 * FAR).or_if(is_low, bottom);
        let top = s.f(2.0 * FAR).or_if(is_high, top);
        for i in 0..16 {
            let d = (t[i] - center).max(center - t[i]);
            let near = d.mul_add(doubles[0], squares[0]).min(d.mul_add(doubles[1], squares[1]));
            let far = d.mul_add(doubles[2], squares[2]).min(d.mul_add(doubles[3], squares[3]));
            let end = (top - t[i]).min(t[i] - bottom);
            let error = d.mul_add(d, near.min(far)).min(end * end);
            sum = error.mul_add(weights[i], sum);
        }
    } else {
        for i in 0..16 {
            let d = (t[i] - center).max(center - t[i]);
            let near = d.mul_add(doubles[0], squares[0]).min(d.mul_add(doubles[1], squares[1]));
            let far = d.mul_add(doubles[2], squares[2]).min(d.mul_add(doubles[3], squares[3]));
            sum = d.mul_add(d, near.min(far)).mul_add(weights[i], sum);
        }
    }
    sum
}

/// Base that fits the indices of a candidate best, if no value is clamped.
pub(super) struct Refit<'a, S: Simd> {
    pub values: &'a Values<S>,
    /// Table, the same in every lane.
    pub table: usize,
    pub base: S::F,
    pub scale: S::F,
}

impl<S: Simd> LaneFn<S> for Refit<'_, S> {
    type Output = S::F;

    #[inline(always)]
    fn run(self, s: S) -> S::F {
        let reach = each!(k in 4 => s.f(REACHES[4 * self.table + k]) * self.scale);
        fitted_base(s, self.values, self.base, self.scale, reach)
    }
}

/// Returns the base that fits the indices of a candidate best, if no value is clamped.
#[inline(always)]
pub(super) fn fitted_base<S: Simd>(
    s: S,
    values: &Values<S>,
    base: S::F,
    scale: S::F,
    reach: [S::F; 4],
) -> S::F {
    let Values { t, weights, numbers, reciprocal, .. } = values;
    let center = numbers.center(s, base, scale);
    let limits = each!(k in 3 => (reach[k] + reach[k + 1]) * s.f(0.5));
    let mut sum = s.f(0.0);
    for i in 0..16 {
        let offset = t[i] - center;
        let d = offset.max(center - t[i]);
        let r = reach[0].or_if(limits[0].lt(d), reach[1]);
        let r = r.or_if(limits[1].lt(d), reach[2]).or_if(limits[2].lt(d), reach[3]);
        let r = r.or_if(offset.lt(s.f(0.0)), s.f(0.0) - r);
        sum = (offset - r).mul_add(weights[i], sum);
    }
    numbers.base(s, center + sum * *reciprocal, scale)
}
