//! JPEG-LS (ITU-T T.87, ISO/IEC 14495-1), lossless and near-lossless, of up to 16 bits. Written from the
//! specification.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | segments: frame header, parameters, scans |
//! | `scan.rs` | a scan: contexts, runs, samples |
//! | `bits.rs` | the bits of a scan |
//! | `model.rs` | parameters and statistics of the coder |

mod bits;
mod model;
mod scan;
#[cfg(test)]
mod tests;

use super::{
    jpeg_frame::{Frame, segment, start},
    sample::put,
};
use crate::{FormatError, JpegFault, JpegFeature, SliceShape};
use bits::Bits;
use model::{Model, Preset};
use scan::{Interleave, Scan};

/// Unpacks `stream` into `bytes`, which has the length of the slice: whole voxels, the least significant byte
/// first.
pub fn unpack(stream: &[u8], shape: SliceShape, bytes: &mut [u8]) -> Result<(), FormatError> {
    let mut decoder = Decoder { shape, preset: Preset::default(), frame: None };
    let mut at = start(stream)?;
    loop {
        let (marker, segment) = segment(stream, &mut at)?;
        match marker {
            0xf7 => decoder.frame(segment)?,
            0xf8 => decoder.parameters(segment)?,
            0xc0..=0xcf if marker != 0xc4 && marker != 0xc8 && marker != 0xcc => {
                return Err(JpegFeature::Ls("a frame of another process of JPEG").into());
            }
            0xdd if segment.iter().any(|&byte| byte != 0) => {
                return Err(JpegFeature::Ls("restarts").into());
            }
            // Hewlett-Packard's colour transforms, which DICOM does not have.
            0xe8 if segment.starts_with(b"mrfx") && segment.get(4) != Some(&0) => {
                return Err(JpegFeature::Ls("a colour transform (mrfx)").into());
            }
            0xda => {
                at += decoder.scan(segment, &stream[at..], bytes)?;
                if decoder.frame.as_ref().is_some_and(|frame| frame.missing == 0) {
                    return Ok(());
                }
            }
            _ => {}
        }
    }
}

struct Decoder {
    shape: SliceShape,
    preset: Preset,
    frame: Option<Frame>,
}

impl Decoder {
    /// Reads the frame header (C.2.2), which is that of T.81.
    fn frame(&mut self, segment: &[u8]) -> Result<(), FormatError> {
        match self.frame.replace(Frame::of(segment, self.shape)?) {
            None => Ok(()),
            Some(_) => Err(JpegFault::TwoFrames.into()),
        }
    }

    /// Reads parameters of the coder (C.2.4.1).
    fn parameters(&mut self, segment: &[u8]) -> Result<(), FormatError> {
        match segment {
            [1, rest @ ..] => {
                let Ok(bytes) = <[u8; 10]>::try_from(rest) else {
                    return Err(JpegFault::Parameters.into());
                };
                self.preset = Preset::of(bytes);
                Ok(())
            }
            [2 | 3, ..] => Err(JpegFeature::Ls("mapping tables").into()),
            [4, ..] => Err(JpegFeature::Ls("a size beyond 65535").into()),
            _ => Err(JpegFault::Parameters.into()),
        }
    }

    /// Reads a scan's header (C.2.3) and its data. Returns the data's length.
    fn scan(&mut self, segment: &[u8], data: &[u8], bytes: &mut [u8]) -> Result<usize, FormatError> {
        let Some(frame) = &mut self.frame else { return Err(JpegFault::NoFrame.into()) };
        let Some((&count, rest)) = segment.split_first() else { return Err(JpegFault::NoScanHeader.into()) };
        let (chosen, rest) = rest.as_chunks::<2>().0.split_at_checked(usize::from(count)).unwrap_or_default();
        let (&[[near, interleave]], &[shift]) = (rest, &segment[segment.len() - 1..]) else {
            return Err(JpegFault::ScanHeader.into());
        };
        if segment.len() != 4 + 2 * chosen.len() {
            return Err(JpegFault::ScanHeader.into());
        }
        let interleave = match (interleave, chosen.len()) {
            (0, 1) => Interleave::None,
            (1, 1..) => Interleave::Line,
            (2, 1..) => Interleave::Sample,
            _ => return Err(JpegFault::ScanHeader.into()),
        };
        if shift != 0 {
            return Err(JpegFeature::Ls("a point transform").into());
        }
        let mut places = Vec::new();
        for &[name, table] in chosen {
            if table != 0 {
                return Err(JpegFeature::Ls("mapping tables").into());
            }
            places.push(frame.take(name)?);
        }
        let model = Model::new(&self.preset, frame.precision, near.into())?;
        // The data ends at the next marker.
        let end = data.windows(2).position(|pair| pair[0] == 0xff && pair[1] >= 0x80).unwrap_or(data.len());
        let SliceShape { width, voxel_type, channels, .. } = self.shape;
        let mut scan = Scan::new(model, Bits::new(&data[..end]), width, places.len(), interleave);
        let voxel_bytes = channels * voxel_type.byte_count();
        for row in bytes.chunks_exact_mut(width * voxel_bytes) {
            scan.next_row()?;
            for (index, &place) in places.iter().enumerate() {
                for (voxel, &sample) in row.chunks_exact_mut(voxel_bytes).zip(scan.row(index)) {
                    put(sample, frame.precision, voxel_type, voxel, place);
                }
            }
        }
        Ok(end)
    }
}
