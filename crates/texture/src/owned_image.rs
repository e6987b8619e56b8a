//! Texels that an image owns.

use crate::{
    Image, ImageError, ImageView, Texel, TexelType,
    image::{converted, rgba8, sealed::Rows},
};
use half::f16;

/// An image whose texels are in a vector, row by row without gaps.
pub(crate) struct OwnedImage<T> {
    texels: Vec<T>,
    size: [u32; 2],
}

impl<T: Texel> OwnedImage<T> {
    /// Returns `texels` as an image of this width and height.
    ///
    /// # Errors
    /// [`ImageError`] if a side is 0 or there are too few texels.
    pub fn new(texels: Vec<T>, width: u32, height: u32) -> Result<Self, ImageError> {
        ImageView::new(&texels, width, height)?;
        Ok(Self { texels, size: [width, height] })
    }

    fn row(&self, y: u32) -> &[T] {
        let width = self.size[0] as usize;
        &self.texels[y as usize * width..][..width]
    }
}

impl<T: Texel> Image for OwnedImage<T> {
    fn size(&self) -> [u32; 2] {
        self.size
    }
}

impl<T: Texel> Rows for OwnedImage<T> {
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
