//! The values of a decoded brick.

use crate::{BrickSize, brick::MAX_VOXELS};

/// The voxels of a brick, without its minimum. (It fits two registers. Written to memory as two words and
/// then read as one, it would make the processor wait until all stores before are done.)
#[derive(Clone, Copy)]
pub(crate) enum BrickValues<'a> {
    /// All values zero.
    Constant,
    /// Values less than 2⁸ of a 4³ brick.
    Bytes(&'a [u8; 64]),
    /// Values less than 2⁸ of an 8³ brick.
    EightBytes(&'a [u8; 512]),
    /// Values less than 2¹⁶ of a 4³ brick.
    Narrow(&'a [u16; 64]),
    /// Values of a 4³ brick.
    Four(&'a [u32; 64]),
    /// Values of an 8³ brick.
    Eight(&'a [u32; 512]),
    /// Values of a flat brick.
    Flat(&'a [u32; 256]),
}

impl<'a> BrickValues<'a> {
    /// Returns the first values, as many as a brick of this size has.
    pub fn wide(brick: BrickSize, values: &'a [u32; MAX_VOXELS]) -> Self {
        let enough = "no brick has more";
        match brick {
            BrickSize::Four => Self::Four(values.first_chunk().expect(enough)),
            BrickSize::Eight => Self::Eight(values),
            BrickSize::Flat => Self::Flat(values.first_chunk().expect(enough)),
        }
    }

    /// Returns the `i`-th value.
    #[inline]
    pub fn get(&self, i: usize) -> u32 {
        match self {
            Self::Constant => 0,
            Self::Bytes(values) => values[i].into(),
            Self::EightBytes(values) => values[i].into(),
            Self::Narrow(values) => values[i].into(),
            Self::Four(values) => values[i],
            Self::Eight(values) => values[i],
            Self::Flat(values) => values[i],
        }
    }
}
