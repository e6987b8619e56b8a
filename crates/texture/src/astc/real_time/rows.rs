//! Rows of blocks in real time.

use super::{Form, encode_batch};
use crate::{
    Cancelled, RealTime, Task,
    bc::batch::{BATCH, BatchWords, Tile, encode_tiles, transposed},
    block_row::BlockRow,
    simd::{AvailableLevel, Simd, dispatch},
};

/// Encodes a row of blocks to `blocks`, 16 bytes each.
pub(in crate::astc) fn encode_row(
    simd: AvailableLevel,
    level: RealTime,
    form: Form,
    rows: &BlockRow<'_, [u8; 4]>,
    blocks: &mut [u8],
    task: &Task<'_>,
) -> Result<(), Cancelled> {
    encode_tiles::<16>(rows, blocks, task, |tile, visible, words| {
        encode(simd, level, form, tile, visible, words)
    })
}

#[inline(always)]
fn run<S: Simd>(
    s: S,
    level: RealTime,
    form: Form,
    tile: &Tile<'_>,
    visible: &[i32; BATCH],
    words: &mut BatchWords,
) {
    encode_batch(s, level, form, &transposed(s, tile), visible, words);
}

#[allow(unsafe_code)]
fn encode(
    simd: AvailableLevel,
    level: RealTime,
    form: Form,
    tile: &Tile<'_>,
    visible: &[i32; BATCH],
    words: &mut BatchWords,
) {
    dispatch!(
        encoder simd,
        run(level: RealTime, form: Form, tile: &Tile<'_>, visible: &[i32; BATCH], words: &mut BatchWords)
    );
}
