//! Lanes of numbers on every instruction set, chosen at run time. wasm32 cannot detect instructions: there,
//! the target feature `simd128` decides at compile time between SIMD128 and scalar code.
//!
//! An encoder is written once, generic over [`Simd`], with one block in each lane. [`dispatch!`] compiles it
//! for every instruction set and calls the selected one. Lanes never depend on each other, so their number
//! does not affect the result.
//!
//! All functions are `inline(always)`, so that they are compiled for the instruction set of the function that
//! contains them. Large code with several callers is a [`LaneFn`], which [`Simd::call`] compiles as a
//! separate function; bc1/notes.md contains the savings.
//!
//! **Same bytes everywhere.** IEEE 754 defines the correctly rounded result of every float operation here;
//! there are no reciprocal or square-root estimates. [`Float::mul_add`] may round once or twice, so it is
//! only for values whose product and sum are exact (for example integers below 2²⁴): both ways then return
//! the same.
//!
//! Values of a lane type can only be created from a [`Simd`] token, and a token only if the CPU has the
//! instructions. The operations themselves are therefore safe to call.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
mod lanes;
mod level;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(test, feature = "gpu", not(all(target_arch = "wasm32", target_feature = "simd128"))))]
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod sse41;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
pub(crate) use dispatch::{dispatch, each};
pub(crate) use lanes::{Float, Int, LaneFn, Mask, Simd};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use lanes::{call, operators};
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(crate) use lanes::{first, first_mut};
pub(crate) use level::AvailableLevel;
pub use level::{SimdLevel, check_simd_variable};
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::Neon;
#[cfg(any(test, feature = "gpu", not(all(target_arch = "wasm32", target_feature = "simd128"))))]
pub(crate) use scalar::Scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::Simd128;
#[cfg(target_arch = "x86_64")]
pub(crate) use sse41::Sse41;
