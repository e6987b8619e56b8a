//! Checks of strips and tiles before they are decoded. The `tiff` crate allocates a whole row of a tile, and
//! as many texels as the JPEG image in a strip or tile states. Both may be larger than the picture.

use super::{
    super::{budget::Budget, failure::Failure, fault::ImageFault, tracked_reader::TrackedReader},
    RATIO,
    directory::Directory,
};
use ::tiff::{
    decoder::{ChunkType, Decoder},
    tags::Tag,
};
use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// Greatest size of the blocks of JPEG, to whose multiple a side may be rounded.
const BLOCK: u32 = 16;

/// Checks the strips or tiles of a directory. Leaves the file at its start.
///
/// # Errors
/// [`Failure`] if they would take more memory than the picture or the file can fill.
pub(super) fn check(
    source: &mut TrackedReader<'_>,
    directory: &Directory,
    value_bytes: u64,
    budget: &Budget<'_>,
) -> Result<(), Failure> {
    let row_bytes = directory.tile_row_bytes();
    budget.check(value_bytes.saturating_add(row_bytes))?;
    if row_bytes / RATIO > budget.file_bytes {
        return Err(Failure::Malformed(ImageFault::WideTiles { bytes: budget.file_bytes }));
    }
    if directory.is_jpeg() {
        source.seek(SeekFrom::Start(0))?;
        check_jpeg(&mut Decoder::new(&mut *source)?, directory, value_bytes, budget)?;
    }
    source.seek(SeekFrom::Start(0))?;
    Ok(())
}

fn check_jpeg<R: Read + Seek>(
    decoder: &mut Decoder<R>,
    directory: &Directory,
    value_bytes: u64,
    budget: &Budget<'_>,
) -> Result<(), Failure> {
    if directory.index > 0 {
        decoder.seek_to_image(directory.index)?;
    }
    let mut of = |tags: [Tag; 2]| -> Result<Vec<u64>, Failure> {
        for tag in tags {
            if let Some(values) = decoder.find_tag_unsigned_vec(tag)? {
                return Ok(values);
            }
        }
        Ok(Vec::new())
    };
    let starts = of([Tag::StripOffsets, Tag::TileOffsets])?;
    let lengths = of([Tag::StripByteCounts, Tag::TileByteCounts])?;
    let (width, height) = decoder.chunk_dimensions();
    // Tiles do not end with the picture, so their texels are counted besides its own.
    let is_tiled = decoder.get_chunk_type() == ChunkType::Tile;
    let chunk = [width, if is_tiled { height } else { height.min(decoder.dimensions()?.1) }];
    if is_tiled {
        let tile_bytes = directory.tile_row_bytes().saturating_mul(height.into());
        budget.check(value_bytes.saturating_add(tile_bytes))?;
        if tile_bytes / RATIO > budget.file_bytes {
            return Err(Failure::Malformed(ImageFault::WideTiles { bytes: budget.file_bytes }));
        }
    }
    if let Some(tables) = decoder.find_tag(Tag::JPEGTables)? {
        check_frames(&mut Cursor::new(tables.into_u8_vec()?), chunk)?;
    }
    for (start, length) in starts.into_iter().zip(lengths) {
        let file = decoder.inner();
        file.seek(SeekFrom::Start(start))?;
        if !check_frames(&mut file.take(length), chunk)? {
            return Err(Failure::Malformed(ImageFault::NoFrameHeader));
        }
    }
    Ok(())
}

/// Checks the size in each frame header before the first scan. Returns true if there is one.
fn check_frames(image: &mut impl Read, chunk: [u32; 2]) -> Result<bool, Failure> {
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
            _ => return Err(Failure::Malformed(ImageFault::NoMarker)),
        }
        let mut length = u64::from(u16::from_be_bytes([head[2], head[3]])).saturating_sub(2);
        if matches!(head[1], 0xc0..=0xcf) && !matches!(head[1], 0xc4 | 0xc8 | 0xcc) {
            let mut frame = [0; 5];
            image.read_exact(&mut frame)?;
            length = length.saturating_sub(5);
            let [_, y1, y0, x1, x0] = frame;
            let size = [[x1, x0], [y1, y0]].map(|side| u32::from(u16::from_be_bytes(side)));
            let fits =
                |(have, most): (u32, u32)| u64::from(have) <= u64::from(most).next_multiple_of(BLOCK.into());
            if !size.into_iter().zip(chunk).all(fits) {
                return Err(Failure::Malformed(ImageFault::JpegSize { size, chunk }));
            }
            has_frame = true;
        }
        io::copy(&mut image.take(length), &mut io::sink())?;
    }
}
