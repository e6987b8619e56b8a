//! Undoing a prediction for many voxels at once.
//!
//! A lane holds the column of voxels above (x, y) and takes the voxel at z = s − x − y in step s. All its
//! neighbours were made in earlier steps: W and N one step ago in the lanes before it, U one step ago in its
//! own, NW, UW and UN two steps ago, UNW three. A brick of 4³ takes 10 steps of 16 lanes, one of 8³ 22 steps
//! of 64. In a slice of 16×16 a lane holds a row instead, and takes the voxel at x = s − y: 31 steps.

use super::{
    limits::{MAX_NARROW, NARROW_SUMS},
    predict::{self, COUNT, WEIGHTS},
};
use crate::{
    Dims,
    simd::{Bits, PairWeights, pair_place},
};

/// Weights by lane: those of W, N, NW and the range in each of the steps in which some lane has z = 0, and
/// from then on; those of U, UW, UN and UNW, whose neighbours are zeros where there are none.
struct Lanes<const AREA: usize, const STEPS: usize> {
    flat: [[[i8; AREA]; 4]; STEPS],
    above: [[i8; AREA]; 4],
}

/// The places of these in [`predict::Weights`].
const FLAT: [usize; 4] = [0, 1, 3, 7];
const ABOVE: [usize; 4] = [2, 4, 5, 6];

const fn lanes<const SIDE: usize, const AREA: usize, const STEPS: usize>() -> [Lanes<AREA, STEPS>; COUNT] {
    let mut table = [const { Lanes { flat: [[[0; AREA]; 4]; STEPS], above: [[0; AREA]; 4] } }; COUNT];
    let mut predictor = 0;
    while predictor < COUNT {
        let weights = &WEIGHTS[predictor];
        let mut lane = 0;
        while lane < AREA {
            let (x, y, _) = Dims::cube(SIDE).position(lane);
            let class = (x > 0) as usize | ((y > 0) as usize) << 1;
            let mut i = 0;
            while i < 4 {
                table[predictor].above[i][lane] = weights[class | 4][ABOVE[i]];
                let mut step = 0;
                while step < STEPS {
                    let class = if step == x + y { class } else { class | 4 };
                    table[predictor].flat[step][i][lane] = weights[class][FLAT[i]];
                    step += 1;
                }
                i += 1;
            }
            lane += 1;
        }
        predictor += 1;
    }
    table
}

static LANES_4: [Lanes<16, 8>; COUNT] = lanes::<4, 16, 8>();
static LANES_8: [Lanes<64, 16>; COUNT] = lanes::<8, 64, 16>();

/// Codes to values, in place, of a brick whose range is below 2²⁴; the first voxel is a value already.
/// Damaged codes give unspecified values.
#[inline(always)]
pub(super) fn undo<B: Bits>(bits: B, predictor: usize, range: i32, runs: &mut [[u32; 64]]) {
    if let [values] = runs {
        if range as u32 <= MAX_NARROW {
            let mut narrow = [[0; 64]];
            for (narrow, value) in narrow[0].iter_mut().zip(&*values) {
                *narrow = *value as u16;
            }
            undo_4(bits, [(predictor, range as u32)], &mut narrow);
            for (value, narrow) in values.iter_mut().zip(&narrow[0]) {
                *value = (*narrow).into();
            }
        } else {
            wide::undo_4(&LANES_4[predictor], range, values);
        }
    } else if let Ok(values) = <&mut [u32; 512]>::try_from(runs.as_flattened_mut()) {
        let weights = &LANES_8[predictor];
        if range as u32 <= NARROW_SUMS {
            narrow::undo_8(weights, range as i16, values);
        } else {
            wide::undo_8(weights, range, values);
        }
    } else if let Ok(values) = <&mut [u32; 256]>::try_from(runs.as_flattened_mut()) {
        let weights = &ROWS[predictor];
        if range as u32 <= NARROW_SUMS {
            narrow::undo_flat(weights, range as i16, values);
        } else {
            wide::undo_flat(weights, range, values);
        }
    }
}

/// Weights of slices by lane, which is a row: those of W, N, WW, NW, NN and the range in each of the steps in
/// which some row has x < 2, and from then on.
type Rows = [[[i8; 16]; 6]; ROW_STEPS];

const ROW_STEPS: usize = 18;

/// The places of these in [`predict::Weights`].
const IN_ROWS: [usize; 6] = [0, 1, 2, 3, 4, 7];

static ROWS: [Rows; COUNT] = {
    let mut table = [[[[0; 16]; 6]; ROW_STEPS]; COUNT];
    let mut i = 0;
    while i < COUNT * ROW_STEPS * 16 {
        let (predictor, step, y) = (i / (ROW_STEPS * 16), i / 16 % ROW_STEPS, i % 16);
        // Rows that have not begun hold zeros.
        let weights = predict::flat_weights(predictor, step.saturating_sub(y), y);
        let mut weight = 0;
        while weight < 6 {
            table[predictor][step][weight][y] = weights[IN_ROWS[weight]];
            weight += 1;
        }
        i += 1;
    }
    table
};

/// The weights of bricks of 4³ by predictor and step: of W and N, U and NW, UW and UN, UNW and the range.
#[repr(align(64))]
struct Pairs([[PairWeights; 8]; COUNT]);

static PAIRS: Pairs = {
    let mut table = [[[[[0; 16]; 2]; 4]; 8]; COUNT];
    let mut i = 0;
    while i < COUNT * 8 * 16 {
        let (predictor, step, lane) = (i / 128, i / 16 % 8, i % 16);
        let (x, y, _) = Dims::cube(4).position(lane);
        let class = (x > 0) as usize | ((y > 0) as usize) << 1 | ((step != x + y) as usize) << 2;
        let (half, at) = pair_place(lane);
        let mut weight = 0;
        while weight < 8 {
            table[predictor][step][weight / 2][half][at + weight % 2] =
                WEIGHTS[predictor][class][weight] as i16;
            weight += 1;
        }
        i += 1;
    }
    Pairs(table)
};

/// As [`undo`], for bricks of 4³ voxels with any predictor, each with its own and its range, which is up to
/// [`MAX_NARROW`]: while one waits for its newest values, the others work.
#[inline(always)]
pub(super) fn undo_4<B: Bits, const N: usize>(
    bits: B,
    bricks: [(usize, u32); N],
    values: &mut [[u16; 64]; N],
) {
    // Codes by step, brick and lane; values later stand in their places.
    let mut made = [[[0i16; 16]; N]; 10];
    for (brick, values) in values.iter().enumerate() {
        for (z, slice) in values.as_chunks::<16>().0.iter().enumerate() {
            for (made, mask) in made[z..].iter_mut().zip(&narrow::AT_DISTANCE) {
                for lane in 0..16 {
                    made[brick][lane] |= slice[lane] as i16 & mask[lane];
                }
            }
        }
    }
    // What U, W, N and NW see of the voxels of one, two and three steps ago.
    let zeros = [bits.row([0; 16]); N];
    let (mut last, mut largest) = (zeros, zeros);
    for brick in 0..N {
        last[brick] = bits.row(made[0][brick]);
        largest[brick] = bits.row([bricks[brick].1 as i16; 16]);
    }
    let (mut w1, mut n1, mut nw1, mut nw2) = (zeros, zeros, zeros, zeros);
    for step in 1..10 {
        let (w2, n2, nw3) = (w1, n1, nw2);
        nw2 = nw1;
        let mask = bits.row(narrow::STARTED[step]);
        for brick in 0..N {
            let newest = last[brick];
            (w1[brick], n1[brick]) = (bits.back::<1>(newest), bits.back::<4>(newest));
            nw1[brick] = bits.back::<5>(newest);
            let numbers = [
                [w1[brick], n1[brick]],
                [newest, nw2[brick]],
                [w2[brick], n2[brick]],
                [nw3[brick], largest[brick]],
            ];
            let weights = &PAIRS.0[bricks[brick].0 % COUNT][step.min(7)];
            let codes = bits.row(made[step][brick]);
            last[brick] = bits.values(numbers, weights, codes, largest[brick], mask);
            made[step][brick] = bits.numbers(last[brick]);
        }
    }
    for (brick, values) in values.iter_mut().enumerate() {
        for (z, slice) in values.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            let mut voxels = [0; 16];
            for (made, mask) in made[z..].iter().zip(&narrow::AT_DISTANCE) {
                for lane in 0..16 {
                    voxels[lane] |= made[brick][lane] & mask[lane];
                }
            }
            for lane in 0..16 {
                slice[lane] = voxels[lane] as u16;
            }
        }
    }
}

/// The wavefront in numbers of one width.
macro_rules! wave_front {
    ($name:ident, $int:ident, $unsigned:ident) => {
        mod $name {
            use super::{Lanes, ROW_STEPS, Rows};

            /// The voxel whose prediction is ⌊(Σ + 8) / 16⌋ within 0..=range.
            #[inline(always)]
            fn value(sum: $int, code: $int, range: $int) -> $int {
                let prediction = (sum.wrapping_add(8) >> 4).max(0).min(range);
                unfold(code, prediction, range)
            }

            #[inline(always)]
            fn times(weight: i8, value: $int) -> $int {
                $int::from(weight).wrapping_mul(value)
            }

            /// Undoes [`fold`](super::predict::fold).
            #[inline(always)]
            fn unfold(code: $int, prediction: $int, range: $int) -> $int {
                let both = prediction.min(range - prediction);
                let near = ((code as $unsigned >> 1) as $int) ^ -(code & 1);
                let far = code.wrapping_sub(both);
                let far = if prediction > range - prediction { far.wrapping_neg() } else { far };
                // As unsigned numbers, so that a damaged code is a far one.
                prediction.wrapping_add(if code as $unsigned > 2 * both as $unsigned { far } else { near })
            }

            /// What the lanes see of those `BY` before them.
            #[inline(always)]
            fn shift<const BY: usize>(lanes: &[$int; 16]) -> [$int; 16] {
                std::array::from_fn(|lane| if lane >= BY { lanes[lane - BY] } else { 0 })
            }

            #[allow(dead_code, reason = "ranges of 16 bits have a kernel of their own")]
            #[inline(always)]
            pub(super) fn undo_4(weights: &Lanes<16, 8>, range: $int, values: &mut [u32; 64]) {
                // Codes by step and lane; values later stand in their places.
                let mut made = [[0 as $int; 16]; 10];
                for (z, slice) in values.as_chunks::<16>().0.iter().enumerate() {
                    for (made, mask) in made[z..].iter_mut().zip(&AT_DISTANCE) {
                        for lane in 0..16 {
                            made[lane] |= slice[lane] as $int & mask[lane];
                        }
                    }
                }
                // What W, N and NW see of the voxels of one, two and three steps ago.
                let (mut w1, mut n1, mut nw1) = ([0; 16], [0; 16], [0; 16]);
                for step in 1..10 {
                    let last = made[step - 1];
                    let (w2, n2, nw2) = (w1, n1, nw1);
                    let nw3 = if step > 2 { shift::<5>(&made[step - 3]) } else { [0; 16] };
                    (w1, n1, nw1) = (shift::<1>(&last), shift::<4>(&last), shift::<5>(&last));
                    let flat = &weights.flat[step.min(7)];
                    let above = &weights.above;
                    for lane in 0..16 {
                        let sum = times(flat[3][lane], range)
                            .wrapping_add(times(flat[2][lane], nw2[lane]))
                            .wrapping_add(times(above[3][lane], nw3[lane]))
                            .wrapping_add(times(above[1][lane], w2[lane]))
                            .wrapping_add(times(above[2][lane], n2[lane]))
                            .wrapping_add(times(above[0][lane], last[lane]))
                            .wrapping_add(times(flat[0][lane], w1[lane]))
                            .wrapping_add(times(flat[1][lane], n1[lane]));
                        made[step][lane] = value(sum, made[step][lane], range) & STARTED[step][lane];
                    }
                }
                for (z, slice) in values.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                    let mut voxels = [0; 16];
                    for (made, mask) in made[z..].iter().zip(&AT_DISTANCE) {
                        for lane in 0..16 {
                            voxels[lane] |= made[lane] & mask[lane];
                        }
                    }
                    for lane in 0..16 {
                        slice[lane] = voxels[lane] as $unsigned as u32;
                    }
                }
            }

            /// All ones in the lanes with x + y = distance.
            pub(super) static AT_DISTANCE: [[$int; 16]; 7] = {
                let mut table = [[0; 16]; 7];
                let mut lane = 0;
                while lane < 16 {
                    table[lane % 4 + lane / 4][lane] = -1;
                    lane += 1;
                }
                table
            };

            /// All ones where a lane has reached z = 0: before, it stands for voxels that are not there.
            pub(super) static STARTED: [[$int; 16]; 10] = {
                let mut table = [[0; 16]; 10];
                let mut i = 0;
                while i < 160 {
                    let (step, lane) = (i / 16, i % 16);
                    table[step][lane] = -((step >= lane % 4 + lane / 4) as $int);
                    i += 1;
                }
                table
            };

            #[inline(always)]
            pub(super) fn undo_flat(weights: &Rows, range: $int, values: &mut [u32; 256]) {
                // By step, the codes of each row's voxel; values later stand in their places.
                let mut made = [[0 as $int; 16]; 31];
                for (y, row) in values.as_chunks::<16>().0.iter().enumerate() {
                    for (made, &code) in made[y..].iter_mut().zip(row) {
                        made[y] = code as $int;
                    }
                }
                // What N sees of the voxels of one step ago, and of two: the latter is NW. NN sees those of
                // two steps ago.
                let mut north = shift::<1>(&made[0]);
                let (mut north_west, mut north_north) = ([0; 16], [0; 16]);
                let mut before = [0; 16];
                for step in 1..31 {
                    let last = made[step - 1];
                    let mut next = [0; 16];
                    let weights = &weights[step.min(ROW_STEPS - 1)];
                    for lane in 0..16 {
                        let sum = times(weights[5][lane], range)
                            .wrapping_add(times(weights[2][lane], before[lane]))
                            .wrapping_add(times(weights[3][lane], north_west[lane]))
                            .wrapping_add(times(weights[4][lane], north_north[lane]))
                            .wrapping_add(times(weights[0][lane], last[lane]))
                            .wrapping_add(times(weights[1][lane], north[lane]));
                        let value = value(sum, made[step][lane], range);
                        next[lane] = if lane <= step { value } else { 0 };
                    }
                    made[step] = next;
                    (north_west, north) = (north, shift::<1>(&next));
                    (north_north, before) = (shift::<2>(&last), last);
                }
                for (y, row) in values.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                    for (made, value) in made[y..].iter().zip(row) {
                        *value = made[y] as $unsigned as u32;
                    }
                }
            }

            /// Eight numbers from `start` on.
            #[inline(always)]
            fn row<T, const N: usize>(numbers: &[T; N], start: usize) -> &[T; 8] {
                numbers[start..start + 8].try_into().expect("eight numbers")
            }

            #[inline(always)]
            pub(super) fn undo_8(weights: &Lanes<64, 16>, range: $int, values: &mut [u32; 512]) {
                // As above, after three steps of zeros. A lane looks up to nine lanes back.
                const PAD: usize = 16;
                let mut made = [[0 as $int; PAD + 64]; 3 + 22];
                for (z, slice) in values.as_chunks::<64>().0.iter().enumerate() {
                    for (y, row) in slice.as_chunks::<8>().0.iter().enumerate() {
                        for (x, &code) in row.iter().enumerate() {
                            made[3 + x + y + z][PAD + 8 * y + x] = code as $int;
                        }
                    }
                }
                for step in 1..22 {
                    let (before, now) = made.split_at_mut(3 + step);
                    let [one, two, three] = [&before[2 + step], &before[1 + step], &before[step]];
                    let now = &mut now[0];
                    let flat = &weights.flat[step.min(15)];
                    let above = &weights.above;
                    // Rows whose voxels all lie outside the brick hold zeros, or are not looked at again.
                    for y in step.saturating_sub(14)..=step.min(7) {
                        let i = PAD + 8 * y;
                        let weights = |weights: &[i8; 64]| *row(weights, 8 * y);
                        let (w, n, nw, r) =
                            (weights(&flat[0]), weights(&flat[1]), weights(&flat[2]), weights(&flat[3]));
                        let (u, uw, un, unw) =
                            (weights(&above[0]), weights(&above[1]), weights(&above[2]), weights(&above[3]));
                        let (one_0, one_1, one_8) = (row(one, i), row(one, i - 1), row(one, i - 8));
                        let (two_1, two_8, two_9) = (row(two, i - 1), row(two, i - 8), row(two, i - 9));
                        let three_9 = row(three, i - 9);
                        let codes = row(now, i);
                        let mut next = [0; 8];
                        for x in 0..8 {
                            let sum = times(r[x], range)
                                .wrapping_add(times(nw[x], two_9[x]))
                                .wrapping_add(times(unw[x], three_9[x]))
                                .wrapping_add(times(uw[x], two_1[x]))
                                .wrapping_add(times(un[x], two_8[x]))
                                .wrapping_add(times(u[x], one_0[x]))
                                .wrapping_add(times(w[x], one_1[x]))
                                .wrapping_add(times(n[x], one_8[x]));
                            next[x] = value(sum, codes[x], range);
                        }
                        for x in 0..8 {
                            next[x] = if step >= x + y { next[x] } else { 0 };
                        }
                        now[i..i + 8].copy_from_slice(&next);
                    }
                }
                for (z, slice) in values.as_chunks_mut::<64>().0.iter_mut().enumerate() {
                    for (y, row) in slice.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                        for (x, value) in row.iter_mut().enumerate() {
                            *value = made[3 + x + y + z][PAD + 8 * y + x] as $unsigned as u32;
                        }
                    }
                }
            }
        }
    };
}

wave_front!(narrow, i16, u16);
wave_front!(wide, i32, u32);
