//! Errors of endpoints, and endpoints by least squares, for one-channel blocks in lanes.

use super::{
    cost::Cost,
    line::{Line, RuleLanes, source_scale},
    palette::ValueRule,
};
use crate::{
    bc::batch::{BATCH, BatchTexels},
    simd::{Float, Int, Simd, each},
};

/// Values of the block in each lane. If `MASKED`, some have no error; this requires `RESTS`. Without `RESTS`,
/// all rests are 0.
#[derive(Clone, Copy)]
pub(crate) struct Values<S: Simd, const MASKED: bool, const RESTS: bool> {
    /// Texels in the unit of lines: positions for rules with rests, else codes.
    pub v: [S::F; 16],
    /// Rests of the positions, in 51sts of a step of the grid.
    pub rests: [S::F; 16],
    /// Distance of each texel above the nearer end of the code range, in steps of the grid; without `RESTS`
    /// its square. 0 until `with_extremes` computes it.
    pub extreme: [S::F; 16],
    /// 1 for texels that count, else 0.
    counts: [S::F; 16],
    sources: [S::F; 16],
    /// The smallest and the largest texel, as codes.
    pub least: S::F,
    pub greatest: S::F,
}

impl<S: Simd, const MASKED: bool, const RESTS: bool> Values<S, MASKED, RESTS> {
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
        const { assert!(RESTS || !MASKED, "masks are compiled with rests only") };
        let (zero, one) = (s.f(0.0), s.f(1.0));
        let sources = sources(s, rule, texels, bit, first);
        let mut counts = [one; 16];
        if MASKED {
            let visible = s.load_i(&visible[first..]);
            for (t, count) in counts.iter_mut().enumerate() {
                *count = one.or_if((visible & s.i(1 << t)).eq(s.i(0)), zero);
            }
        }
        let (mut v, mut rests) = (sources, [zero; 16]);
        if RESTS && rule.has_rests() {
            for (v, rest) in v.iter_mut().zip(&mut rests) {
                (*v, *rest) = position(s, *v);
            }
        }
        let (least, greatest) = ends(&sources);
        let (least, greatest) = (code(s, rule, least), code(s, rule, greatest));
        Self { v, rests, extreme: [zero; 16], counts, sources, least, greatest }
    }

    /// Returns a copy with the data that six values require.
    #[inline(always)]
    pub fn with_extremes(&self, s: S, rule: &ValueRule) -> Self {
        let (grid, top) = (s.f(rule.grid() as f32), s.f(rule.top() as f32));
        let mut extreme = *self.sources();
        if RESTS {
            for (t, extreme) in extreme.iter_mut().enumerate() {
                let position = if rule.has_rests() { self.v[t].round() } else { *extreme * grid };
                *extreme = position.or_if(is_upper(s, *extreme), position - top * grid);
            }
        } else {
            for extreme in &mut extreme {
                *extreme = extreme.min(top - *extreme) * grid;
                *extreme = *extreme * *extreme;
            }
        }
        Self { extreme, ..*self }
    }

    /// Returns the sources, which are whole numbers.
    #[inline(always)]
    pub fn sources(&self) -> &[S::F; 16] {
        if RESTS { &self.sources } else { &self.v }
    }

    /// Returns a mask of the lanes where an end of the code range is nearer to texel `t` than the value on
    /// the line whose error is `d`. Squares of different errors never round to the same number.
    #[inline(always)]
    pub fn is_at_extreme(&self, s: S, t: usize, d: S::F) -> S::M {
        if RESTS {
            // Not `map` over lanes: its calls are not compiled for the instruction set.
            let extreme = self.extreme[t].mul_add(s.f(51.0), self.rests[t]);
            let d = d.mul_add(s.f(51.0), self.rests[t]);
            (extreme * extreme).lt(d * d)
        } else {
            self.extreme[t].lt(d * d)
        }
    }

    /// Adds the error of texel `t`, which is `d` on the line. If `SIX`, the texel may take an end of the code
    /// range instead. Returns a mask of the lanes where it does.
    #[inline(always)]
    fn add_error<const SIX: bool>(&self, s: S, t: usize, d: S::F, cost: &mut Cost<S, RESTS>) -> S::M {
        let at_extreme = if SIX { self.is_at_extreme(s, t, d) } else { s.none() };
        if SIX && !RESTS {
            cost.squares = cost.squares + (d * d).min(self.extreme[t]);
            return at_extreme;
        }
        let d = if SIX { d.or_if(at_extreme, self.extreme[t]) } else { d };
        cost.add(if MASKED { d * self.counts[t] } else { d }, self.rests[t]);
        at_extreme
    }
}

/// Returns a mask of the lanes where the upper end of the code range is nearer to a source.
#[inline(always)]
pub(super) fn is_upper<S: Simd>(s: S, source: S::F) -> S::M {
    s.f(127.0).lt(source)
}

/// Returns the sources of the channel that starts at bit `bit`, for the blocks from lane `first` on: bytes,
/// or the nearest codes of signed values under an 8-bit rule.
#[inline(always)]
fn sources<S: Simd>(s: S, rule: &ValueRule, texels: &BatchTexels, bit: u32, first: usize) -> [S::F; 16] {
    let (bit, byte) = (s.i(bit as i32), s.i(255));
    let mut sources = [s.f(0.0); 16];
    for (source, texels) in sources.iter_mut().zip(texels) {
        *source = (s.load_i(&texels[first..]).shr_by(bit) & byte).to_f();
        if rule.is_signed && !rule.is_real() {
            *source = (*source * s.f(254.0 / 255.0)).round();
        }
    }
    sources
}

/// The smallest and the largest texel of each block.
type Ends<S> = (<S as Simd>::F, <S as Simd>::F);

/// Returns the texels in the unit of lines, and the smallest and the largest as codes, for the blocks from
/// lane `first` on.
#[inline(always)]
pub(super) fn texels_and_ends<S: Simd>(
    s: S,
    rule: &ValueRule,
    texels: &BatchTexels,
    bit: u32,
    first: usize,
) -> ([S::F; 16], Ends<S>) {
    let mut v = sources(s, rule, texels, bit, first);
    let (least, greatest) = ends(&v);
    for v in &mut v {
        *v = unit(s, rule, *v);
    }
    (v, (code(s, rule, least), code(s, rule, greatest)))
}

/// Returns a source in the unit of lines.
#[inline(always)]
pub(super) fn unit<S: Simd>(s: S, rule: &ValueRule, source: S::F) -> S::F {
    if rule.has_rests() { position(s, source).0 } else { source }
}

/// Returns the position of a source on the grid, shifted by (2 · rest + 1) / 128, and its rest, for a rule
/// with rests. Numbers are integers below 2²⁴, or of 22 bits.
#[inline(always)]
fn position<S: Simd>(s: S, source: S::F) -> (S::F, S::F) {
    let position = (source * s.f(1778.0 / 51.0)).round();
    let rest = source.mul_add(s.f(1778.0), position * s.f(-51.0));
    (rest.mul_add(s.f(1.0 / 64.0), position + s.f(1.0 / 128.0)), rest)
}

/// Returns the code nearest to a source. No source is halfway between two.
#[inline(always)]
pub(super) fn code<S: Simd>(s: S, rule: &ValueRule, source: S::F) -> S::F {
    if rule.has_rests() { (source * s.f(source_scale(rule))).round() } else { source }
}

/// Returns the smallest and the largest of 16 numbers.
#[inline(always)]
fn ends<F: Float>(v: &[F; 16]) -> (F, F) {
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
pub(crate) fn cost<S: Simd, const MASKED: bool, const RESTS: bool, const SIX: bool>(
    s: S,
    values: &Values<S, MASKED, RESTS>,
    line: &Line<S>,
) -> Cost<S, RESTS> {
    cost_and_places::<S, MASKED, RESTS, SIX>(s, values, line).0
}

/// Like [`cost`], but also returns the places.
#[inline(always)]
pub(crate) fn cost_and_places<S: Simd, const MASKED: bool, const RESTS: bool, const SIX: bool>(
    s: S,
    values: &Values<S, MASKED, RESTS>,
    line: &Line<S>,
) -> (Cost<S, RESTS>, Places<S>) {
    let (mut cost, mut places) = (Cost::of_squares(s, 0.0), [s.f(0.0); 2]);
    // Horner's rule, backwards so that the first texel's place is lowest. It is exact below 2²⁴.
    each!(i in 16 => {
        let t: usize = 15 - i;
        let v = values.v[t];
        let k = line.nearest(s, v);
        places[t / 8] = places[t / 8].mul_add(s.f(8.0), k);
        values.add_error::<SIX>(s, t, line.error(v, k), &mut cost);
    });
    (cost, places)
}

/// Like [`cost`], with six values where `six` is true, else with eight.
#[inline(always)]
pub(crate) fn cost_of_either<S: Simd, const MASKED: bool, const RESTS: bool>(
    s: S,
    values: &Values<S, MASKED, RESTS>,
    line: &Line<S>,
    six: S::M,
) -> Cost<S, RESTS> {
    let mut cost = Cost::of_squares(s, 0.0);
    for t in 0..16 {
        let v = values.v[t];
        let d = line.error(v, line.nearest(s, v));
        if RESTS {
            let d = d.or_if(values.is_at_extreme(s, t, d) & six, values.extreme[t]);
            cost.add(if MASKED { d * values.counts[t] } else { d }, values.rests[t]);
        } else {
            let square = (d * d).min(s.f(f32::MAX).or_if(six, values.extreme[t]));
            cost.squares = cost.squares + square;
        }
    }
    cost
}

/// Sums for least squares over the texels that are on the line.
#[derive(Clone, Copy)]
pub(crate) struct Sums<S: Simd> {
    /// Number of these texels.
    n: S::F,
    /// Σk, Σk², Σv, Σk·v, where v are the sources.
    k: S::F,
    kk: S::F,
    v: S::F,
    kv: S::F,
}

/// Like [`cost_and_places`], but also returns the sums.
#[inline(always)]
pub(crate) fn cost_and_sums<S: Simd, const MASKED: bool, const RESTS: bool, const SIX: bool>(
    s: S,
    values: &Values<S, MASKED, RESTS>,
    line: &Line<S>,
) -> (Cost<S, RESTS>, Sums<S>, Places<S>) {
    let zero = s.f(0.0);
    let (mut cost, mut sums) =
        (Cost::of_squares(s, 0.0), Sums { n: zero, k: zero, kk: zero, v: zero, kv: zero });
    let mut places = [zero; 2];
    each!(i in 16 => {
        let t: usize = 15 - i;
        let v = values.v[t];
        let k = line.nearest(s, v);
        places[t / 8] = places[t / 8].mul_add(s.f(8.0), k);
        let at_extreme = values.add_error::<SIX>(s, t, line.error(v, k), &mut cost);
        let mut count = values.counts[t];
        if SIX {
            count = count.or_if(at_extreme, zero);
        }
        let v = values.sources()[t];
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
pub(crate) fn codes<S: Simd, const RESTS: bool>(
    s: S,
    rule: &RuleLanes<S>,
    sums: &Sums<S>,
    old: (S::F, S::F),
) -> (S::F, S::F) {
    let Sums { n, k, kk, v, kv } = *sums;
    let determinant = n * kk - k * k;
    let mut scale = s.f(1.0) / determinant;
    if RESTS {
        scale = scale * rule.source_scale;
    }
    let low = (kk * v - k * kv) * scale;
    let high = ((kk - rule.steps * k) * v + (rule.steps * n - k) * kv) * scale;
    let undetermined = determinant.lt(s.f(1.0));
    let (zero, top) = (s.f(0.0), rule.top);
    let (low, high) = (low.round().max(zero).min(top), high.round().max(zero).min(top));
    (low.or_if(undetermined, old.0), high.or_if(undetermined, old.1))
}
