//! Coding of endpoints in lanes: colours to the nearest levels, levels to colours.
//!
//! Levels are the integers of a block after unquantization, 0 to 255. `even` has the integers 0, 2, 4, 6 of a
//! part, by channel; `odd` the others. For modes with offsets, `even` has the bases and `odd` the signed
//! offsets instead. For mode 6, `even` has the colour and `odd` three times the factor.

use super::{
    groups::Family,
    levels::colors,
    sequence::{LEAST_COLOR_RANGE, RANGES},
};
use crate::simd::{Float, Simd};
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

/// Tables of a range of colours.
pub(crate) struct Tables {
    /// Level nearest to a colour, in quarters.
    level: [f32; FINE],
    /// Base of an offset nearest to a colour, in quarters.
    base: [f32; FINE],
    /// Offset nearest to one from −32 to 31.5, in halves: for bases below 128, then for the others.
    offset: [f32; 256],
    /// Next higher and next lower level of each, or the same.
    pub level_steps: [[f32; 256]; 2],
    /// The same of bases.
    pub base_steps: [[f32; 256]; 2],
    /// The same of offsets plus 32: for bases below 128, then for the others.
    pub offset_steps: [[f32; 128]; 2],
}

impl Tables {
    fn new(range: usize) -> Self {
        let mut levels = colors(range)[..RANGES[range].levels()].to_vec();
        levels.sort_unstable();
        let mut bases: Vec<u8> =
            [0, 128].into_iter().flat_map(|top| levels.iter().map(move |level| level >> 1 | top)).collect();
        bases.dedup();
        let offsets = [0, 128].map(|top| {
            let levels = levels.iter().filter(|&level| level & 128 == top);
            let mut offsets: Vec<i32> = levels.map(|level| offset_of(*level)).collect();
            offsets.sort_unstable();
            offsets.dedup();
            offsets
        });
        let nearest = |values: &[f32], target: f32| {
            let next = values.partition_point(|&value| value < target);
            let [low, high] = [next.saturating_sub(1), next.min(values.len() - 1)].map(|n| values[n]);
            if target - low < high - target { low } else { high }
        };
        let floats = |values: &[u8]| values.iter().map(|&value| f32::from(value)).collect::<Vec<_>>();
        let (level_values, base_values) = (floats(&levels), floats(&bases));
        let offset_values = offsets.map(|values| values.iter().map(|&v| v as f32).collect::<Vec<_>>());
        let fine = |values: &[f32]| std::array::from_fn(|n| nearest(values, n as f32 / 4.0));
        let step = |values: &[f32], value: f32, direction: usize| {
            let place = values.partition_point(|&other| other < value);
            if values.get(place) != Some(&value) {
                return nearest(values, value);
            }
            let place = if direction == 0 { place + 1 } else { place.saturating_sub(1) };
            values[place.min(values.len() - 1)]
        };
        let steps = |values: &[f32]| {
            [0, 1].map(|direction| std::array::from_fn(|n| step(values, n as f32, direction)))
        };
        Self {
            level: fine(&level_values),
            base: fine(&base_values),
            offset: std::array::from_fn(|n| nearest(&offset_values[n / 128], (n % 128) as f32 / 2.0 - 32.0)),
            level_steps: steps(&level_values),
            base_steps: steps(&base_values),
            offset_steps: [0, 1].map(|direction| {
                std::array::from_fn(|n| step(&offset_values[n / 64], (n % 64) as f32 - 32.0, direction))
            }),
        }
    }

    /// Returns the tables of a range.
    pub fn of(range: usize) -> &'static Self {
        static TABLES: LazyLock<Vec<Tables>> =
            LazyLock::new(|| (LEAST_COLOR_RANGE..RANGES.len()).map(Tables::new).collect());
        &TABLES[range - LEAST_COLOR_RANGE]
    }

    /// Returns the level nearest to a colour.
    #[inline(always)]
    pub fn level<S: Simd>(&self, s: S, value: S::F) -> S::F {
        s.gather(&self.level, quarter(s, value))
    }

    /// Returns the base nearest to a colour.
    #[inline(always)]
    pub fn base<S: Simd>(&self, s: S, value: S::F) -> S::F {
        s.gather(&self.base, quarter(s, value))
    }

    /// Returns the offset nearest to `value`, for a base.
    #[inline(always)]
    pub fn offset<S: Simd>(&self, s: S, base: S::F, value: S::F) -> S::F {
        let value = (value + value).round().max(s.f(-64.0)).min(s.f(63.0)) + s.f(64.0);
        s.gather(&self.offset, (value + upper_half(s, base) * s.f(128.0)).to_i())
    }
}

/// Returns 1 for bases of at least 128, else 0.
#[inline(always)]
pub(crate) fn upper_half<S: Simd>(s: S, base: S::F) -> S::F {
    s.f(0.0).or_if(s.f(127.5).lt(base), s.f(1.0))
}

#[inline(always)]
fn quarter<S: Simd>(s: S, value: S::F) -> S::I {
    let fine = (value * s.f(4.0)).round();
    fine.max(s.f(0.0)).min(s.f(FINE as f32 - 1.0)).to_i()
}

/// Returns the offset of a level.
pub(crate) fn offset_of(level: u8) -> i32 {
    (i32::from(level >> 1 & 63) ^ 32) - 32
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
    tables: &Tables,
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
    tables: &Tables,
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
