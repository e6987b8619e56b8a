//! Rows of blocks of an image. Blocks of one or two colours are written at once; the others are encoded in
//! chunks.

use super::{
    encode::{CHUNK, Encoder},
    pack::{pack_two, pack_void},
    part::Form,
};
use crate::{Cancelled, Quality, Task, block_row::BlockRow, simd::AvailableLevel};
use std::sync::Mutex;

/// Encoder of rows of 4×4 blocks of one image.
pub(crate) struct AstcRowEncoder {
    simd: AvailableLevel,
    form: Form,
    quality: Quality,
    /// Encoders that wait for the next row.
    waiting: Mutex<Vec<Encoder>>,
}

impl AstcRowEncoder {
    pub fn new(simd: AvailableLevel, form: Form, quality: Quality) -> Self {
        Self { simd, form, quality, waiting: Mutex::default() }
    }

    /// Encodes a row of blocks to `blocks`, 16 bytes each.
    pub fn encode_row(
        &self,
        rows: &BlockRow<'_, [u8; 4]>,
        blocks: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        let waiting = self.waiting.lock().ok().and_then(|mut waiting| waiting.pop());
        let mut encoder = waiting.unwrap_or_else(|| Encoder::new(self.simd, self.form, self.quality));
        encoder.clear();
        let blocks = blocks.as_chunks_mut::<16>().0;
        let mut columns = [0; CHUNK];
        for column in 0..blocks.len() {
            let texels = rows.block(column).map(u32::from_le_bytes);
            if texels.iter().all(|&texel| texel == texels[0]) {
                blocks[column] = pack_void(texels[0]);
                continue;
            }
            if let Some(block) = pack_two(&texels) {
                blocks[column] = block;
                continue;
            }
            columns[encoder.count()] = column;
            encoder.push(&texels);
            if encoder.count() == CHUNK {
                flush(&mut encoder, &columns, blocks, task)?;
            }
        }
        flush(&mut encoder, &columns, blocks, task)?;
        if let Ok(mut waiting) = self.waiting.lock() {
            waiting.push(encoder);
        }
        Ok(())
    }
}

/// Encodes the blocks that wait, each for one of the `columns`.
fn flush(
    encoder: &mut Encoder,
    columns: &[usize; CHUNK],
    blocks: &mut [[u8; 16]],
    task: &Task<'_>,
) -> Result<(), Cancelled> {
    task.check()?;
    let count = encoder.count();
    let mut encoded = [[0; 16]; CHUNK];
    encoder.encode(&mut encoded[..count]);
    for (&column, block) in columns.iter().zip(&encoded[..count]) {
        blocks[column] = *block;
    }
    encoder.clear();
    Ok(())
}
