//! One image of a texture file: rows of texels or blocks, and their formats.

use crate::{BlockFormat, ChannelType, ColorSpace};
use brickwork_image::image_file::{
    ImageFault, ImageFeature, Texels,
    decoder::{Failure, Layout, plain, zeroed},
};
use dds::{Channels, ColorFormat, DecodingError, Format, HeaderError, PixelInfo, Precision, Size};
use std::io::Read;

/// Storage format of texels.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    /// A format that the `dds` crate knows.
    Dds(Format),
    /// Red, green and blue in 16 bits each, lower byte first. Vulkan has such a format, DXGI does not.
    Rgb16,
    /// Red, green, blue in half floats.
    RgbF16,
    /// Blocks of a format that DXGI lacks, in this colour space.
    Blocks(BlockFormat, ColorSpace),
}

/// Rows of texels or blocks without gaps.
#[derive(Clone, Copy)]
pub(super) struct Surface {
    pub storage: Storage,
    /// Width and height in texels, both nonzero.
    pub size: [u32; 2],
    /// True if floats of 32 bits stay as they are.
    pub keeps_singles: bool,
}

impl Surface {
    /// True if the file stores single floats.
    fn has_singles(&self) -> bool {
        use Format::{R32_FLOAT, R32G32_FLOAT, R32G32B32_FLOAT, R32G32B32A32_FLOAT};
        matches!(self.storage, Storage::Dds(R32_FLOAT | R32G32_FLOAT | R32G32B32_FLOAT | R32G32B32A32_FLOAT))
    }

    /// True if the texels become single floats.
    pub(super) fn is_single(&self) -> bool {
        self.keeps_singles && self.has_singles()
    }

    /// Returns the type of the channels in the file, if the texels are of type `texels`.
    pub fn stored_type(&self, texels: &Texels) -> ChannelType {
        if self.has_singles() { ChannelType::F32 } else { texels.texel_type().channel_type() }
    }

    /// Returns the size of the stored image in bytes, or `u64::MAX` if the number does not fit.
    pub fn byte_count(&self) -> u64 {
        let [width, height] = self.size;
        let bytes = match self.storage {
            Storage::Dds(format) => PixelInfo::from(format).surface_bytes(Size::new(width, height)),
            Storage::Rgb16 | Storage::RgbF16 => (u64::from(width) * u64::from(height)).checked_mul(6),
            Storage::Blocks(format, _) => Some(format.image_bytes(width, height)),
        };
        bytes.unwrap_or(u64::MAX)
    }

    pub(super) fn layout(&self) -> Layout {
        let color = match self.storage {
            Storage::Dds(format) => format.color(),
            Storage::Rgb16 => ColorFormat::RGB_U16,
            Storage::RgbF16 => ColorFormat::RGB_F32,
            // EAC has 11 bits.
            Storage::Blocks(format, _) => match format.channels() {
                "R" => ColorFormat::GRAYSCALE_U16,
                "RG" => ColorFormat::RGB_U16,
                "RGB" => ColorFormat::RGB_U8,
                _ => ColorFormat::RGBA_U8,
            },
        };
        match (color.channels, color.precision) {
            (Channels::Grayscale, Precision::U8) => Layout::Grey8,
            (Channels::Grayscale, Precision::U16) => Layout::Grey16,
            (Channels::Grayscale, Precision::F32) if self.is_single() => Layout::GreyF32,
            (Channels::Rgb, Precision::F32) if self.is_single() => Layout::RgbF32,
            (Channels::Alpha | Channels::Rgba, Precision::F32) if self.is_single() => Layout::RgbaF32,
            (Channels::Grayscale, Precision::F32) => Layout::GreyF16,
            (Channels::Rgb, Precision::U8) => Layout::Rgb8,
            (Channels::Rgb, Precision::U16) => Layout::Rgb16,
            (Channels::Rgb, Precision::F32) => Layout::RgbF16,
            (Channels::Alpha | Channels::Rgba, Precision::U8) => Layout::Rgba8,
            (Channels::Alpha | Channels::Rgba, Precision::U16) => Layout::Rgba16,
            (Channels::Alpha | Channels::Rgba, Precision::F32) => Layout::RgbaF16,
        }
    }

    /// Reads the blocks of the image.
    pub(super) fn read_blocks(&self, mut reader: impl Read) -> Result<Vec<u8>, Failure> {
        let block_bytes = self.byte_count();
        let out_of_memory = || Failure::OutOfMemory(block_bytes);
        let count = usize::try_from(block_bytes).map_err(|_| out_of_memory())?;
        let mut blocks = zeroed::<u8>(count).ok_or_else(out_of_memory)?;
        reader.read_exact(&mut blocks)?;
        Ok(blocks)
    }
}

/// Returns the colour format to which the crate decodes `format`. Alpha alone becomes RGBA.
pub(super) fn decoded_color(format: Format) -> ColorFormat {
    let native = format.color();
    let channels = match native.channels {
        Channels::Alpha => Channels::Rgba,
        other => other,
    };
    ColorFormat::new(channels, native.precision)
}

/// Returns the block format of DXGI, if we have a decoder for it.
pub(super) fn block_format(format: Format) -> Option<BlockFormat> {
    match format {
        Format::BC1_UNORM => Some(BlockFormat::Bc1),
        Format::BC2_UNORM | Format::BC2_UNORM_PREMULTIPLIED_ALPHA => Some(BlockFormat::Bc2),
        Format::BC3_UNORM | Format::BC3_UNORM_PREMULTIPLIED_ALPHA => Some(BlockFormat::Bc3),
        Format::BC4_UNORM => Some(BlockFormat::Bc4Unorm),
        Format::BC4_SNORM => Some(BlockFormat::Bc4Snorm),
        Format::BC5_UNORM => Some(BlockFormat::Bc5Unorm),
        Format::BC5_SNORM => Some(BlockFormat::Bc5Snorm),
        Format::BC6H_UF16 => Some(BlockFormat::Bc6hUfloat),
        Format::BC6H_SF16 => Some(BlockFormat::Bc6hSfloat),
        Format::BC7_UNORM => Some(BlockFormat::Bc7),
        _ => None,
    }
}

/// Returns the failure of the `dds` crate.
pub(super) fn failure_of(error: DecodingError) -> Failure {
    match error {
        DecodingError::Io(error) | DecodingError::Header(HeaderError::Io(error)) => Failure::Io(error),
        DecodingError::Header(error) => Failure::Malformed(ImageFault::Decoder(plain(&error.to_string()))),
        DecodingError::MemoryLimitExceeded => Failure::Limit(None),
        DecodingError::Format(error) => Failure::Unsupported(ImageFeature::Other(plain(&error.to_string()))),
        other => Failure::Malformed(ImageFault::Decoder(plain(&other.to_string()))),
    }
}
