//! Batches: blocks gathered until every lane has one, or tiles of neighbouring blocks.

use crate::{
    Cancelled, Task,
    block_row::{BlockRow, four},
    simd::{Int, Simd},
};

/// Blocks in a batch, one for each lane of the widest instruction set.
pub(crate) const BATCH: usize = 16;

/// Texels of a batch. `texels[t][lane]` is texel t of the block in that lane, red in the lowest byte.
pub(crate) type BatchTexels = [[i32; BATCH]; 16];

/// One row of the texels of neighbouring blocks.
pub(crate) type TileRow = [[u8; 4]; 4 * BATCH];

/// Texels of [`BATCH`] neighbouring blocks, in the image or copied.
pub(crate) type Tile<'a> = [&'a TileRow; 4];

/// Returns the `count` blocks from column `first` on. If the image ends before [`BATCH`] blocks, they are
/// copied to `copied`. Lanes without a block get one that needs no search.
pub(crate) fn tile<'a>(
    rows: &BlockRow<'a, [u8; 4]>,
    first: usize,
    count: usize,
    copied: &'a mut [TileRow; 4],
) -> Tile<'a> {
    let texels = rows.rows.map(|row| row[4 * first..].first_chunk());
    if let [Some(a), Some(b), Some(c), Some(d)] = texels {
        return [a, b, c, d];
    }
    for (row, texels) in rows.rows.iter().zip(&mut *copied) {
        let texels = texels.as_chunks_mut().0;
        for (column, texels) in texels[..count].iter_mut().enumerate() {
            *texels = four(row, first + column);
        }
        texels[count..].fill([[0; 4]; 4]);
    }
    copied.each_ref()
}

/// Returns the mask of the texels inside the image, one bit each, of the `count` blocks from column `first`
/// on; `None` if all are.
pub(crate) fn visible(rows: &BlockRow<'_, [u8; 4]>, first: usize, count: usize) -> Option<[i32; BATCH]> {
    let whole_columns = if rows.visible_rows == 4 { rows.width() / 4 } else { 0 };
    if first + count <= whole_columns {
        return None;
    }
    let mut visible = [0xffff; BATCH];
    for (column, visible) in visible[..count].iter_mut().enumerate() {
        *visible = rows.visible_texels(first + column).into();
    }
    Some(visible)
}

/// Returns the texels of a tile, one block in each lane.
#[inline(always)]
pub(crate) fn transposed<S: Simd>(s: S, tile: &Tile<'_>) -> BatchTexels {
    let mut texels = [[0; BATCH]; 16];
    for first in (0..BATCH).step_by(S::LANES) {
        for y in 0..4 {
            let fours = s.load_fours(&tile[y][4 * first..]);
            for x in 0..4 {
                fours[x].store(&mut texels[4 * y + x][first..]);
            }
        }
    }
    texels
}

/// Words of [`BATCH`] blocks of up to 16 bytes.
pub(crate) type BatchWords = [[i32; BATCH]; 4];

/// Encodes a row of blocks of `BYTES` bytes. `encode` encodes the blocks of a tile, with one bit for each
/// texel inside the image, to the first words.
pub(crate) fn encode_tiles<const BYTES: usize>(
    rows: &BlockRow<'_, [u8; 4]>,
    blocks: &mut [u8],
    task: &Task<'_>,
    encode: impl Fn(&Tile<'_>, &[i32; BATCH], &mut BatchWords),
) -> Result<(), Cancelled> {
    let mut copied = [[[0; 4]; 4 * BATCH]; 4];
    for (batch, blocks) in blocks.as_chunks_mut::<BYTES>().0.chunks_mut(BATCH).enumerate() {
        task.check()?;
        let first = batch * BATCH;
        let visible = visible(rows, first, blocks.len()).unwrap_or([0xffff; BATCH]);
        let mut words = [[0; BATCH]; 4];
        encode(&tile(rows, first, blocks.len(), &mut copied), &visible, &mut words);
        for (lane, block) in blocks.iter_mut().enumerate() {
            for (bytes, words) in block.chunks_exact_mut(4).zip(&words) {
                bytes.copy_from_slice(&words[lane].to_le_bytes());
            }
        }
    }
    Ok(())
}

/// The red, green and blue bits of a packed texel.
pub(crate) const RGB: u32 = 0xff_ffff;

/// 8-bit RGBA blocks that wait until a batch is full.
#[derive(Default)]
pub(crate) struct Batch {
    count: usize,
    columns: [usize; BATCH],
    texels: BatchTexels,
}

/// Properties of a block, found while it is loaded.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    /// Bits that differ between texels.
    pub differences: u32,
    /// True if any alpha is below 255.
    pub has_transparency: bool,
}

impl Batch {
    /// Loads the block at `column` into the next lane, but does not keep it yet.
    #[inline(always)]
    pub fn load(&mut self, rows: &BlockRow<'_, [u8; 4]>, column: usize) -> Seen {
        let first = u32::from_le_bytes(rows.rows[0][column * 4]);
        let mut differences = 0;
        for (texels, row) in self.texels.chunks_exact_mut(4).zip(&rows.rows) {
            for (lanes, texel) in texels.iter_mut().zip(four(row, column)) {
                let texel = u32::from_le_bytes(texel);
                differences |= texel ^ first;
                lanes[self.count] = texel as i32;
            }
        }
        Seen { differences, has_transparency: (differences | !first) & !RGB != 0 }
    }

    /// Returns the lowest alpha of the last loaded block.
    pub fn least_alpha(&self) -> u8 {
        self.block().iter().map(|texel| texel.to_le_bytes()[3]).min().unwrap_or(255)
    }

    /// Returns texel `t` of the last loaded block, red in the lowest byte.
    pub fn texel(&self, t: usize) -> u32 {
        self.texels[t][self.count] as u32
    }

    /// Returns the last loaded block.
    pub fn block(&self) -> [u32; 16] {
        std::array::from_fn(|t| self.texel(t))
    }

    /// Puts the block of `column` into the next lane and keeps it.
    pub fn put(&mut self, column: usize, texels: &[u32; 16]) {
        for (lanes, &texel) in self.texels.iter_mut().zip(texels) {
            lanes[self.count] = texel as i32;
        }
        self.keep(column);
    }

    /// Keeps the last loaded block, which belongs to `column`.
    pub fn keep(&mut self, column: usize) {
        self.columns[self.count] = column;
        self.count += 1;
    }

    /// Returns true if every lane has a block.
    pub fn is_full(&self) -> bool {
        self.count == BATCH
    }

    /// Returns the texels of all lanes and the columns of the blocks in the filled lanes, and empties the
    /// batch. Unfilled lanes keep their previous contents.
    pub fn take(&mut self) -> (&BatchTexels, &[usize]) {
        let count = std::mem::take(&mut self.count);
        (&self.texels, &self.columns[..count])
    }
}
