//! Weights of texels, and endpoints that fit weights.

use super::texels::along;
use crate::{
    ColorSpace,
    astc::coding::Ends,
    bc::{block::CENTER, numbers::reciprocal},
    simd::{Float, Int, Simd},
};

/// Form of decoded colours. With w from −32 to 32, a value is ⌊(w · step + 32 · (a + b)) · `scale` +
/// `offset`⌋ for the endpoints a and b = a + step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Form {
    scale: f32,
    offset: f32,
    /// Factor and summand from colours to the endpoints, in quarters, whose decoded colours they are on
    /// average.
    factor: f32,
    summand: f32,
    /// Share of the sum of two endpoints that decoded colours have more.
    bias: f32,
}

impl Form {
    /// Returns the form of textures in a colour space: ⌊(257 · u + 32) / 16384⌋, or for sRGB
    /// ⌊(256 · u + 8224) / 16384⌋, for the sum u of endpoints times weights in 64ths.
    pub const fn of(color_space: ColorSpace) -> Self {
        match color_space {
            ColorSpace::Linear => Self {
                scale: 257.0 / 16384.0,
                offset: 32.0 / 16384.0,
                factor: 4.0 * 255.0 / 256.0,
                summand: 2.0,
                bias: 1.0 / 256.0,
            },
            ColorSpace::Srgb => {
                Self { scale: 1.0 / 64.0, offset: 8224.0 / 16384.0, factor: 4.0, summand: 0.0, bias: 0.0 }
            }
        }
    }

    /// Returns the numbers of the kernels.
    #[cfg(feature = "gpu")]
    pub fn constants(self) -> [(&'static str, f32); 5] {
        [
            ("VALUE_SCALE", self.scale),
            ("VALUE_OFFSET", self.offset),
            ("FACTOR", self.factor),
            ("SUMMAND", self.summand),
            ("BIAS", self.bias),
        ]
    }

    /// Returns targets of endpoints: integers in quarters, 0 to 1,020.
    #[inline(always)]
    pub(super) fn targets<S: Simd, const CHANNELS: usize>(
        self,
        s: S,
        mut ends: Ends<S, CHANNELS>,
    ) -> Ends<S, CHANNELS> {
        for end in [&mut ends.a, &mut ends.b] {
            for value in end {
                let quarters = *value * s.f(self.factor) + s.f(self.summand);
                *value = quarters.round().max(s.f(0.0)).min(s.f(1020.0));
            }
        }
        ends
    }
}

/// Levels of weights, half of which are on each side of the middle. Number m from the middle on is
/// 32 ± ⌊m · `step` + `start`⌋.
#[derive(Clone, Copy)]
pub(super) struct Range {
    /// Highest number m.
    last: f32,
    step: f32,
    start: f32,
    /// The nearest m for a distance from the middle in 32nds: `factor` · distance − `summand`, rounded.
    factor: f32,
    summand: f32,
}

/// 24 levels of weights, for one part without alpha.
pub(super) const WEIGHTS_24: Range =
    Range { last: 11.0, step: 2.75, start: 2.5, factor: 32.0 / 2.75, summand: 2.125 / 2.75 };
/// 12 levels, for one part with alpha.
pub(super) const WEIGHTS_12: Range =
    Range { last: 5.0, step: 5.75, start: 4.0, factor: 32.0 / 5.8, summand: 3.6 / 5.8 };
/// 6 levels, for two parts.
pub(super) const WEIGHTS_6: Range =
    Range { last: 2.0, step: 12.5, start: 7.5, factor: 32.0 / 12.5, summand: 7.25 / 12.5 };

impl Range {
    /// Returns the numbers of the kernels.
    #[cfg(feature = "gpu")]
    pub fn numbers(self) -> [f32; 5] {
        [self.last, self.step, self.start, self.factor, self.summand]
    }

    /// Returns the number m nearest to a distance from the middle, in 32nds divided by `factor`.
    #[inline(always)]
    fn nearest<S: Simd>(self, s: S, distance: S::F) -> S::F {
        (distance - s.f(self.summand)).round().max(s.f(0.0)).min(s.f(self.last))
    }

    /// Returns the weight with the number `m` on one side of the middle, −32 to 32.
    #[inline(always)]
    fn weight<S: Simd>(self, s: S, m: S::F, is_high: S::M) -> S::F {
        let w = m.mul_add(s.f(self.step), s.f(self.start)).floor();
        (s.f(0.0) - w).or_if(is_high, w)
    }
}

/// The range of projections of a part's texels on an axis.
#[derive(Clone, Copy)]
pub(super) struct Span<S: Simd> {
    pub low: S::F,
    pub high: S::F,
}

impl<S: Simd> Span<S> {
    /// Returns the sum of both ends, and the factor from distances to the middle to those of
    /// [`Range::nearest`].
    #[inline(always)]
    pub fn scale(self, s: S, range: Range) -> [S::F; 2] {
        let length = (self.high - self.low).max(s.f(1.0));
        [self.low + self.high, reciprocal(s, length) * s.f(range.factor)]
    }
}

/// Returns the weight of a texel at a projection, in a [scaled](Span::scale) span.
#[inline(always)]
pub(super) fn weight_in_span<S: Simd>(s: S, range: Range, [both, inverse]: [S::F; 2], along: S::F) -> S::F {
    let twice = along + along - both;
    let distance = twice.max(s.f(0.0) - twice) * inverse;
    range.weight(s, range.nearest(s, distance), s.f(0.0).lt(twice))
}

/// Interpolation between decoded endpoints.
#[derive(Clone, Copy)]
pub(super) struct Line<S: Simd, const CHANNELS: usize> {
    pub step: [S::F; CHANNELS],
    /// Twice the position of a centred texel is its product with `step` times 2, plus this.
    pub base: S::F,
    pub inverse: S::F,
    /// A centred value is ⌊w · slope + start⌋.
    pub slope: [S::F; CHANNELS],
    pub start: [S::F; CHANNELS],
    /// True if opaque texels take an endpoint, and if that is the second. Only with alpha.
    opaque: [S::M; 2],
}

impl<S: Simd, const CHANNELS: usize> Line<S, CHANNELS> {
    #[inline(always)]
    pub fn new(s: S, form: Form, range: Range, ends: &Ends<S, CHANNELS>) -> Self {
        let zero = s.f(0.0);
        let mut line = Self {
            step: [zero; CHANNELS],
            base: zero,
            inverse: zero,
            slope: [zero; CHANNELS],
            start: [zero; CHANNELS],
            opaque: [s.none(); 2],
        };
        let (mut length, mut base, mut bias) = (zero, zero, zero);
        for c in 0..CHANNELS {
            let step = ends.b[c] - ends.a[c];
            let both = ends.a[c] + ends.b[c];
            line.step[c] = step;
            length = step.mul_add(step, length);
            base = step.mul_add(s.f(2.0 * CENTER) - both, base);
            bias = step.mul_add(s.f(255.0) - both, bias);
            line.slope[c] = step * s.f(form.scale);
            line.start[c] = both.mul_add(s.f(32.0 * form.scale), s.f(form.offset - CENTER));
        }
        line.base = bias.mul_add(s.f(form.bias), base);
        line.inverse = reciprocal(s, length.max(s.f(1.0))) * s.f(range.factor);
        if CHANNELS == 4 {
            let is_second = s.f(0.0).lt(line.step[3]);
            let greatest = ends.a[3].max(ends.b[3]);
            let differs = is_second | line.step[3].lt(s.f(0.0));
            line.opaque = [differs & s.f(254.0).lt(greatest), is_second];
        }
        line
    }

    /// Returns the squared error of a weight for a texel.
    #[inline(always)]
    fn error(&self, w: S::F, x: &[S::F; CHANNELS]) -> S::F {
        let first = w.mul_add(self.slope[0], self.start[0]).floor() - x[0];
        let mut error = first * first;
        for c in 1..CHANNELS {
            let difference = w.mul_add(self.slope[c], self.start[c]).floor() - x[c];
            error = difference.mul_add(difference, error);
        }
        error
    }

    /// Returns the line `other` where the mask is true.
    #[inline(always)]
    fn or_if(mut self, mask: S::M, other: &Self) -> Self {
        for c in 0..CHANNELS {
            self.step[c] = self.step[c].or_if(mask, other.step[c]);
            self.slope[c] = self.slope[c].or_if(mask, other.slope[c]);
            self.start[c] = self.start[c].or_if(mask, other.start[c]);
        }
        self.base = self.base.or_if(mask, other.base);
        self.inverse = self.inverse.or_if(mask, other.inverse);
        self
    }
}

/// Sums over the texels of a part for a regression: of weights w from −32 to 32, of their squares, and of
/// products with channels.
#[derive(Clone, Copy)]
pub(super) struct Moments<S: Simd, const CHANNELS: usize> {
    pub of: S::F,
    pub squares: S::F,
    pub products: [S::F; CHANNELS],
}

impl<S: Simd, const CHANNELS: usize> Moments<S, CHANNELS> {
    #[inline(always)]
    pub fn zero(s: S) -> Self {
        Self { of: s.f(0.0), squares: s.f(0.0), products: [s.f(0.0); CHANNELS] }
    }

    #[inline(always)]
    pub fn add(&mut self, w: S::F, x: &[S::F; CHANNELS]) {
        self.of = self.of + w;
        self.squares = w.mul_add(w, self.squares);
        for c in 0..CHANNELS {
            self.products[c] = w.mul_add(x[c], self.products[c]);
        }
    }

    #[inline(always)]
    pub fn less(mut self, other: &Self) -> Self {
        self.of = self.of - other.of;
        self.squares = self.squares - other.squares;
        for c in 0..CHANNELS {
            self.products[c] = self.products[c] - other.products[c];
        }
        self
    }

    /// Returns the endpoints, not rounded, that best fit the weights of `count` texels with these sums of
    /// channels. If all weights are equal, both are the mean.
    #[inline(always)]
    pub fn fitted(&self, s: S, sums: &[S::F; CHANNELS], count: S::F) -> Ends<S, CHANNELS> {
        let zero = s.f(0.0);
        let determinant = count.mul_add(self.squares, zero - self.of * self.of);
        let of_count = reciprocal(s, count);
        let scale = reciprocal(s, determinant.max(s.f(1.0)));
        let reach = count * s.f(32.0);
        let mut ends = Ends { a: *sums, b: *sums };
        for c in 0..CHANNELS {
            let slope = count.mul_add(self.products[c], zero - self.of * sums[c]) * scale;
            ends.a[c] = (sums[c] - slope * (self.of + reach)) * of_count + s.f(CENTER);
            ends.b[c] = (sums[c] - slope * (self.of - reach)) * of_count + s.f(CENTER);
        }
        ends
    }
}

/// Weights of a block: for each texel 2·m, plus 1 for those above the middle, five bits each: six texels,
/// six, four.
#[derive(Clone, Copy)]
pub(super) struct Weights<S: Simd> {
    pub packed: [S::I; 3],
    pub error: S::F,
}

impl<S: Simd> Weights<S> {
    /// Returns `other` where the mask is true, else `self`.
    #[inline(always)]
    pub fn or_if(mut self, mask: S::M, other: &Self) -> Self {
        for (word, &other) in self.packed.iter_mut().zip(&other.packed) {
            *word = word.or_if(mask, other);
        }
        self.error = self.error.or_if(mask, other.error);
        self
    }
}

/// Returns the word and the place in it of a texel's weight.
pub(super) const fn place(t: usize) -> (usize, i32) {
    (t / 6, 5 * (t as i32 % 6))
}

/// Finds the weights nearest to texels.
#[inline(always)]
pub(super) fn weights<S: Simd, const CHANNELS: usize, const COUNTS: bool>(
    s: S,
    x: &[[S::F; CHANNELS]; 16],
    visible: S::I,
    range: Range,
    line: &Line<S, CHANNELS>,
) -> (Weights<S>, Moments<S, CHANNELS>) {
    let mut found: Weights<S> = Weights { packed: [s.i(0); 3], error: s.f(0.0) };
    let mut moments = Moments::zero(s);
    for t in 0..16 {
        let Weight { code, w, error } = weight::<S, CHANNELS, COUNTS>(s, range, line, &x[t]);
        let (word, shift) = place(t);
        found.packed[word] = found.packed[word] | code.to_i().shl_by(s.i(shift));
        if COUNTS {
            moments.add(w, &x[t]);
            found.error = found.error.add_if(s.i(0).lt(visible & s.i(1 << t)), error);
        }
    }
    (found, moments)
}

/// The same for two parts: texels in `second` have the second line.
#[inline(always)]
pub(super) fn weights_of_two<S: Simd, const CHANNELS: usize>(
    s: S,
    x: &[[S::F; CHANNELS]; 16],
    visible: S::I,
    second: S::I,
    range: Range,
    lines: &[Line<S, CHANNELS>; 2],
) -> Weights<S> {
    let mut found: Weights<S> = Weights { packed: [s.i(0); 3], error: s.f(0.0) };
    for t in 0..16 {
        let is_second = s.i(0).lt(second & s.i(1 << t));
        let line = lines[0].or_if(is_second, &lines[1]);
        let Weight { code, error, .. } = weight::<S, CHANNELS, true>(s, range, &line, &x[t]);
        let (word, shift) = place(t);
        found.packed[word] = found.packed[word] | code.to_i().shl_by(s.i(shift));
        found.error = found.error.add_if(s.i(0).lt(visible & s.i(1 << t)), error);
    }
    found
}

/// Weight of a texel: its code, −32 to 32, and the squared error. Without `COUNTS` only the code.
struct Weight<S: Simd> {
    code: S::F,
    w: S::F,
    error: S::F,
}

/// Returns the weight nearest to a texel, or if it `COUNTS` the better of those on both sides.
#[inline(always)]
fn weight<S: Simd, const CHANNELS: usize, const COUNTS: bool>(
    s: S,
    range: Range,
    line: &Line<S, CHANNELS>,
    x: &[S::F; CHANNELS],
) -> Weight<S> {
    let zero = s.f(0.0);
    let twice = along::<S, CHANNELS>(s, &line.step, x).mul_add(s.f(2.0), line.base);
    let is_high = zero.lt(twice);
    let distance = twice.max(zero - twice) * line.inverse;
    if !COUNTS {
        let m = range.nearest(s, distance);
        return Weight { code: (m + m).add_if(is_high, s.f(1.0)), w: zero, error: zero };
    }
    // −1 is the first weight on the other side of the middle.
    let one = s.f(1.0);
    let last = s.f(range.last);
    let mut inner = (distance - s.f(range.summand)).floor().max(zero - one).min(last - one);
    let mut outer = inner + one;
    let mut side = (zero - one).or_if(is_high, one);
    if CHANNELS == 4 {
        let is_opaque = line.opaque[0] & s.f(126.0).lt(x[3]);
        inner = inner.or_if(is_opaque, last);
        outer = outer.or_if(is_opaque, last);
        side = side.or_if(is_opaque, (zero - one).or_if(line.opaque[1], one));
    }
    let crosses = inner.lt(zero);
    let first = s.f((range.start).floor());
    let near = inner.mul_add(s.f(range.step), s.f(range.start)).floor().or_if(crosses, zero - first) * side;
    let far = outer.mul_add(s.f(range.step), s.f(range.start)).floor() * side;
    let (near_error, far_error) = (line.error(near, x), line.error(far, x));
    let is_far = far_error.lt(near_error);
    let side = side.or_if(crosses & !is_far, zero - side);
    let m = inner.max(zero).or_if(is_far, outer);
    Weight {
        code: (m + m).add_if(zero.lt(side), one),
        w: near.or_if(is_far, far),
        error: near_error.min(far_error),
    }
}
