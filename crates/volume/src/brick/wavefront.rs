//! Undoing a prediction for many voxels at once.
//!
//! A lane holds the column of voxels above (x, y) and takes the voxel at z = s − x − y in step s. All its
//! neighbours were made in earlier steps: W and N one step ago in earlier lanes, U one step ago in the same
//! lane, NW, UW and UN two steps ago, UNW three. A brick of 4³ takes 10 steps of 16 lanes, one of 8³ 22 steps
//! of 64. In a slice of 16×16, a lane holds a row instead, and takes the voxel at x = s − y: 31 steps.

mod tables;
mod wide;

use super::{limits::MAX_NARROW, predict::COUNT};
use crate::simd::Bits;
use std::array;
use tables::{
    AT_DISTANCE, BEGUN, LANES_4, LANES_8, PAIRS, ROW_PAIRS, ROW_STEPS, ROWS, ROWS_BEGUN, SLICE_PAIRS, STARTED,
};

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
