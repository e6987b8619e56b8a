//! JPEG 2000 (ITU-T T.800, ISO/IEC 15444-1) of up to 16 bits, by hayro-jpeg2000, which is safe Rust. Its
//! samples are `f32`. The integers of the reversible wavelet need at most 20 bits, so they are exact.
//!
//! Images with blocks of HTJ2K (T.814), which hayro-jpeg2000 does not read, go to dicom-toolkit-jpeg2000, an
//! extended copy of it in safe Rust: `notes.md`.
//!
//! `header.rs` first compares the header with the slice, and refuses what would take much more memory or time
//! than the slice.

mod header;
#[cfg(test)]
mod tests;

use super::sample::put;
use crate::{FormatError, SliceShape};
use dicom_toolkit_jpeg2000 as fast;
use hayro_jpeg2000::{DecodeSettings, DecoderContext, Image};
use header::Samples;
use std::fmt;

/// Unpacks `stream` into `bytes`, which has the length of the slice: whole voxels, the least significant byte
/// first. Returns the bits per sample of the codestream.
pub fn unpack(stream: &[u8], shape: SliceShape, bytes: &mut [u8]) -> Result<u32, FormatError> {
    let codestream = header::codestream(stream)?;
    let samples = header::check(codestream, shape)?;
    if samples.has_fast_blocks {
        unpack_fast(codestream, shape, &samples, bytes)?;
        return Ok(samples.precision);
    }
    let Samples { precision, is_signed, .. } = samples;
    let settings = DecodeSettings { strict: true, ..DecodeSettings::default() };
    let image = Image::new(codestream, &settings).map_err(|error| damage(&error))?;
    let mut context = DecoderContext::default();
    let decoded = image.decode(&mut context).map_err(|error| damage(&error))?;
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
    Ok(precision)
}

/// Unpacks an image with blocks of HTJ2K.
fn unpack_fast(
    codestream: &[u8],
    shape: SliceShape,
    samples: &Samples,
    bytes: &mut [u8],
) -> Result<(), FormatError> {
    let settings = fast::DecodeSettings { strict: true, ..fast::DecodeSettings::default() };
    let image = fast::Image::new(codestream, &settings).map_err(|error| damage(&error))?;
    let image = image.decode_native().map_err(|error| damage(&error))?;
    // Here, too, the smallest sample is 0.
    let offset = if samples.is_signed { 1 << (samples.precision - 1) } else { 0 };
    let sample_bytes = usize::from(image.bytes_per_sample);
    let voxels = bytes.chunks_exact_mut(shape.channels * shape.voxel_type.byte_count());
    for (voxel, stored) in voxels.zip(image.data.chunks_exact(shape.channels * sample_bytes)) {
        for (place, sample) in stored.chunks_exact(sample_bytes).enumerate() {
            let sample = sample.iter().rev().fold(0, |number, &byte| number << 8 | i32::from(byte));
            put(sample - offset, samples.precision, shape.voxel_type, voxel, place);
        }
    }
    Ok(())
}

fn damage(error: &dyn fmt::Display) -> FormatError {
    FormatError::Decoder(format!("the JPEG 2000 image is damaged: {error}").into())
}
