//! Rows of blocks of one channel of an image: gathered into batches, encoded in lanes and scattered.

use super::{
    encode::{BatchBlocks, Settings, encode_batch},
    palette::ValueRule,
};
use crate::{
    EncodeOptions, SimdLevel,
    bc::batch::{BATCH, BatchTexels},
    image::{BlockRow, four},
    simd::{Simd, dispatch},
};

/// Encodes one channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChannelEncoder {
    simd: SimdLevel,
    settings: Settings,
}

/// Four rows of the texels of a batch.
type Tile = [[[u8; 4]; 4 * BATCH]; 4];

impl ChannelEncoder {
    pub fn new(simd: SimdLevel, options: &EncodeOptions, rule: ValueRule) -> Self {
        Self { simd, settings: Settings { rule, quality: options.quality } }
    }

    /// Encodes channel `channel` of a row of blocks. Each goes to 8 of the `stride` bytes that a block has in
    /// `blocks`, from byte `offset` on.
    pub fn encode_row(
        &self,
        rows: &BlockRow<'_, [u8; 4]>,
        channel: usize,
        blocks: &mut [u8],
        [offset, stride]: [usize; 2],
    ) {
        let columns = blocks.len() / stride;
        let whole_columns = if rows.visible_rows == 4 { rows.width() / 4 } else { 0 };
        let mut tile: Tile = [[[0; 4]; 4 * BATCH]; 4];
        for (first, blocks) in (0..columns).step_by(BATCH).zip(blocks.chunks_mut(BATCH * stride)) {
            let count = (columns - first).min(BATCH);
            let mut encoded = BatchBlocks::default();
            let is_whole = first + count <= whole_columns;
            let mut visible = [0xffff; BATCH];
            for (tile, row) in tile.iter_mut().zip(&rows.rows) {
                if let Some(texels) = row[4 * first..].first_chunk() {
                    *tile = *texels;
                    continue;
                }
                for (column, texels) in tile.as_chunks_mut().0[..count].iter_mut().enumerate() {
                    *texels = four(row, first + column);
                }
            }
            if !is_whole {
                for (column, visible) in visible[..count].iter_mut().enumerate() {
                    let [width, height] = rows.visible(first + column);
                    let of_row = (1 << width) - 1;
                    *visible = (0..height).map(|y| of_row << (4 * y)).sum();
                }
            }
            let visible = (!is_whole).then_some(&visible);
            encode(self.simd, &self.settings, 8 * channel as u32, &tile, visible, &mut encoded);
            let [low, high] = encoded;
            for ((block, low), high) in blocks.chunks_exact_mut(stride).zip(low).zip(high) {
                let encoded = u64::from(low as u32) | u64::from(high as u32) << 32;
                block[offset..offset + 8].copy_from_slice(&encoded.to_le_bytes());
            }
        }
    }
}

/// The values of the channel that starts at bit `shift`, one block in each lane.
#[inline(always)]
fn transposed(tile: &Tile, shift: u32) -> BatchTexels {
    let mut texels = [[0; BATCH]; 16];
    for y in 0..4 {
        for lane in 0..BATCH {
            for x in 0..4 {
                let texel = u32::from_le_bytes(tile[y][4 * lane + x]);
                texels[4 * y + x][lane] = (texel >> shift & 255) as i32;
            }
        }
    }
    texels
}

#[inline(always)]
fn encode_tile<S: Simd>(
    s: S,
    settings: &Settings,
    shift: u32,
    tile: &Tile,
    visible: Option<&[i32; BATCH]>,
    blocks: &mut BatchBlocks,
) {
    let texels = transposed(tile, shift);
    match visible {
        Some(visible) => encode_batch::<S, true>(s, settings, &texels, visible, blocks),
        None => encode_batch::<S, false>(s, settings, &texels, &[0xffff; BATCH], blocks),
    }
}

#[allow(unsafe_code)]
fn encode(
    level: SimdLevel,
    settings: &Settings,
    shift: u32,
    tile: &Tile,
    visible: Option<&[i32; BATCH]>,
    blocks: &mut BatchBlocks,
) {
    dispatch!(
        level,
        encode_tile(
            settings: &Settings,
            shift: u32,
            tile: &Tile,
            visible: Option<&[i32; BATCH]>,
            blocks: &mut BatchBlocks
        )
    );
}
