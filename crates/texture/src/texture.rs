//! A compressed texture: blocks of every layer, face and mip level with what containers say about them.

use crate::BlockFormat;

/// The shape of a [`Texture`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextureKind {
    /// One image, or `layers` of them where that is above 1.
    D2,
    /// Six square faces a layer, in the order +X, −X, +Y, −Y, +Z, −Z.
    Cube,
    /// `depth` slices, halved at each mip level.
    D3,
}

/// What the stored numbers mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorSpace {
    /// Samplers convert red, green and blue from the sRGB transfer function.
    Srgb,
    /// Samplers return the numbers as they are.
    Linear,
}

impl ColorSpace {
    /// The colour space that a DXGI or Vulkan format name states: sRGB where it contains `SRGB`, linear where
    /// it contains `UNORM`, nothing for short names such as `bc1`.
    pub fn of_format_name(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        if lower.contains("srgb") {
            Some(Self::Srgb)
        } else if lower.contains("unorm") {
            Some(Self::Linear)
        } else {
            None
        }
    }
}

/// How alpha is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AlphaMode {
    /// Every texel is opaque.
    Opaque,
    /// Colour is not multiplied by alpha. BC1's punch-through alpha is straight.
    Straight,
    /// Colour is multiplied by alpha.
    Premultiplied,
}

/// Compressed images with layers, faces and mip levels.
///
/// Layout of `data`: layer by layer, in a layer face by face, in a face level by level from the largest, in a
/// level (of a 3D texture) slice by slice, in a slice row of blocks by row of blocks. This is the order of DDS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Block format of every image.
    pub format: BlockFormat,
    /// Shape.
    pub kind: TextureKind,
    /// Width of level 0 in texels.
    pub width: u32,
    /// Height of level 0 in texels.
    pub height: u32,
    /// Slices of level 0; 1 unless the kind is [`TextureKind::D3`].
    pub depth: u32,
    /// Array layers, at least 1 (a cube counts as one).
    pub layers: u32,
    /// Mip levels, at least 1.
    pub levels: u32,
    /// What the numbers mean.
    pub color_space: ColorSpace,
    /// How alpha is to be read.
    pub alpha_mode: AlphaMode,
    /// The blocks.
    pub data: Vec<u8>,
}

/// Why a texture cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextureError {
    /// A dimension or count is 0, or does not fit the kind.
    #[error("{reason}")]
    Shape {
        /// What does not fit.
        reason: &'static str,
    },
    /// More mip levels than halving the size allows.
    #[error("{levels} mip levels, but {width}×{height}×{depth} has at most {most}")]
    Levels {
        /// Levels asked for.
        levels: u32,
        /// Levels there can be.
        most: u32,
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
        /// Depth in texels.
        depth: u32,
    },
    /// The data is not as long as the shape says.
    #[error("the shape needs {needed} bytes of blocks, {given} are there")]
    DataLength {
        /// Bytes needed; `u64::MAX` where the count does not fit.
        needed: u64,
        /// Bytes given.
        given: u64,
    },
}

impl Texture {
    /// A 2D texture of one layer from the blocks of its levels, one after the other.
    ///
    /// # Errors
    /// [`TextureError`] if the shape is impossible or `data` has another length than the shape needs.
    pub fn new_2d(
        format: BlockFormat,
        width: u32,
        height: u32,
        levels: u32,
        color_space: ColorSpace,
        alpha_mode: AlphaMode,
        data: Vec<u8>,
    ) -> Result<Self, TextureError> {
        let texture = Self {
            format,
            kind: TextureKind::D2,
            width,
            height,
            depth: 1,
            layers: 1,
            levels,
            color_space,
            alpha_mode,
            data,
        };
        texture.check()?;
        Ok(texture)
    }

    /// Mip levels from `width` × `height` × `depth` down to 1×1×1.
    pub fn full_level_count(width: u32, height: u32, depth: u32) -> u32 {
        width.max(height).max(depth).max(1).ilog2() + 1
    }

    /// Faces a layer: 6 for a cube, else 1.
    pub fn faces(&self) -> u32 {
        if self.kind == TextureKind::Cube { 6 } else { 1 }
    }

    /// Width, height and depth of `level` in texels, each at least 1.
    pub fn level_size(&self, level: u32) -> [u32; 3] {
        [self.width, self.height, self.depth].map(|side| side.checked_shr(level).unwrap_or(0).max(1))
    }

    /// Bytes of one face of `level`, all slices; `u64::MAX` where the count does not fit.
    pub fn level_bytes(&self, level: u32) -> u64 {
        let [width, height, depth] = self.level_size(level);
        self.format.image_bytes(width, height).saturating_mul(u64::from(depth))
    }

    /// Bytes of the whole texture; `u64::MAX` where the count does not fit.
    pub fn data_bytes(&self) -> u64 {
        let face = (0..self.levels).fold(0u64, |sum, level| sum.saturating_add(self.level_bytes(level)));
        face.saturating_mul(u64::from(self.faces())).saturating_mul(u64::from(self.layers))
    }

    /// Checks that the shape is possible and `data` as long as it needs.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn check(&self) -> Result<(), TextureError> {
        self.check_shape()?;
        let (needed, given) = (self.data_bytes(), self.data.len() as u64);
        if needed != given {
            return Err(TextureError::DataLength { needed, given });
        }
        Ok(())
    }

    /// Checks that the shape is possible, whatever `data` holds: what readers ask before they allocate it.
    ///
    /// # Errors
    /// The first thing that does not fit; never [`TextureError::DataLength`].
    pub fn check_shape(&self) -> Result<(), TextureError> {
        check_shape(self.kind, [self.width, self.height, self.depth], self.layers, self.levels)
    }

    /// The blocks of one face of one level, all slices.
    ///
    /// # Panics
    /// If `layer`, `face` or `level` does not exist, or [`Texture::check`] would fail.
    pub fn image(&self, layer: u32, face: u32, level: u32) -> &[u8] {
        assert!(layer < self.layers && face < self.faces() && level < self.levels);
        let face_bytes: u64 = (0..self.levels).map(|level| self.level_bytes(level)).sum();
        let before: u64 = (0..level).map(|level| self.level_bytes(level)).sum();
        let index = u64::from(layer) * u64::from(self.faces()) + u64::from(face);
        let start = (index * face_bytes + before) as usize;
        &self.data[start..start + self.level_bytes(level) as usize]
    }
}

/// [`Texture::check_shape`] for texels in any format.
pub(crate) fn check_shape(
    kind: TextureKind,
    [width, height, depth]: [u32; 3],
    layers: u32,
    levels: u32,
) -> Result<(), TextureError> {
    let shape = |reason| Err(TextureError::Shape { reason });
    if width == 0 || height == 0 || depth == 0 {
        return shape("a side of the texture is 0");
    }
    if layers == 0 || levels == 0 {
        return shape("a texture needs at least one layer and one mip level");
    }
    if kind == TextureKind::Cube && width != height {
        return shape("the faces of a cube are not square");
    }
    if kind != TextureKind::D3 && depth != 1 {
        return shape("only a 3D texture has a depth");
    }
    if kind == TextureKind::D3 && layers != 1 {
        return shape("a 3D texture has no layers");
    }
    let most = Texture::full_level_count(width, height, depth);
    if levels > most {
        return Err(TextureError::Levels { levels, most, width, height, depth });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Texture {
        Texture {
            format: BlockFormat::Bc1,
            kind: TextureKind::Cube,
            width: 8,
            height: 8,
            depth: 1,
            layers: 2,
            levels: 4,
            color_space: ColorSpace::Srgb,
            alpha_mode: AlphaMode::Opaque,
            data: (0..2 * 6 * 7).flat_map(|block| [block as u8; 8]).collect(),
        }
    }

    #[test]
    fn images_lie_layer_face_level() {
        let texture = cube();
        texture.check().unwrap();
        // A face has 4 + 1 + 1 + 1 blocks.
        assert_eq!(texture.image(1, 2, 1), [(6 + 2) * 7 + 4; 8]);
        assert_eq!(texture.image(0, 0, 0).len(), 32);
    }

    #[test]
    fn impossible_shapes_are_named() {
        let error = |change: fn(&mut Texture)| {
            let mut texture = cube();
            change(&mut texture);
            texture.check().unwrap_err().to_string()
        };
        assert_eq!(error(|t| t.levels = 5), "5 mip levels, but 8×8×1 has at most 4");
        assert_eq!(error(|t| t.height = 4), "the faces of a cube are not square");
        assert_eq!(error(|t| t.data.truncate(8)), "the shape needs 672 bytes of blocks, 8 are there");
        assert_eq!(error(|t| t.depth = 2), "only a 3D texture has a depth");
    }
}
