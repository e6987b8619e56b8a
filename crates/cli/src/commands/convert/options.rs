//! Options of conversions.

use brickwork_texture::{
    ColorSpace, Swizzle, TextureDesc, TextureFormat,
    container::{ContainerFormat, DdsHeader},
};
use brickwork_toolkit::texture::{FormatChoice, OptionsError, TextureOptions};

/// Supercompression of a KTX2 file that is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Supercompression {
    /// Zstandard at level 9 if the input is supercompressed, else none.
    #[default]
    AsInput,
    /// None.
    Off,
    /// Zstandard at this level, 1 to 22.
    Zstd(i32),
}

/// Changes that [`convert_file`](super::convert_file) makes. Default: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextureConvertOptions {
    /// Container. Default: none, which means that of the output's extension.
    pub container: Option<ContainerFormat>,
    /// Number of the largest mip levels that are left out. Default: 0.
    pub dropped_levels: u32,
    /// Number of mip levels that are kept, from the largest that is not left out. Default: none, which means
    /// all.
    pub mip_levels: Option<u32>,
    /// Colour space that the file states. Default: none, which means that of the input.
    pub color_space: Option<ColorSpace>,
    /// Swizzle that the file states. Default: none, which means that of the input.
    pub swizzle: Option<Swizzle>,
    /// Header of a DDS file. Default: none. A DDS file then keeps its header, unless a colour space is chosen
    /// that the legacy header does not state. A KTX2 file becomes one with [`DdsHeader::Auto`].
    pub dds_header: Option<DdsHeader>,
    /// Supercompression of a KTX2 file. Default: [`Supercompression::AsInput`].
    pub supercompression: Supercompression,
}

impl TextureConvertOptions {
    /// Returns the options that choose a container for an output, and check that it fits them.
    pub fn container_options(&self) -> TextureOptions {
        let zstd = match self.supercompression {
            Supercompression::Zstd(level) => Some(level),
            Supercompression::AsInput | Supercompression::Off => None,
        };
        let mut options = TextureOptions::default();
        // The format is the texture's, which a writer checks.
        options.format = FormatChoice::AUTO;
        options.container = self.container;
        options.dds_header = self.dds_header.unwrap_or_default();
        options.zstd = zstd;
        options
    }

    /// Returns the description with the colour space and the swizzle of the options.
    ///
    /// # Errors
    /// [`OptionsError`] if the format has no sRGB variant, or a swizzle other than `rgba` is chosen for a
    /// format that stores red, green and blue.
    pub(super) fn apply(&self, desc: TextureDesc) -> Result<TextureDesc, OptionsError> {
        let format = desc.format;
        let mut changed = desc;
        if let Some(color_space) = self.color_space {
            changed.color_space = color_space;
            changed.check()?;
        }
        if let Some(swizzle) = self.swizzle {
            if !allows_swizzle(format) && swizzle != Swizzle::IDENTITY {
                return Err(OptionsError::SwizzleOfFormat { format });
            }
            changed.swizzle = swizzle;
        }
        Ok(changed)
    }
}

/// True if readers need a swizzle to show the format as grey or as normals: it stores one or two channels.
const fn allows_swizzle(format: TextureFormat) -> bool {
    format.channels().len() < 3
}
