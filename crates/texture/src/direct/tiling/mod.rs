//! Order of a texture's blocks in a GPU's memory, found from a read-back.
//!
//! ```text
//! Probe::blocks → (copied into the texture, its memory read back) → Probe::slots → Tiling::fit
//!   → slot(x, y), block(slot); TilingCode::wgsl; OrderMap
//! ```
//!
//! Memory is counted in *slots* of one block each, 8 or 16 bytes. A [`Tiling`] divides the texture into
//! *macro tiles*, which memory contains row by row. It describes the order inside a macro tile by a bit
//! matrix over GF(2): each bit of the slot is the XOR of some bits of x and y ([`MacroTile`]). This covers
//! linear memory, Morton orders, NVIDIA's block-linear layouts, and layouts that XOR bits above the tile into
//! memory channels.
//!
//! This module does not access a GPU. For tests, `simulated.rs` contains the layouts of real GPUs.

mod code;
mod fit;
mod macro_tile;
mod order_map;
mod probe;
#[cfg(test)]
pub mod simulated;
#[cfg(test)]
mod tests;
mod text;
mod tile_order;

pub(super) use code::TilingCode;
pub(super) use fit::Unfit;
pub(super) use macro_tile::MacroTile;
pub use order_map::OrderMap;
pub(super) use probe::{Probe, ProbeError};
pub use text::TilingDescription;
pub(super) use tile_order::TileOrder;
#[cfg(test)]
use {code::TilingSize, text::TilingTextError};

/// Maximum number of bits of x and of y, also in WGSL. The resulting sides are four times what any API
/// allows.
const SIDE_BITS: u32 = 16;
/// Maximum number of blocks along a side. It keeps the number of blocks of a texture below 2³².
const MAX_SIDE: u32 = (1 << SIDE_BITS) - 1;
/// Maximum number of bits of a slot within a macro tile. The largest known tile, AMD's of 256 KiB, has 15.
const MAX_SLOT_BITS: u32 = 24;

/// Position in memory of each block of a texture of a certain size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiling {
    width: u32,
    height: u32,
    base: u32,
    pitch: u32,
    tile: MacroTile,
    /// For each bit of a block's position in its tile, first of x, then of y: the bits of the slot whose XOR
    /// it is.
    inverse: Vec<u32>,
}

/// The reason why a tiling is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TilingError {
    /// A side is 0 or too long.
    #[error("{width}×{height} blocks; each side must have 1 to {MAX_SIDE}")]
    Size {
        /// Width in blocks.
        width: u32,
        /// Height in blocks.
        height: u32,
    },
    /// Rows of macro tiles overlap.
    #[error("a pitch of {pitch} macro tiles is less than the {across} in a row")]
    Pitch {
        /// Number of macro tiles from row to row.
        pitch: u32,
        /// Number of macro tiles in a row.
        across: u32,
    },
    /// The number of the texture's last slot exceeds 32 bits.
    #[error("the texture ends at slot {end}, beyond 32 bits")]
    Memory {
        /// Number of the slot after the last one.
        end: u64,
    },
    /// Bits are out of range, or two blocks of a macro tile share a slot.
    #[error("the bit matrix of the macro tile cannot be inverted")]
    Matrix,
}

impl Tiling {
    /// Creates a tiling of `width` × `height` blocks that starts at slot `base`. `pitch` is the number of
    /// macro tiles from a row of them to the next.
    ///
    /// # Errors
    /// [`TilingError`]
    pub(crate) fn new(
        width: u32,
        height: u32,
        base: u32,
        pitch: u32,
        tile: MacroTile,
    ) -> Result<Self, TilingError> {
        check_size(width, height)?;
        let inverse = tile.inverse().ok_or(TilingError::Matrix)?;
        let across = tile.across(width);
        if pitch < across {
            return Err(TilingError::Pitch { pitch, across });
        }
        let tiles = u64::from(pitch) * u64::from(tile.down(height));
        let end = (tiles << tile.slots_log2).saturating_add(u64::from(base));
        if end > u64::from(u32::MAX) {
            return Err(TilingError::Memory { end });
        }
        Ok(Self { width, height, base, pitch, tile, inverse })
    }

    /// Returns the slot of a block.
    ///
    /// # Panics
    /// If the block is outside the texture.
    pub(crate) fn slot(&self, x: u32, y: u32) -> u32 {
        let Self { width, height, base, pitch, ref tile, .. } = *self;
        assert!(x < width && y < height, "block ({x}, {y}) of {width}×{height}");
        let number = (y >> tile.height_log2) * pitch + (x >> tile.width_log2);
        base + (number << tile.slots_log2) + tile.slot_inside(x, y)
    }

    /// Returns the block in a slot, or `None` for padding and for slots outside the texture.
    pub(crate) fn block(&self, slot: u32) -> Option<(u32, u32)> {
        let place = slot.checked_sub(self.base)?;
        let tile = place >> self.tile.slots_log2;
        let (left, top) = (tile % self.pitch, tile / self.pitch);
        let (left, top) = (left << self.tile.width_log2, top << self.tile.height_log2);
        let inside = (place & self.tile.slot_mask()) ^ self.tile.slot_inside(left, top);
        let bit = |mask: &u32, i: usize| ((mask & inside).count_ones() & 1) << i;
        let (of_x, of_y) = self.inverse.split_at(self.tile.width_log2 as usize);
        let x = (0..).zip(of_x).fold(left, |x, (i, mask)| x | bit(mask, i));
        let y = (0..).zip(of_y).fold(top, |y, (i, mask)| y | bit(mask, i));
        // A tile may have more slots than blocks.
        (x < self.width && y < self.height && self.slot(x, y) == slot).then_some((x, y))
    }

    /// Returns the number of slots from the start of the memory to the end of the last macro tile, including
    /// padding.
    pub fn slot_count(&self) -> u32 {
        self.base + ((self.pitch * self.tile.down(self.height)) << self.tile.slots_log2)
    }

    /// Returns the width in blocks.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in blocks.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the slot at which the first macro tile starts.
    pub(crate) fn base(&self) -> u32 {
        self.base
    }

    /// Returns the macro tile.
    pub(crate) fn tile(&self) -> &MacroTile {
        &self.tile
    }

    /// Returns the same tiling at another position in memory.
    ///
    /// # Errors
    /// [`TilingError`]
    #[cfg(test)]
    pub(crate) fn with_base(&self, base: u32) -> Result<Self, TilingError> {
        Self::new(self.width, self.height, base, self.pitch, self.tile.clone())
    }
}

fn check_size(width: u32, height: u32) -> Result<(), TilingError> {
    let possible = 1..=MAX_SIDE;
    match possible.contains(&width) && possible.contains(&height) {
        true => Ok(()),
        false => Err(TilingError::Size { width, height }),
    }
}
