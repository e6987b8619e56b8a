//! AVX2 and FMA: 8 lanes.

use super::{Float, Int, Mask, Simd, call, first, first_mut, operators};
use std::{
    arch::x86_64::*,
    ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub},
};

/// Token for AVX2 and FMA.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// # Safety
    /// The CPU must have AVX2 and FMA.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }
}

#[derive(Clone, Copy)]
pub(crate) struct F(__m256);
#[derive(Clone, Copy)]
pub(crate) struct I(__m256i);
/// All bits of a lane are set where it is true.
#[derive(Clone, Copy)]
pub(crate) struct M(__m256);

impl Simd for Avx2 {
    const LANES: usize = 8;
    type F = F;
    type I = I;
    type M = M;

    #[inline(always)]
    fn f(self, value: f32) -> F {
        // SAFETY: the token proves that the CPU has the instructions.
        F(unsafe { _mm256_set1_ps(value) })
    }
    #[inline(always)]
    fn i(self, value: i32) -> I {
        // SAFETY: the token proves that the CPU has the instructions.
        I(unsafe { _mm256_set1_epi32(value) })
    }
    #[inline(always)]
    fn load_i(self, values: &[i32]) -> I {
        I(bytemuck::cast(*first::<8, _>(values)))
    }
    #[inline(always)]
    fn load_fours(self, words: &[[u8; 4]]) -> [I; 4] {
        let fours: [__m128i; 8] = bytemuck::cast(*first::<32, _>(words));
        // SAFETY: the token proves that the CPU has the instructions.
        unsafe {
            // Four words from the first half, then four from the second.
            let [a, b, c, d] = std::array::from_fn(|i| _mm256_set_m128i(fours[i + 4], fours[i]));
            let (ac_low, ac_high) = (_mm256_unpacklo_epi32(a, c), _mm256_unpackhi_epi32(a, c));
            let (bd_low, bd_high) = (_mm256_unpacklo_epi32(b, d), _mm256_unpackhi_epi32(b, d));
            [
                I(_mm256_unpacklo_epi32(ac_low, bd_low)),
                I(_mm256_unpackhi_epi32(ac_low, bd_low)),
                I(_mm256_unpacklo_epi32(ac_high, bd_high)),
                I(_mm256_unpackhi_epi32(ac_high, bd_high)),
            ]
        }
    }
    #[inline(always)]
    fn gather(self, table: &[f32], index: I) -> F {
        // Indices are clamped to the table, so that a wrong one cannot read outside it.
        let last = table.len() as i32 - 1;
        assert!(last >= 0);
        let clamped = index.max(self.i(0)).min(self.i(last));
        // SAFETY: the token proves that the CPU has AVX2; every lane reads inside `table`.
        F(unsafe { _mm256_i32gather_ps::<4>(table.as_ptr(), clamped.0) })
    }
    #[inline(always)]
    fn none(self) -> M {
        // SAFETY: the token proves that the CPU has the instructions.
        M(unsafe { _mm256_setzero_ps() })
    }
    call!(Avx2, "avx2,fma");
}

operators! {
    Add add F _mm256_add_ps;
    Sub sub F _mm256_sub_ps;
    Mul mul F _mm256_mul_ps;
    Div div F _mm256_div_ps;
    Add add I _mm256_add_epi32;
    Sub sub I _mm256_sub_epi32;
    BitAnd bitand I _mm256_and_si256;
    BitOr bitor I _mm256_or_si256;
    BitAnd bitand M _mm256_and_ps;
    BitOr bitor M _mm256_or_ps;
}

impl Not for M {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: a value of this type exists only where its token did.
        unsafe { M(_mm256_xor_ps(self.0, _mm256_castsi256_ps(_mm256_set1_epi32(-1)))) }
    }
}

impl Mask for M {
    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: a value of this type exists only where its token did.
        unsafe { _mm256_movemask_ps(self.0) != 0 }
    }
}

// SAFETY, for every block below: a value of a lane type exists only where its token did.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Float for F {
    type I = I;
    type M = M;
    #[inline(always)]
    fn mul_add(self, factor: F, summand: F) -> F {
        F(unsafe { _mm256_fmadd_ps(self.0, factor.0, summand.0) })
    }
    #[inline(always)]
    fn min(self, other: F) -> F {
        F(unsafe { _mm256_min_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: F) -> F {
        F(unsafe { _mm256_max_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn floor(self) -> F {
        F(unsafe { _mm256_floor_ps(self.0) })
    }
    #[inline(always)]
    fn round(self) -> F {
        F(unsafe { _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0) })
    }
    #[inline(always)]
    fn lt(self, other: F) -> M {
        M(unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) })
    }
    #[inline(always)]
    fn or_if(self, mask: M, other: F) -> F {
        F(unsafe { _mm256_blendv_ps(self.0, other.0, mask.0) })
    }
    #[inline(always)]
    fn add_if(self, mask: M, other: F) -> F {
        F(unsafe { _mm256_add_ps(self.0, _mm256_and_ps(mask.0, other.0)) })
    }
    #[inline(always)]
    fn to_i(self) -> I {
        I(unsafe { _mm256_cvttps_epi32(self.0) })
    }
    #[inline(always)]
    fn bits(self) -> I {
        I(unsafe { _mm256_castps_si256(self.0) })
    }
}

// SAFETY, for every block below: a value of a lane type exists only where its token did.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Int for I {
    type F = F;
    type M = M;
    #[inline(always)]
    fn min(self, other: I) -> I {
        I(unsafe { _mm256_min_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: I) -> I {
        I(unsafe { _mm256_max_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn shl<const BITS: u32>(self) -> I {
        I(unsafe { _mm256_sll_epi32(self.0, _mm_cvtsi32_si128(BITS as i32)) })
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> I {
        I(unsafe { _mm256_srl_epi32(self.0, _mm_cvtsi32_si128(BITS as i32)) })
    }
    #[inline(always)]
    fn mul(self, other: I) -> I {
        I(unsafe { _mm256_mullo_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn shl_by(self, count: I) -> I {
        I(unsafe { _mm256_sllv_epi32(self.0, count.0) })
    }
    #[inline(always)]
    fn shr_by(self, count: I) -> I {
        I(unsafe { _mm256_srlv_epi32(self.0, count.0) })
    }
    #[inline(always)]
    fn lt(self, other: I) -> M {
        M(unsafe { _mm256_castsi256_ps(_mm256_cmpgt_epi32(other.0, self.0)) })
    }
    #[inline(always)]
    fn eq(self, other: I) -> M {
        M(unsafe { _mm256_castsi256_ps(_mm256_cmpeq_epi32(self.0, other.0)) })
    }
    #[inline(always)]
    fn or_if(self, mask: M, other: I) -> I {
        I(unsafe {
            _mm256_castps_si256(_mm256_blendv_ps(
                _mm256_castsi256_ps(self.0),
                _mm256_castsi256_ps(other.0),
                mask.0,
            ))
        })
    }
    #[inline(always)]
    fn to_f(self) -> F {
        F(unsafe { _mm256_cvtepi32_ps(self.0) })
    }
    #[inline(always)]
    fn float_of_bits(self) -> F {
        F(unsafe { _mm256_castsi256_ps(self.0) })
    }
    #[inline(always)]
    fn store(self, values: &mut [i32]) {
        *first_mut::<8, _>(values) = bytemuck::cast(self.0);
    }
}
