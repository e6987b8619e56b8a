//! Undoing a prediction along x + y + z: the voxels of a step, twelve at most, are lanes of 32 bits, whose
//! neighbours are found by permutation, and pairs of neighbours are weighted by one multiply-add.
//!
//! The value of a code c around a prediction P within 0..=M needs neither the clamping of P nor e = min(P, M
//! − P): with h = ⌈c / 2⌉, the code is a far one on the lower side exactly if P < h, and on the upper side if
//! P > M − h; the value is then c, or M − c. For predictions below 0 and above M this is what clamping gives.

use super::super::{order::order_of_four, predict};
use crate::Dims;
use std::arch::x86_64::{
    __m512i, _mm_cvtsi32_si128, _mm512_add_epi32, _mm512_avg_epu16, _mm512_cmpgt_epi32_mask,
    _mm512_cmplt_epi32_mask, _mm512_cvtepi32_epi16, _mm512_cvtepu16_epi32, _mm512_dpwssd_epi32,
    _mm512_mask_mov_epi32, _mm512_mask_permutexvar_epi16, _mm512_mask_sub_epi32, _mm512_or_si512,
    _mm512_permutex2var_epi16, _mm512_permutexvar_epi16, _mm512_set1_epi32, _mm512_setzero_si512,
    _mm512_slli_epi32, _mm512_srai_epi32, _mm512_sub_epi32, _mm512_test_epi32_mask, _mm512_zextsi128_si512,
};

/// Codes of a brick in the order of steps, and some more so that 16 can be loaded anywhere.
pub(super) const CODES: usize = 64 + 16;

/// Stores 64 codes in the order of steps.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn sort(low: __m512i, high: __m512i, predictor: usize, codes: &mut [u16; CODES]) {
    let (first, last) = codes.split_at_mut(32);
    let by_step = BY_STEP[usize::from(predictor == predict::SORTED)];
    let [to_first, to_last]: [__m512i; 2] = bytemuck::cast(by_step);
    store(first, _mm512_permutex2var_epi16(low, to_first, high));
    store(last, _mm512_permutex2var_epi16(low, to_last, high));
}

/// Codes to values; of each brick its predictor and the largest value that codes stand for.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
pub(super) fn undo<const N: usize>(
    bricks: [(usize, u32); N],
    codes: &[[u16; CODES]; N],
    values: &mut [[u16; 64]; N],
) {
    let zeros = _mm512_setzero_si512();
    let one = _mm512_set1_epi32(1);
    let half = _mm512_set1_epi32(8);
    let mut largest = [zeros; N];
    // In the low half of a lane a voxel of one step ago, in the upper half one of two steps ago; and the same
    // a step sooner.
    let mut newest = [zeros; N];
    let mut before = [zeros; N];
    let mut made = [[0u16; CODES]; N];
    for i in 0..N {
        largest[i] = _mm512_set1_epi32(bricks[i].1 as i32);
        newest[i] = _mm512_zextsi128_si512(_mm_cvtsi32_si128(i32::from(codes[i][0])));
        made[i][0] = codes[i][0];
    }
    for step in 1..STEPS {
        let places: [__m512i; 4] = bytemuck::cast(PLACES.0[step - 1]);
        for i in 0..N {
            let weights: [__m512i; 4] = bytemuck::cast(WEIGHTS.0[bricks[i].0 & 15][step - 1]);
            // What is known longest comes first: the newest values are waited for.
            let unw_m = _mm512_mask_permutexvar_epi16(
                _mm512_slli_epi32::<16>(largest[i]),
                0x5555_5555,
                places[3],
                before[i],
            );
            let uw_un = _mm512_permutexvar_epi16(places[2], before[i]);
            let u_nw = _mm512_permutexvar_epi16(places[1], newest[i]);
            let w_n = _mm512_permutexvar_epi16(places[0], newest[i]);
            let sum = _mm512_dpwssd_epi32(half, unw_m, weights[3]);
            let sum = _mm512_dpwssd_epi32(sum, uw_un, weights[2]);
            let sum = _mm512_dpwssd_epi32(sum, u_nw, weights[1]);
            let sum = _mm512_dpwssd_epi32(sum, w_n, weights[0]);
            let prediction = _mm512_srai_epi32::<4>(sum);
            let from = START[step];
            let code: [u16; 16] = *codes[i][from..].first_chunk().expect("16 codes");
            let code = _mm512_cvtepu16_epi32(bytemuck::cast(code));
            let size = _mm512_avg_epu16(code, zeros);
            let is_below = _mm512_test_epi32_mask(code, one);
            let near = _mm512_add_epi32(prediction, size);
            let near = _mm512_mask_sub_epi32(near, is_below, prediction, size);
            let is_low = _mm512_cmplt_epi32_mask(prediction, size);
            let is_high = _mm512_cmpgt_epi32_mask(prediction, _mm512_sub_epi32(largest[i], size));
            let value = _mm512_mask_mov_epi32(near, is_low, code);
            let value = _mm512_mask_mov_epi32(value, is_high, _mm512_sub_epi32(largest[i], code));
            let narrow: [u16; 16] = bytemuck::cast(_mm512_cvtepi32_epi16(value));
            made[i][from..from + 16].copy_from_slice(&narrow);
            let next = _mm512_or_si512(value, _mm512_slli_epi32::<16>(newest[i]));
            (before[i], newest[i]) = (newest[i], next);
        }
    }
    for (made, values) in made.iter().zip(values) {
        let made: &[u16; 64] = made.first_chunk().expect("64 values");
        let [first, last]: [__m512i; 2] = bytemuck::cast(*made);
        let [to_low, to_high]: [__m512i; 2] = bytemuck::cast(FROM_STEPS);
        let (low, high) = values.split_at_mut(32);
        store(low, _mm512_permutex2var_epi16(first, to_low, last));
        store(high, _mm512_permutex2var_epi16(first, to_high, last));
    }
}

#[inline(always)]
fn store(to: &mut [u16], from: __m512i) {
    to[..32].copy_from_slice(&bytemuck::cast::<_, [u16; 32]>(from));
}

/// Steps of the wavefront: values of x + y + z.
const STEPS: usize = 10;

/// Voxels in the order of steps, and where each step starts.
const ORDER: ([u16; 64], [usize; STEPS + 1]) = {
    let (mut order, mut starts, mut count, mut step) = ([0; 64], [0; STEPS + 1], 0, 0);
    while step < STEPS {
        let mut voxel = 0;
        while voxel < 64 {
            if voxel % 4 + voxel / 4 % 4 + voxel / 16 == step {
                order[count] = voxel as u16;
                count += 1;
            }
            voxel += 1;
        }
        step += 1;
        starts[step] = count;
    }
    (order, starts)
};

/// Which code comes when in the order of steps: codes in Morton order, and sorted ones.
static BY_STEP: [[u16; 64]; 2] = {
    let (mut by_step, mut i) = ([[0; 64]; 2], 0);
    let orders = [order_of_four(false), order_of_four(true)];
    while i < 2 * 64 {
        let (which, code, mut step) = (i / 64, i % 64, 0);
        while ORDER.0[step] != orders[which][code] {
            step += 1;
        }
        by_step[which][step] = code as u16;
        i += 1;
    }
    by_step
};
const START: [usize; STEPS + 1] = ORDER.1;

/// The place of each voxel in the order of steps.
static FROM_STEPS: [u16; 64] = {
    let (mut places, mut i) = ([0; 64], 0);
    while i < 64 {
        places[ORDER.0[i] as usize] = i as u16;
        i += 1;
    }
    places
};

/// Aligned as vectors are.
#[repr(align(64))]
struct Aligned<T>(T);

/// Where lanes find neighbours: pairs of 16 bits for W and N, for U and NW, for UW and UN, for UNW and the
/// range.
static PLACES: Aligned<[[[u16; 32]; 4]; STEPS - 1]> = {
    let mut table = [[[0; 32]; 4]; STEPS - 1];
    // A pair's neighbours, as bits of x, y, z, and how many steps ago the half that is looked into was made.
    let neighbours = [[(1, 0), (2, 0)], [(4, 0), (3, 1)], [(5, 0), (6, 0)], [(7, 1), (8, 0)]];
    let mut step = 1;
    while step < STEPS {
        let mut i = START[step];
        while i < START[step + 1] {
            let voxel = ORDER.0[i] as usize;
            let class = predict::class(voxel, Dims::cube(4));
            let mut j = 0;
            while j < 8 {
                let (axes, half) = neighbours[j / 2][j % 2];
                if axes < 8 && class & axes == axes {
                    let back = (axes & 1) + (axes >> 1 & 1) * 4 + (axes >> 2) * 16;
                    let neighbour = voxel - back;
                    let made = neighbour % 4 + neighbour / 4 % 4 + neighbour / 16;
                    let mut lane = 0;
                    while ORDER.0[START[made] + lane] as usize != neighbour {
                        lane += 1;
                    }
                    table[step - 1][j / 2][2 * (i - START[step]) + j % 2] = (2 * lane + half) as u16;
                }
                j += 1;
            }
            i += 1;
        }
        step += 1;
    }
    Aligned(table)
};

/// The weights that go with [`PLACES`], by predictor.
static WEIGHTS: Aligned<[[[[i16; 32]; 4]; STEPS - 1]; predict::COUNT]> = {
    let mut table = [[[[0; 32]; 4]; STEPS - 1]; predict::COUNT];
    let pairs = [[0, 1], [2, 3], [4, 5], [6, 7]];
    let mut predictor = 0;
    while predictor < predict::COUNT {
        let mut step = 1;
        while step < STEPS {
            let mut i = START[step];
            while i < START[step + 1] {
                let class = predict::class(ORDER.0[i] as usize, Dims::cube(4));
                let mut j = 0;
                while j < 8 {
                    let weight = predict::WEIGHTS[predictor][class][pairs[j / 2][j % 2]];
                    table[predictor][step - 1][j / 2][2 * (i - START[step]) + j % 2] = weight as i16;
                    j += 1;
                }
                i += 1;
            }
            step += 1;
        }
        predictor += 1;
    }
    Aligned(table)
};

#[cfg(test)]
mod tests {
    use super::*;

    /// (On any CPU: those that run this code are not everywhere.)
    #[test]
    fn codes_go_to_the_steps_of_their_voxels() {
        for (by_step, is_sorted) in BY_STEP.iter().zip([false, true]) {
            let order = order_of_four(is_sorted);
            let voxels = by_step.map(|code| order[usize::from(code)]);
            assert_eq!(voxels, ORDER.0);
            let distance = |voxel: u16| voxel % 4 + voxel / 4 % 4 + voxel / 16;
            assert!(voxels.is_sorted_by_key(|&voxel| distance(voxel)));
        }
    }
}
