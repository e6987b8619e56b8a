//! DDS as a picture.

use super::{
    budget::Budget,
    color,
    dds_masks::{HEADER_BYTES, Masked},
    decoded::Decoded,
    failure::Failure,
    surface::{Storage, Surface},
    tracked_reader::TrackedReader,
};
use crate::ColorSpace;
use dds::{DecodingError, Format, Precision, header::ParseOptions};
use image::metadata::Orientation;
use std::io::{Read, Seek};

pub(super) fn decode(mut source: TrackedReader<'_>, budget: &Budget<'_>) -> Result<Decoded, Failure> {
    let mut first = [0; HEADER_BYTES];
    let is_whole = source.read_exact(&mut first).is_ok();
    if is_whole && let Some(masked) = Masked::of_header(&first)? {
        let (size, has_alpha) = (masked.size, masked.has_alpha());
        let texels = masked.decode(source, budget)?;
        let color = color::assumed("DDS without a DX10 header");
        return Ok(Decoded { size, texels, has_alpha, orientation: Orientation::NoTransforms, color });
    }
    source.rewind()?;
    let options = ParseOptions::new_permissive(Some(budget.file_bytes));
    let header = dds::header::Header::read(&mut source, &options).map_err(DecodingError::from)?;
    let decoder = dds::Decoder::from_header(source, header).map_err(|error| {
        let is_unknown = is_whole && matches!(error, DecodingError::Format(_));
        is_unknown.then(|| Masked::refused(&first)).flatten().unwrap_or_else(|| error.into())
    })?;
    let color = color_space(decoder.header(), decoder.format());
    let size = [decoder.main_size().width, decoder.main_size().height];
    let surface = Surface { storage: Storage::Dds(decoder.format()), size };
    if surface.byte_count() > budget.file_bytes {
        let (length, [width, height]) = (budget.file_bytes, size);
        return Err(Failure::Malformed(format!("{length} bytes are too few for {width}×{height} texels")));
    }
    let (texels, has_alpha) = surface.decode(decoder.into_reader(), budget)?;
    Ok(Decoded { size, texels, has_alpha, orientation: Orientation::NoTransforms, color })
}

/// DX10 headers name a DXGI format, which is sRGB or not; older ones do not say.
fn color_space(header: &dds::header::Header, format: Format) -> (ColorSpace, String) {
    if header.is_srgb() {
        (ColorSpace::Srgb, format!("DDS format {format:?} with sRGB"))
    } else if header.dx10().is_some() || format.precision() == Precision::F32 {
        (ColorSpace::Linear, format!("DDS format {format:?} is linear"))
    } else {
        color::assumed("DDS without a DX10 header")
    }
}
