//! NEON: 4 lanes.

use super::{Float, Int, Mask, Simd, call, first, first_mut, operators};
use std::{
    arch::aarch64::*,
    ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub},
};

/// Token for NEON.
#[derive(Clone, Copy)]
pub(crate) struct Neon(());

impl Neon {
    /// # Safety
    /// The CPU must have NEON.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }
}

#[derive(Clone, Copy)]
pub(crate) struct F(float32x4_t);
#[derive(Clone, Copy)]
pub(crate) struct I(int32x4_t);
/// All bits of a lane are set where it is true.
#[derive(Clone, Copy)]
pub(crate) struct M(uint32x4_t);

impl Simd for Neon {
    const LANES: usize = 4;
    type F = F;
    type I = I;
    type M = M;

    #[inline(always)]
    fn f(self, value: f32) -> F {
        // SAFETY: the token proves that the CPU has the instructions.
        F(unsafe { vdupq_n_f32(value) })
    }
    #[inline(always)]
    fn i(self, value: i32) -> I {
        // SAFETY: the token proves that the CPU has the instructions.
        I(unsafe { vdupq_n_s32(value) })
    }
    #[inline(always)]
    fn load_i(self, values: &[i32]) -> I {
        I(bytemuck::cast(*first::<4, _>(values)))
    }
    #[inline(always)]
    fn load_fours(self, words: &[[u8; 4]]) -> [I; 4] {
        let [a, b, c, d]: [int32x4_t; 4] = bytemuck::cast(*first::<16, _>(words));
        // SAFETY: the token proves that the CPU has the instructions.
        unsafe {
            let (ab_even, ab_odd) = (vuzp1q_s32(a, b), vuzp2q_s32(a, b));
            let (cd_even, cd_odd) = (vuzp1q_s32(c, d), vuzp2q_s32(c, d));
            [
                I(vuzp1q_s32(ab_even, cd_even)),
                I(vuzp1q_s32(ab_odd, cd_odd)),
                I(vuzp2q_s32(ab_even, cd_even)),
                I(vuzp2q_s32(ab_odd, cd_odd)),
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
        M(unsafe { vdupq_n_u32(0) })
    }
    call!(Neon, "neon");
}

operators! {
    Add add F vaddq_f32;
    Sub sub F vsubq_f32;
    Mul mul F vmulq_f32;
    Div div F vdivq_f32;
    Add add I vaddq_s32;
    Sub sub I vsubq_s32;
    BitAnd bitand I vandq_s32;
    BitOr bitor I vorrq_s32;
    BitAnd bitand M vandq_u32;
    BitOr bitor M vorrq_u32;
}

impl Not for M {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: a value of this type exists only where its token did.
        unsafe { M(vmvnq_u32(self.0)) }
    }
}

impl Mask for M {
    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: a value of this type exists only where its token did.
        unsafe { vmaxvq_u32(self.0) != 0 }
    }
}

// SAFETY, for every block below: a value of a lane type exists only where its token did.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Float for F {
    type I = I;
    type M = M;
    #[inline(always)]
    fn mul_add(self, factor: F, summand: F) -> F {
        F(unsafe { vfmaq_f32(summand.0, self.0, factor.0) })
    }
    #[inline(always)]
    fn min(self, other: F) -> F {
        F(unsafe { vminq_f32(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: F) -> F {
        F(unsafe { vmaxq_f32(self.0, other.0) })
    }
    #[inline(always)]
    fn floor(self) -> F {
        F(unsafe { vrndmq_f32(self.0) })
    }
    #[inline(always)]
    fn round(self) -> F {
        F(unsafe { vrndnq_f32(self.0) })
    }
    #[inline(always)]
    fn lt(self, other: F) -> M {
        M(unsafe { vcltq_f32(self.0, other.0) })
    }
    #[inline(always)]
    fn or_if(self, mask: M, other: F) -> F {
        F(unsafe { vbslq_f32(mask.0, other.0, self.0) })
    }
    #[inline(always)]
    fn add_if(self, mask: M, other: F) -> F {
        F(unsafe {
            vaddq_f32(self.0, vreinterpretq_f32_u32(vandq_u32(mask.0, vreinterpretq_u32_f32(other.0))))
        })
    }
    #[inline(always)]
    fn to_i(self) -> I {
        I(unsafe { vcvtq_s32_f32(self.0) })
    }
    #[inline(always)]
    fn bits(self) -> I {
        I(unsafe { vreinterpretq_s32_f32(self.0) })
    }
}

// SAFETY, for every block below: a value of a lane type exists only where its token did.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Int for I {
    type F = F;
    type M = M;
    #[inline(always)]
    fn min(self, other: I) -> I {
        I(unsafe { vminq_s32(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: I) -> I {
        I(unsafe { vmaxq_s32(self.0, other.0) })
    }
    #[inline(always)]
    fn shl<const BITS: u32>(self) -> I {
        I(unsafe { vshlq_s32(self.0, vdupq_n_s32(BITS as i32)) })
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> I {
        I(unsafe {
            vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(self.0), vdupq_n_s32(-(BITS as i32))))
        })
    }
    #[inline(always)]
    fn mul(self, other: I) -> I {
        I(unsafe { vmulq_s32(self.0, other.0) })
    }
    #[inline(always)]
    fn shl_by(self, count: I) -> I {
        I(unsafe { vshlq_s32(self.0, count.0) })
    }
    #[inline(always)]
    fn shr_by(self, count: I) -> I {
        I(unsafe { vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(self.0), vnegq_s32(count.0))) })
    }
    #[inline(always)]
    fn lt(self, other: I) -> M {
        M(unsafe { vcltq_s32(self.0, other.0) })
    }
    #[inline(always)]
    fn eq(self, other: I) -> M {
        M(unsafe { vceqq_s32(self.0, other.0) })
    }
    #[inline(always)]
    fn or_if(self, mask: M, other: I) -> I {
        I(unsafe { vbslq_s32(mask.0, other.0, self.0) })
    }
    #[inline(always)]
    fn to_f(self) -> F {
        F(unsafe { vcvtq_f32_s32(self.0) })
    }
    #[inline(always)]
    fn float_of_bits(self) -> F {
        F(unsafe { vreinterpretq_f32_s32(self.0) })
    }
    #[inline(always)]
    fn store(self, values: &mut [i32]) {
        *first_mut::<4, _>(values) = bytemuck::cast(self.0);
    }
}
