//! Rows of blocks of an image: gathered into batches, encoded in lanes and scattered.

use super::{
    eac::{self, BatchBlocks, Kind},
    effort::Effort,
    etc2::{self, Weights},
};
use crate::{
    Cancelled, EncodeOptions, Task,
    bc::batch::{BATCH, Tile, tile, transposed, visible},
    block_row::BlockRow,
    simd::{AvailableLevel, Simd, dispatch},
};

/// Half of a block of 16 bytes, or a block of 8.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// One channel, 0 to 3.
    Channel(Kind, u32),
    /// Colours without alpha.
    Colors,
    /// Colours with 1-bit alpha.
    PunchedColors,
}

/// Encoder of the rows of one image.
#[derive(Clone, Copy, Debug)]
pub(super) struct EtcRowEncoder {
    simd: AvailableLevel,
    settings: Settings,
}

/// Settings that all blocks of an image share.
#[derive(Clone, Copy, Debug)]
struct Settings {
    parts: &'static [Part],
    effort: Effort,
    weights: Weights,
}

impl EtcRowEncoder {
    pub fn new(simd: AvailableLevel, options: &EncodeOptions, parts: &'static [Part]) -> Self {
        let weights = Weights::new(options.weights);
        Self { simd, settings: Settings { parts, effort: Effort::new(options), weights } }
    }

    /// Encodes a row of blocks.
    pub fn encode_row(
        &self,
        rows: &BlockRow<'_, [u8; 4]>,
        blocks: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        let block_bytes = 8 * self.settings.parts.len();
        let columns = blocks.len() / block_bytes;
        let mut copied = [[[0; 4]; 4 * BATCH]; 4];
        for (first, blocks) in (0..columns).step_by(BATCH).zip(blocks.chunks_mut(BATCH * block_bytes)) {
            task.check()?;
            let count = (columns - first).min(BATCH);
            let visible = visible(rows, first, count).unwrap_or([0xffff; BATCH]);
            let tile = tile(rows, first, count, &mut copied);
            let mut encoded = [BatchBlocks::default(); 2];
            encode(self.simd, &self.settings, &tile, &visible, &mut encoded);
            for (lane, block) in blocks.chunks_exact_mut(block_bytes).enumerate() {
                for (words, half) in encoded.iter().zip(block.as_chunks_mut().0) {
                    *half = eac::bytes(words, lane);
                }
            }
        }
        Ok(())
    }
}

#[inline(always)]
fn encode_tile<S: Simd>(
    s: S,
    settings: &Settings,
    tile: &Tile<'_>,
    visible: &[i32; BATCH],
    blocks: &mut [BatchBlocks; 2],
) {
    let texels = &transposed(s, tile);
    for (part, blocks) in settings.parts.iter().zip(blocks) {
        match part {
            Part::Channel(kind, channel) => {
                eac::encode_bytes(s, kind, settings.effort, texels, 8 * channel, visible, blocks);
            }
            Part::Colors | Part::PunchedColors => {
                let has_alpha = matches!(part, Part::PunchedColors);
                match settings.effort {
                    Effort::Quality(quality) => {
                        let weights = &settings.weights;
                        etc2::encode_batch(s, has_alpha, weights, quality, texels, visible, blocks);
                    }
                    Effort::RealTime(level) => {
                        etc2::encode_batch_in_real_time(s, has_alpha, level, texels, visible, blocks);
                    }
                }
            }
        }
    }
}

#[allow(unsafe_code)]
fn encode(
    level: AvailableLevel,
    settings: &Settings,
    tile: &Tile<'_>,
    visible: &[i32; BATCH],
    blocks: &mut [BatchBlocks; 2],
) {
    dispatch!(
        encoder level,
        encode_tile(
            settings: &Settings,
            tile: &Tile<'_>,
            visible: &[i32; BATCH],
            blocks: &mut [BatchBlocks; 2]
        )
    );
}
