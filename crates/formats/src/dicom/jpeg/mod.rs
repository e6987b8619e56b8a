//! Lossless JPEG with Huffman codes (ITU-T T.81, Annex H; process 14) of up to 16 bits, the most common
//! compression of CT and MR series.
//!
//! The crate jpeg-decoder 0.3.2 underflows at invalid precisions, and does not support restarts with the most
//! common predictor.

mod bits;

use super::{
    jpeg_frame::{Frame, segment, start},
    sample::put,
};
use crate::{FormatError, JpegFault, JpegFeature, SliceShape};
use bits::{Bits, Table};

/// Unpacks `stream` into `bytes`, which has the length of the slice: whole voxels, the least significant byte
/// first.
pub fn unpack(stream: &[u8], shape: SliceShape, bytes: &mut [u8]) -> Result<(), FormatError> {
    let mut decoder = Decoder { shape, tables: Default::default(), restart: 0, frame: None };
    let mut at = start(stream)?;
    loop {
        let (marker, segment) = segment(stream, &mut at)?;
        match marker {
            0xc3 => decoder.frame(segment)?,
            0xc4 => decoder.tables(segment)?,
            0xc0..=0xcf if marker != 0xc8 && marker != 0xcc => {
                return Err(JpegFeature::Process(marker - 0xc0).into());
            }
            0xdd => match segment {
                &[high, low] => decoder.restart = usize::from(u16::from_be_bytes([high, low])),
                _ => return Err(JpegFault::RestartInterval.into()),
            },
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
    tables: [Option<Table>; 4],
    /// Number of voxels from one restart to the next; 0 for none.
    restart: usize,
    frame: Option<Frame>,
}

impl Decoder {
    /// Reads the frame header (B.2.2).
    fn frame(&mut self, segment: &[u8]) -> Result<(), FormatError> {
        match self.frame.replace(Frame::of(segment, self.shape)?) {
            None => Ok(()),
            Some(_) => Err(JpegFault::TwoFrames.into()),
        }
    }

    /// Reads Huffman tables (B.2.4.2).
    fn tables(&mut self, mut segment: &[u8]) -> Result<(), FormatError> {
        while let Some((&which, rest)) = segment.split_first() {
            let Some((counts, rest)) = rest.split_first_chunk::<16>() else {
                return Err(JpegFault::TableEnd.into());
            };
            let count = counts.iter().map(|&count| usize::from(count)).sum();
            let (Some(symbols), Some(table)) = (rest.get(..count), self.tables.get_mut(usize::from(which)))
            else {
                return Err(JpegFault::Table.into());
            };
            *table = Some(Table::new(counts, symbols)?);
            segment = &rest[count..];
        }
        Ok(())
    }

    /// Reads a scan's header and its data. Returns the data's length.
    fn scan(&mut self, segment: &[u8], data: &[u8], bytes: &mut [u8]) -> Result<usize, FormatError> {
        let Some(frame) = &mut self.frame else { return Err(JpegFault::NoFrame.into()) };
        let Some((&count, rest)) = segment.split_first() else { return Err(JpegFault::NoScanHeader.into()) };
        let (chosen, rest) = rest.as_chunks::<2>().0.split_at_checked(usize::from(count)).unwrap_or_default();
        let is_count = (1..=self.shape.channels).contains(&chosen.len());
        let (Some(&[predictor @ 1..=7, 0]), true) = (rest.first(), is_count) else {
            return Err(JpegFault::ScanHeader.into());
        };
        let shift = u32::from(segment[segment.len() - 1] & 15);
        if shift >= frame.precision || segment.len() != 4 + 2 * chosen.len() {
            return Err(JpegFault::ScanHeader.into());
        }
        let mut components = Vec::new();
        for &[name, table] in chosen {
            let table = self.tables.get(usize::from(table >> 4)).and_then(Option::as_ref);
            components.push((frame.take(name)?, table.ok_or(JpegFault::UnknownName)?));
        }
        let SliceShape { width, height, voxel_type, channels } = self.shape;
        if !self.restart.is_multiple_of(width) {
            return Err(JpegFault::RestartInRow.into());
        }
        let rows = if self.restart == 0 { height } else { self.restart / width };
        let (voxel_bytes, first) =
            (channels * voxel_type.byte_count(), 1i32 << (frame.precision - shift - 1));
        let mut bits = Bits::new(data);
        // Two rows of each component, before they are shifted.
        let mut lines = vec![(vec![0i32; width], vec![0i32; width]); components.len()];
        for (y, row) in bytes.chunks_exact_mut(width * voxel_bytes).enumerate() {
            let starts = y % rows == 0;
            if starts && y > 0 {
                bits.restart()?;
            }
            for (x, voxel) in row.chunks_exact_mut(voxel_bytes).enumerate() {
                for (&(place, table), (above, line)) in components.iter().zip(&mut lines) {
                    // Prediction (H.1.2.1).
                    let predicted = match (x, starts) {
                        (0, true) => first,
                        (_, true) => line[x - 1],
                        (0, false) => above[0],
                        _ => predict(predictor, line[x - 1], above[x], above[x - 1]),
                    };
                    let value = (predicted + bits.difference(table)?) & 0xffff;
                    if value >> (frame.precision - shift) != 0 {
                        return Err(JpegFault::SampleBits.into());
                    }
                    line[x] = value;
                    // (`Layout::trim` extends the sign, which has the place that BitsStored states.)
                    put(value << shift, 32, voxel_type, voxel, place);
                }
            }
            lines.iter_mut().for_each(|(above, line)| std::mem::swap(above, line));
        }
        Ok(bits.end())
    }
}

/// Returns the prediction (Table H.1).
const fn predict(predictor: u8, a: i32, b: i32, c: i32) -> i32 {
    match predictor {
        1 => a,
        2 => b,
        3 => c,
        4 => a + b - c,
        5 => a + ((b - c) >> 1),
        6 => b + ((a - c) >> 1),
        _ => (a + b) >> 1,
    }
}

#[cfg(test)]
mod tests;
