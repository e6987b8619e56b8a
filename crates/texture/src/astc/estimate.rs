//! Ranking of a block's partition patterns by their estimated errors.
//!
//! A part's texels are roughly along a line. The residual after a regression of the other channels on the
//! one with the largest variance estimates the error that no weight can remove; a share of the variance
//! estimates the error of few weights. Channels are first rotated so that the first is grey.

use super::patterns::{PATTERNS, Parts};
use crate::{
    bc::{batch::BATCH, block::centered},
    simd::{AvailableLevel, Float, Int, Simd, dispatch},
};
use std::f32::consts::FRAC_1_SQRT_2;

/// Maximum number of patterns that are kept.
pub(crate) const RANKED: usize = 64;

/// Value that no pattern's key can have.
pub(crate) const NONE: i32 = i32::MAX;

/// Numbers of patterns of two parts that lower qualities examine, and maximum number that they keep.
pub(crate) const FIRST: [usize; 3] = [32, 64, 128];
pub(crate) const FIRST_KEPT: usize = 2;

/// Patterns of a batch's blocks, by their keys: the number of the pattern in the lowest nine bits, the
/// estimated squared error above.
pub(crate) struct Rankings {
    /// Keys of two parts, the most promising first.
    pub two: [[i32; BATCH]; RANKED],
    /// The most promising of the first patterns.
    pub first: [[[i32; BATCH]; FIRST_KEPT]; FIRST.len()],
    /// Keys of three parts.
    pub three: [[i32; BATCH]; RANKED],
    /// Estimated errors of a second plane for each channel, if they are ranked.
    pub planes: [[i32; BATCH]; 4],
}

impl Rankings {
    pub const NONE: Self = Self {
        two: [[NONE; BATCH]; RANKED],
        first: [[[NONE; BATCH]; FIRST_KEPT]; FIRST.len()],
        three: [[NONE; BATCH]; RANKED],
        planes: [[NONE; BATCH]; 4],
    };
}

/// Numbers of patterns to examine and to keep, of two and of three parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PatternCounts {
    pub has_alpha: bool,
    /// True if second planes are ranked, too.
    pub ranks_planes: bool,
    pub two: usize,
    pub keep_two: usize,
    pub three: usize,
    pub keep_three: usize,
}

/// Shares of the variance that weights of two and of three parts leave. Larger shares prefer parts of less
/// variance, smaller ones parts closer to a line.
const SHARES: [f32; 2] = [1.0 / 60.0, 1.0 / 30.0];

/// Sums of channels and of products of two.
#[derive(Clone, Copy)]
struct Sums<S: Simd, const CHANNELS: usize> {
    of: [S::F; CHANNELS],
    products: [[S::F; CHANNELS]; CHANNELS],
}

impl<S: Simd, const CHANNELS: usize> Sums<S, CHANNELS> {
    #[inline(always)]
    fn zero(s: S) -> Self {
        Self { of: [s.f(0.0); CHANNELS], products: [[s.f(0.0); CHANNELS]; CHANNELS] }
    }

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for a in 0..CHANNELS {
            self.of[a] = self.of[a] + other.of[a];
            for b in a..CHANNELS {
                self.products[a][b] = self.products[a][b] + other.products[a][b];
            }
        }
    }

    #[inline(always)]
    fn less(mut self, other: &Self) -> Self {
        for a in 0..CHANNELS {
            self.of[a] = self.of[a] - other.of[a];
            for b in a..CHANNELS {
                self.products[a][b] = self.products[a][b] - other.products[a][b];
            }
        }
        self
    }

    /// Returns the sums over some texels of a block.
    #[inline(always)]
    fn of(s: S, moments: &[Self; 16], mut texels: u16) -> Self {
        let mut sums = Self::zero(s);
        while texels != 0 {
            sums.add(&moments[texels.trailing_zeros() as usize]);
            texels &= texels - 1;
        }
        sums
    }

    /// Returns the covariance of `count` texels, times `count`².
    #[inline(always)]
    fn covariance(&self, s: S, count: f32) -> [[S::F; CHANNELS]; CHANNELS] {
        let (zero, n) = (s.f(0.0), s.f(count));
        let mut covariance = self.products;
        for a in 0..CHANNELS {
            for b in a..CHANNELS {
                covariance[a][b] = n.mul_add(self.products[a][b], zero - self.of[a] * self.of[b]);
                covariance[b][a] = covariance[a][b];
            }
        }
        covariance
    }

    /// Returns the squared residual of `count` texels after the regression, plus a share of their variance.
    #[inline(always)]
    fn estimate(&self, s: S, count: f32, share: f32) -> S::F {
        let covariance = self.covariance(s, count);
        let (left, whole) = residual(s, &covariance, [true; CHANNELS]);
        (left + whole * s.f(share)) * s.f(1.0 / count)
    }
}

/// Returns the residual after the regression of some channels on the one of them with the largest variance,
/// and all of their variance.
#[inline(always)]
fn residual<S: Simd, const CHANNELS: usize>(
    s: S,
    covariance: &[[S::F; CHANNELS]; CHANNELS],
    counts: [bool; CHANNELS],
) -> (S::F, S::F) {
    let zero = s.f(0.0);
    let (mut whole, mut largest) = (zero, s.f(-1.0));
    let mut row = [zero; CHANNELS];
    for a in 0..CHANNELS {
        if counts[a] {
            whole = whole + covariance[a][a];
            let is_larger = largest.lt(covariance[a][a]);
            largest = largest.max(covariance[a][a]);
            for b in 0..CHANNELS {
                row[b] = row[b].or_if(is_larger, covariance[a][b]);
            }
        }
    }
    let mut squares = zero;
    for b in 0..CHANNELS {
        if counts[b] {
            squares = squares + row[b] * row[b];
        }
    }
    ((whole - squares / largest.max(s.f(1.0))).max(zero), whole)
}

/// 1/√3 and 1/√6. With 1/√2, they scale the rotated axes to length 1.
const TURN_GREY: f32 = 0.577_350_3;
const TURN_GREEN: f32 = 0.408_248_3;

/// Returns the sums of each texel, with rotated channels if `turn`.
#[inline(always)]
fn moments_of<S: Simd, const CHANNELS: usize>(
    s: S,
    blocks: &[f32],
    starts: S::I,
    turn: bool,
) -> [Sums<S, CHANNELS>; 16] {
    let mut moments = [Sums::zero(s); 16];
    for (t, sums) in moments.iter_mut().enumerate() {
        let [r, g, b, a] = centered(s, s.gather(blocks, starts + s.i(t as i32)).bits());
        let mut x = [r, g, b, a];
        if turn {
            x[0] = ((r + g + b) * s.f(TURN_GREY)).round();
            x[1] = ((r - b) * s.f(FRAC_1_SQRT_2)).round();
            x[2] = ((g + g - r - b) * s.f(TURN_GREEN)).round();
        }
        for a in 0..CHANNELS {
            sums.of[a] = x[a];
            for b in a..CHANNELS {
                sums.products[a][b] = x[a] * x[b];
            }
        }
    }
    moments
}

/// Inserts a key among the smallest, in order.
#[inline(always)]
fn insert<S: Simd>(list: &mut [S::I], mut key: S::I) {
    for place in list {
        let smaller = place.min(key);
        key = place.max(key);
        *place = smaller;
    }
}

/// Returns the key of a pattern.
#[inline(always)]
fn key<S: Simd>(s: S, estimate: S::F, pattern: usize) -> S::I {
    estimate.min(s.f(4_194_302.0)).floor().to_i().shl::<9>() | s.i(pattern as i32)
}

#[inline(always)]
fn rank<S: Simd, const CHANNELS: usize>(
    s: S,
    counts: PatternCounts,
    blocks: &[f32],
    starts: &[i32; BATCH],
    first: usize,
    rankings: &mut Rankings,
) {
    let starts = s.load_i(&starts[first..]);
    if counts.ranks_planes {
        rank_planes::<S, CHANNELS>(s, blocks, starts, first, rankings);
    }
    let moments = moments_of::<S, CHANNELS>(s, blocks, starts, true);
    let all = Sums::of(s, &moments, 0xffff);
    let mut list = [s.i(NONE); RANKED];
    for (number, &Parts { texels, .. }) in PATTERNS[0].iter().enumerate().take(counts.two) {
        for (count, ranking) in FIRST.into_iter().zip(&mut rankings.first) {
            if number == count {
                for (key, place) in list.iter().zip(ranking) {
                    key.store(&mut place[first..]);
                }
            }
        }
        let smaller = if texels[0].count_ones() < 8 { texels[0] } else { texels[1] };
        let count = smaller.count_ones() as f32;
        let part = Sums::of(s, &moments, smaller);
        let estimate =
            part.estimate(s, count, SHARES[0]) + all.less(&part).estimate(s, 16.0 - count, SHARES[0]);
        insert::<S>(&mut list[..counts.keep_two], key(s, estimate, number));
    }
    for (key, place) in list.iter().zip(&mut rankings.two) {
        key.store(&mut place[first..]);
    }
    let mut list = [s.i(NONE); RANKED];
    for (number, &Parts { texels, .. }) in PATTERNS[1].iter().enumerate().take(counts.three) {
        let sizes = texels.map(|texels| texels.count_ones() as f32);
        let (one, two) = (Sums::of(s, &moments, texels[0]), Sums::of(s, &moments, texels[1]));
        let estimate = one.estimate(s, sizes[0], SHARES[1])
            + two.estimate(s, sizes[1], SHARES[1])
            + all.less(&one).less(&two).estimate(s, sizes[2], SHARES[1]);
        insert::<S>(&mut list[..counts.keep_three], key(s, estimate, number));
    }
    for (key, place) in list.iter().zip(&mut rankings.three) {
        key.store(&mut place[first..]);
    }
}

/// Estimates the error of a second plane for each channel.
#[inline(always)]
fn rank_planes<S: Simd, const CHANNELS: usize>(
    s: S,
    blocks: &[f32],
    starts: S::I,
    first: usize,
    rankings: &mut Rankings,
) {
    let all = Sums::of(s, &moments_of::<S, CHANNELS>(s, blocks, starts, false), 0xffff);
    let covariance = all.covariance(s, 16.0);
    for plane in 0..CHANNELS {
        let mut counts = [true; CHANNELS];
        counts[plane] = false;
        let (left, _) = residual(s, &covariance, counts);
        let estimate = (left * s.f(1.0 / 16.0)).floor().to_i();
        estimate.store(&mut rankings.planes[plane][first..]);
    }
}

#[inline(always)]
fn rank_lanes<S: Simd>(
    s: S,
    counts: PatternCounts,
    blocks: &[f32],
    starts: &[i32; BATCH],
    rankings: &mut Rankings,
) {
    for first in (0..BATCH).step_by(S::LANES) {
        if counts.has_alpha {
            rank::<S, 4>(s, counts, blocks, starts, first, rankings);
        } else {
            rank::<S, 3>(s, counts, blocks, starts, first, rankings);
        }
    }
}

/// Ranks patterns for the blocks of a batch. `blocks` contains the bits of their texels, red in the lowest
/// byte.
#[allow(unsafe_code)]
pub(crate) fn rank_patterns(
    level: AvailableLevel,
    counts: PatternCounts,
    blocks: &[f32],
    starts: &[i32; BATCH],
    rankings: &mut Rankings,
) {
    dispatch!(
        encoder level,
        rank_lanes(counts: PatternCounts, blocks: &[f32], starts: &[i32; BATCH], rankings: &mut Rankings)
    );
}
