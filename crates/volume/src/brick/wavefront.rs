//! Undoing a prediction for many voxels at once.
//!
//! A lane holds the column of voxels above (x, y) and takes the voxel at z = s − x − y in step s. All its
//! neighbours were made in earlier steps: W and N one step ago in earlier lanes, U one step ago in the same
//! lane, NW, UW and UN two steps ago, UNW three. A brick of 4³ takes 10 steps of 16 lanes, one of 8³ 22 steps
//! of 64. In a slice of 16×16, a lane holds a row instead, and takes the voxel at x = s − y: 31 steps.

mod wide;

use super::{
    limits::MAX_NARROW,
    predict::{self, COUNT, WEIGHTS},
};
use crate::{
    Dims,
    simd::{Bits, PairWeights, pair_place},
};
use std::array;

/// Declares a table. In WebAssembly, the table is made when it is first used: the tables of this file have
/// 295 KB, which browsers would load with the module.
macro_rules! table {
    (static $name:ident: $type:ty = $value:expr;) => {
        #[cfg(not(target_arch = "wasm32"))]
        static $name: $type = $value;

        #[cfg(target_arch = "wasm32")]
        static $name: std::sync::LazyLock<$type> = std::sync::LazyLock::new(|| $value);
    };
}

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

table! {
    static LANES_4: [Lanes<16, 8>; COUNT] = lanes::<4, 16, 8>();
}
table! {
    static LANES_8: [Lanes<64, 16>; COUNT] = lanes::<8, 64, 16>();
}

/// Converts codes to values in place, for a brick whose range is below 2²⁴. The first voxel is a value
/// already. Damaged codes give unspecified values.
#[inline(always)]
pub(super) fn undo<B: Bits>(bits: B, predictor: usize, range: i32, runs: &mut [[u32; 64]]) {
    if let [values] = runs {
        if range as u32 <= MAX_NARROW {
            let codes = array::from_fn(|z| bits.row(values.as_chunks::<16>().0[z].map(|code| code as i16)));
            let [slices] = undo_4(bits, [(predictor, range as u32)], &[codes]);
            for (values, slice) in values.as_chunks_mut::<16>().0.iter_mut().zip(slices) {
                *values = bits.numbers(slice).map(|value| u32::from(value as u16));
            }
        } else {
            wide::undo_4(&LANES_4[predictor], range, values);
        }
    } else if let Ok(values) = <&mut [u32; 512]>::try_from(runs.as_flattened_mut()) {
        if range as u32 <= MAX_NARROW {
            undo_8(bits, predictor, range as i16, values);
        } else {
            wide::undo_8(&LANES_8[predictor], range, values);
        }
    } else if let Ok(values) = <&mut [u32; 256]>::try_from(runs.as_flattened_mut()) {
        if range as u32 <= MAX_NARROW {
            undo_flat(bits, predictor, range as i16, values);
        } else {
            wide::undo_flat(&ROWS[predictor], range, values);
        }
    }
}

/// Weights of slices by lane, which is a row: those of W, N, WW, NW, NN and the range in each of the steps in
/// which some row has x < 2, and from then on.
type Rows = [[[i8; 16]; 6]; ROW_STEPS];

const ROW_STEPS: usize = 18;

/// The places of these in [`predict::Weights`].
const IN_ROWS: [usize; 6] = [0, 1, 2, 3, 4, 7];

table! {
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
}

/// The weights of bricks of 4³ by predictor and step: of W and N, U and NW, UW and UN, UNW and the range.
#[repr(align(64))]
struct Pairs([[PairWeights; 8]; COUNT]);

table! {
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
}

/// Masks: all ones in the lanes of a slice of 4×4 with x + y = distance.
static AT_DISTANCE: [[i16; 16]; 7] = {
    let mut table = [[0; 16]; 7];
    let mut lane = 0;
    while lane < 16 {
        table[lane % 4 + lane / 4][lane] = -1;
        lane += 1;
    }
    table
};

/// Masks: all ones if such a lane has reached z = 0; before that, its voxels do not exist.
static STARTED: [[i16; 16]; 10] = {
    let mut table = [[0; 16]; 10];
    let mut i = 0;
    while i < 160 {
        let (step, lane) = (i / 16, i % 16);
        table[step][lane] = -((step >= lane % 4 + lane / 4) as i16);
        i += 1;
    }
    table
};

/// Works like [`undo`], for the slices of bricks of 4³ voxels with any predictor. Each brick has its own
/// predictor and range, which is at most [`MAX_NARROW`]. While one brick waits for its newest values, the
/// others work.
#[inline(always)]
pub(super) fn undo_4<B: Bits, const N: usize>(
    bits: B,
    bricks: [(usize, u32); N],
    codes: &[[B::Row; 4]; N],
) -> [[B::Row; 4]; N] {
    // Codes by step, brick and lane, which values later replace.
    let mut made = [[bits.row([0; 16]); N]; 10];
    for (brick, slices) in codes.iter().enumerate() {
        for (z, &slice) in slices.iter().enumerate() {
            for (made, &mask) in made[z..].iter_mut().zip(&AT_DISTANCE) {
                made[brick] = bits.or(made[brick], bits.and(slice, bits.row(mask)));
            }
        }
    }
    // The values of U, W, N and NW from the voxels of one, two and three steps ago.
    let zeros = [bits.row([0; 16]); N];
    let (mut last, mut largest) = (zeros, zeros);
    for brick in 0..N {
        last[brick] = made[0][brick];
        largest[brick] = bits.row([bricks[brick].1 as i16; 16]);
    }
    let (mut w1, mut n1, mut nw1, mut nw2) = (zeros, zeros, zeros, zeros);
    let pairs = &PAIRS.0;
    for step in 1..10 {
        let (w2, n2, nw3) = (w1, n1, nw2);
        nw2 = nw1;
        let mask = bits.row(STARTED[step]);
        for brick in 0..N {
            let newest = last[brick];
            (w1[brick], n1[brick]) = (bits.west(newest), bits.north(newest));
            nw1[brick] = bits.west(n1[brick]);
            let numbers = [
                [w1[brick], n1[brick]],
                [newest, nw2[brick]],
                [w2[brick], n2[brick]],
                [nw3[brick], largest[brick]],
            ];
            let weights = &pairs[bricks[brick].0 % COUNT][step.min(7)];
            let codes = made[step][brick];
            last[brick] = bits.values(numbers, weights, codes, largest[brick], mask);
            made[step][brick] = last[brick];
        }
    }
    // Not in a closure: functions called from one are not compiled for the instruction set.
    let mut slices = [[bits.row([0; 16]); 4]; N];
    for (brick, slices) in slices.iter_mut().enumerate() {
        for (z, slice) in slices.iter_mut().enumerate() {
            for (made, &mask) in made[z..].iter().zip(&AT_DISTANCE) {
                *slice = bits.or(*slice, bits.and(made[brick], bits.row(mask)));
            }
        }
    }
    slices
}

/// The weights of bricks of 8³ for 16 lanes, two rows, by predictor, by whether the first row has y > 0, and
/// by how many steps ago the first lane of these began; after nine all have z > 0.
#[repr(align(64))]
struct RowPairs([[[PairWeights; 10]; 2]; COUNT]);

table! {
    static ROW_PAIRS: RowPairs = {
        let mut table = [[[[[[0; 16]; 2]; 4]; 10]; 2]; COUNT];
        let mut i = 0;
        while i < COUNT * 2 * 10 * 16 {
            let (predictor, below, step, lane) = (i / 320, i / 160 % 2, i / 16 % 10, i % 16);
            let (x, y) = (lane % 8, lane / 8);
            let class = (x > 0) as usize | ((below + y > 0) as usize) << 1 | ((step != x + y) as usize) << 2;
            let (half, at) = pair_place(lane);
            let mut weight = 0;
            while weight < 8 {
                let weights = WEIGHTS[predictor][class];
                table[predictor][below][step][weight / 2][half][at + weight % 2] = weights[weight] as i16;
                weight += 1;
            }
            i += 1;
        }
        RowPairs(table)
    };
}

/// Masks: all ones in those of 16 lanes, two rows, that began at most this number of steps after the first
/// lane.
static BEGUN: [[i16; 16]; 9] = {
    let mut table = [[0; 16]; 9];
    let mut i = 0;
    while i < 9 * 16 {
        table[i / 16][i % 16] = -((i / 16 >= i % 8 + i / 8 % 2) as i16);
        i += 1;
    }
    table
};

/// Works like [`undo`], for a brick of 8³ voxels with any predictor and a range up to [`MAX_NARROW`].
#[inline(always)]
fn undo_8<B: Bits>(bits: B, predictor: usize, range: i16, values: &mut [u32; 512]) {
    // Codes by step and lane, after three steps of zeros; values later replace them. A lane reads up to nine
    // lanes back.
    const PAD: usize = 16;
    let mut made = [[0i16; PAD + 64]; 3 + 22];
    for (z, slice) in values.as_chunks::<64>().0.iter().enumerate() {
        for (y, row) in slice.as_chunks::<8>().0.iter().enumerate() {
            for (x, &code) in row.iter().enumerate() {
                made[3 + x + y + z][PAD + 8 * y + x] = code as i16;
            }
        }
    }
    let largest = bits.row([range; 16]);
    let load = |lanes: &[i16; PAD + 64], at: usize| bits.row(*lanes[at..].first_chunk().expect("16 lanes"));
    let pairs = &ROW_PAIRS.0[predictor % COUNT];
    for step in 1..22 {
        let (before, now) = made.split_at_mut(3 + step);
        let [three, two, one] = &before[step..] else { unreachable!("three steps") };
        let now = &mut now[0];
        // Pairs of rows with a voxel in the brick. Others hold zeros, or are not read again.
        for pair in step.saturating_sub(15).div_ceil(2)..=(step / 2).min(3) {
            let i = PAD + 16 * pair;
            let numbers = [
                [load(one, i - 1), load(one, i - 8)],
                [load(one, i), load(two, i - 9)],
                [load(two, i - 1), load(two, i - 8)],
                [load(three, i - 9), largest],
            ];
            let ago = step - 2 * pair;
            let weights = &pairs[usize::from(pair > 0)][ago.min(9)];
            let made = bits.values(numbers, weights, load(now, i), largest, bits.row(BEGUN[ago.min(8)]));
            now[i..i + 16].copy_from_slice(&bits.numbers(made));
        }
    }
    for (z, slice) in values.as_chunks_mut::<64>().0.iter_mut().enumerate() {
        for (y, row) in slice.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            for (x, value) in row.iter_mut().enumerate() {
                *value = u32::from(made[3 + x + y + z][PAD + 8 * y + x] as u16);
            }
        }
    }
}

/// The weights of slices by predictor and step, of W and N, WW and NW, NN, the range; lanes are rows.
#[repr(align(64))]
struct SlicePairs([[PairWeights; ROW_STEPS]; COUNT]);

table! {
    static SLICE_PAIRS: SlicePairs = {
        let mut table = [[[[[0; 16]; 2]; 4]; ROW_STEPS]; COUNT];
        let mut i = 0;
        while i < COUNT * ROW_STEPS * 16 {
            let (predictor, step, y) = (i / (ROW_STEPS * 16), i / 16 % ROW_STEPS, i % 16);
            let (half, at) = pair_place(y);
            let mut weight = 0;
            while weight < 8 {
                let weights = predict::flat_weights(predictor, step.saturating_sub(y), y);
                table[predictor][step][weight / 2][half][at + weight % 2] = weights[weight] as i16;
                weight += 1;
            }
            i += 1;
        }
        SlicePairs(table)
    };
}

/// Masks: all ones in the rows of a slice that have begun.
static ROWS_BEGUN: [[i16; 16]; 16] = {
    let mut table = [[0; 16]; 16];
    let mut i = 0;
    while i < 16 * 16 {
        table[i / 16][i % 16] = -((i % 16 <= i / 16) as i16);
        i += 1;
    }
    table
};

/// Works like [`undo`], for a slice with any predictor and a range up to [`MAX_NARROW`].
#[inline(always)]
fn undo_flat<B: Bits>(bits: B, predictor: usize, range: i16, values: &mut [u32; 256]) {
    // The codes of each row's voxel by step, which values later replace.
    let mut made = [[0i16; 16]; 31];
    for (y, row) in values.as_chunks::<16>().0.iter().enumerate() {
        for (made, &code) in made[y..].iter_mut().zip(row) {
            made[y] = code as i16;
        }
    }
    let (zeros, largest) = (bits.row([0; 16]), bits.row([range; 16]));
    let (mut before, mut last) = (zeros, bits.row(made[0]));
    let pairs = &SLICE_PAIRS.0[predictor % COUNT];
    for step in 1..31 {
        let numbers = [
            [last, bits.back::<1>(last)],
            [before, bits.back::<1>(before)],
            [bits.back::<2>(before), zeros],
            [zeros, largest],
        ];
        let weights = &pairs[step.min(ROW_STEPS - 1)];
        before = last;
        last =
            bits.values(numbers, weights, bits.row(made[step]), largest, bits.row(ROWS_BEGUN[step.min(15)]));
        made[step] = bits.numbers(last);
    }
    for (y, row) in values.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        for (made, value) in made[y..].iter().zip(row) {
            *value = u32::from(made[y] as u16);
        }
    }
}
