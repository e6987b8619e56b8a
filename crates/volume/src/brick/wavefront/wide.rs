//! The wavefront in numbers of 32 bits, for larger ranges.

use super::tables::{AT_DISTANCE, Lanes, ROW_STEPS, Rows, STARTED};

/// Returns the value of the voxel whose prediction is ⌊(Σ + 8) / 16⌋ within 0..=range.
#[inline(always)]
fn value(sum: i32, code: i32, range: i32) -> i32 {
    let prediction = (sum.wrapping_add(8) >> 4).max(0).min(range);
    unfold(code, prediction, range)
}

#[inline(always)]
fn times(weight: i8, value: i32) -> i32 {
    i32::from(weight).wrapping_mul(value)
}

/// Undoes [`fold`](super::super::predict::fold).
#[inline(always)]
fn unfold(code: i32, prediction: i32, range: i32) -> i32 {
    let both = prediction.min(range - prediction);
    let near = ((code as u32 >> 1) as i32) ^ -(code & 1);
    let far = code.wrapping_sub(both);
    let far = if prediction > range - prediction { far.wrapping_neg() } else { far };
    // As unsigned numbers, so that a damaged code is a far one.
    prediction.wrapping_add(if code as u32 > 2 * both as u32 { far } else { near })
}

/// Returns the numbers `BY` lanes before each lane.
#[inline(always)]
fn shift<const BY: usize>(lanes: &[i32; 16]) -> [i32; 16] {
    std::array::from_fn(|lane| if lane >= BY { lanes[lane - BY] } else { 0 })
}

#[inline(always)]
pub(super) fn undo_4(weights: &Lanes<16, 8>, range: i32, values: &mut [u32; 64]) {
    // Codes by step and lane, which values later replace.
    let mut made = [[0; 16]; 10];
    for (z, slice) in values.as_chunks::<16>().0.iter().enumerate() {
        for (made, mask) in made[z..].iter_mut().zip(&AT_DISTANCE) {
            for lane in 0..16 {
                made[lane] |= slice[lane] as i32 & i32::from(mask[lane]);
            }
        }
    }
    // The values of W, N and NW from the voxels of one, two and three steps ago.
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
            made[step][lane] = value(sum, made[step][lane], range) & i32::from(STARTED[step][lane]);
        }
    }
    for (z, slice) in values.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let mut voxels = [0; 16];
        for (made, mask) in made[z..].iter().zip(&AT_DISTANCE) {
            for lane in 0..16 {
                voxels[lane] |= made[lane] & i32::from(mask[lane]);
            }
        }
        for lane in 0..16 {
            slice[lane] = voxels[lane] as u32;
        }
    }
}

#[inline(always)]
pub(super) fn undo_flat(weights: &Rows, range: i32, values: &mut [u32; 256]) {
    // The codes of each row's voxel by step, which values later replace.
    let mut made = [[0; 16]; 31];
    for (y, row) in values.as_chunks::<16>().0.iter().enumerate() {
        for (made, &code) in made[y..].iter_mut().zip(row) {
            made[y] = code as i32;
        }
    }
    // The values of N from the voxels of one step ago and of two steps ago; the latter are NW. NN uses those
    // of two steps ago.
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
            *value = made[y] as u32;
        }
    }
}

/// Returns eight numbers from `start` on.
#[inline(always)]
fn row<T, const N: usize>(numbers: &[T; N], start: usize) -> &[T; 8] {
    numbers[start..start + 8].try_into().expect("eight numbers")
}

#[inline(always)]
pub(super) fn undo_8(weights: &Lanes<64, 16>, range: i32, values: &mut [u32; 512]) {
    // As above, after three steps of zeros. A lane looks up to nine lanes back.
    const PAD: usize = 16;
    let mut made = [[0; PAD + 64]; 3 + 22];
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
        // Rows whose voxels are all outside the brick hold zeros, or are not read again.
        for y in step.saturating_sub(14)..=step.min(7) {
            let i = PAD + 8 * y;
            let weights = |weights: &[i8; 64]| *row(weights, 8 * y);
            let (w, n, nw, r) = (weights(&flat[0]), weights(&flat[1]), weights(&flat[2]), weights(&flat[3]));
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
                *value = made[3 + x + y + z][PAD + 8 * y + x] as u32;
            }
        }
    }
}
