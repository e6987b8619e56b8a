//! Rows of one-channel blocks of an image: gathered into batches, encoded in lanes and scattered.

use super::{
    encode::{Settings, encode_batch},
    pack::BatchBlocks,
    palette::ValueRule,
};
use crate::{
    Cancelled, EncodeOptions, Task,
    bc::batch::{BATCH, BatchTexels},
    block_row::{BlockRow, four},
    simd::{AvailableLevel, Int, Simd, dispatch},
};
use std::ops::Range;

/// Encoder of one channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChannelEncoder {
    simd: AvailableLevel,
    settings: Settings,
}

/// One row of a batch's texels.
type TileRow = [[u8; 4]; 4 * BATCH];
/// Four rows of a batch, in the image or copied.
type Tile<'a> = [&'a TileRow; 4];

impl ChannelEncoder {
    pub fn new(simd: AvailableLevel, options: &EncodeOptions, rule: ValueRule) -> Self {
        Self { simd, settings: Settings { rule, quality: options.quality } }
    }

    /// Encodes at most two channels of a row of blocks. Each block has `stride` bytes in `blocks`. Each
    /// channel takes 8 of them, starting with the first channel at the first byte.
    pub fn encode_row(
        &self,
        rows: &BlockRow<'_, [u8; 4]>,
        channels: Range<u32>,
        blocks: &mut [u8],
        stride: usize,
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        let columns = blocks.len() / stride;
        let whole_columns = if rows.visible_rows == 4 { rows.width() / 4 } else { 0 };
        for (first, blocks) in (0..columns).step_by(BATCH).zip(blocks.chunks_mut(BATCH * stride)) {
            task.check()?;
            let count = (columns - first).min(BATCH);
            let is_whole = first + count <= whole_columns;
            let mut visible = [0xffff; BATCH];
            if !is_whole {
                for (column, visible) in visible[..count].iter_mut().enumerate() {
                    *visible = rows.visible_texels(first + column).into();
                }
            }
            let visible = (!is_whole).then_some(&visible);
            let mut copied;
            let texels = rows.rows.each_ref().map(|row| row[4 * first..].first_chunk());
            let tile = if let [Some(a), Some(b), Some(c), Some(d)] = texels {
                [a, b, c, d]
            } else {
                // Lanes without a block get one that needs no search.
                copied = [[[0; 4]; 4 * BATCH]; 4];
                for (row, texels) in rows.rows.iter().zip(&mut copied) {
                    for (column, texels) in texels.as_chunks_mut().0[..count].iter_mut().enumerate() {
                        *texels = four(row, first + column);
                    }
                }
                copied.each_ref()
            };
            let mut encoded = [BatchBlocks::default(); 2];
            encode(self.simd, &self.settings, channels.clone(), &tile, visible, &mut encoded);
            match stride {
                8 => scatter::<8>(&encoded[..channels.len()], blocks),
                _ => scatter::<16>(&encoded[..channels.len()], blocks),
            }
        }
        Ok(())
    }
}

/// Writes the encoded channels, one after the other, to blocks of `STRIDE` bytes.
fn scatter<const STRIDE: usize>(encoded: &[BatchBlocks], blocks: &mut [u8]) {
    for (channel, [low, high]) in encoded.iter().enumerate() {
        for ((block, low), high) in blocks.as_chunks_mut::<STRIDE>().0.iter_mut().zip(low).zip(high) {
            let words = block.as_chunks_mut().0;
            (words[2 * channel], words[2 * channel + 1]) = (low.to_le_bytes(), high.to_le_bytes());
        }
    }
}

/// Returns the texels, one block in each lane.
#[inline(always)]
fn transposed<S: Simd>(s: S, tile: &Tile<'_>) -> BatchTexels {
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

#[inline(always)]
fn encode_tile<S: Simd>(
    s: S,
    settings: &Settings,
    channels: Range<u32>,
    tile: &Tile<'_>,
    visible: Option<&[i32; BATCH]>,
    blocks: &mut [BatchBlocks; 2],
) {
    let texels = &transposed(s, tile);
    for (channel, blocks) in channels.zip(blocks) {
        let bit = 8 * channel;
        let all = &[0xffff; BATCH];
        match visible {
            Some(visible) => encode_batch::<S, true, true>(s, settings, texels, bit, visible, blocks),
            None if settings.rule.has_rests() => {
                encode_batch::<S, false, true>(s, settings, texels, bit, all, blocks);
            }
            None => encode_batch::<S, false, false>(s, settings, texels, bit, all, blocks),
        }
    }
}

#[allow(unsafe_code)]
fn encode(
    level: AvailableLevel,
    settings: &Settings,
    channels: Range<u32>,
    tile: &Tile<'_>,
    visible: Option<&[i32; BATCH]>,
    blocks: &mut [BatchBlocks; 2],
) {
    dispatch!(
        encoder level,
        encode_tile(
            settings: &Settings,
            channels: Range<u32>,
            tile: &Tile<'_>,
            visible: Option<&[i32; BATCH]>,
            blocks: &mut [BatchBlocks; 2]
        )
    );
}
