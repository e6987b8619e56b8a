//! Rows of blocks of an image: gathered into batches, encoded in lanes, written.

use super::{
    encode::{BatchBlocks, encode_batch},
    kind::{Signed, SignedPattern, Unsigned, UnsignedLog},
    pack::packed,
    plan::{Stage, stages},
    real_time,
    texels::BatchTexels,
};
use crate::{
    Cancelled, EncodeOptions, RealTime, Task,
    bc::{
        batch::{BATCH, BatchWords},
        bc6h::Bc6hMetric,
        codec::RowEncoder,
    },
    block_row::{BlockRow, four},
    simd::{AvailableLevel, Simd, dispatch},
};
use half::f16;

/// Returns the encoder of rows.
pub(super) fn row_encoder(options: &EncodeOptions, simd: AvailableLevel, is_signed: bool) -> RowEncoder {
    if let Some(level) = options.real_time {
        return RowEncoder::RgbaF16(Box::new(move |rows, blocks, task| {
            let mut words = [[0; BATCH]; 4];
            encode_batches(rows, blocks, task, |texels, visible, blocks| {
                encode_in_real_time(simd, is_signed, level, texels, visible, &mut words);
                for (lane, block) in blocks.iter_mut().enumerate() {
                    for (bytes, words) in block.chunks_exact_mut(4).zip(&words) {
                        bytes.copy_from_slice(&words[lane].to_le_bytes());
                    }
                }
            })
        }));
    }
    let stages = stages(options.quality);
    let metric = options.bc6h.metric_of(is_signed);
    RowEncoder::RgbaF16(Box::new(move |rows, blocks, task| {
        let mut encoded = BatchBlocks::NONE;
        encode_batches(rows, blocks, task, |texels, visible, blocks| {
            encode(simd, is_signed, metric, stages, texels, visible, &mut encoded);
            for (lane, block) in blocks.iter_mut().enumerate() {
                *block = encoded.packed(lane);
            }
        })
    }))
}

/// Encodes a row of blocks. `encode` encodes the blocks of a batch.
fn encode_batches(
    rows: &BlockRow<'_, [f16; 4]>,
    blocks: &mut [u8],
    task: &Task<'_>,
    mut encode: impl FnMut(&BatchTexels, &[i32; BATCH], &mut [[u8; 16]]),
) -> Result<(), Cancelled> {
    let mut texels: BatchTexels = [[[0; BATCH]; 16]; 2];
    let mut visible = [0; BATCH];
    for (first, blocks) in (0..).step_by(BATCH).zip(blocks.as_chunks_mut().0.chunks_mut(BATCH)) {
        task.check()?;
        for lane in 0..blocks.len() {
            load(rows, first + lane, lane, &mut texels);
            visible[lane] = rows.visible_texels(first + lane).into();
        }
        encode(&texels, &visible, blocks);
    }
    Ok(())
}

/// Loads the block at `column` into a lane.
#[inline(always)]
fn load(rows: &BlockRow<'_, [f16; 4]>, column: usize, lane: usize, texels: &mut BatchTexels) {
    let [red_green, blue] = texels;
    for (y, row) in rows.rows.iter().enumerate() {
        for (x, texel) in four(row, column).into_iter().enumerate() {
            let [a, b]: [i32; 2] = bytemuck::cast(texel.map(f16::to_bits).map(u16::to_le));
            red_green[4 * y + x][lane] = a;
            blue[4 * y + x][lane] = b;
        }
    }
}

impl BatchBlocks {
    /// Returns the block of a lane.
    fn packed(&self, lane: usize) -> [u8; 16] {
        let codes = self.codes.each_ref().map(|endpoint| endpoint.each_ref().map(|lanes| lanes[lane]));
        let [low, high] = self.indices.each_ref().map(|words| u64::from(words[lane] as u32));
        packed(self.modes[lane] as usize, self.partitions[lane] as usize, &codes, low | high << 32)
    }
}

#[inline(always)]
fn run<S: Simd>(
    s: S,
    is_signed: bool,
    metric: Bc6hMetric,
    stages: &[Stage],
    texels: &BatchTexels,
    visible: &[i32; BATCH],
    blocks: &mut BatchBlocks,
) {
    match (is_signed, metric) {
        (false, Bc6hMetric::Pattern) => encode_batch::<S, Unsigned>(s, stages, texels, visible, blocks),
        (false, Bc6hMetric::Log) => encode_batch::<S, UnsignedLog>(s, stages, texels, visible, blocks),
        (true, Bc6hMetric::Pattern) => encode_batch::<S, SignedPattern>(s, stages, texels, visible, blocks),
        (true, Bc6hMetric::Log) => encode_batch::<S, Signed>(s, stages, texels, visible, blocks),
    }
}

#[allow(unsafe_code)]
fn encode(
    level: AvailableLevel,
    is_signed: bool,
    metric: Bc6hMetric,
    stages: &[Stage],
    texels: &BatchTexels,
    visible: &[i32; BATCH],
    blocks: &mut BatchBlocks,
) {
    dispatch!(
        encoder level,
        run(
            is_signed: bool,
            metric: Bc6hMetric,
            stages: &[Stage],
            texels: &BatchTexels,
            visible: &[i32; BATCH],
            blocks: &mut BatchBlocks
        )
    );
}

/// Encodes a batch in real time, by the errors of the default metric.
#[inline(always)]
fn run_in_real_time<S: Simd>(
    s: S,
    is_signed: bool,
    level: RealTime,
    texels: &BatchTexels,
    visible: &[i32; BATCH],
    words: &mut BatchWords,
) {
    if is_signed {
        real_time::encode_batch::<S, Signed>(s, level, texels, visible, words);
    } else {
        real_time::encode_batch::<S, Unsigned>(s, level, texels, visible, words);
    }
}

#[allow(unsafe_code)]
fn encode_in_real_time(
    simd: AvailableLevel,
    is_signed: bool,
    level: RealTime,
    texels: &BatchTexels,
    visible: &[i32; BATCH],
    words: &mut BatchWords,
) {
    dispatch!(
        encoder simd,
        run_in_real_time(
            is_signed: bool,
            level: RealTime,
            texels: &BatchTexels,
            visible: &[i32; BATCH],
            words: &mut BatchWords
        )
    );
}
