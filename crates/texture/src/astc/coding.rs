//! Coding of endpoints in lanes: colours to the nearest levels, levels to colours.
//!
//! Levels are the integers of a block after unquantization, 0 to 255. `even` has the integers 0, 2, 4, 6 of a
//! part, by channel; `odd` the others. For modes with offsets, `even` has the bases and `odd` the signed
//! offsets instead. For mode 6, `even` has the colour and `odd` three times the factor.

use super::{
    endpoints::offset_of,
    groups::Family,
    levels::colors,
    sequence::{LEAST_COLOR_RANGE, RANGES},
};
use crate::simd::{Float, Int, Simd};
use std::sync::LazyLock;

/// Two colours.
#[derive(Clone, Copy)]
pub(crate) struct Ends<S: Simd, const CHANNELS: usize> {
    pub a: [S::F; CHANNELS],
    pub b: [S::F; CHANNELS],
}

impl<S: Simd, const CHANNELS: usize> Ends<S, CHANNELS> {
    /// Returns `other` where the mask is true, else `self`.
    #[inline(always)]
    pub fn or_if(mut self, mask: S::M, other: &Self) -> Self {
        for c in 0..CHANNELS {
            self.a[c] = self.a[c].or_if(mask, other.a[c]);
            self.b[c] = self.b[c].or_if(mask, other.b[c]);
        }
        self
    }

    /// Exchanges both colours where the mask is true.
    #[inline(always)]
    pub fn exchanged(self, mask: S::M) -> Self {
        self.or_if(mask, &Self { a: self.b, b: self.a })
    }
}

/// Number of entries for a colour, four for each step.
const FINE: usize = 1024;

/// Tables of all ranges of colours, one range after another.
pub(crate) struct Tables {
    /// Level nearest to a colour, in quarters.
    level: Vec<f32>,
    /// Base of an offset nearest to a colour, in quarters.
    base: Vec<f32>,
    /// Offset nearest to one from −32 to 31.5, in halves: for bases below 128, then for the others.
    offset: Vec<f32>,
    /// Next higher level of each, or the same, then next lower ones.
    level_steps: [Vec<f32>; 2],
    /// The same of bases.
    base_steps: [Vec<f32>; 2],
    /// The same of offsets plus 32: for bases below 128, then for the others.
    offset_steps: [Vec<f32>; 2],
}

/// Returns the value nearest to `target`, the lower one in a tie.
fn nearest(values: &[f32], target: f32) -> f32 {
    let next = values.partition_point(|&value| value < target);
    let [low, high] = [next.saturating_sub(1), next.min(values.len() - 1)].map(|n| values[n]);
    if target - low <= high - target { low } else { high }
}

/// Returns the value next to `value`, higher in direction 0 and lower in direction 1.
fn beside(values: &[f32], value: f32, direction: usize) -> f32 {
    let place = values.partition_point(|&other| other < value);
    if values.get(place) != Some(&value) {
        return nearest(values, value);
    }
    let place = if direction == 0 { place + 1 } else { place.saturating_sub(1) };
    values[place.min(values.len() - 1)]
}

impl Tables {
    fn new() -> Self {
        let mut tables = Self {
            level: Vec::new(),
            base: Vec::new(),
            offset: Vec::new(),
            level_steps: [Vec::new(), Vec::new()],
            base_steps: [Vec::new(), Vec::new()],
            offset_steps: [Vec::new(), Vec::new()],
        };
        for range in LEAST_COLOR_RANGE..RANGES.len() {
            tables.add(range);
        }
        tables
    }

    fn add(&mut self, range: usize) {
        let sorted = |values: &mut dyn Iterator<Item = i32>| {
            let mut values: Vec<i32> = values.collect();
            values.sort_unstable();
            values.dedup();
            values.into_iter().map(|value| value as f32).collect::<Vec<_>>()
        };
        let levels = &colors(range)[..RANGES[range].levels()];
        let bases = sorted(
            &mut [0, 128]
                .into_iter()
                .flat_map(|top| levels.iter().map(move |&level| i32::from(level >> 1 | top))),
        );
        let offsets = [0, 128].map(|top| {
            let levels = levels.iter().filter(|&level| level & 128 == top);
            sorted(&mut levels.map(|&level| offset_of(level)))
        });
        let levels = sorted(&mut levels.iter().map(|&level| i32::from(level)));
        self.level.extend((0..FINE).map(|n| nearest(&levels, n as f32 / 4.0)));
        self.base.extend((0..FINE).map(|n| nearest(&bases, n as f32 / 4.0)));
        self.offset.extend((0..256).map(|n| nearest(&offsets[n / 128], (n % 128) as f32 / 2.0 - 32.0)));
        for direction in 0..2 {
            self.level_steps[direction].extend((0..256).map(|n| beside(&levels, n as f32, direction)));
            self.base_steps[direction].extend((0..256).map(|n| beside(&bases, n as f32, direction)));
            self.offset_steps[direction]
                .extend((0..128).map(|n| beside(&offsets[n / 64], (n % 64) as f32 - 32.0, direction)));
        }
    }

    /// Returns the tables.
    pub fn get() -> &'static Self {
        static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);
        &TABLES
    }
}

/// Tables of one range in each lane.
#[derive(Clone, Copy)]
pub(crate) struct TableLanes<S: Simd> {
    tables: &'static Tables,
    /// Number of the range, from [`LEAST_COLOR_RANGE`] on.
    range: S::I,
}

impl<S: Simd> TableLanes<S> {
    #[inline(always)]
    pub fn new(s: S, ranges: S::I) -> Self {
        Self { tables: Tables::get(), range: ranges - s.i(LEAST_COLOR_RANGE as i32) }
    }

    /// Returns the level nearest to a colour.
    #[inline(always)]
    fn level(&self, s: S, value: S::F) -> S::F {
        s.gather(&self.tables.level, self.range.shl::<10>() + quarter(s, value))
    }

    /// Returns the base nearest to a colour.
    #[inline(always)]
    fn base(&self, s: S, value: S::F) -> S::F {
        s.gather(&self.tables.base, self.range.shl::<10>() + quarter(s, value))
    }

    /// Returns the offset nearest to `value`, for a base.
    #[inline(always)]
    pub fn offset(&self, s: S, base: S::F, value: S::F) -> S::F {
        let value = (value + value).round().max(s.f(-64.0)).min(s.f(63.0)) + s.f(64.0);
        let place = (value + upper_half(s, base) * s.f(128.0)).to_i();
        s.gather(&self.tables.offset, self.range.shl::<8>() + place)
    }

    /// Returns the next level, higher in direction 0 and lower in direction 1.
    #[inline(always)]
    pub fn next_level(&self, s: S, direction: usize, level: S::F) -> S::F {
        s.gather(&self.tables.level_steps[direction], self.range.shl::<8>() + level.to_i())
    }

    /// Returns the next base.
    #[inline(always)]
    pub fn next_base(&self, s: S, direction: usize, base: S::F) -> S::F {
        s.gather(&self.tables.base_steps[direction], self.range.shl::<8>() + base.to_i())
    }

    /// Returns the next offset for a base.
    #[inline(always)]
    pub fn next_offset(&self, s: S, direction: usize, base: S::F, offset: S::F) -> S::F {
        let place = offset + s.f(32.0) + upper_half(s, base) * s.f(64.0);
        s.gather(&self.tables.offset_steps[direction], self.range.shl::<7>() + place.to_i())
    }
}

/// Returns 1 for bases of at least 128, else 0.
#[inline(always)]
fn upper_half<S: Simd>(s: S, base: S::F) -> S::F {
    s.f(0.0).or_if(s.f(127.5).lt(base), s.f(1.0))
}

#[inline(always)]
fn quarter<S: Simd>(s: S, value: S::F) -> S::I {
    let fine = (value * s.f(4.0)).round();
    fine.max(s.f(0.0)).min(s.f(FINE as f32 - 1.0)).to_i()
}

/// A way to code two colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Direct,
    /// With blue contraction.
    Contracted,
    Offset,
    OffsetContracted,
}

impl Coding {
    pub const ALL: [Self; 4] = [Self::Direct, Self::Contracted, Self::Offset, Self::OffsetContracted];

    pub const fn is_offset(self) -> bool {
        matches!(self, Self::Offset | Self::OffsetContracted)
    }
}

/// Returns the sum of red, green and blue.
#[inline(always)]
fn sum<S: Simd, const CHANNELS: usize>(color: &[S::F; CHANNELS]) -> S::F {
    color[0] + color[1] + color[2]
}

/// Returns the sum of a colour before blue contraction, for a comparison.
#[inline(always)]
fn sum_before<S: Simd, const CHANNELS: usize>(s: S, color: &[S::F; CHANNELS]) -> S::F {
    (color[0] + color[1]) * s.f(2.0) - color[2]
}

/// Blue contraction.
#[inline(always)]
fn contracted<S: Simd, const CHANNELS: usize>(s: S, mut color: [S::F; CHANNELS]) -> [S::F; CHANNELS] {
    for c in 0..2 {
        color[c] = ((color[c] + color[2]) * s.f(0.5)).floor();
    }
    color
}

/// Returns the levels for colours from 0 to 255 (not integers): `even` as `a`, `odd` as `b`.
#[inline(always)]
pub(crate) fn coded<S: Simd, const CHANNELS: usize>(
    s: S,
    tables: &TableLanes<S>,
    family: Family,
    coding: Coding,
    ends: &Ends<S, CHANNELS>,
) -> Ends<S, CHANNELS> {
    match family {
        Family::Color => coded_colors(s, tables, coding, ends),
        Family::Grey => {
            let mut levels = *ends;
            let third = s.f(1.0 / 3.0);
            let (a, b) =
                (tables.level(s, sum::<S, CHANNELS>(&ends.a) * third), sum::<S, CHANNELS>(&ends.b) * third);
            let b = tables.level(s, b);
            for c in 0..3 {
                (levels.a[c], levels.b[c]) = (a, b);
            }
            if CHANNELS == 4 {
                levels.a[3] = tables.level(s, ends.a[3]);
                levels.b[3] = tables.level(s, ends.b[3]);
            }
            levels
        }
        Family::Scale => {
            // The brighter colour is stored. In the decoded endpoints, it is the second.
            let ends = ends.exchanged(sum::<S, CHANNELS>(&ends.b).lt(sum::<S, CHANNELS>(&ends.a)));
            let mut levels = ends;
            let (mut product, mut square) = (s.f(0.0), s.f(1.0));
            for c in 0..3 {
                levels.a[c] = tables.level(s, ends.b[c]);
                product = product + levels.a[c] * (ends.a[c] + s.f(0.5));
                square = square + levels.a[c] * levels.a[c];
            }
            let factor = tables.level(s, product * s.f(256.0) / square);
            for c in 0..3 {
                levels.b[c] = factor;
            }
            if CHANNELS == 4 {
                levels.a[3] = tables.level(s, ends.a[3]);
                levels.b[3] = tables.level(s, ends.b[3]);
            }
            levels
        }
    }
}

#[inline(always)]
fn coded_colors<S: Simd, const CHANNELS: usize>(
    s: S,
    tables: &TableLanes<S>,
    coding: Coding,
    ends: &Ends<S, CHANNELS>,
) -> Ends<S, CHANNELS> {
    let mut levels = *ends;
    match coding {
        Coding::Direct => {
            for c in 0..CHANNELS {
                levels.a[c] = tables.level(s, ends.a[c]);
                levels.b[c] = tables.level(s, ends.b[c]);
            }
            levels.exchanged(sum::<S, CHANNELS>(&levels.b).lt(sum::<S, CHANNELS>(&levels.a)))
        }
        Coding::Contracted => {
            for c in (0..CHANNELS).rev() {
                let (mut a, mut b) = (ends.a[c], ends.b[c]);
                if c < 2 {
                    a = a + a - levels.a[2] + s.f(0.5);
                    b = b + b - levels.b[2] + s.f(0.5);
                }
                levels.a[c] = tables.level(s, a);
                levels.b[c] = tables.level(s, b);
            }
            levels.exchanged(sum::<S, CHANNELS>(&levels.a).lt(sum::<S, CHANNELS>(&levels.b)))
        }
        Coding::Offset => {
            let ends = ends.exchanged(sum::<S, CHANNELS>(&ends.b).lt(sum::<S, CHANNELS>(&ends.a)));
            for c in 0..CHANNELS {
                levels.a[c] = tables.base(s, ends.a[c]);
                levels.b[c] = tables.offset(s, levels.a[c], ends.b[c] - levels.a[c]);
            }
            levels
        }
        Coding::OffsetContracted => {
            let is_reversed = sum_before::<S, CHANNELS>(s, &ends.a).lt(sum_before::<S, CHANNELS>(s, &ends.b));
            let ends = ends.exchanged(is_reversed);
            for c in (0..CHANNELS).rev() {
                let (mut a, mut b) = (ends.a[c], ends.b[c]);
                if c < 2 {
                    a = a + a - levels.a[2] + s.f(0.5);
                    b = b + b - (levels.a[2] + levels.b[2]) + s.f(0.5);
                }
                levels.a[c] = tables.base(s, a);
                levels.b[c] = tables.offset(s, levels.a[c], b - levels.a[c]);
            }
            levels
        }
    }
}

/// Returns the endpoints of levels, integers from 0 to 255.
#[inline(always)]
pub(crate) fn decoded<S: Simd, const CHANNELS: usize>(
    s: S,
    family: Family,
    is_offset: bool,
    levels: &Ends<S, CHANNELS>,
) -> Ends<S, CHANNELS> {
    match family {
        Family::Grey => *levels,
        Family::Scale => {
            let mut ends = Ends { a: levels.a, b: levels.a };
            for c in 0..3 {
                ends.a[c] = (levels.a[c] * levels.b[c] * s.f(1.0 / 256.0)).floor();
            }
            if CHANNELS == 4 {
                ends.b[3] = levels.b[3];
            }
            ends
        }
        Family::Color => {
            let mut ends = *levels;
            let is_contracted = if is_offset {
                for c in 0..CHANNELS {
                    ends.b[c] = levels.a[c] + levels.b[c];
                }
                sum::<S, CHANNELS>(&levels.b).lt(s.f(0.0))
            } else {
                sum::<S, CHANNELS>(&levels.b).lt(sum::<S, CHANNELS>(&levels.a))
            };
            let other = Ends { a: contracted(s, ends.b), b: contracted(s, ends.a) };
            let mut ends = ends.or_if(is_contracted, &other);
            if is_offset {
                for c in 0..CHANNELS {
                    ends.a[c] = ends.a[c].max(s.f(0.0)).min(s.f(255.0));
                    ends.b[c] = ends.b[c].max(s.f(0.0)).min(s.f(255.0));
                }
            }
            ends
        }
    }
}
