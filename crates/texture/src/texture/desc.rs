//! Description of a texture without its data: format, shape, mip levels, colour space, alpha.

use super::{ImageAxis, NoSuchImage, ShapeFault, Swizzle, SwizzleSource, TextureError, TextureOrientation};
use crate::{BlockFormat, ColorSpace, Image, ImageIndex, TextureFormat};
use std::ops::Range;

/// Shape of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextureKind {
    /// One image, or an array of images if there are several layers.
    D2,
    /// Six square faces per layer, in the order +X, −X, +Y, −Y, +Z, −Z.
    Cube,
    /// `depth` slices, halved at each mip level.
    D3,
}

/// Interpretation of alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AlphaMode {
    /// Every texel is opaque.
    Opaque,
    /// Colour is not multiplied by alpha. BC1's punch-through alpha is straight.
    Straight,
    /// Colour is multiplied by alpha.
    Premultiplied,
}

impl AlphaMode {
    /// Returns the mode that is assumed if none is specified: [`Straight`](Self::Straight) for formats with
    /// alpha, else [`Opaque`](Self::Opaque).
    pub fn usual(format: impl Into<TextureFormat>) -> Self {
        let format: TextureFormat = format.into();
        if format.has_alpha() { Self::Straight } else { Self::Opaque }
    }
}

/// Description of a [`Texture`](crate::Texture): all its properties except the data.
///
/// ```
/// use brickwork_texture::{BlockFormat, ColorSpace, TextureDesc};
///
/// let desc = TextureDesc::new_2d(BlockFormat::Bc1, 768, 512)
///     .with_full_mips()
///     .with_color_space(ColorSpace::Srgb);
/// assert_eq!(desc.mip_levels, 10);
/// assert_eq!(desc.mip_level_size(9), [1, 1, 1]);
/// ```
///
/// The constructors set one layer, one mip level, [`ColorSpace::Linear`] and [`AlphaMode::usual`]. The fields
/// may have any values; [`check`](Self::check), which [`Texture::new`](crate::Texture::new) calls, checks
/// that they are valid together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TextureDesc {
    /// Format of every image.
    pub format: TextureFormat,
    /// Shape.
    pub kind: TextureKind,
    /// Width of mip level 0 in texels.
    pub width: u32,
    /// Height of mip level 0 in texels.
    pub height: u32,
    /// Slices of mip level 0; 1 unless the kind is [`TextureKind::D3`].
    pub depth: u32,
    /// Array layers, at least 1 (a cube counts as one).
    pub layers: u32,
    /// Mip levels, at least 1.
    pub mip_levels: u32,
    /// Colour space of the stored numbers.
    pub color_space: ColorSpace,
    /// Interpretation of alpha.
    pub alpha_mode: AlphaMode,
    /// Directions of the stored texels. Only KTX2 states them.
    pub orientation: TextureOrientation,
    /// Sources of the channels to show. Only KTX2 states them.
    pub swizzle: Swizzle,
}

impl TextureDesc {
    /// Returns a texture with one image of `width` × `height` texels.
    pub fn new_2d(format: impl Into<TextureFormat>, width: u32, height: u32) -> Self {
        Self::new(format.into(), TextureKind::D2, [width, height, 1])
    }

    /// Returns a cube whose faces have `side` × `side` texels.
    pub fn new_cube(format: impl Into<TextureFormat>, side: u32) -> Self {
        Self::new(format.into(), TextureKind::Cube, [side, side, 1])
    }

    /// Returns a 3D texture with `depth` slices of `width` × `height` texels.
    pub fn new_3d(format: impl Into<TextureFormat>, width: u32, height: u32, depth: u32) -> Self {
        Self::new(format.into(), TextureKind::D3, [width, height, depth])
    }

    /// Returns a 2D texture in `format` with the size of `image`.
    pub fn of_image(image: &dyn Image, format: impl Into<TextureFormat>) -> Self {
        let [width, height] = image.size();
        Self::new_2d(format, width, height)
    }

    /// Returns the common part of the other constructors, for readers of files.
    pub(crate) fn new(format: TextureFormat, kind: TextureKind, [width, height, depth]: [u32; 3]) -> Self {
        Self {
            format,
            kind,
            width,
            height,
            depth,
            layers: 1,
            mip_levels: 1,
            color_space: ColorSpace::Linear,
            alpha_mode: AlphaMode::usual(format),
            orientation: TextureOrientation::default(),
            swizzle: Swizzle::IDENTITY,
        }
    }

    /// Sets the number of array layers. Default: 1.
    pub fn with_layers(self, layers: u32) -> Self {
        Self { layers, ..self }
    }

    /// Sets the number of mip levels, including the largest. Default: 1.
    pub fn with_mip_levels(self, mip_levels: u32) -> Self {
        Self { mip_levels, ..self }
    }

    /// Sets [`full_mip_levels`](Self::full_mip_levels) mip levels.
    pub fn with_full_mips(self) -> Self {
        self.with_mip_levels(self.full_mip_levels())
    }

    /// Sets the colour space. [`ColorSpace::Srgb`] is for formats with an sRGB variant
    /// ([`TextureFormat::has_srgb`]). Default: [`ColorSpace::Linear`].
    pub fn with_color_space(self, color_space: ColorSpace) -> Self {
        Self { color_space, ..self }
    }

    /// Sets the alpha mode. Default: [`AlphaMode::usual`].
    pub fn with_alpha_mode(self, alpha_mode: AlphaMode) -> Self {
        Self { alpha_mode, ..self }
    }

    /// Sets the directions of the stored texels. Default: to the right, down, into the screen.
    pub fn with_orientation(self, orientation: TextureOrientation) -> Self {
        Self { orientation, ..self }
    }

    /// Sets the sources of the channels to show. Default: [`Swizzle::IDENTITY`].
    pub fn with_swizzle(self, swizzle: Swizzle) -> Self {
        Self { swizzle, ..self }
    }

    /// True for normals in BC3 with x in alpha and y in green: the swizzle is `ag11`, which DDS states by a
    /// flag. DDS states no other swizzle.
    pub fn has_x_in_alpha(&self) -> bool {
        use SwizzleSource::{Alpha, Green, One};
        self.format == BlockFormat::Bc3 && self.swizzle == Swizzle([Alpha, Green, One, One])
    }

    /// Returns the number of mip levels from full size down to 1×1×1, which is the maximum.
    pub fn full_mip_levels(&self) -> u32 {
        full_mip_levels([self.width, self.height, self.depth])
    }

    /// Returns the number of faces per layer: 6 for a cube, else 1.
    pub fn faces(&self) -> u32 {
        if self.kind == TextureKind::Cube { 6 } else { 1 }
    }

    /// Returns the width, height and depth of `mip_level` in texels, each at least 1.
    pub fn mip_level_size(&self, mip_level: u32) -> [u32; 3] {
        [self.width, self.height, self.depth].map(|side| side.checked_shr(mip_level).unwrap_or(0).max(1))
    }

    /// Returns the size of one face of `mip_level` in bytes, with all slices; `u64::MAX` if the number does
    /// not fit.
    pub fn mip_level_bytes(&self, mip_level: u32) -> u64 {
        let [width, height, depth] = self.mip_level_size(mip_level);
        self.format.image_bytes(width, height).saturating_mul(u64::from(depth))
    }

    /// Returns the size of all images in bytes; `u64::MAX` if the number does not fit.
    pub fn data_bytes(&self) -> u64 {
        self.bytes_before(self.mip_levels).saturating_mul(self.face_count())
    }

    /// Returns the number of texels of all mip levels, faces, layers and slices; `u64::MAX` if it does not
    /// fit.
    pub fn texel_count(&self) -> u64 {
        let of_level = |mip_level| {
            self.mip_level_size(mip_level)
                .into_iter()
                .fold(1u64, |texels, side| texels.saturating_mul(side.into()))
        };
        let face = (0..self.mip_levels).map(of_level).fold(0, u64::saturating_add);
        face.saturating_mul(self.face_count())
    }

    /// Returns the number of faces of all layers. Each has all mip levels.
    pub(crate) fn face_count(&self) -> u64 {
        u64::from(self.layers) * u64::from(self.faces())
    }

    /// Returns the size of the mip levels of a face before `mip_level` in bytes; `u64::MAX` if the number
    /// does not fit.
    fn bytes_before(&self, mip_level: u32) -> u64 {
        (0..mip_level).map(|mip_level| self.mip_level_bytes(mip_level)).fold(0, u64::saturating_add)
    }

    /// Fails unless the texture has this image.
    pub(crate) fn check_image(&self, index: ImageIndex) -> Result<(), NoSuchImage> {
        let [.., depth] = self.mip_level_size(index.mip_level);
        for (axis, asked, count) in [
            (ImageAxis::Layer, index.layer, self.layers),
            (ImageAxis::Face, index.face, self.faces()),
            (ImageAxis::MipLevel, index.mip_level, self.mip_levels),
            (ImageAxis::Slice, index.slice, depth),
        ] {
            if asked >= count {
                return Err(NoSuchImage { axis, asked, last: count - 1 });
            }
        }
        Ok(())
    }

    /// Returns the range in [`Texture::data`](crate::Texture::data) of one face of one mip level, with all
    /// slices. Only for a texture whose data can be allocated, so that nothing overflows.
    pub(crate) fn image_range(&self, layer: u32, face: u32, mip_level: u32) -> Range<usize> {
        let index = u64::from(layer) * u64::from(self.faces()) + u64::from(face);
        let start = index * self.bytes_before(self.mip_levels) + self.bytes_before(mip_level);
        start as usize..(start + self.mip_level_bytes(mip_level)) as usize
    }

    /// Checks that the fields are valid together: that such a texture can exist, with any data.
    ///
    /// # Errors
    /// The first error; never [`TextureError::DataLength`].
    pub fn check(&self) -> Result<(), TextureError> {
        check_shape(self.kind, [self.width, self.height, self.depth], self.layers, self.mip_levels)?;
        if self.color_space == ColorSpace::Srgb && !self.format.has_srgb() {
            return Err(TextureError::NoSrgb { format: self.format });
        }
        Ok(())
    }
}

/// Returns the [`TextureDesc::full_mip_levels`] of a size.
pub(crate) fn full_mip_levels(size: [u32; 3]) -> u32 {
    size.into_iter().fold(1, u32::max).ilog2() + 1
}

/// Performs [`TextureDesc::check`] for texels in any format.
pub(crate) fn check_shape(
    kind: TextureKind,
    [width, height, depth]: [u32; 3],
    layers: u32,
    mip_levels: u32,
) -> Result<(), TextureError> {
    let shape = |fault| Err(TextureError::Shape(fault));
    if width == 0 || height == 0 || depth == 0 {
        return shape(ShapeFault::NoTexels);
    }
    if layers == 0 || mip_levels == 0 {
        return shape(ShapeFault::NoImages);
    }
    if kind == TextureKind::Cube && width != height {
        return shape(ShapeFault::OblongCube);
    }
    if kind != TextureKind::D3 && depth != 1 {
        return shape(ShapeFault::Depth);
    }
    if kind == TextureKind::D3 && layers != 1 {
        return shape(ShapeFault::Layers);
    }
    let most = full_mip_levels([width, height, depth]);
    if mip_levels > most {
        return Err(TextureError::MipLevels { mip_levels, most, width, height, depth });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlainFormat;

    #[test]
    fn impossible_shapes_are_named() {
        let cube = TextureDesc::new_cube(BlockFormat::Bc1, 8).with_layers(2);
        let error = |desc: TextureDesc| desc.check().unwrap_err().to_string();
        assert_eq!(cube.with_full_mips().check(), Ok(()));
        assert_eq!(error(cube.with_mip_levels(5)), "5 mip levels, but 8×8×1 has at most 4");
        assert_eq!(error(TextureDesc { height: 4, ..cube }), "the faces of a cube are not square");
        assert_eq!(error(TextureDesc { depth: 2, ..cube }), "only a 3D texture has a depth");
        assert_eq!(error(cube.with_layers(0)), "a texture needs at least one layer and one mip level");
        let volume = TextureDesc::new_3d(BlockFormat::Bc4Unorm, 8, 8, 16);
        assert_eq!(error(volume.with_layers(2)), "a 3D texture has no layers");
        assert_eq!(volume.with_full_mips().mip_levels, 5);
        assert_eq!(error(TextureDesc { width: 0, ..volume }), "a side of the texture is 0");
    }

    #[test]
    fn formats_without_an_srgb_variant_are_linear() {
        for format in TextureFormat::all() {
            let desc = TextureDesc::new_2d(format, 4, 4);
            let expected = if format.has_srgb() { Ok(()) } else { Err(TextureError::NoSrgb { format }) };
            assert_eq!(desc.with_color_space(ColorSpace::Srgb).check(), expected, "{format}");
            assert_eq!(desc.check(), Ok(()));
        }
        assert!(!TextureFormat::from(BlockFormat::Bc4Unorm).has_srgb());
    }

    #[test]
    fn counts_that_do_not_fit_saturate() {
        let huge = TextureDesc::new_3d(BlockFormat::Bc7, u32::MAX, u32::MAX, u32::MAX).with_full_mips();
        assert_eq!(huge.check(), Ok(()));
        assert_eq!((huge.data_bytes(), huge.texel_count()), (u64::MAX, u64::MAX));
        let cube = TextureDesc::new_cube(BlockFormat::Bc1, 8).with_layers(2).with_full_mips();
        assert_eq!((cube.data_bytes(), cube.texel_count()), (2 * 6 * 7 * 8, 2 * 6 * (64 + 16 + 4 + 1)));
        let plain = TextureDesc::new_2d(PlainFormat::Rg16Float, 5, 3).with_full_mips();
        assert_eq!((plain.data_bytes(), plain.alpha_mode), (4 * (15 + 2 + 1), AlphaMode::Opaque));
    }
}
