//! Images in plain formats.

use crate::{EncodeError, Image, PlainFormat, Task, plain::pack};

/// Writes the texels of `image` in a plain format to `data`, row by row without gaps.
///
/// Integers are rounded to nearest by [`Texel`](crate::Texel), which clamps floats to 0..=1. Signed formats
/// store (2v − 1) · 127 or 32767 of a value v of 0..=1. Half and single floats are rounded to nearest, ties
/// to even. [`PlainFormat::Rgb9e5`] stores 0..=65408 and NaN as 0; [`PlainFormat::Rg11b10Float`] stores
/// 0..=65024, infinity and NaN, and rounds to nearest, ties to even. The bytes are the same for any number of
/// threads. Progress is reported in texels.
///
/// ```
/// use brickwork_texture::{ImageView, PlainFormat, Task, encode_plain};
///
/// let texels = [[1u8, 2, 3], [4, 5, 6]];
/// let mut data = [0; 8];
/// encode_plain(&ImageView::new(&texels, 2, 1)?, PlainFormat::Bgra8Unorm, &mut data, &Task::new())?;
/// assert_eq!(data, [3, 2, 1, 255, 6, 5, 4, 255]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`EncodeError::BlocksLength`] if `data` does not have the length that the image needs;
/// [`EncodeError::Cancelled`], after which the contents of `data` are unspecified.
pub fn encode_plain(
    image: &dyn Image,
    format: PlainFormat,
    data: &mut [u8],
    task: &Task<'_>,
) -> Result<(), EncodeError> {
    let [width, height] = image.size();
    let needed = format.image_bytes(width, height);
    if needed != data.len() as u64 {
        return Err(EncodeError::BlocksLength { needed, given: data.len() });
    }
    Ok(pack(image, format, data, task)?)
}
