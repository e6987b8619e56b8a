//! Parts in lanes: their texels, and the errors of endpoints for them.

use super::{
    coding::{CodingLanes, PBits},
    line::{Ends, Line},
};
use crate::{
    ChannelWeights,
    bc::{batch::BATCH, block::bytes, numbers::reciprocal, order},
    simd::{Float, Int, Simd, each},
};

/// Texels of [`BATCH`] parts.
#[derive(Clone, Copy)]
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
    /// Channel that is exchanged with alpha: 1 to 3, 0 for none. `rotated` is false if all are 0.
    pub rotations: [i32; BATCH],
    pub rotated: bool,
    /// Weights of squared errors.
    pub weights: Weights,
    /// True if opaque texels must stay opaque.
    pub keeps_opaque: bool,
}

/// Weights of the squared errors in red, green, blue and alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weights(pub [f32; 4]);

impl Weights {
    /// Weights that are all 1.
    pub const UNIFORM: Self = Self([1.0; 4]);

    /// Returns weights where alpha has the average weight of a colour.
    pub fn new(weights: ChannelWeights) -> Self {
        Self(weights.rgba())
    }
}

impl PartTexels<'_> {
    /// Returns the positions of the parts' texels `t` in their blocks, in the lanes from `first` on.
    #[inline(always)]
    pub fn places<S: Simd>(&self, s: S, t: usize, first: usize) -> S::I {
        let order = s.load_i(&self.orders[t / 8][first..]);
        order.shr_by(s.i(4 * (t as i32 % 8))) & s.i(15)
    }
}

/// Maximum squared error that counts for one texel, so that sixteen stay below 2²⁴.
pub(crate) const MOST: f32 = 1_048_575.0;

/// Parts of `CHANNELS` channels, one in each lane.
pub(crate) struct Part<S: Simd, const CHANNELS: usize> {
    pub longest: usize,
    pub count: S::F,
    /// Channels of each texel, 0 to 255.
    x: [[S::F; CHANNELS]; 16],
    /// 1 for each texel, 0 past the end.
    one: [S::F; 16],
    /// Sums of channels.
    sum: [S::F; CHANNELS],
    /// Weights of distances from the line and of squared errors. They are unused unless `weighted`; all are
    /// then 1.
    distance_weights: [S::F; CHANNELS],
    weights: [[S::F; CHANNELS]; 16],
    weighted: bool,
}

/// Sums over indices for a regression: weights in 64ths, their squares, and their products with channels.
#[derive(Clone, Copy)]
pub(crate) struct Moments<S: Simd, const CHANNELS: usize> {
    weight: S::F,
    square: S::F,
    products: [S::F; CHANNELS],
}

impl<S: Simd, const CHANNELS: usize> Part<S, CHANNELS> {
    /// Loads the lanes from `first` on.
    #[inline(always)]
    pub fn load(s: S, texels: &PartTexels<'_>, first: usize) -> Self {
        let zero = s.f(0.0);
        let counts = s.load_i(&texels.counts[first..]);
        let starts = s.load_i(&texels.starts[first..]);
        let rotations = s.load_i(&texels.rotations[first..]);
        let is_exchanged = each!(c in 3 => rotations.eq(s.i(c as i32 + 1)));
        let weighted = texels.keeps_opaque || texels.weights != Weights::UNIFORM;
        let mut part = Self {
            longest: texels.longest,
            count: counts.to_f(),
            x: [[zero; CHANNELS]; 16],
            one: [zero; 16],
            sum: [zero; CHANNELS],
            distance_weights: part_channels(
                &texels.weights.0.map(|weight| s.f(weight)),
                &is_exchanged,
                texels.rotated,
            ),
            weights: [[zero; CHANNELS]; 16],
            weighted,
        };
        for t in 0..part.longest {
            let places = texels.places(s, t, first) + starts;
            let values = bytes(s, s.gather(texels.blocks, places).bits());
            part.one[t] = zero.or_if(s.i(t as i32).lt(counts), s.f(1.0));
            part.x[t] = part_channels(&values, &is_exchanged, texels.rotated);
            if weighted {
                let [r, g, b, a] = texels.weights.0;
                let a = if texels.keeps_opaque {
                    s.f(a).or_if(s.f(254.0).lt(values[3]), s.f(MOST + 1.0))
                } else {
                    s.f(a)
                };
                part.weights[t] = part_channels(&[s.f(r), s.f(g), s.f(b), a], &is_exchanged, texels.rotated);
            }
            for c in 0..CHANNELS {
                part.sum[c] = part.x[t][c].mul_add(part.one[t], part.sum[c]);
            }
        }
        part
    }

    /// Returns the line between two endpoints.
    #[inline(always)]
    pub fn line(&self, s: S, coding: &CodingLanes<S>, ends: &Ends<S, CHANNELS>) -> Line<S, CHANNELS> {
        Line::new(s, coding, self.weighted.then_some(&self.distance_weights), ends)
    }

    /// Returns the channels of texel `t`.
    #[inline(always)]
    pub fn texel(&self, t: usize) -> &[S::F; CHANNELS] {
        &self.x[t]
    }

    /// Returns 1, or 0 if `t` is past the part's end.
    #[inline(always)]
    pub fn one(&self, t: usize) -> S::F {
        self.one[t]
    }

    /// Returns the squared error of texel `t` at a weight.
    #[inline(always)]
    pub fn texel_error(&self, s: S, line: &Line<S, CHANNELS>, t: usize, weight: S::F) -> S::F {
        let mut error = s.f(0.0);
        for c in 0..CHANNELS {
            let difference = line.difference(s, c, weight, self.x[t][c]);
            if self.weighted {
                error = (difference * difference).mul_add(self.weights[t][c], error);
            } else {
                error = difference.mul_add(difference, error);
            }
        }
        if self.weighted { error.min(s.f(MOST)) } else { error }
    }

    /// Returns `sum` plus the `error` of texel `t`, or `sum` if the texel is past the end.
    #[inline(always)]
    pub fn counted(&self, t: usize, error: S::F, sum: S::F) -> S::F {
        error.mul_add(self.one[t], sum)
    }

    /// Returns the squared error of endpoints, with the index of each texel by projection.
    #[inline(always)]
    pub fn error(&self, s: S, coding: &CodingLanes<S>, ends: &Ends<S, CHANNELS>) -> S::F {
        let line = self.line(s, coding, ends);
        let mut error = s.f(0.0);
        for t in 0..self.longest {
            let weight = line.weight(s, coding, line.index(s, coding, &self.x[t]));
            error = self.counted(t, self.texel_error(s, &line, t, weight), error);
        }
        error
    }

    /// Returns this error and the indices' moments.
    #[inline(always)]
    pub fn error_and_moments(
        &self,
        s: S,
        coding: &CodingLanes<S>,
        ends: &Ends<S, CHANNELS>,
    ) -> (S::F, Moments<S, CHANNELS>) {
        let line = self.line(s, coding, ends);
        let zero = s.f(0.0);
        let mut error = zero;
        let mut moments = Moments { weight: zero, square: zero, products: [zero; CHANNELS] };
        for t in 0..self.longest {
            let weight = line.weight(s, coding, line.index(s, coding, &self.x[t]));
            error = self.counted(t, self.texel_error(s, &line, t, weight), error);
            let counted = weight * self.one[t];
            moments.weight = moments.weight + counted;
            moments.square = counted.mul_add(weight, moments.square);
            for c in 0..CHANNELS {
                moments.products[c] = counted.mul_add(self.x[t][c], moments.products[c]);
            }
        }
        (error, moments)
    }

    /// Returns the endpoints of the least-squares line through the texels at the weights of `moments`, in
    /// multiples of 1/[`FINENESS`](super::coding::FINENESS). Returns `otherwise` where all weights are equal.
    #[inline(always)]
    pub fn regression(
        &self,
        s: S,
        moments: &Moments<S, CHANNELS>,
        otherwise: &Ends<S, CHANNELS>,
    ) -> Ends<S, CHANNELS> {
        let zero = s.f(0.0);
        let (n, w) = (self.count, moments.weight);
        let determinant = n.mul_add(moments.square, zero - w * w);
        let is_point = determinant.lt(s.f(1.0));
        let inverse = reciprocal(s, determinant.max(s.f(1.0))) * s.f(16.0);
        let one_of_n = reciprocal(s, n.max(s.f(1.0)));
        let mut ends = *otherwise;
        for c in 0..CHANNELS {
            let slope = n.mul_add(moments.products[c], zero - w * self.sum[c]) * inverse;
            let a = (self.sum[c].mul_add(s.f(16.0), zero - (w * slope).round()) * one_of_n).round();
            let b = a + (slope * s.f(64.0)).round();
            ends.a[c] = a.max(zero).min(s.f(4080.0)).or_if(is_point, otherwise.a[c]);
            ends.b[c] = b.max(zero).min(s.f(4080.0)).or_if(is_point, otherwise.b[c]);
        }
        ends
    }

    /// Returns the endpoints of the texels' extent along their principal axis, in the same unit.
    #[inline(always)]
    pub fn extent(&self, s: S, steps: usize) -> Ends<S, CHANNELS> {
        let zero = s.f(0.0);
        let n = self.count;
        let mut matrix = [[zero; CHANNELS]; CHANNELS];
        for t in 0..self.longest {
            for a in 0..CHANNELS {
                let counted = self.x[t][a] * self.one[t];
                for b in a..CHANNELS {
                    matrix[a][b] = counted.mul_add(self.x[t][b], matrix[a][b]);
                }
            }
        }
        let mut greatest = s.f(1.0);
        for a in 0..CHANNELS {
            for b in a..CHANNELS {
                matrix[a][b] = n.mul_add(matrix[a][b], zero - self.sum[a] * self.sum[b]);
            }
            greatest = greatest.max(matrix[a][a]);
        }
        let axis = order::axis_of(s, matrix, greatest, steps);
        let one_of_n = reciprocal(s, n.max(s.f(1.0)));
        let mut mean = [zero; CHANNELS];
        for c in 0..CHANNELS {
            mean[c] = (self.sum[c] * one_of_n).round();
        }
        let (mut low, mut high) = (s.f(16_777_216.0), s.f(-16_777_216.0));
        for t in 0..self.longest {
            let along = axis.dot(self.x[t]);
            low = low.min(along);
            high = high.max(along);
        }
        // The part is entirely outside the image, independent of its neighbours.
        let is_empty = n.lt(s.f(1.0));
        let (low, high) = (low.or_if(is_empty, zero), high.or_if(is_empty, zero));
        let middle = axis.dot(mean);
        let length = axis.dot(axis.0).max(s.f(1.0));
        // Positions along the axis in 2⁻¹⁴ of its length.
        let inverse = reciprocal(s, length) * s.f(16384.0);
        let (low, high) = (((low - middle) * inverse).round(), ((high - middle) * inverse).round());
        let mut ends = Ends { a: mean, b: mean };
        for c in 0..CHANNELS {
            let mean = mean[c] * s.f(16.0);
            ends.a[c] = ((low * axis.0[c] * s.f(1.0 / 1024.0)).round() + mean).max(zero).min(s.f(4080.0));
            ends.b[c] = ((high * axis.0[c] * s.f(1.0 / 1024.0)).round() + mean).max(zero).min(s.f(4080.0));
        }
        ends
    }

    /// Returns the codes nearest to endpoints in multiples of 1/[`FINENESS`](super::coding::FINENESS), with
    /// the p-bits whose codes are nearest.
    #[inline(always)]
    pub fn quantized(&self, s: S, coding: &CodingLanes<S>, ends: &Ends<S, CHANNELS>) -> Ends<S, CHANNELS> {
        let (zero, one) = (s.f(0.0), s.f(1.0));
        match coding.p_bits {
            PBits::None => self.with_p_bits(s, coding, ends, [zero, zero]),
            PBits::Set => self.with_p_bits(s, coding, ends, [one, one]),
            PBits::Own | PBits::Shared => {
                let mut even = self.with_p_bits(s, coding, ends, [zero, zero]);
                let odd = self.with_p_bits(s, coding, ends, [one, one]);
                let (even_a, even_b) = distances(s, coding, ends, &even);
                let (odd_a, odd_b) = distances(s, coding, ends, &odd);
                if coding.p_bits == PBits::Shared {
                    let is_odd = (odd_a + odd_b).lt(even_a + even_b);
                    even.or_if(is_odd, &odd)
                } else {
                    let (a_is_odd, b_is_odd) = (odd_a.lt(even_a), odd_b.lt(even_b));
                    for c in 0..CHANNELS {
                        even.a[c] = even.a[c].or_if(a_is_odd, odd.a[c]);
                        even.b[c] = even.b[c].or_if(b_is_odd, odd.b[c]);
                    }
                    even
                }
            }
        }
    }

    /// Returns the codes nearest to endpoints, with given p-bits.
    #[inline(always)]
    pub fn with_p_bits(
        &self,
        s: S,
        coding: &CodingLanes<S>,
        ends: &Ends<S, CHANNELS>,
        p: [S::F; 2],
    ) -> Ends<S, CHANNELS> {
        let mut codes = *ends;
        for c in 0..CHANNELS {
            codes.a[c] = coding.code(s, ends.a[c], p[0]);
            codes.b[c] = coding.code(s, ends.b[c], p[1]);
        }
        codes
    }
}

/// Returns squared distances between endpoints and their codes.
#[inline(always)]
fn distances<S: Simd, const CHANNELS: usize>(
    s: S,
    coding: &CodingLanes<S>,
    ends: &Ends<S, CHANNELS>,
    codes: &Ends<S, CHANNELS>,
) -> (S::F, S::F) {
    let (mut a, mut b) = (s.f(0.0), s.f(0.0));
    for c in 0..CHANNELS {
        let of_a = coding.widened(codes.a[c]).mul_add(s.f(16.0), s.f(0.0) - ends.a[c]);
        let of_b = coding.widened(codes.b[c]).mul_add(s.f(16.0), s.f(0.0) - ends.b[c]);
        a = of_a.mul_add(of_a, a);
        b = of_b.mul_add(of_b, b);
    }
    (a, b)
}

/// Returns the channels of a part: red, green and blue; alpha alone; or all. `is_exchanged` marks the colour
/// that changes places with alpha.
#[inline(always)]
fn part_channels<F: Float<M = M>, M: Copy, const CHANNELS: usize>(
    values: &[F; 4],
    is_exchanged: &[M; 3],
    rotated: bool,
) -> [F; CHANNELS] {
    let mut channels = [values[3]; CHANNELS];
    if CHANNELS > 1 {
        channels.copy_from_slice(&values[..CHANNELS]);
    }
    if CHANNELS < 4 && rotated {
        for c in 0..3 {
            if CHANNELS == 1 {
                channels[0] = channels[0].or_if(is_exchanged[c], values[c]);
            } else {
                channels[c] = channels[c].or_if(is_exchanged[c], values[3]);
            }
        }
    }
    channels
}
