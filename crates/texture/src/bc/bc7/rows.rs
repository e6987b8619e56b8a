//! Rows of blocks of an image. Blocks of one colour are written at once; the others are encoded in chunks.

use super::{
    encode::{CHUNK, Encoder},
    part::Weights,
    plan::Plan,
    single_color::SingleColor,
};
use crate::{Cancelled, EncodeOptions, Task, block_row::BlockRow, simd::AvailableLevel};
use std::sync::Mutex;

/// Encoder of rows of blocks of one image.
pub(crate) struct Bc7RowEncoder {
    simd: AvailableLevel,
    options: EncodeOptions,
    plan: Plan,
    /// Second plan of quality best; the better block is taken.
    lesser: Option<Plan>,
    /// Present if mode 5, which stores every colour, is allowed.
    single_color: Option<SingleColor>,
    /// Encoders that wait for the next row.
    waiting: Mutex<Vec<Encoder>>,
}

impl Bc7RowEncoder {
    pub fn new(simd: AvailableLevel, options: &EncodeOptions) -> Self {
        let modes = options.bc7.modes;
        Self {
            simd,
            options: *options,
            plan: Plan::new(options.quality, modes),
            lesser: Plan::all(options.quality, modes).get(1).copied(),
            single_color: modes.contains(5).then(SingleColor::new),
            waiting: Mutex::default(),
        }
    }

    /// Encodes a row of blocks to `blocks`, 16 bytes each.
    pub fn encode_row(
        &self,
        rows: &BlockRow<'_, [u8; 4]>,
        blocks: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        let waiting = self.waiting.lock().ok().and_then(|mut waiting| waiting.pop());
        let new = || Encoder::new(self.simd, Weights::new(self.options.weights), self.options.bc7.modes);
        let mut encoder = waiting.unwrap_or_else(new);
        let blocks = blocks.as_chunks_mut::<16>().0;
        let mut columns = [0; CHUNK];
        for column in 0..blocks.len() {
            let texels = rows.block(column).map(u32::from_le_bytes);
            if let Some(single_color) = &self.single_color
                && texels.iter().all(|&texel| texel == texels[0])
            {
                blocks[column] = single_color.block(texels[0]);
                continue;
            }
            columns[encoder.count()] = column;
            encoder.push(&texels, rows.visible_texels(column));
            if encoder.count() == CHUNK {
                self.flush(&mut encoder, &columns, blocks, task)?;
            }
        }
        self.flush(&mut encoder, &columns, blocks, task)?;
        if let Ok(mut waiting) = self.waiting.lock() {
            waiting.push(encoder);
        }
        Ok(())
    }

    /// Encodes the blocks that wait, each for one of the `columns`.
    fn flush(
        &self,
        encoder: &mut Encoder,
        columns: &[usize; CHUNK],
        blocks: &mut [[u8; 16]],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        task.check()?;
        let count = encoder.count();
        let mut encoded = [[0; 16]; CHUNK];
        match &self.lesser {
            #[cfg(not(target_arch = "wasm32"))]
            Some(lesser) => encoder.encode_best([&self.plan, lesser], &mut encoded[..count]),
            #[cfg(target_arch = "wasm32")]
            Some(lesser) => encoder.encode_with_each([&self.plan, lesser], &mut encoded[..count]),
            None => encoder.encode(&self.plan, &mut encoded[..count]),
        };
        for (&column, block) in columns.iter().zip(&encoded[..count]) {
            blocks[column] = *block;
        }
        encoder.clear();
        Ok(())
    }
}
