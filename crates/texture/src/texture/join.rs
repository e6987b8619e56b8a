//! Several textures as one: layers of an array, faces of a cube, slices of a 3D texture, mip levels. Data is
//! copied.

use super::{AlphaMode, Texture, TextureDesc, TextureError, TextureKind};
use crate::{ColorSpace, ErrorKind};

/// Role of textures that [`Texture::join`] joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JoinAs {
    /// The layers of an array: 2D textures or cubes, or arrays of them.
    Layers,
    /// The faces of a cube, in the order +X, −X, +Y, −Y, +Z, −Z: six square 2D textures, or six for each cube
    /// of an array.
    Faces,
    /// The slices of a 3D texture: 2D textures with one mip level.
    Slices,
    /// The mip levels of one texture of any kind, the largest first. A texture may have several.
    MipLevels,
}

/// The reason why textures were not joined. Textures are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// There is no texture.
    #[error("there is no texture to join")]
    Empty,
    /// The number of faces is not a multiple of 6.
    #[error("a cube has six faces, and the number of textures is {given}")]
    FaceCount {
        /// Number of textures.
        given: usize,
    },
    /// A texture cannot have the role.
    #[error("texture {index} is {found}; {needed} are joined")]
    Kind {
        /// Number of the texture.
        index: usize,
        /// The texture's shape, such as `a cube`.
        found: &'static str,
        /// Possible shapes, such as `2D textures of one layer`.
        needed: &'static str,
    },
    /// A texture differs from the first.
    #[error("texture {index} has {found}, the first texture {first}")]
    Differs {
        /// Number of the texture.
        index: usize,
        /// The property of the first texture, such as `8×8`.
        first: String,
        /// The property of this texture with its name, such as `the size 4×8`.
        found: String,
    },
    /// A texture does not have the size of the mip level that it would be.
    #[error("texture {index} is {}, but mip level {mip_level} is {}", sides(*found), sides(*needed))]
    LevelSize {
        /// Number of the texture.
        index: usize,
        /// Number of the mip level.
        mip_level: u32,
        /// Width, height and depth of the mip level, in texels.
        needed: [u32; 3],
        /// Width, height and depth of the texture.
        found: [u32; 3],
    },
    /// The mip levels before this one end at 1×1.
    #[error("texture {index} follows the smallest mip level")]
    LevelCount {
        /// Number of the texture.
        index: usize,
    },
    /// The textures do not form a valid texture.
    #[error(transparent)]
    Texture(#[from] TextureError),
    /// There is not enough memory for the data of all textures.
    #[error("all textures need {needed} bytes of memory")]
    OutOfMemory {
        /// Bytes needed.
        needed: u64,
    },
}

impl JoinError {
    /// Returns the kind: [`ErrorKind::Limit`] without memory, else [`ErrorKind::Argument`].
    pub fn kind(&self) -> ErrorKind {
        if matches!(self, Self::OutOfMemory { .. }) { ErrorKind::Limit } else { ErrorKind::Argument }
    }

    /// Returns the number of the texture that does not fit, if the error concerns one.
    pub fn index(&self) -> Option<usize> {
        match self {
            Self::Kind { index, .. }
            | Self::Differs { index, .. }
            | Self::LevelSize { index, .. }
            | Self::LevelCount { index } => Some(*index),
            _ => None,
        }
    }
}

impl Texture {
    /// Joins textures of the same size, format and number of mip levels, or mip levels of the same format.
    /// Their data is copied, not decoded. If some textures are opaque and others have straight alpha, the
    /// result has straight alpha. Key/value pairs are kept if all textures have them.
    ///
    /// ```
    /// use brickwork_texture::{BlockFormat, JoinAs, Texture, TextureDesc, TextureKind};
    ///
    /// let face = Texture::new(TextureDesc::new_2d(BlockFormat::Bc1, 4, 4), vec![7; 8])?;
    /// let cube = Texture::join(vec![face; 6], JoinAs::Faces)?;
    /// assert_eq!(cube.desc().kind, TextureKind::Cube);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`JoinError`] if there is no texture, one differs from the first, their number or shape does not fit
    /// the role, or there is no memory.
    pub fn join(textures: Vec<Self>, role: JoinAs) -> Result<Self, JoinError> {
        if role == JoinAs::MipLevels {
            return join_levels(textures);
        }
        let first = *textures.first().ok_or(JoinError::Empty)?.desc();
        let mut joined = first;
        for (index, texture) in textures.iter().enumerate() {
            let desc = texture.desc();
            check_role(desc, role, index)?;
            check_same(&first, desc, index)?;
            if desc.alpha_mode == AlphaMode::Straight {
                joined.alpha_mode = AlphaMode::Straight;
            }
        }
        let count = textures.len() as u32;
        match role {
            JoinAs::Layers => {
                let layers =
                    textures.iter().fold(0u32, |sum, texture| sum.saturating_add(texture.desc.layers));
                joined.layers = layers;
            }
            JoinAs::Faces if !count.is_multiple_of(6) => {
                return Err(JoinError::FaceCount { given: textures.len() });
            }
            JoinAs::Faces => {
                joined.kind = TextureKind::Cube;
                joined.layers = count / 6;
            }
            JoinAs::Slices => {
                joined.kind = TextureKind::D3;
                joined.depth = count;
            }
            // Joined above.
            JoinAs::MipLevels => {}
        }
        joined.check()?;
        let needed = joined.data_bytes();
        let mut rest = textures.into_iter();
        let mut all = rest.next().ok_or(JoinError::Empty)?;
        let more = usize::try_from(needed).ok().and_then(|needed| needed.checked_sub(all.data.len()));
        more.and_then(|more| all.data.try_reserve_exact(more).ok())
            .ok_or(JoinError::OutOfMemory { needed })?;
        for texture in rest {
            all.data.extend_from_slice(&texture.data);
            all.add_properties(texture);
        }
        all.with_desc(joined).map_err(JoinError::from)
    }

    /// Keeps the key/value pairs that another texture has, too, and adds its notes.
    fn add_properties(&mut self, other: Self) {
        self.key_values.retain(|pair| other.key_values.contains(pair));
        for note in other.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }
}

/// Joins textures as mip levels.
fn join_levels(textures: Vec<Texture>) -> Result<Texture, JoinError> {
    let mut joined = *textures.first().ok_or(JoinError::Empty)?.desc();
    for (index, texture) in textures.iter().enumerate().skip(1) {
        let desc = texture.desc();
        if joined.mip_level_size(joined.mip_levels - 1) == [1; 3] {
            return Err(JoinError::LevelCount { index });
        }
        let (needed, found) =
            (joined.mip_level_size(joined.mip_levels), [desc.width, desc.height, desc.depth]);
        if found != needed {
            return Err(JoinError::LevelSize { index, mip_level: joined.mip_levels, needed, found });
        }
        let ([width, height, depth], mip_levels) = (found, desc.mip_levels);
        check_same(&TextureDesc { width, height, depth, mip_levels, ..joined }, desc, index)?;
        if desc.layers != joined.layers {
            let found = match desc.layers {
                1 => "1 layer".to_owned(),
                count => format!("{count} layers"),
            };
            return Err(JoinError::Differs { index, first: joined.layers.to_string(), found });
        }
        if desc.alpha_mode == AlphaMode::Straight {
            joined.alpha_mode = AlphaMode::Straight;
        }
        joined.mip_levels = joined.mip_levels.saturating_add(mip_levels);
    }
    joined.check()?;
    let needed = joined.data_bytes();
    let mut data = Vec::new();
    let capacity = usize::try_from(needed).ok();
    capacity.and_then(|bytes| data.try_reserve_exact(bytes).ok()).ok_or(JoinError::OutOfMemory { needed })?;
    for layer in 0..joined.layers {
        for face in 0..joined.faces() {
            for texture in &textures {
                for mip_level in 0..texture.desc.mip_levels {
                    data.extend_from_slice(&texture.data[texture.desc.image_range(layer, face, mip_level)]);
                }
            }
        }
    }
    let mut rest = textures.into_iter();
    let mut all = rest.next().ok_or(JoinError::Empty)?;
    rest.for_each(|texture| all.add_properties(texture));
    Ok(Texture { desc: joined, data, ..all })
}

/// Returns a size in words: width and height, and the depth if it is not 1.
fn sides([width, height, depth]: [u32; 3]) -> String {
    if depth == 1 { format!("{width}×{height}") } else { format!("{width}×{height}×{depth}") }
}

/// Checks that a texture can have the role.
fn check_role(desc: &TextureDesc, role: JoinAs, index: usize) -> Result<(), JoinError> {
    let found = match (desc.kind, desc.layers) {
        (TextureKind::D3, _) => "a 3D texture",
        (TextureKind::Cube, 1) => "a cube",
        (TextureKind::Cube, _) => "an array of cubes",
        (TextureKind::D2, 1) => "a 2D texture",
        (TextureKind::D2, _) => "an array",
    };
    let is_image = desc.kind == TextureKind::D2 && desc.layers == 1;
    let (fits, needed) = match role {
        JoinAs::Layers => (desc.kind != TextureKind::D3, "2D textures and cubes"),
        JoinAs::Faces => (is_image, "2D textures of one layer"),
        JoinAs::Slices => (is_image && desc.mip_levels == 1, "2D textures of one layer and one mip level"),
        JoinAs::MipLevels => (true, "textures"),
    };
    match fits {
        true => Ok(()),
        false if is_image => Err(JoinError::Kind { index, found: "a 2D texture with mip levels", needed }),
        false => Err(JoinError::Kind { index, found, needed }),
    }
}

/// Checks that a texture has the properties of the first.
fn check_same(first: &TextureDesc, desc: &TextureDesc, index: usize) -> Result<(), JoinError> {
    let size = |desc: &TextureDesc| format!("{}×{}", desc.width, desc.height);
    let alpha = |desc: &TextureDesc| match desc.alpha_mode {
        AlphaMode::Premultiplied => "premultiplied",
        AlphaMode::Opaque | AlphaMode::Straight => "straight",
    };
    let kind = |desc: &TextureDesc| match desc.kind {
        TextureKind::D2 => "2D",
        TextureKind::Cube => "cube",
        TextureKind::D3 => "3D",
    };
    let color_space = |desc: &TextureDesc| match desc.color_space {
        ColorSpace::Srgb => "sRGB",
        ColorSpace::Linear => "linear",
    };
    let properties = [
        ("the format", first.format.to_string(), desc.format.to_string()),
        ("the kind", kind(first).to_owned(), kind(desc).to_owned()),
        ("the size", size(first), size(desc)),
        ("the colour space", color_space(first).to_owned(), color_space(desc).to_owned()),
        ("alpha that is", alpha(first).to_owned(), alpha(desc).to_owned()),
        ("the orientation", first.orientation.letters(3), desc.orientation.letters(3)),
        ("the swizzle", first.swizzle.letters(), desc.swizzle.letters()),
    ];
    for (property, first, found) in properties {
        if first != found {
            return Err(JoinError::Differs { index, first, found: format!("{property} {found}") });
        }
    }
    if first.mip_levels != desc.mip_levels {
        let found = match desc.mip_levels {
            1 => "1 mip level".to_owned(),
            count => format!("{count} mip levels"),
        };
        return Err(JoinError::Differs { index, first: first.mip_levels.to_string(), found });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockFormat, TextureFormat, TexturePart, texture::part::tests::numbered};

    /// Joining is the inverse of `Texture::part`.
    #[test]
    fn parts_that_are_joined_are_the_texture() {
        for format in TextureFormat::all() {
            let array = numbered(TextureDesc::new_2d(format, 13, 6).with_layers(3).with_full_mips());
            let cubes = numbered(TextureDesc::new_cube(format, 10).with_layers(2).with_full_mips());
            for texture in [&array, &cubes] {
                let layers = (0..texture.desc().layers).map(|layer| {
                    texture.part(&TexturePart::default().with(|o| o.layers = Some(layer..layer + 1))).unwrap()
                });
                assert_eq!(Texture::join(layers.collect(), JoinAs::Layers).unwrap(), *texture);
            }
            let faces = (0..12).map(|face| {
                let part = TexturePart::default().with(|o| {
                    o.layers = Some(face / 6..face / 6 + 1);
                    o.face = Some(face % 6);
                });
                cubes.part(&part).unwrap()
            });
            assert_eq!(Texture::join(faces.collect(), JoinAs::Faces).unwrap(), cubes);
            let deep = numbered(TextureDesc::new_3d(format, 9, 5, 7).with_full_mips());
            for texture in [&array, &cubes, &deep] {
                let end = texture.desc().mip_levels;
                let levels = [0..1, 1..3, 3..end].map(|levels| {
                    texture.part(&TexturePart::default().with(|o| o.mip_levels = Some(levels))).unwrap()
                });
                assert_eq!(Texture::join(levels.to_vec(), JoinAs::MipLevels).unwrap(), *texture);
            }
            let volume = numbered(TextureDesc::new_3d(format, 9, 5, 7));
            let slices = (0..7)
                .map(|slice| volume.part(&TexturePart::default().with(|o| o.slice = Some(slice))).unwrap());
            assert_eq!(Texture::join(slices.collect(), JoinAs::Slices).unwrap(), volume);
        }
    }

    #[test]
    fn textures_that_do_not_fit_are_named() {
        let desc = TextureDesc::new_2d(BlockFormat::Bc1, 8, 8);
        let error = |second: TextureDesc, role| {
            Texture::join(vec![numbered(desc), numbered(second)], role).unwrap_err()
        };
        let differs = |second| error(second, JoinAs::Layers).to_string();
        let other = TextureDesc::new_2d(BlockFormat::Bc4Unorm, 8, 8);
        assert_eq!(differs(other), "texture 1 has the format bc4, the first texture bc1");
        assert_eq!(
            differs(TextureDesc { width: 4, ..desc }),
            "texture 1 has the size 4×8, the first texture 8×8"
        );
        assert_eq!(differs(desc.with_mip_levels(2)), "texture 1 has 2 mip levels, the first texture 1");
        assert_eq!(
            differs(desc.with_color_space(ColorSpace::Srgb)),
            "texture 1 has the colour space sRGB, the first texture linear"
        );
        assert!(differs(desc.with_alpha_mode(AlphaMode::Premultiplied)).contains("premultiplied"));
        let volume = TextureDesc::new_3d(BlockFormat::Bc1, 8, 8, 2);
        assert_eq!(differs(volume), "texture 1 is a 3D texture; 2D textures and cubes are joined");
        assert_eq!(error(volume, JoinAs::Layers).index(), Some(1));
        let faces = error(desc, JoinAs::Faces);
        assert_eq!(
            (faces.to_string(), faces.index()),
            ("a cube has six faces, and the number of textures is 2".to_owned(), None)
        );
        let levels = numbered(desc.with_mip_levels(2));
        let error = Texture::join(vec![levels; 2], JoinAs::Slices).unwrap_err().to_string();
        assert!(error.starts_with("texture 0 is a 2D texture with mip levels; "), "{error}");
        let oblong = numbered(TextureDesc { height: 4, ..desc });
        let error = Texture::join(vec![oblong; 6], JoinAs::Faces).unwrap_err().to_string();
        assert_eq!(error, "the faces of a cube are not square");
        assert_eq!(Texture::join(Vec::new(), JoinAs::Layers), Err(JoinError::Empty));
        let opaque = numbered(desc.with_alpha_mode(AlphaMode::Opaque));
        let joined = Texture::join(vec![opaque, numbered(desc)], JoinAs::Layers).unwrap();
        assert_eq!(joined.desc().alpha_mode, AlphaMode::Straight);
    }

    #[test]
    fn mip_levels_have_the_size_of_the_next_one() {
        let desc = TextureDesc::new_2d(BlockFormat::Bc1, 8, 8);
        let error =
            |second| Texture::join(vec![numbered(desc), numbered(second)], JoinAs::MipLevels).unwrap_err();
        let text = |second| error(second).to_string();
        assert_eq!(text(desc), "texture 1 is 8×8, but mip level 1 is 4×4");
        let half = TextureDesc::new_2d(BlockFormat::Bc1, 4, 4);
        assert_eq!(text(half.with_layers(2)), "texture 1 has 2 layers, the first texture 1");
        assert_eq!(
            text(half.with_color_space(ColorSpace::Srgb)),
            "texture 1 has the colour space sRGB, the first texture linear"
        );
        assert_eq!(error(desc).index(), Some(1));
        // Nothing is below 1×1.
        let least = numbered(TextureDesc::new_2d(BlockFormat::Bc1, 1, 1));
        let error = Texture::join(vec![least; 2], JoinAs::MipLevels).unwrap_err();
        assert_eq!(error.to_string(), "texture 1 follows the smallest mip level");
    }
}
