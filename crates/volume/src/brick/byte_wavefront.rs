//! Undoing a prediction for values below 256. A lane of 8 bits holds the column of voxels above (x, y), as in
//! `wavefront.rs`. Four slices of 4×4 fill the 64 lanes, each a quarter, or one of 8×8 does.
//!
//! A prediction is a sum of eight products of at most 255 with weights whose sizes add up to 127 at most: it
//! fits 16 bits.

use super::predict::{COUNT, WEIGHTS};
use crate::{
    Dims,
    simd::{Bits, Weights, byte_pair_place},
};

/// Steps of a brick of 4³ and of 8³: values of x + y + z.
const STEPS_4: usize = 10;
const STEPS_8: usize = 22;

/// The pairs of neighbours by their places in [`Weights`](super::predict::Weights): W and N, NW and the
/// range, U and UW, UN and UNW. Those of the last two pairs are zeros where there are none.
const PAIRS: [[usize; 2]; 4] = [[0, 1], [3, 7], [2, 4], [5, 6]];

/// Weights by whether there are voxels below, by pair, and by half of the quarters.
type Tables<const LANES: usize> = [[[[u8; LANES]; 2]; 4]; 2];

/// Returns the weights of a slice of `SIDE`², whose pairs take `LANES` bytes.
const fn weights<const SIDE: usize, const LANES: usize>() -> [Tables<LANES>; COUNT] {
    let mut table = [[[[[0; LANES]; 2]; 4]; 2]; COUNT];
    let mut i = 0;
    while i < COUNT * 2 * SIDE * SIDE {
        let (predictor, above, lane) = (i / (2 * SIDE * SIDE), i / (SIDE * SIDE) % 2, i % (SIDE * SIDE));
        let (x, y, _) = Dims::cube(SIDE).position(lane);
        let class = (x > 0) as usize | ((y > 0) as usize) << 1 | above << 2;
        let (half, at) = byte_pair_place(lane);
        let mut pair = 0;
        while pair < 4 {
            let weights = WEIGHTS[predictor][class];
            table[predictor][above][pair][half][at] = weights[PAIRS[pair][0]] as u8;
            table[predictor][above][pair][half][at + 1] = weights[PAIRS[pair][1]] as u8;
            pair += 1;
        }
        i += 1;
    }
    table
}

/// Aligned as vectors are.
#[repr(align(64))]
struct Aligned<T>(T);

static WEIGHTS_4: Aligned<[Tables<16>; COUNT]> = Aligned(weights::<4, 16>());
static WEIGHTS_8: Aligned<[Tables<64>; COUNT]> = Aligned(weights::<8, 64>());

/// Returns masks of the lanes of slices of `SIDE`² with x + y equal to each distance, or at most that.
const fn masks<const SIDE: usize, const COUNT: usize>(or_less: bool) -> [[u8; 64]; COUNT] {
    let mut table = [[0; 64]; COUNT];
    let mut i = 0;
    while i < COUNT * 64 {
        let (distance, lane) = (i / 64, i % 64);
        let of_lane = lane % SIDE + lane / SIDE % SIDE;
        let is_set = of_lane == distance || or_less && of_lane < distance;
        table[distance][lane] = if is_set { 0xff } else { 0 };
        i += 1;
    }
    table
}

/// Returns the masks of these lanes in the order of their pairs of weights, by half of the quarters.
const fn pair_masks<const COUNT: usize>(masks: &[[u8; 64]; COUNT]) -> [[[u8; 64]; 2]; COUNT] {
    let mut table = [[[0; 64]; 2]; COUNT];
    let mut i = 0;
    while i < COUNT * 64 {
        let (half, at) = byte_pair_place(i % 64);
        table[i / 64][half][at] = masks[i / 64][i % 64];
        table[i / 64][half][at + 1] = masks[i / 64][i % 64];
        i += 1;
    }
    table
}

static AT_DISTANCE_4: Aligned<[[u8; 64]; 7]> = Aligned(masks::<4, 7>(false));
static PAIRS_AT_4: Aligned<[[[u8; 64]; 2]; 7]> = Aligned(pair_masks(&masks::<4, 7>(false)));
static STARTED_4: Aligned<[[u8; 64]; 7]> = Aligned(masks::<4, 7>(true));
static AT_DISTANCE_8: Aligned<[[u8; 64]; 15]> = Aligned(masks::<8, 15>(false));
static PAIRS_AT_8: Aligned<[[[u8; 64]; 2]; 15]> = Aligned(pair_masks(&masks::<8, 15>(false)));
static STARTED_8: Aligned<[[u8; 64]; 15]> = Aligned(masks::<8, 15>(true));

/// Converts the codes of four bricks of 4³ to values, each with its predictor and the largest value that
/// codes represent. The first of each is a value already. Damaged codes give unspecified values.
#[inline(always)]
pub(super) fn undo_four<B: Bits>(bits: B, bricks: [(usize, u32); 4], cubes: [B::Bytes; 4]) -> [B::Bytes; 4] {
    // Predictor 0 predicts zeros.
    if bricks.iter().all(|&(predictor, _)| predictor == 0) {
        return cubes;
    }
    let zeros = bits.fill_quarters([0; 4]);
    let mut slices = bits.transpose(cubes);
    let mut made = [zeros; STEPS_4];
    for (z, &slice) in slices.iter().enumerate() {
        for (made, mask) in made[z..].iter_mut().zip(&AT_DISTANCE_4.0) {
            *made = bits.or_masked(*made, slice, mask);
        }
    }
    let [a, b, c, d] = bricks;
    let (a_table, b_table) = (&WEIGHTS_4.0[a.0 % COUNT], &WEIGHTS_4.0[b.0 % COUNT]);
    let (c_table, d_table) = (&WEIGHTS_4.0[c.0 % COUNT], &WEIGHTS_4.0[d.0 % COUNT]);
    let mut weights = [[[zeros; 2]; 4]; 2];
    for above in 0..2 {
        for pair in 0..4 {
            for half in 0..2 {
                weights[above][pair][half] = bits.quarters([
                    &a_table[above][pair][half],
                    &b_table[above][pair][half],
                    &c_table[above][pair][half],
                    &d_table[above][pair][half],
                ]);
            }
        }
    }
    let largest = bits.fill_quarters([a.1 as u8, b.1 as u8, c.1 as u8, d.1 as u8]);
    let mut state = State::new(bits, largest);
    for step in 1..STEPS_4 {
        let neighbours = Neighbours {
            w: bits.back_in_quarters::<1>(made[step - 1]),
            n: bits.back_in_quarters::<4>(made[step - 1]),
            nw: bits.back_in_quarters::<5>(made[step - 1]),
        };
        let masks = (step < 7).then(|| (&PAIRS_AT_4.0[step], &STARTED_4.0[step]));
        made[step] = state.step(bits, &weights, masks, made[step - 1], neighbours, made[step]);
    }
    for (z, slice) in slices.iter_mut().enumerate() {
        *slice = zeros;
        for (&made, mask) in made[z..].iter().zip(&AT_DISTANCE_4.0) {
            *slice = bits.or_masked(*slice, made, mask);
        }
    }
    bits.transpose(slices)
}

/// Converts the codes of a brick of 8³ to values in place, slice by slice, as [`undo_four`] does.
#[inline(always)]
pub(super) fn undo_eight<B: Bits>(bits: B, predictor: usize, largest: u8, slices: &mut [B::Bytes; 8]) {
    if predictor == 0 {
        return;
    }
    let zeros = bits.fill_quarters([0; 4]);
    let mut made = to_steps(bits, slices);
    let tables = &WEIGHTS_8.0[predictor % COUNT];
    let mut weights = [[[zeros; 2]; 4]; 2];
    for above in 0..2 {
        for pair in 0..4 {
            for half in 0..2 {
                weights[above][pair][half] = bits.bytes(&tables[above][pair][half]);
            }
        }
    }
    let mut state = State::new(bits, bits.fill_quarters([largest; 4]));
    for step in 1..STEPS_8 {
        let [w, n, nw] = bits.back_1_8_9(made[step - 1]);
        let masks = (step < 15).then(|| (&PAIRS_AT_8.0[step], &STARTED_8.0[step]));
        made[step] = state.step(bits, &weights, masks, made[step - 1], Neighbours { w, n, nw }, made[step]);
    }
    *slices = from_steps(bits, &made);
}

/// Returns the voxels of a brick of 8³ by their steps, in lanes of columns, from its slices.
#[inline(always)]
pub(super) fn to_steps<B: Bits>(bits: B, slices: &[B::Bytes; 8]) -> [B::Bytes; STEPS_8] {
    let mut steps = [bits.fill_quarters([0; 4]); STEPS_8];
    for (z, &slice) in slices.iter().enumerate() {
        for (step, mask) in steps[z..].iter_mut().zip(&AT_DISTANCE_8.0) {
            *step = bits.or_masked(*step, slice, mask);
        }
    }
    steps
}

/// Undoes [`to_steps`].
#[inline(always)]
pub(super) fn from_steps<B: Bits>(bits: B, steps: &[B::Bytes; STEPS_8]) -> [B::Bytes; 8] {
    let mut slices = [bits.fill_quarters([0; 4]); 8];
    for (z, slice) in slices.iter_mut().enumerate() {
        for (&step, mask) in steps[z..].iter().zip(&AT_DISTANCE_8.0) {
            *slice = bits.or_masked(*slice, step, mask);
        }
    }
    slices
}

/// Returns the lanes of a brick of 8³ that start in a step, and those that have started; `None` if all have
/// before.
#[inline(always)]
pub(super) fn masks_of_step(step: usize) -> Option<(&'static [u8; 64], &'static [u8; 64])> {
    Some((AT_DISTANCE_8.0.get(step)?, STARTED_8.0.get(step)?))
}

/// Values one lane, one row, or both before each lane.
#[derive(Clone, Copy)]
struct Neighbours<T> {
    w: T,
    n: T,
    nw: T,
}

/// Values from the steps before the last one, which a step requires.
struct State<T> {
    largest: T,
    /// Neighbours of two steps ago: UW, UN, NW.
    two: Neighbours<T>,
    /// UNW, of three steps ago.
    nw_three: T,
}

impl<T: Copy> State<T> {
    #[inline(always)]
    fn new<B: Bits<Bytes = T>>(bits: B, largest: T) -> Self {
        let zeros = bits.fill_quarters([0; 4]);
        Self { largest, two: Neighbours { w: zeros, n: zeros, nw: zeros }, nw_three: zeros }
    }

    /// Returns the values of a step: `last` are those of the last one, and `one` their neighbours. `masks`
    /// has the pairs of lanes that start in this step, and the lanes that have started; `None` if all have
    /// before.
    #[inline(always)]
    fn step<B: Bits<Bytes = T>>(
        &mut self,
        bits: B,
        weights: &[Weights<B>; 2],
        masks: Option<(&[[u8; 64]; 2], &[u8; 64])>,
        last: T,
        one: Neighbours<T>,
        codes: T,
    ) -> T {
        let pairs =
            [[one.w, one.n], [self.two.nw, self.largest], [last, self.two.w], [self.two.n, self.nw_three]];
        (self.nw_three, self.two) = (self.two.nw, one);
        let [flat, above] = weights;
        let Some((starting, started)) = masks else {
            return bits.unfold(bits.predictions(pairs, above), codes, self.largest);
        };
        let mut chosen = *above;
        for pair in 0..2 {
            for half in 0..2 {
                chosen[pair][half] = bits.choose(&starting[half], flat[pair][half], above[pair][half]);
            }
        }
        bits.mask(bits.unfold(bits.predictions(pairs, &chosen), codes, self.largest), started)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of products must fit 16 bits.
    #[test]
    fn sums_fit() {
        for weights in WEIGHTS.as_flattened() {
            let sum: i32 = weights.iter().map(|&weight| i32::from(weight).abs()).sum();
            assert!(255 * sum + 8 < 1 << 15, "{weights:?}");
        }
    }
}
