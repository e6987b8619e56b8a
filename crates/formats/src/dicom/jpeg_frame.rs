//! Segments and the frame header of images of lossless JPEG (T.81, Annex B) and JPEG-LS (T.87, Annex C).

use crate::{FormatError, JpegFault, JpegFeature, SliceShape};

/// Returns the position of the first segment.
pub fn start(stream: &[u8]) -> Result<usize, FormatError> {
    if stream.starts_with(&[0xff, 0xd8]) { Ok(2) } else { Err(JpegFault::Start.into()) }
}

/// Returns the marker at `at`, without 0xff, and its segment, whose end becomes `at`. Bytes may fill the
/// space before the marker.
pub fn segment<'a>(stream: &'a [u8], at: &mut usize) -> Result<(u8, &'a [u8]), FormatError> {
    while stream.get(*at..*at + 2) == Some(&[0xff, 0xff]) {
        *at += 1;
    }
    let Some(&[0xff, marker, high, low]) = stream.get(*at..*at + 4) else {
        return Err(JpegFault::End.into());
    };
    let length = usize::from(u16::from_be_bytes([high, low]));
    let Some(segment) = stream.get(*at + 4..*at + 2 + length) else {
        return Err(JpegFault::SegmentEnd.into());
    };
    *at += 2 + length;
    Ok((marker, segment))
}

/// Frame header, and the progress of its scans.
pub struct Frame {
    /// Bits per sample.
    pub precision: u32,
    /// Names of the components.
    names: Vec<u8>,
    /// Components that no scan has contained yet, one bit each.
    pub missing: u32,
}

impl Frame {
    /// Reads the header of an image that is to have this shape.
    pub fn of(segment: &[u8], shape: SliceShape) -> Result<Self, FormatError> {
        let Some((&[precision, y1, y0, x1, x0, count], components)) = segment.split_first_chunk::<6>() else {
            return Err(JpegFault::FrameEnd.into());
        };
        let [height, width] = [[y1, y0], [x1, x0]].map(|side| u16::from_be_bytes(side).into());
        let precision = u32::from(precision);
        let SliceShape { voxel_type, channels, .. } = shape;
        if (width as usize, height as usize) != (shape.width, shape.height) {
            return Err(JpegFeature::Size { width, height, slice: shape }.into());
        }
        if !(2..=voxel_type.bit_count()).contains(&precision) || voxel_type.byte_count() > 2 {
            return Err(JpegFeature::Precision { bits: precision, voxel_type }.into());
        }
        let components = components.as_chunks::<3>().0;
        if usize::from(count) != channels || components.len() != channels {
            return Err(JpegFeature::Components { count: count.into(), channels }.into());
        }
        if channels > 1 && components.iter().any(|component| component[1] != 0x11) {
            return Err(JpegFeature::Subsampling.into());
        }
        let names = components.iter().map(|component| component[0]).collect();
        Ok(Self { precision, names, missing: (1 << channels) - 1 })
    }

    /// Returns the index of the component of a scan. No scan may contain it again: else a short image could
    /// take any time.
    pub fn take(&mut self, name: u8) -> Result<usize, FormatError> {
        let place = self.names.iter().position(|&other| other == name);
        let place = place.filter(|place| self.missing >> place & 1 == 1).ok_or(JpegFault::UnknownName)?;
        self.missing &= !(1 << place);
        Ok(place)
    }
}
