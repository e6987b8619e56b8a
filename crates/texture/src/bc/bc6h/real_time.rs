//! Real-time encoding.
//!
//! ```text
//! covariance → axis → places between the ends of the projections → line by least squares
//!   → the most precise mode of one subset that has room for the line → indices
//!   level 2: two subsets (real_time_two.rs), if their error is smaller
//!   level 3: one regression more, another partition
//! ```
//!
//! Lines are fitted to bit patterns; errors by the format's default metric decide between candidates.
//!
//! Places and indices are found among integers of 9 bits: the differences from the middle of a channel's
//! range, multiplied by a power of two. All their sums are exact. The other numbers are rounded operation by
//! operation. `real_time.wgsl` and `real_time_two.wgsl` take the same steps.

use super::{
    assign::SMALLER,
    coding::Coding,
    kind::Kind,
    real_time_line::{Line, Members, Texels, directed, distance, fitted},
    real_time_two::{self, TwoSubsets},
    texels::BatchTexels,
};
use crate::{
    RealTime,
    bc::{
        batch::{BATCH, BatchWords},
        bc7::moments::{Moments, projections},
        real_time::sixteen::{dot, range, sum},
    },
    simd::{Float, Int, Simd, each},
};
use std::marker::PhantomData;

/// The highest index with one subset.
const LAST: f32 = 15.0;

/// Distance of two codes' values in the modes of one subset, 11 to 14.
pub(super) const STEPS: [f32; 4] = [64.0, 32.0, 16.0, 1.0];
/// Greatest distance of the endpoints' values in any channel, of the modes with differences, 12 to 14. Their
/// differences have then room.
pub(super) const REACHES: [f32; 3] = [254.0 * STEPS[1], 126.0 * STEPS[2], 6.0 * STEPS[3]];

/// Encoding with one subset.
#[derive(Clone, Copy)]
struct Whole<S: Simd> {
    /// Place of the mode among those of one subset, 0 to 3.
    mode: S::I,
    codes: [[S::F; 3]; 2],
    /// Four bits each: those of eight texels, then those of the others.
    indices: [S::I; 2],
    error: S::F,
}

impl<S: Simd> Whole<S> {
    /// Encodes with the ends of a line. Computes the error if it `counts`.
    #[inline(always)]
    fn new<K: Kind>(s: S, texels: &Texels<S>, ends: &[[S::F; 3]; 2], counts: bool) -> Self {
        let mut farthest = s.f(0.0);
        for c in 0..3 {
            farthest = farthest.max(distance(ends[0][c], ends[1][c]));
        }
        let (mut mode, mut step, mut inverse) = (s.i(0), s.f(STEPS[0]), s.f(1.0 / STEPS[0]));
        for (number, (&reach, &finer)) in (1..).zip(REACHES.iter().zip(&STEPS[1..])) {
            let has_room = !s.f(reach).lt(farthest);
            mode = mode.or_if(has_room, s.i(number));
            step = step.or_if(has_room, s.f(finer));
            inverse = inverse.or_if(has_room, s.f(1.0 / finer));
        }
        let coding = Coding::of_step::<K>(s, step, inverse).limited::<K>(s, texels.limit);
        let codes = each!(e in 2 => each!(c in 3 => coding.code::<K>(s, ends[e][c])));
        let values = each!(e in 2 => each!(c in 3 => coding.value::<K>(s, codes[e][c])));
        let line = Line::new::<K>(s, texels, &values, LAST);
        let (mut indices, mut error) = ([s.i(0); 2], s.f(0.0));
        for t in (0..16).rev() {
            // The first index lacks its highest bit.
            let index = line.index(s, texels, t, s.f(if t == 0 { 7.0 } else { LAST }));
            indices[t / 8] = indices[t / 8].shl::<4>() | index.to_i();
            if counts {
                // The weight is 64·index/15, to nearest.
                let weight = (index.mul_add(s.f(64.0), s.f(7.5)) * s.f(1.0 / LAST)).floor();
                let of_texel = texels.error::<K>(s, t, line.value(weight));
                error = error.add_if(!(texels.visible & s.i(1 << t)).eq(s.i(0)), of_texel);
            }
        }
        Self { mode, codes, indices, error }
    }

    /// Takes another encoding where its error is smaller, however sums were rounded.
    #[inline(always)]
    fn improve(&mut self, s: S, other: &Self) {
        let is_better = other.error.lt(self.error * s.f(SMALLER));
        self.mode = self.mode.or_if(is_better, other.mode);
        self.codes = each!(e in 2 => each!(c in 3 => self.codes[e][c].or_if(is_better, other.codes[e][c])));
        self.indices = each!(i in 2 => self.indices[i].or_if(is_better, other.indices[i]));
        self.error = self.error.or_if(is_better, other.error);
    }

    /// Returns a block's words: the mode, the first endpoint's lowest ten bits, ten bits for each channel of
    /// the second, indices. Those ten bits end with the first endpoint's other bits in reverse.
    #[inline(always)]
    fn words(&self, s: S) -> [S::I; 4] {
        let ten = s.i(1023);
        let is_direct = self.mode.eq(s.i(0));
        // Bits of differences.
        let lowest = (ten.or_if(self.mode.eq(s.i(1)), s.i(511)))
            .or_if(self.mode.eq(s.i(2)), s.i(255))
            .or_if(self.mode.eq(s.i(3)), s.i(15));
        let [a, b] = each!(e in 2 => each!(c in 3 => self.codes[e][c].to_i()));
        let first = each!(c in 3 => a[c] & ten);
        let second = each!(c in 3 => {
            let reversed = s.gather(&REVERSED, a[c].shr::<10>() & s.i(63)).to_i();
            let stored = (b[c] - a[c].or_if(is_direct, s.i(0))) & lowest;
            stored | (reversed & (ten - lowest))
        });
        let [low, high] = self.indices;
        [
            (s.i(3) + self.mode.shl::<2>())
                | first[0].shl::<5>()
                | first[1].shl::<15>()
                | first[2].shl::<25>(),
            first[2].shr::<7>() | second[0].shl::<3>() | second[1].shl::<13>() | second[2].shl::<23>(),
            second[2].shr::<9>() | (low & s.i(7)).shl::<1>() | (low & s.i(!15)),
            high,
        ]
    }
}

/// Six bits in reverse, as bits 4 to 9.
static REVERSED: [f32; 64] = {
    let mut reversed = [0.0; 64];
    let mut bits = 0;
    while bits < 64 {
        reversed[bits] = ((bits as u32).reverse_bits() >> 22) as f32;
        bits += 1;
    }
    reversed
};

/// Returns the number of partitions that a level tries.
pub(super) fn partitions(level: RealTime) -> usize {
    level as usize
}

/// Encodes [`BATCH`] blocks. The `visible` texels, a bit each, are in the image.
#[inline(always)]
pub(super) fn encode_batch<S: Simd, K: Kind>(
    s: S,
    level: RealTime,
    batch: &BatchTexels,
    visible: &[i32; BATCH],
    words: &mut BatchWords,
) {
    let searches = level > RealTime::Level1;
    for first in (0..BATCH).step_by(S::LANES) {
        let texels = &Texels::load::<K>(s, batch, visible, first, searches);
        let moments = Moments::new(s, s.f(16.0), &texels.scaled);
        let axis = moments.axis(s);
        let projections = projections(s, &texels.scaled, &axis);
        let members = Members {
            count: s.f(16.0),
            part: s.f(1.0 / 16.0),
            totals: each!(c in 3 => sum(&texels.centered[c])),
        };
        let (start, scale) = directed(s, range(&projections), projections[0], LAST);
        let at = each!(t in 16 => ((projections[t] - start) * scale).round());
        let ends = fitted::<S, K>(s, texels, &members, &at, LAST);
        let mut best = Whole::new::<K>(s, texels, &ends, searches);
        if level == RealTime::Level3 {
            let at = each!(t in 16 => {
                (best.indices[t / 8].shr_by(s.i(4 * (t as i32 % 8))) & s.i(15)).to_f()
            });
            let ends = fitted::<S, K>(s, texels, &members, &at, LAST);
            best.improve(s, &Whole::new::<K>(s, texels, &ends, true));
        }
        let mut packed = best.words(s);
        if searches {
            let keys = real_time_two::keys(s, &projections, dot(&axis, &moments.sums));
            for &keys in &keys[..partitions(level)] {
                let two =
                    TwoSubsets { texels, moments: &moments, members: &members, keys, kind: PhantomData::<K> };
                let (words, error) = s.call(two);
                let is_better = error.lt(best.error * s.f(SMALLER));
                best.error = best.error.or_if(is_better, error);
                packed = each!(i in 4 => packed[i].or_if(is_better, words[i]));
            }
        }
        for (word, words) in packed.into_iter().zip(&mut *words) {
            word.store(&mut words[first..]);
        }
    }
}
