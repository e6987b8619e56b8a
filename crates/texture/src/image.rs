//! Images of any texel type behind one object, which encoders take.

use crate::{ChannelType, ImageView, Texel, TexelType};
use half::f16;
use std::any::TypeId;

/// An image whose texel type is not known at compile time. Every [`ImageView`] and every
/// [`MipLevel`](crate::mips::MipLevel) is one. The trait is sealed.
///
/// ```
/// use brickwork_texture::{Image, ImageView};
///
/// let (grey, color) = ([7u8; 12], [[0.5f32, 1.0, 0.0]; 12]);
/// let images: [&dyn Image; 2] = [&ImageView::new(&grey, 4, 3)?, &ImageView::new(&color, 4, 3)?];
/// assert!(images.iter().all(|image| image.size() == [4, 3] && !image.has_alpha()));
/// # Ok::<(), brickwork_texture::ImageError>(())
/// ```
pub trait Image: sealed::Rows {
    /// Returns width and height in texels, each at least 1.
    fn size(&self) -> [u32; 2];

    /// True if the texels store alpha.
    fn has_alpha(&self) -> bool {
        self.texel_type().has_alpha()
    }

    /// Returns the type of the channels.
    fn channel_type(&self) -> ChannelType {
        self.texel_type().channel_type()
    }

    /// Returns the size of the texels in bytes, without padding between rows.
    fn texel_bytes(&self) -> u64 {
        let [width, height] = self.size().map(u64::from);
        (width * height).saturating_mul(self.texel_type().bytes().into())
    }
}

pub(crate) mod sealed {
    use super::{TexelType, f16};

    /// Access of the crate to an [`Image`](super::Image). If a row has another form than the image, it is
    /// converted into `buffer`, which is as long as the row.
    pub trait Rows: Sync {
        fn texel_type(&self) -> TexelType;
        fn bytes_of_row(&self, y: u32) -> &[u8];
        fn row_rgba8<'a>(&'a self, y: u32, buffer: &'a mut [[u8; 4]]) -> &'a [[u8; 4]];
        fn row_rgba16<'a>(&'a self, y: u32, buffer: &'a mut [[u16; 4]]) -> &'a [[u16; 4]];
        fn row_rgba_f16<'a>(&'a self, y: u32, buffer: &'a mut [[f16; 4]]) -> &'a [[f16; 4]];
        fn row_rgba_f32<'a>(&'a self, y: u32, buffer: &'a mut [[f32; 4]]) -> &'a [[f32; 4]];
    }
}

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

/// Returns `row` itself if it has the requested form, else `buffer` with each texel converted.
#[inline]
pub(crate) fn converted<'a, T: Texel, F: bytemuck::Pod>(
    row: &'a [T],
    buffer: &'a mut [F],
    convert: impl Fn(T) -> F,
) -> &'a [F] {
    if TypeId::of::<T>() == TypeId::of::<F>() {
        return bytemuck::cast_slice(row);
    }
    for (converted, &texel) in buffer.iter_mut().zip(row) {
        *converted = convert(texel);
    }
    buffer
}

/// Returns a row as 8-bit RGBA.
#[inline]
pub(crate) fn rgba8<'a, T: Texel>(row: &'a [T], buffer: &'a mut [[u8; 4]]) -> &'a [[u8; 4]] {
    if TypeId::of::<T>() == TypeId::of::<[u8; 3]>() {
        return opaque(bytemuck::cast_slice(row), buffer);
    }
    converted(row, buffer, T::to_rgba8)
}

/// Returns 8-bit RGB, as in most files, with alpha. Converts four texels at a time.
fn opaque<'a>(row: &[[u8; 3]], buffer: &'a mut [[u8; 4]]) -> &'a [[u8; 4]] {
    const OPAQUE: u32 = 255 << 24;
    let (fours, rest) = row.as_chunks::<4>();
    let (fours_out, rest_out) = buffer.as_chunks_mut::<4>();
    for (four, out) in fours.iter().zip(fours_out) {
        let [a, b, c] = bytemuck::cast::<_, [[u8; 4]; 3]>(*four).map(u32::from_le_bytes);
        let texels = [a, a >> 24 | b << 8, b >> 16 | c << 16, c >> 8];
        *out = texels.map(|texel| (texel | OPAQUE).to_le_bytes());
    }
    for (&[r, g, b], out) in rest.iter().zip(rest_out) {
        *out = [r, g, b, 255];
    }
    buffer
}

impl<T: Texel> sealed::Rows for ImageView<'_, T> {
    fn texel_type(&self) -> TexelType {
        TexelType::of::<T>()
    }
    fn bytes_of_row(&self, y: u32) -> &[u8] {
        bytemuck::cast_slice(self.row(y))
    }
    fn row_rgba8<'a>(&'a self, y: u32, buffer: &'a mut [[u8; 4]]) -> &'a [[u8; 4]] {
        rgba8(self.row(y), buffer)
    }
    fn row_rgba16<'a>(&'a self, y: u32, buffer: &'a mut [[u16; 4]]) -> &'a [[u16; 4]] {
        converted(self.row(y), buffer, T::to_rgba16)
    }
    fn row_rgba_f16<'a>(&'a self, y: u32, buffer: &'a mut [[f16; 4]]) -> &'a [[f16; 4]] {
        converted(self.row(y), buffer, T::to_rgba_f16)
    }
    fn row_rgba_f32<'a>(&'a self, y: u32, buffer: &'a mut [[f32; 4]]) -> &'a [[f32; 4]] {
        converted(self.row(y), buffer, T::to_rgba_f32)
    }
}

impl<I: sealed::Rows + ?Sized> sealed::Rows for &I {
    fn texel_type(&self) -> TexelType {
        (**self).texel_type()
    }
    fn bytes_of_row(&self, y: u32) -> &[u8] {
        (**self).bytes_of_row(y)
    }
    fn row_rgba8<'a>(&'a self, y: u32, buffer: &'a mut [[u8; 4]]) -> &'a [[u8; 4]] {
        (**self).row_rgba8(y, buffer)
    }
    fn row_rgba16<'a>(&'a self, y: u32, buffer: &'a mut [[u16; 4]]) -> &'a [[u16; 4]] {
        (**self).row_rgba16(y, buffer)
    }
    fn row_rgba_f16<'a>(&'a self, y: u32, buffer: &'a mut [[f16; 4]]) -> &'a [[f16; 4]] {
        (**self).row_rgba_f16(y, buffer)
    }
    fn row_rgba_f32<'a>(&'a self, y: u32, buffer: &'a mut [[f32; 4]]) -> &'a [[f32; 4]] {
        (**self).row_rgba_f32(y, buffer)
    }
}

impl<I: Image + ?Sized> Image for &I {
    fn size(&self) -> [u32; 2] {
        (**self).size()
    }
}

impl<T: Texel> Image for ImageView<'_, T> {
    fn size(&self) -> [u32; 2] {
        [self.width(), self.height()]
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
