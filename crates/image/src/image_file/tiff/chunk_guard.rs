//! Checks of strips and tiles before they are decoded. The `tiff` crate allocates a whole row of a tile, and
//! as many texels as the JPEG image in a strip or tile states. Both may be larger than the picture.

use super::{
    super::{
        budget::Budget, failure::Failure, fault::ImageFault, jpeg_frames::check_frames,
        tracked_reader::TrackedReader,
    },
    RATIO, Source,
    directory::Directory,
};
use ::tiff::{
    decoder::{ChunkType, Decoder},
    tags::Tag,
};
use std::io::{Cursor, Read, Seek, SeekFrom};

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
        check_jpeg(&mut Decoder::new(source as Source<'_>)?, directory, value_bytes, budget)?;
    }
    source.seek(SeekFrom::Start(0))?;
    Ok(())
}

fn check_jpeg(
    decoder: &mut Decoder<Source<'_>>,
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
