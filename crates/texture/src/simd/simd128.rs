//! WebAssembly's SIMD of 128 bits: 4 lanes. Only instructions that the specification defines to the bit are
//! used, none of the relaxed ones.
//!
//! The intrinsics are safe: a module contains them only if the target feature is enabled for all of it, and
//! an engine without them rejects the module.

use super::{Float, Int, LaneFn, Mask, Simd, first, first_mut};
use std::{
    arch::wasm32::*,
    ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub},
};

/// Token for SIMD128.
#[derive(Clone, Copy)]
pub(crate) struct Simd128(());

impl Simd128 {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self(())
    }
}

#[derive(Clone, Copy)]
pub(crate) struct F(v128);
#[derive(Clone, Copy)]
pub(crate) struct I(v128);
/// All bits of a lane are set where it is true.
#[derive(Clone, Copy)]
pub(crate) struct M(v128);

impl Simd for Simd128 {
    const LANES: usize = 4;
    type F = F;
    type I = I;
    type M = M;

    #[inline(always)]
    fn f(self, value: f32) -> F {
        F(f32x4_splat(value))
    }
    #[inline(always)]
    fn i(self, value: i32) -> I {
        I(i32x4_splat(value))
    }
    #[inline(always)]
    fn load_i(self, values: &[i32]) -> I {
        I(bytemuck::cast(*first::<4, _>(values)))
    }
    #[inline(always)]
    fn load_fours(self, words: &[[u8; 4]]) -> [I; 4] {
        let [a, b, c, d]: [v128; 4] = bytemuck::cast(*first::<16, _>(words));
        let (ac_low, ac_high) = (i32x4_shuffle::<0, 4, 1, 5>(a, c), i32x4_shuffle::<2, 6, 3, 7>(a, c));
        let (bd_low, bd_high) = (i32x4_shuffle::<0, 4, 1, 5>(b, d), i32x4_shuffle::<2, 6, 3, 7>(b, d));
        [
            I(i32x4_shuffle::<0, 4, 1, 5>(ac_low, bd_low)),
            I(i32x4_shuffle::<2, 6, 3, 7>(ac_low, bd_low)),
            I(i32x4_shuffle::<0, 4, 1, 5>(ac_high, bd_high)),
            I(i32x4_shuffle::<2, 6, 3, 7>(ac_high, bd_high)),
        ]
    }
    #[inline(always)]
    fn gather(self, table: &[f32], index: I) -> F {
        F(f32x4(
            table[i32x4_extract_lane::<0>(index.0) as usize],
            table[i32x4_extract_lane::<1>(index.0) as usize],
            table[i32x4_extract_lane::<2>(index.0) as usize],
            table[i32x4_extract_lane::<3>(index.0) as usize],
        ))
    }
    #[inline(always)]
    fn none(self) -> M {
        M(i32x4_splat(0))
    }
    #[inline(never)]
    fn call<T: LaneFn<Self>>(self, task: T) -> T::Output {
        task.run(self)
    }
}

/// `impl Trait for Type { fn method(self, other) { Type(intrinsic(self.0, other.0)) } }` for each line.
macro_rules! safe_operators {
    ($($trait:ident $method:ident $type:ident $intrinsic:ident;)*) => {$(
        impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self($intrinsic(self.0, other.0))
            }
        }
    )*};
}

safe_operators! {
    Add add F f32x4_add;
    Sub sub F f32x4_sub;
    Mul mul F f32x4_mul;
    Div div F f32x4_div;
    Add add I i32x4_add;
    Sub sub I i32x4_sub;
    BitAnd bitand I v128_and;
    BitOr bitor I v128_or;
    BitAnd bitand M v128_and;
    BitOr bitor M v128_or;
}

impl Not for M {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(v128_not(self.0))
    }
}

impl Mask for M {
    #[inline(always)]
    fn any(self) -> bool {
        v128_any_true(self.0)
    }
}

impl Float for F {
    type I = I;
    type M = M;
    #[inline(always)]
    fn mul_add(self, factor: F, summand: F) -> F {
        F(f32x4_add(f32x4_mul(self.0, factor.0), summand.0))
    }
    // `f32x4_min` and `f32x4_max` order zeros and return NaN. `pmin(a, b)` is `b < a ? b : a`, which is
    // x86-64's minimum with exchanged operands, and one instruction there.
    #[inline(always)]
    fn min(self, other: F) -> F {
        F(f32x4_pmin(other.0, self.0))
    }
    #[inline(always)]
    fn max(self, other: F) -> F {
        F(f32x4_pmax(other.0, self.0))
    }
    #[inline(always)]
    fn floor(self) -> F {
        F(f32x4_floor(self.0))
    }
    #[inline(always)]
    fn round(self) -> F {
        F(f32x4_nearest(self.0))
    }
    #[inline(always)]
    fn lt(self, other: F) -> M {
        M(f32x4_lt(self.0, other.0))
    }
    #[inline(always)]
    fn or_if(self, mask: M, other: F) -> F {
        F(v128_bitselect(other.0, self.0, mask.0))
    }
    #[inline(always)]
    fn add_if(self, mask: M, other: F) -> F {
        F(f32x4_add(self.0, v128_and(mask.0, other.0)))
    }
    #[inline(always)]
    fn to_i(self) -> I {
        I(i32x4_trunc_sat_f32x4(self.0))
    }
    #[inline(always)]
    fn bits(self) -> I {
        I(self.0)
    }
}

impl Int for I {
    type F = F;
    type M = M;
    #[inline(always)]
    fn min(self, other: I) -> I {
        I(i32x4_min(self.0, other.0))
    }
    #[inline(always)]
    fn max(self, other: I) -> I {
        I(i32x4_max(self.0, other.0))
    }
    #[inline(always)]
    fn shl<const BITS: u32>(self) -> I {
        I(i32x4_shl(self.0, BITS))
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> I {
        I(u32x4_shr(self.0, BITS))
    }
    #[inline(always)]
    fn mul(self, other: I) -> I {
        I(i32x4_mul(self.0, other.0))
    }
    #[inline(always)]
    fn shl_by(self, count: I) -> I {
        // 2^count is built from the bits of a float. The conversion to unsigned integers is exact for 2³¹.
        let exponent = i32x4_add(count.0, i32x4_splat(127));
        self.mul(I(u32x4_trunc_sat_f32x4(i32x4_shl(exponent, 23))))
    }
    #[inline(always)]
    fn shr_by(self, count: I) -> I {
        // Lane by lane, because the instruction takes only one count.
        I(u32x4(
            u32x4_extract_lane::<0>(self.0).wrapping_shr(u32x4_extract_lane::<0>(count.0)),
            u32x4_extract_lane::<1>(self.0).wrapping_shr(u32x4_extract_lane::<1>(count.0)),
            u32x4_extract_lane::<2>(self.0).wrapping_shr(u32x4_extract_lane::<2>(count.0)),
            u32x4_extract_lane::<3>(self.0).wrapping_shr(u32x4_extract_lane::<3>(count.0)),
        ))
    }
    #[inline(always)]
    fn lt(self, other: I) -> M {
        M(i32x4_lt(self.0, other.0))
    }
    #[inline(always)]
    fn eq(self, other: I) -> M {
        M(i32x4_eq(self.0, other.0))
    }
    #[inline(always)]
    fn or_if(self, mask: M, other: I) -> I {
        I(v128_bitselect(other.0, self.0, mask.0))
    }
    #[inline(always)]
    fn to_f(self) -> F {
        F(f32x4_convert_i32x4(self.0))
    }
    #[inline(always)]
    fn float_of_bits(self) -> F {
        F(self.0)
    }
    #[inline(always)]
    fn store(self, values: &mut [i32]) {
        *first_mut::<4, _>(values) = bytemuck::cast(self.0);
    }
}
