//! Optimisation of a whole image, strip by strip.

use crate::{
    EncodeError, Image, Stage, Task,
    bc::Codec,
    block_row::{BlockRow, RowBuffer},
    options::EncodeOptions,
    rdo::StripOptimizer,
};
use brickwork_base::parallel;
use std::sync::atomic::{AtomicU64, Ordering};

/// Minimum number of blocks in a strip. Strips do not refer to each other, so they are optimised in parallel.
/// Longer strips save more, but allow less parallel work.
const STRIP_BLOCKS: usize = 8192;

/// True if blocks are optimised.
pub(crate) fn is_on(codec: &Codec, options: &EncodeOptions) -> bool {
    codec.rdo.is_some() && !options.rdo.is_off()
}

/// Optimises the `blocks` of `image`, if the options require it and the format supports it. The strips depend
/// on the image's size alone, so the result is the same for any number of threads.
pub(crate) fn optimize(
    image: &dyn Image,
    codec: &Codec,
    options: &EncodeOptions,
    blocks: &mut [u8],
    task: &Task<'_>,
) -> Result<(), EncodeError> {
    let Some(new_optimizer) = codec.rdo.filter(|_| is_on(codec, options)) else { return Ok(()) };
    let columns = image.size()[0].div_ceil(4) as usize;
    let row_bytes = columns * codec.block_bytes;
    let strip_rows = STRIP_BLOCKS.div_ceil(columns);
    let total = (blocks.len() / codec.block_bytes) as u64;
    let done = AtomicU64::new(total);
    let strip = |(strip, blocks): (usize, &mut [u8])| {
        let mut optimizer: StripOptimizer = new_optimizer(options);
        let mut buffers: [RowBuffer; 4] = Default::default();
        for (row, blocks) in blocks.chunks_exact_mut(row_bytes).enumerate() {
            task.check()?;
            let row = BlockRow::of(image, (strip * strip_rows + row) as u32, &mut buffers);
            optimizer(&row, blocks, task)?;
            let columns = columns as u64;
            task.report(Stage::Encoding, done.fetch_add(columns, Ordering::Relaxed) + columns, 2 * total);
        }
        Ok(())
    };
    let strip_bytes = strip_rows * row_bytes;
    parallel::try_for_each(task, blocks.chunks_mut(strip_bytes).enumerate(), strip)
}
