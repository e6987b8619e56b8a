//! Borrowed texels with a width, a height and a stride.

use crate::Texel;
use brickwork_base::ErrorKind;

/// A borrowed image: rows from top to bottom, texels from left to right, `stride` texels from the start of
/// one row to the start of the next.
///
/// ```
/// use brickwork_image::ImageView;
///
/// let texels = [[0u8, 0, 0, 255]; 5 * 3];
/// let image = ImageView::new(&texels, 5, 3)?;
/// assert_eq!(image.block_columns(), 2);
/// assert_eq!(image.get_row(2), Some(&[[0, 0, 0, 255]; 5][..]));
/// assert_eq!(image.get_row(3), None);
/// # Ok::<(), brickwork_image::ImageError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ImageView<'a, T> {
    texels: &'a [T],
    width: u32,
    height: u32,
    stride: usize,
}

/// The reason why texels cannot be viewed as an image of the requested size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// Width or height is 0.
    #[error("the image has no texels: {width}×{height}")]
    Empty {
        /// Requested width in texels.
        width: u32,
        /// The requested height in texels.
        height: u32,
    },
    /// The stride is smaller than the width.
    #[error("a stride of {stride} texels is smaller than the width of {width}")]
    Stride {
        /// The requested stride in texels.
        stride: usize,
        /// Requested width in texels.
        width: u32,
    },
    /// The slice contains too few texels.
    #[error("{needed} texels are needed and {given} were given")]
    TooShort {
        /// Texels needed.
        needed: u64,
        /// Texels in the slice.
        given: usize,
    },
    /// The bytes from row to row are not a multiple of a texel's bytes.
    #[error("{bytes_per_row} bytes from row to row are no multiple of a texel's {texel_bytes} bytes")]
    BytesPerRow {
        /// Bytes from row to row.
        bytes_per_row: usize,
        /// Bytes of a texel.
        texel_bytes: usize,
    },
    /// The bytes do not start at a multiple of a channel's bytes.
    #[error("the texels do not start at an address that is a multiple of {alignment}")]
    Unaligned {
        /// Bytes of a channel.
        alignment: u32,
    },
}

impl ImageError {
    /// Returns the kind, which is always [`ErrorKind::Argument`].
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Argument
    }
}

impl<'a, T: Texel> ImageView<'a, T> {
    /// Returns an image whose rows follow each other without gaps.
    ///
    /// # Errors
    /// [`ImageError`] if a side is 0 or `texels` is shorter than `width · height`.
    pub fn new(texels: &'a [T], width: u32, height: u32) -> Result<Self, ImageError> {
        Self::with_stride(texels, width, height, width as usize)
    }

    /// Returns an image whose rows start `stride` texels apart. The last row need not be padded.
    ///
    /// # Errors
    /// [`ImageError`] if a side is 0, `stride` is below `width`, or `texels` is too short.
    pub fn with_stride(texels: &'a [T], width: u32, height: u32, stride: usize) -> Result<Self, ImageError> {
        let needed = needed_texels(width, height, stride)?;
        if needed > texels.len() as u64 {
            return Err(ImageError::TooShort { needed, given: texels.len() });
        }
        Ok(Self { texels, width, height, stride })
    }

    /// Returns the width in texels, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in texels, at least 1.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the number of texels from the start of a row to the start of the next.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Blocks in a row of blocks: the width divided by 4, rounded up.
    pub fn block_columns(&self) -> u32 {
        self.width.div_ceil(4)
    }

    /// Returns the number of rows of blocks: the height divided by 4, rounded up.
    pub fn block_rows(&self) -> u32 {
        self.height.div_ceil(4)
    }

    /// Returns the texels of row `y`, from left to right; `None` if `y` is not below the height.
    pub fn get_row(&self, y: u32) -> Option<&'a [T]> {
        (y < self.height).then(|| self.row(y))
    }

    /// Returns the texels of row `y`, from left to right, as indexing a slice does.
    ///
    /// # Panics
    /// If `y` is not below the height; [`get_row`](Self::get_row) does not panic.
    #[inline]
    pub fn row(&self, y: u32) -> &'a [T] {
        assert!(y < self.height, "row {y} of {}", self.height);
        let start = y as usize * self.stride;
        &self.texels[start..start + self.width as usize]
    }

    /// Returns the rows `first..first + count` as a separate image; `None` if `count` is 0 or not all of them
    /// are in the image.
    pub fn rows(&self, first: u32, count: u32) -> Option<Self> {
        let is_inside = count > 0 && first.checked_add(count).is_some_and(|end| end <= self.height);
        is_inside.then(|| Self {
            texels: &self.texels[first as usize * self.stride..],
            height: count,
            ..*self
        })
    }
}

/// Returns the texels that an image takes, the gaps between rows included; `u64::MAX` where the count does
/// not fit.
pub(crate) fn needed_texels(width: u32, height: u32, stride: usize) -> Result<u64, ImageError> {
    if width == 0 || height == 0 {
        return Err(ImageError::Empty { width, height });
    }
    if stride < width as usize {
        return Err(ImageError::Stride { stride, width });
    }
    let gaps = u64::from(height - 1).checked_mul(stride as u64);
    Ok(gaps.and_then(|gaps| gaps.checked_add(width.into())).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stride_skips_padding_and_the_last_row_needs_none() {
        let texels: Vec<u8> = (0..11).collect();
        let image = ImageView::with_stride(&texels, 3, 2, 8).unwrap();
        assert_eq!(image.row(1), [8, 9, 10]);
        assert_eq!(image.rows(1, 1).unwrap().row(0), [8, 9, 10]);
        assert_eq!((image.get_row(1), image.get_row(2)), (Some(&texels[8..]), None));
        for (first, count) in [(0, 0), (1, 2), (2, 1), (u32::MAX, 1), (1, u32::MAX)] {
            assert!(image.rows(first, count).is_none(), "{first} + {count}");
        }
        assert_eq!(
            ImageView::with_stride(&texels, 4, 2, 8).unwrap_err(),
            ImageError::TooShort { needed: 12, given: 11 }
        );
    }

    #[test]
    fn impossible_sizes_are_errors() {
        let texels = [0u8; 4];
        assert_eq!(ImageView::new(&texels, 0, 1).unwrap_err(), ImageError::Empty { width: 0, height: 1 });
        assert_eq!(
            ImageView::with_stride(&texels, 4, 1, 3).unwrap_err(),
            ImageError::Stride { stride: 3, width: 4 }
        );
        assert!(matches!(
            ImageView::with_stride(&texels, u32::MAX, u32::MAX, usize::MAX),
            Err(ImageError::TooShort { .. })
        ));
    }
}
