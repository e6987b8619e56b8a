//! Individual and differential blocks at once: one fit for each of four tables.
//!
//! ```text
//! each half: four tables by the texels' distance from the mean → base colour = mean − mean of the modifiers
//!     → codes → the table with the smallest error
//! halves that are too far from each other: 4-bit codes, and each half near the other
//! ```
//!
//! Numbers are integers below 2²⁴ in floats, or halves of them. Means are such numbers times a constant,
//! rounded once; the products are never part of a fused operation. `real_time.wgsl` takes the same steps.

use super::{
    found::{DIFFERENTIAL, Found, INDIVIDUAL},
    halves::{Choice, FIVE, FOUR, Limits, all, is_far, near, pair, values},
    texels::{Block, Half, HalfCost, five, four, modifiers, modifiers_of},
};
use crate::{
    RealTime,
    simd::{Float, Int, LaneFn, Mask, Simd, each},
};

/// Number of tables that are compared.
const TABLES: usize = 4;

/// A half's first table is higher than i if the mean distance of its texels' sums of channels is greater than
/// limit i, for weights of 1. (Lower limits lose up to 0.3 dB, higher ones nothing.)
pub(in crate::etc) const FIRST_TABLE_LIMITS: [f32; 4] = [41.0, 63.0, 91.0, 124.0];

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
        let Block { weights, weight, .. } = block;
        let (zero, sign, magnitude) = (s.f(0.0), s.i(i32::MIN), s.i(i32::MAX));
        let mut total = zero;
        for c in 0..3 {
            total = sum[c].mul_add(weights[c], total);
        }
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
        let (square, distance) = (*count * *count * *weight, distance * s.f(3.0));
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
            let limit = (small + large) * *count * *weight * s.f(0.5);
            for _ in 0..rounds {
                let mut sum = zero;
                let shift = table.sum * *weight;
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
    let Block { weights, weight, .. } = block;
    let Half { sum, square, count, .. } = half;
    let (mut cost, mut of_base) = (*square, s.f(0.0));
    for c in 0..3 {
        let square = base[c] * (base[c] * *count - (sum[c] + sum[c]));
        cost = square.mul_add(weights[c], cost);
        of_base = base[c].mul_add(weights[c], of_base);
    }
    let squares = [small * small * *weight, large * large * *weight];
    let doubles = [small * s.f(-2.0), large * s.f(-2.0)];
    for i in 0..8 {
        let t = half.texel(i);
        let distance = (block.totals[t] - of_base).max(of_base - block.totals[t]);
        let least = distance.mul_add(doubles[0], squares[0]).min(distance.mul_add(doubles[1], squares[1]));
        cost = least.mul_add(block.counted[t], cost);
    }
    cost
}

/// Returns an individual or differential block. Halves that are too far from each other keep their tables at
/// level 1.
#[inline(always)]
pub(super) fn halves<S: Simd>(
    s: S,
    block: &Block<S>,
    level: RealTime,
    flip: usize,
    halves: &[Half<S>; 2],
    has_individual: bool,
) -> Found<S> {
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
    candidate
}

/// Returns the squared error of a block by [`halves`], in which colours are clamped.
#[inline(always)]
pub(super) fn exact_cost<S: Simd>(s: S, block: &Block<S>, halves: &[Half<S>; 2], found: &Found<S>) -> S::F {
    let is_individual = found.mode.lt(s.f(DIFFERENTIAL));
    let costs = each!(i in 2 => {
        let (of_five, of_four) = (five(s, found.codes[i]), four(s, found.codes[i]));
        let base = each!(c in 3 => of_five[c].or_if(is_individual, of_four[c]));
        let modifiers = modifiers(s, found.tables[i], block.punched);
        s.call(HalfCost { block, half: &halves[i], base, modifiers })
    });
    costs[0] + costs[1]
}
