//! Detection of files that do not state their colour space.

use super::{
    ContainerFormat,
    dds_format::{of_dxgi, of_masks, of_typeless},
    dds_header::{FourCc, pixel_flags},
};
use crate::PlainFormat;
use std::io::{self, Read, Seek};

impl ContainerFormat {
    /// True if the file that `reader` yields states if its colours are sRGB. Reads the first bytes from the
    /// reader's position, which is restored afterwards. `.astc` files do not state it, nor do DDS files of
    /// BC1, BC2, BC3, `rgba8` and `bgra8` with a legacy header and typeless ones with an sRGB variant.
    /// Textures read from them have [`ColorSpace::Linear`](crate::ColorSpace::Linear), but may be either.
    ///
    /// # Errors
    /// I/O errors of the reader.
    pub fn states_color_space<R: Read + Seek>(mut reader: R) -> io::Result<bool> {
        let mut first_bytes = Vec::new();
        let count = reader.by_ref().take(132).read_to_end(&mut first_bytes)?;
        reader.seek_relative(-(count as i64))?;
        Ok(states_color_space(&first_bytes))
    }
}

/// True if a file with these first bytes states the colour space. All files do, except `.astc`, and DDS of
/// BC1, BC2, BC3, `rgba8` and `bgra8` with a legacy header, and typeless ones with an sRGB variant. 132 bytes
/// suffice.
fn states_color_space(first_bytes: &[u8]) -> bool {
    if first_bytes.starts_with(&super::astc_header::MAGIC) {
        return false;
    }
    let words = first_bytes.get(80..108).filter(|_| first_bytes.starts_with(b"DDS "));
    let Some(words) = words else { return true };
    let words: Vec<_> = words.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let (pixel_flags, four_cc) = (words[0], FourCc(words[1]));
    // Normals are linear.
    if pixel_flags & pixel_flags::NORMALS != 0 {
        return true;
    }
    if pixel_flags & pixel_flags::FOUR_CC == 0 && pixel_flags & pixel_flags::RGB != 0 {
        let format = of_masks([words[2], words[3], words[4], words[5], words[6]]);
        return !format.is_some_and(PlainFormat::has_srgb);
    }
    if four_cc == FourCc::DX10 {
        let number = first_bytes.get(128..).and_then(|rest| rest.first_chunk::<4>());
        let typed = number.and_then(|bytes| of_typeless(u32::from_le_bytes(*bytes)));
        return !typed.and_then(|(typed, _)| of_dxgi(typed)).is_some_and(|(format, ..)| format.has_srgb());
    }
    let colors = [FourCc::DXT1, FourCc::DXT2, FourCc::DXT3, FourCc::DXT4, FourCc::DXT5];
    !colors.contains(&four_cc)
}
