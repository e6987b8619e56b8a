//! Undoing a prediction for many voxels at once.
//!
//! A lane holds the column of voxels above (x, y) and takes the voxel at z = s − x − y in step s. All its neighbours were
//! made in earlier steps: W and N one step ago in the lanes before it, U one step ago in its own, NW, UW and UN two steps
//! ago, UNW three. A brick of 4³ takes 10 steps of 16 lanes, one of 8³ 22 steps of 64.

use super::predict::{self, COUNT, WEIGHTS};

/// Weights by lane: those of W, N, NW and the range in each of the steps in which some lane has z = 0, and from then on;
/// those of U, UW, UN and UNW, whose neighbours are zeros where there are none.
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
            let (x, y) = (lane % SIDE, lane / SIDE);
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

/// Codes to values, in place, of a brick of 4³ or 8³ voxels whose range is below 2²⁴; the first voxel is a value already.
/// Damaged codes give some values.
#[inline(always)]
pub(super) fn undo(predictor: usize, range: i32, values: &mut [u32]) {
    if let Ok(values) = <&mut [u32; 64]>::try_from(&mut *values) {
        undo_4(&LANES_4[predictor], range, values);
    } else if let Ok(values) = <&mut [u32; 512]>::try_from(values) {
        undo_8(&LANES_8[predictor], range, values);
    }
}

/// The voxel whose prediction is ⌊(Σ + 8) / 16⌋ within 0..=range.
#[inline(always)]
fn value(sum: i32, code: i32, range: i32) -> i32 {
    let prediction = (sum.wrapping_add(8) >> 4).max(0).min(range);
    predict::unfold(code as u32, prediction, range)
}

#[inline(always)]
fn times(weight: i8, value: i32) -> i32 {
    i32::from(weight).wrapping_mul(value)
}

/// What the lanes see of those `BY` before them.
#[inline(always)]
fn shift<const BY: usize>(lanes: &[i32; 16]) -> [i32; 16] {
    std::array::from_fn(|lane| if lane >= BY { lanes[lane - BY] } else { 0 })
}

#[inline(always)]
fn undo_4(weights: &Lanes<16, 8>, range: i32, values: &mut [u32; 64]) {
    // Codes by step and lane; values later stand in their places.
    let mut made = [[0i32; 16]; 10];
    for (z, slice) in values.as_chunks::<16>().0.iter().enumerate() {
        for (made, mask) in made[z..].iter_mut().zip(&AT_DISTANCE) {
            for lane in 0..16 {
                made[lane] |= slice[lane] as i32 & mask[lane];
            }
        }
    }
    // The voxels of one step ago; what W, N and NW see of those of one, two and three steps ago.
    let mut last = made[0];
    let (mut w1, mut n1, mut nw1) = (shift::<1>(&last), shift::<4>(&last), shift::<5>(&last));
    let (mut w2, mut n2, mut nw2, mut nw3) = ([0; 16], [0; 16], [0; 16], [0; 16]);
    for step in 1..10 {
        let flat = &weights.flat[step.min(7)];
        let above = &weights.above;
        let codes = &mut made[step];
        let mut next = [0; 16];
        for lane in 0..16 {
            // What is known longest comes first: the newest values are waited for.
            let sum = times(flat[3][lane], range)
                .wrapping_add(times(flat[2][lane], nw2[lane]))
                .wrapping_add(times(above[3][lane], nw3[lane]))
                .wrapping_add(times(above[1][lane], w2[lane]))
                .wrapping_add(times(above[2][lane], n2[lane]));
            let newest = times(above[0][lane], last[lane])
                .wrapping_add(times(flat[0][lane], w1[lane]))
                .wrapping_add(times(flat[1][lane], n1[lane]));
            next[lane] = value(sum.wrapping_add(newest), codes[lane], range) & STARTED[step][lane];
        }
        *codes = next;
        (nw3, nw2) = (nw2, nw1);
        (w2, n2) = (w1, n1);
        last = next;
        (w1, n1, nw1) = (shift::<1>(&last), shift::<4>(&last), shift::<5>(&last));
    }
    for (z, slice) in values.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let mut voxels = [0; 16];
        for (made, mask) in made[z..].iter().zip(&AT_DISTANCE) {
            for lane in 0..16 {
                voxels[lane] |= made[lane] & mask[lane];
            }
        }
        *slice = voxels.map(|voxel| voxel as u32);
    }
}

/// All ones in the lanes with x + y = distance.
static AT_DISTANCE: [[i32; 16]; 7] = {
    let mut table = [[0; 16]; 7];
    let mut lane = 0;
    while lane < 16 {
        table[lane % 4 + lane / 4][lane] = -1;
        lane += 1;
    }
    table
};

/// All ones where a lane has reached z = 0: before, it stands for voxels that are not there.
static STARTED: [[i32; 16]; 10] = {
    let mut table = [[0; 16]; 10];
    let mut i = 0;
    while i < 160 {
        let (step, lane) = (i / 16, i % 16);
        table[step][lane] = -((step >= lane % 4 + lane / 4) as i32);
        i += 1;
    }
    table
};

#[inline(always)]
fn undo_8(weights: &Lanes<64, 16>, range: i32, values: &mut [u32; 512]) {
    // As above, after three steps of zeros. A lane looks up to nine lanes back.
    const PAD: usize = 16;
    let mut made = [[0i32; PAD + 64]; 3 + 22];
    for (z, slice) in values.as_chunks::<64>().0.iter().enumerate() {
        for (y, row) in slice.as_chunks::<8>().0.iter().enumerate() {
            for (x, &code) in row.iter().enumerate() {
                made[3 + x + y + z][PAD + 8 * y + x] = code as i32;
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
            for x in 0..8 {
                let lane = 8 * y + x;
                let i = PAD + lane;
                let sum = times(flat[3][lane], range)
                    .wrapping_add(times(flat[2][lane], two[i - 9]))
                    .wrapping_add(times(above[3][lane], three[i - 9]))
                    .wrapping_add(times(above[1][lane], two[i - 1]))
                    .wrapping_add(times(above[2][lane], two[i - 8]))
                    .wrapping_add(times(above[0][lane], one[i]))
                    .wrapping_add(times(flat[0][lane], one[i - 1]))
                    .wrapping_add(times(flat[1][lane], one[i - 8]));
                let value = value(sum, now[i], range);
                now[i] = if step >= x + y { value } else { 0 };
            }
        }
    }
    for (z, slice) in values.as_chunks_mut::<64>().0.iter_mut().enumerate() {
        for (y, row) in slice.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            for (x, value) in row.iter_mut().enumerate() {
                *value = made[3 + x + y + z][PAD + 8 * y + x] as u32;
            }
        }
    }
}
