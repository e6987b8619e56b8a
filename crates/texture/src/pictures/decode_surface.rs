//! Decodes one image of a DDS or KTX2 file. Our own decoders decode blocks. The `dds` crate decodes all other
//! texels; [`float_surface`] turns its floats into half floats, unless single floats are to be kept.

use super::{
    float_surface,
    surface::{Storage, Surface, block_format, decoded_color, failure_of},
};
use crate::{BlockFormat, ImageViewMut, RoundingRule, decode_into};
use brickwork_image::image_file::{
    ImageFault, Texels,
    decoder::{Budget, Failure, Halves, Layout},
};
use dds::{DecodeOptions, Precision, Size};
use std::io::Read;

/// Bytes of rows that the crate reads ahead, at most those of the image.
const BUFFER_BYTES: u64 = 64 << 10;

/// Rows of BC4 and BC5 texels that are decoded at a time.
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
