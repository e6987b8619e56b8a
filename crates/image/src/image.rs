//! Images of any texel type behind one object, which encoders take.

use crate::{ChannelType, ImageView, Texel, TexelType};
use half::f16;
use std::any::TypeId;

/// An image whose texel type is not known at compile time. Every [`ImageView`] is one.
///
/// ```
/// use brickwork_image::{Image, ImageView};
///
/// let (grey, color) = ([7u8; 12], [[0.5f32, 1.0, 0.0]; 12]);
/// let images: [&dyn Image; 2] = [&ImageView::new(&grey, 4, 3)?, &ImageView::new(&color, 4, 3)?];
/// assert!(images.iter().all(|image| image.size() == [4, 3] && !image.has_alpha()));
/// assert_eq!(images[0].row_rgba8(2, &mut [[0; 4]; 4]), [[7, 7, 7, 255]; 4]);
/// # Ok::<(), brickwork_image::ImageError>(())
/// ```
pub trait Image: Sync {
    /// Returns width and height in texels, each at least 1.
    fn size(&self) -> [u32; 2];

    /// Returns the type of the texels.
    fn texel_type(&self) -> TexelType;

    /// Returns the texels of row `y`, from left to right. Channels have the machine's byte order, and the
    /// first byte is at a multiple of a channel's bytes.
    ///
    /// # Panics
    /// If `y` is not below the height.
    fn bytes_of_row(&self, y: u32) -> &[u8];

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

    /// Returns row `y` as by [`Texel::to_rgba8`]. A row of another type is converted into `buffer`, which is
    /// as long as the row.
    fn row_rgba8<'a>(&'a self, y: u32, buffer: &'a mut [[u8; 4]]) -> &'a [[u8; 4]] {
        rgba8(self.texel_type(), self.bytes_of_row(y), buffer)
    }

    /// Returns row `y` as by [`Texel::to_rgba16`], like [`row_rgba8`](Self::row_rgba8).
    fn row_rgba16<'a>(&'a self, y: u32, buffer: &'a mut [[u16; 4]]) -> &'a [[u16; 4]] {
        rgba16(self.texel_type(), self.bytes_of_row(y), buffer)
    }

    /// Returns row `y` as by [`Texel::to_rgba_f16`], like [`row_rgba8`](Self::row_rgba8).
    fn row_rgba_f16<'a>(&'a self, y: u32, buffer: &'a mut [[f16; 4]]) -> &'a [[f16; 4]] {
        rgba_f16(self.texel_type(), self.bytes_of_row(y), buffer)
    }

    /// Returns row `y` as by [`Texel::to_rgba_f32`], like [`row_rgba8`](Self::row_rgba8).
    fn row_rgba_f32<'a>(&'a self, y: u32, buffer: &'a mut [[f32; 4]]) -> &'a [[f32; 4]] {
        rgba_f32(self.texel_type(), self.bytes_of_row(y), buffer)
    }
}

impl<I: Image + ?Sized> Image for &I {
    fn size(&self) -> [u32; 2] {
        (**self).size()
    }

    fn texel_type(&self) -> TexelType {
        (**self).texel_type()
    }

    fn bytes_of_row(&self, y: u32) -> &[u8] {
        (**self).bytes_of_row(y)
    }
}

impl<T: Texel> Image for ImageView<'_, T> {
    fn size(&self) -> [u32; 2] {
        [self.width(), self.height()]
    }

    fn texel_type(&self) -> TexelType {
        TexelType::of::<T>()
    }

    fn bytes_of_row(&self, y: u32) -> &[u8] {
        bytemuck::cast_slice(self.row(y))
    }
}

/// Defines a function that converts a row of texels of a type to a form, by a method of [`Texel`].
macro_rules! row_function {
    ($name:ident, $form:ty, $convert:ident) => {
        fn $name<'a>(texel_type: TexelType, row: &'a [u8], buffer: &'a mut [$form]) -> &'a [$form] {
            match (texel_type.channel_type(), texel_type.channel_count()) {
                (ChannelType::U8, 1) => converted(row, buffer, <u8 as Texel>::$convert),
                (ChannelType::U8, 2) => converted(row, buffer, <[u8; 2] as Texel>::$convert),
                (ChannelType::U8, 3) => converted(row, buffer, <[u8; 3] as Texel>::$convert),
                (ChannelType::U8, _) => converted(row, buffer, <[u8; 4] as Texel>::$convert),
                (ChannelType::U16, 1) => converted(row, buffer, <u16 as Texel>::$convert),
                (ChannelType::U16, 2) => converted(row, buffer, <[u16; 2] as Texel>::$convert),
                (ChannelType::U16, 3) => converted(row, buffer, <[u16; 3] as Texel>::$convert),
                (ChannelType::U16, _) => converted(row, buffer, <[u16; 4] as Texel>::$convert),
                (ChannelType::F16, 1) => converted(row, buffer, <f16 as Texel>::$convert),
                (ChannelType::F16, 2) => converted(row, buffer, <[f16; 2] as Texel>::$convert),
                (ChannelType::F16, 3) => converted(row, buffer, <[f16; 3] as Texel>::$convert),
                (ChannelType::F16, _) => converted(row, buffer, <[f16; 4] as Texel>::$convert),
                (ChannelType::F32, 1) => converted(row, buffer, <f32 as Texel>::$convert),
                (ChannelType::F32, 2) => converted(row, buffer, <[f32; 2] as Texel>::$convert),
                (ChannelType::F32, 3) => converted(row, buffer, <[f32; 3] as Texel>::$convert),
                (ChannelType::F32, _) => converted(row, buffer, <[f32; 4] as Texel>::$convert),
            }
        }
    };
}

row_function!(rgba8_of_any, [u8; 4], to_rgba8);
row_function!(rgba16, [u16; 4], to_rgba16);
row_function!(rgba_f16, [f16; 4], to_rgba_f16);
row_function!(rgba_f32, [f32; 4], to_rgba_f32);

/// Returns `row` itself if it has the requested form, else `buffer` with each texel converted.
#[inline]
fn converted<'a, T: Texel, F: bytemuck::Pod>(
    row: &'a [u8],
    buffer: &'a mut [F],
    convert: impl Fn(T) -> F,
) -> &'a [F] {
    if TypeId::of::<T>() == TypeId::of::<F>() {
        return bytemuck::cast_slice(row);
    }
    for (converted, &texel) in buffer.iter_mut().zip(bytemuck::cast_slice::<_, T>(row)) {
        *converted = convert(texel);
    }
    buffer
}

/// Returns a row as 8-bit RGBA.
fn rgba8<'a>(texel_type: TexelType, row: &'a [u8], buffer: &'a mut [[u8; 4]]) -> &'a [[u8; 4]] {
    if texel_type == TexelType::RGB8 {
        return opaque(bytemuck::cast_slice(row), buffer);
    }
    rgba8_of_any(texel_type, row, buffer)
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
