//! The offset volume: where each brick's bytes start.

use crate::{Dims, bits};

/// The start of each brick, in the minimum number of bits that holds the largest.
#[derive(Clone, Debug)]
pub(crate) struct Offsets {
    /// Bits of an offset.
    pub bits: u32,
    /// Offsets, or with the second level the tiles' offsets.
    pub packed: Vec<u8>,
    /// Tiles stored; 0 without the second level.
    pub tile_count: u32,
    /// The second level: bits of a tile's number, and these numbers.
    pub tiles: Option<(u32, Vec<u8>)>,
}

impl Offsets {
    /// Returns the number of stored starts: at least 1, and at most the number of bits of the file.
    pub fn stored_count(&self, bricks: Dims) -> u64 {
        let count = match &self.tiles {
            _ if self.bits == 0 => 1,
            None => bricks.x as u64 * bricks.y as u64 * bricks.z as u64,
            Some(_) => 64 * u64::from(self.tile_count),
        };
        count.max(1)
    }

    /// True if every tile has the number of a stored tile.
    pub fn has_all_tiles(&self, bricks: Dims) -> bool {
        let Some((bits, numbers)) = &self.tiles else { return true };
        let Dims { x, y, z } = bricks.covered_by(Dims::cube(4));
        // Without bits every number is 0.
        let count = if *bits == 0 { 1 } else { x as u64 * y as u64 * z as u64 };
        (0..count).all(|tile| unpack(numbers, tile, *bits) < u64::from(self.tile_count))
    }

    /// Returns the stored start number `index`.
    pub fn stored(&self, index: u64) -> u64 {
        unpack(&self.packed, index, self.bits)
    }

    /// Returns the start of the brick in column `x`, row `y`, layer `z`.
    pub fn start(&self, bricks: Dims, x: usize, y: usize, z: usize) -> u64 {
        let index = match &self.tiles {
            None => bricks.index(x, y, z) as u64,
            Some((bits, numbers)) => {
                let tile = bricks.covered_by(Dims::cube(4)).index(x / 4, y / 4, z / 4);
                let number = unpack(numbers, tile as u64, *bits);
                64 * number + Dims::cube(4).index(x % 4, y % 4, z % 4) as u64
            }
        };
        self.stored(index)
    }
}

fn unpack(bytes: &[u8], index: u64, bits: u32) -> u64 {
    let low = bits.min(32);
    let at = index.saturating_mul(u64::from(bits));
    u64::from(bits::get(bytes, at, low))
        | u64::from(bits::get(bytes, at.saturating_add(u64::from(low)), bits - low)) << low
}
