//! How to code a brick: the predictor and the Rice levels that take the fewest bits.

use super::{
    codes::{Code, Predict, RangedValues, middle, narrow},
    limits::{GROUP, MAX_ONES, NARROW_SUMS, WIDE, base_bits},
    predict, rice_level,
};
use crate::{
    bits::width,
    simd::{Bits, SimdKernel},
};

/// Rice levels tried around the one that a brick's mean suggests; a multiple of four.
const RICE_LEVELS_TRIED: usize = 12;

/// Predictors whose size is counted exactly, after an estimate of all.
const PREDICTORS_COUNTED: usize = 3;

/// Bits of a Rice level that cannot hold a group's codes. Eight of them fit 16 bits.
const IMPOSSIBLE: u16 = 1 << 12;

/// Bits of groups by Rice level, four Rice levels to a word of 64 bits, and by group. The last two words
/// stand for Rice levels not tried.
type Sizes = [[[u16; 4]; 8]; RICE_LEVELS_TRIED / 4 + 2];

/// One way to code a brick of `COUNT` voxels.
pub(super) struct Plan<C, const COUNT: usize> {
    pub predictor: usize,
    pub base: u32,
    pub delta_bits: u32,
    /// By run of 64 voxels and group.
    pub rice_levels: [[u32; 8]; 8],
    /// About how many bits it takes, the header's left out.
    pub bits: u32,
    pub codes: [C; COUNT],
}

/// Finds the cheapest plan for values of 0..=`range`.
pub(super) struct FindBest<'a, C, const SIDE: usize, const RUNS: usize, const COUNT: usize> {
    pub values: &'a [u32; COUNT],
    pub range: u32,
    pub plan: &'a mut Plan<C, COUNT>,
}

impl<C: Code, const SIDE: usize, const RUNS: usize, const COUNT: usize> SimdKernel
    for FindBest<'_, C, SIDE, RUNS, COUNT>
{
    type Output = ();

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) {
        let Self { values, range, plan } = self;
        if range <= NARROW_SUMS {
            let values = RangedValues::<_, SIDE> { values: narrow::Padded::new(values), range };
            plan.best_of::<_, _, RUNS>(bits, range, &values);
        } else if range < WIDE {
            let values = RangedValues::<_, SIDE> { values: middle::Padded::new(values), range };
            plan.best_of::<_, _, RUNS>(bits, range, &values);
        } else {
            plan.best_of::<_, _, RUNS>(bits, range, &RangedValues::<_, SIDE> { values: *values, range });
        }
    }
}

impl<C: Code, const COUNT: usize> Plan<C, COUNT> {
    /// No plan.
    #[inline(always)]
    pub fn none() -> Self {
        Self {
            predictor: 0,
            base: 0,
            delta_bits: 0,
            rice_levels: [[0; 8]; 8],
            bits: u32::MAX,
            codes: [C::default(); COUNT],
        }
    }

    /// The best of the plans for those predictors whose estimates are least.
    #[inline(always)]
    fn best_of<B: Bits, P: Predict<COUNT>, const RUNS: usize>(&mut self, bits: B, range: u32, values: &P) {
        let mut estimates = [0; predict::COUNT];
        for (predictor, estimate) in estimates.iter_mut().enumerate() {
            // An estimate does not know the order of codes.
            *estimate = if predictor == predict::SORTED { u32::MAX } else { values.estimate(predictor) };
        }
        for _ in 0..PREDICTORS_COUNTED {
            let mut predictor = 0;
            for i in 1..predict::COUNT {
                if estimates[i] < estimates[predictor] {
                    predictor = i;
                }
            }
            estimates[predictor] = u32::MAX;
            let codes = values.codes(predictor);
            bits.call(TakeIfBetter::<_, RUNS, _> { plan: self, predictor, codes: &codes, range });
            if predictor == 2 {
                let (predictor, codes) = (predict::SORTED, sorted(&codes));
                bits.call(TakeIfBetter::<_, RUNS, _> { plan: self, predictor, codes: &codes, range });
            }
        }
    }
}

/// Takes the best Rice levels for `codes` if they need fewer bits than the plan.
struct TakeIfBetter<'a, C, const RUNS: usize, const COUNT: usize> {
    plan: &'a mut Plan<C, COUNT>,
    predictor: usize,
    codes: &'a [C; COUNT],
    range: u32,
}

impl<C: Code, const RUNS: usize, const COUNT: usize> SimdKernel for TakeIfBetter<'_, C, RUNS, COUNT> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) {
        let Self { plan, predictor, codes, range } = self;
        let largest = codes.iter().fold(0, |largest, &code| largest | code.into());
        let total: u64 = codes.iter().map(|&code| u64::from(code.into())).sum();
        let mean = (total / COUNT as u64) as u32;
        // No code may need more ones than the bit planes hold.
        let least = match width(largest).saturating_sub(width(MAX_ONES)) {
            0 => 0,
            k => 1 + 2 * k,
        };
        let lowest = (2 * width(mean)).saturating_sub(6).max(least);
        let highest = (1 << base_bits(range)) - 1;

        let mut sizes: [Sizes; RUNS] = [[[[IMPOSSIBLE; 4]; 8]; RICE_LEVELS_TRIED / 4 + 2]; RUNS];
        for (run, (codes, sizes)) in codes.as_chunks::<64>().0.iter().zip(&mut sizes).enumerate() {
            for (word, sizes) in sizes[..RICE_LEVELS_TRIED / 4].iter_mut().enumerate() {
                let mut words = [0; 8];
                for i in 0..4 {
                    let rice_level = (lowest + (4 * word + i) as u32).min(highest);
                    let mut rice_levels = group_sizes(bits, codes, rice_level, range);
                    if run == 0 {
                        rice_levels[0] = rice_levels[0].wrapping_add(first_size(rice_level, range));
                    }
                    for (words, rice_level) in words.iter_mut().zip(rice_levels) {
                        *words |= rice_level << (16 * i);
                    }
                }
                *sizes = bytemuck::cast(words);
            }
        }
        for i in (0..RICE_LEVELS_TRIED).filter(|&i| lowest + i as u32 > highest) {
            for sizes in &mut sizes {
                for group in &mut sizes[i / 4] {
                    group[i % 4] = IMPOSSIBLE;
                }
            }
        }
        // For each count of bits of a delta the bits by base Rice level, then their least, in this order
        // where they are equal.
        let mut sums = [[0; RICE_LEVELS_TRIED]; 4];
        for sizes in sizes {
            let mut words = bytemuck::cast(sizes);
            for (delta_bits, sums) in sums.iter_mut().enumerate() {
                let bits: [u16; RICE_LEVELS_TRIED] =
                    bytemuck::cast(bits.least_of_pairs(&mut words, delta_bits));
                for (sum, bits) in sums.iter_mut().zip(bits) {
                    *sum += u32::from(bits) + (GROUP * delta_bits) as u32;
                }
            }
        }
        let keys = sums.as_flattened().iter().zip(0..).map(|(&sum, i)| sum << 8 | i);
        let best = keys.fold(u32::MAX, u32::min);
        let (all, delta_bits, j) =
            (best >> 8, (best & 0xff) / RICE_LEVELS_TRIED as u32, best as usize & 0xff);
        let j = j % RICE_LEVELS_TRIED;
        if all >= plan.bits {
            return;
        }
        for (rice_levels, sizes) in plan.rice_levels.iter_mut().zip(&sizes) {
            for (g, rice_level) in rice_levels.iter_mut().enumerate() {
                let deltas = j..j + (1 << delta_bits);
                *rice_level = lowest + deltas.min_by_key(|&j| sizes[j / 4][g][j % 4]).unwrap_or(j) as u32;
            }
        }
        (plan.predictor, plan.codes, plan.bits) = (predictor, *codes, all);
        (plan.base, plan.delta_bits) = (lowest + j as u32, delta_bits);
    }
}

/// The codes by how many neighbours their voxels have.
#[inline(always)]
fn sorted<C: Code, const COUNT: usize>(codes: &[C; COUNT]) -> [C; COUNT] {
    let mut sorted = [C::default(); COUNT];
    for (sorted, &place) in sorted.iter_mut().zip(predict::order_of(COUNT)) {
        *sorted = codes[usize::from(place)];
    }
    sorted
}

/// Bits of eight groups of codes at `rice_level`.
#[inline(always)]
fn group_sizes<B: Bits, C: Code>(bits: B, codes: &[C; 64], rice_level: u32, range: u32) -> [u64; 8] {
    if rice_level == 0 {
        let sizes = C::unary_sizes(bits, codes, 0, false, 2);
        return sizes.map(|size| if size == GROUP as u64 { 0 } else { IMPOSSIBLE.into() });
    }
    let (k, t) = rice_level::split(rice_level);
    let sizes = C::unary_sizes(bits, codes, k, t == 1, rice_level::most_ones(rice_level, range) as u8);
    sizes.map(|size| size + 8 * u64::from(k))
}

/// What the first voxel adds to its group: it is no code, but its low bits lie where a remainder would.
#[inline(always)]
fn first_size(rice_level: u32, range: u32) -> u64 {
    let (k, t) = if rice_level == 0 { (0, 0) } else { rice_level::split(rice_level) };
    let own = if rice_level == 0 { 0 } else { rice_level::most_ones(rice_level, range).min(1) + t };
    u64::from(width(range).saturating_sub(k)).wrapping_sub(own.into())
}
