//! Rows of blocks in real time.

use super::real_time::{BatchWords, encode_batch};
use crate::{
    Cancelled, RealTime, Task,
    bc::batch::{BATCH, Batch, BatchTexels},
    block_row::BlockRow,
    simd::{AvailableLevel, Simd, dispatch},
};

/// Encodes a row of blocks to `blocks`, 16 bytes each.
pub(super) fn encode_row(
    simd: AvailableLevel,
    level: RealTime,
    rows: &BlockRow<'_, [u8; 4]>,
    blocks: &mut [u8],
    task: &Task<'_>,
) -> Result<(), Cancelled> {
    let blocks = blocks.as_chunks_mut::<16>().0;
    let mut batch = Batch::default();
    let mut visible = [0; BATCH];
    for column in 0..blocks.len() {
        batch.load(rows, column);
        visible[column % BATCH] = i32::from(rows.visible_texels(column));
        batch.keep(column);
        if batch.is_full() {
            task.check()?;
            flush(simd, level, &mut batch, &visible, blocks);
        }
    }
    flush(simd, level, &mut batch, &visible, blocks);
    Ok(())
}

fn flush(
    simd: AvailableLevel,
    level: RealTime,
    batch: &mut Batch,
    visible: &[i32; BATCH],
    blocks: &mut [[u8; 16]],
) {
    let (texels, columns) = batch.take();
    let mut words = [[0; BATCH]; 4];
    encode(simd, level, texels, visible, &mut words);
    for (lane, &column) in columns.iter().enumerate() {
        for (bytes, words) in blocks[column].chunks_exact_mut(4).zip(&words) {
            bytes.copy_from_slice(&words[lane].to_le_bytes());
        }
    }
}

#[inline(always)]
fn run<S: Simd>(s: S, level: RealTime, texels: &BatchTexels, visible: &[i32; BATCH], words: &mut BatchWords) {
    encode_batch(s, level, texels, visible, words);
}

#[allow(unsafe_code)]
fn encode(
    simd: AvailableLevel,
    level: RealTime,
    texels: &BatchTexels,
    visible: &[i32; BATCH],
    words: &mut BatchWords,
) {
    dispatch!(
        encoder simd,
        run(level: RealTime, texels: &BatchTexels, visible: &[i32; BATCH], words: &mut BatchWords)
    );
}
