//! Decodes one image of a DDS, KTX2 or `.astc` file. Our own decoders decode blocks. The `dds` crate decodes
//! all other texels; [`float_surface`] turns its floats into half floats, unless single floats are to be
//! kept.

use super::{
    float_surface,
    surface::{Storage, Surface, block_format, decoded_color, failure_of},
};
use crate::{BlockFormat, ColorSpace, ImageViewMut, RoundingRule, TexelsMut, decode::decode_any_into};
use brickwork_image::image_file::{
    ImageFault, Texels,
    decoder::{Budget, Failure, Halves, Layout},
};
use dds::{DecodeOptions, Precision, Size};
use std::io::Read;

/// Bytes of rows that the crate reads ahead, at most those of the image.
const BUFFER_BYTES: u64 = 64 << 10;

/// Rows of texels that are decoded at a time, if the picture has fewer channels: a multiple of 4.
const BAND_ROWS: usize = 256;

/// Maximum memory of the crate's rows, in bytes per texel of width.
const ROW_BYTES: u64 = 16 * 16;

impl Surface {
    /// Returns the bytes that decoding takes, including the texels.
    ///
    /// # Errors
    /// [`Failure`] if they exceed the limit, or a side is 0.
    pub fn memory_bytes(&self, budget: &Budget<'_>) -> Result<u64, Failure> {
        let extra_bytes = match self.storage {
            Storage::Dds(format) if format.precision() == Precision::F32 => {
                float_surface::extra_bytes(self, block_format(format))
            }
            _ if self.blocks().is_some() => {
                let [width, height] = self.size.map(u64::from);
                let texel_bytes = match self.layout() {
                    // RGBA is decoded in place.
                    Layout::Rgba8 => 0,
                    Layout::Grey16 | Layout::Rgb16 => 8,
                    _ => 4,
                };
                self.byte_count().saturating_add(width * texel_bytes * height.min(BAND_ROWS as u64))
            }
            Storage::Dds(_) => (u64::from(self.size[0]) * ROW_BYTES).max(self.byte_count().min(BUFFER_BYTES)),
            Storage::Rgb16 | Storage::RgbF16 | Storage::Blocks(..) => 0,
        };
        Ok(budget.texel_bytes(self.size, self.layout(), extra_bytes)?.saturating_add(extra_bytes))
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
        if let Storage::Dds(format) = self.storage
            && format.precision() == Precision::F32
        {
            let (texels, halves) = float_surface::decode(self, reader, format, budget)?;
            return Ok((texels, layout.has_alpha(), halves));
        }
        if let Some((format, color_space)) = self.blocks() {
            let texels = self.decode_blocks(reader, format, color_space, budget)?;
            let has_alpha = !texels.is_opaque();
            return Ok((texels, has_alpha, Halves::default()));
        }
        let mut options = DecodeOptions::default();
        let left = budget.limit - budget.texel_bytes(self.size, layout, 0)?;
        options.memory_limit = usize::try_from(left).unwrap_or(usize::MAX);
        let texels = budget.texels(self.size, layout, |bytes| match self.storage {
            Storage::Dds(format) => {
                let size = Size::new(self.size[0], self.size[1]);
                let view = dds::ImageViewMut::new(bytes, size, decoded_color(format))
                    .ok_or_else(|| Failure::Malformed(ImageFault::Size(self.size.map(u64::from))))?;
                dds::decode(&mut reader, view, format, &options).map_err(failure_of)
            }
            Storage::Rgb16 | Storage::RgbF16 | Storage::Blocks(..) => {
                reader.read_exact(bytes)?;
                for value in bytes.as_chunks_mut::<2>().0 {
                    *value = u16::from_le_bytes(*value).to_ne_bytes();
                }
                Ok(())
            }
        })?;
        Ok((texels, layout.has_alpha(), Halves::default()))
    }

    /// Returns the format and colour space of blocks that our own decoders decode to integers.
    fn blocks(&self) -> Option<(BlockFormat, ColorSpace)> {
        match self.storage {
            Storage::Dds(format) => Some((block_format(format)?, ColorSpace::Linear)),
            Storage::Blocks(format, color_space) => Some((format, color_space)),
            Storage::Rgb16 | Storage::RgbF16 => None,
        }
    }

    /// Decodes blocks with our own decoder: BC4 and R11 to grey, BC5 and RG11 to RGB without blue, RGB to
    /// RGB, all others to RGBA.
    fn decode_blocks(
        &self,
        reader: impl Read,
        format: BlockFormat,
        color_space: ColorSpace,
        budget: &Budget<'_>,
    ) -> Result<Texels, Failure> {
        let blocks = Blocks { blocks: self.read_blocks(reader)?, format, color_space, width: self.size[0] };
        let layout = self.layout();
        budget.texels(self.size, layout, |texels| match layout {
            Layout::Grey8 => blocks.decode_bands::<u8, 1>(texels, budget),
            Layout::Rgb8 => blocks.decode_bands::<u8, 3>(texels, budget),
            Layout::Grey16 => blocks.decode_bands::<u16, 1>(texels, budget),
            Layout::Rgb16 => blocks.decode_bands::<u16, 3>(texels, budget),
            _ => blocks.decode(&blocks.blocks, bytemuck::cast_slice_mut::<_, [u8; 4]>(texels), budget),
        })
    }
}

/// The blocks of an image.
struct Blocks {
    blocks: Vec<u8>,
    format: BlockFormat,
    color_space: ColorSpace,
    /// Width of the image in texels.
    width: u32,
}

impl Blocks {
    /// Decodes whole rows of blocks.
    fn decode<C>(&self, blocks: &[u8], texels: &mut [[C; 4]], budget: &Budget<'_>) -> Result<(), Failure>
    where
        for<'a> TexelsMut<'a>: From<&'a mut [[C; 4]]>,
    {
        let failed = |text: String| Failure::Malformed(ImageFault::Decoder(text));
        let rows = texels.len() / self.width as usize;
        let mut image =
            ImageViewMut::new(texels, self.width, rows as u32).map_err(|error| failed(error.to_string()))?;
        let task = budget.task.without_progress();
        let (format, rule) = (self.format.into(), RoundingRule::Real);
        decode_any_into(format, blocks, rule, self.color_space, &mut image, &task)
            .map_err(|error| failed(error.to_string()))
    }

    /// Decodes to the first channels of each texel, a band of rows at a time.
    fn decode_bands<C: bytemuck::Pod, const CHANNELS: usize>(
        &self,
        texels: &mut [u8],
        budget: &Budget<'_>,
    ) -> Result<(), Failure>
    where
        for<'a> TexelsMut<'a>: From<&'a mut [[C; 4]]>,
    {
        let width = self.width as usize;
        let targets: &mut [C] = bytemuck::cast_slice_mut(texels);
        let (targets, _) = targets.as_chunks_mut::<CHANNELS>();
        let mut band = vec![[C::zeroed(); 4]; (width * BAND_ROWS).min(targets.len())];
        let band_bytes = self.format.image_bytes(self.width, BAND_ROWS as u32) as usize;
        for (targets, blocks) in targets.chunks_mut(width * BAND_ROWS).zip(self.blocks.chunks(band_bytes)) {
            let band = &mut band[..targets.len()];
            self.decode(blocks, band, budget)?;
            for (target, decoded) in targets.iter_mut().zip(band) {
                target.copy_from_slice(&decoded[..CHANNELS]);
            }
        }
        Ok(())
    }
}
