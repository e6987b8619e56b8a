//! Checks of strips and tiles before they are decoded. The `tiff` crate allocates a whole row of a tile, and
//! as many voxels as the JPEG image in a strip or tile states. Both may be larger than the page.

use super::tiff_file::{File, JPEG, compression};
use crate::{FormatError, JpegFault, JpegFeature, SliceShape, slices::slice::MAX_RATIO};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use tiff::{decoder::ChunkType, tags::Tag};

/// Greatest size of the blocks of JPEG, to whose multiple a width may be rounded.
const BLOCK: usize = 16;

/// Checks the strips or tiles of a page with voxels of this shape.
///
/// # Errors
/// [`FormatError`] if they would take more memory than the page or the file can fill.
pub fn check(pages: &mut File, shape: SliceShape, file_bytes: u64) -> Result<(), FormatError> {
    let (width, height) = pages.chunk_dimensions();
    let samples = pages.find_tag_unsigned::<u16>(Tag::SamplesPerPixel)?.unwrap_or(1);
    let row_bits = u64::from(pages.colortype()?.bit_depth()) * u64::from(samples);
    let need = u64::from(width).saturating_mul(row_bits).div_ceil(8);
    let have = file_bytes.saturating_mul(MAX_RATIO);
    if need > have {
        return Err(FormatError::Length { part: "a row of a file so short", need, have });
    }
    if compression(pages)? != JPEG {
        return Ok(());
    }
    let of = |pages: &mut File, tags: [Tag; 2]| -> Result<Vec<u64>, FormatError> {
        for tag in tags {
            if let Some(values) = pages.find_tag_unsigned_vec(tag)? {
                return Ok(values);
            }
        }
        Ok(Vec::new())
    };
    let starts = of(pages, [Tag::StripOffsets, Tag::TileOffsets])?;
    let lengths = of(pages, [Tag::StripByteCounts, Tag::TileByteCounts])?;
    // Tiles do not end with the page.
    let is_tiled = pages.get_chunk_type() == ChunkType::Tile;
    if is_tiled {
        let need = need.saturating_mul(height.into());
        if need > have {
            return Err(FormatError::Length { part: "a tile of a file so short", need, have });
        }
    }
    let height = if is_tiled { height as usize } else { (height as usize).min(shape.height) };
    let chunk = SliceShape { width: width as usize, height, ..shape };
    if let Some(tables) = pages.find_tag(Tag::JPEGTables)? {
        check_frames(&mut Cursor::new(tables.into_u8_vec()?), chunk)?;
    }
    for (start, length) in starts.into_iter().zip(lengths) {
        let file = pages.inner();
        file.seek(SeekFrom::Start(start))?;
        if !check_frames(&mut file.take(length), chunk)? {
            return Err(JpegFault::NoFrame.into());
        }
    }
    Ok(())
}

/// Checks the size in each frame header before the first scan. Returns true if there is one.
fn check_frames(image: &mut impl Read, chunk: SliceShape) -> Result<bool, FormatError> {
    let mut has_frame = false;
    let mut start = [0; 2];
    image.read_exact(&mut start)?;
    loop {
        let mut head = [0; 4];
        if image.read_exact(&mut head[..2]).is_err() {
            return Ok(has_frame);
        }
        // Fill bytes precede markers.
        while head[..2] == [0xff, 0xff] {
            image.read_exact(&mut head[1..2])?;
        }
        match head {
            [0xff, 0xd9 | 0xda, ..] => return Ok(has_frame),
            [0xff, ..] => image.read_exact(&mut head[2..])?,
            _ => return Err(JpegFault::SegmentEnd.into()),
        }
        let mut length = u64::from(u16::from_be_bytes([head[2], head[3]])).saturating_sub(2);
        if matches!(head[1], 0xc0..=0xcf) && !matches!(head[1], 0xc4 | 0xc8 | 0xcc) {
            let mut frame = [0; 5];
            image.read_exact(&mut frame)?;
            length = length.saturating_sub(5);
            let [_, y1, y0, x1, x0] = frame;
            let (height, width) = (u16::from_be_bytes([y1, y0]), u16::from_be_bytes([x1, x0]));
            let fits = |have: u16, most: usize| usize::from(have) <= most.next_multiple_of(BLOCK);
            if !fits(width, chunk.width) || !fits(height, chunk.height) {
                return Err(
                    JpegFeature::Size { width: width.into(), height: height.into(), slice: chunk }.into()
                );
            }
            has_frame = true;
        }
        io::copy(&mut image.take(length), &mut io::sink())?;
    }
}
