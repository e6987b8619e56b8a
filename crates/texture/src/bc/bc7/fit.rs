//! Endpoints for parts: repeated regression, then steps of single codes.

use super::{
    by_alpha_index::{Nearest, WeightedPart, nearest_lanes},
    coding::{Coding, CodingLanes, PBits},
    line::Ends,
    part::{Part, PartTexels},
    plan::{AXIS_STEPS, Effort},
};
use crate::{
    bc::{batch::BATCH, block::bytes},
    simd::{AvailableLevel, Float, Int, LaneFn, Mask as _, Simd, dispatch},
};

#[cfg(not(target_arch = "wasm32"))]
mod both;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use both::fit_both;

/// Starts of regressions: the texels' extent takes all indices except these numbers at either end.
pub(crate) const STARTS: [[f32; 2]; 16] = [
    [0.0, 0.0],
    [1.0, 0.0],
    [0.0, 1.0],
    [1.0, 1.0],
    [2.0, 0.0],
    [0.0, 2.0],
    [0.5, 0.0],
    [0.0, 0.5],
    [2.0, 1.0],
    [1.0, 2.0],
    [-0.5, -0.5],
    [2.0, 2.0],
    [-0.5, 0.5],
    [0.5, -0.5],
    [3.0, 0.0],
    [0.0, 3.0],
];

/// Results for [`BATCH`] parts: squared errors and endpoints' codes, with the first channel in the lowest
/// byte.
#[derive(Clone, Copy, Default)]
pub(crate) struct FittedParts {
    pub errors: [i32; BATCH],
    pub a: [i32; BATCH],
    pub b: [i32; BATCH],
}

/// Best endpoints so far.
pub(crate) struct Best<S: Simd, const CHANNELS: usize> {
    pub error: S::F,
    pub ends: Ends<S, CHANNELS>,
}

impl<S: Simd, const CHANNELS: usize> Best<S, CHANNELS> {
    #[inline(always)]
    fn offer(&mut self, error: S::F, ends: &Ends<S, CHANNELS>) -> S::M {
        let better = error.lt(self.error);
        self.error = self.error.min(error);
        self.ends = self.ends.or_if(better, ends);
        better
    }

    #[inline(always)]
    fn load(s: S, parts: &FittedParts, first: usize) -> Self {
        let (a, b) = (s.load_i(&parts.a[first..]), s.load_i(&parts.b[first..]));
        let zero = s.f(0.0);
        let mut ends = Ends { a: [zero; CHANNELS], b: [zero; CHANNELS] };
        let (of_a, of_b) = (bytes(s, a), bytes(s, b));
        ends.a.copy_from_slice(&of_a[..CHANNELS]);
        ends.b.copy_from_slice(&of_b[..CHANNELS]);
        Self { error: s.load_i(&parts.errors[first..]).to_f(), ends }
    }

    #[inline(always)]
    fn store(&self, s: S, parts: &mut FittedParts, first: usize) {
        self.error.to_i().store(&mut parts.errors[first..]);
        packed(s, &self.ends.a).store(&mut parts.a[first..]);
        packed(s, &self.ends.b).store(&mut parts.b[first..]);
    }
}

#[inline(always)]
fn packed<S: Simd, const CHANNELS: usize>(s: S, codes: &[S::F; CHANNELS]) -> S::I {
    let mut packed = s.i(0);
    for c in (0..CHANNELS).rev() {
        packed = packed.shl::<8>() | codes[c].to_i();
    }
    packed
}

/// Data that [`FitParts`] and the other tasks work on.
pub(crate) struct Work<'a> {
    pub coding: Coding,
    pub texels: &'a PartTexels<'a>,
    pub parts: &'a mut FittedParts,
}

/// Returns endpoints beyond those of `extent`, by these shares of their distance.
#[inline(always)]
fn stretched<S: Simd, const CHANNELS: usize>(
    s: S,
    extent: &Ends<S, CHANNELS>,
    [by_a, by_b]: [f32; 2],
) -> Ends<S, CHANNELS> {
    let mut ends = *extent;
    for c in 0..CHANNELS {
        let step = extent.b[c] - extent.a[c];
        ends.a[c] = (extent.a[c] - (step * s.f(by_a)).round()).max(s.f(0.0)).min(s.f(4080.0));
        ends.b[c] = (extent.b[c] + (step * s.f(by_b)).round()).max(s.f(0.0)).min(s.f(4080.0));
    }
    ends
}

/// Finds endpoints.
struct FitParts<'a, 'b, const CHANNELS: usize>(&'b mut Work<'a>, Effort);

impl<S: Simd, const CHANNELS: usize> LaneFn<S> for FitParts<'_, '_, CHANNELS> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self(work, effort) = self;
        let coding = CodingLanes::new(s, work.coding);
        for first in (0..BATCH).step_by(S::LANES) {
            let part = Part::<S, CHANNELS>::load(s, work.texels, first);
            let extent = part.extent(s, AXIS_STEPS);
            let mut best = Best { error: s.f(16_777_216.0), ends: extent };
            for [of_a, of_b] in &STARTS[..effort.starts] {
                let rest = work.coding.last_index() as f32 - of_a - of_b;
                if rest <= 0.0 {
                    continue;
                }
                let mut ends = stretched(s, &extent, [*of_a / rest, *of_b / rest]);
                for round in 0..=effort.rounds {
                    let codes = part.quantized(s, &coding, &ends);
                    if round == effort.rounds {
                        best.offer(part.error(s, &coding, &codes), &codes);
                    } else {
                        let (error, moments) = part.error_and_moments(s, &coding, &codes);
                        best.offer(error, &codes);
                        ends = part.regression(s, &moments, &ends);
                    }
                }
                if effort.p_bits {
                    try_p_bits(s, &coding, &part, &ends, &mut best);
                }
            }
            best.store(s, work.parts, first);
        }
    }
}

/// Offers the codes next to `ends` with every combination of p-bits.
#[inline(always)]
fn try_p_bits<S: Simd, const CHANNELS: usize>(
    s: S,
    coding: &CodingLanes<S>,
    part: &Part<S, CHANNELS>,
    ends: &Ends<S, CHANNELS>,
    best: &mut Best<S, CHANNELS>,
) {
    let combinations: &[[f32; 2]] = match coding.p_bits {
        PBits::None | PBits::Set => &[],
        PBits::Own => &[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]],
        PBits::Shared => &[[0.0, 0.0], [1.0, 1.0]],
    };
    for p in combinations {
        let codes = part.with_p_bits(s, coding, ends, p.map(|p| s.f(p)));
        best.offer(part.error(s, coding, &codes), &codes);
    }
}

/// Improves endpoints by steps of one code at a time, as long as they help in any lane, at most `sweeps`
/// times.
struct ClimbParts<'a, 'b, const CHANNELS: usize>(&'b mut Work<'a>, usize);

impl<S: Simd, const CHANNELS: usize> LaneFn<S> for ClimbParts<'_, '_, CHANNELS> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self(work, sweeps) = self;
        let coding = CodingLanes::new(s, work.coding);
        let step = if work.coding.p_bits == PBits::None { 1.0 } else { 2.0 };
        for first in (0..BATCH).step_by(S::LANES) {
            let part = Part::<S, CHANNELS>::load(s, work.texels, first);
            let mut best = Best::<S, CHANNELS>::load(s, work.parts, first);
            for _ in 0..sweeps {
                let mut improved = s.none();
                for c in 0..CHANNELS {
                    for (of_a, of_b) in
                        [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (1.0, 1.0), (-1.0, -1.0)]
                    {
                        let mut ends = best.ends;
                        let a = ends.a[c] + s.f(of_a * step);
                        let b = ends.b[c] + s.f(of_b * step);
                        let outside =
                            a.lt(s.f(0.0)) | coding.last_code.lt(a) | b.lt(s.f(0.0)) | coding.last_code.lt(b);
                        ends.a[c] = a.or_if(outside, best.ends.a[c]);
                        ends.b[c] = b.or_if(outside, best.ends.b[c]);
                        improved = improved | best.offer(part.error(s, &coding, &ends), &ends);
                    }
                }
                if !improved.any() {
                    break;
                }
            }
            best.store(s, work.parts, first);
        }
    }
}

/// Indices of [`BATCH`] parts, four bits each at the texel's position in its block: first those of eight
/// texels, then those of the others. Texels outside the part have 0.
pub(crate) type PartIndices = [[i32; BATCH]; 2];

/// Finds the nearest index of every texel. The first texel's index must have its highest bit clear. If
/// necessary, the endpoints are exchanged.
struct IndexParts<'a, 'b, const CHANNELS: usize>(&'b mut Work<'a>, bool, &'b mut PartIndices);

impl<S: Simd, const CHANNELS: usize> LaneFn<S> for IndexParts<'_, '_, CHANNELS> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self(work, exact, indices) = self;
        let coding = CodingLanes::new(s, work.coding);
        for first in (0..BATCH).step_by(S::LANES) {
            let part = Part::<S, CHANNELS>::load(s, work.texels, first);
            let mut best = Best::<S, CHANNELS>::load(s, work.parts, first);
            let line = part.line(s, &coding, &best.ends);
            best.error = s.f(0.0);
            let mut words = [s.i(0); 2];
            let mut exchanged = s.none();
            for t in 0..part.longest {
                let guess = line.index(s, &coding, part.texel(t));
                let mut index = guess;
                let mut least = part.texel_error(s, &line, t, line.weight(s, &coding, guess));
                for &neighbour in if exact { &[-1.0, 1.0][..] } else { &[] } {
                    let other = (guess + s.f(neighbour)).max(s.f(0.0)).min(coding.last_index);
                    let error = part.texel_error(s, &line, t, line.weight(s, &coding, other));
                    index = index.or_if(error.lt(least), other);
                    least = least.min(error);
                }
                best.error = part.counted(t, least, best.error);
                if t == 0 {
                    exchanged = (coding.last_index * s.f(0.5)).lt(index);
                }
                index = index.or_if(exchanged, coding.last_index - index) * part.one(t);
                let place = work.texels.places(s, t, first);
                let nibble = index.to_i().shl_by((place & s.i(7)).shl::<2>());
                let is_low = place.lt(s.i(8));
                words[0] = words[0].or_if(is_low, words[0] | nibble);
                words[1] = (words[1] | nibble).or_if(is_low, words[1]);
            }
            best.ends = Ends {
                a: best.ends.or_if(exchanged, &Ends { a: best.ends.b, b: best.ends.b }).a,
                b: best.ends.or_if(exchanged, &Ends { a: best.ends.a, b: best.ends.a }).b,
            };
            for (word, indices) in words.iter().zip(&mut *indices) {
                word.store(&mut indices[first..]);
            }
            best.store(s, work.parts, first);
        }
    }
}

/// Runs a task for the requested channels.
macro_rules! for_channels {
    ($s:ident, $channels:ident, $task:ident($($argument:expr),*)) => {
        match $channels {
            1 => $s.call($task::<1>($($argument),*)),
            3 => $s.call($task::<3>($($argument),*)),
            _ => $s.call($task::<4>($($argument),*)),
        }
    };
}

#[inline(always)]
fn fit_lanes<S: Simd>(s: S, channels: usize, effort: Effort, work: &mut Work<'_>) {
    for_channels!(s, channels, FitParts(work, effort));
}

#[inline(always)]
fn climb_lanes<S: Simd>(s: S, channels: usize, sweeps: usize, work: &mut Work<'_>) {
    for_channels!(s, channels, ClimbParts(work, sweeps));
}

#[inline(always)]
fn index_lanes<S: Simd>(s: S, channels: usize, exact: bool, work: &mut Work<'_>, indices: &mut PartIndices) {
    for_channels!(s, channels, IndexParts(work, exact, indices));
}

/// Finds endpoints for parts of 1, 3 or 4 channels.
#[allow(unsafe_code)]
pub(crate) fn fit(level: AvailableLevel, channels: usize, effort: Effort, work: &mut Work<'_>) {
    dispatch!(encoder level, fit_lanes(channels: usize, effort: Effort, work: &mut Work<'_>));
}

/// Improves the endpoints of parts.
#[allow(unsafe_code)]
pub(crate) fn climb(level: AvailableLevel, channels: usize, sweeps: usize, work: &mut Work<'_>) {
    dispatch!(encoder level, climb_lanes(channels: usize, sweeps: usize, work: &mut Work<'_>));
}

/// Finds the nearest index of every texel of parts, and their errors.
#[allow(unsafe_code)]
pub(crate) fn index(
    level: AvailableLevel,
    channels: usize,
    exact: bool,
    work: &mut Work<'_>,
    indices: &mut PartIndices,
) {
    dispatch!(
        encoder level,
        index_lanes(channels: usize, exact: bool, work: &mut Work<'_>, indices: &mut PartIndices)
    );
}

/// Finds the nearest index of every texel of a part whose texels have different weights, for endpoints of 8
/// bits.
#[allow(unsafe_code)]
pub(super) fn nearest(level: AvailableLevel, part: &WeightedPart, ends: &[[i32; 4]; 2], found: &mut Nearest) {
    dispatch!(encoder level, nearest_lanes(part: &WeightedPart, ends: &[[i32; 4]; 2], found: &mut Nearest));
}
