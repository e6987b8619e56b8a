//! Names of known orders.

use super::MacroTile;
use std::fmt;

/// Named order of blocks in a macro tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TileOrder {
    /// Row by row, without macro tiles.
    Linear,
    /// Bits of x and y in turn, starting with bit 0 of x. Additional bits of the longer side are above.
    MortonXFirst,
    /// Bits of y and x in turn, starting with bit 0 of y. Additional bits of the longer side are above.
    MortonYFirst,
    /// NVIDIA's GOBs of 64 bytes × 8 rows, one below the other.
    BlockLinear {
        /// GOBs per macro tile: 1 to 32.
        gob_count: u32,
    },
    /// Any other order.
    BitMatrix,
}

/// Bits of NVIDIA's GOBs, each as (belongs to y, bit). The orders are that of the Orin manual, then that of
/// Turing; first for 8 bytes per block, then for 16. Sources: `simulated.rs`.
const GOBS: [&[(bool, u32)]; 4] = [
    &[(false, 0), (true, 0), (false, 1), (true, 1), (true, 2), (false, 2)],
    &[(false, 0), (true, 0), (true, 1), (false, 1), (true, 2), (false, 2)],
    &[(true, 0), (false, 0), (true, 1), (true, 2), (false, 1)],
    &[(true, 0), (true, 1), (false, 0), (true, 2), (false, 1)],
];

impl MacroTile {
    /// Returns the name of the order of the blocks.
    pub fn order(&self) -> TileOrder {
        let [width_log2, height_log2, slots_log2] = self.bits();
        if slots_log2 == 0 {
            return TileOrder::Linear;
        }
        let both = width_log2.min(height_log2);
        let morton = |y_is_first: bool| {
            let pairs = (0..both).flat_map(|i| [(y_is_first, i), (!y_is_first, i)]);
            let rest = (both..width_log2).map(|i| (false, i)).chain((both..height_log2).map(|i| (true, i)));
            self.is_permutation(pairs.chain(rest))
        };
        if both > 0 && morton(false) {
            return TileOrder::MortonXFirst;
        }
        if both > 0 && morton(true) {
            return TileOrder::MortonYFirst;
        }
        let below = || (3..height_log2).map(|i| (true, i));
        match GOBS.iter().any(|gob| self.is_permutation(gob.iter().copied().chain(below()))) {
            true => TileOrder::BlockLinear { gob_count: self.height() / 8 },
            false => TileOrder::BitMatrix,
        }
    }

    /// True if the bits of the slot are exactly `bits`, starting with bit 0, and the tile's own position is
    /// unused.
    fn is_permutation(&self, bits: impl Iterator<Item = (bool, u32)>) -> bool {
        let [width_log2, height_log2, slots_log2] = self.bits();
        let mut expected = [vec![0; width_log2 as usize], vec![0; height_log2 as usize]];
        let mut count = 0;
        for (is_of_y, bit) in bits {
            match expected[usize::from(is_of_y)].get_mut(bit as usize) {
                Some(column) => *column = 1 << count,
                None => return false,
            }
            count += 1;
        }
        count == slots_log2
            && width_log2 + height_log2 == count
            && self.constant == 0
            && self.columns == expected
    }
}

impl fmt::Display for TileOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linear => f.write_str("linear"),
            Self::MortonXFirst => f.write_str("Morton, X first"),
            Self::MortonYFirst => f.write_str("Morton, Y first"),
            Self::BlockLinear { gob_count: 1 } => f.write_str("block-linear, 1 GOB"),
            Self::BlockLinear { gob_count } => write!(f, "block-linear, {gob_count} GOBs"),
            Self::BitMatrix => f.write_str("bit matrix"),
        }
    }
}
