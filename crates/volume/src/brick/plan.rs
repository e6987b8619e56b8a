//! The plan of a brick: the predictor and the Rice levels that take the fewest bits.

use super::{
    codes::{Code, Predict, RangedValues, middle, narrow},
    header::groups_of_run,
    limits::{GROUP, MAX_ONES, NARROW_SUMS, WIDE, base_bits},
    order::{order, to_morton},
    predict, rice_level,
    shape::{BrickBox, BrickSize, MAX_VOXELS},
};
use crate::{
    bits::width,
    simd::{Bits, SimdKernel},
};
use std::marker::PhantomData;

/// Rice levels tried around the one that a brick's mean suggests; a multiple of four.
const RICE_LEVELS_TRIED: usize = 12;

/// Predictors whose size is counted exactly, after an estimate of all.
const PREDICTORS_COUNTED: usize = 3;

/// The largest delta of a Rice level: it has up to three bits.
const MAX_DELTA: u32 = 7;

/// Bits of a Rice level that cannot hold a group's codes. Eight of them fit 16 bits.
const IMPOSSIBLE: u16 = 1 << 12;

/// Bits of groups by Rice level, four Rice levels to a word of 64 bits, and by group. The last two words are
/// for Rice levels that are not tried.
type Sizes = [[[u16; 4]; 8]; RICE_LEVELS_TRIED / 4 + 2];

/// One way to code a brick of `COUNT` voxels.
pub(super) struct Plan<C, const COUNT: usize> {
    pub predictor: usize,
    pub base: u32,
    pub delta_bits: u32,
    /// Rice levels by run of 64 voxels and group.
    pub rice_levels: [[u32; 8]; 8],
    /// About how many bits it takes, the header's left out.
    pub bits: u32,
    pub codes: [C; COUNT],
}

/// Finds the cheapest plan for values of 0..=`range`.
pub(super) struct FindBest<'a, C, const WIDTH: usize, const RUNS: usize, const COUNT: usize> {
    pub values: &'a [u32; COUNT],
    pub range: u32,
    pub part: BrickBox,
    pub plan: &'a mut Plan<C, COUNT>,
}

impl<C: Code, const WIDTH: usize, const RUNS: usize, const COUNT: usize> SimdKernel
    for FindBest<'_, C, WIDTH, RUNS, COUNT>
{
    type Output = ();

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) {
        let Self { values, range, part, plan } = self;
        if range <= NARROW_SUMS {
            let values = RangedValues::<_, WIDTH> { values: narrow::Padded::new(values), range };
            plan.best_of::<_, _, RUNS>(bits, range, part, &values);
        } else if range < WIDE {
            let values = RangedValues::<_, WIDTH> { values: middle::Padded::new(values), range };
            plan.best_of::<_, _, RUNS>(bits, range, part, &values);
        } else {
            let values = RangedValues::<_, WIDTH> { values: *values, range };
            plan.best_of::<_, _, RUNS>(bits, range, part, &values);
        }
    }
}

impl<C: Code, const COUNT: usize> Plan<C, COUNT> {
    /// Returns no plan.
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

    /// Finds the best plan among the predictors with the smallest estimates.
    #[inline(always)]
    fn best_of<B: Bits, P: Predict<COUNT>, const RUNS: usize>(
        &mut self,
        bits: B,
        range: u32,
        part: BrickBox,
        values: &P,
    ) {
        let outline = if part.is_whole() { None } else { Some(Outline::new(part)) };
        let mut estimates = [0; predict::COUNT];
        for (predictor, estimate) in estimates.iter_mut().enumerate() {
            // An estimate does not know the order of codes.
            *estimate = if predictor == predict::SORTED { u32::MAX } else { values.estimate(predictor) };
        }
        if let Some(outline) = &outline {
            bits.call(EstimateInside::<_, C, COUNT> {
                values,
                outline,
                estimates: &mut estimates,
                codes: PhantomData,
            });
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
            self.take_if_better::<B, RUNS>(bits, predictor, &codes, range, outline.as_ref());
            if predictor == 2 {
                self.take_if_better::<B, RUNS>(bits, predict::SORTED, &codes, range, outline.as_ref());
            }
        }
    }

    /// Takes the best Rice levels for the codes of all voxels if they need fewer bits.
    #[inline(always)]
    fn take_if_better<B: Bits, const RUNS: usize>(
        &mut self,
        bits: B,
        predictor: usize,
        codes: &[C; COUNT],
        range: u32,
        outline: Option<&Outline>,
    ) {
        let is_sorted = predictor == predict::SORTED;
        let (count, ordered) = match outline {
            None if is_sorted => (COUNT, in_order(codes, order(BrickSize::of_count(COUNT), true))),
            None => (COUNT, to_morton(codes)),
            Some(outline) => {
                let places = if is_sorted { &outline.sorted } else { &outline.places };
                (outline.count, in_order(codes, &places[..outline.count]))
            }
        };
        bits.call(TakeIfBetter::<_, RUNS, _> { plan: self, predictor, codes: &ordered, count, range });
    }
}

/// The voxels of a brick that are in the volume, where these are not all.
struct Outline {
    count: usize,
    /// Positions in the order of codes, and in that of sorted ones.
    places: [u16; MAX_VOXELS],
    sorted: [u16; MAX_VOXELS],
    /// All ones for these positions.
    masks: [u32; MAX_VOXELS],
}

impl Outline {
    #[cold]
    fn new(part: BrickBox) -> Self {
        let (count, places) = (part.count(), part.places(false));
        let mut masks = [0; MAX_VOXELS];
        places[..count].iter().for_each(|&place| masks[usize::from(place)] = u32::MAX);
        Self { count, places, sorted: part.places(true), masks }
    }
}

/// Recomputes the estimates of those predictors that have one, by the codes of voxels inside.
struct EstimateInside<'a, P, C, const COUNT: usize> {
    values: &'a P,
    outline: &'a Outline,
    estimates: &'a mut [u32; predict::COUNT],
    codes: PhantomData<C>,
}

impl<P: Predict<COUNT>, C: Code, const COUNT: usize> SimdKernel for EstimateInside<'_, P, C, COUNT> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bits>(self, _: B) {
        for (predictor, estimate) in self.estimates.iter_mut().enumerate() {
            if *estimate < u32::MAX {
                let mut codes: [C; COUNT] = self.values.codes(predictor);
                for (code, &mask) in codes.iter_mut().zip(&self.outline.masks) {
                    *code = code.masked(mask);
                }
                *estimate = self.values.estimate_of(&codes);
            }
        }
    }
}

/// Takes the best Rice levels for `codes` if they need fewer bits than the plan.
struct TakeIfBetter<'a, C, const RUNS: usize, const COUNT: usize> {
    plan: &'a mut Plan<C, COUNT>,
    predictor: usize,
    codes: &'a [C; COUNT],
    /// The number of entries in use; the others are 0.
    count: usize,
    range: u32,
}

impl<C: Code, const RUNS: usize, const COUNT: usize> SimdKernel for TakeIfBetter<'_, C, RUNS, COUNT> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) {
        let Self { plan, predictor, codes, count, range } = self;
        let largest = codes.iter().fold(0, |largest, &code| largest | code.into());
        let total: u64 = codes.iter().map(|&code| u64::from(code.into())).sum();
        let mean = if count == COUNT { total / COUNT as u64 } else { total / count as u64 } as u32;
        let least = least_level(largest);
        let lowest = (2 * width(mean)).saturating_sub(6).max(least.saturating_sub(MAX_DELTA));
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
        if lowest < least {
            exclude_long(codes, &mut sizes, lowest);
        }
        if count < COUNT {
            trim(&mut sizes, count, lowest, range);
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
                    *sum += u32::from(bits);
                }
            }
        }
        for (delta_bits, sums) in sums.iter_mut().enumerate() {
            for sum in sums {
                *sum += (count.div_ceil(GROUP) * delta_bits) as u32;
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
        plan.rice_levels.as_flattened_mut()[count.div_ceil(GROUP)..].fill(0);
        (plan.predictor, plan.codes, plan.bits) = (predictor, *codes, all);
        (plan.base, plan.delta_bits) = (lowest + j as u32, delta_bits);
    }
}

/// Returns the codes at `places`, followed by zeros.
#[inline(always)]
fn in_order<C: Code, const COUNT: usize>(codes: &[C; COUNT], places: &[u16]) -> [C; COUNT] {
    let mut ordered = [C::default(); COUNT];
    for (ordered, &place) in ordered.iter_mut().zip(places) {
        *ordered = codes[usize::from(place)];
    }
    ordered
}

/// Returns the sizes in bits of eight groups of codes at `rice_level`.
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

/// Returns the lowest Rice level at which no code up to `largest` needs more ones than the bit planes hold.
#[inline(always)]
const fn least_level(largest: u32) -> u32 {
    match width(largest).saturating_sub(width(MAX_ONES)) {
        0 => 0,
        k => 1 + 2 * k,
    }
}

/// Marks the Rice levels that are too low for a group's codes as impossible. `lowest` is the first that is
/// tried. (Groups of zeros keep Rice level 0 beside groups of large codes.)
#[inline(always)]
fn exclude_long<C: Code>(codes: &[C], sizes: &mut [Sizes], lowest: u32) {
    for (codes, sizes) in codes.as_chunks::<64>().0.iter().zip(sizes) {
        for (g, codes) in codes.as_chunks::<GROUP>().0.iter().enumerate() {
            let largest = codes.iter().fold(0, |largest, &code| largest | code.into());
            for i in 0..least_level(largest).saturating_sub(lowest) as usize {
                sizes[i / 4][g][i % 4] = IMPOSSIBLE;
            }
        }
    }
}

/// Subtracts the size of codes that do not exist, those after the first `count`.
#[cold]
fn trim(sizes: &mut [Sizes], count: usize, lowest: u32, range: u32) {
    let rest = (count % GROUP) as u32;
    for (run, sizes) in sizes.iter_mut().enumerate() {
        let groups = groups_of_run(count, run);
        for (i, sizes) in sizes.iter_mut().enumerate() {
            sizes[groups..].fill([0; 4]);
            if rest == 0 || run != count / 64 {
                continue;
            }
            for (j, size) in sizes[groups - 1].iter_mut().enumerate() {
                let rice_level = lowest + (4 * i + j) as u32;
                if rice_level > 0 && *size < IMPOSSIBLE {
                    let (k, t) = rice_level::split(rice_level);
                    // Each has a zero after no ones, unless no code has ones, and with half a step a bit
                    // more.
                    let own = rice_level::most_ones(rice_level, range).min(1) + t;
                    *size -= ((GROUP as u32 - rest) * own) as u16;
                    *size -= (8 * k - (rest * k).next_multiple_of(8)) as u16;
                }
            }
        }
    }
}

/// Returns the size in bits that the first voxel adds to its group. It has no code, but its low bits are
/// stored in place of a remainder.
#[inline(always)]
fn first_size(rice_level: u32, range: u32) -> u64 {
    let (k, t) = if rice_level == 0 { (0, 0) } else { rice_level::split(rice_level) };
    let own = if rice_level == 0 { 0 } else { rice_level::most_ones(rice_level, range).min(1) + t };
    u64::from(width(range).saturating_sub(k)).wrapping_sub(own.into())
}
