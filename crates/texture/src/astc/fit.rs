//! Endpoints of parts: regressions for each coding, steps of single levels, weights.

use super::{
    coding::{Coding, Ends, Tables, coded, decoded, upper_half},
    groups::{Family, Group, MAX_RANGES},
    part::{Line, Part, PartTexels, Ranks},
};
use crate::{
    bc::{batch::BATCH, block::bytes},
    simd::{AvailableLevel, Float, Int, LaneFn, Mask as _, Simd, dispatch},
};

/// Squared errors and levels of [`BATCH`] parts, the first channel in the lowest byte.
#[derive(Clone, Copy, Default)]
pub(crate) struct FittedParts {
    pub errors: [i32; BATCH],
    pub even: [i32; BATCH],
    pub odd: [i32; BATCH],
}

/// Results by range of weights, without and with offsets.
pub(crate) type Results = [[FittedParts; 2]; MAX_RANGES];

/// Amount of work for a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Number of ranges of weights to try, from the group's first on.
    pub ranges: usize,
    /// Number of regressions.
    pub rounds: usize,
}

/// Parts of one group.
pub(crate) struct Work<'a> {
    pub group: &'static Group,
    pub texels: &'a PartTexels<'a>,
    /// True if the weights beside the projected one are tried.
    pub exact: bool,
}

/// Best levels so far.
struct Best<S: Simd, const CHANNELS: usize> {
    error: S::F,
    levels: Ends<S, CHANNELS>,
}

impl<S: Simd, const CHANNELS: usize> Best<S, CHANNELS> {
    #[inline(always)]
    fn none(s: S) -> Self {
        let zero = [s.f(0.0); CHANNELS];
        Self { error: s.f(16_777_216.0), levels: Ends { a: zero, b: zero } }
    }

    #[inline(always)]
    fn offer(&mut self, error: S::F, levels: &Ends<S, CHANNELS>) -> S::M {
        let is_better = error.lt(self.error);
        self.error = self.error.min(error);
        self.levels = self.levels.or_if(is_better, levels);
        is_better
    }

    #[inline(always)]
    fn load(s: S, parts: &FittedParts, is_offset: bool, first: usize) -> Self {
        let mut best = Self::none(s);
        best.error = s.load_i(&parts.errors[first..]).to_f();
        let even = bytes(s, s.load_i(&parts.even[first..]));
        let odd = bytes(s, s.load_i(&parts.odd[first..]));
        for c in 0..CHANNELS {
            best.levels.a[c] = even[c];
            best.levels.b[c] = odd[c];
            if is_offset {
                best.levels.b[c] = odd[c].add_if(s.f(127.5).lt(odd[c]), s.f(-256.0));
            }
        }
        best
    }

    #[inline(always)]
    fn store(&self, s: S, parts: &mut FittedParts, first: usize) {
        self.error.to_i().store(&mut parts.errors[first..]);
        packed(s, &self.levels.a).store(&mut parts.even[first..]);
        packed(s, &self.levels.b).store(&mut parts.odd[first..]);
    }
}

#[inline(always)]
fn packed<S: Simd, const CHANNELS: usize>(s: S, levels: &[S::F; CHANNELS]) -> S::I {
    let mut packed = s.i(0);
    for c in (0..CHANNELS).rev() {
        packed = packed.shl::<8>() | levels[c].to_i() & s.i(255);
    }
    packed
}

/// Exchanges the channel `plane` and the last.
#[inline(always)]
fn turned<S: Simd, const CHANNELS: usize>(
    plane: Option<usize>,
    mut ends: Ends<S, CHANNELS>,
) -> Ends<S, CHANNELS> {
    if let Some(plane) = plane {
        ends.a.swap(plane, CHANNELS - 1);
        ends.b.swap(plane, CHANNELS - 1);
    }
    ends
}

/// Finds endpoints.
struct FitParts<'a, 'b, const CHANNELS: usize, const DUAL: bool>(&'a Work<'b>, Effort, &'a mut Results);

impl<S: Simd, const CHANNELS: usize, const DUAL: bool> LaneFn<S> for FitParts<'_, '_, CHANNELS, DUAL> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self(work, effort, results) = self;
        let Group { plane, family, weights, .. } = *work.group;
        let codings = if family == Family::Color { &Coding::ALL[..] } else { &Coding::ALL[..1] };
        for first in (0..BATCH).step_by(S::LANES) {
            let part = Part::<S, CHANNELS>::load(s, work.texels, plane, first);
            let extent = part.extent::<DUAL>(s);
            for (place, results) in results.iter_mut().enumerate().take(effort.ranges.min(weights.len())) {
                let ranks = Ranks::new(s, weights[place]);
                let tables = Tables::of(work.group.color_range(place));
                let mut best = [Best::none(s), Best::none(s)];
                for &coding in codings {
                    let best = &mut best[usize::from(coding.is_offset())];
                    let mut ends = extent;
                    for round in 0..=effort.rounds {
                        let levels = coded(s, tables, family, coding, &turned(plane, ends));
                        let decoded = turned(plane, decoded(s, family, coding.is_offset(), &levels));
                        if round == effort.rounds {
                            best.offer(part.error::<DUAL>(s, &ranks, work.exact, &decoded), &levels);
                        } else {
                            let (error, moments) =
                                part.error_and_moments::<DUAL>(s, &ranks, work.exact, &decoded);
                            best.offer(error, &levels);
                            ends = part.regression::<DUAL>(s, &moments, &ends);
                        }
                    }
                }
                for (best, parts) in best.iter().zip(results) {
                    best.store(s, parts, first);
                }
            }
        }
    }
}

/// A range of a group's weights, and the second of the endpoint modes if `is_offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Variant {
    /// Position in the group's list.
    pub place: u8,
    /// Number of the range.
    pub range: u8,
    pub is_offset: bool,
}

/// Improves levels by single steps, as long as they help in any lane, at most `sweeps` times.
struct ClimbParts<'a, 'b, const CHANNELS: usize, const DUAL: bool>(
    &'a Work<'b>,
    Variant,
    usize,
    &'a mut FittedParts,
);

impl<S: Simd, const CHANNELS: usize, const DUAL: bool> LaneFn<S> for ClimbParts<'_, '_, CHANNELS, DUAL> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self(work, Variant { place, range, is_offset }, sweeps, parts) = self;
        let Group { plane, family, .. } = *work.group;
        let ranks = Ranks::new(s, usize::from(range));
        let tables = Tables::of(work.group.color_range(usize::from(place)));
        for first in (0..BATCH).step_by(S::LANES) {
            let part = Part::<S, CHANNELS>::load(s, work.texels, plane, first);
            let mut best = Best::<S, CHANNELS>::load(s, parts, is_offset, first);
            for _ in 0..sweeps {
                let mut improved = s.none();
                for c in 0..CHANNELS {
                    if family == Family::Grey && matches!(c, 1 | 2) {
                        continue;
                    }
                    for (of_even, of_odd) in STEPS {
                        let levels =
                            stepped(s, tables, family, is_offset, c, (of_even, of_odd), &best.levels);
                        let decoded = turned(plane, decoded(s, family, is_offset, &levels));
                        let error = part.error::<DUAL>(s, &ranks, work.exact, &decoded);
                        improved = improved | best.offer(error, &levels);
                    }
                }
                if !improved.any() {
                    break;
                }
            }
            best.store(s, parts, first);
        }
    }
}

/// Directions of both levels of a channel: 1 up, −1 down.
const STEPS: [(i32, i32); 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)];

/// Returns levels with those of a channel one step higher or lower.
#[inline(always)]
fn stepped<S: Simd, const CHANNELS: usize>(
    s: S,
    tables: &Tables,
    family: Family,
    is_offset: bool,
    c: usize,
    (of_even, of_odd): (i32, i32),
    levels: &Ends<S, CHANNELS>,
) -> Ends<S, CHANNELS> {
    let mut next = *levels;
    let direction = |step: i32| usize::from(step < 0);
    if is_offset {
        if of_even != 0 {
            next.a[c] = s.gather(&tables.base_steps[direction(of_even)], levels.a[c].to_i());
            next.b[c] = tables.offset(s, next.a[c], next.b[c]);
        }
        if of_odd != 0 {
            let place = next.b[c] + s.f(32.0) + upper_half(s, next.a[c]) * s.f(64.0);
            next.b[c] = s.gather(&tables.offset_steps[direction(of_odd)], place.to_i());
        }
        return next;
    }
    if of_even != 0 {
        next.a[c] = s.gather(&tables.level_steps[direction(of_even)], levels.a[c].to_i());
    }
    if of_odd != 0 {
        next.b[c] = s.gather(&tables.level_steps[direction(of_odd)], levels.b[c].to_i());
    }
    if c < 3 && family != Family::Color {
        // One value of all three channels: both greys, or the factor.
        for other in 0..3 {
            next.b[other] = next.b[c];
            if family == Family::Grey {
                next.a[other] = next.a[c];
            }
        }
    }
    next
}

/// Ranks of weights of [`BATCH`] parts, by plane and by the texel's number in the part.
pub(crate) type PartRanks = [[[i32; BATCH]; 16]; 2];

/// Finds the best weight of every texel. Each lane has its own range of weights and endpoint mode.
struct RankParts<'a, 'b, const CHANNELS: usize, const DUAL: bool>(
    &'a Work<'b>,
    &'a [Variant; BATCH],
    &'a mut FittedParts,
    &'a mut PartRanks,
);

impl<S: Simd, const CHANNELS: usize, const DUAL: bool> LaneFn<S> for RankParts<'_, '_, CHANNELS, DUAL> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self(work, variants, parts, ranks_of_parts) = self;
        let Group { plane, family, .. } = *work.group;
        let ranges = variants.map(|variant| i32::from(variant.range));
        let offsets = variants.map(|variant| i32::from(variant.is_offset));
        for first in (0..BATCH).step_by(S::LANES) {
            let part = Part::<S, CHANNELS>::load(s, work.texels, plane, first);
            let ranks = Ranks::of_lanes(s, s.load_i(&ranges[first..]));
            let without = Best::<S, CHANNELS>::load(s, parts, false, first).levels;
            let mut ends = decoded(s, family, false, &without);
            if family == Family::Color {
                let with = Best::<S, CHANNELS>::load(s, parts, true, first).levels;
                let has_offsets = s.i(0).lt(s.load_i(&offsets[first..]));
                ends = ends.or_if(has_offsets, &decoded(s, family, true, &with));
            }
            let line = Line::new::<DUAL>(s, &ranks, &turned(plane, ends));
            let mut error = s.f(0.0);
            for t in 0..part.longest {
                for number in 0..if DUAL { 2 } else { 1 } {
                    let (rank, _, of_texel) = line.best::<DUAL>(s, &ranks, work.exact, number, &part.x[t]);
                    error = of_texel.mul_add(part.one[t], error);
                    rank.to_i().store(&mut ranks_of_parts[number][t][first..]);
                }
            }
            error.to_i().store(&mut parts.errors[first..]);
        }
    }
}

/// Runs a task for the group's channels and planes.
macro_rules! for_group {
    ($s:ident, $work:ident, $task:ident($($argument:expr),*)) => {
        match ($work.group.has_alpha, $work.group.plane.is_some()) {
            (false, false) => $s.call($task::<3, false>($($argument),*)),
            (false, true) => $s.call($task::<3, true>($($argument),*)),
            (true, false) => $s.call($task::<4, false>($($argument),*)),
            (true, true) => $s.call($task::<4, true>($($argument),*)),
        }
    };
}

#[inline(always)]
fn fit_lanes<S: Simd>(s: S, work: &Work<'_>, effort: Effort, results: &mut Results) {
    for_group!(s, work, FitParts(work, effort, results));
}

#[inline(always)]
fn climb_lanes<S: Simd>(s: S, work: &Work<'_>, variant: Variant, sweeps: usize, parts: &mut FittedParts) {
    for_group!(s, work, ClimbParts(work, variant, sweeps, parts));
}

#[inline(always)]
fn rank_lanes<S: Simd>(
    s: S,
    work: &Work<'_>,
    variants: &[Variant; BATCH],
    parts: &mut FittedParts,
    ranks: &mut PartRanks,
) {
    for_group!(s, work, RankParts(work, variants, parts, ranks));
}

/// Finds endpoints for parts.
#[allow(unsafe_code)]
pub(crate) fn fit(level: AvailableLevel, work: &Work<'_>, effort: Effort, results: &mut Results) {
    dispatch!(encoder level, fit_lanes(work: &Work<'_>, effort: Effort, results: &mut Results));
}

/// Improves the levels of parts.
#[allow(unsafe_code)]
pub(crate) fn climb(
    level: AvailableLevel,
    work: &Work<'_>,
    variant: Variant,
    sweeps: usize,
    parts: &mut FittedParts,
) {
    dispatch!(
        encoder level,
        climb_lanes(work: &Work<'_>, variant: Variant, sweeps: usize, parts: &mut FittedParts)
    );
}

/// Finds the best weight of every texel of parts, and their errors. The parts may belong to different groups
/// that have the same channels, planes and family.
#[allow(unsafe_code)]
pub(crate) fn rank_weights(
    level: AvailableLevel,
    work: &Work<'_>,
    variants: &[Variant; BATCH],
    parts: &mut FittedParts,
    ranks: &mut PartRanks,
) {
    dispatch!(
        encoder level,
        rank_lanes(
            work: &Work<'_>,
            variants: &[Variant; BATCH],
            parts: &mut FittedParts,
            ranks: &mut PartRanks
        )
    );
}
