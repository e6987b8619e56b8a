//! Errors of endpoints, and endpoints by least squares, for one-channel blocks in lanes.

use super::{
    line::{Line, RuleLanes},
    palette::ValueRule,
};
use crate::{
    bc::batch::{BATCH, BatchTexels},
    simd::{Float, Int, Simd, each},
};

/// Values of the block in each lane. If `MASKED`, some have no error.
#[derive(Clone, Copy)]
pub(crate) struct Values<S: Simd, const MASKED: bool> {
    pub v: [S::F; 16],
    /// Squared error of each texel at the nearer end of the code range; 0 until `with_extremes` computes it.
    pub extreme: [S::F; 16],
    /// 1 for texels that count, else 0.
    counts: [S::F; 16],
    pub least: S::F,
    pub greatest: S::F,
}

impl<S: Simd, const MASKED: bool> Values<S, MASKED> {
    /// Loads the channel that starts at bit `bit`, for the blocks from lane `first` on. Only the texels in
    /// `visible` count.
    #[inline(always)]
    pub fn load(
        s: S,
        rule: &ValueRule,
        texels: &BatchTexels,
        bit: u32,
        first: usize,
        visible: &[i32; BATCH],
    ) -> Self {
        let (zero, one) = (s.f(0.0), s.f(1.0));
        let v = codes_of_texels(s, rule, texels, bit, first);
        let mut counts = [one; 16];
        if MASKED {
            let visible = s.load_i(&visible[first..]);
            for (t, count) in counts.iter_mut().enumerate() {
                *count = one.or_if((visible & s.i(1 << t)).eq(s.i(0)), zero);
            }
        }
        let (least, greatest) = ends(&v);
        Self { v, extreme: [zero; 16], counts, least, greatest }
    }

    /// Returns a copy with the data that six values require.
    #[inline(always)]
    pub fn with_extremes(&self, s: S, rule: &ValueRule) -> Self {
        let top = s.f(rule.top() as f32);
        let mut extreme = self.v;
        for extreme in &mut extreme {
            *extreme = extreme.min(top - *extreme);
            *extreme = *extreme * *extreme;
        }
        Self { extreme, ..*self }
    }
}

/// Returns the codes of the channel that starts at bit `bit`, for the blocks from lane `first` on.
#[inline(always)]
pub(crate) fn codes_of_texels<S: Simd>(
    s: S,
    rule: &ValueRule,
    texels: &BatchTexels,
    bit: u32,
    first: usize,
) -> [S::F; 16] {
    let (bit, byte) = (s.i(bit as i32), s.i(255));
    let mut codes = [s.f(0.0); 16];
    for (code, texels) in codes.iter_mut().zip(texels) {
        *code = (s.load_i(&texels[first..]).shr_by(bit) & byte).to_f();
        if rule.is_signed {
            *code = (*code * s.f(254.0 / 255.0)).round();
        }
    }
    codes
}

/// Returns the smallest and the largest of 16 numbers.
#[inline(always)]
pub(crate) fn ends<F: Float>(v: &[F; 16]) -> (F, F) {
    let (mut least, mut greatest) = (v[0], v[0]);
    for &v in &v[1..] {
        least = least.min(v);
        greatest = greatest.max(v);
    }
    (least, greatest)
}

/// Places of the texels on a line, three bits each; eight texels per element.
pub(crate) type Places<S> = [<S as Simd>::F; 2];

/// Returns the squared error of the values on `line`. If `SIX`, texels may take an end of the code range
/// instead.
#[inline(always)]
pub(crate) fn cost<S: Simd, const MASKED: bool, const SIX: bool>(
    s: S,
    values: &Values<S, MASKED>,
    line: &Line<S>,
) -> S::F {
    cost_and_places::<S, MASKED, SIX>(s, values, line).0
}

/// Like [`cost`], but also returns the places.
#[inline(always)]
pub(crate) fn cost_and_places<S: Simd, const MASKED: bool, const SIX: bool>(
    s: S,
    values: &Values<S, MASKED>,
    line: &Line<S>,
) -> (S::F, Places<S>) {
    let (mut cost, mut places) = (s.f(0.0), [s.f(0.0); 2]);
    // Horner's rule, backwards so that the first texel's place is lowest. It is exact below 2²⁴.
    each!(i in 16 => {
        let t: usize = 15 - i;
        let v = values.v[t];
        let k = line.nearest(s, v);
        places[t / 8] = places[t / 8].mul_add(s.f(8.0), k);
        let error = line.error(v, k);
        let error = if MASKED { error * values.counts[t] } else { error };
        if SIX {
            let square = (error * error).min(values.extreme[t]);
            cost = cost + if MASKED { square * values.counts[t] } else { square };
        } else {
            cost = error.mul_add(error, cost);
        }
    });
    (cost, places)
}

/// Like [`cost`], with six values where `six` is true, else with eight.
#[inline(always)]
pub(crate) fn cost_of_either<S: Simd, const MASKED: bool>(
    s: S,
    values: &Values<S, MASKED>,
    line: &Line<S>,
    six: S::M,
) -> S::F {
    let mut cost = s.f(0.0);
    for t in 0..16 {
        let v = values.v[t];
        let error = line.error(v, line.nearest(s, v));
        let square = (error * error).min(s.f(f32::MAX).or_if(six, values.extreme[t]));
        cost = cost + if MASKED { square * values.counts[t] } else { square };
    }
    cost
}

/// Sums for least squares over the texels that are on the line.
#[derive(Clone, Copy)]
pub(crate) struct Sums<S: Simd> {
    /// Number of these texels.
    n: S::F,
    /// Σk, Σk², Σv, Σk·v.
    k: S::F,
    kk: S::F,
    v: S::F,
    kv: S::F,
}

/// Like [`cost_and_places`], but also returns the sums.
#[inline(always)]
pub(crate) fn cost_and_sums<S: Simd, const MASKED: bool, const SIX: bool>(
    s: S,
    values: &Values<S, MASKED>,
    line: &Line<S>,
) -> (S::F, Sums<S>, Places<S>) {
    let zero = s.f(0.0);
    let (mut cost, mut sums) = (zero, Sums { n: zero, k: zero, kk: zero, v: zero, kv: zero });
    let mut places = [zero; 2];
    each!(i in 16 => {
        let t: usize = 15 - i;
        let v = values.v[t];
        let k = line.nearest(s, v);
        places[t / 8] = places[t / 8].mul_add(s.f(8.0), k);
        let error = line.error(v, k);
        let mut square = error * error;
        let mut count = values.counts[t];
        if SIX {
            let extreme = values.extreme[t];
            count = count.or_if(extreme.lt(square), zero);
            square = square.min(extreme);
        }
        if MASKED {
            square = square * values.counts[t];
        }
        cost = cost + square;
        let (k, v) = if MASKED || SIX { (k * count, v * count) } else { (k, v) };
        if MASKED || SIX {
            sums.n = sums.n + count;
        }
        sums.k = sums.k + k;
        sums.kk = k.mul_add(k, sums.kk);
        sums.v = sums.v + v;
        sums.kv = k.mul_add(v, sums.kv);
    });
    if !(MASKED || SIX) {
        sums.n = s.f(16.0);
    }
    (cost, sums, places)
}

/// Returns the codes of the least-squares line through the sums, or `old` if they determine no line.
///
/// With n texels, W = Σk, Q = Σk², S = Σv, X = Σk·v and D = n·Q − W², the line is at (Q·S − W·X)/D for k = 0
/// and rises by (n·X − W·S)/D. Numerators are integers below 2²⁴.
#[inline(always)]
pub(crate) fn codes<S: Simd>(s: S, rule: &RuleLanes<S>, sums: &Sums<S>, old: (S::F, S::F)) -> (S::F, S::F) {
    let Sums { n, k, kk, v, kv } = *sums;
    let determinant = n * kk - k * k;
    let scale = s.f(1.0) / determinant;
    let low = (kk * v - k * kv) * scale;
    let high = ((kk - rule.steps * k) * v + (rule.steps * n - k) * kv) * scale;
    let undetermined = determinant.lt(s.f(1.0));
    let (zero, top) = (s.f(0.0), rule.top);
    let (low, high) = (low.round().max(zero).min(top), high.round().max(zero).min(top));
    (low.or_if(undetermined, old.0), high.or_if(undetermined, old.1))
}
