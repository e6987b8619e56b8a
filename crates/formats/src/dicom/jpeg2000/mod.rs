//! JPEG 2000 (ITU-T T.800, ISO/IEC 15444-1) of up to 16 bits, by hayro-jpeg2000, which is safe Rust. Its
//! samples are `f32`. The integers of the reversible wavelet need at most 20 bits, so they are exact.
//!
//! `header.rs` first compares the header with the slice, and refuses what would take much more memory or time
//! than the slice.

mod header;
#[cfg(test)]
mod tests;

use super::sample::put;
use crate::{FormatError, SliceShape};
use hayro_jpeg2000::{DecodeSettings, DecoderContext, Image};
use header::Samples;

/// Unpacks `stream` into `bytes`, which has the length of the slice: whole voxels, the least significant byte
/// first.
pub fn unpack(stream: &[u8], shape: SliceShape, bytes: &mut [u8]) -> Result<(), FormatError> {
    let codestream = header::codestream(stream)?;
    let Samples { precision, is_signed } = header::check(codestream, shape)?;
    let damage = |error: hayro_jpeg2000::DecodeError| {
        FormatError::Decoder(format!("the JPEG 2000 image is damaged: {error}").into())
    };
    let settings = DecodeSettings { strict: true, ..DecodeSettings::default() };
    let image = Image::new(codestream, &settings).map_err(damage)?;
    let mut context = DecoderContext::default();
    let decoded = image.decode(&mut context).map_err(damage)?;
    let most = ((1u32 << precision) - 1) as f32;
    // The decoder adds half the range to any sample, so that the smallest is 0.
    let offset = if is_signed { 1 << (precision - 1) } else { 0 };
    let voxel_bytes = shape.channels * shape.voxel_type.byte_count();
    for (place, component) in decoded.components().iter().take(shape.channels).enumerate() {
        for (voxel, sample) in bytes.chunks_exact_mut(voxel_bytes).zip(component.samples()) {
            let sample = sample.round().clamp(0.0, most) as i32;
            put(sample - offset, precision, shape.voxel_type, voxel, place);
        }
    }
    Ok(())
}
