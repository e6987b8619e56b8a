//! The types of voxels, and their order-preserving map to unsigned integers.

use bytemuck::Pod;
use half::f16;
use std::fmt;

/// The storage of a voxel's number. [`with_voxel_type!`](crate::with_voxel_type) maps it to the Rust type.
///
/// Exhaustive, so that every match on it must handle a new type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "every match must handle a new type")]
pub enum VoxelType {
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 8 bits.
    I8,
    /// Unsigned, 16 bits.
    U16,
    /// Signed, 16 bits.
    I16,
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 32 bits.
    I32,
    /// IEEE 754, 32 bits.
    F32,
    /// Unsigned, 64 bits.
    U64,
    /// Signed, 64 bits.
    I64,
    /// IEEE 754, 64 bits.
    F64,
    /// IEEE 754, 16 bits: [`half::f16`](crate::half::f16).
    F16,
}

impl VoxelType {
    /// Every type.
    pub const ALL: &[Self] = &[
        Self::U8,
        Self::I8,
        Self::U16,
        Self::I16,
        Self::U32,
        Self::I32,
        Self::F32,
        Self::U64,
        Self::I64,
        Self::F64,
        Self::F16,
    ];

    /// Returns the size of a number in bytes.
    pub const fn byte_count(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 | Self::F16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// Returns the size of a number in bits.
    pub const fn bit_count(self) -> u32 {
        8 * self.byte_count() as u32
    }

    /// Returns the number of words of a number, each of which is coded separately: 2 for 64 bits, the upper
    /// 32 bits first; else 1.
    pub const fn word_count(self) -> usize {
        if self.bit_count() > 32 { 2 } else { 1 }
    }

    /// Returns the number of bits of a word.
    pub(crate) const fn word_bits(self) -> u32 {
        if self.bit_count() > 32 { 32 } else { self.bit_count() }
    }

    /// True for numbers with a fraction.
    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

    /// True for the types that ray casters know: integers of at most 32 bits, and f32. Others are converted
    /// ([`NarrowVoxels`](crate::render::NarrowVoxels)).
    pub const fn is_rendered(self) -> bool {
        self.word_count() == 1 && !matches!(self, Self::F16)
    }

    /// Returns the name used in files and on the command line: `u8`, `i16`, `f32`, …
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::I8 => "i8",
            Self::U16 => "u16",
            Self::I16 => "i16",
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::F32 => "f32",
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::F64 => "f64",
            Self::F16 => "f16",
        }
    }

    /// Returns the name in NumPy and Zarr 3: `uint8`, `int16`, `float32`, …
    pub const fn numpy_name(self) -> &'static str {
        match self {
            Self::U8 => "uint8",
            Self::I8 => "int8",
            Self::U16 => "uint16",
            Self::I16 => "int16",
            Self::U32 => "uint32",
            Self::I32 => "int32",
            Self::F32 => "float32",
            Self::U64 => "uint64",
            Self::I64 => "int64",
            Self::F64 => "float64",
            Self::F16 => "float16",
        }
    }

    /// Returns the type of a [`numpy_name`](Self::numpy_name).
    pub fn of_numpy_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|voxel_type| voxel_type.numpy_name() == name)
    }

    /// Returns the type of a code of NumPy's array interface without byte order: `u1`, `i2`, `f4`, …
    pub fn of_numpy_code(code: &str) -> Option<Self> {
        // The kind is the first letter of the name, and the rest the number of bytes.
        let is_it = |voxel_type: &Self| {
            let (name, bytes) = (voxel_type.name(), voxel_type.byte_count());
            code.starts_with(&name[..1]) && code[1..] == bytes.to_string()
        };
        Self::ALL.iter().copied().find(is_it)
    }
}

impl fmt::Display for VoxelType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A voxel that bricks are made of: `u8` to `u64`, `i8` to `i64`, `f16` to `f64`. The trait is sealed.
///
/// [`to_ordinal`](Self::to_ordinal) maps a voxel to an unsigned integer of the same width with the same
/// order. The map is invertible: signed integers have their top bit flipped, and floats are ordered by IEEE
/// 754's `totalOrder` (so that −0, +0 and every NaN are preserved).
pub trait Voxel: Pod + Send + Sync + PartialEq + fmt::Debug + sealed::Sealed {
    /// The type at run time.
    const TYPE: VoxelType;

    /// Returns the unsigned integer with the same order.
    fn to_ordinal(self) -> u64;

    /// Undoes [`to_ordinal`](Self::to_ordinal). Bits above the type's width are ignored.
    fn from_ordinal(ordinal: u64) -> Self;

    /// Returns the nearest f64; ties are even.
    fn to_f64(self) -> f64;

    /// Returns the whole part, as `as` does: 0 for NaN, the nearest i128 for infinities.
    fn to_i128(self) -> i128;

    /// Returns the mean of 1 to 8 voxels. For integers it is exact, rounded to the nearest, halves up. Floats
    /// are added in order in 64 bits, without NaN; if all are NaN, the mean is the positive quiet NaN.
    fn mean(voxels: &[Self]) -> Self;

    /// Returns a word of the ordinal. Word 0 is the whole ordinal, or for 64 bits its upper half; word 1 is
    /// the lower half.
    #[inline(always)]
    fn word(self, number: usize) -> u32 {
        let shift = 32 * (Self::TYPE.word_count() - 1 - number);
        (self.to_ordinal() >> shift) as u32
    }

    /// Returns the voxel with `value` as this word of its ordinal. Word 0 must be set before word 1: it
    /// clears word 1.
    #[inline(always)]
    #[must_use]
    fn with_word(self, number: usize, value: u32) -> Self {
        if Self::TYPE.word_count() == 1 {
            return Self::from_ordinal(value.into());
        }
        let before = if number == 0 { 0 } else { self.to_ordinal() >> 32 << 32 };
        Self::from_ordinal(before | u64::from(value) << (32 * (1 - number)))
    }
}

macro_rules! integer {
    ($voxel:ty, $type:ident, $unsigned:ty, $flip:expr) => {
        impl sealed::Sealed for $voxel {}

        impl Voxel for $voxel {
            const TYPE: VoxelType = VoxelType::$type;

            #[inline(always)]
            fn to_ordinal(self) -> u64 {
                u64::from((self as $unsigned) ^ $flip)
            }

            #[inline(always)]
            fn from_ordinal(ordinal: u64) -> Self {
                ((ordinal as $unsigned) ^ $flip) as $voxel
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }

            #[inline(always)]
            fn to_i128(self) -> i128 {
                self.into()
            }

            fn mean(voxels: &[Self]) -> Self {
                if Self::BITS <= 32 {
                    let (sum, count) = (voxels.iter().map(|&v| v as i64).sum::<i64>(), voxels.len() as i64);
                    return (2 * sum + count).div_euclid(2 * count) as Self;
                }
                let (sum, count) =
                    (voxels.iter().map(|&v| i128::from(v)).sum::<i128>(), voxels.len() as i128);
                (2 * sum + count).div_euclid(2 * count) as Self
            }
        }
    };
}

integer!(u8, U8, u8, 0);
integer!(i8, I8, u8, 0x80);
integer!(u16, U16, u16, 0);
integer!(i16, I16, u16, 0x8000);
integer!(u32, U32, u32, 0);
integer!(i32, I32, u32, 0x8000_0000);
integer!(u64, U64, u64, 0);
integer!(i64, I64, u64, 1 << 63);

macro_rules! float {
    ($voxel:ty, $type:ident, $signed:ty, $unsigned:ty, $quiet_nan:expr, $rounded:expr) => {
        impl sealed::Sealed for $voxel {}

        impl Voxel for $voxel {
            const TYPE: VoxelType = VoxelType::$type;

            #[inline(always)]
            fn to_ordinal(self) -> u64 {
                let bits = self.to_bits();
                // Negative numbers run backwards: all bits flipped; of others only the sign.
                let signs = (bits as $signed >> (<$unsigned>::BITS - 1)) as $unsigned;
                u64::from(bits ^ (signs | 1 << (<$unsigned>::BITS - 1)))
            }

            #[inline(always)]
            fn from_ordinal(ordinal: u64) -> Self {
                let ordinal = ordinal as $unsigned;
                let signs = (!ordinal as $signed >> (<$unsigned>::BITS - 1)) as $unsigned;
                Self::from_bits(ordinal ^ (signs | 1 << (<$unsigned>::BITS - 1)))
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self.into()
            }

            #[inline(always)]
            fn to_i128(self) -> i128 {
                f64::from(self) as i128
            }

            fn mean(voxels: &[Self]) -> Self {
                let (mut sum, mut count) = (0.0, 0.0);
                for voxel in voxels.iter().filter(|voxel| !voxel.is_nan()) {
                    sum += f64::from(*voxel);
                    count += 1.0;
                }
                let mean: Self = $rounded(sum / count);
                if mean.is_nan() { Self::from_bits($quiet_nan) } else { mean }
            }
        }
    };
}

float!(f32, F32, i32, u32, 0x7fc0_0000, |mean: f64| mean as f32);
float!(f64, F64, i64, u64, 0x7ff8_0000_0000_0000, |mean: f64| mean);
float!(f16, F16, i16, u16, 0x7e00, half_of);

/// Returns the nearest f16; ties are even, and NaN is the positive quiet NaN. (`f16::from_f64` of `half` 2.7
/// rounds twice on some CPUs, and ignores the lower half of the fraction on others.)
fn half_of(number: f64) -> f16 {
    if number.is_nan() {
        return f16::from_bits(0x7e00);
    }
    let size = number.abs();
    // Exponent of the last bit of the result's fraction: at least that of the smallest f16.
    let exponent = ((size.to_bits() >> 52) as i32 - 1023 - 10).max(-24);
    let fraction = (size * f64::from_bits(((1023 - exponent) as u64) << 52)).round_ties_even();
    // A fraction of 2¹¹ has carried into the exponent. Numbers beyond the largest f16 are infinite.
    let bits = if exponent > 5 { 0x7c00 } else { (exponent + 24) as u16 * 1024 + fraction as u16 };
    f16::from_bits(bits | if number.is_sign_negative() { 0x8000 } else { 0 })
}

/// Evaluates `$body` with `$voxel` standing for the Rust type of a [`VoxelType`]: `u8`, `f32`, ….
///
/// ```
/// use brickwork_volume::{VoxelType, with_voxel_type};
///
/// let size = |voxel_type| with_voxel_type!(voxel_type, T => size_of::<T>());
/// assert_eq!(size(VoxelType::I16), 2);
/// ```
#[macro_export]
macro_rules! with_voxel_type {
    ($type:expr, $voxel:ident => $body:expr) => {
        match $type {
            $crate::VoxelType::U8 => {
                type $voxel = u8;
                $body
            }
            $crate::VoxelType::I8 => {
                type $voxel = i8;
                $body
            }
            $crate::VoxelType::U16 => {
                type $voxel = u16;
                $body
            }
            $crate::VoxelType::I16 => {
                type $voxel = i16;
                $body
            }
            $crate::VoxelType::U32 => {
                type $voxel = u32;
                $body
            }
            $crate::VoxelType::I32 => {
                type $voxel = i32;
                $body
            }
            $crate::VoxelType::F32 => {
                type $voxel = f32;
                $body
            }
            $crate::VoxelType::U64 => {
                type $voxel = u64;
                $body
            }
            $crate::VoxelType::I64 => {
                type $voxel = i64;
                $body
            }
            $crate::VoxelType::F64 => {
                type $voxel = f64;
                $body
            }
            $crate::VoxelType::F16 => {
                type $voxel = $crate::half::f16;
                $body
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_numpys_names() {
        for &voxel_type in VoxelType::ALL {
            assert_eq!(VoxelType::of_numpy_name(voxel_type.numpy_name()), Some(voxel_type));
            assert!(voxel_type.numpy_name().ends_with(&voxel_type.bit_count().to_string()), "{voxel_type}");
        }
        let of_code = VoxelType::of_numpy_code;
        let found =
            ["u1", "i2", "u4", "i8", "f4", "f8", "f2"].map(of_code).map(|found| found.map(VoxelType::name));
        assert_eq!(found, ["u8", "i16", "u32", "i64", "f32", "f64", "f16"].map(Some));
        for code in ["", "u", "f1", "u16", "u01", "x1", "é1", "b1"] {
            assert_eq!(of_code(code), None, "{code}");
        }
    }

    #[test]
    fn floats_keep_their_order_and_their_bits() {
        let values = [f32::NEG_INFINITY, -1.5, -f32::MIN_POSITIVE, -0.0, 0.0, 1e-40, 1.0, f32::INFINITY];
        for pair in values.windows(2) {
            assert!(pair[0].to_ordinal() < pair[1].to_ordinal(), "{pair:?}");
        }
        for bits in [0, 0x8000_0000, 0x7fc0_0001, 0xffc0_1234, 0x7f80_0001, 1, u32::MAX] {
            assert_eq!(f32::from_ordinal(f32::from_bits(bits).to_ordinal()).to_bits(), bits);
        }
        for bits in
            [0, 1 << 63, 0x7ff8_0000_0000_0001, 0xfff8_1234_5678_9abc, 0x7ff0_0000_0000_0001, u64::MAX]
        {
            let voxel = f64::from_bits(bits);
            assert_eq!(f64::from_ordinal(voxel.to_ordinal()).to_bits(), bits);
            let both = 0f64.with_word(0, voxel.word(0)).with_word(1, voxel.word(1));
            assert_eq!(both.to_bits(), bits);
        }
        assert!((-1.0f64).to_ordinal() < 0.5f64.to_ordinal());
    }

    /// Tests all 65,536 halves. Their order is that of f32, which has its own test.
    #[test]
    fn halves_keep_their_order_and_their_bits() {
        let halves = || (0..=u16::MAX).map(f16::from_bits);
        for half in halves() {
            let ordinal = half.to_ordinal();
            assert!(ordinal < 1 << 16);
            assert_eq!(f16::from_ordinal(ordinal).to_bits(), half.to_bits());
        }
        let mut sorted: Vec<f16> = halves().filter(|half| !half.is_nan()).collect();
        sorted.sort_by_key(|half| half.to_ordinal());
        for pair in sorted.windows(2) {
            assert!(pair[0].to_f32().to_ordinal() < pair[1].to_f32().to_ordinal(), "{pair:?}");
        }
    }

    /// IEEE 754: halfway between two neighbours, the even one; just beside it, the nearer one.
    #[test]
    fn means_of_halves_are_the_nearest_ones() {
        let finite: Vec<f16> = (0..0x7c00).map(f16::from_bits).collect();
        for (low, high) in finite.iter().zip(&finite[1..]) {
            let middle = f64::midpoint(low.to_f64(), high.to_f64());
            let even = if low.to_bits() % 2 == 0 { low } else { high };
            let (below, above) = (middle.next_down(), middle.next_up());
            for sign in [1.0, -1.0] {
                for (number, want) in [(low.to_f64(), low), (below, low), (middle, even), (above, high)] {
                    assert_eq!(half_of(sign * number).to_f64(), sign * want.to_f64(), "{number}");
                }
            }
        }
        let bits = |number| half_of(number).to_bits();
        assert_eq!(
            [65520f64.next_down(), 65520.0, 1e300, f64::INFINITY].map(bits),
            [0x7bff, 0x7c00, 0x7c00, 0x7c00]
        );
        assert_eq!([-0.0, 5e-324, -5e-324, f64::NAN].map(bits), [0x8000, 0, 0x8000, 0x7e00]);
        let three = [1.0, 1.0, 2.0].map(half_of);
        // 4/3 is between 1365 and 1366 of 2⁻¹⁰.
        assert_eq!(f16::mean(&three).to_f64(), 1365.0 / 1024.0);
    }

    #[test]
    fn signed_integers_keep_their_order() {
        assert_eq!(i8::MIN.to_ordinal(), 0);
        assert_eq!((-1i16).to_ordinal() + 1, 0i16.to_ordinal());
        assert_eq!(i32::from_ordinal(i32::MAX.to_ordinal()), i32::MAX);
        assert!((-1i64).to_ordinal() < 0i64.to_ordinal());
    }

    #[test]
    fn means_are_rounded_up_at_a_half() {
        assert_eq!((u8::mean(&[255, 254]), i16::mean(&[-1, -2]), i8::mean(&[-128; 8])), (255, -1, -128));
        assert_eq!(
            (u64::mean(&[u64::MAX; 8]), i64::mean(&[i64::MIN, i64::MIN + 1])),
            (u64::MAX, i64::MIN + 1)
        );
        assert_eq!(f32::mean(&[1.0, f32::NAN, 2.0]), 1.5);
        assert_eq!(f64::mean(&[-f64::NAN, f64::NAN]).to_bits(), 0x7ff8 << 48);
        assert_eq!(f16::mean(&[f16::NEG_INFINITY, f16::INFINITY]).to_bits(), 0x7e00);
    }
}
