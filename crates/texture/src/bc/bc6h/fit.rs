//! Endpoints of a partition's subsets: a line through the texels, least squares, codes.

use super::{
    assign::{Assign, ERRORS, SUMS, Sums},
    candidate::Candidate,
    coding::{Coding, Endpoints, widened},
    kind::Kind,
    modes::MODES,
    moments::{Moments, dot},
    rank::{insert, key},
    texels::{LEAST_WEIGHT, Subsets, Texels},
};
use crate::simd::{Float, LaneFn, Simd, each};
use std::{marker::PhantomData, ops::Range};

/// Steps of power iteration for the axis of a subset.
pub(super) const AXIS_STEPS: usize = 3;

/// Places of the modes of two subsets and of one in `MODES`.
const TWO_SUBSETS: Range<usize> = 0..10;
pub(super) const ONE_SUBSET: Range<usize> = 10..14;

/// Rounds of least squares.
pub(super) const ROUNDS: usize = 2;

/// Lowest bits of a key: the place of a mode.
const MODE: i32 = 15;

/// Extension of a line before and after its texels, as shares of its length. Negative shares shorten it.
pub(super) type Extension = [f32; 2];

/// Places of a line's ends to start from. Each gives the texels other indices, from which least squares finds
/// other endpoints. The last ones are for texels of nearly one colour, whose best endpoints are far apart if
/// codes are coarse.
pub(super) const EXTENSIONS: [Extension; 16] = [
    [0.0, 0.0],
    [0.07, 0.07],
    [0.14, 0.0],
    [0.0, 0.14],
    [-0.07, -0.07],
    [0.2, 0.2],
    [0.3, 0.0],
    [0.0, 0.3],
    [-0.15, 0.0],
    [0.5, 0.5],
    [1.0, 1.0],
    [2.0, 2.0],
    [1.0, 0.0],
    [0.0, 1.0],
    [4.0, 4.0],
    [0.0, 2.0],
];

/// Finds endpoints along the principal axis of each subset, as 16-bit values.
struct Start<'a, S: Simd, K, const TWO: bool> {
    texels: &'a Texels<S>,
    subsets: &'a Subsets<S>,
    extension: Extension,
    kind: PhantomData<K>,
}

impl<S: Simd, K: Kind, const TWO: bool> LaneFn<S> for Start<'_, S, K, TWO> {
    type Output = Endpoints<S>;

    #[inline(always)]
    fn run(self, s: S) -> Endpoints<S> {
        let Self { texels, subsets, extension, .. } = self;
        let zero = s.f(0.0);
        let mut endpoints = [[zero; 3]; 4];
        for k in 0..if TWO { 2 } else { 1 } {
            let mut moments = Moments::zero(s);
            for t in 0..16 {
                moments.add_texel(s, subsets.members[k][t], &texels.point::<K>(t));
            }
            let (mean, axis) = (moments.mean(s), moments.axis(s, AXIS_STEPS));
            let (mut low, mut high, mut anchor) = (s.f(1e9), s.f(-1e9), zero);
            // For logarithmic errors, the values of the texels at the ends.
            let mut ends = [[zero; 3]; 2];
            for t in 0..16 {
                let point = texels.point::<K>(t);
                let place = dot::<S>(&each!(c in 3 => point[c] - mean[c]), &axis);
                if K::LOG {
                    let is_end =
                        [place.lt(low) & subsets.members[k][t], high.lt(place) & subsets.members[k][t]];
                    for c in 0..3 {
                        ends[0][c] = ends[0][c].or_if(is_end[0], texels.values[c][t]);
                        ends[1][c] = ends[1][c].or_if(is_end[1], texels.values[c][t]);
                    }
                }
                low = low.or_if(subsets.members[k][t], low.min(place));
                high = high.or_if(subsets.members[k][t], high.max(place));
                anchor = subsets.if_anchor(k, t, place, anchor);
            }
            let is_empty = high.lt(low);
            (low, high) = (low.or_if(is_empty, zero), high.or_if(is_empty, zero));
            // The anchor's index has no highest bit, so the anchor is nearer to the first endpoint.
            let is_turned = (low + high).lt(anchor + anchor);
            let (first, last) = (low.or_if(is_turned, high), high.or_if(is_turned, low));
            let length = last - first;
            let inverse = s.f(1.0) / dot::<S>(&axis, &axis).max(s.f(1e-3));
            let first = (first - length * s.f(extension[0])) * inverse;
            let last = (last + length * s.f(extension[1])) * inverse;
            for c in 0..3 {
                if K::LOG {
                    let (first, last) =
                        (ends[0][c].or_if(is_turned, ends[1][c]), ends[1][c].or_if(is_turned, ends[0][c]));
                    let length = last - first;
                    endpoints[2 * k][c] = widened::<S, K>(s, first - length * s.f(extension[0]));
                    endpoints[2 * k + 1][c] = widened::<S, K>(s, last + length * s.f(extension[1]));
                    continue;
                }
                let middle = mean[c] + texels.middle[c];
                endpoints[2 * k][c] = widened::<S, K>(s, middle + axis[c] * first);
                endpoints[2 * k + 1][c] = widened::<S, K>(s, middle + axis[c] * last);
            }
        }
        endpoints
    }
}

/// Returns the endpoints of a subset by least squares.
#[inline(always)]
fn regression<S: Simd, K: Kind>(s: S, texels: &Texels<S>, sums: &Sums<S>) -> [[S::F; 3]; 2] {
    let zero = s.f(0.0);
    let mut endpoints = [[zero; 3]; 2];
    let (mut inverse, mut of_count) = (zero, zero);
    for c in 0..3 {
        // Channels differ only for logarithmic errors.
        let shared = if K::LOG { c } else { 0 };
        let (count, weights, squares) = (sums.count[shared], sums.weights[shared], sums.squares[shared]);
        if shared == c {
            let determinant = count * squares - weights * weights;
            // With one index there is no slope.
            let least = if K::LOG { count * squares * s.f(1e-4) } else { s.f(0.5) };
            let is_flat = determinant.lt(least) | determinant.lt(s.f(1e-30));
            inverse = (s.f(1.0) / determinant.max(s.f(1e-30))).or_if(is_flat, zero);
            of_count = s.f(1.0) / count.max(s.f(if K::LOG { 1e-12 } else { 1.0 }));
        }
        let slope = (count * sums.weighted[c] - weights * sums.values[c]) * inverse;
        let first = (sums.values[c] - slope * weights) * of_count + texels.middle[c];
        endpoints[0][c] = widened::<S, K>(s, first);
        endpoints[1][c] = widened::<S, K>(s, first + slope * s.f(64.0));
    }
    endpoints
}

/// Returns endpoints by `rounds` of least squares, and the sums of the last.
#[inline(always)]
pub(super) fn fit_lines<S: Simd, K: Kind, const TWO: bool>(
    s: S,
    texels: &Texels<S>,
    subsets: &Subsets<S>,
    extension: Extension,
    rounds: usize,
) -> (Endpoints<S>, [Sums<S>; 2]) {
    let kind = PhantomData::<K>;
    let mut endpoints = s.call(Start::<S, K, TWO> { texels, subsets, extension, kind });
    let mut sums = [Sums::zero(s); 2];
    for _ in 0..rounds {
        let assign = Assign::<S, K, TWO, SUMS> { texels, subsets, endpoints: &endpoints, kind };
        sums = s.call(assign).sums;
        for k in 0..if TWO { 2 } else { 1 } {
            [endpoints[2 * k], endpoints[2 * k + 1]] = regression::<S, K>(s, texels, &sums[k]);
        }
    }
    (endpoints, sums)
}

/// Growth of a subset's squared error with the distances x and y of its endpoints from the regression:
/// `first`·x² + 2·`both`·x·y + `second`·y².
struct Growth<S: Simd> {
    first: S::F,
    both: S::F,
    second: S::F,
    /// Distance of one endpoint that makes up best for one of the other.
    second_of_first: S::F,
    first_of_second: S::F,
    /// True without texels, for logarithmic errors. The second endpoint's code is then 0.
    is_empty: S::M,
}

impl<S: Simd> Growth<S> {
    #[inline(always)]
    fn new<K: Kind>(s: S, sums: &Sums<S>, channel: usize) -> Self {
        let second = sums.squares[channel] * s.f(1.0 / 4096.0);
        let both = sums.weights[channel] * s.f(1.0 / 64.0) - second;
        let first = sums.count[channel] - sums.weights[channel] * s.f(1.0 / 32.0) + second;
        let zero = s.f(0.0);
        let count = sums.count[channel];
        let is_empty = if K::LOG { count.lt(s.f(LEAST_WEIGHT * 0.5)) } else { s.none() };
        // A quarter of a texel.
        let least = if K::LOG { (count * s.f(1.0 / 64.0)).or_if(is_empty, s.f(1.0)) } else { s.f(0.25) };
        Self {
            first,
            both,
            second,
            second_of_first: zero - both / second.max(least),
            first_of_second: zero - both / first.max(least),
            is_empty,
        }
    }

    #[inline(always)]
    fn error(&self, first: S::F, second: S::F) -> S::F {
        let both = self.both * (first * second);
        self.first * (first * first) + (both + both) + self.second * (second * second)
    }
}

/// Returns codes for endpoints, and the estimated growth of the error. The second endpoint of a subset makes
/// up for the rounding of the first, then the first for the second, within the limits of differences.
#[inline(always)]
pub(super) fn quantized<S: Simd, K: Kind, const TWO: bool>(
    s: S,
    coding: &Coding<S>,
    endpoints: &Endpoints<S>,
    sums: &[Sums<S>; 2],
) -> (Endpoints<S>, S::F) {
    let mut codes = [[s.f(0.0); 3]; 4];
    let mut total = s.f(0.0);
    for k in 0..if TWO { 2 } else { 1 } {
        let mut growth = Growth::new::<K>(s, &sums[k], 0);
        for c in 0..3 {
            if K::LOG && c > 0 {
                growth = Growth::new::<K>(s, &sums[k], c);
            }
            let (wanted, wanted_second) = (endpoints[2 * k][c], endpoints[2 * k + 1][c]);
            let mut first = coding.code::<K>(s, wanted);
            if k == 1 {
                first = coding.within_reach(c, first, codes[0][c]);
            }
            let base = if k == 0 { first } else { codes[0][c] };
            let off = coding.value::<K>(s, first) - wanted;
            let made_up = wanted_second + growth.second_of_first * off;
            let second = coding.code::<K>(s, made_up.or_if(growth.is_empty, s.f(0.0)));
            let second = coding.within_reach(c, second, base);
            let second_off = coding.value::<K>(s, second) - wanted_second;
            let error = growth.error(off, second_off);
            let other = coding.code::<K>(s, wanted + growth.first_of_second * second_off);
            // The first subset's first endpoint is the base: it moves only as far as the second allows.
            let other = if k == 1 { coding.within_reach(c, other, base) } else { other };
            let other_error = growth.error(coding.value::<K>(s, other) - wanted, second_off);
            let mut is_better = other_error.lt(error);
            if k == 0 {
                is_better = is_better & !coding.is_out_of_reach(c, second, other);
            }
            codes[2 * k][c] = first.or_if(is_better, other);
            codes[2 * k + 1][c] = second;
            total = total + error.or_if(is_better, other_error);
        }
    }
    (codes, total)
}

/// Returns the places of the `count` modes of `modes` with the least estimated errors.
#[inline(always)]
fn promising_modes<S: Simd, K: Kind, const TWO: bool>(
    s: S,
    endpoints: &Endpoints<S>,
    sums: &[Sums<S>; 2],
    limit: S::F,
    modes: Range<usize>,
    count: usize,
) -> [S::I; MODES.len()] {
    let mut keys = [s.i(i32::MAX); MODES.len()];
    for mode in modes {
        let coding = Coding::splat::<K>(s, mode).limited::<K>(s, limit);
        let (_, growth) = quantized::<S, K, TWO>(s, &coding, endpoints, sums);
        insert::<S>(&mut keys[..count], key(s, growth, MODE, mode));
    }
    for key in &mut keys[..count] {
        *key = *key & s.i(MODE);
    }
    keys
}

/// Returns the most promising candidate of one subset, whose error is not measured.
pub(super) struct FitWhole<'a, S: Simd, K> {
    pub texels: &'a Texels<S>,
    pub subsets: &'a Subsets<S>,
    pub kind: PhantomData<K>,
}

impl<S: Simd, K: Kind> LaneFn<S> for FitWhole<'_, S, K> {
    type Output = Candidate<S>;

    #[inline(always)]
    fn run(self, s: S) -> Candidate<S> {
        let (endpoints, sums) = fit_lines::<S, K, false>(s, self.texels, self.subsets, EXTENSIONS[0], 1);
        let limit = self.texels.limit;
        let [mode, ..] = promising_modes::<S, K, false>(s, &endpoints, &sums, limit, ONE_SUBSET, 1);
        let coding = Coding::gather::<K>(s, mode).limited::<K>(s, limit);
        let (codes, _) = quantized::<S, K, false>(s, &coding, &endpoints, &sums);
        Candidate { mode, codes, ..Candidate::none(s) }
    }
}

/// Fits endpoints to each lane's partition in the most promising modes.
pub(super) struct Fit<'a, S: Simd, K, const TWO: bool> {
    pub texels: &'a Texels<S>,
    pub subsets: &'a Subsets<S>,
    pub partition: S::I,
    pub extension: Extension,
    /// Number of modes whose error is measured; the others are only estimated.
    pub tries: usize,
    pub kind: PhantomData<K>,
}

impl<S: Simd, K: Kind, const TWO: bool> LaneFn<S> for Fit<'_, S, K, TWO> {
    type Output = Candidate<S>;

    #[inline(always)]
    fn run(self, s: S) -> Candidate<S> {
        let Self { texels, subsets, tries, kind, .. } = self;
        let (endpoints, sums) = fit_lines::<S, K, TWO>(s, texels, subsets, self.extension, ROUNDS);
        let modes = if TWO { TWO_SUBSETS } else { ONE_SUBSET };
        let modes = promising_modes::<S, K, TWO>(s, &endpoints, &sums, texels.limit, modes, tries);
        let mut best = Candidate::none(s);
        for &mode in &modes[..tries] {
            let coding = Coding::gather::<K>(s, mode).limited::<K>(s, texels.limit);
            let (codes, _) = quantized::<S, K, TWO>(s, &coding, &endpoints, &sums);
            let values = coding.values::<K>(s, &codes);
            let assign = Assign::<S, K, TWO, ERRORS> { texels, subsets, endpoints: &values, kind };
            let [first, second] = s.call(assign).errors;
            let error = if TWO { first + second } else { first };
            best.improve(s, &Candidate { error, mode, partition: self.partition, codes });
        }
        best
    }
}
