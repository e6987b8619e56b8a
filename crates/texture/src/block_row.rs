//! Rows of an image in the form that an encoder takes, and rows of blocks.

use crate::{Image, Texel, TexelType};
use half::f16;

/// Buffer for a row of texels in any form.
pub(crate) type RowBuffer = Vec<u64>;

/// Texel of four channels: the forms that encoders take, and single floats.
pub(crate) trait Form: Texel {
    /// Returns row `y` of `image`, converted into `buffer` if it has another form.
    fn row<'a>(image: &'a dyn Image, y: u32, buffer: &'a mut [Self]) -> &'a [Self];

    /// Returns rows of `image`, one for each `y`. The buffers may be reused for other rows.
    fn rows<'a, const COUNT: usize>(
        image: &'a dyn Image,
        ys: [u32; COUNT],
        buffers: &'a mut [RowBuffer; COUNT],
    ) -> [&'a [Self]; COUNT] {
        let is_converted = image.texel_type() != TexelType::of::<Self>();
        let width = if is_converted { image.size()[0] as usize } else { 0 };
        let mut ys = ys.into_iter();
        buffers.each_mut().map(|buffer| {
            let size = (width * size_of::<Self>()).div_ceil(size_of::<u64>());
            if buffer.len() < size {
                buffer.resize(size, 0);
            }
            let texels = &mut bytemuck::cast_slice_mut(buffer)[..width];
            Self::row(image, ys.next().expect("a row for each buffer"), texels)
        })
    }
}

impl Form for [u8; 4] {
    fn row<'a>(image: &'a dyn Image, y: u32, buffer: &'a mut [Self]) -> &'a [Self] {
        image.row_rgba8(y, buffer)
    }
}

impl Form for [u16; 4] {
    fn row<'a>(image: &'a dyn Image, y: u32, buffer: &'a mut [Self]) -> &'a [Self] {
        image.row_rgba16(y, buffer)
    }
}

impl Form for [f16; 4] {
    fn row<'a>(image: &'a dyn Image, y: u32, buffer: &'a mut [Self]) -> &'a [Self] {
        image.row_rgba_f16(y, buffer)
    }
}

impl Form for [f32; 4] {
    fn row<'a>(image: &'a dyn Image, y: u32, buffer: &'a mut [Self]) -> &'a [Self] {
        image.row_rgba_f32(y, buffer)
    }
}

/// Returns the texels of a row that belong to the block at `column`. The last texel is repeated past the end.
#[inline(always)]
pub(crate) fn four<T: Copy>(row: &[T], column: usize) -> [T; 4] {
    match row.get(column * 4..).and_then(|rest| rest.first_chunk()) {
        Some(four) => *four,
        None => [0, 1, 2, 3].map(|x| row[(column * 4 + x).min(row.len() - 1)]),
    }
}

/// Four rows of texels: a row of blocks.
pub(crate) struct BlockRow<'a, T> {
    /// Rows with the image's width. Past the lower edge, the last row is repeated.
    pub rows: [&'a [T]; 4],
    /// Number of the rows that are in the image, 1 to 4.
    pub visible_rows: u32,
}

impl<'a, T: Form> BlockRow<'a, T> {
    /// Returns the row of blocks `row` of an image.
    pub fn of(image: &'a dyn Image, row: u32, buffers: &'a mut [RowBuffer; 4]) -> Self {
        let height = image.size()[1];
        let y = row * 4;
        let rows = T::rows(image, [0, 1, 2, 3].map(|k| (y + k).min(height - 1)), buffers);
        Self { rows, visible_rows: (height - y).min(4) }
    }
}

impl<T: Copy> BlockRow<'_, T> {
    /// Returns the 16 texels of the block at `column`. Texels past the right edge repeat the edge.
    #[inline(always)]
    pub fn block(&self, column: usize) -> [T; 16] {
        let [a, b, c, d] = self.rows;
        let (a, b, c, d) = (four(a, column), four(b, column), four(c, column), four(d, column));
        [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], c[0], c[1], c[2], c[3], d[0], d[1], d[2], d[3]]
    }

    /// Returns the width of the image in texels.
    pub fn width(&self) -> usize {
        self.rows[0].len()
    }

    /// Returns the number of columns and rows of the block at `column` that are in the image.
    #[inline]
    pub fn visible(&self, column: usize) -> [u32; 2] {
        [(self.width() - column * 4).min(4) as u32, self.visible_rows]
    }

    /// Returns the mask of the texels of the block at `column` that are in the image, one bit each.
    #[inline]
    pub fn visible_texels(&self, column: usize) -> u16 {
        let [width, height] = self.visible(column);
        let of_row = (1 << width) - 1;
        (0..height).map(|y| of_row << (4 * y)).sum()
    }
}
