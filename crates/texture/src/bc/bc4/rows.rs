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
use std::ops::Range;

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

    /// Encodes channels of a row of blocks, two at most. Each goes to 8 of the `stride` bytes that a block
    /// has in `blocks`, the first to the first of them.
    pub fn encode_row(
        &self,
        rows: &BlockRow<'_, [u8; 4]>,
        channels: Range<u32>,
        blocks: &mut [u8],
        stride: usize,
    ) {
        let columns = blocks.len() / stride;
        let whole_columns = if rows.visible_rows == 4 { rows.width() / 4 } else { 0 };
        let mut tile: Tile = [[[0; 4]; 4 * BATCH]; 4];
        for (first, blocks) in (0..columns).step_by(BATCH).zip(blocks.chunks_mut(BATCH * stride)) {
            let count = (columns - first).min(BATCH);
            let is_whole = first + count <= whole_columns;
            let mut visible = [0xffff; BATCH];
            if count < BATCH {
                // Lanes without a block get one that needs no search.
                tile = [[[0; 4]; 4 * BATCH]; 4];
            }
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
                    *visible = rows.visible_texels(first + column).into();
                }
            }
            let visible = (!is_whole).then_some(&visible);
            let mut encoded = [BatchBlocks::default(); 2];
            encode(self.simd, &self.settings, channels.clone(), &tile, visible, &mut encoded);
            for (offset, [low, high]) in (0..).step_by(8).zip(encoded).take(channels.len()) {
                for ((block, low), high) in blocks.chunks_exact_mut(stride).zip(low).zip(high) {
                    let encoded = u64::from(low as u32) | u64::from(high as u32) << 32;
                    block[offset..offset + 8].copy_from_slice(&encoded.to_le_bytes());
                }
            }
        }
    }
}

/// The texels, one block in each lane.
#[inline(always)]
fn transposed(tile: &Tile) -> BatchTexels {
    let mut texels = [[0; BATCH]; 16];
    for y in 0..4 {
        for lane in 0..BATCH {
            for x in 0..4 {
                texels[4 * y + x][lane] = i32::from_le_bytes(tile[y][4 * lane + x]);
            }
        }
    }
    texels
}

#[inline(always)]
fn encode_tile<S: Simd>(
    s: S,
    settings: &Settings,
    channels: Range<u32>,
    tile: &Tile,
    visible: Option<&[i32; BATCH]>,
    blocks: &mut [BatchBlocks; 2],
) {
    let texels = &transposed(tile);
    for (channel, blocks) in channels.zip(blocks) {
        let bit = 8 * channel;
        match visible {
            Some(visible) => encode_batch::<S, true>(s, settings, texels, bit, visible, blocks),
            None => encode_batch::<S, false>(s, settings, texels, bit, &[0xffff; BATCH], blocks),
        }
    }
}

#[allow(unsafe_code)]
fn encode(
    level: SimdLevel,
    settings: &Settings,
    channels: Range<u32>,
    tile: &Tile,
    visible: Option<&[i32; BATCH]>,
    blocks: &mut [BatchBlocks; 2],
) {
    dispatch!(
        level,
        encode_tile(
            settings: &Settings,
            channels: Range<u32>,
            tile: &Tile,
            visible: Option<&[i32; BATCH]>,
            blocks: &mut [BatchBlocks; 2]
        )
    );
}
