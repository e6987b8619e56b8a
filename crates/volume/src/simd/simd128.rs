//! WebAssembly's SIMD of 128 bits, for the part of [`Portable`](super::Portable) that takes most of the time.
//!
//! The intrinsics are safe: a module contains them only if the target feature is enabled for all of it.

use super::PairWeights;
use std::arch::wasm32::*;

/// The work of [`Bits::values`](super::Bits::values).
#[inline(always)]
pub(super) fn values(
    numbers: [[[i16; 16]; 2]; 4],
    weights: &PairWeights,
    codes: [i16; 16],
    largest: [i16; 16],
    mask: [i16; 16],
) -> [i16; 16] {
    let [codes, largest, mask]: [[v128; 2]; 3] = bytemuck::cast([codes, largest, mask]);
    bytemuck::cast([0, 1].map(|half| {
        let (mut low, mut high) = (i32x4_splat(8), i32x4_splat(8));
        for (&[first, second], &weights) in numbers.iter().zip(weights) {
            let [first, second]: [[v128; 2]; 2] = bytemuck::cast([first, second]);
            let [low_weights, high_weights]: [[v128; 2]; 2] = bytemuck::cast(weights);
            let pairs = i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(first[half], second[half]);
            low = i32x4_add(low, i32x4_dot_i16x8(pairs, low_weights[half]));
            let pairs = i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(first[half], second[half]);
            high = i32x4_add(high, i32x4_dot_i16x8(pairs, high_weights[half]));
        }
        let (codes, largest) = (codes[half], v128_and(largest[half], mask[half]));
        // Sums that overflow 16 bits are beyond 0 or the largest value.
        let sums = i16x8_narrow_i32x4(i32x4_shr(low, 4), i32x4_shr(high, 4));
        let zeros = i16x8_splat(0);
        let step = v128_xor(u16x8_shr(codes, 1), i16x8_neg(v128_and(codes, i16x8_splat(1))));
        let above = u16x8_avgr(codes, zeros);
        let near = i16x8_add(i16x8_min(i16x8_max(sums, zeros), largest), step);
        let up = v128_bitselect(codes, near, i16x8_gt(above, sums));
        let down = i16x8_sub(largest, codes);
        v128_bitselect(down, up, i16x8_gt(sums, i16x8_sub(largest, above)))
    }))
}
