//! Undoing the prediction of one brick, which nothing hides: as `wavefront.rs` does it, with fewer
//! instructions that wait for another and more in all.
//!
//! Values stay in lanes of 32 bits, so that none are moved together; pairs of neighbours are lanes of 16
//! among them. Those of one step ago are found in one vector and those of two and three in another, which
//! was there sooner. Lane 15 of the first always holds the range.

use super::{
    super::predict,
    wavefront::{ORDER, START, STEPS},
};
use crate::Dims;
use std::arch::x86_64::{
    __m512i, _mm_cvtsi32_si128, _mm512_add_epi32, _mm512_avg_epu16, _mm512_cmpgt_epi32_mask,
    _mm512_cmplt_epi32_mask, _mm512_dpwssd_epi32, _mm512_mask_blend_epi16, _mm512_mask_mov_epi32,
    _mm512_mask_set1_epi32, _mm512_mask_sub_epi32, _mm512_maskz_cvtepu16_epi32, _mm512_permutex2var_epi16,
    _mm512_permutexvar_epi16, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_slli_epi32, _mm512_srai_epi32,
    _mm512_sub_epi32, _mm512_test_epi16_mask, _mm512_test_epi32_mask, _mm512_zextsi128_si512,
};

/// Codes of a brick in the order of steps, and some more so that 16 can be loaded anywhere.
type Codes = [u16; super::wavefront::CODES];

/// The lane that holds the range: no step has so many voxels.
const RANGE_LANE: u16 = 15;

/// Converts codes to values; the first one is a value already.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn undo(predictor: usize, largest: u32, codes: &Codes, values: &mut [u16; 64]) {
    let first = _mm512_zextsi128_si512(_mm_cvtsi32_si128(i32::from(codes[0])));
    let mut brick = Steps {
        largest: _mm512_set1_epi32(largest as i32),
        one: _mm512_mask_set1_epi32(first, 1 << RANGE_LANE, largest as i32),
        before: _mm512_setzero_si512(),
    };
    // Values of two steps each, the later one's in the lower halves of lanes.
    let mut made = [_mm512_setzero_si512(); 5];
    for step in 1..STEPS {
        brick.take(predictor, step, codes);
        if step % 2 == 0 {
            made[step / 2 - 1] = brick.before;
        }
    }
    brick.age();
    made[4] = brick.before;
    let from: [[__m512i; 3]; 2] = bytemuck::cast(FROM_PAIRS.0);
    for (half, values) in values.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let [near, far, is_far] = from[half];
        let near = _mm512_permutex2var_epi16(made[half], near, made[half + 1]);
        let far = _mm512_permutex2var_epi16(made[half + 2], far, made[half + 3]);
        let is_far = _mm512_test_epi16_mask(is_far, is_far);
        *values = bytemuck::cast(_mm512_mask_blend_epi16(is_far, near, far));
    }
}

/// State of a brick whose prediction is being undone.
struct Steps {
    largest: __m512i,
    /// The values of the last step, each in 32 bits of which the upper 16 are unspecified.
    one: __m512i,
    /// Values of the two steps before, the later ones in the lower halves of lanes.
    before: __m512i,
}

impl Steps {
    /// Moves the last step to the earlier steps.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn age(&mut self) {
        self.before = _mm512_mask_blend_epi16(UPPER_HALVES, self.one, _mm512_slli_epi32::<16>(self.before));
    }

    /// Makes a step of up to twelve voxels.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn take(&mut self, predictor: usize, step: usize, codes: &Codes) {
        let places: [__m512i; 4] = bytemuck::cast(PLACES.0[step - 1]);
        let weights: [__m512i; 4] = bytemuck::cast(WEIGHTS.0[predictor & 15][step - 1]);
        let far = |i: usize| _mm512_permutexvar_epi16(places[i], self.before);
        let near = |i: usize| _mm512_permutexvar_epi16(places[i], self.one);
        let sum = _mm512_dpwssd_epi32(_mm512_set1_epi32(8), far(2), weights[2]);
        let sum = _mm512_dpwssd_epi32(sum, far(3), weights[3]);
        let sum = _mm512_dpwssd_epi32(sum, near(0), weights[0]);
        let other = _mm512_dpwssd_epi32(_mm512_setzero_si512(), near(1), weights[1]);
        let prediction = _mm512_srai_epi32::<4>(_mm512_add_epi32(sum, other));
        let from = START[step];
        let code: [u16; 16] = *codes[from..].first_chunk().expect("16 codes");
        let mask = (1 << (START[step + 1] - from)) - 1;
        let code = _mm512_maskz_cvtepu16_epi32(mask, bytemuck::cast(code));
        let size = _mm512_avg_epu16(code, _mm512_setzero_si512());
        let is_below = _mm512_test_epi32_mask(code, _mm512_set1_epi32(1));
        let step = _mm512_mask_sub_epi32(size, is_below, _mm512_setzero_si512(), size);
        let is_low = _mm512_cmplt_epi32_mask(prediction, size);
        let is_high = _mm512_cmpgt_epi32_mask(prediction, _mm512_sub_epi32(self.largest, size));
        let value = _mm512_mask_mov_epi32(_mm512_add_epi32(prediction, step), is_low, code);
        let value = _mm512_mask_sub_epi32(value, is_high, self.largest, code);
        self.age();
        self.one = value;
    }
}

const UPPER_HALVES: u32 = 0xaaaa_aaaa;

/// Aligned as vectors are.
#[repr(align(64))]
struct Aligned<T>(T);

/// The pairs of neighbours, as bits of x, y, z; 8 for the range.
const PAIRS: [[usize; 2]; 4] = [[1, 2], [4, 8], [3, 5], [6, 7]];

/// Sources of the lanes' neighbours: the first two pairs in the values of the step before, the others in
/// those of the two before that.
static PLACES: Aligned<[[[u16; 32]; 4]; STEPS - 1]> = {
    let mut table = [[[0; 32]; 4]; STEPS - 1];
    let mut step = 1;
    while step < STEPS {
        let mut lane = 0;
        while lane < 16 {
            let class = class(step, lane);
            let mut j = 0;
            while j < 8 {
                let axes = PAIRS[j / 2][j % 2];
                let place = &mut table[step - 1][j / 2][2 * lane + j % 2];
                if axes == 8 {
                    *place = 2 * RANGE_LANE;
                } else if class & axes == axes {
                    let voxel = ORDER[START[step] + lane] as usize;
                    let neighbour = voxel - ((axes & 1) + (axes >> 1 & 1) * 4 + (axes >> 2) * 16);
                    let made = step - axes.count_ones() as usize;
                    let mut found = 0;
                    while ORDER[START[made] + found] as usize != neighbour {
                        found += 1;
                    }
                    *place = 2 * found as u16 + (axes == 7) as u16;
                }
                j += 1;
            }
            lane += 1;
        }
        step += 1;
    }
    Aligned(table)
};

/// Returns the axes along which the voxel of a lane has neighbours; 0 if there are none.
const fn class(step: usize, lane: usize) -> usize {
    if START[step] + lane >= START[step + 1] {
        return 0;
    }
    predict::class(ORDER[START[step] + lane] as usize, Dims::cube(4))
}

/// Weights for [`PLACES`], by predictor. The prediction in the range's lane is the range.
static WEIGHTS: Aligned<[[[[i16; 32]; 4]; STEPS - 1]; predict::COUNT]> = {
    // The places of the neighbours in `predict::Weights`.
    let of_pairs = [[0, 1], [2, 7], [3, 4], [5, 6]];
    let mut table = [[[[0; 32]; 4]; STEPS - 1]; predict::COUNT];
    let mut predictor = 0;
    while predictor < predict::COUNT {
        let mut step = 1;
        while step < STEPS {
            let mut lane = 0;
            while START[step] + lane < START[step + 1] {
                let mut j = 0;
                while j < 8 {
                    let weight = predict::WEIGHTS[predictor][class(step, lane)][of_pairs[j / 2][j % 2]];
                    table[predictor][step - 1][j / 2][2 * lane + j % 2] = weight as i16;
                    j += 1;
                }
                lane += 1;
            }
            table[predictor][step - 1][1][2 * RANGE_LANE as usize + 1] = 16;
            step += 1;
        }
        predictor += 1;
    }
    Aligned(table)
};

/// Positions of voxels, for each half of a brick, in the first two and in the last two of the four vectors of
/// their steps; and a mask of those in the last two.
static FROM_PAIRS: Aligned<[[[u16; 32]; 3]; 2]> = {
    let mut table = [[[0; 32]; 3]; 2];
    let mut step = 0;
    while step < STEPS {
        let mut i = START[step];
        while i < START[step + 1] {
            let voxel = ORDER[i] as usize;
            let (half, at) = (voxel / 32, voxel % 32);
            let vector = step / 2 - half;
            let place = 2 * (i - START[step]) + (step % 2 == 0) as usize;
            table[half][vector / 2][at] = (place + vector % 2 * 32) as u16;
            table[half][2][at] = (vector / 2) as u16;
            i += 1;
        }
        step += 1;
    }
    Aligned(table)
};
