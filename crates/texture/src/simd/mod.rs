//! Lanes of numbers on every instruction set, chosen at run time.
//!
//! An encoder is written once, generic over [`Simd`], with one block in each lane. [`dispatch!`] compiles it for
//! every instruction set and calls the one wanted. The lanes never look at each other, so their count does not
//! show in the result.
//!
//! **Same bytes everywhere.** A float operation here is one of IEEE 754's correctly rounded ones; there is no
//! reciprocal or square root estimate. [`Float::mul_add`] may round once or twice, so it is only for values whose
//! product and sum are exact (integers below 2²⁴, say): then both give the same.
//!
//! A lane type's values can only be made from a [`Simd`] token, and a token only where the CPU was seen to have
//! the instructions, so the operations themselves are safe to call.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod sse41;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::Neon;
pub(crate) use scalar::Scalar;
#[cfg(target_arch = "x86_64")]
pub(crate) use sse41::Sse41;

use std::ops::{Add, BitAnd, BitOr, Mul, Not, Sub};

/// An instruction set the encoders are compiled for. The blocks are the same on each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SimdLevel {
    /// No SIMD: one block at a time.
    Scalar,
    /// x86-64 with SSE4.1: 4 blocks at a time.
    #[cfg(target_arch = "x86_64")]
    Sse41,
    /// x86-64 with AVX2 and FMA: 8 blocks at a time.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// x86-64 with AVX-512 F, BW, DQ and VL: 16 blocks at a time.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// AArch64's NEON: 4 blocks at a time.
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl SimdLevel {
    /// Every level this program was compiled for, slowest first.
    pub const ALL: &[Self] = &[
        Self::Scalar,
        #[cfg(target_arch = "x86_64")]
        Self::Sse41,
        #[cfg(target_arch = "x86_64")]
        Self::Avx2,
        #[cfg(target_arch = "x86_64")]
        Self::Avx512,
        #[cfg(target_arch = "aarch64")]
        Self::Neon,
    ];

    /// The fastest level this CPU has.
    pub fn detect() -> Self {
        Self::ALL.iter().copied().rfind(|level| level.is_available()).unwrap_or(Self::Scalar)
    }

    /// Whether this CPU has the level.
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Sse41 => is_x86_feature_detected!("sse4.1"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon => std::arch::is_aarch64_feature_detected!("neon"),
        }
    }

    /// The name in reports: `scalar`, `sse4.1`, `avx2`, `avx512` or `neon`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Self::Sse41 => "sse4.1",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "avx512",
            #[cfg(target_arch = "aarch64")]
            Self::Neon => "neon",
        }
    }
}

/// A token for an instruction set that this CPU has, and what makes lanes.
pub(crate) trait Simd: Copy + 'static {
    /// Lanes in a vector.
    const LANES: usize;
    type F: Float<I = Self::I, M = Self::M>;
    type I: Int<F = Self::F, M = Self::M>;
    type M: Mask;

    /// The same float in every lane.
    fn f(self, value: f32) -> Self::F;
    /// The same integer in every lane.
    fn i(self, value: i32) -> Self::I;
    /// The first `LANES` floats of `values`.
    fn load_f(self, values: &[f32]) -> Self::F;
    /// The first `LANES` integers of `values`.
    fn load_i(self, values: &[i32]) -> Self::I;
    /// `table[index]` in each lane. Panics or reads any entry of `table` where an index is outside.
    fn gather(self, table: &[f32], index: Self::I) -> Self::F;
    /// A mask that is false in every lane.
    fn none(self) -> Self::M;
}

pub(crate) trait Mask:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Whether any lane is true.
    fn any(self) -> bool;
}

pub(crate) trait Float: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    type I;
    type M;
    /// `self · factor + summand`; only where product and sum are exact.
    fn mul_add(self, factor: Self, summand: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// Rounds down.
    fn floor(self) -> Self;
    /// Rounds to nearest, halves to even.
    fn round(self) -> Self;
    fn lt(self, other: Self) -> Self::M;
    /// `other` where the mask is true, else `self`.
    fn or_if(self, mask: Self::M, other: Self) -> Self;
    /// `self + other` where the mask is true, else `self`.
    fn add_if(self, mask: Self::M, other: Self) -> Self;
    /// To integers; the value must be one.
    fn to_i(self) -> Self::I;
    /// The bits of the IEEE 754 single.
    fn bits(self) -> Self::I;
}

pub(crate) trait Int:
    Copy + Add<Output = Self> + Sub<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self>
{
    type F;
    type M;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn shl<const BITS: u32>(self) -> Self;
    /// Shifts in zeros.
    fn shr<const BITS: u32>(self) -> Self;
    fn lt(self, other: Self) -> Self::M;
    fn eq(self, other: Self) -> Self::M;
    /// `other` where the mask is true, else `self`.
    fn or_if(self, mask: Self::M, other: Self) -> Self;
    fn to_f(self) -> Self::F;
    /// The IEEE 754 single of these bits.
    fn float_of_bits(self) -> Self::F;
    fn store(self, values: &mut [i32]);
}

/// `dispatch!(level, function(argument, …))` calls the generic `function(token, argument, …)` compiled for the
/// instruction set `level`.
macro_rules! dispatch {
    ($level:expr, $function:ident($($argument:ident: $type:ty),*)) => {{
        /// One copy of the function for each instruction set.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "sse4.1")]
        fn sse41($($argument: $type),*) {
            // SAFETY: this function enables what the token stands for.
            $function(unsafe { $crate::simd::Sse41::new() }, $($argument),*)
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma")]
        fn avx2($($argument: $type),*) {
            // SAFETY: this function enables what the token stands for.
            $function(unsafe { $crate::simd::Avx2::new() }, $($argument),*)
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
        fn avx512($($argument: $type),*) {
            // SAFETY: this function enables what the token stands for.
            $function(unsafe { $crate::simd::Avx512::new() }, $($argument),*)
        }
        #[cfg(target_arch = "aarch64")]
        #[target_feature(enable = "neon")]
        fn neon($($argument: $type),*) {
            // SAFETY: this function enables what the token stands for.
            $function(unsafe { $crate::simd::Neon::new() }, $($argument),*)
        }
        match $level {
            $crate::simd::SimdLevel::Scalar => $function($crate::simd::Scalar, $($argument),*),
            // SAFETY: a level is only ever chosen where `SimdLevel::is_available` said so.
            #[cfg(target_arch = "x86_64")]
            $crate::simd::SimdLevel::Sse41 => unsafe { sse41($($argument),*) },
            // SAFETY: likewise.
            #[cfg(target_arch = "x86_64")]
            $crate::simd::SimdLevel::Avx2 => unsafe { avx2($($argument),*) },
            // SAFETY: likewise.
            #[cfg(target_arch = "x86_64")]
            $crate::simd::SimdLevel::Avx512 => unsafe { avx512($($argument),*) },
            // SAFETY: likewise.
            #[cfg(target_arch = "aarch64")]
            $crate::simd::SimdLevel::Neon => unsafe { neon($($argument),*) },
        }
    }};
}
pub(crate) use dispatch;

/// `each!(i in 3 => expression)` is `[expression with i = 0, with i = 1, with i = 2]`.
///
/// Generic lane code has neither closures nor `array::map` on its hot paths: only what is marked
/// `inline(always)` is sure to be compiled for the instruction set of the function that [`dispatch!`] calls, and a
/// closure cannot be. One left in costs a call for every single operation inside it.
macro_rules! each {
    ($i:ident in 2 => $e:expr) => { each!(@ $i $e, 0 1) };
    ($i:ident in 3 => $e:expr) => { each!(@ $i $e, 0 1 2) };
    ($i:ident in 4 => $e:expr) => { each!(@ $i $e, 0 1 2 3) };
    ($i:ident in 16 => $e:expr) => { each!(@ $i $e, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) };
    (@ $i:ident $e:expr, $($n:literal)*) => {
        [$({ #[allow(non_upper_case_globals)] const $i: usize = $n; $e }),*]
    };
}
pub(crate) use each;

/// `impl Trait for Type { fn method(self, other) { Type(intrinsic(self.0, other.0)) } }` for each line.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! operators {
    ($($trait:ident $method:ident $type:ident $intrinsic:ident;)*) => {$(
        impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: a value of this type exists only where its token did.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )*};
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use operators;
