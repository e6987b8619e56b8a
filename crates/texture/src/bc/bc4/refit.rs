//! The last stage of the rule nvidia: endpoints and nearest indices for NVIDIA's values.
//!
//! ```text
//! block → exact error under NVIDIA's values
//!   from quality normal on: other starts → the best of them → move either endpoint by steps, keep what
//!   lowers the error
//! → the nearest value of each texel
//! ```
//!
//! Starts are the block's endpoints in either order, and the lines of `spread` with eight and with six
//! values. Quality normal moves the best start, high the two best, best all of them. The block's own
//! endpoints are the first start, so no block is worse than before.
//!
//! Errors are whole *units*, in which NVIDIA's values and all 8-bit sources are integers below 2²⁴:
//!
//! | block | units in 1 | byte v | value of weight w |
//! |---|---|---|---|
//! | BC3's alpha | 255 | v | `b + ((w·(a − b) + 1024) >> 11)` |
//! | unsigned | 65535 | 257·v | `257·b + w·(a − b)` |
//! | signed | 65534 · 255 | 65534·v | `255 · (258·b + w·(a − b) + 1 + half)` |
//!
//! a and b are the codes of `r0` and `r1`; `half` is the extra step of `nvidia.rs`. Sums of squares have up
//! to 52 bits: they are in digits.

use super::{
    encode::{MOVES, SPREADS, spread},
    line::RuleLanes,
    nvidia::{self, Weights},
    pack::BatchBlocks,
    palette::{EIGHT_VALUES, SIX_VALUES, ValueRule},
};
use crate::{
    Quality,
    bc::batch::{BATCH, BatchTexels},
    simd::{Float, Int, LaneFn, Mask as _, Simd},
};

/// Units of one kind of block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    weights: &'static Weights,
    /// Units of an endpoint's code, before the factor.
    unit: i32,
    /// Rounding: number that is added to `w·(a − b)`, and bits that are then dropped.
    bias: i32,
    dropped_bits: u32,
    /// Addition to all values, then their factor.
    addition: i32,
    factor: i32,
    /// Units of a step of an 8-bit source.
    byte: i32,
    /// Units in 1.
    top: i32,
    /// Number of codes less 1.
    top_code: i32,
}

const ALPHA: Units = Units {
    weights: &nvidia::ALPHA,
    unit: 1,
    bias: 1024,
    dropped_bits: 11,
    addition: 0,
    factor: 1,
    byte: 1,
    top: 255,
    top_code: 255,
};

const UNORM: Units = Units {
    weights: &nvidia::UNORM,
    unit: 257,
    bias: 0,
    dropped_bits: 0,
    addition: 0,
    factor: 1,
    byte: 257,
    top: 65535,
    top_code: 255,
};

const SNORM: Units = Units {
    weights: &nvidia::SNORM,
    unit: 258,
    bias: 0,
    dropped_bits: 0,
    addition: 1,
    factor: 255,
    byte: 65534,
    top: 65534 * 255,
    top_code: 254,
};

impl Units {
    /// Returns the units of a rule's blocks; `None` if the rule is not NVIDIA's.
    pub const fn new(rule: &ValueRule) -> Option<&'static Self> {
        match (rule.is_nvidia, rule.is_signed, rule.is_real()) {
            (false, ..) => None,
            (true, true, _) => Some(&SNORM),
            (true, false, true) => Some(&UNORM),
            (true, false, false) => Some(&ALPHA),
        }
    }

    /// Returns a 16-bit source in units. Those of signed blocks are rounded.
    pub fn of_16_bits(&self, source: u16) -> i32 {
        // 65535 = 255 · 257.
        let scale = i64::from(self.top / 255);
        ((i64::from(source) * scale * 2 + 257) / (2 * 257)) as i32
    }

    /// Returns the codes in a unit.
    fn codes(&self) -> f32 {
        (f64::from(self.top_code) / f64::from(self.top)) as f32
    }

    /// True for signed blocks.
    const fn is_signed(&self) -> bool {
        self.top_code == 254
    }
}

/// Steps by which a quality moves endpoints, in order.
pub(super) const fn steps(quality: Quality) -> &'static [i32] {
    match quality {
        Quality::Ultrafast | Quality::Fast => &[],
        Quality::Normal => &[1],
        Quality::High => &[4, 2, 1],
        Quality::Best => &[8, 4, 4, 2, 1],
    }
}

/// Returns the kernel's table: the units, the weights, then the steps of a quality. [`table_constants`] has
/// the places.
#[cfg(feature = "gpu")]
pub(super) fn table(units: &Units, quality: Quality) -> Vec<i32> {
    let Units { weights, unit, bias, dropped_bits, addition, factor, byte, top, .. } = *units;
    let codes = units.codes().to_bits();
    let steps = steps(quality);
    let mut table = vec![unit, bias, dropped_bits as i32, addition, factor, byte, top, codes as i32];
    table.extend(weights.eight.iter().chain(&weights.six).map(|&weight| i32::from(weight)));
    table.push(steps.len() as i32);
    table.extend(steps);
    table
}

/// Returns the places in [`table`].
#[cfg(feature = "gpu")]
pub(super) fn table_constants() -> impl Iterator<Item = (&'static str, u32)> {
    let names = ["UNIT", "BIAS", "DROPPED_BITS", "ADDITION", "FACTOR", "BYTE", "TOP", "CODES"];
    let lists = [("EIGHT_WEIGHTS", 8), ("SIX_WEIGHTS", 14), ("STEP_COUNT", 18), ("STEPS", 19)];
    names.into_iter().zip(0..).chain(lists)
}

/// Refits blocks by the values of a rule, if it is NVIDIA's. Sources are the bytes from bit `bit` on, or
/// whole numbers of units without it. Only the texels in `visible` count.
#[inline(always)]
pub(super) fn refit_batch<S: Simd>(
    s: S,
    (rule, quality): (&ValueRule, Quality),
    texels: &BatchTexels,
    bit: Option<u32>,
    visible: &[i32; BATCH],
    blocks: &mut BatchBlocks,
) {
    let Some(units) = Units::new(rule) else { return };
    let (mask, factor) = if bit.is_some() { (255, units.byte) } else { (-1, 1) };
    let (shift, mask, factor) = (s.i(bit.unwrap_or(0) as i32), s.i(mask), s.f(factor as f32));
    for first in (0..BATCH).step_by(S::LANES) {
        let mut sources = [s.f(0.0); 16];
        for (source, texels) in sources.iter_mut().zip(texels) {
            *source = (s.load_i(&texels[first..]).shr_by(shift) & mask).to_f() * factor;
        }
        let visible = s.load_i(&visible[first..]);
        let words = [s.load_i(&blocks[0][first..]), s.load_i(&blocks[1][first..])];
        let refitted = s.call(Refit { rule, units, quality, sources: &sources, visible, words });
        refitted[0].store(&mut blocks[0][first..]);
        refitted[1].store(&mut blocks[1][first..]);
    }
}

/// Refits the block in each lane. Returns its two words.
struct Refit<'a, S: Simd> {
    rule: &'a ValueRule,
    units: &'static Units,
    quality: Quality,
    /// Texels in units.
    sources: &'a [S::F; 16],
    /// Texels that count, one bit each.
    visible: S::I,
    /// The block's two words.
    words: [S::I; 2],
}

impl<S: Simd> LaneFn<S> for Refit<'_, S> {
    type Output = [S::I; 2];
    #[inline(always)]
    fn run(self, s: S) -> [S::I; 2] {
        let (byte, units) = (s.i(255), self.units);
        let offset = s.i(if units.is_signed() { 127 } else { 0 });
        let mut a = ((self.words[0] + offset) & byte).to_f();
        let mut b = ((self.words[0].shr::<8>() + offset) & byte).to_f();
        let mut counts = [s.f(1.0); 16];
        for (t, count) in counts.iter_mut().enumerate() {
            *count = count.or_if((self.visible & s.i(1 << t)).eq(s.i(0)), s.f(0.0));
        }
        let texels = Texels { units, sources: self.sources, counts: &counts };
        if self.quality >= Quality::Normal {
            let best = s.call(Search { rule: self.rule, quality: self.quality, texels: &texels, a, b });
            (a, b) = (best.a, best.b);
        }
        let palette = palette(s, units, a, b);
        let halves = [indices(s, &palette, &self.sources[..8]), indices(s, &palette, &self.sources[8..])];
        let (r0, r1) = ((a.to_i() - offset) & byte, (b.to_i() - offset) & byte);
        let low = r0 | r1.shl::<8>() | halves[0].shl::<16>();
        [low, halves[0].shr::<16>() | halves[1].shl::<8>()]
    }
}

/// Texels of the block in each lane.
#[derive(Clone, Copy)]
struct Texels<'a, S: Simd> {
    units: &'static Units,
    sources: &'a [S::F; 16],
    /// 1 for texels that count, else 0.
    counts: &'a [S::F; 16],
}

/// Returns the values of indices 0 to 7 in units.
#[inline(always)]
pub(super) fn palette<S: Simd>(s: S, units: &Units, a: S::F, b: S::F) -> [S::F; 8] {
    let (zero, difference, top) = (s.f(0.0), a - b, s.f(units.top as f32));
    let unit = s.f(units.unit as f32);
    let (mut of_a, mut of_b) = (s.f(units.addition as f32), s.f(units.addition as f32));
    if units.is_signed() {
        (of_a, of_b) = (of_a + half(s, a), of_b + half(s, b));
    }
    let is_eight = b.lt(a);
    let (factor, start) = (s.f(units.factor as f32), b * unit);
    let (bias, scale) = (s.f(units.bias as f32), s.f(1.0 / (1u32 << units.dropped_bits) as f32));
    let of_five = of_b.or_if(is_eight, of_a);
    let additions = [of_a, of_a, of_b, of_five, of_b, of_b];
    let mut values = [zero; 8];
    values[0] = (a * unit + of_a) * factor;
    values[1] = (start + of_b) * factor;
    for k in 0..6 {
        let eight = s.f(units.weights.eight[k].into());
        let weight = units.weights.six.get(k).map_or(eight, |&six| s.f(six.into()).or_if(is_eight, eight));
        let value = (weight.mul_add(difference, bias) * scale).floor() + start;
        values[k + 2] = (value + additions[k]) * factor;
    }
    values[6] = zero.or_if(is_eight, values[6]);
    values[7] = top.or_if(is_eight, values[7]);
    values
}

/// Returns the extra step of a signed endpoint: its sign, if it is at least 64 from 0.
#[inline(always)]
fn half<S: Simd>(s: S, code: S::F) -> S::F {
    s.f(0.0).or_if(s.f(190.5).lt(code), s.f(1.0)).or_if(code.lt(s.f(63.5)), s.f(-1.0))
}

/// Returns the distance between two numbers.
#[inline(always)]
fn distance<S: Simd>(s: S, a: S::F, b: S::F) -> S::F {
    // Without the sign.
    ((a - b).bits() & s.i(i32::MAX)).float_of_bits()
}

/// Returns the indices of the nearest values of eight texels, 3 bits each: the lower index of equal
/// distances.
#[inline(always)]
fn indices<S: Simd>(s: S, palette: &[S::F; 8], sources: &[S::F]) -> S::I {
    let mut indices = s.f(0.0);
    for &source in sources.iter().rev() {
        let (mut least, mut index) = (distance(s, source, palette[0]), s.f(0.0));
        for (k, &value) in palette.iter().enumerate().skip(1) {
            let d = distance(s, source, value);
            index = index.or_if(d.lt(least), s.f(k as f32));
            least = least.min(d);
        }
        indices = indices.mul_add(s.f(8.0), index);
    }
    indices.to_i()
}

/// Sum of squared errors: the upper bits, then 16 bits, then 16 bits.
#[derive(Clone, Copy)]
struct Squares<S: Simd>([S::F; 3]);

impl<S: Simd> Squares<S> {
    /// Returns a mask of the lanes where this sum is smaller.
    #[inline(always)]
    fn lt(&self, other: &Self) -> S::M {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        a.lt(x) | (!x.lt(a) & (b.lt(y) | (!y.lt(b) & c.lt(z))))
    }
}

/// Endpoints and their error.
#[derive(Clone, Copy)]
struct Found<S: Simd> {
    error: Squares<S>,
    a: S::F,
    b: S::F,
}

impl<S: Simd> Found<S> {
    /// Returns `other` where the mask is true, else `self`.
    #[inline(always)]
    fn or_if(&self, mask: S::M, other: &Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.error.0, other.error.0);
        Self {
            error: Squares([a.or_if(mask, x), b.or_if(mask, y), c.or_if(mask, z)]),
            a: self.a.or_if(mask, other.a),
            b: self.b.or_if(mask, other.b),
        }
    }
}

/// Returns a number without its lowest digit, and this digit.
#[inline(always)]
fn split<S: Simd>(s: S, number: S::F) -> (S::F, S::F) {
    let upper = (number * s.f(1.0 / 256.0)).floor();
    (upper, upper.mul_add(s.f(-256.0), number))
}

/// Measures two endpoints.
struct Measure<'a, S: Simd> {
    texels: &'a Texels<'a, S>,
    a: S::F,
    b: S::F,
}

impl<S: Simd> LaneFn<S> for Measure<'_, S> {
    type Output = Found<S>;
    #[inline(always)]
    fn run(self, s: S) -> Found<S> {
        let Self { texels, a, b } = self;
        let palette = palette(s, texels.units, a, b);
        // Distances have three digits of 8 bits. Each sum of their products is below 2²².
        let mut sums = [s.f(0.0); 5];
        for (&source, &count) in texels.sources.iter().zip(texels.counts) {
            let mut least = distance(s, source, palette[0]);
            for &value in &palette[1..] {
                least = least.min(distance(s, source, value));
            }
            let (upper, z) = split(s, least * count);
            let (x, y) = split(s, upper);
            sums[0] = z.mul_add(z, sums[0]);
            sums[1] = y.mul_add(z, sums[1]);
            sums[2] = (x + x).mul_add(z, y.mul_add(y, sums[2]));
            sums[3] = x.mul_add(y, sums[3]);
            sums[4] = x.mul_add(x, sums[4]);
        }
        let [s0, s1, s2, s3, s4] = sums;
        let base = s.f(256.0);
        let (carry, d0) = split(s, s0);
        let (carry, d1) = split(s, s1 + s1 + carry);
        let (carry, d2) = split(s, s2 + carry);
        let (carry, d3) = split(s, s3 + s3 + carry);
        let error = Squares([s4 + carry, d3.mul_add(base, d2), d1.mul_add(base, d0)]);
        Found { error, a, b }
    }
}

/// Searches for endpoints, from quality normal on.
struct Search<'a, S: Simd> {
    rule: &'a ValueRule,
    quality: Quality,
    texels: &'a Texels<'a, S>,
    a: S::F,
    b: S::F,
}

impl<S: Simd> LaneFn<S> for Search<'_, S> {
    type Output = Found<S>;
    #[inline(always)]
    fn run(self, s: S) -> Found<S> {
        let Self { rule, quality, texels, a, b } = self;
        let steps = steps(quality);
        let mut best = s.call(Measure { texels, a, b });
        if !s.f(0.0).lt(best.error.0[0] + best.error.0[1] + best.error.0[2]).any() {
            return best;
        }
        let mut second = Found { error: Squares([s.f(f32::MAX); 3]), a, b };
        if quality == Quality::Best {
            s.call(Climb { texels, steps, best: &mut best });
        }
        let [outer, inner] = ranges(s, texels);
        let (eight, six) = (RuleLanes::new(s, rule, EIGHT_VALUES), RuleLanes::new(s, rule, SIX_VALUES));
        for j in 0..1 + 2 * SPREADS.len() {
            let (a, b) = if let Some(j) = j.checked_sub(1) {
                let (used, i) = SPREADS[j / 2];
                let is_six = j % 2 == 1;
                if is_six && used + i > SIX_VALUES {
                    continue;
                }
                let (rule, ends) = if is_six { (&six, inner) } else { (&eight, outer) };
                let (low, high) = spread(s, rule, used, i, ends.0, ends.1);
                if is_six { (low, high) } else { (high, low) }
            } else {
                (b, a)
            };
            let mut start = s.call(Measure { texels, a, b });
            if quality == Quality::Best {
                s.call(Climb { texels, steps, best: &mut start });
            }
            let is_better = start.error.lt(&best.error);
            let is_second = best.error.lt(&start.error) & start.error.lt(&second.error);
            second = second.or_if(is_second, &start).or_if(is_better, &best);
            best = best.or_if(is_better, &start);
        }
        if quality != Quality::Best {
            s.call(Climb { texels, steps, best: &mut best });
        }
        if quality == Quality::High {
            s.call(Climb { texels, steps, best: &mut second });
            best = best.or_if(second.error.lt(&best.error), &second);
        }
        best
    }
}

/// Returns the codes of the smallest and the largest texel: of all texels, then of those that are not at an
/// end of the code range, if there are any.
#[inline(always)]
fn ranges<S: Simd>(s: S, texels: &Texels<'_, S>) -> [(S::F, S::F); 2] {
    let (zero, top) = (s.f(0.0), s.f(texels.units.top as f32));
    let (mut outer, mut inner) = ((top, zero), (top, zero));
    for &source in texels.sources {
        outer = (outer.0.min(source), outer.1.max(source));
        inner.0 = inner.0.min(top.or_if(zero.lt(source), source));
        inner.1 = inner.1.max(zero.or_if(source.lt(top), source));
    }
    let none = inner.1.lt(inner.0);
    let inner = (inner.0.or_if(none, outer.0), inner.1.or_if(none, outer.1));
    // No source is halfway between two codes.
    let scale = s.f(texels.units.codes());
    [
        ((outer.0 * scale).round(), (outer.1 * scale).round()),
        ((inner.0 * scale).round(), (inner.1 * scale).round()),
    ]
}

/// Moves endpoints by each step in turn, and keeps each improvement immediately.
struct Climb<'a, 'b, S: Simd> {
    texels: &'a Texels<'a, S>,
    steps: &'static [i32],
    best: &'b mut Found<S>,
}

impl<S: Simd> LaneFn<S> for Climb<'_, '_, S> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self { texels, steps, best } = self;
        let (zero, top) = (s.f(0.0), s.f(texels.units.top_code as f32));
        for &step in steps {
            for (a, b) in MOVES {
                let a = (best.a + s.f(a * step as f32)).max(zero).min(top);
                let b = (best.b + s.f(b * step as f32)).max(zero).min(top);
                let moved = s.call(Measure { texels, a, b });
                *best = best.or_if(moved.error.lt(&best.error), &moved);
            }
        }
    }
}
