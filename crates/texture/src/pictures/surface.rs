//! Decodes one image of a DDS or KTX2 file. Our own decoders decode blocks. The `dds` crate decodes all other
//! texels; [`float_surface`] turns its floats into half floats, unless single floats are to be kept.

use super::float_surface;
use crate::{BlockFormat, ChannelType, ImageViewMut, RoundingRule, decode_into};
use brickwork_image::image_file::{
    ImageFault, ImageFeature, Texels,
    decoder::{Budget, Failure, Halves, Layout, plain, zeroed},
};
use dds::{
    Channels, ColorFormat, DecodeOptions, DecodingError, Format, HeaderError, PixelInfo, Precision, Size,
};
use std::io::Read;

/// Bytes of rows that the crate reads ahead, at most those of the image.
const BUFFER_BYTES: u64 = 64 << 10;

/// Rows of BC4 and BC5 texels that are decoded at a time.
const BAND_ROWS: usize = 256;

/// Maximum memory of the crate's rows, in bytes per texel of width.
const ROW_BYTES: u64 = 16 * 16;

/// Storage format of texels.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    /// A format that the `dds` crate knows.
    Dds(Format),
    /// Red, green and blue in 16 bits each, lower byte first. Vulkan has such a format, DXGI does not.
    Rgb16,
    /// Red, green, blue in half floats.
    RgbF16,
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
        };
        bytes.unwrap_or(u64::MAX)
    }

    /// Returns the bytes that decoding takes, including the texels.
    ///
    /// # Errors
    /// [`Failure`] if they exceed the limit, or a side is 0.
    pub fn memory_bytes(&self, budget: &Budget<'_>) -> Result<u64, Failure> {
        let extra_bytes = match self.storage {
            Storage::Dds(format) if format.precision() == Precision::F32 => {
                float_surface::extra_bytes(self, block_format(format))
            }
            Storage::Dds(format) if block_format(format).is_some() => {
                let [width, height] = self.size.map(u64::from);
                let band_bytes = width * 4 * height.min(BAND_ROWS as u64);
                // RGBA is decoded in place.
                let is_in_place = matches!(self.layout(), Layout::Rgba8);
                self.byte_count().saturating_add(if is_in_place { 0 } else { band_bytes })
            }
            Storage::Dds(_) => (u64::from(self.size[0]) * ROW_BYTES).max(self.byte_count().min(BUFFER_BYTES)),
            Storage::Rgb16 | Storage::RgbF16 => 0,
        };
        Ok(budget.texel_bytes(self.size, self.layout(), extra_bytes)?.saturating_add(extra_bytes))
    }

    pub(super) fn layout(&self) -> Layout {
        let color = match self.storage {
            Storage::Dds(format) => format.color(),
            Storage::Rgb16 => ColorFormat::RGB_U16,
            Storage::RgbF16 => ColorFormat::RGB_F32,
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

    /// Decodes the texels that `reader` yields. The second result is true if they have an alpha channel; for
    /// blocks, if any texel is transparent. Floats become half floats, unless those of 32 bits are to be
    /// kept.
    ///
    /// # Errors
    /// [`Failure`] if the memory limit is exceeded or the reader fails.
    pub fn decode(
        &self,
        mut reader: impl Read,
        budget: &Budget<'_>,
    ) -> Result<(Texels, bool, Halves), Failure> {
        self.memory_bytes(budget)?;
        let layout = self.layout();
        let texels = match self.storage {
            Storage::Dds(format) => {
                if format.precision() == Precision::F32 {
                    let (texels, halves) = float_surface::decode(self, reader, format, budget)?;
                    return Ok((texels, layout.has_alpha(), halves));
                }
                if let Some(format) = block_format(format) {
                    let texels = self.decode_blocks(reader, format, budget)?;
                    let has_alpha = !texels.is_opaque();
                    return Ok((texels, has_alpha, Halves::default()));
                }
                let mut options = DecodeOptions::default();
                let left = budget.limit - budget.texel_bytes(self.size, layout, 0)?;
                options.memory_limit = usize::try_from(left).unwrap_or(usize::MAX);
                budget.texels(self.size, layout, |bytes| {
                    let size = Size::new(self.size[0], self.size[1]);
                    let view = dds::ImageViewMut::new(bytes, size, decoded_color(format))
                        .ok_or_else(|| Failure::Malformed(ImageFault::Size(self.size.map(u64::from))))?;
                    dds::decode(&mut reader, view, format, &options).map_err(failure_of)
                })?
            }
            Storage::Rgb16 | Storage::RgbF16 => budget.texels(self.size, layout, |bytes| {
                reader.read_exact(bytes)?;
                for value in bytes.as_chunks_mut::<2>().0 {
                    *value = u16::from_le_bytes(*value).to_ne_bytes();
                }
                Ok(())
            })?,
        };
        Ok((texels, layout.has_alpha(), Halves::default()))
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

    /// Decodes blocks with our own decoder: BC4 to grey, BC5 to RGB without blue, all others to RGBA.
    fn decode_blocks(
        &self,
        reader: impl Read,
        format: BlockFormat,
        budget: &Budget<'_>,
    ) -> Result<Texels, Failure> {
        let blocks = self.read_blocks(reader)?;
        let (width, layout) = (self.size[0] as usize, self.layout());
        let decode = |blocks: &[u8], texels: &mut [[u8; 4]]| {
            let rows = texels.len() / width;
            let mut image = ImageViewMut::new(texels, width as u32, rows as u32)
                .map_err(|error| Failure::Malformed(ImageFault::Decoder(error.to_string())))?;
            decode_into(format, blocks, RoundingRule::Real, &mut image, &budget.task.without_progress())
                .map_err(|error| Failure::Malformed(ImageFault::Decoder(error.to_string())))
        };
        let channels = match layout {
            Layout::Grey8 => 1,
            Layout::Rgb8 => 3,
            _ => {
                return budget
                    .texels(self.size, layout, |texels| decode(&blocks, bytemuck::cast_slice_mut(texels)));
            }
        };
        budget.texels(self.size, layout, |texels| {
            let mut band = vec![[0; 4]; width * BAND_ROWS.min(self.size[1] as usize)];
            let band_bytes = width.div_ceil(4) * (BAND_ROWS / 4) * format.block_bytes();
            let bands = texels.chunks_mut(channels * width * BAND_ROWS);
            for (texels, blocks) in bands.zip(blocks.chunks(band_bytes)) {
                let band = &mut band[..texels.len() / channels];
                decode(blocks, band)?;
                for (texel, decoded) in texels.chunks_exact_mut(channels).zip(band) {
                    texel.copy_from_slice(&decoded[..channels]);
                }
            }
            Ok(())
        })
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

/// Returns the block format, if we have a decoder for it.
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
