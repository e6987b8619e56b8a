//! Undoing a prediction along x + y + z. The voxels of a step, at most twelve, are lanes, and permutations
//! find their neighbours. One multiply-add in 32 bits weights a pair of neighbours; the operations after it
//! take 16 bits, half the width.
//!
//! The value of a code c around a prediction P within 0..=M needs neither the clamping of P nor e = min(P, M
//! − P): with h = ⌈c / 2⌉, the code is a far one on the lower side exactly if P < h, and on the upper side if
//! P > M − h; the value is then c, or M − c. For predictions below 0 and above M clamping gives the same.

use super::super::{order::order_of_four, predict};
use crate::Dims;
use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_add_epi16, _mm_avg_epu16, _mm_cmpgt_epi16_mask, _mm_cmplt_epi16_mask,
    _mm_cvtsi32_si128, _mm_mask_mov_epi16, _mm_mask_sub_epi16, _mm_set1_epi16, _mm_setzero_si128,
    _mm_sub_epi16, _mm_test_epi16_mask, _mm256_add_epi16, _mm256_avg_epu16, _mm256_castsi256_si128,
    _mm256_cmpgt_epi16_mask, _mm256_cmplt_epi16_mask, _mm256_cvtsepi32_epi16, _mm256_dpwssd_epi32,
    _mm256_mask_mov_epi16, _mm256_mask_sub_epi16, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256,
    _mm256_srai_epi32, _mm256_sub_epi16, _mm256_test_epi16_mask, _mm256_zextsi128_si256,
    _mm512_castsi256_si512, _mm512_castsi512_si256, _mm512_cvtsepi32_epi16, _mm512_dpwssd_epi32,
    _mm512_inserti64x4, _mm512_permutex2var_epi16, _mm512_permutexvar_epi16, _mm512_set1_epi32,
    _mm512_srai_epi32,
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

/// Decodes codes to values, with each brick's predictor and the largest value that codes represent.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
pub(super) fn undo<const N: usize>(
    bricks: [(usize, u32); N],
    codes: &[[u16; CODES]; N],
    values: &mut [[u16; 64]; N],
) {
    let zeros = _mm256_setzero_si256();
    let mut made = [[0u16; CODES]; N];
    let mut brick = [Steps { largest: zeros, one: zeros, two: zeros, three: zeros }; N];
    for i in 0..N {
        brick[i].largest = _mm256_set1_epi16(bricks[i].1 as i16);
        brick[i].one = _mm256_zextsi128_si256(_mm_cvtsi32_si128(i32::from(codes[i][0])));
        made[i][0] = codes[i][0];
    }
    // Half of the steps have at most eight voxels.
    for step in 1..3 {
        for i in 0..N {
            brick[i].take_eight(bricks[i].0, step, &codes[i], &mut made[i]);
        }
    }
    for step in 3..7 {
        for i in 0..N {
            brick[i].take_sixteen(bricks[i].0, step, &codes[i], &mut made[i]);
        }
    }
    for step in 7..STEPS {
        for i in 0..N {
            brick[i].take_eight(bricks[i].0, step, &codes[i], &mut made[i]);
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

/// State of a brick: its largest value in every lane, and the voxels of one, two and three steps ago.
#[derive(Clone, Copy)]
struct Steps {
    largest: __m256i,
    one: __m256i,
    two: __m256i,
    three: __m256i,
}

impl Steps {
    /// Returns the neighbours of the voxels of a step: W and N, U and NW, UW and UN, UNW and the range.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
    fn neighbours(&self, step: usize) -> [__m512i; 4] {
        let places: [__m512i; 4] = bytemuck::cast(PLACES.0[step - 1]);
        let near = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(self.one), self.two);
        let far = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(self.three), self.largest);
        [
            _mm512_permutexvar_epi16(places[0], near),
            _mm512_permutexvar_epi16(places[1], near),
            _mm512_permutexvar_epi16(places[2], near),
            _mm512_permutexvar_epi16(places[3], far),
        ]
    }

    /// Makes a step of up to sixteen voxels.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
    fn take_sixteen(&mut self, predictor: usize, step: usize, codes: &[u16; CODES], made: &mut [u16; CODES]) {
        let weights: [__m512i; 4] = bytemuck::cast(WEIGHTS.0[predictor & 15][step - 1]);
        let neighbours = self.neighbours(step);
        // The oldest values come first, because the newest must be waited for.
        let mut sum = _mm512_set1_epi32(8);
        for pair in (0..4).rev() {
            sum = _mm512_dpwssd_epi32(sum, neighbours[pair], weights[pair]);
        }
        // Saturated, a prediction far outside 0..=M is still outside.
        let prediction = _mm512_cvtsepi32_epi16(_mm512_srai_epi32::<4>(sum));
        let from = START[step];
        let code: [u16; 16] = *codes[from..].first_chunk().expect("16 codes");
        let code: __m256i = bytemuck::cast(code);
        let (zeros, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(1));
        let size = _mm256_avg_epu16(code, zeros);
        let is_below = _mm256_test_epi16_mask(code, one);
        let near = _mm256_add_epi16(prediction, size);
        let near = _mm256_mask_sub_epi16(near, is_below, prediction, size);
        let is_low = _mm256_cmplt_epi16_mask(prediction, size);
        let is_high = _mm256_cmpgt_epi16_mask(prediction, _mm256_sub_epi16(self.largest, size));
        let value = _mm256_mask_mov_epi16(near, is_low, code);
        let value = _mm256_mask_sub_epi16(value, is_high, self.largest, code);
        made[from..from + 16].copy_from_slice(&bytemuck::cast::<_, [u16; 16]>(value));
        (self.three, self.two, self.one) = (self.two, self.one, value);
    }

    /// Makes a step of up to eight voxels, in half as many lanes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
    fn take_eight(&mut self, predictor: usize, step: usize, codes: &[u16; CODES], made: &mut [u16; CODES]) {
        let weights = &WEIGHTS.0[predictor & 15][step - 1];
        let neighbours = self.neighbours(step);
        let mut sum = _mm256_set1_epi32(8);
        for pair in (0..4).rev() {
            let weights: [__m256i; 2] = bytemuck::cast(weights[pair]);
            sum = _mm256_dpwssd_epi32(sum, _mm512_castsi512_si256(neighbours[pair]), weights[0]);
        }
        let prediction = _mm256_cvtsepi32_epi16(_mm256_srai_epi32::<4>(sum));
        let from = START[step];
        let code: [u16; 8] = *codes[from..].first_chunk().expect("8 codes");
        let code: __m128i = bytemuck::cast(code);
        let (zeros, one) = (_mm_setzero_si128(), _mm_set1_epi16(1));
        let largest = _mm256_castsi256_si128(self.largest);
        let size = _mm_avg_epu16(code, zeros);
        let is_below = _mm_test_epi16_mask(code, one);
        let near = _mm_add_epi16(prediction, size);
        let near = _mm_mask_sub_epi16(near, is_below, prediction, size);
        let is_low = _mm_cmplt_epi16_mask(prediction, size);
        let is_high = _mm_cmpgt_epi16_mask(prediction, _mm_sub_epi16(largest, size));
        let value = _mm_mask_mov_epi16(near, is_low, code);
        let value = _mm_mask_sub_epi16(value, is_high, largest, code);
        made[from..from + 8].copy_from_slice(&bytemuck::cast::<_, [u16; 8]>(value));
        (self.three, self.two, self.one) = (self.two, self.one, _mm256_zextsi128_si256(value));
    }
}

#[inline(always)]
fn store(to: &mut [u16], from: __m512i) {
    to[..32].copy_from_slice(&bytemuck::cast::<_, [u16; 32]>(from));
}

/// Steps of the wavefront: values of x + y + z.
pub(super) const STEPS: usize = 10;

/// Voxels in the order of steps, and where each step starts.
const ORDER_AND_START: ([u16; 64], [usize; STEPS + 1]) = {
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

/// The code at each place in the order of steps: codes in Morton order, and sorted ones.
static BY_STEP: [[u16; 64]; 2] = {
    let (mut by_step, mut i) = ([[0; 64]; 2], 0);
    let orders = [order_of_four(false), order_of_four(true)];
    while i < 2 * 64 {
        let (which, code, mut step) = (i / 64, i % 64, 0);
        while ORDER[step] != orders[which][code] {
            step += 1;
        }
        by_step[which][step] = code as u16;
        i += 1;
    }
    by_step
};
pub(super) const ORDER: [u16; 64] = ORDER_AND_START.0;
pub(super) const START: [usize; STEPS + 1] = ORDER_AND_START.1;

/// The place of each voxel in the order of steps.
static FROM_STEPS: [u16; 64] = {
    let (mut places, mut i) = ([0; 64], 0);
    while i < 64 {
        places[ORDER[i] as usize] = i as u16;
        i += 1;
    }
    places
};

/// Aligned as vectors are.
#[repr(align(64))]
struct Aligned<T>(T);

/// Sources of the lanes' neighbours: pairs of 16 bits for W and N, for U and NW, for UW and UN, among the
/// voxels of one and of two steps ago; for UNW and the range among those of three steps ago and ranges.
static PLACES: Aligned<[[[u16; 32]; 4]; STEPS - 1]> = {
    let mut table = [[[0; 32]; 4]; STEPS - 1];
    // A pair's neighbours, as bits of x, y, z; 8 for the range.
    let neighbours = [[1, 2], [4, 3], [5, 6], [7, 8]];
    let mut step = 1;
    while step < STEPS {
        let mut i = START[step];
        while i < START[step + 1] {
            let voxel = ORDER[i] as usize;
            let class = predict::class(voxel, Dims::cube(4));
            let mut j = 0;
            while j < 8 {
                let axes: usize = neighbours[j / 2][j % 2];
                let place = &mut table[step - 1][j / 2][2 * (i - START[step]) + j % 2];
                if axes == 8 {
                    *place = 16;
                } else if class & axes == axes {
                    let neighbour = voxel - ((axes & 1) + (axes >> 1 & 1) * 4 + (axes >> 2) * 16);
                    let made = step - axes.count_ones() as usize;
                    let mut lane = 0;
                    while ORDER[START[made] + lane] as usize != neighbour {
                        lane += 1;
                    }
                    *place = lane as u16 + if axes.count_ones() == 2 { 16 } else { 0 };
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
                let class = predict::class(ORDER[i] as usize, Dims::cube(4));
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

    /// Runs on any CPU: few have AVX-512.
    #[test]
    fn codes_go_to_the_steps_of_their_voxels() {
        for (by_step, is_sorted) in BY_STEP.iter().zip([false, true]) {
            let order = order_of_four(is_sorted);
            let voxels = by_step.map(|code| order[usize::from(code)]);
            assert_eq!(voxels, ORDER);
            let distance = |voxel: u16| voxel % 4 + voxel / 4 % 4 + voxel / 16;
            assert!(voxels.is_sorted_by_key(|&voxel| distance(voxel)));
        }
    }
}
