//! The types of voxels, and their order-preserving map to unsigned integers.

use bytemuck::Pod;
use std::fmt;

/// How a voxel is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
}

impl VoxelType {
    /// Every type.
    pub const ALL: [Self; 7] = [Self::U8, Self::I8, Self::U16, Self::I16, Self::U32, Self::I32, Self::F32];

    /// Bytes of a voxel.
    pub const fn byte_count(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
        }
    }

    /// Bits of a voxel.
    pub const fn bit_count(self) -> u32 {
        8 * self.byte_count() as u32
    }

    /// The name used in files and on the command line: `u8`, `i16`, `f32`, …
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::I8 => "i8",
            Self::U16 => "u16",
            Self::I16 => "i16",
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::F32 => "f32",
        }
    }
}

impl fmt::Display for VoxelType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A voxel that bricks are made of.
///
/// [`to_ordinal`](Self::to_ordinal) maps it to an unsigned integer of the same width that compares as the voxel does, and
/// is undone exactly: signed integers have their top bit flipped, floats are ordered as IEEE 754's `totalOrder` (so
/// that −0, +0 and every NaN stay what they are).
pub trait Voxel: Pod + Send + Sync + PartialEq + fmt::Debug {
    /// The type at run time.
    const TYPE: VoxelType;

    /// The unsigned integer of the same order.
    fn to_ordinal(self) -> u32;

    /// Undoes [`to_ordinal`](Self::to_ordinal). Bits above the type's width are ignored.
    fn from_ordinal(ordinal: u32) -> Self;
}

macro_rules! integer {
    ($voxel:ty, $type:ident, $unsigned:ty, $flip:expr) => {
        impl Voxel for $voxel {
            const TYPE: VoxelType = VoxelType::$type;

            #[inline(always)]
            fn to_ordinal(self) -> u32 {
                u32::from((self as $unsigned) ^ $flip)
            }

            #[inline(always)]
            fn from_ordinal(ordinal: u32) -> Self {
                ((ordinal as $unsigned) ^ $flip) as $voxel
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

impl Voxel for f32 {
    const TYPE: VoxelType = VoxelType::F32;

    #[inline(always)]
    fn to_ordinal(self) -> u32 {
        let bits = self.to_bits();
        // Negative numbers run backwards: all bits flipped; of others only the sign.
        bits ^ (((bits as i32 >> 31) as u32) | 0x8000_0000)
    }

    #[inline(always)]
    fn from_ordinal(ordinal: u32) -> Self {
        Self::from_bits(ordinal ^ (((!ordinal as i32 >> 31) as u32) | 0x8000_0000))
    }
}

/// Calls `$body` with `$voxel` standing for the Rust type of a [`VoxelType`].
macro_rules! dispatch {
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
        }
    };
}
pub(crate) use dispatch;

/// The bytes of voxels, least significant first.
pub(crate) fn into_le_bytes<T: Voxel>(voxels: Vec<T>) -> Vec<u8> {
    let mut bytes = bytemuck::cast_slice(&voxels).to_vec();
    if cfg!(target_endian = "big") {
        bytes.chunks_exact_mut(size_of::<T>()).for_each(<[u8]>::reverse);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_keep_their_order_and_their_bits() {
        let values = [f32::NEG_INFINITY, -1.5, -f32::MIN_POSITIVE, -0.0, 0.0, 1e-40, 1.0, f32::INFINITY];
        for pair in values.windows(2) {
            assert!(pair[0].to_ordinal() < pair[1].to_ordinal(), "{pair:?}");
        }
        for bits in [0, 0x8000_0000, 0x7fc0_0001, 0xffc0_1234, 0x7f80_0001, 1, u32::MAX] {
            assert_eq!(f32::from_ordinal(f32::from_bits(bits).to_ordinal()).to_bits(), bits);
        }
    }

    #[test]
    fn signed_integers_keep_their_order() {
        assert_eq!(i8::MIN.to_ordinal(), 0);
        assert_eq!((-1i16).to_ordinal() + 1, 0i16.to_ordinal());
        assert_eq!(i32::from_ordinal(i32::MAX.to_ordinal()), i32::MAX);
    }
}
