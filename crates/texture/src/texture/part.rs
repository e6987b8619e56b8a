//! Part of a texture as a texture: some mip levels and layers, one face, one slice. Data is copied.

use super::{ImageAxis, NoSuchImage, Texture, TextureDesc, TextureKind};
use crate::{ErrorKind, ImageIndex};
use std::ops::Range;

/// Selection of images of a texture, for [`Texture::part`]. Default: all images.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TexturePart {
    /// Selected mip levels; the first becomes mip level 0. Default: all.
    pub mip_levels: Option<Range<u32>>,
    /// Selected array layers. Default: all.
    pub layers: Option<Range<u32>>,
    /// Selected face. A cube then becomes a 2D texture. Default: all.
    pub face: Option<u32>,
    /// Selected slice, counted in the selected mip level. A 3D texture then becomes a 2D texture. Default:
    /// all.
    pub slice: Option<u32>,
}

/// The reason why a part of a texture was not returned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// The texture does not have an image that is selected.
    #[error(transparent)]
    NoSuchImage(#[from] NoSuchImage),
    /// A range selects nothing.
    #[error("the range of {axis}s from {start} to {end} is empty")]
    Empty {
        /// The axis of the range.
        axis: ImageAxis,
        /// Start of the range.
        start: u32,
        /// End of the range, which is not part of it.
        end: u32,
    },
    /// A slice of several mip levels is selected. Mip levels of a 3D texture differ in depth.
    #[error("a slice belongs to one mip level, and {mip_levels} are selected")]
    SliceOfLevels {
        /// Number of selected mip levels.
        mip_levels: u32,
    },
    /// There is not enough memory for the data of the part.
    #[error("the part needs {needed} bytes of memory")]
    OutOfMemory {
        /// Bytes needed.
        needed: u64,
    },
}

impl PartError {
    /// Returns the kind: [`ErrorKind::Limit`] without memory, else [`ErrorKind::Argument`].
    pub fn kind(&self) -> ErrorKind {
        if matches!(self, Self::OutOfMemory { .. }) { ErrorKind::Limit } else { ErrorKind::Argument }
    }
}

impl TexturePart {
    /// Returns the selection after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Returns the description of this part of a texture. No data is copied.
    ///
    /// # Errors
    /// [`PartError`] if an image does not exist, a range is empty, or a slice of several mip levels is
    /// selected.
    pub fn desc_of(&self, desc: &TextureDesc) -> Result<TextureDesc, PartError> {
        let [mip_levels, layers] = self.ranges(desc);
        for (axis, range) in [(ImageAxis::MipLevel, &mip_levels), (ImageAxis::Layer, &layers)] {
            if range.is_empty() {
                return Err(PartError::Empty { axis, start: range.start, end: range.end });
            }
        }
        let last = ImageIndex {
            layer: layers.end - 1,
            face: self.face.unwrap_or(0),
            mip_level: mip_levels.end - 1,
            slice: 0,
        };
        desc.check_image(last)?;
        let mip_level_count = mip_levels.end - mip_levels.start;
        if self.slice.is_some() && mip_level_count > 1 {
            return Err(PartError::SliceOfLevels { mip_levels: mip_level_count });
        }
        desc.check_image(ImageIndex { slice: self.slice.unwrap_or(0), ..last })?;
        let mut of_part = desc.with_mip_levels(mip_level_count).with_layers(layers.end - layers.start);
        [of_part.width, of_part.height, of_part.depth] = desc.mip_level_size(mip_levels.start);
        let is_flat = match desc.kind {
            TextureKind::Cube => self.face.is_some(),
            TextureKind::D3 => self.slice.is_some(),
            TextureKind::D2 => false,
        };
        if is_flat {
            of_part.kind = TextureKind::D2;
            of_part.depth = 1;
            of_part.orientation.out = false;
        }
        Ok(of_part)
    }

    /// Returns the selected mip levels and layers.
    fn ranges(&self, desc: &TextureDesc) -> [Range<u32>; 2] {
        [self.mip_levels.clone().unwrap_or(0..desc.mip_levels), self.layers.clone().unwrap_or(0..desc.layers)]
    }
}

impl Texture {
    /// Returns a part of the texture as a texture, with the same data and key/value pairs.
    ///
    /// ```
    /// use brickwork_texture::{BlockFormat, Texture, TextureDesc, TexturePart};
    ///
    /// let desc = TextureDesc::new_2d(BlockFormat::Bc1, 16, 8).with_full_mips();
    /// let texture = Texture::new(desc, vec![7; desc.data_bytes() as usize])?;
    /// let mut part = TexturePart::default();
    /// part.mip_levels = Some(1..desc.mip_levels);
    /// let smaller = texture.part(&part)?;
    /// assert_eq!((smaller.desc().width, smaller.desc().height, smaller.desc().mip_levels), (8, 4, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PartError`] if an image does not exist, a range is empty, a slice of several mip levels is selected,
    /// or there is no memory.
    pub fn part(&self, part: &TexturePart) -> Result<Self, PartError> {
        let desc = *self.desc();
        let of_part = part.desc_of(&desc)?;
        let [mip_levels, layers] = part.ranges(&desc);
        let faces = part.face.map_or(0..desc.faces(), |face| face..face + 1);
        let needed = of_part.data_bytes();
        let mut data = Vec::new();
        let capacity = usize::try_from(needed).ok();
        capacity
            .and_then(|bytes| data.try_reserve_exact(bytes).ok())
            .ok_or(PartError::OutOfMemory { needed })?;
        for layer in layers {
            for face in faces.clone() {
                for mip_level in mip_levels.clone() {
                    let blocks = &self.data[desc.image_range(layer, face, mip_level)];
                    let [width, height, _] = desc.mip_level_size(mip_level);
                    let slice_bytes = desc.format.image_bytes(width, height) as usize;
                    data.extend_from_slice(match part.slice {
                        Some(slice) => &blocks[slice as usize * slice_bytes..][..slice_bytes],
                        None => blocks,
                    });
                }
            }
        }
        Ok(Self { desc: of_part, data, notes: self.notes.clone(), key_values: self.key_values.clone() })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{BlockFormat, PlainFormat};

    /// Returns a texture whose data contains the numbers of its words.
    pub(crate) fn numbered(desc: TextureDesc) -> Texture {
        let bytes = desc.data_bytes();
        let words = (0..bytes.div_ceil(8)).flat_map(u64::to_le_bytes);
        Texture::new(desc, words.take(bytes as usize).collect()).unwrap()
    }

    #[test]
    fn parts_have_the_blocks_of_their_images() {
        let cubes = TextureDesc::new_cube(BlockFormat::Bc1, 10).with_layers(3).with_full_mips();
        let volume = TextureDesc::new_3d(BlockFormat::Bc4Unorm, 9, 5, 7).with_full_mips();
        let plain = TextureDesc::new_3d(PlainFormat::R8Unorm, 5, 3, 4).with_full_mips();
        for desc in [cubes, volume, plain, TextureDesc::new_2d(BlockFormat::Bc7, 13, 6).with_layers(2)] {
            let texture = numbered(desc);
            assert_eq!(texture.part(&TexturePart::default()).unwrap(), texture);
            for layer in 0..desc.layers {
                for face in 0..desc.faces() {
                    for level in 0..desc.mip_levels {
                        let select = TexturePart::default().with(|o| {
                            o.layers = Some(layer..layer + 1);
                            o.mip_levels = Some(level..level + 1);
                            o.face = Some(face);
                        });
                        let part = texture.part(&select).unwrap();
                        assert_eq!(part.data(), texture.image(layer, face, level).unwrap());
                        assert!(part.desc().check().is_ok());
                        let [_, _, depth] = desc.mip_level_size(level);
                        let slices = (0..depth)
                            .map(|slice| texture.part(&select.clone().with(|o| o.slice = Some(slice))));
                        let slices: Vec<_> = slices.map(|slice| slice.unwrap().into_data()).collect();
                        assert_eq!(slices.concat(), part.data(), "{layer} {face} {level}");
                    }
                }
            }
        }
        let texture = numbered(cubes);
        let last = texture
            .part(&TexturePart::default().with(|o| {
                o.layers = Some(1..3);
                o.mip_levels = Some(2..4);
            }))
            .unwrap();
        let expected = TextureDesc::new_cube(BlockFormat::Bc1, 2).with_layers(2).with_full_mips();
        assert_eq!(*last.desc(), expected);
        assert_eq!(last.image(1, 5, 1).unwrap(), texture.image(2, 5, 3).unwrap());
    }

    #[test]
    fn a_part_that_does_not_exist_is_named() {
        let texture = numbered(TextureDesc::new_3d(BlockFormat::Bc1, 8, 8, 4).with_full_mips());
        let all = TexturePart::default();
        let error = |part| texture.part(&part).unwrap_err().to_string();
        assert_eq!(
            error(all.clone().with(|o| o.mip_levels = Some(1..5))),
            "there is no mip level 4, only 0 to 3"
        );
        assert_eq!(
            error(all.clone().with(|o| o.mip_levels = Some(2..2))),
            "the range of mip levels from 2 to 2 is empty"
        );
        assert_eq!(error(all.clone().with(|o| o.layers = Some(0..2))), "there is no layer 1, only layer 0");
        assert_eq!(error(all.clone().with(|o| o.face = Some(1))), "there is no face 1, only face 0");
        assert_eq!(
            error(all.clone().with(|o| o.slice = Some(0))),
            "a slice belongs to one mip level, and 4 are selected"
        );
        let slice = all.with(|o| {
            o.mip_levels = Some(1..2);
            o.slice = Some(2);
        });
        assert_eq!(error(slice), "there is no slice 2, only 0 to 1");
    }
}
