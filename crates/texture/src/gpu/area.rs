//! A rectangle of blocks of an image.

/// A rectangle of blocks. It consists of whole rows, unless a single row takes too long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub column: u32,
    pub row: u32,
    pub columns: u32,
    pub rows: u32,
}

impl Area {
    pub fn blocks(&self) -> u32 {
        self.columns * self.rows
    }

    pub fn origin(&self) -> [u32; 2] {
        [self.column * 4, self.row * 4]
    }

    /// Returns the width and height in texels, in an image of size `side`.
    pub fn size(&self, side: [u32; 2]) -> [u32; 2] {
        let [x, y] = self.origin();
        [(side[0] - x).min(self.columns * 4), (side[1] - y).min(self.rows * 4)]
    }
}
