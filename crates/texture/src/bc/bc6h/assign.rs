//! Indices of texels for given endpoints, and what follows from them.

use super::{
    coding::{Endpoints, finished},
    kind::Kind,
    level::level,
    moments::dot,
    texels::{Subsets, Texels},
};
use crate::simd::{Float, LaneFn, Simd, each};

/// Result wanted from [`Assign`]: sums for least squares.
pub(super) const SUMS: u8 = 0;
/// Result wanted from [`Assign`]: errors.
pub(super) const ERRORS: u8 = 1;
/// Result wanted from [`Assign`]: indices.
pub(super) const INDICES: u8 = 2;

/// Share of an error below which another is smaller beyond the rounding of sums of floats. 48 terms add at
/// most 48 · 2⁻²⁴ of the sum.
pub(super) const SMALLER: f32 = 1.0 - 1.0 / (1 << 17) as f32;

/// Gives each texel the index whose colour is nearest along the line of its subset's endpoints.
///
/// Endpoints are 16-bit values, not necessarily integers. `TWO` is false if no block has two subsets.
pub(super) struct Assign<'a, S: Simd, K, const TWO: bool, const WANTED: u8> {
    pub texels: &'a Texels<S>,
    pub subsets: &'a Subsets<S>,
    pub endpoints: &'a Endpoints<S>,
    pub kind: std::marker::PhantomData<K>,
}

/// Result of [`Assign`]; only what is wanted is computed.
pub(super) struct Assigned<S: Simd> {
    /// Squared error of each subset.
    pub errors: [S::F; 2],
    /// Sums of each subset.
    pub sums: [Sums<S>; 2],
    /// Index of each texel.
    pub indices: [S::F; 16],
}

/// Sums of a subset for least squares. Weights are those of the second endpoint, 0 to 64.
#[derive(Clone, Copy)]
pub(super) struct Sums<S: Simd> {
    /// Number of texels and sums of weights and of squares; if errors are not logarithmic, only of the first
    /// channel, because texels count alike in all.
    pub count: [S::F; 3],
    pub weights: [S::F; 3],
    pub squares: [S::F; 3],
    /// Sums of each channel's values less the middle.
    pub values: [S::F; 3],
    /// The same, weighted.
    pub weighted: [S::F; 3],
}

impl<S: Simd> Sums<S> {
    #[inline(always)]
    pub fn zero(s: S) -> Self {
        let zeros = [s.f(0.0); 3];
        Self { count: zeros, weights: zeros, squares: zeros, values: zeros, weighted: zeros }
    }

    #[inline(always)]
    fn add<K: Kind>(&mut self, s: S, texels: &Texels<S>, t: usize, member: S::M, weight: S::F) {
        for c in 0..3 {
            let (share, weight_share) = if K::LOG {
                (texels.weights[c][t], weight * texels.weights[c][t])
            } else {
                (s.f(1.0), weight)
            };
            let value = texels.centered[c][t];
            if K::LOG || c == 0 {
                self.count[c] = self.count[c].add_if(member, share);
                self.weights[c] = self.weights[c].add_if(member, weight_share);
                self.squares[c] = self.squares[c].add_if(member, weight_share * weight);
            }
            let share_value = if K::LOG { share * value } else { value };
            self.values[c] = self.values[c].add_if(member, share_value);
            self.weighted[c] = self.weighted[c].add_if(member, weight_share * value);
        }
    }
}

/// Line between two endpoints.
#[derive(Clone, Copy)]
struct Line<S: Simd> {
    /// The first endpoint, plus 1/2 for rounding.
    base: [S::F; 3],
    /// Change for each 1/64 of weight.
    step: [S::F; 3],
    /// Index of a texel: its scalar product with `gradient`, less `origin`.
    gradient: [S::F; 3],
    origin: S::F,
    /// The first endpoint and the change to the second, as values of halves.
    start: [S::F; 3],
    change: [S::F; 3],
}

impl<S: Simd> Line<S> {
    #[inline(always)]
    fn new<K: Kind>(s: S, a: &[S::F; 3], b: &[S::F; 3], top_index: S::F) -> Self {
        let change = each!(c in 3 => b[c] - a[c]);
        let length = dot::<S>(&change, &change).max(s.f(1e-3));
        let scale = top_index * s.f(K::WIDEN) / length;
        let gradient = each!(c in 3 => change[c] * scale);
        // Halves are rounded to zero, so half a unit below an endpoint becomes its half on average.
        let start = each!(c in 3 => {
            let bias = if K::SIGNED { s.f(0.5).or_if(a[c].lt(s.f(0.0)), s.f(-0.5)) } else { s.f(0.5) };
            a[c] * s.f(K::FINISH) - bias
        });
        Self {
            base: each!(c in 3 => a[c] + s.f(0.5)),
            step: each!(c in 3 => change[c] * s.f(1.0 / 64.0)),
            gradient,
            origin: dot::<S>(&start, &gradient),
            start,
            change: each!(c in 3 => change[c] * s.f(K::FINISH)),
        }
    }

    /// Returns the index of a texel whose channels have weights.
    #[inline(always)]
    fn weighted_place(&self, s: S, texel: &[S::F; 3], weights: &[S::F; 3], top_index: S::F) -> S::F {
        let changes = each!(c in 3 => self.change[c] * weights[c]);
        let length = dot::<S>(&changes, &self.change).max(s.f(1e-9));
        dot::<S>(&changes, &each!(c in 3 => texel[c] - self.start[c])) * top_index / length
    }

    #[inline(always)]
    fn or_if(mut self, mask: S::M, other: &Self) -> Self {
        self.origin = self.origin.or_if(mask, other.origin);
        for c in 0..3 {
            self.base[c] = self.base[c].or_if(mask, other.base[c]);
            self.step[c] = self.step[c].or_if(mask, other.step[c]);
            self.gradient[c] = self.gradient[c].or_if(mask, other.gradient[c]);
            self.start[c] = self.start[c].or_if(mask, other.start[c]);
            self.change[c] = self.change[c].or_if(mask, other.change[c]);
        }
        self
    }

    /// Returns the squared error of a texel, or of its levels, at a weight.
    #[inline(always)]
    fn error<K: Kind>(&self, s: S, weight: S::F, texel: &[S::F; 3]) -> S::F {
        let errors = each!(c in 3 => {
            // At most 16 bits before the point and 6 after it: exact.
            let value = weight.mul_add(self.step[c], self.base[c]).floor();
            let found = finished::<S, K>(s, value);
            if K::LOG { level(s, found) - texel[c] } else { found - texel[c] }
        });
        dot::<S>(&errors, &errors)
    }
}

impl<S: Simd, K: Kind, const TWO: bool, const WANTED: u8> LaneFn<S> for Assign<'_, S, K, TWO, WANTED> {
    type Output = Assigned<S>;

    #[inline(always)]
    fn run(self, s: S) -> Assigned<S> {
        let Self { texels, subsets, endpoints, .. } = self;
        let zero = s.f(0.0);
        let [a, b, c, d] = endpoints;
        let first = Line::new::<K>(s, a, b, subsets.top_index);
        let second = if TWO { Line::new::<K>(s, c, d, subsets.top_index) } else { first };
        // Weights are these multiples of the index, rounded.
        let weight_step = if TWO { s.f(64.0) / subsets.top_index } else { s.f(64.0 / 15.0) };
        let mut assigned = Assigned { errors: [zero; 2], sums: [Sums::zero(s); 2], indices: [zero; 16] };
        for t in 0..16 {
            let line = if TWO { first.or_if(subsets.second[t], &second) } else { first };
            let texel = each!(c in 3 => texels.values[c][t]);
            let wanted = if K::LOG { each!(c in 3 => texels.levels[c][t]) } else { texel };
            let highest = subsets.highest_index::<TWO>(t);
            let place = if K::LOG {
                line.weighted_place(s, &texel, &each!(c in 3 => texels.weights[c][t]), subsets.top_index)
            } else {
                dot::<S>(&texel, &line.gradient) - line.origin
            };
            let place = place.max(zero).min(highest);
            let mut index = place.round();
            if WANTED != SUMS && K::LOG {
                let other = (place.floor() + place.floor() + s.f(1.0) - index).min(highest);
                let error = line.error::<K>(s, (index * weight_step).round(), &wanted);
                let other_error = line.error::<K>(s, (other * weight_step).round(), &wanted);
                index = index.or_if(other_error.lt(error * s.f(SMALLER)), other);
            }
            let weight = (index * weight_step).round();
            let subset_count = if TWO { 2 } else { 1 };
            match WANTED {
                SUMS => {
                    for k in 0..subset_count {
                        assigned.sums[k].add::<K>(s, texels, t, subsets.members[k][t], weight);
                    }
                }
                ERRORS => {
                    let error = line.error::<K>(s, weight, &wanted);
                    for k in 0..subset_count {
                        assigned.errors[k] = assigned.errors[k].add_if(subsets.members[k][t], error);
                    }
                }
                _ => assigned.indices[t] = index,
            }
        }
        assigned
    }
}
