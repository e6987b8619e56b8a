//! Rows of an image in blocks, decoded by several threads.

use super::{
    bands::{Rows, map_bands},
    compare::MetricsError,
};
use crate::{BlockFormat, DecodeError, ImageViewMut, RoundingRule, Task, TexelsMut, Threads, decode_into};

/// Calls `add` for each row of texels of the blocks, with the sum of the row's band, the row's number, its
/// texels, and a buffer for a row of another image. Returns the sums of all bands, in order.
///
/// Each thread decodes one row of blocks at a time, so that no decoded copy of the image is needed. Progress
/// is reported in rows of blocks.
///
/// # Errors
/// [`MetricsError::Decode`] if `blocks` does not have the length that the size needs, or
/// [`MetricsError::Cancelled`].
pub(super) fn map_block_rows<T, S>(
    format: BlockFormat,
    blocks: &[u8],
    size: [u32; 2],
    rule: RoundingRule,
    task: &Task<'_>,
    add: impl Fn(&mut S, u32, &[T], &mut [T]) + Sync,
) -> Result<Vec<S>, MetricsError>
where
    T: bytemuck::Pod,
    S: Default + Send,
    for<'t> TexelsMut<'t>: From<&'t mut [T]>,
{
    let needed = format.image_bytes(size[0], size[1]);
    if needed != blocks.len() as u64 {
        return Err(DecodeError::BlocksLength { needed, given: blocks.len() }.into());
    }
    let [width, height] = size.map(|side| side as usize);
    let row_bytes = width.div_ceil(4) * format.block_bytes();
    let rows = Rows::new(task, height.div_ceil(4));
    map_bands(task, height.div_ceil(4), |band| {
        let mut sum = S::default();
        let mut buffer = vec![T::zeroed(); width];
        let mut decoded = vec![T::zeroed(); width * 4];
        for row in band {
            rows.step()?;
            let row_count = (height - 4 * row).min(4);
            let texels = &mut decoded[..width * row_count];
            let target = ImageViewMut::new(&mut *texels, width as u32, row_count as u32);
            let mut target = target.expect("a row has its texels");
            let task = Task::new().with_threads(Threads::Calling);
            decode_into(format, &blocks[row * row_bytes..][..row_bytes], rule, &mut target, &task)?;
            for (y, texels) in texels.chunks_exact(width).enumerate() {
                add(&mut sum, (4 * row + y) as u32, texels, &mut buffer);
            }
        }
        Ok(sum)
    })
}
