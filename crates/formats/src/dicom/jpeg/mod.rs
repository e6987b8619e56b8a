//! Lossless JPEG with Huffman codes (ITU-T T.81, Annex H; process 14) of up to 16 bits, the most common
//! compression of CT and MR series.
//!
//! The crate jpeg-decoder 0.3.2 underflows at invalid precisions, and does not support restarts with the most
//! common predictor.

mod bits;

use crate::{FormatError, JpegFault, JpegFeature, SliceShape};
use bits::{Bits, Table};

/// Unpacks `stream` into `bytes`, which has the length of the slice: whole voxels, the least significant byte
/// first.
pub fn unpack(stream: &[u8], shape: SliceShape, bytes: &mut [u8]) -> Result<(), FormatError> {
    let mut decoder = Decoder { shape, tables: Default::default(), restart: 0, frame: None };
    let mut at = 2;
    if stream.get(..2) != Some(&[0xff, 0xd8]) {
        return Err(JpegFault::Start.into());
    }
    loop {
        while stream.get(at) == Some(&0xff) && stream.get(at + 1) == Some(&0xff) {
            at += 1;
        }
        let Some(&[0xff, marker, high, low]) = stream.get(at..at + 4) else {
            return Err(JpegFault::End.into());
        };
        let length = usize::from(u16::from_be_bytes([high, low]));
        let Some(segment) = stream.get(at + 4..at + 2 + length) else {
            return Err(JpegFault::SegmentEnd.into());
        };
        at += 2 + length;
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

struct Frame {
    precision: u32,
    /// Names of the components.
    names: Vec<u8>,
    /// Components that no scan has contained yet, one bit each.
    missing: u32,
}

impl Decoder {
    /// Reads the frame header (B.2.2).
    fn frame(&mut self, segment: &[u8]) -> Result<(), FormatError> {
        let Some((&[precision, y1, y0, x1, x0, count], components)) = segment.split_first_chunk::<6>() else {
            return Err(JpegFault::FrameEnd.into());
        };
        let [height, width] = [[y1, y0], [x1, x0]].map(|side| u16::from_be_bytes(side).into());
        let precision = u32::from(precision);
        let SliceShape { voxel_type, channels, .. } = self.shape;
        if (width as usize, height as usize) != (self.shape.width, self.shape.height) {
            return Err(JpegFeature::Size { width, height, slice: self.shape }.into());
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
        if self.frame.replace(Frame { precision, names, missing: (1 << channels) - 1 }).is_some() {
            return Err(JpegFault::TwoFrames.into());
        }
        Ok(())
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
        for [name, table] in chosen {
            let place = frame.names.iter().position(|other| other == name);
            let table = self.tables.get(usize::from(table >> 4)).and_then(Option::as_ref);
            let (Some(place), Some(table)) = (place, table) else {
                return Err(JpegFault::UnknownName.into());
            };
            components.push((place, table));
            frame.missing &= !(1 << place);
        }
        let SliceShape { width, height, voxel_type, channels } = self.shape;
        if !self.restart.is_multiple_of(width) {
            return Err(JpegFault::RestartInRow.into());
        }
        let rows = if self.restart == 0 { height } else { self.restart / width };
        let (number_bytes, first) = (voxel_type.byte_count(), 1i32 << (frame.precision - shift - 1));
        let mut bits = Bits::new(data);
        // Two rows of each component, before they are shifted.
        let mut lines = vec![(vec![0i32; width], vec![0i32; width]); components.len()];
        for (y, row) in bytes.chunks_exact_mut(width * channels * number_bytes).enumerate() {
            let starts = y % rows == 0;
            if starts && y > 0 {
                bits.restart()?;
            }
            for x in 0..width {
                for ((place, table), (above, line)) in components.iter().zip(&mut lines) {
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
                    let number = ((value as u32) << shift).to_le_bytes();
                    let at = (x * channels + place) * number_bytes;
                    row[at..at + number_bytes].copy_from_slice(&number[..number_bytes]);
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
