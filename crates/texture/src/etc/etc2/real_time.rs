//! Colours in real time. `real_time.wgsl` takes the same steps.
//!
//! ```text
//! planes by least squares
//! each half: four tables by the texels' distance from the mean → base colour = mean − mean of the modifiers
//!     → codes → the table with the smallest error
//! halves that are too far from each other: 4-bit codes, and each half near the other
//! level 2: twice the fits, steps of the planes' codes, all four tables of far halves, T and H blocks
//! ```
//!
//! Weights of channels have no effect. Numbers are integers below 2²⁴ in floats. Means are such numbers times
//! a constant, rounded once; the products are never part of a fused operation.

use super::{
    finish::finish,
    found::{DIFFERENTIAL, Found, INDIVIDUAL, PLANAR},
    halves::{Choice, FIVE, FOUR, Limits, all, is_far, near, pair, values},
    planar::{Plane, PlaneCost, plane_value},
    real_time_paint as paint, solid,
    texels::{Block, Half, HalfCost, Weights, modifiers_of},
};
#[cfg(feature = "gpu")]
use super::{
    tables::{DISTANCES, MODIFIERS},
    texels::OPAQUE_FROM,
};
use crate::{
    RealTime,
    bc::batch::{BATCH, BatchTexels},
    etc::eac::BatchBlocks,
    simd::{Float, Int, LaneFn, Mask, Simd, each},
};

/// Number of tables that are compared.
const TABLES: usize = 4;

/// A half's first table is higher than i if the mean distance of its texels' sums of channels is greater than
/// limit i. (Lower limits lose up to 0.3 dB, higher ones nothing.)
pub(in crate::etc) const FIRST_TABLE_LIMITS: [f32; 4] = [41.0, 63.0, 91.0, 124.0];

/// Part of a plane's error at the right that is corrected below: about 9/14, by least squares.
const CORRECTED: f32 = 0.625;

/// Value of the last code of a plane, times the divisor of the least squares.
const PLANE_UNIT: f32 = 80.0 * 255.0;

/// Returns the number of steps of a plane's single codes.
fn plane_steps(level: RealTime) -> usize {
    if level == RealTime::Level1 { 0 } else { 6 }
}

/// Encodes [`BATCH`] blocks, with or without 1-bit alpha.
#[inline(always)]
pub(crate) fn encode_batch<S: Simd>(
    s: S,
    has_alpha: bool,
    level: RealTime,
    texels: &BatchTexels,
    visible: &[i32; BATCH],
    blocks: &mut BatchBlocks,
) {
    for first in (0..BATCH).step_by(S::LANES) {
        let block = &Block::load(s, has_alpha, &Weights([1.0; 3]), texels, visible, first);
        let mut found = Found::new(s);
        solid::search(s, block, &mut found);
        planes(s, block, level, &mut found);
        for flip in 0..2 {
            let halves = each!(i in 2 => block.half(s, 2 * flip + i));
            search(s, block, level, flip, &halves, !has_alpha, &mut found);
        }
        if level == RealTime::Level2 {
            paint::search(s, block, &mut found);
        }
        finish(s, block, &found, first, blocks);
    }
}

/// Offers the planar block by least squares. There is none where the block has transparent texels.
#[inline(always)]
fn planes<S: Simd>(s: S, block: &Block<S>, level: RealTime, found: &mut Found<S>) {
    let steps = plane_steps(level);
    let planes = each!(c in 3 => s.call(FitPlane { block, channel: c, steps }));
    let codes = each!(i in 3 => [planes[0].codes[i], planes[1].codes[i], planes[2].codes[i]]);
    let cost = planes[0].cost + planes[1].cost + planes[2].cost;
    found.offer(&Found {
        cost: cost.or_if(block.punched, s.f(f32::MAX)),
        mode: s.f(PLANAR),
        flip: s.f(0.0),
        codes,
        tables: [s.f(0.0); 2],
    });
}

/// The plane of a channel.
struct FitPlane<'a, S: Simd> {
    block: &'a Block<S>,
    channel: usize,
    steps: usize,
}

impl<S: Simd> LaneFn<S> for FitPlane<'_, S> {
    type Output = Plane<S>;

    #[inline(always)]
    fn run(self, s: S) -> Plane<S> {
        let Self { block, channel, steps } = self;
        let (x, counted, is_green) = (&block.x[channel], &block.counted, channel == 1);
        let (zero, most) = (s.f(0.0), s.f(if is_green { 127.0 } else { 63.0 }));
        let mut sums = [zero; 3];
        for t in 0..16 {
            sums[0] = sums[0] + x[t];
            sums[1] = x[t].mul_add(s.f(2.0 * (t % 4) as f32 - 3.0), sums[1]);
            sums[2] = x[t].mul_add(s.f(2.0 * (t / 4) as f32 - 3.0), sums[2]);
        }
        // The values at the first texel and four texels to the right and below, times 80.
        let origin = sums[0] * s.f(5.0) - (sums[1] + sums[2]) * s.f(3.0);
        let [right, below] = [sums[1].mul_add(s.f(8.0), origin), sums[2].mul_add(s.f(8.0), origin)];
        let scale = s.f(if is_green { 127.0 } else { 63.0 } / PLANE_UNIT);
        let origin = plane_code(s, origin, scale, most);
        let of_right = plane_code(s, right, scale, most);
        let error = plane_value(s, of_right, is_green) * s.f(80.0) - right;
        let codes = [origin, of_right, plane_code(s, below - error * s.f(CORRECTED), scale, most)];
        let mut best = Plane { cost: s.call(PlaneCost { x, counted, codes, is_green }), codes };
        for step in 0..steps {
            let mut codes: [S::F; 3] = best.codes;
            let code = &mut codes[step / 2];
            *code = (*code + s.f(if step % 2 == 0 { 1.0 } else { -1.0 })).max(zero).min(most);
            best.offer(s.call(PlaneCost { x, counted, codes, is_green }), codes);
        }
        best
    }
}

#[inline(always)]
fn plane_code<S: Simd>(s: S, end: S::F, scale: S::F, most: S::F) -> S::F {
    (end * scale + s.f(0.5)).floor().max(s.f(0.0)).min(most)
}

/// A table, and the mean of the modifiers that the texels take, times their number.
#[derive(Clone, Copy)]
struct Table<S: Simd> {
    number: S::F,
    modifiers: [S::F; 2],
    sum: S::F,
}

/// Tables of a half, with the sums of their modifiers after `rounds` of fits.
struct FitTables<'a, S: Simd> {
    block: &'a Block<S>,
    half: &'a Half<S>,
    rounds: usize,
}

impl<S: Simd> LaneFn<S> for FitTables<'_, S> {
    type Output = [Table<S>; TABLES];

    #[inline(always)]
    fn run(self, s: S) -> [Table<S>; TABLES] {
        let Self { block, half: Half { sum, count, .. }, rounds } = self;
        let (zero, sign, magnitude) = (s.f(0.0), s.i(i32::MIN), s.i(i32::MAX));
        let total = sum[0] + sum[1] + sum[2];
        // Distances of the texels' sums from their mean, times the number of texels.
        let offsets = each!(i in 8 => block.totals[self.half.texel(i)] * *count - total);
        let counted = each!(i in 8 => block.counted[self.half.texel(i)]);
        let mut distance = zero;
        for i in 0..8 {
            distance = (offsets[i].bits() & magnitude).float_of_bits().mul_add(counted[i], distance);
        }
        let mut tables: [Table<S>; TABLES] = each!(i in 4 => Table {
            number: s.f(i as f32),
            modifiers: modifiers_of(s, i, block.punched),
            sum: zero,
        });
        let square = *count * *count;
        for first in 1..=4 {
            let is_higher = (square * s.f(FIRST_TABLE_LIMITS[first - 1])).lt(distance);
            for (i, table) in tables.iter_mut().enumerate() {
                let [small, large] = modifiers_of(s, first + i, block.punched);
                table.number = table.number.or_if(is_higher, s.f((first + i) as f32));
                table.modifiers =
                    [table.modifiers[0].or_if(is_higher, small), table.modifiers[1].or_if(is_higher, large)];
            }
        }
        for table in &mut tables {
            let [small, large] = table.modifiers;
            let limit = (small + large) * *count * s.f(1.5);
            for _ in 0..rounds {
                let mut sum = zero;
                let shift = table.sum * s.f(3.0);
                for i in 0..8 {
                    let offset = offsets[i] + shift;
                    let distance = (offset.bits() & magnitude).float_of_bits();
                    let modifier = small.or_if(limit.lt(distance), large);
                    let modifier = (modifier.bits() | (offset.bits() & sign)).float_of_bits();
                    sum = modifier.mul_add(counted[i], sum);
                }
                table.sum = sum;
            }
        }
        tables
    }
}

/// The table with the smallest error, and its codes between limits.
struct Rounded<'a, S: Simd> {
    block: &'a Block<S>,
    half: &'a Half<S>,
    tables: &'a [Table<S>],
    limits: &'a Limits<S>,
    /// The highest code: 15 or 31.
    most: f32,
    /// True to measure errors of clamped colours. Otherwise, they are too large.
    clamps: bool,
}

impl<S: Simd> LaneFn<S> for Rounded<'_, S> {
    type Output = (Choice<S>, Table<S>);

    #[inline(always)]
    fn run(self, s: S) -> (Choice<S>, Table<S>) {
        let Self { block, half, tables, limits: [least, greatest], most, clamps } = self;
        let rate = half.reciprocal * s.f(most / 255.0);
        let (mut best, mut best_table) = (Choice::new(s), tables[0]);
        for table in tables {
            let codes = each!(c in 3 => {
                ((half.sum[c] - table.sum) * rate + s.f(0.5)).floor().max(least[c]).min(greatest[c])
            });
            let base = values(s, codes, most);
            let cost = if clamps {
                s.call(HalfCost { block, half, base, modifiers: table.modifiers })
            } else {
                free_cost(s, block, half, base, table.modifiers)
            };
            let better = cost.lt(best.cost);
            best.offer(cost, codes, table.number);
            best_table.number = best_table.number.or_if(better, table.number);
            best_table.sum = best_table.sum.or_if(better, table.sum);
            best_table.modifiers = each!(k in 2 => best_table.modifiers[k].or_if(better, table.modifiers[k]));
        }
        (best, best_table)
    }
}

/// Returns the squared error of a half, if no colour is clamped.
#[inline(always)]
fn free_cost<S: Simd>(
    s: S,
    block: &Block<S>,
    half: &Half<S>,
    base: [S::F; 3],
    [small, large]: [S::F; 2],
) -> S::F {
    let Half { sum, square, count, .. } = half;
    let mut cost = *square;
    for c in 0..3 {
        cost = (base[c] * *count - (sum[c] + sum[c])).mul_add(base[c], cost);
    }
    let of_base = base[0] + base[1] + base[2];
    let squares = [small * small * s.f(3.0), large * large * s.f(3.0)];
    let doubles = [small * s.f(-2.0), large * s.f(-2.0)];
    for i in 0..8 {
        let t = half.texel(i);
        let distance = (block.totals[t] - of_base).max(of_base - block.totals[t]);
        let least = distance.mul_add(doubles[0], squares[0]).min(distance.mul_add(doubles[1], squares[1]));
        cost = least.mul_add(block.counted[t], cost);
    }
    cost
}

/// Offers individual and differential blocks. Halves that are too far from each other keep their tables at
/// level 1.
#[inline(always)]
fn search<S: Simd>(
    s: S,
    block: &Block<S>,
    level: RealTime,
    flip: usize,
    halves: &[Half<S>; 2],
    has_individual: bool,
    found: &mut Found<S>,
) {
    let (rounds, clamps) = if level == RealTime::Level1 { (1, false) } else { (2, true) };
    let tables = each!(i in 2 => s.call(FitTables { block, half: &halves[i], rounds }));
    let limits = &all(s, FIVE);
    let best = each!(i in 2 => {
        s.call(Rounded { block, half: &halves[i], tables: &tables[i], limits, most: FIVE, clamps })
    });
    let (first, second) = (&best[0].0, &best[1].0);
    let far = is_far(s, first, second);
    let mut candidate = pair(s, flip, DIFFERENTIAL, first, second);
    if far.any() {
        let tables: [&[Table<S>]; 2] = each!(i in 2 => {
            if level == RealTime::Level1 { std::slice::from_ref(&best[i].1) } else { &tables[i] }
        });
        let limits = &near(s, first.codes, true);
        let nearer =
            s.call(Rounded { block, half: &halves[1], tables: tables[1], limits, most: FIVE, clamps }).0;
        let mut other = pair(s, flip, DIFFERENTIAL, first, &nearer);
        let limits = &near(s, second.codes, false);
        let nearer =
            s.call(Rounded { block, half: &halves[0], tables: tables[0], limits, most: FIVE, clamps }).0;
        other.offer(&pair(s, flip, DIFFERENTIAL, &nearer, second));
        if has_individual {
            let limits = &all(s, FOUR);
            let [first, second] = each!(i in 2 => {
                s.call(Rounded { block, half: &halves[i], tables: tables[i], limits, most: FOUR, clamps }).0
            });
            other.offer(&pair(s, flip, INDIVIDUAL, &first, &second));
        }
        candidate = candidate.or_if(far, &other);
    }
    found.offer(&candidate);
}

/// Returns the modifiers as bytes, four tables in a word: small and large ones of the first four tables, then
/// those of the others.
#[cfg(feature = "gpu")]
pub(in crate::etc) fn modifier_words() -> [u32; 4] {
    let word = |i: usize| {
        let modifiers = MODIFIERS[i / 2 * 4..][..4].iter().map(|modifiers| modifiers[i % 2] as u8);
        u32::from_le_bytes(std::array::from_fn(|k| modifiers.clone().nth(k).unwrap_or_default()))
    };
    std::array::from_fn(word)
}

/// Returns constants of the kernels.
#[cfg(feature = "gpu")]
pub(in crate::etc) fn integers(level: RealTime, has_alpha: bool) -> [(&'static str, u32); 5] {
    let distances = DISTANCES.map(|distance| distance as u8);
    let [low, high] = [0, 4].map(|at| u32::from_le_bytes(std::array::from_fn(|i| distances[at + i])));
    [
        ("HAS_ALPHA", has_alpha.into()),
        ("OPAQUE_FROM", OPAQUE_FROM as u32),
        ("PLANE_STEPS", plane_steps(level) as u32),
        ("FIRST_DISTANCES", low),
        ("LAST_DISTANCES", high),
    ]
}

/// Constants of the kernels: codes per value, and what a plane's error corrects.
#[cfg(feature = "gpu")]
pub(in crate::etc) const FLOATS: [(&str, f32); 5] = [
    ("FOUR_RATE", FOUR / 255.0),
    ("FIVE_RATE", FIVE / 255.0),
    ("SIX_PLANE_RATE", 63.0 / PLANE_UNIT),
    ("SEVEN_PLANE_RATE", 127.0 / PLANE_UNIT),
    ("CORRECTED", CORRECTED),
];
