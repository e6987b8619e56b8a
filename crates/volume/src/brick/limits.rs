//! The limits of the format and the coder, on which encoder and decoder must agree.

use crate::bits::width;

/// Values that share a Rice level: the granularity of adaptation.
pub(crate) const GROUP: usize = 8;

/// Ranges of at least this many values are *wide*: their predictors wrap around.
pub(crate) const WIDE: u32 = 1 << 24;

/// The largest range of *narrow* bricks: their values and codes fit 16 bits, and doubled ones do.
pub(crate) const MAX_NARROW: u32 = (1 << 15) - 1;

/// The largest range whose weighted sums fit 16 bits, in which there are twice as many lanes, and products
/// sooner.
pub(super) const NARROW_SUMS: u32 = ((1 << 15) - 9) / 112;

/// Ones a voxel may have in the bit planes, at most.
pub(crate) const MAX_ONES: u32 = 63;

/// Most entries of a dictionary.
pub(crate) const MAX_DICTIONARY: usize = 17;

/// The largest label of a label brick: the last place of a full dictionary.
pub(crate) const MAX_LABEL: u32 = MAX_DICTIONARY as u32 - 1;

/// Zero bytes that must follow the bytes of bricks, so that reads near the end need no special case.
pub(crate) const PADDING: usize = 1088;

/// Returns the number of bits of the header's base Rice level for values in 0..=`largest`. With the highest
/// Rice level that they can store, no code has more than one bit above its remainder.
#[inline(always)]
pub(super) const fn base_bits(largest: u32) -> u32 {
    width(2 * width(largest) - 1)
}

/// Returns the number of bits of the count of a delta's bits.
#[inline(always)]
pub(super) const fn delta_width(base_bits: u32) -> u32 {
    if base_bits < 2 { base_bits } else { 2 }
}
