//! Lanes of numbers on every instruction set, chosen at run time.
//!
//! An encoder is written once, generic over [`Simd`], with one block in each lane. [`dispatch!`] compiles it
//! for every instruction set and calls the one wanted. Lanes never depend on each other, so their number does
//! not affect the result.
//!
//! All of it is `inline(always)`, so that it is compiled for the instruction set of the function that
//! contains it. Large code with several users is a [`LaneFn`], which [`Simd::call`] compiles as a separate
//! function; bc1/notes.md has the savings.
//!
//! **Same bytes everywhere.** Every float operation here is one that IEEE 754 rounds correctly; there are no
//! reciprocal or square-root estimates. [`Float::mul_add`] may round once or twice, so it is only for values
//! whose product and sum are exact (integers below 2²⁴, say): both ways then give the same.
//!
//! A lane type's values can only be made from a [`Simd`] token, and a token only where the CPU was found to
//! have the instructions, so the operations themselves are safe to call.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
mod lanes;
mod level;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
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
pub(crate) use lanes::{call, first, first_mut, operators};
pub(crate) use level::AvailableLevel;
pub use level::SimdLevel;
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::Neon;
pub(crate) use scalar::Scalar;
#[cfg(target_arch = "x86_64")]
pub(crate) use sse41::Sse41;
