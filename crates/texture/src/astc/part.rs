//! Parts in lanes: their texels, and the errors of endpoints for them.

use super::{coding::Ends, ranks::Ranks};
use crate::{
    ChannelWeights, ColorSpace,
    bc::{batch::BATCH, block::bytes, order::axis_of},
    simd::{Float, Int, Simd},
};

/// Texels of [`BATCH`] parts.
pub(crate) struct PartTexels<'a> {
    /// Texels of blocks, one after another, red in the lowest byte: the bits of floats.
    pub blocks: &'a [f32],
    /// Position of each part's block in `blocks`.
    pub starts: [i32; BATCH],
    /// Positions of a part's texels in its block, four bits each, padded with the last one: first eight
    /// texels, then the others.
    pub orders: [[i32; BATCH]; 2],
    /// Number of texels of each part.
    pub counts: [i32; BATCH],
    /// Maximum of these numbers.
    pub longest: usize,
    /// Form of the decoded colours.
    pub form: Form,
}

impl PartTexels<'_> {
    /// Returns the positions of the parts' texels `t` in their blocks, in the lanes from `first` on.
    #[inline(always)]
    pub fn places<S: Simd>(&self, s: S, t: usize, first: usize) -> S::I {
        let order = s.load_i(&self.orders[t / 8][first..]);
        order.shr_by(s.i(4 * (t as i32 % 8))) & s.i(15)
    }
}

/// Interpolation between decoded endpoints.
pub(crate) struct Line<S: Simd, const CHANNELS: usize> {
    /// Difference of the endpoints, weighted.
    step: [S::F; CHANNELS],
    /// Position of colour 0 on the line, and the factor from positions to ranks, of both planes.
    base: [S::F; 2],
    inverse: [S::F; 2],
    /// A value is weight · slope + start, rounded to nearest.
    slope: [S::F; CHANNELS],
    start: [S::F; CHANNELS],
    weights: Weights<S, CHANNELS>,
}

/// Weights of squared errors by channel; `None` if all are 1.
type Weights<S, const CHANNELS: usize> = Option<[<S as Simd>::F; CHANNELS]>;

/// Form of decoded colours, whose errors count. For a weight, the sum of endpoints times weights in 64ths,
/// plus `offset`, times `scale` / 64, is rounded to nearest. It is never halfway between integers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Form {
    /// Factor of an endpoint.
    scale: f32,
    offset: f32,
    /// Summand of a colour whose value is right on average: about −`offset` · `scale` / 64.
    rounding: f32,
    /// Weights of squared errors in red, green, blue and alpha; `None` if all are 1.
    weights: Option<[f32; 4]>,
}

impl Form {
    /// Returns the form of textures in a colour space. Linear values are truncated: ⌊(257 · u + 32) / 16384⌋
    /// for the sum u. Those of sRGB are ⌊(256 · u + 8224) / 16384⌋.
    pub const fn of(color_space: ColorSpace) -> Self {
        let (scale, offset, rounding) = match color_space {
            ColorSpace::Linear => (257.0 / 256.0, -31.75, 0.498),
            ColorSpace::Srgb => (1.0, 0.125, 0.0),
        };
        Self { scale, offset, rounding, weights: None }
    }

    /// Returns the form with weights of errors.
    pub fn weighted(self, weights: ChannelWeights) -> Self {
        Self { weights: (weights != ChannelWeights::UNIFORM).then(|| weights.rgba()), ..self }
    }
}

/// Number of planes, and first channel of the second plane.
const fn planes<const CHANNELS: usize, const DUAL: bool>() -> (usize, usize) {
    if DUAL { (2, CHANNELS - 1) } else { (1, CHANNELS) }
}

impl<S: Simd, const CHANNELS: usize> Line<S, CHANNELS> {
    /// Returns the line between decoded endpoints. If `DUAL`, the last channel has its own plane.
    #[inline(always)]
    pub fn new<const DUAL: bool>(
        s: S,
        part: &Part<S, CHANNELS>,
        ranks: &Ranks<S>,
        ends: &Ends<S, CHANNELS>,
    ) -> Self {
        let (zero, form) = (s.f(0.0), part.form);
        let mut line = Self {
            step: [zero; CHANNELS],
            base: [zero; 2],
            inverse: [zero; 2],
            slope: [zero; CHANNELS],
            start: [zero; CHANNELS],
            weights: part.weights,
        };
        let (count, second) = planes::<CHANNELS, DUAL>();
        let mut length = [zero; 2];
        for c in 0..CHANNELS {
            let plane = usize::from(c >= second);
            let step = ends.b[c] - ends.a[c];
            let weighted = part.weights.as_ref().map_or(step, |weights| step * weights[c]);
            line.step[c] = weighted;
            length[plane] = step.mul_add(weighted, length[plane]);
            line.base[plane] =
                line.base[plane] + (s.f(form.rounding) - ends.a[c] * s.f(form.scale)) * weighted;
            line.slope[c] = step * s.f(form.scale / 64.0);
            // 257 · (64 · endpoint − 31.75) has at most 24 bits.
            let start = ends.a[c].mul_add(s.f(64.0), s.f(form.offset));
            line.start[c] = start * s.f(form.scale / 64.0);
        }
        for plane in 0..count {
            line.inverse[plane] = ranks.last / (length[plane].max(s.f(1.0)) * s.f(form.scale));
        }
        line
    }

    /// Returns the projection of a texel in a plane, as a rank that is not rounded.
    #[inline(always)]
    fn place<const DUAL: bool>(&self, s: S, plane: usize, x: &Texel<S, CHANNELS>) -> S::F {
        let (_, second) = planes::<CHANNELS, DUAL>();
        let mut along = s.f(0.0);
        for c in if plane == 0 { 0..second } else { second..CHANNELS } {
            along = x.value[c].mul_add(self.step[c], along);
        }
        (along + self.base[plane]) * self.inverse[plane]
    }

    /// Returns the squared error of a weight for a texel in a plane.
    #[inline(always)]
    fn error<const DUAL: bool>(&self, s: S, plane: usize, weight: S::F, x: &Texel<S, CHANNELS>) -> S::F {
        let (_, second) = planes::<CHANNELS, DUAL>();
        let mut error = s.f(0.0);
        for c in if plane == 0 { 0..second } else { second..CHANNELS } {
            let value = weight.mul_add(self.slope[c], self.start[c]) + s.f(ROUNDER);
            let difference = value - x.rounder[c];
            error = match &self.weights {
                Some(weights) => (difference * difference).mul_add(weights[c], error),
                None => difference.mul_add(difference, error),
            };
        }
        error
    }

    /// Returns the better rank of the two beside the projection of a texel in a plane, and its weight and
    /// squared error.
    #[inline(always)]
    pub fn best<const DUAL: bool>(
        &self,
        s: S,
        ranks: &Ranks<S>,
        plane: usize,
        x: &Texel<S, CHANNELS>,
    ) -> (S::F, S::F, S::F) {
        let low = self.place::<DUAL>(s, plane, x).floor().max(s.f(0.0)).min(ranks.last - s.f(1.0));
        let high = low + s.f(1.0);
        let low_weight = ranks.weight(s, low);
        let high_weight = ranks.weight(s, high);
        let low_error = self.error::<DUAL>(s, plane, low_weight, x);
        let high_error = self.error::<DUAL>(s, plane, high_weight, x);
        let is_high = high_error.lt(low_error);
        (low.or_if(is_high, high), low_weight.or_if(is_high, high_weight), low_error.min(high_error))
    }
}

/// Rounder for floats between −2²² and 2²²: adding it rounds to nearest.
const ROUNDER: f32 = 12_582_912.0;

/// Texel of one part per lane.
#[derive(Clone, Copy)]
pub(crate) struct Texel<S: Simd, const CHANNELS: usize> {
    /// Channels, 0 to 255.
    value: [S::F; CHANNELS],
    /// The same plus [`ROUNDER`].
    rounder: [S::F; CHANNELS],
}

/// Sums of one plane for a regression: weights in 64ths and their squares.
#[derive(Clone, Copy)]
struct PlaneSums<S: Simd> {
    weight: S::F,
    square: S::F,
}

/// Sums for a regression, with products of weights and channels.
pub(crate) struct Moments<S: Simd, const CHANNELS: usize> {
    planes: [PlaneSums<S>; 2],
    products: [S::F; CHANNELS],
}

impl<S: Simd, const CHANNELS: usize> Moments<S, CHANNELS> {
    #[inline(always)]
    fn zero(s: S) -> Self {
        let sums = PlaneSums { weight: s.f(0.0), square: s.f(0.0) };
        Self { planes: [sums; 2], products: [s.f(0.0); CHANNELS] }
    }

    /// Adds a texel `one` times.
    #[inline(always)]
    fn add<const DUAL: bool>(&mut self, plane: usize, weight: S::F, one: S::F, x: &Texel<S, CHANNELS>) {
        let (_, second) = planes::<CHANNELS, DUAL>();
        let counted = weight * one;
        let sums = &mut self.planes[plane];
        sums.weight = sums.weight + counted;
        sums.square = counted.mul_add(weight, sums.square);
        for c in if plane == 0 { 0..second } else { second..CHANNELS } {
            self.products[c] = counted.mul_add(x.value[c], self.products[c]);
        }
    }
}

/// Parts of `CHANNELS` channels, one in each lane.
pub(crate) struct Part<S: Simd, const CHANNELS: usize> {
    pub longest: usize,
    count: S::F,
    pub x: [Texel<S, CHANNELS>; 16],
    /// 1 for each texel, 0 past the end.
    one: [S::F; 16],
    /// Sums of channels.
    sum: [S::F; CHANNELS],
    form: Form,
    weights: Weights<S, CHANNELS>,
}

impl<S: Simd, const CHANNELS: usize> Part<S, CHANNELS> {
    /// Loads the lanes from `first` on. The channel `plane` changes places with the last.
    #[inline(always)]
    pub fn load(s: S, texels: &PartTexels<'_>, plane: Option<usize>, first: usize) -> Self {
        let zero = s.f(0.0);
        let counts = s.load_i(&texels.counts[first..]);
        let starts = s.load_i(&texels.starts[first..]);
        let mut part = Self {
            longest: texels.longest,
            count: counts.to_f(),
            x: [Texel { value: [zero; CHANNELS], rounder: [zero; CHANNELS] }; 16],
            one: [zero; 16],
            sum: [zero; CHANNELS],
            form: texels.form,
            weights: texels.form.weights.map(|weights| {
                let mut weights = weights.map(|weight| s.f(weight));
                weights[..CHANNELS].swap(plane.unwrap_or(CHANNELS - 1), CHANNELS - 1);
                std::array::from_fn(|c| weights[c])
            }),
        };
        for t in 0..part.longest {
            let places = texels.places(s, t, first) + starts;
            let values = bytes(s, s.gather(texels.blocks, places).bits());
            part.one[t] = zero.or_if(s.i(t as i32).lt(counts), s.f(1.0));
            let x = &mut part.x[t];
            x.value.copy_from_slice(&values[..CHANNELS]);
            if let Some(plane) = plane {
                x.value.swap(plane, CHANNELS - 1);
            }
            for c in 0..CHANNELS {
                x.rounder[c] = x.value[c] + s.f(ROUNDER);
                part.sum[c] = x.value[c].mul_add(part.one[t], part.sum[c]);
            }
        }
        part
    }

    /// Returns the least-squares endpoints for the weights by projection on the line between `ends`, which
    /// need not be levels.
    #[inline(always)]
    pub fn line_fit<const DUAL: bool>(
        &self,
        s: S,
        ranks: &Ranks<S>,
        mut ends: Ends<S, CHANNELS>,
    ) -> Ends<S, CHANNELS> {
        // Eighths have exact products with texels, integers also with weights.
        let fineness: f32 = if self.weights.is_some() { 1.0 } else { 8.0 };
        for c in 0..CHANNELS {
            ends.a[c] = (ends.a[c] * s.f(fineness)).round() * s.f(1.0 / fineness);
            ends.b[c] = (ends.b[c] * s.f(fineness)).round() * s.f(1.0 / fineness);
        }
        let line = Line::new::<DUAL>(s, self, ranks, &ends);
        let mut moments = Moments::zero(s);
        for t in 0..self.longest {
            for plane in 0..planes::<CHANNELS, DUAL>().0 {
                let place = line.place::<DUAL>(s, plane, &self.x[t]).round();
                let weight = ranks.weight(s, place.max(s.f(0.0)).min(ranks.last));
                moments.add::<DUAL>(plane, weight, self.one[t], &self.x[t]);
            }
        }
        self.regression::<DUAL>(s, &moments, &ends)
    }

    /// Returns the squared error of decoded endpoints.
    #[inline(always)]
    pub fn error<const DUAL: bool>(&self, s: S, ranks: &Ranks<S>, ends: &Ends<S, CHANNELS>) -> S::F {
        let line = Line::new::<DUAL>(s, self, ranks, ends);
        let mut error = s.f(0.0);
        for t in 0..self.longest {
            for plane in 0..planes::<CHANNELS, DUAL>().0 {
                let (_, _, of_texel) = line.best::<DUAL>(s, ranks, plane, &self.x[t]);
                error = of_texel.mul_add(self.one[t], error);
            }
        }
        error
    }

    /// Returns this error and the weights' moments.
    #[inline(always)]
    pub fn error_and_moments<const DUAL: bool>(
        &self,
        s: S,
        ranks: &Ranks<S>,
        ends: &Ends<S, CHANNELS>,
    ) -> (S::F, Moments<S, CHANNELS>) {
        let line = Line::new::<DUAL>(s, self, ranks, ends);
        let mut error = s.f(0.0);
        let mut moments = Moments::zero(s);
        for t in 0..self.longest {
            for plane in 0..planes::<CHANNELS, DUAL>().0 {
                let (_, weight, of_texel) = line.best::<DUAL>(s, ranks, plane, &self.x[t]);
                error = of_texel.mul_add(self.one[t], error);
                moments.add::<DUAL>(plane, weight, self.one[t], &self.x[t]);
            }
        }
        (error, moments)
    }

    /// Returns the least-squares endpoints for the weights of `moments`, or `otherwise` where all weights are
    /// equal.
    #[inline(always)]
    pub fn regression<const DUAL: bool>(
        &self,
        s: S,
        moments: &Moments<S, CHANNELS>,
        otherwise: &Ends<S, CHANNELS>,
    ) -> Ends<S, CHANNELS> {
        let zero = s.f(0.0);
        let n = self.count;
        let one_of_n = s.f(1.0) / n.max(s.f(1.0));
        let mut ends = *otherwise;
        let (count, second) = planes::<CHANNELS, DUAL>();
        for plane in 0..count {
            let PlaneSums { weight, square } = moments.planes[plane];
            let determinant = n.mul_add(square, zero - weight * weight);
            let is_point = determinant.lt(s.f(1.0));
            let inverse = s.f(1.0) / determinant.max(s.f(1.0));
            for c in if plane == 0 { 0..second } else { second..CHANNELS } {
                let slope = n.mul_add(moments.products[c], zero - weight * self.sum[c]) * inverse;
                let a = (self.sum[c] - weight * slope) * one_of_n;
                let b = a + slope * s.f(64.0);
                ends.a[c] = endpoint(s, self.form, a).or_if(is_point, otherwise.a[c]);
                ends.b[c] = endpoint(s, self.form, b).or_if(is_point, otherwise.b[c]);
            }
        }
        ends
    }

    /// Returns the endpoints of the texels' extent along their principal axis, and in a second plane, of the
    /// last channel.
    #[inline(always)]
    pub fn extent<const DUAL: bool>(&self, s: S) -> Ends<S, CHANNELS> {
        let zero = s.f(0.0);
        let n = self.count;
        let second = planes::<CHANNELS, DUAL>().1;
        let mut matrix = [[zero; CHANNELS]; CHANNELS];
        for t in 0..self.longest {
            for a in 0..second {
                let counted = self.x[t].value[a] * self.one[t];
                for b in a..second {
                    matrix[a][b] = counted.mul_add(self.x[t].value[b], matrix[a][b]);
                }
            }
        }
        let mut greatest = s.f(1.0);
        for a in 0..second {
            for b in a..second {
                matrix[a][b] = n.mul_add(matrix[a][b], zero - self.sum[a] * self.sum[b]);
            }
            greatest = greatest.max(matrix[a][a]);
        }
        let axis = axis_of(s, matrix, greatest, AXIS_STEPS);
        let (mut low, mut high) = (s.f(16_777_216.0), s.f(-16_777_216.0));
        let (mut least, mut most) = (s.f(255.0), zero);
        for t in 0..self.longest {
            let along = axis.dot(self.x[t].value);
            (low, high) = (low.min(along), high.max(along));
            least = least.min(self.x[t].value[CHANNELS - 1]);
            most = most.max(self.x[t].value[CHANNELS - 1]);
        }
        let one_of_n = s.f(1.0) / n.max(s.f(1.0));
        let mut mean = [zero; CHANNELS];
        for c in 0..CHANNELS {
            mean[c] = self.sum[c] * one_of_n;
        }
        // The mean has rounded products, so each is added on its own.
        let mut middle = zero;
        for c in 0..CHANNELS {
            middle = middle + axis.0[c] * mean[c];
        }
        let inverse = s.f(1.0) / axis.dot(axis.0).max(s.f(1.0));
        let (low, high) = ((low - middle) * inverse, (high - middle) * inverse);
        let mut ends = Ends { a: mean, b: mean };
        for c in 0..CHANNELS {
            ends.a[c] = endpoint(s, self.form, low * axis.0[c] + mean[c]);
            ends.b[c] = endpoint(s, self.form, high * axis.0[c] + mean[c]);
        }
        if DUAL {
            ends.a[CHANNELS - 1] = endpoint(s, self.form, least);
            ends.b[CHANNELS - 1] = endpoint(s, self.form, most);
        }
        ends
    }
}

/// Steps of the power method. More take longer, and yield an axis closer to the principal one.
const AXIS_STEPS: usize = 3;

/// Returns the endpoint for a colour, 0 to 255.
#[inline(always)]
fn endpoint<S: Simd>(s: S, form: Form, value: S::F) -> S::F {
    ((value + s.f(form.rounding)) * s.f(1.0 / form.scale)).max(s.f(0.0)).min(s.f(255.0))
}
