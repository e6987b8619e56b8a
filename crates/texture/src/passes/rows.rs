//! Rows of blocks, encoded by several threads.

use crate::{
    Cancelled, EncodeError, Image, Task,
    bc::RowEncoder,
    block_row::{BlockRow, RowBuffer},
};
use brickwork_base::parallel;

/// Calls `step` with the number and the blocks of each row of blocks.
pub(crate) fn encode_rows(
    blocks: &mut [u8],
    row_bytes: usize,
    step: impl Fn(&mut [RowBuffer; 4], (usize, &mut [u8])) -> Result<(), EncodeError> + Sync,
    task: &Task<'_>,
) -> Result<(), EncodeError> {
    parallel::try_for_each_with(task, blocks.chunks_exact_mut(row_bytes).enumerate(), Default::default, step)
}

/// Encodes the row of blocks `row` of `image` to `blocks`.
pub(crate) fn encode_row(
    image: &dyn Image,
    row: u32,
    encoder: &RowEncoder,
    buffers: &mut [RowBuffer; 4],
    blocks: &mut [u8],
    task: &Task<'_>,
) -> Result<(), Cancelled> {
    match encoder {
        RowEncoder::Rgba8(encode) => encode(&BlockRow::of(image, row, buffers), blocks, task),
        RowEncoder::Rgba16(encode) => encode(&BlockRow::of(image, row, buffers), blocks, task),
        RowEncoder::RgbaF16(encode) => encode(&BlockRow::of(image, row, buffers), blocks, task),
    }
}
