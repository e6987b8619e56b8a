//! Borrowed texels with a width, a height and a stride.

use crate::{ErrorKind, Texel};

/// A borrowed image: rows from top to bottom, texels from left to right, `stride` texels from the start of
/// one row to the start of the next.
///
/// ```
/// use brickwork_texture::ImageView;
///
/// let texels = [[0u8, 0, 0, 255]; 5 * 3];
/// let image = ImageView::new(&texels, 5, 3)?;
/// assert_eq!(image.block_columns(), 2);
/// assert_eq!(image.block(1, 0)[1], [0, 0, 0, 255]); // past the right edge: the edge texel again
/// # Ok::<(), brickwork_texture::ImageError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ImageView<'a, T> {
    texels: &'a [T],
    width: u32,
    height: u32,
    stride: usize,
}

/// The reason why texels cannot be viewed as an image of the size asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// Width or height is 0.
    #[error("an image of {width}×{height} texels has no texel")]
    Empty {
        /// Width asked for, in texels.
        width: u32,
        /// Height asked for, in texels.
        height: u32,
    },
    /// The stride is smaller than the width.
    #[error("a stride of {stride} texels is smaller than the width of {width}")]
    Stride {
        /// Stride asked for, in texels.
        stride: usize,
        /// Width asked for, in texels.
        width: u32,
    },
    /// The slice holds too few texels.
    #[error("{needed} texels are needed and {given} were given")]
    TooShort {
        /// Texels needed.
        needed: u64,
        /// Texels in the slice.
        given: usize,
    },
}

impl ImageError {
    /// Who can act on it: always [`ErrorKind::Argument`].
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Argument
    }
}

impl<'a, T: Texel> ImageView<'a, T> {
    /// An image whose rows follow each other without gaps.
    ///
    /// # Errors
    /// [`ImageError`] if a side is 0 or `texels` is shorter than `width · height`.
    pub fn new(texels: &'a [T], width: u32, height: u32) -> Result<Self, ImageError> {
        Self::with_stride(texels, width, height, width as usize)
    }

    /// An image whose rows start `stride` texels apart. The last row need not be padded.
    ///
    /// # Errors
    /// [`ImageError`] if a side is 0, `stride` is below `width`, or `texels` is too short.
    pub fn with_stride(texels: &'a [T], width: u32, height: u32, stride: usize) -> Result<Self, ImageError> {
        if width == 0 || height == 0 {
            return Err(ImageError::Empty { width, height });
        }
        if stride < width as usize {
            return Err(ImageError::Stride { stride, width });
        }
        let needed = u128::from(height - 1) * stride as u128 + u128::from(width);
        if needed > texels.len() as u128 {
            let needed = u64::try_from(needed).unwrap_or(u64::MAX);
            return Err(ImageError::TooShort { needed, given: texels.len() });
        }
        Ok(Self { texels, width, height, stride })
    }

    /// Width in texels, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in texels, at least 1.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Texels from the start of a row to the start of the next.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Blocks in a row of blocks: the width divided by 4, rounded up.
    pub fn block_columns(&self) -> u32 {
        self.width.div_ceil(4)
    }

    /// Rows of blocks: the height divided by 4, rounded up.
    pub fn block_rows(&self) -> u32 {
        self.height.div_ceil(4)
    }

    /// The texels of row `y`, from left to right.
    ///
    /// # Panics
    /// If `y` is not below the height.
    #[inline]
    pub fn row(&self, y: u32) -> &'a [T] {
        assert!(y < self.height, "row {y} of {}", self.height);
        let start = y as usize * self.stride;
        &self.texels[start..start + self.width as usize]
    }

    /// The 16 texels of the block at `column`, `row`, row by row. Texels past the right or lower edge repeat
    /// the edge.
    ///
    /// # Panics
    /// If the block lies wholly outside the image.
    #[inline]
    pub fn block(&self, column: u32, row: u32) -> [T; 16] {
        assert!(column < self.block_columns() && row < self.block_rows(), "block ({column}, {row})");
        let mut block = [T::zeroed(); 16];
        for (y, texels) in block.chunks_exact_mut(4).enumerate() {
            let source = self.row((row * 4 + y as u32).min(self.height - 1));
            let x = column as usize * 4;
            if let Some(whole) = source.get(x..x + 4) {
                texels.copy_from_slice(whole);
            } else {
                for (i, texel) in texels.iter_mut().enumerate() {
                    *texel = source[(x + i).min(source.len() - 1)];
                }
            }
        }
        block
    }

    /// The four rows of texels in the row of blocks `row`; rows past the lower edge repeat it.
    ///
    /// # Panics
    /// If `row` is not below [`block_rows`](Self::block_rows).
    #[inline]
    pub fn block_row(&self, row: u32) -> [&'a [T]; 4] {
        assert!(row < self.block_rows(), "row {row} of {} rows of blocks", self.block_rows());
        [0, 1, 2, 3].map(|y| self.row((row * 4 + y).min(self.height - 1)))
    }

    /// The rows `first..first + count` as an image of their own.
    ///
    /// # Panics
    /// If `count` is 0 or the rows are not all inside the image.
    pub fn rows(&self, first: u32, count: u32) -> Self {
        assert!(count > 0 && count <= self.height && first <= self.height - count, "rows {first}+{count}");
        Self { texels: &self.texels[first as usize * self.stride..], height: count, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_clamp_at_the_edge() {
        let texels: Vec<u8> = (0..15).collect();
        let image = ImageView::new(&texels, 5, 3).unwrap();
        assert_eq!(image.block(1, 0), [4, 4, 4, 4, 9, 9, 9, 9, 14, 14, 14, 14, 14, 14, 14, 14]);
        assert_eq!(image.block(0, 0), [0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 13, 10, 11, 12, 13]);
    }

    #[test]
    fn stride_skips_padding_and_the_last_row_needs_none() {
        let texels: Vec<u8> = (0..11).collect();
        let image = ImageView::with_stride(&texels, 3, 2, 8).unwrap();
        assert_eq!(image.row(1), [8, 9, 10]);
        assert_eq!(image.rows(1, 1).row(0), [8, 9, 10]);
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
