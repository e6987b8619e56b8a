//! A macro tile: its size, and the order of its blocks.

use super::{MAX_SLOT_BITS, SIDE_BITS, TilingError};

/// The order of blocks within a macro tile.
///
/// A block's slot within its tile is `constant`, XOR `x_columns[i]` for every bit i of x that is 1, XOR
/// `y_columns[i]` for every such bit of y. The lower `width_log2` and `height_log2` bits say where in the
/// tile a block is; those above are the tile's own place, which some GPUs XOR into a few bits of the slot, so
/// that neighbouring tiles start on different memory channels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroTile {
    pub(super) width_log2: u32,
    pub(super) height_log2: u32,
    pub(super) slots_log2: u32,
    pub(super) constant: u32,
    pub(super) columns: [Vec<u32>; 2],
}

impl MacroTile {
    /// A tile of 2^`width_log2` × 2^`height_log2` blocks in 2^`slots_log2` slots. Columns not given are 0.
    ///
    /// # Errors
    /// [`TilingError::Matrix`]
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

    /// The same before anything is known of it.
    pub(super) fn unchecked(
        [width_log2, height_log2, slots_log2]: [u32; 3],
        constant: u32,
        x_columns: &[u32],
        y_columns: &[u32],
    ) -> Self {
        // As many as there are bits of the tile, and none of zeros above: so equal tiles are `==`.
        let trimmed = |columns: &[u32], least: u32| {
            let used = columns.iter().rposition(|&column| column != 0).map_or(0, |last| last + 1);
            let mut columns = columns[..used].to_vec();
            columns.resize(used.max(least.min(32) as usize), 0);
            columns
        };
        let columns = [trimmed(x_columns, width_log2), trimmed(y_columns, height_log2)];
        Self { width_log2, height_log2, slots_log2, constant, columns }
    }

    /// Width in blocks: a power of two.
    pub fn width(&self) -> u32 {
        1 << self.width_log2
    }

    /// Height in blocks: a power of two.
    pub fn height(&self) -> u32 {
        1 << self.height_log2
    }

    /// Slots of the tile: a power of two, mostly width × height.
    pub fn slot_count(&self) -> u32 {
        1 << self.slots_log2
    }

    /// Returns the constant that is XORed into every slot.
    pub fn constant(&self) -> u32 {
        self.constant
    }

    /// The bits of the slot that each bit of x flips, from bit 0 of x on.
    pub fn x_columns(&self) -> &[u32] {
        &self.columns[0]
    }

    /// The bits of the slot that each bit of y flips, from bit 0 of y on.
    pub fn y_columns(&self) -> &[u32] {
        &self.columns[1]
    }

    /// Bits of x within the tile, bits of y, bits of the slot.
    pub(super) fn bits(&self) -> [u32; 3] {
        [self.width_log2, self.height_log2, self.slots_log2]
    }

    /// Tiles in a row of a texture.
    pub(super) fn across(&self, width: u32) -> u32 {
        width.div_ceil(self.width())
    }

    /// Rows of tiles of a texture.
    pub(super) fn down(&self, height: u32) -> u32 {
        height.div_ceil(self.height())
    }

    pub(super) fn slot_mask(&self) -> u32 {
        self.slot_count() - 1
    }

    /// The slot within its tile.
    pub(super) fn slot_inside(&self, x: u32, y: u32) -> u32 {
        let flips = |slot, place: u32, columns: &[u32]| {
            (0..).zip(columns).fold(slot, |slot, (i, column)| slot ^ (column * (place >> i & 1)))
        };
        flips(flips(self.constant, x, &self.columns[0]), y, &self.columns[1])
    }

    /// For each bit of a block's place in the tile, first of x, then of y: the bits of the slot whose XOR it
    /// is. `None` if bits are out of range, or blocks of a tile share a slot.
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
        // Rows of the matrix, each with the slot bits that it is the sum of. Gauss and Jordan leave one row
        // per bit of the place, with this bit alone.
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
