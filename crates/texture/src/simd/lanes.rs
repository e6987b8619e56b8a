//! Operations on lanes of numbers, on every instruction set.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

/// Token for an instruction set that this CPU has, which creates lanes.
pub(crate) trait Simd: Copy + 'static {
    /// Number of lanes in a vector.
    const LANES: usize;
    type F: Float<I = Self::I, M = Self::M>;
    type I: Int<F = Self::F, M = Self::M>;
    type M: Mask;

    /// Returns the same float in every lane.
    fn f(self, value: f32) -> Self::F;
    /// Returns the same integer in every lane.
    fn i(self, value: i32) -> Self::I;
    /// Returns the first `LANES` integers of `values`.
    fn load_i(self, values: &[i32]) -> Self::I;
    /// Returns four vectors. Lane i of vector x contains word 4·i + x of `words`, which are little-endian.
    fn load_fours(self, words: &[[u8; 4]]) -> [Self::I; 4];
    /// Returns `table[index]` in each lane. If an index is out of range, it panics or returns any entry of
    /// `table`.
    fn gather(self, table: &[f32], index: Self::I) -> Self::F;
    /// True if [`lookup`](Self::lookup) takes few instructions.
    const HAS_LOOKUP: bool = false;
    /// Returns `table[index]` in each lane, for indices below 32.
    #[inline(always)]
    fn lookup(self, table: &[f32; 32], index: Self::I) -> Self::F {
        self.gather(table, index)
    }
    /// Returns a mask that is false in every lane.
    fn none(self) -> Self::M;
    /// Runs `task` as a separate function, compiled for the instruction set.
    fn call<T: LaneFn<Self>>(self, task: T) -> T::Output;
}

/// Returns the numbers of one vector. Panics if there are fewer.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
#[inline(always)]
pub(crate) fn first<const N: usize, T>(values: &[T]) -> &[T; N] {
    values.first_chunk().expect("a number for each lane")
}

/// Returns the numbers of one vector for writing. Panics if there are fewer.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
#[inline(always)]
pub(crate) fn first_mut<const N: usize, T>(values: &mut [T]) -> &mut [T; N] {
    values.first_chunk_mut().expect("a number for each lane")
}

/// Part of an encoder that is compiled once for each instruction set, not in each of its callers. Large parts
/// with several callers take most of an encoder's compile time.
pub(crate) trait LaneFn<S: Simd> {
    type Output;
    /// Runs the function. Implementations must be `inline(always)`, like everything generic over instruction
    /// sets.
    fn run(self, s: S) -> Self::Output;
}

pub(crate) trait Mask:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// True if any lane is true.
    fn any(self) -> bool;
}

pub(crate) trait Float:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    type I;
    type M;
    /// Returns `self · factor + summand`. Only for operands whose product and sum are exact, or for which
    /// both ways of rounding lead to the same decision.
    fn mul_add(self, factor: Self, summand: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// Rounds down.
    fn floor(self) -> Self;
    /// Rounds to nearest, halves to even.
    fn round(self) -> Self;
    fn lt(self, other: Self) -> Self::M;
    /// Returns `other` where the mask is true, else `self`.
    fn or_if(self, mask: Self::M, other: Self) -> Self;
    /// Returns `self + other` where the mask is true, else `self`.
    fn add_if(self, mask: Self::M, other: Self) -> Self;
    /// Converts to integers; the values must be integers.
    fn to_i(self) -> Self::I;
    /// Returns the bits of the IEEE 754 single.
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
    /// Shifts to the left, filling with zeros.
    fn shr<const BITS: u32>(self) -> Self;
    /// Returns the lower 32 bits of the product.
    #[cfg_attr(not(test), allow(dead_code, reason = "for BC7, whose interpolants and p-bits are integers"))]
    fn mul(self, other: Self) -> Self;
    /// Shifts each lane by its own count, 0 to 31.
    fn shl_by(self, count: Self) -> Self;
    /// Shifts each lane to the right by its own count, 0 to 31, filling with zeros.
    fn shr_by(self, count: Self) -> Self;
    fn lt(self, other: Self) -> Self::M;
    fn eq(self, other: Self) -> Self::M;
    /// Returns `other` where the mask is true, else `self`.
    fn or_if(self, mask: Self::M, other: Self) -> Self;
    fn to_f(self) -> Self::F;
    /// Returns the IEEE 754 single of these bits.
    fn float_of_bits(self) -> Self::F;
    fn store(self, values: &mut [i32]);
}

/// [`Simd::call`] of a token that proves `features`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! call {
    ($token:ident, $features:literal) => {
        #[inline(always)]
        fn call<T: $crate::simd::LaneFn<Self>>(self, task: T) -> T::Output {
            #[target_feature(enable = $features)]
            #[inline(never)]
            fn run<T: $crate::simd::LaneFn<$token>>(s: $token, task: T) -> T::Output {
                task.run(s)
            }
            // SAFETY: the token proves that the CPU has the instructions.
            unsafe { run(self, task) }
        }
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use call;

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
