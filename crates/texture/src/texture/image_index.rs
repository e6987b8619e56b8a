//! Index of an image in a texture.

use std::fmt;

/// Index of an image of a texture. Default: the first image.
///
/// Its [`Display`](fmt::Display) lists the numbers that are not 0, such as `face 2, mip level 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "textures have no other numbers")]
pub struct ImageIndex {
    /// Array layer.
    pub layer: u32,
    /// Face of a cube.
    pub face: u32,
    /// Mip level; 0 is the largest.
    pub mip_level: u32,
    /// Slice of a 3D texture.
    pub slice: u32,
}

impl fmt::Display for ImageIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { layer, face, mip_level, slice } = *self;
        let axes = [("layer", layer), ("face", face), ("mip level", mip_level), ("slice", slice)];
        let mut is_first = true;
        for (name, index) in axes.into_iter().filter(|&(_, index)| index > 0) {
            write!(f, "{}{name} {index}", if is_first { "" } else { ", " })?;
            is_first = false;
        }
        if is_first { f.write_str("the first image") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_name_what_is_not_0() {
        let index = ImageIndex { layer: 3, face: 0, mip_level: 1, slice: 0 };
        assert_eq!(index.to_string(), "layer 3, mip level 1");
        assert_eq!(ImageIndex::default().to_string(), "the first image");
    }
}
