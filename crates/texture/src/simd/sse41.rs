//! SSE4.1: 4 lanes.

use super::{Float, Int, Mask, Simd, call, first, first_mut, operators};
use std::{
    arch::x86_64::*,
    ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub},
};

/// Token for SSE4.1.
#[derive(Clone, Copy)]
pub(crate) struct Sse41(());

impl Sse41 {
    /// # Safety
    /// The CPU must have SSE4.1.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }
}

#[derive(Clone, Copy)]
pub(crate) struct F(__m128);
#[derive(Clone, Copy)]
pub(crate) struct I(__m128i);
/// All bits of a lane are set where it is true.
#[derive(Clone, Copy)]
pub(crate) struct M(__m128);

impl Simd for Sse41 {
    const LANES: usize = 4;
    type F = F;
    type I = I;
    type M = M;

    #[inline(always)]
    fn f(self, value: f32) -> F {
        // SAFETY: the token proves that the CPU has the instructions.
        F(unsafe { _mm_set1_ps(value) })
    }
    #[inline(always)]
    fn i(self, value: i32) -> I {
        // SAFETY: the token proves that the CPU has the instructions.
        I(unsafe { _mm_set1_epi32(value) })
    }
    #[inline(always)]
    fn load_i(self, values: &[i32]) -> I {
        I(bytemuck::cast(*first::<4, _>(values)))
    }
    #[inline(always)]
    fn load_fours(self, words: &[[u8; 4]]) -> [I; 4] {
        let [a, b, c, d]: [__m128i; 4] = bytemuck::cast(*first::<16, _>(words));
        // SAFETY: the token proves that the CPU has the instructions.
        unsafe {
            let (ac_low, ac_high) = (_mm_unpacklo_epi32(a, c), _mm_unpackhi_epi32(a, c));
            let (bd_low, bd_high) = (_mm_unpacklo_epi32(b, d), _mm_unpackhi_epi32(b, d));
            [
                I(_mm_unpacklo_epi32(ac_low, bd_low)),
                I(_mm_unpackhi_epi32(ac_low, bd_low)),
                I(_mm_unpacklo_epi32(ac_high, bd_high)),
                I(_mm_unpackhi_epi32(ac_high, bd_high)),
            ]
        }
    }
    #[inline(always)]
    fn gather(self, table: &[f32], index: I) -> F {
        let mut lanes = [0; 4];
        index.store(&mut lanes);
        F(bytemuck::cast(lanes.map(|index| table[index as usize])))
    }
    #[inline(always)]
    fn none(self) -> M {
        // SAFETY: the token proves that the CPU has the instructions.
        M(unsafe { _mm_setzero_ps() })
    }
    call!(Sse41, "sse4.1");
}

operators! {
    Add add F _mm_add_ps;
    Sub sub F _mm_sub_ps;
    Mul mul F _mm_mul_ps;
    Div div F _mm_div_ps;
    Add add I _mm_add_epi32;
    Sub sub I _mm_sub_epi32;
    BitAnd bitand I _mm_and_si128;
    BitOr bitor I _mm_or_si128;
    BitAnd bitand M _mm_and_ps;
    BitOr bitor M _mm_or_ps;
}

impl Not for M {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: a value of this type exists only where its token did.
        unsafe { M(_mm_xor_ps(self.0, _mm_castsi128_ps(_mm_set1_epi32(-1)))) }
    }
}

impl Mask for M {
    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: a value of this type exists only where its token did.
        unsafe { _mm_movemask_ps(self.0) != 0 }
    }
}

// SAFETY, for every block below: a value of a lane type exists only where its token did.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Float for F {
    type I = I;
    type M = M;
    #[inline(always)]
    fn mul_add(self, factor: F, summand: F) -> F {
        F(unsafe { _mm_add_ps(_mm_mul_ps(self.0, factor.0), summand.0) })
    }
    #[inline(always)]
    fn min(self, other: F) -> F {
        F(unsafe { _mm_min_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: F) -> F {
        F(unsafe { _mm_max_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn floor(self) -> F {
        F(unsafe { _mm_floor_ps(self.0) })
    }
    #[inline(always)]
    fn round(self) -> F {
        F(unsafe { _mm_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0) })
    }
    #[inline(always)]
    fn lt(self, other: F) -> M {
        M(unsafe { _mm_cmplt_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn or_if(self, mask: M, other: F) -> F {
        F(unsafe { _mm_blendv_ps(self.0, other.0, mask.0) })
    }
    #[inline(always)]
    fn add_if(self, mask: M, other: F) -> F {
        F(unsafe { _mm_add_ps(self.0, _mm_and_ps(mask.0, other.0)) })
    }
    #[inline(always)]
    fn to_i(self) -> I {
        I(unsafe { _mm_cvttps_epi32(self.0) })
    }
    #[inline(always)]
    fn bits(self) -> I {
        I(unsafe { _mm_castps_si128(self.0) })
    }
}

// SAFETY, for every block below: a value of a lane type exists only where its token did.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Int for I {
    type F = F;
    type M = M;
    #[inline(always)]
    fn min(self, other: I) -> I {
        I(unsafe { _mm_min_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: I) -> I {
        I(unsafe { _mm_max_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn shl<const BITS: u32>(self) -> I {
        I(unsafe { _mm_sll_epi32(self.0, _mm_cvtsi32_si128(BITS as i32)) })
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> I {
        I(unsafe { _mm_srl_epi32(self.0, _mm_cvtsi32_si128(BITS as i32)) })
    }
    #[inline(always)]
    fn mul(self, other: I) -> I {
        I(unsafe { _mm_mullo_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn shl_by(self, count: I) -> I {
        // 2^count is built from the bits of a float. 2³¹ is out of range, but the conversion then returns
        // exactly its bit pattern.
        let power = unsafe {
            let exponent = _mm_add_epi32(count.0, _mm_set1_epi32(127));
            _mm_cvttps_epi32(_mm_castsi128_ps(_mm_slli_epi32::<23>(exponent)))
        };
        self.mul(I(power))
    }
    #[inline(always)]
    fn shr_by(self, count: I) -> I {
        // Lane by lane, because the instruction takes only one count.
        let mut values = [0; 4];
        let mut counts = [0; 4];
        self.store(&mut values);
        count.store(&mut counts);
        for (value, count) in values.iter_mut().zip(counts) {
            *value = (*value as u32 >> count) as i32;
        }
        I(bytemuck::cast(values))
    }
    #[inline(always)]
    fn lt(self, other: I) -> M {
        M(unsafe { _mm_castsi128_ps(_mm_cmpgt_epi32(other.0, self.0)) })
    }
    #[inline(always)]
    fn eq(self, other: I) -> M {
        M(unsafe { _mm_castsi128_ps(_mm_cmpeq_epi32(self.0, other.0)) })
    }
    #[inline(always)]
    fn or_if(self, mask: M, other: I) -> I {
        I(unsafe {
            _mm_castps_si128(_mm_blendv_ps(_mm_castsi128_ps(self.0), _mm_castsi128_ps(other.0), mask.0))
        })
    }
    #[inline(always)]
    fn to_f(self) -> F {
        F(unsafe { _mm_cvtepi32_ps(self.0) })
    }
    #[inline(always)]
    fn float_of_bits(self) -> F {
        F(unsafe { _mm_castsi128_ps(self.0) })
    }
    #[inline(always)]
    fn store(self, values: &mut [i32]) {
        *first_mut::<4, _>(values) = bytemuck::cast(self.0);
    }
}
