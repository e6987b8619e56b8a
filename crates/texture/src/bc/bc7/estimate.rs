//! Ranking of a block's partitions by their estimated errors.
//!
//! A subset's texels are roughly along a line. The residual after a regression of the other channels on the
//! one with the largest variance estimates the error that no index can remove. The variance estimates the
//! error that indices of few bits leave. Channels are first rotated so that the first is grey. The residual
//! is then measured nearly at right angles to the line.

use super::{
    partitions::{THREE_SUBSETS, TWO_SUBSETS},
    plan::Plan,
};
use crate::{
    bc::{batch::BATCH, block::centered, numbers::reciprocal},
    simd::{AvailableLevel, Float, Int, Simd, dispatch},
};
use std::f32::consts::FRAC_1_SQRT_2;

/// Number of partitions that are kept for each mode.
pub(crate) const RANKED: usize = 12;

/// Partitions of a batch's blocks, by their keys. A key has the number of a partition in the lowest byte and
/// the estimated squared error times 4 above it.
pub(crate) struct Rankings {
    /// Keys for each mode, the most promising first: `[mode][place][lane]`. Modes without partitions have
    /// none.
    pub keys: [[[i32; BATCH]; RANKED]; 8],
    /// Most promising of the first [`FIRST`] partitions, for mode 1, or for mode 7 if there is alpha.
    pub first: [[i32; BATCH]; 2],
}

impl Rankings {
    pub const NONE: Self = Self { keys: [[[NONE; BATCH]; RANKED]; 8], first: [[NONE; BATCH]; 2] };
}

/// Numbers of two-subset partitions that the lower qualities examine.
pub(crate) const FIRST: [usize; 2] = [16, 32];

/// Value that no partition's key can have.
pub(crate) const NONE: i32 = i32::MAX;

/// Additions to an estimate for a mode: a share of the variance for its indices, and a constant for its
/// endpoints (times 4).
#[derive(Clone, Copy)]
struct Losses {
    mode: usize,
    share: f32,
    constant: f32,
}

const THREE: [Losses; 2] = [
    Losses { mode: 0, share: 1.0 / 50.0, constant: 4.0 * 100.0 },
    Losses { mode: 2, share: 1.0 / 10.0, constant: 4.0 * 100.0 },
];
const TWO: [Losses; 2] = [
    Losses { mode: 1, share: 1.0 / 50.0, constant: 4.0 * 16.0 },
    Losses { mode: 3, share: 1.0 / 10.0, constant: 4.0 * 5.0 },
];
const TWO_WITH_ALPHA: [Losses; 1] = [Losses { mode: 7, share: 1.0 / 10.0, constant: 4.0 * 60.0 }];

/// Returns the share of the variance and the constant that a mode adds; 0 if it has no partitions.
#[cfg(feature = "gpu")]
pub(crate) fn losses(mode: usize) -> [f32; 2] {
    let all = THREE.iter().chain(&TWO).chain(&TWO_WITH_ALPHA);
    all.copied().find(|losses| losses.mode == mode).map_or([0.0; 2], |losses| [losses.share, losses.constant])
}

/// 1/√3 and 1/√6. With 1/√2, they scale the rotated axes to length 1.
pub(crate) const TURN_GREY: f32 = 0.577_350_3;
pub(crate) const TURN_GREEN: f32 = 0.408_248_3;

/// Range of partitions to examine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub has_alpha: bool,
    /// Number of partitions of two subsets to examine, from the first on.
    pub two: usize,
    /// Number of partitions of three subsets to examine, from the first on.
    pub three: usize,
    /// Number of partitions kept for each mode.
    pub keep: usize,
}

impl Range {
    /// Returns the range for a plan and for blocks with or without alpha.
    pub fn new(plan: &Plan, has_alpha: bool) -> Self {
        let keep = if has_alpha { plan.tries[7] } else { plan.tries[..4].iter().copied().max().unwrap_or(0) };
        Self { has_alpha, two: plan.two, three: plan.three, keep }
    }
}

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

    /// Returns the residual of `count` texels after the regression, and all of their variance, both times
    /// `count`.
    #[inline(always)]
    fn spread(&self, s: S, count: f32) -> (S::F, S::F) {
        let zero = s.f(0.0);
        let n = s.f(count);
        let mut covariance = self.products;
        let mut whole = zero;
        for a in 0..CHANNELS {
            for b in a..CHANNELS {
                covariance[a][b] = n.mul_add(self.products[a][b], zero - self.of[a] * self.of[b]);
                covariance[b][a] = covariance[a][b];
            }
            whole = whole + covariance[a][a];
        }
        // The row of the largest variance. With it, the regression explains row²/largest of each channel.
        let mut largest = covariance[0][0];
        let mut row = covariance[0];
        for a in 1..CHANNELS {
            let is_larger = largest.lt(covariance[a][a]);
            largest = largest.max(covariance[a][a]);
            for b in 0..CHANNELS {
                row[b] = row[b].or_if(is_larger, covariance[a][b]);
            }
        }
        let mut squares = row[0] * row[0];
        for b in 1..CHANNELS {
            squares = squares + row[b] * row[b];
        }
        let left = (whole - squares * reciprocal(s, largest.max(s.f(1.0)))).max(zero);
        let one_of_n = s.f(4.0 / count);
        (left * one_of_n, whole * one_of_n)
    }
}

/// Returns the texels of `BATCH` blocks with rotated channels.
#[inline(always)]
fn turned<S: Simd, const CHANNELS: usize>(s: S, packed: S::I) -> [S::F; CHANNELS] {
    let [r, g, b, a] = centered(s, packed);
    let turned = [
        ((r + g + b) * s.f(TURN_GREY)).round(),
        ((r - b) * s.f(FRAC_1_SQRT_2)).round(),
        ((g + g - r - b) * s.f(TURN_GREEN)).round(),
        a,
    ];
    let mut channels = [s.f(0.0); CHANNELS];
    channels.copy_from_slice(&turned[..CHANNELS]);
    channels
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

/// Returns the key of a partition in a mode.
#[inline(always)]
fn key<S: Simd>(s: S, left: S::F, whole: S::F, losses: Losses, partition: usize) -> S::I {
    let estimate = left + whole * s.f(losses.share) + s.f(losses.constant);
    estimate.to_i().shl::<8>() | s.i(partition as i32)
}

#[inline(always)]
fn rank<S: Simd, const CHANNELS: usize>(
    s: S,
    range: Range,
    blocks: &[f32],
    starts: &[i32; BATCH],
    first: usize,
    rankings: &mut Rankings,
) {
    let starts = s.load_i(&starts[first..]);
    let mut moments = [Sums::<S, CHANNELS>::zero(s); 16];
    let mut all = Sums::<S, CHANNELS>::zero(s);
    for (t, sums) in moments.iter_mut().enumerate() {
        let x = turned::<S, CHANNELS>(s, s.gather(blocks, starts + s.i(t as i32)).bits());
        for a in 0..CHANNELS {
            sums.of[a] = x[a];
            for b in a..CHANNELS {
                sums.products[a][b] = x[a] * x[b];
            }
        }
        all.add(sums);
    }
    let mut lists = [[s.i(NONE); RANKED]; 8];
    let best = if CHANNELS == 4 { 7 } else { 1 };
    for (partition, &subset) in TWO_SUBSETS.iter().enumerate().take(range.two) {
        for (count, ranking) in FIRST.into_iter().zip(&mut rankings.first) {
            if partition == count {
                lists[best][0].store(&mut ranking[first..]);
            }
        }
        let mut second = Sums::<S, CHANNELS>::zero(s);
        let mut bits = subset;
        while bits != 0 {
            second.add(&moments[bits.trailing_zeros() as usize]);
            bits &= bits - 1;
        }
        let count = subset.count_ones() as f32;
        let (left, whole) = second.spread(s, count);
        let (left_first, whole_first) = all.less(&second).spread(s, 16.0 - count);
        let (left, whole) = (left + left_first, whole + whole_first);
        let losses: &[Losses] = if CHANNELS == 4 { &TWO_WITH_ALPHA } else { &TWO };
        for &losses in losses {
            insert::<S>(&mut lists[losses.mode][..range.keep], key(s, left, whole, losses, partition));
        }
    }
    if CHANNELS == 3 {
        for (partition, &subsets) in THREE_SUBSETS.iter().enumerate().take(range.three) {
            let mut of = [Sums::<S, CHANNELS>::zero(s); 2];
            let mut counts = [0.0; 2];
            for (number, (sums, count)) in of.iter_mut().zip(&mut counts).enumerate() {
                let mut bits = subsets >> number & 0x5555_5555;
                *count = bits.count_ones() as f32;
                while bits != 0 {
                    sums.add(&moments[bits.trailing_zeros() as usize / 2]);
                    bits &= bits - 1;
                }
            }
            let rest = all.less(&of[0]).less(&of[1]);
            let (mut left, mut whole) = rest.spread(s, 16.0 - counts[0] - counts[1]);
            for (sums, count) in of.iter().zip(counts) {
                let (left_of, whole_of) = sums.spread(s, count);
                left = left + left_of;
                whole = whole + whole_of;
            }
            for losses in THREE {
                if losses.mode != 0 || partition < 16 {
                    insert::<S>(
                        &mut lists[losses.mode][..range.keep],
                        key(s, left, whole, losses, partition),
                    );
                }
            }
        }
    }
    for (list, ranking) in lists.iter().zip(&mut rankings.keys) {
        for (keys, place) in list.iter().zip(ranking) {
            keys.store(&mut place[first..]);
        }
    }
}

#[inline(always)]
fn rank_lanes<S: Simd>(s: S, range: Range, blocks: &[f32], starts: &[i32; BATCH], rankings: &mut Rankings) {
    for first in (0..BATCH).step_by(S::LANES) {
        if range.has_alpha {
            rank::<S, 4>(s, range, blocks, starts, first, rankings);
        } else {
            rank::<S, 3>(s, range, blocks, starts, first, rankings);
        }
    }
}

/// Ranks partitions for the blocks of a batch. `blocks` contains the bits of their texels, red in the lowest
/// byte.
#[allow(unsafe_code)]
pub(crate) fn rank_partitions(
    level: AvailableLevel,
    range: Range,
    blocks: &[f32],
    starts: &[i32; BATCH],
    rankings: &mut Rankings,
) {
    dispatch!(
        encoder level,
        rank_lanes(range: Range, blocks: &[f32], starts: &[i32; BATCH], rankings: &mut Rankings)
    );
}
