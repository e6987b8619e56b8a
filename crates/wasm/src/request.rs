//! Numbers with which the host names formats and options.
//!
//! - Format: position in [`BlockFormat::ALL`].
//! - Quality: position in [`Quality::ALL`]; after these, the levels of [`RealTime::ALL`], for formats that
//!   have them.
//! - Flags: bits 0 and 1 are the type of the channels (8 bits, half floats, single floats), bits 2 and 3 the
//!   alpha mode (opaque, straight, premultiplied), bit 4 is set if colours are sRGB. Bits 5 to 7 are the
//!   position of the filter of mip levels in [`MipFilter::ALL`]. Bit 8 is set if the image is a normal map.
//! - Channels of decoded texels: their type, by the number of bits 0 and 1 above.
//! - Mip levels: their number, including the image.

use crate::failure::Failure;
use brickwork_texture::{
    AlphaMode, AstcFootprint, BlockFormat, ColorSpace, EncodeOptions, MipFilter, Quality, RealTime,
    TextureDesc, one_codec::FormatCodec,
};

/// Type of the four channels of each texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channels {
    Bytes,
    Halves,
    Floats,
}

impl Channels {
    /// Returns the type with this number.
    pub fn new(number: u32) -> Result<Self, Failure> {
        match number {
            0 => Ok(Self::Bytes),
            1 => Ok(Self::Halves),
            2 => Ok(Self::Floats),
            number => Err(unknown("type of channels", number)),
        }
    }
}

/// Options of an encoding.
#[derive(Clone, Copy, Debug)]
pub struct EncodeRequest {
    pub codec: FormatCodec,
    pub options: EncodeOptions,
    pub desc: TextureDesc,
    pub channels: Channels,
}

/// True if the module has the codecs of BC1 to BC5.
const BC1_TO_BC5: bool = cfg!(feature = "bc1-to-bc5");
const BC6H: bool = cfg!(feature = "bc6h");
const BC7: bool = cfg!(feature = "bc7");
const ETC: bool = cfg!(feature = "etc");
const ASTC: bool = cfg!(feature = "astc");

/// Returns the codec of the block format with this number.
pub fn codec_of(number: u32) -> Result<FormatCodec, Failure> {
    let format = BlockFormat::ALL.get(number as usize).ok_or_else(|| unknown("block format", number))?;
    // Each constant links one codec.
    Ok(match format {
        BlockFormat::Bc1 if BC1_TO_BC5 => FormatCodec::of(BlockFormat::Bc1),
        BlockFormat::Bc2 if BC1_TO_BC5 => FormatCodec::of(BlockFormat::Bc2),
        BlockFormat::Bc3 if BC1_TO_BC5 => FormatCodec::of(BlockFormat::Bc3),
        BlockFormat::Bc4Unorm if BC1_TO_BC5 => FormatCodec::of(BlockFormat::Bc4Unorm),
        BlockFormat::Bc4Snorm if BC1_TO_BC5 => FormatCodec::of(BlockFormat::Bc4Snorm),
        BlockFormat::Bc5Unorm if BC1_TO_BC5 => FormatCodec::of(BlockFormat::Bc5Unorm),
        BlockFormat::Bc5Snorm if BC1_TO_BC5 => FormatCodec::of(BlockFormat::Bc5Snorm),
        BlockFormat::Bc6hUfloat if BC6H => FormatCodec::of(BlockFormat::Bc6hUfloat),
        BlockFormat::Bc6hSfloat if BC6H => FormatCodec::of(BlockFormat::Bc6hSfloat),
        BlockFormat::Bc7 if BC7 => FormatCodec::of(BlockFormat::Bc7),
        BlockFormat::Etc2Rgb if ETC => FormatCodec::of(BlockFormat::Etc2Rgb),
        BlockFormat::Etc2RgbA1 if ETC => FormatCodec::of(BlockFormat::Etc2RgbA1),
        BlockFormat::Etc2Rgba if ETC => FormatCodec::of(BlockFormat::Etc2Rgba),
        BlockFormat::EacR11Unorm if ETC => FormatCodec::of(BlockFormat::EacR11Unorm),
        BlockFormat::EacR11Snorm if ETC => FormatCodec::of(BlockFormat::EacR11Snorm),
        BlockFormat::EacRg11Unorm if ETC => FormatCodec::of(BlockFormat::EacRg11Unorm),
        BlockFormat::EacRg11Snorm if ETC => FormatCodec::of(BlockFormat::EacRg11Snorm),
        BlockFormat::Astc(AstcFootprint::B4x4) if ASTC => {
            FormatCodec::of(BlockFormat::Astc(AstcFootprint::B4x4))
        }
        _ => return Err(Failure::argument(format!("this module has no codec of {format}"))),
    })
}

fn unknown(name: &str, number: u32) -> Failure {
    Failure::argument(format!("there is no {name} with the number {number}"))
}

impl EncodeRequest {
    /// Returns the options that these numbers name.
    pub fn new(
        format: u32,
        quality: u32,
        flags: u32,
        mip_levels: u32,
        [width, height]: [u32; 2],
    ) -> Result<Self, Failure> {
        let codec = codec_of(format)?;
        let format = codec.format();
        let filter = flags >> 5 & 7;
        let filter = *MipFilter::ALL.get(filter as usize).ok_or_else(|| unknown("mip filter", filter))?;
        let mut options = options_of(format, quality)?;
        options.mip_filter = Some(filter);
        options.normals = flags & 256 != 0;
        let channels = Channels::new(flags & 3)?;
        let alpha_mode = match flags >> 2 & 3 {
            0 => AlphaMode::Opaque,
            1 => AlphaMode::Straight,
            2 => AlphaMode::Premultiplied,
            number => return Err(unknown("alpha mode", number)),
        };
        let color_space = if flags & 16 != 0 { ColorSpace::Srgb } else { ColorSpace::Linear };
        let desc = TextureDesc::new_2d(format, width, height)
            .with_mip_levels(mip_levels)
            .with_color_space(color_space)
            .with_alpha_mode(alpha_mode);
        Ok(Self { codec, options, desc, channels })
    }
}

/// Returns the options of a quality or a level of real time.
fn options_of(format: BlockFormat, number: u32) -> Result<EncodeOptions, Failure> {
    let options = EncodeOptions::default();
    if let Some(&quality) = Quality::ALL.get(number as usize) {
        return Ok(options.with(|o| o.quality = quality));
    }
    match RealTime::ALL.get(number as usize - Quality::ALL.len()) {
        Some(&level) if format.has_real_time() => Ok(options.with(|o| o.real_time = Some(level))),
        _ => Err(unknown("quality", number)),
    }
}
