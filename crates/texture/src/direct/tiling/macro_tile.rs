//! A macro tile: its size, and the order of its blocks.

#[cfg(test)]
use super::TilingError;
use super::{MAX_SLOT_BITS, SIDE_BITS};

/// Order of blocks within a macro tile.
///
/// A block's slot within its tile is `constant`, XOR `x_columns[i]` for every set bit i of x, XOR
/// `y_columns[i]` for every set bit i of y. The lower `width_log2` and `height_log2` bits are the block's
/// position in the tile. The bits above are the tile's own position. Some GPUs XOR these into a few bits of
/// the slot, so that neighbouring tiles start on different memory channels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroTile {
    pub(super) width_log2: u32,
    pub(super) height_log2: u32,
    pub(super) slots_log2: u32,
    pub(super) constant: u32,
    pub(super) columns: [Vec<u32>; 2],
}

impl MacroTile {
    /// Creates a tile of 2^`width_log2` × 2^`height_log2` blocks in 2^`slots_log2` slots. Missing columns are
    /// 0.
    ///
    /// # Errors
    /// [`TilingError::Matrix`]
    #[cfg(test)]
    pub fn new(
        [width_log2, height_log2, slots_log2]: [u32; 3],
        constant: u32,
        x_columns: &[u32],
        y_columns: &[u32],
    ) -> Result<Self, TilingError> {
        let tile = Self::unchecked([width_log2, height_log2, slots_log2], constant, x_columns, y_columns);
        match tile.inverse() {
            Some(_) => Ok(tile),
            None => Err(TilingError::Matrix),
        }
    }

    /// Creates a tile without any check.
    pub(super) fn unchecked(
        [width_log2, height_log2, slots_log2]: [u32; 3],
        constant: u32,
        x_columns: &[u32],
        y_columns: &[u32],
    ) -> Self {
        // The columns have at least one entry per bit of the tile, and no zeros above. Equal tiles therefore
        // compare equal.
        let trimmed = |columns: &[u32], least: u32| {
            let used = columns.iter().rposition(|&column| column != 0).map_or(0, |last| last + 1);
            let mut columns = columns[..used].to_vec();
            columns.resize(used.max(least.min(32) as usize), 0);
            columns
        };
        let columns = [trimmed(x_columns, width_log2), trimmed(y_columns, height_log2)];
        Self { width_log2, height_log2, slots_log2, constant, columns }
    }

    /// Returns the width in blocks, a power of two.
    pub fn width(&self) -> u32 {
        1 << self.width_log2
    }

    /// Returns the height in blocks, a power of two.
    pub fn height(&self) -> u32 {
        1 << self.height_log2
    }

    /// Returns the number of slots of the tile: a power of two, mostly width × height.
    pub fn slot_count(&self) -> u32 {
        1 << self.slots_log2
    }

    /// Returns the numbers of bits of x within the tile, of y, and of the slot.
    pub(super) fn bits(&self) -> [u32; 3] {
        [self.width_log2, self.height_log2, self.slots_log2]
    }

    /// Returns the number of tiles in a row of a texture.
    pub(super) fn across(&self, width: u32) -> u32 {
        width.div_ceil(self.width())
    }

    /// Returns the number of rows of tiles in a texture.
    pub(super) fn down(&self, height: u32) -> u32 {
        height.div_ceil(self.height())
    }

    pub(super) fn slot_mask(&self) -> u32 {
        self.slot_count() - 1
    }

    /// Returns the slot within its tile.
    pub(super) fn slot_inside(&self, x: u32, y: u32) -> u32 {
        let flips = |slot, place: u32, columns: &[u32]| {
            (0..).zip(columns).fold(slot, |slot, (i, column)| slot ^ (column * (place >> i & 1)))
        };
        flips(flips(self.constant, x, &self.columns[0]), y, &self.columns[1])
    }

    /// Returns, for each bit of a block's position in the tile, first of x, then of y, the bits of the slot
    /// whose XOR it is. Returns `None` if bits are out of range, or if blocks of a tile share a slot.
    pub(super) fn inverse(&self) -> Option<Vec<u32>> {
        let [width_log2, height_log2, slots_log2] = self.bits();
        if width_log2 > SIDE_BITS || height_log2 > SIDE_BITS || slots_log2 > MAX_SLOT_BITS {
            return None;
        }
        let all = || self.columns.iter().flatten().chain([&self.constant]);
        let too_long = self.columns.iter().any(|columns| columns.len() > SIDE_BITS as usize);
        if too_long || all().any(|column| column & !self.slot_mask() != 0) {
            return None;
        }
        let inside = || {
            self.columns[0]
                .iter()
                .take(width_log2 as usize)
                .chain(self.columns[1].iter().take(height_log2 as usize))
        };
        // Rows of the matrix, each with the slot bits of which it is the sum. Gauss–Jordan elimination leaves
        // one row per bit of the position that contains only this bit.
        let row =
            |bit: u32| (0..).zip(inside()).fold(0u32, |row, (i, column)| row | (column >> bit & 1) << i);
        let mut rows: Vec<(u32, u32)> = (0..slots_log2).map(|bit| (row(bit), 1 << bit)).collect();
        for i in 0..inside().count() {
            let pivot = (i..rows.len()).find(|&row| rows[row].0 >> i & 1 == 1)?;
            rows.swap(i, pivot);
            let (of_pivot, slot_bits) = rows[i];
            for (_, row) in rows.iter_mut().enumerate().filter(|(row, _)| *row != i) {
                if row.0 >> i & 1 == 1 {
                    *row = (row.0 ^ of_pivot, row.1 ^ slot_bits);
                }
            }
        }
        Some(rows[..inside().count()].iter().map(|row| row.1).collect())
    }
}
