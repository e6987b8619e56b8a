//! Rows of an image in blocks or plain texels, decoded by several threads.

use super::{
    bands::{Rows, map_bands},
    error::MetricsError,
};
use crate::{
    ColorSpace, DecodeError, ImageViewMut, RoundingRule, Task, TexelsMut, TextureFormat, Threads,
    decode::decode_any_into,
};

/// Rows of plain texels that are decoded at a time.
const PLAIN_ROWS: usize = 4;

/// Calls `add` for each row of texels of the data, with the sum of the row's band, the row's number, its
/// texels, and a buffer for a row of another image. Returns the sums of all bands, in order.
///
/// Each thread decodes a row of blocks, or four rows of plain texels, at a time, so that no decoded copy of
/// the image is needed. Progress is reported in these steps. ASTC depends on the colour space.
///
/// # Errors
/// [`MetricsError::Decode`] if `data` does not have the length that the size needs, or
/// [`MetricsError::Cancelled`].
pub(super) fn map_block_rows<T, S>(
    format: TextureFormat,
    color_space: ColorSpace,
    data: &[u8],
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
    if needed != data.len() as u64 {
        return Err(DecodeError::BlocksLength { needed, given: data.len() }.into());
    }
    let row_step = format.block().map_or(PLAIN_ROWS, |format| format.block_extent()[1] as usize);
    let bytes_of_rows = |count: usize| format.image_bytes(size[0], count as u32) as usize;
    let [width, height] = size.map(|side| side as usize);
    let rows = Rows::new(task, height.div_ceil(row_step));
    map_bands(task, height.div_ceil(row_step), |band| {
        let mut sum = S::default();
        let mut buffer = vec![T::zeroed(); width];
        let mut decoded = vec![T::zeroed(); width * row_step];
        for row in band {
            rows.step()?;
            let row_count = (height - row_step * row).min(row_step);
            let texels = &mut decoded[..width * row_count];
            let target = ImageViewMut::new(&mut *texels, width as u32, row_count as u32);
            let mut target = target.expect("a row has its texels");
            let task = Task::new().with_threads(Threads::Calling);
            let data = &data[row * bytes_of_rows(row_step)..][..bytes_of_rows(row_count)];
            decode_any_into(format, data, rule, color_space, &mut target, &task)?;
            for (y, texels) in texels.chunks_exact(width).enumerate() {
                add(&mut sum, (row_step * row + y) as u32, texels, &mut buffer);
            }
        }
        Ok(sum)
    })
}
