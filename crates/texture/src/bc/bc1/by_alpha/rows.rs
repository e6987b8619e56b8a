//! Rows of blocks. Those whose texels have different weights are gathered, searched and written.

use super::super::{
    encode::BatchBlocks,
    rows::ColorEncoder,
    settings::Settings,
    single_color::{MeanCodes, SingleColor},
};
use super::{search::encode_batch, start::roots};
use crate::{
    Cancelled, EncodeOptions, Task,
    bc::batch::{Batch, BatchTexels, RGB},
    block_row::BlockRow,
    simd::{AvailableLevel, Simd, dispatch},
};

/// Second pass of BC2 and BC3 that improves colours where texels' errors are weighted by alpha.
pub(crate) struct AlphaWeigher {
    simd: AvailableLevel,
    settings: Settings,
    means: Box<MeanCodes>,
    roots: Box<[f32; 256]>,
    /// Weight of a texel with alpha 255.
    top: u32,
}

impl AlphaWeigher {
    pub fn new(simd: AvailableLevel, options: &EncodeOptions) -> Self {
        let options = &ColorEncoder::options(options);
        let settings = Settings::new(options);
        let means = SingleColor::new(&settings.rule, options.weights, false).mean_codes();
        // A texel's cost is below 3 · 2¹⁴ times the sum of the channels' weights, a block's below 2³¹.
        let channels: u32 = options.weights.rgb().map(u32::from).iter().sum();
        let top = ((1 << 31) / (16 * 3 * (1 << 14) * channels)).min(255);
        Self { simd, settings, means, roots: Box::new(roots()), top }
    }

    /// Processes a row of encoded blocks of 16 bytes, whose colours are the second half.
    pub fn improve_row(
        &self,
        rows: &BlockRow<'_, [u8; 4]>,
        blocks: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        let blocks = blocks.as_chunks_mut::<16>().0;
        let mut waiting = Waiting::default();
        for column in 0..blocks.len() {
            let Some(texels) = self.weighted(&rows.block(column), rows.visible_texels(column)) else {
                continue;
            };
            let color = blocks[column].as_chunks::<4>().0[2];
            waiting.endpoints[waiting.count] = i32::from_le_bytes(color);
            waiting.count += 1;
            waiting.batch.put(column, &texels);
            if waiting.batch.is_full() {
                self.flush(&mut waiting, blocks, task)?;
            }
        }
        self.flush(&mut waiting, blocks, task)
    }

    /// Returns texels with their weights instead of alpha, 0 outside the image; `None` if all weights or all
    /// colours are equal.
    fn weighted(&self, texels: &[[u8; 4]; 16], visible: u16) -> Option<[u32; 16]> {
        // The first texel of a block is always in the image.
        let [first, ..] = *texels;
        if texels.iter().all(|texel| texel[3] == first[3]) {
            return None;
        }
        let mut differences = 0;
        let mut weighted = [0; 16];
        for (t, (weighted, texel)) in weighted.iter_mut().zip(texels).enumerate() {
            let weight = ((u32::from(texel[3]) * self.top + 127) / 255).max(1);
            *weighted = u32::from_le_bytes(*texel) & RGB | weight << 24;
            if visible >> t & 1 == 0 {
                *weighted &= RGB;
            }
        }
        let first = weighted[0];
        for (t, texel) in weighted.iter().enumerate() {
            if visible >> t & 1 != 0 {
                differences |= texel ^ first;
            }
        }
        (differences & RGB != 0 && differences & !RGB != 0).then_some(weighted)
    }

    fn flush(
        &self,
        waiting: &mut Waiting,
        blocks: &mut [[u8; 16]],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        waiting.count = 0;
        let (texels, columns) = waiting.batch.take();
        if columns.is_empty() {
            return Ok(());
        }
        task.check()?;
        let mut encoded = BatchBlocks { endpoints: waiting.endpoints, ..BatchBlocks::default() };
        encode(self.simd, &self.settings, &self.means, &self.roots, texels, &mut encoded);
        for (lane, &column) in columns.iter().enumerate() {
            let block = &mut blocks[column];
            block[8..12].copy_from_slice(&encoded.endpoints[lane].to_le_bytes());
            block[12..].copy_from_slice(&encoded.indices[lane].to_le_bytes());
        }
        Ok(())
    }
}

/// Blocks that wait for a full batch.
#[derive(Default)]
struct Waiting {
    batch: Batch,
    /// Number of blocks, and their current endpoints.
    count: usize,
    endpoints: [i32; crate::bc::batch::BATCH],
}

#[inline(always)]
fn in_lanes<S: Simd>(
    s: S,
    settings: &Settings,
    means: &MeanCodes,
    roots: &[f32; 256],
    texels: &BatchTexels,
    blocks: &mut BatchBlocks,
) {
    encode_batch(s, settings, means, roots, texels, blocks);
}

#[allow(unsafe_code)]
fn encode(
    level: AvailableLevel,
    settings: &Settings,
    means: &MeanCodes,
    roots: &[f32; 256],
    texels: &BatchTexels,
    blocks: &mut BatchBlocks,
) {
    dispatch!(
        encoder level,
        in_lanes(
            settings: &Settings,
            means: &MeanCodes,
            roots: &[f32; 256],
            texels: &BatchTexels,
            blocks: &mut BatchBlocks
        )
    );
}
