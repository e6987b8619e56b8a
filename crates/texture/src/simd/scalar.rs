//! One lane: plain numbers.

use super::{Float, Int, LaneFn, Mask, Simd};

/// Token for scalar code.
#[derive(Clone, Copy)]
pub(crate) struct Scalar;

impl Simd for Scalar {
    const LANES: usize = 1;
    type F = f32;
    type I = i32;
    type M = bool;

    #[inline(always)]
    fn f(self, value: f32) -> f32 {
        value
    }
    #[inline(always)]
    fn i(self, value: i32) -> i32 {
        value
    }
    #[inline(always)]
    fn load_i(self, values: &[i32]) -> i32 {
        values[0]
    }
    #[inline(always)]
    fn load_fours(self, words: &[[u8; 4]]) -> [i32; 4] {
        [words[0], words[1], words[2], words[3]].map(i32::from_le_bytes)
    }
    #[inline(always)]
    fn gather(self, table: &[f32], index: i32) -> f32 {
        table[index as usize]
    }
    #[inline(always)]
    fn none(self) -> bool {
        false
    }
    #[inline(never)]
    fn call<T: LaneFn<Self>>(self, task: T) -> T::Output {
        task.run(self)
    }
}

impl Mask for bool {
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
}

impl Float for f32 {
    type I = i32;
    type M = bool;
    #[inline(always)]
    fn mul_add(self, factor: f32, summand: f32) -> f32 {
        // This is not the fused operation: without the instruction, that is a slow call, and exact values do
        // not need it.
        self * factor + summand
    }
    #[inline(always)]
    fn min(self, other: f32) -> f32 {
        if self < other { self } else { other }
    }
    #[inline(always)]
    fn max(self, other: f32) -> f32 {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn floor(self) -> f32 {
        f32::floor(self)
    }
    #[inline(always)]
    fn round(self) -> f32 {
        f32::round_ties_even(self)
    }
    #[inline(always)]
    fn lt(self, other: f32) -> bool {
        self < other
    }
    #[inline(always)]
    fn or_if(self, mask: bool, other: f32) -> f32 {
        if mask { other } else { self }
    }
    #[inline(always)]
    fn add_if(self, mask: bool, other: f32) -> f32 {
        self + if mask { other } else { 0.0 }
    }
    #[inline(always)]
    fn to_i(self) -> i32 {
        self as i32
    }
    #[inline(always)]
    fn bits(self) -> i32 {
        self.to_bits() as i32
    }
}

impl Int for i32 {
    type F = f32;
    type M = bool;
    #[inline(always)]
    fn min(self, other: i32) -> i32 {
        Ord::min(self, other)
    }
    #[inline(always)]
    fn max(self, other: i32) -> i32 {
        Ord::max(self, other)
    }
    #[inline(always)]
    fn shl<const BITS: u32>(self) -> i32 {
        self << BITS
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> i32 {
        (self as u32 >> BITS) as i32
    }
    #[inline(always)]
    fn mul(self, other: i32) -> i32 {
        self.wrapping_mul(other)
    }
    #[inline(always)]
    fn shl_by(self, count: i32) -> i32 {
        self << count
    }
    #[inline(always)]
    fn shr_by(self, count: i32) -> i32 {
        (self as u32 >> count) as i32
    }
    #[inline(always)]
    fn lt(self, other: i32) -> bool {
        self < other
    }
    #[inline(always)]
    fn eq(self, other: i32) -> bool {
        self == other
    }
    #[inline(always)]
    fn or_if(self, mask: bool, other: i32) -> i32 {
        if mask { other } else { self }
    }
    #[inline(always)]
    fn to_f(self) -> f32 {
        self as f32
    }
    #[inline(always)]
    fn float_of_bits(self) -> f32 {
        f32::from_bits(self as u32)
    }
    #[inline(always)]
    fn store(self, values: &mut [i32]) {
        values[0] = self;
    }
}
