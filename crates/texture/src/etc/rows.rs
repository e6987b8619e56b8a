//! Rows of blocks of an image: gathered into batches, encoded in lanes and scattered.

use super::{
    eac::{self, BatchBlocks, Kind},
    effort::Effort,
    etc2::{self, Weights},
};
use crate::{
    Cancelled, EncodeOptions, Task,
    bc::batch::{BATCH, BatchTexels},
    block_row::{BlockRow, four},
    simd::{AvailableLevel, Int, Simd, dispatch},
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

/// One row of a batch's texels.
type TileRow = [[u8; 4]; 4 * BATCH];
/// Four rows of a batch, in the image or copied.
type Tile<'a> = [&'a TileRow; 4];

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
        let whole_columns = if rows.visible_rows == 4 { rows.width() / 4 } else { 0 };
        for (first, blocks) in (0..columns).step_by(BATCH).zip(blocks.chunks_mut(BATCH * block_bytes)) {
            task.check()?;
            let count = (columns - first).min(BATCH);
            let mut visible = [0xffff; BATCH];
            if first + count > whole_columns {
                for (column, visible) in visible[..count].iter_mut().enumerate() {
                    *visible = rows.visible_texels(first + column).into();
                }
            }
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
