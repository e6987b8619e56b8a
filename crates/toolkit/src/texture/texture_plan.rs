//! Decisions about one texture, with their reasons.

use super::{PsnrScope, SpecialValues};
use brickwork_texture::{EncodeOptions, TextureDesc, TextureFormat, encode_memory_bytes, mips::MipOptions};
use std::fmt;

/// Decision about a lookup table.
pub(super) const LOOKUP_TABLE: &str = "a lookup table of colours is encoded as linear data without mip \
                                       levels; blocks lose precision, rgba8 does not";

/// Decisions about one texture.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TexturePlan {
    /// Format, shape, mip levels, colour space and alpha.
    pub desc: TextureDesc,
    /// The encoder's options.
    pub options: EncodeOptions,
    /// Width and height of the first picture, if it was resized.
    pub resized_from: Option<[u32; 2]>,
    /// Options of the mip levels that are made; none if none is made.
    pub mips: Option<MipOptions>,
    /// Reason for the format, if the options did not state it.
    pub format_reason: Option<String>,
    /// The source of the colour space.
    pub color_space_reason: ColorSpaceReason,
    /// Decisions about a use that nothing states, in words, for notes.
    pub(super) decisions: Vec<String>,
    /// True if transparent texels become opaque.
    pub is_alpha_dropped: bool,
    /// True if the channels of all pictures have 8 bits.
    pub(super) has_8_bits: bool,
    /// Colours of all pictures that formats of floats may not store as they are.
    pub special_values: SpecialValues,
    /// Bytes of the texels of all pictures.
    pub texel_bytes: u64,
}

impl TexturePlan {
    /// Returns the bytes of memory that encoding needs besides the pictures.
    pub fn memory_bytes(&self) -> u64 {
        encode_memory_bytes(&self.desc, &self.options)
    }

    /// True for a lookup table of colours, according to the name or the texels of its picture.
    pub fn is_lookup_table(&self) -> bool {
        self.decisions.iter().any(|decision| decision == LOOKUP_TABLE)
    }

    /// Returns the texels and channels that count in the PSNR.
    pub fn psnr_scope(&self) -> PsnrScope {
        PsnrScope::of(&self.desc, PsnrScope::alpha_threshold(self.desc.format, &self.options))
    }

    /// Returns the minimum alpha of opaque texels, if the format makes the others transparent.
    pub(super) fn alpha_threshold(&self) -> Option<u8> {
        let scope = self.psnr_scope();
        scope.is_punched().then(|| scope.least_alpha())
    }

    /// Returns the number of texels of mip level 0.
    pub fn texel_count(&self) -> u64 {
        self.desc.with_mip_levels(1).texel_count()
    }
}

/// Source of a texture's colour space.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColorSpaceReason {
    /// The format has no sRGB variant.
    NoVariant(TextureFormat),
    /// The options state it or [data](brickwork_image::image_file::PictureUse::Data), which is linear.
    Chosen,
    /// The pictures are normals, which are linear.
    Normals,
    /// The name of the format.
    FormatName,
    /// The names of the files state that the pictures are data.
    FileName,
    /// The texels look like data.
    Texels,
    /// The file of the first picture. The text is a short description of the source.
    File(String),
}

impl fmt::Display for ColorSpaceReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoVariant(format) => write!(f, "{format} has no sRGB variant"),
            Self::Chosen => f.write_str("chosen"),
            Self::Normals => f.write_str("normals"),
            Self::FormatName => f.write_str("the format's name"),
            Self::FileName => f.write_str("the file's name"),
            Self::Texels => f.write_str("the texels look like data"),
            Self::File(reason) => f.write_str(reason),
        }
    }
}
