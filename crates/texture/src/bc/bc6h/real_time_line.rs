//! Texels and lines in real time. `real_time.wgsl` takes the same steps.

use super::{
    coding::{finished, widened},
    kind::Kind,
    level::level as level_of,
    moments::dot as rounded_dot,
    texels::{BatchTexels, LARGEST, MARGIN, value},
};
use crate::{
    bc::{
        batch::BATCH,
        numbers::reciprocal,
        order::power_scale,
        real_time::sixteen::{dot, range, sum},
    },
    simd::{Float, Int, Simd, each},
};

/// Bits of the integers among which places are found, without the sign.
pub(super) const PLACE_BITS: i32 = 8;
/// Greatest of these integers at an end of a line, which may be past the texels.
pub(super) const FARTHEST: f32 = 512.0;

/// Texels of a block in each lane.
pub(super) struct Texels<S: Simd> {
    /// Values less `middle`.
    pub centered: [[S::F; 16]; 3],
    /// The same as integers of [`PLACE_BITS`], by the factor `scale`.
    pub scaled: [[S::F; 16]; 3],
    /// Levels, for logarithmic errors.
    levels: [[S::F; 16]; 3],
    /// Middle of each channel's range, an integer.
    middle: [S::F; 3],
    scale: S::F,
    /// Largest magnitude of endpoints as 16-bit values, for logarithmic errors.
    pub limit: S::F,
    /// One bit for each texel in the image: only those have an error.
    pub visible: S::I,
}

impl<S: Simd> Texels<S> {
    /// Loads the blocks from lane `first` on. Levels are only for errors.
    #[inline(always)]
    pub fn load<K: Kind>(
        s: S,
        texels: &BatchTexels,
        visible: &[i32; BATCH],
        first: usize,
        has_errors: bool,
    ) -> Self {
        let (zero, half) = (s.f(0.0), s.f(0.5));
        let mut centered = [[zero; 16]; 3];
        for t in 0..16 {
            let [red_green, blue] = each!(word in 2 => s.load_i(&texels[word][t][first..]));
            centered[0][t] = value::<S, K>(s, red_green);
            centered[1][t] = value::<S, K>(s, red_green.shr::<16>());
            centered[2][t] = value::<S, K>(s, blue);
        }
        let mut levels = [[zero; 16]; 3];
        let mut middle = [zero; 3];
        let (mut widest, mut largest) = (s.f(1.0), zero);
        for c in 0..3 {
            let [low, high] = range(&centered[c]);
            middle[c] = ((low + high) * half).floor();
            widest = widest.max(high - low);
            largest = largest.max(high).max(zero - low);
            for t in 0..16 {
                if K::LOG && has_errors {
                    levels[c][t] = level_of(s, centered[c][t]);
                }
                centered[c][t] = centered[c][t] - middle[c];
            }
        }
        let scale = power_scale(s, widest, PLACE_BITS);
        let scaled = each!(c in 3 => each!(t in 16 => (centered[c][t] * scale).round()));
        let mut limit = zero;
        if K::LOG {
            let margin = (largest * half).floor().min(s.f(MARGIN as f32));
            limit = widened::<S, K>(s, (largest + margin).min(s.f(LARGEST as f32)));
        }
        Self { centered, scaled, levels, middle, scale, limit, visible: s.load_i(&visible[first..]) }
    }

    /// Returns a 16-bit value among integers of [`PLACE_BITS`].
    #[inline(always)]
    fn place<K: Kind>(&self, s: S, value: &[S::F; 3]) -> [S::F; 3] {
        let (half, far) = (s.f(0.5), s.f(FARTHEST));
        each!(c in 3 => {
            // Halves are rounded to zero, so half a unit below a value becomes its half on average.
            let bias = if K::SIGNED { half.or_if(value[c].lt(s.f(0.0)), s.f(-0.5)) } else { half };
            let at = (value[c] * s.f(K::FINISH) - bias - self.middle[c]) * self.scale;
            at.max(s.f(0.0) - far).min(far).round()
        })
    }

    /// Returns the squared error of a texel that gets an interpolated value.
    #[inline(always)]
    pub fn error<K: Kind>(&self, s: S, t: usize, value: [S::F; 3]) -> S::F {
        let errors = each!(c in 3 => {
            let found = finished::<S, K>(s, value[c]);
            if K::LOG {
                level_of(s, found) - self.levels[c][t]
            } else {
                found - (self.centered[c][t] + self.middle[c])
            }
        });
        rounded_dot::<S>(&errors, &errors)
    }
}

/// Texels of a subset: their number, its inverse, and the sums of their values less the middle.
pub(super) struct Members<S: Simd> {
    pub count: S::F,
    pub part: S::F,
    pub totals: [S::F; 3],
}

/// Returns the ends of the line that best fits places from 0 to `last`, as 16-bit values. Places of texels
/// that are no members are 0.
#[inline(always)]
pub(super) fn fitted<S: Simd, K: Kind>(
    s: S,
    texels: &Texels<S>,
    members: &Members<S>,
    at: &[S::F; 16],
    last: f32,
) -> [[S::F; 3]; 2] {
    let Members { count, part, totals } = members;
    let (weight, square) = (sum(at), dot(at, at));
    // 0 if all places are equal. The slope is then 0.
    let determinant = square * *count - weight * weight;
    let inverse = reciprocal(s, determinant.max(s.f(1.0)));
    let mut ends = [[s.f(0.0); 3]; 2];
    for c in 0..3 {
        let weighted = dot(at, &texels.centered[c]);
        let slope = (*count * weighted - weight * totals[c]) * inverse;
        let first = (totals[c] - slope * weight) * *part;
        ends[0][c] = widened::<S, K>(s, first + texels.middle[c]);
        ends[1][c] = widened::<S, K>(s, (first + slope * s.f(last)) + texels.middle[c]);
    }
    ends
}

/// Returns the line's places, 0 to `last`, per difference from the projection `first`, which is that end of
/// the range that is nearer to the anchor's projection.
#[inline(always)]
pub(super) fn directed<S: Simd>(s: S, [low, high]: [S::F; 2], anchor: S::F, last: f32) -> (S::F, S::F) {
    let is_turned = (low + high).lt(anchor + anchor);
    let inverse = reciprocal(s, (high - low).max(s.f(1.0))) * s.f(last);
    (low.or_if(is_turned, high), inverse.or_if(is_turned, s.f(0.0) - inverse))
}

/// Line between two endpoints, for indices and errors.
#[derive(Clone, Copy)]
pub(super) struct Line<S: Simd> {
    /// Value of the first endpoint, plus 1/2 for rounding, and change for each 1/64 of weight.
    base: [S::F; 3],
    step: [S::F; 3],
    /// Change from the first to the second endpoint, and the product of the first and that, among integers of
    /// [`PLACE_BITS`].
    along: [S::F; 3],
    origin: S::F,
    /// Indices per product with `along`.
    scale: S::F,
}

impl<S: Simd> Line<S> {
    #[inline(always)]
    pub fn new<K: Kind>(s: S, texels: &Texels<S>, [a, b]: &[[S::F; 3]; 2], last: f32) -> Self {
        let (start, end) = (texels.place::<K>(s, a), texels.place::<K>(s, b));
        let along = each!(c in 3 => end[c] - start[c]);
        Self {
            base: each!(c in 3 => a[c] + s.f(0.5)),
            step: each!(c in 3 => (b[c] - a[c]) * s.f(1.0 / 64.0)),
            along,
            origin: dot(&start, &along),
            scale: reciprocal(s, dot(&along, &along).max(s.f(1.0))) * s.f(last),
        }
    }
}

impl<S: Simd> Line<S> {
    /// Returns the index of a texel, at most `highest`.
    #[inline(always)]
    pub fn index(&self, s: S, texels: &Texels<S>, t: usize, highest: S::F) -> S::F {
        let along = dot(&each!(c in 3 => texels.scaled[c][t]), &self.along) - self.origin;
        (along * self.scale).max(s.f(0.0)).min(highest).round()
    }

    /// Returns the interpolated value at a weight.
    #[inline(always)]
    pub fn value(&self, weight: S::F) -> [S::F; 3] {
        // At most 16 bits before the point and 6 after it: exact.
        each!(c in 3 => weight.mul_add(self.step[c], self.base[c]).floor())
    }

    /// Returns this line, or the other one where the mask is true.
    #[inline(always)]
    pub fn or_if(&self, mask: S::M, other: &Self) -> Self {
        Self {
            base: each!(c in 3 => self.base[c].or_if(mask, other.base[c])),
            step: each!(c in 3 => self.step[c].or_if(mask, other.step[c])),
            along: each!(c in 3 => self.along[c].or_if(mask, other.along[c])),
            origin: self.origin.or_if(mask, other.origin),
            scale: self.scale.or_if(mask, other.scale),
        }
    }
}

/// Returns the greatest distance of the values of two endpoints in a channel.
#[inline(always)]
pub(super) fn distance<F: Float>(a: F, b: F) -> F {
    (a - b).max(b - a)
}
