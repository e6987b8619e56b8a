//! Rows of one-channel blocks of an image: gathered into batches, encoded in lanes and scattered.

use super::{
    encode::{Settings, encode_batch},
    pack::BatchBlocks,
    palette::ValueRule,
    refit::refit_batch,
};
use crate::{
    Cancelled, EncodeOptions, Quality, Task,
    bc::batch::{BATCH, BatchTexels, Tile, tile, transposed, visible},
    block_row::BlockRow,
    simd::{AvailableLevel, Simd, dispatch},
};
use std::ops::Range;

/// Encoder of one channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChannelEncoder {
    simd: AvailableLevel,
    settings: Settings,
}

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
        let mut copied = [[[0; 4]; 4 * BATCH]; 4];
        for (first, blocks) in (0..columns).step_by(BATCH).zip(blocks.chunks_mut(BATCH * stride)) {
            task.check()?;
            let count = (columns - first).min(BATCH);
            let visible = visible(rows, first, count);
            let tile = tile(rows, first, count, &mut copied);
            let mut encoded = [BatchBlocks::default(); 2];
            encode(self.simd, &self.settings, channels.clone(), &tile, visible.as_ref(), &mut encoded);
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
        let settings = (&settings.rule, settings.quality);
        refit_batch(s, settings, texels, Some(bit), visible.unwrap_or(all), blocks);
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

/// Blocks and sources of a batch, in units of `refit.rs`.
pub(super) struct DeepBatch {
    pub sources: BatchTexels,
    pub visible: [i32; BATCH],
    pub blocks: BatchBlocks,
}

#[inline(always)]
fn refit_in_lanes<S: Simd>(s: S, rule: &ValueRule, quality: Quality, batch: &mut DeepBatch) {
    let DeepBatch { sources, visible, blocks } = batch;
    refit_batch(s, (rule, quality), sources, None, visible, blocks);
}

/// Refits the blocks of a batch of 16-bit sources.
#[allow(unsafe_code)]
pub(super) fn refit_deep(level: AvailableLevel, rule: &ValueRule, quality: Quality, batch: &mut DeepBatch) {
    dispatch!(encoder level, refit_in_lanes(rule: &ValueRule, quality: Quality, batch: &mut DeepBatch));
}
