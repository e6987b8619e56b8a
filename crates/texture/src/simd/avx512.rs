//! AVX-512 F, BW, DQ and VL: 16 lanes.

use super::{Float, Int, Mask, Simd, call, first, first_mut, operators};
use std::{
    arch::x86_64::*,
    ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub},
};

/// The token for AVX-512 F, BW, DQ and VL.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// # Safety
    /// The CPU must have AVX-512 F, BW, DQ and VL.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }
}

#[derive(Clone, Copy)]
pub(crate) struct F(__m512);
#[derive(Clone, Copy)]
pub(crate) struct I(__m512i);
/// One bit per lane.
#[derive(Clone, Copy)]
pub(crate) struct M(__mmask16);

impl Simd for Avx512 {
    const LANES: usize = 16;
    type F = F;
    type I = I;
    type M = M;

    #[inline(always)]
    fn f(self, value: f32) -> F {
        // SAFETY: the token proves that the CPU has the instructions.
        F(unsafe { _mm512_set1_ps(value) })
    }
    #[inline(always)]
    fn i(self, value: i32) -> I {
        // SAFETY: the token proves that the CPU has the instructions.
        I(unsafe { _mm512_set1_epi32(value) })
    }
    #[inline(always)]
    fn load_i(self, values: &[i32]) -> I {
        I(bytemuck::cast(*first::<16, _>(values)))
    }
    #[inline(always)]
    fn load_fours(self, words: &[[u8; 4]]) -> [I; 4] {
        let [a, b, c, d]: [__m512i; 4] = bytemuck::cast(*first::<64, _>(words));
        // SAFETY: the token proves that the CPU has the instructions.
        unsafe {
            // First columns 0 and 1 of 32 words, and columns 2 and 3; then one column of two halves.
            let left = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
            let right = _mm512_setr_epi32(2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
            let (ab, cd) = (_mm512_permutex2var_epi32(a, left, b), _mm512_permutex2var_epi32(c, left, d));
            let (ab2, cd2) = (_mm512_permutex2var_epi32(a, right, b), _mm512_permutex2var_epi32(c, right, d));
            [
                I(_mm512_shuffle_i64x2::<0x44>(ab, cd)),
                I(_mm512_shuffle_i64x2::<0xee>(ab, cd)),
                I(_mm512_shuffle_i64x2::<0x44>(ab2, cd2)),
                I(_mm512_shuffle_i64x2::<0xee>(ab2, cd2)),
            ]
        }
    }
    #[inline(always)]
    fn gather(self, table: &[f32], index: I) -> F {
        // Indices are clamped to the table, so that a wrong one cannot read outside it.
        let last = table.len() as i32 - 1;
        assert!(last >= 0);
        let clamped = index.max(self.i(0)).min(self.i(last));
        // SAFETY: the token proves that the CPU has AVX-512; every lane reads inside `table`.
        F(unsafe { _mm512_i32gather_ps::<4>(clamped.0, table.as_ptr()) })
    }
    const HAS_LOOKUP: bool = true;
    #[inline(always)]
    fn lookup(self, table: &[f32; 32], index: I) -> F {
        let [low, high]: [__m512; 2] = bytemuck::cast(*table);
        // SAFETY: the token proves that the CPU has AVX-512. The instruction ignores all but five bits.
        F(unsafe { _mm512_permutex2var_ps(low, index.0, high) })
    }
    #[inline(always)]
    fn none(self) -> M {
        M(0)
    }
    call!(Avx512, "avx512f,avx512bw,avx512dq,avx512vl,fma");
}

operators! {
    Add add F _mm512_add_ps;
    Sub sub F _mm512_sub_ps;
    Mul mul F _mm512_mul_ps;
    Div div F _mm512_div_ps;
    Add add I _mm512_add_epi32;
    Sub sub I _mm512_sub_epi32;
    BitAnd bitand I _mm512_and_si512;
    BitOr bitor I _mm512_or_si512;
}

impl BitAnd for M {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        M(self.0 & other.0)
    }
}

impl BitOr for M {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        M(self.0 | other.0)
    }
}

impl Not for M {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        M(!self.0)
    }
}

impl Mask for M {
    #[inline(always)]
    fn any(self) -> bool {
        self.0 != 0
    }
}

// SAFETY, for every block below: a value of a lane type exists only where its token did.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Float for F {
    type I = I;
    type M = M;
    #[inline(always)]
    fn mul_add(self, factor: F, summand: F) -> F {
        F(unsafe { _mm512_fmadd_ps(self.0, factor.0, summand.0) })
    }
    #[inline(always)]
    fn min(self, other: F) -> F {
        F(unsafe { _mm512_min_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: F) -> F {
        F(unsafe { _mm512_max_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn floor(self) -> F {
        F(unsafe { _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(self.0) })
    }
    #[inline(always)]
    fn round(self) -> F {
        F(unsafe { _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0) })
    }
    #[inline(always)]
    fn lt(self, other: F) -> M {
        M(unsafe { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0) })
    }
    #[inline(always)]
    fn or_if(self, mask: M, other: F) -> F {
        F(unsafe { _mm512_mask_mov_ps(self.0, mask.0, other.0) })
    }
    #[inline(always)]
    fn add_if(self, mask: M, other: F) -> F {
        F(unsafe { _mm512_mask_add_ps(self.0, mask.0, self.0, other.0) })
    }
    #[inline(always)]
    fn to_i(self) -> I {
        I(unsafe { _mm512_cvttps_epi32(self.0) })
    }
    #[inline(always)]
    fn bits(self) -> I {
        I(unsafe { _mm512_castps_si512(self.0) })
    }
}

// SAFETY, for every block below: a value of a lane type exists only where its token did.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Int for I {
    type F = F;
    type M = M;
    #[inline(always)]
    fn min(self, other: I) -> I {
        I(unsafe { _mm512_min_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: I) -> I {
        I(unsafe { _mm512_max_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn shl<const BITS: u32>(self) -> I {
        I(unsafe { _mm512_sll_epi32(self.0, _mm_cvtsi32_si128(BITS as i32)) })
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> I {
        I(unsafe { _mm512_srl_epi32(self.0, _mm_cvtsi32_si128(BITS as i32)) })
    }
    #[inline(always)]
    fn mul(self, other: I) -> I {
        I(unsafe { _mm512_mullo_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn shl_by(self, count: I) -> I {
        I(unsafe { _mm512_sllv_epi32(self.0, count.0) })
    }
    #[inline(always)]
    fn shr_by(self, count: I) -> I {
        I(unsafe { _mm512_srlv_epi32(self.0, count.0) })
    }
    #[inline(always)]
    fn lt(self, other: I) -> M {
        M(unsafe { _mm512_cmplt_epi32_mask(self.0, other.0) })
    }
    #[inline(always)]
    fn eq(self, other: I) -> M {
        M(unsafe { _mm512_cmpeq_epi32_mask(self.0, other.0) })
    }
    #[inline(always)]
    fn or_if(self, mask: M, other: I) -> I {
        I(unsafe { _mm512_mask_mov_epi32(self.0, mask.0, other.0) })
    }
    #[inline(always)]
    fn to_f(self) -> F {
        F(unsafe { _mm512_cvtepi32_ps(self.0) })
    }
    #[inline(always)]
    fn float_of_bits(self) -> F {
        F(unsafe { _mm512_castsi512_ps(self.0) })
    }
    #[inline(always)]
    fn store(self, values: &mut [i32]) {
        *first_mut::<16, _>(values) = bytemuck::cast(self.0);
    }
}
