//! Features of image files that are not read.

use super::words::one_line;
use std::fmt;

/// Maximum number of names in a message.
const MAX_NAMES: usize = 8;

/// A feature of an image file that Brickwork cannot read. It is displayed in one line, without a period.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImageFeature {
    /// An animation whose frames have 2³⁰ texels or more.
    AnimationSize,
    /// A number of channels.
    #[non_exhaustive]
    Channels {
        /// Number of channels.
        channels: u64,
    },
    /// Channels of a number of bits.
    #[non_exhaustive]
    ChannelBits {
        /// Number of channels.
        channels: u64,
        /// Bits per channel.
        bits: u64,
    },
    /// Texels of a number of bits.
    #[non_exhaustive]
    TexelBits {
        /// Number of channels, if known.
        channels: Option<u64>,
        /// Bits of all channels.
        bits: u64,
    },
    /// Texels of numbers of a kind.
    #[non_exhaustive]
    Numbers {
        /// Bits per number.
        bits: u64,
        /// The kind of number: `complex numbers`.
        kind: &'static str,
    },
    /// Numbers of a number of bits that are packed or predicted in a way that is not read.
    #[non_exhaustive]
    Packing {
        /// Bits per number.
        bits: u64,
    },
    /// Texels of a kind that no other variant describes.
    OtherTexels,
    /// A palette with indices of a number of bits.
    #[non_exhaustive]
    PaletteBits {
        /// Bits per index.
        bits: u8,
    },
    /// A palette with channels besides the indices.
    PaletteChannels,
    /// Indices of a palette that are compressed as JPEG.
    PaletteJpeg,
    /// TIFF tiles of CMYK in LZW that end outside the picture.
    CutLzwTiles,
    /// TIFF of inks that are not cyan, magenta, yellow and black.
    Inks,
    /// Deep data of OpenEXR.
    Deep,
    /// Luminance and chroma (Y, RY, BY) of OpenEXR.
    Chroma,
    /// Channels of OpenEXR that are stored for a part of the texels.
    #[non_exhaustive]
    Subsampled {
        /// Name of each channel, and distance in texels between its samples along x and y.
        channels: Vec<(String, [usize; 2])>,
    },
    /// Channels of OpenEXR, none of which is a colour.
    #[non_exhaustive]
    NoColors {
        /// Names of the channels.
        channels: Vec<String>,
    },
    /// A layer that the file does not have.
    #[non_exhaustive]
    Layer {
        /// The wanted name.
        name: String,
        /// Names of the parts and layers that there are, or of their channels.
        found: Vec<String>,
    },
    /// A format of texels.
    #[non_exhaustive]
    Format {
        /// The format, as the file or the standard names it.
        name: String,
    },
    /// Another feature, in the words of a decoder.
    Other(String),
}

impl ImageFeature {
    fn text(&self) -> String {
        match self {
            Self::AnimationSize => "an animation of 2³⁰ texels or more".to_owned(),
            Self::Channels { channels } => format!("{channels} channels are not supported"),
            Self::ChannelBits { channels, bits } => format!("{channels} channels of {bits} bits"),
            Self::TexelBits { channels: None, bits } => {
                format!("{bits}-bit texels of this kind are not supported")
            }
            Self::TexelBits { channels: Some(channels), bits } => {
                format!("texels of {channels} channels of {bits} bits in all are not supported")
            }
            Self::Numbers { bits, kind } => format!("texels of {bits}-bit {kind} are not supported"),
            Self::Packing { bits } => format!("texels of {bits} bits like these are not supported"),
            Self::OtherTexels => "texels of this kind are not supported".to_owned(),
            Self::PaletteBits { bits } => format!("palette indices of {bits} bits are not supported"),
            Self::PaletteChannels => "a palette with channels beside it is not supported".to_owned(),
            Self::PaletteJpeg => "a palette with JPEG compression is not supported".to_owned(),
            Self::CutLzwTiles => "CMYK in LZW tiles that end outside the picture is not supported".to_owned(),
            Self::Inks => "inks other than cyan, magenta, yellow and black are not supported".to_owned(),
            Self::Deep => "deep data is not supported".to_owned(),
            Self::Chroma => "luminance and chroma (Y, RY, BY) are not supported".to_owned(),
            Self::Subsampled { channels } => {
                let names: Vec<_> =
                    channels.iter().map(|(name, [x, y])| format!("{name} ({x}×{y})")).collect();
                format!("subsampled channels are not supported: {}", listed(&names))
            }
            Self::NoColors { channels } => format!("no channels R, G, B or Y, only {}", listed(channels)),
            Self::Layer { name, found } => format!("there is no layer {name:?}, only {}", listed(found)),
            Self::Format { name } => format!("{name} is not supported"),
            Self::Other(text) => text.clone(),
        }
    }
}

impl fmt::Display for ImageFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&one_line(&self.text()))
    }
}

/// Returns the names, or the first of many.
pub(super) fn listed(names: &[String]) -> String {
    let mut text = names[..names.len().min(MAX_NAMES)].join(", ");
    if names.len() > MAX_NAMES {
        text += &format!(" and {} more", names.len() - MAX_NAMES);
    }
    text
}
