//! Images of DDS and KTX2 files whose channels are floats, decoded to half floats or single floats a few rows
//! at a time.

use super::surface::{Surface, block_format, decoded_color, failure_of};
use crate::{BlockFormat, ImageViewMut, RoundingRule, decode_into};
use brickwork_image::image_file::{
    ImageFault, Texels,
    decoder::{Budget, Failure, Float, Halves},
};
use dds::{Channels, DecodeOptions, Format, Size};
use half::f16;
use std::io::Read;

/// Rows of texels that are decoded at a time: a multiple of 4.
const BAND_ROWS: usize = 64;

/// Returns the bytes that decoding takes besides the texels.
pub(super) fn extra_bytes(surface: &Surface, format: Option<BlockFormat>) -> u64 {
    let [width, height] = surface.size.map(u64::from);
    let texel_bytes = if format.is_some() { 8 } else { 16 };
    let band_bytes = width * texel_bytes * height.min(BAND_ROWS as u64);
    band_bytes + if format.is_some() { surface.byte_count() } else { 16 * 16 * width + (64 << 10) }
}

/// Decodes the texels that `reader` yields. Also returns the conversion to half floats, if there is one.
///
/// # Errors
/// [`Failure`] if the memory limit is exceeded or the reader fails.
pub(super) fn decode(
    surface: &Surface,
    mut reader: impl Read,
    format: Format,
    budget: &Budget<'_>,
) -> Result<(Texels, Halves), Failure> {
    if let Some(format) = block_format(format) {
        return Ok((bc6h(surface, reader, format, budget)?, Halves::default()));
    }
    let color = decoded_color(format);
    let channels = match color.channels {
        Channels::Grayscale | Channels::Alpha => 1,
        Channels::Rgb => 3,
        Channels::Rgba => 4,
    };
    let mut halves = Halves::default();
    let mut options = DecodeOptions::default();
    let left = budget.limit - budget.texel_bytes(surface.size, surface.layout(), 0)?;
    options.memory_limit = usize::try_from(left).unwrap_or(usize::MAX);
    let row_length = surface.size[0] as usize * channels;
    let mut decode = |band: &mut [f32]| -> Result<(), Failure> {
        let size = Size::new(surface.size[0], (band.len() / row_length) as u32);
        let view = dds::ImageViewMut::new(bytemuck::cast_slice_mut(band), size, color)
            .ok_or_else(|| Failure::Malformed(ImageFault::Size(surface.size.map(u64::from))))?;
        dds::decode(&mut reader, view, format, &options).map_err(failure_of)
    };
    let bands = [row_length, surface.size[1] as usize];
    let texels = budget.texels(surface.size, surface.layout(), |bytes| match surface.is_single() {
        true => fill::<f32>(bytemuck::cast_slice_mut(bytes), bands, &mut decode, &mut halves),
        false => fill::<f16>(bytemuck::cast_slice_mut(bytes), bands, &mut decode, &mut halves),
    })?;
    Ok((texels, halves))
}

/// Fills the channels of an image whose rows have this length, in bands of rows that `decode` fills.
fn fill<C: Float>(
    channels: &mut [C],
    [row_length, row_count]: [usize; 2],
    decode: &mut impl FnMut(&mut [f32]) -> Result<(), Failure>,
    halves: &mut Halves,
) -> Result<(), Failure> {
    let mut band = vec![0.0f32; row_length * BAND_ROWS.min(row_count)];
    for channels in channels.chunks_mut(row_length * BAND_ROWS) {
        let band = &mut band[..channels.len()];
        decode(band)?;
        for (channel, &value) in channels.iter_mut().zip(&*band) {
            *channel = C::of_single(value, halves);
        }
    }
    Ok(())
}

/// Decodes blocks of BC6H to RGB.
fn bc6h(
    surface: &Surface,
    reader: impl Read,
    format: BlockFormat,
    budget: &Budget<'_>,
) -> Result<Texels, Failure> {
    let blocks = surface.read_blocks(reader)?;
    let width = surface.size[0] as usize;
    budget.texels(surface.size, surface.layout(), |bytes| {
        let targets: &mut [[f16; 3]] = bytemuck::cast_slice_mut(bytes);
        let mut band = vec![[f16::ZERO; 4]; width * BAND_ROWS.min(surface.size[1] as usize)];
        let band_bytes = format.image_bytes(width as u32, BAND_ROWS as u32) as usize;
        let bands = targets.chunks_mut(width * BAND_ROWS).zip(blocks.chunks(band_bytes));
        for (targets, blocks) in bands {
            let band = &mut band[..targets.len()];
            let failed = |text: String| Failure::Malformed(ImageFault::Decoder(text));
            let mut image = ImageViewMut::new(&mut *band, width as u32, (targets.len() / width) as u32)
                .map_err(|error| failed(error.to_string()))?;
            let task = budget.task.without_progress();
            decode_into(format, blocks, RoundingRule::Exact, &mut image, &task)
                .map_err(|error| failed(error.to_string()))?;
            for (target, &[r, g, b, _]) in targets.iter_mut().zip(&*band) {
                *target = [r, g, b];
            }
        }
        Ok(())
    })
}
