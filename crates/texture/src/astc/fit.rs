//! Endpoints of parts: one fit, coded in every way, then a regression and single steps; weights.

use super::{
    coding::{Coding, Ends, TableLanes, coded, decoded},
    groups::{Family, Group, GroupName, MAX_RANGES},
    part::{Line, Part, PartTexels},
    ranks::Ranks,
};
use crate::{
    bc::{batch::BATCH, block::bytes},
    simd::{AvailableLevel, Float, Int, LaneFn, Simd, dispatch},
};

/// More than the squared error of any part, also with weights: a third of what an `i32` holds.
pub(crate) const NO_ERROR: i32 = 1 << 28;

/// Squared errors and levels of [`BATCH`] parts, the first channel in the lowest byte.
#[derive(Clone, Copy, Default)]
pub(crate) struct FittedParts {
    pub errors: [i32; BATCH],
    pub even: [i32; BATCH],
    pub odd: [i32; BATCH],
}

/// Results by range of weights, without and with offsets.
pub(crate) type Results = [[FittedParts; 2]; MAX_RANGES];

/// Work for parts that have levels. That of higher qualities begins with that of lower ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Improvement {
    Regression,
    /// Steps of single levels.
    Sweep,
    RegressionAndSweep,
}

/// Parts of one group.
pub(crate) struct Work<'a> {
    pub group: GroupName,
    pub texels: &'a PartTexels<'a>,
}

/// A range of a group's weights, and the second of the endpoint modes if `is_offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Variant {
    /// Number of the range.
    pub range: u8,
    /// Number of the range of colours.
    pub color_range: u8,
    pub is_offset: bool,
}

/// Number of variants of a group.
pub(crate) const VARIANTS: usize = 2 * MAX_RANGES;

impl Variant {
    /// Returns a variant of a group: the ranges in order, each without and with offsets.
    #[inline]
    pub fn of(group: GroupName, number: usize) -> Self {
        let range = group.group().weights[number / 2] as u8;
        Self { range, color_range: group.color_range(number / 2), is_offset: number % 2 == 1 }
    }
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
        Self { error: s.f(NO_ERROR as f32), levels: Ends { a: zero, b: zero } }
    }

    #[inline(always)]
    fn offer(&mut self, error: S::F, levels: &Ends<S, CHANNELS>) -> S::M {
        let is_better = error.lt(self.error);
        self.error = self.error.min(error);
        self.levels = self.levels.or_if(is_better, levels);
        is_better
    }

    #[inline(always)]
    fn load(s: S, variant: &VariantLanes<S>, parts: &FittedParts, first: usize) -> Self {
        let mut best = Self::none(s);
        best.error = s.load_i(&parts.errors[first..]).to_f();
        let even = bytes(s, s.load_i(&parts.even[first..]));
        let odd = bytes(s, s.load_i(&parts.odd[first..]));
        for c in 0..CHANNELS {
            best.levels.a[c] = even[c];
            let is_negative = variant.has_offsets & s.f(127.5).lt(odd[c]);
            best.levels.b[c] = odd[c].add_if(is_negative, s.f(-256.0));
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

/// Finds endpoints for a number of ranges of weights, from the group's first on.
struct FitParts<'a, 'b, const CHANNELS: usize, const DUAL: bool>(&'a Work<'b>, usize, &'a mut Results);

impl<S: Simd, const CHANNELS: usize, const DUAL: bool> LaneFn<S> for FitParts<'_, '_, CHANNELS, DUAL> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self(work, ranges, results) = self;
        let Group { plane, family, weights, .. } = *work.group.group();
        let codings = if family == Family::Color { &Coding::ALL[..] } else { &Coding::ALL[..1] };
        for first in (0..BATCH).step_by(S::LANES) {
            let part = Part::<S, CHANNELS>::load(s, work.texels, plane, first);
            let extent = part.extent::<DUAL>(s);
            for (place, results) in results.iter_mut().enumerate().take(ranges.min(weights.len())) {
                let ranks = Ranks::new(s, weights[place]);
                let tables = TableLanes::new(s, s.i(i32::from(work.group.color_range(place))));
                let mut best = [Best::none(s), Best::none(s)];
                let ends = turned(plane, part.line_fit::<DUAL>(s, &ranks, extent));
                for &coding in codings {
                    let levels = coded(s, &tables, family, coding, &ends);
                    let decoded = turned(plane, decoded(s, family, coding.is_offset(), &levels));
                    let error = part.error::<DUAL>(s, &ranks, &decoded);
                    best[usize::from(coding.is_offset())].offer(error, &levels);
                }
                for (best, parts) in best.iter().zip(results) {
                    best.store(s, parts, first);
                }
            }
        }
    }
}

/// Improves levels by a regression, then by single steps. Each lane has its own variant.
struct ImproveParts<'a, 'b, const CHANNELS: usize, const DUAL: bool>(
    &'a Work<'b>,
    &'a [Variant; BATCH],
    Improvement,
    &'a mut FittedParts,
);

impl<S: Simd, const CHANNELS: usize, const DUAL: bool> LaneFn<S> for ImproveParts<'_, '_, CHANNELS, DUAL> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self(work, variants, improvement, parts) = self;
        let Group { plane, family, .. } = *work.group.group();
        for first in (0..BATCH).step_by(S::LANES) {
            let part = Part::<S, CHANNELS>::load(s, work.texels, plane, first);
            let variant = VariantLanes::load(s, family, variants, first);
            let mut best = Best::<S, CHANNELS>::load(s, &variant, parts, first);
            if improvement != Improvement::Sweep {
                let ends = turned(plane, variant.decoded(s, &best.levels));
                let (error, moments) = part.error_and_moments::<DUAL>(s, &variant.ranks, &ends);
                best.error = best.error.min(error);
                let ends = turned(plane, part.regression::<DUAL>(s, &moments, &ends));
                for is_contracted in [false, true] {
                    if is_contracted && family != Family::Color {
                        continue;
                    }
                    let levels = variant.coded(s, is_contracted, &ends);
                    let decoded = turned(plane, variant.decoded(s, &levels));
                    best.offer(part.error::<DUAL>(s, &variant.ranks, &decoded), &levels);
                }
            }
            if improvement != Improvement::Regression {
                for c in 0..CHANNELS {
                    if family == Family::Grey && matches!(c, 1 | 2) {
                        continue;
                    }
                    for step in STEPS {
                        let levels = variant.stepped(s, c, step, &best.levels);
                        let decoded = turned(plane, variant.decoded(s, &levels));
                        best.offer(part.error::<DUAL>(s, &variant.ranks, &decoded), &levels);
                    }
                }
            }
            best.store(s, parts, first);
        }
    }
}

/// Variants in lanes.
struct VariantLanes<S: Simd> {
    family: Family,
    ranks: Ranks<S>,
    tables: TableLanes<S>,
    has_offsets: S::M,
}

impl<S: Simd> VariantLanes<S> {
    #[inline(always)]
    fn load(s: S, family: Family, variants: &[Variant; BATCH], first: usize) -> Self {
        let ranges = variants.map(|variant| i32::from(variant.range));
        let color_ranges = variants.map(|variant| i32::from(variant.color_range));
        let offsets = variants.map(|variant| i32::from(variant.is_offset));
        Self {
            family,
            ranks: Ranks::of_lanes(s, s.load_i(&ranges[first..])),
            tables: TableLanes::new(s, s.load_i(&color_ranges[first..])),
            has_offsets: s.i(0).lt(s.load_i(&offsets[first..])),
        }
    }

    #[inline(always)]
    fn decoded<const CHANNELS: usize>(&self, s: S, levels: &Ends<S, CHANNELS>) -> Ends<S, CHANNELS> {
        let ends = decoded(s, self.family, false, levels);
        if self.family == Family::Color {
            ends.or_if(self.has_offsets, &decoded(s, self.family, true, levels))
        } else {
            ends
        }
    }

    #[inline(always)]
    fn coded<const CHANNELS: usize>(
        &self,
        s: S,
        is_contracted: bool,
        ends: &Ends<S, CHANNELS>,
    ) -> Ends<S, CHANNELS> {
        let [first, second] = if is_contracted {
            [Coding::Contracted, Coding::OffsetContracted]
        } else {
            [Coding::Direct, Coding::Offset]
        };
        let levels = coded(s, &self.tables, self.family, first, ends);
        if self.family == Family::Color {
            levels.or_if(self.has_offsets, &coded(s, &self.tables, self.family, second, ends))
        } else {
            levels
        }
    }

    /// Returns levels with those of a channel one step higher or lower.
    #[inline(always)]
    fn stepped<const CHANNELS: usize>(
        &self,
        s: S,
        c: usize,
        (of_even, of_odd): (i32, i32),
        levels: &Ends<S, CHANNELS>,
    ) -> Ends<S, CHANNELS> {
        let mut next = *levels;
        let direction = |step: i32| usize::from(step < 0);
        let (a, b) = (levels.a[c], levels.b[c]);
        if of_even != 0 {
            next.a[c] = self.tables.next_level(s, direction(of_even), a);
        }
        if of_odd != 0 {
            // (Offsets may be negative.)
            next.b[c] = self.tables.next_level(s, direction(of_odd), b.max(s.f(0.0)));
        }
        if self.family == Family::Color {
            let (mut base, mut offset) = (a, b);
            if of_even != 0 {
                base = self.tables.next_base(s, direction(of_even), a);
                offset = self.tables.offset(s, base, offset);
            }
            if of_odd != 0 {
                let valid = offset.max(s.f(-32.0)).min(s.f(31.0));
                offset = self.tables.next_offset(s, direction(of_odd), base, valid);
            }
            next.a[c] = next.a[c].or_if(self.has_offsets, base);
            next.b[c] = next.b[c].or_if(self.has_offsets, offset);
        } else if c < 3 {
            // One value of all three channels: both greys, or the factor.
            for other in 0..3 {
                next.b[other] = next.b[c];
                if self.family == Family::Grey {
                    next.a[other] = next.a[c];
                }
            }
        }
        next
    }
}

/// Directions of both levels of a channel: 1 up, −1 down.
const STEPS: [(i32, i32); 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)];

/// Ranks of weights of [`BATCH`] parts, by plane and by the texel's number in the part.
pub(crate) type PartRanks = [[[i32; BATCH]; 16]; 2];

/// Finds the best weight of every texel. Each lane has its own range of weights and endpoint mode.
struct RankParts<'a, 'b, const CHANNELS: usize, const DUAL: bool>(
    &'a Work<'b>,
    &'a [Variant; BATCH],
    &'a FittedParts,
    &'a mut PartRanks,
);

impl<S: Simd, const CHANNELS: usize, const DUAL: bool> LaneFn<S> for RankParts<'_, '_, CHANNELS, DUAL> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self(work, variants, parts, ranks_of_parts) = self;
        let Group { plane, family, .. } = *work.group.group();
        for first in (0..BATCH).step_by(S::LANES) {
            let part = Part::<S, CHANNELS>::load(s, work.texels, plane, first);
            let variant = VariantLanes::load(s, family, variants, first);
            let best = Best::<S, CHANNELS>::load(s, &variant, parts, first);
            let ends = turned(plane, variant.decoded(s, &best.levels));
            let line = Line::new::<DUAL>(s, &part, &variant.ranks, &ends);
            for t in 0..part.longest {
                for number in 0..if DUAL { 2 } else { 1 } {
                    let (rank, _, _) = line.best::<DUAL>(s, &variant.ranks, number, &part.x[t]);
                    rank.to_i().store(&mut ranks_of_parts[number][t][first..]);
                }
            }
        }
    }
}

/// Runs a task for the group's channels and planes.
macro_rules! for_group {
    ($s:ident, $work:ident, $task:ident($($argument:expr),*)) => {
        match ($work.group.group().has_alpha, $work.group.group().plane.is_some()) {
            (false, false) => $s.call($task::<3, false>($($argument),*)),
            (false, true) => $s.call($task::<3, true>($($argument),*)),
            (true, false) => $s.call($task::<4, false>($($argument),*)),
            (true, true) => $s.call($task::<4, true>($($argument),*)),
        }
    };
}

#[inline(always)]
fn fit_lanes<S: Simd>(s: S, work: &Work<'_>, ranges: usize, results: &mut Results) {
    for_group!(s, work, FitParts(work, ranges, results));
}

#[inline(always)]
fn improve_lanes<S: Simd>(
    s: S,
    work: &Work<'_>,
    variants: &[Variant; BATCH],
    improvement: Improvement,
    parts: &mut FittedParts,
) {
    for_group!(s, work, ImproveParts(work, variants, improvement, parts));
}

#[inline(always)]
fn rank_lanes<S: Simd>(
    s: S,
    work: &Work<'_>,
    variants: &[Variant; BATCH],
    parts: &FittedParts,
    ranks: &mut PartRanks,
) {
    for_group!(s, work, RankParts(work, variants, parts, ranks));
}

/// Finds endpoints for parts. `ranges` is the number of ranges of weights to try, from the group's first on.
#[allow(unsafe_code)]
pub(crate) fn fit(level: AvailableLevel, work: &Work<'_>, ranges: usize, results: &mut Results) {
    dispatch!(encoder level, fit_lanes(work: &Work<'_>, ranges: usize, results: &mut Results));
}

/// Improves the levels of parts, whose groups may differ but have the same channels, planes and family.
#[allow(unsafe_code)]
pub(crate) fn improve(
    level: AvailableLevel,
    work: &Work<'_>,
    variants: &[Variant; BATCH],
    improvement: Improvement,
    parts: &mut FittedParts,
) {
    dispatch!(
        encoder level,
        improve_lanes(
            work: &Work<'_>,
            variants: &[Variant; BATCH],
            improvement: Improvement,
            parts: &mut FittedParts
        )
    );
}

/// Finds the best weight of every texel of parts, which may belong to different groups that have the same
/// channels, planes and family.
#[allow(unsafe_code)]
pub(crate) fn rank_weights(
    level: AvailableLevel,
    work: &Work<'_>,
    variants: &[Variant; BATCH],
    parts: &FittedParts,
    ranks: &mut PartRanks,
) {
    dispatch!(
        encoder level,
        rank_lanes(
            work: &Work<'_>,
            variants: &[Variant; BATCH],
            parts: &FittedParts,
            ranks: &mut PartRanks
        )
    );
}
