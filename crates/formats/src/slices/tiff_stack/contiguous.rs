//! Stacks of many images in a file of one directory: the images follow each other without a gap. ImageJ
//! writes such files above 4 GiB, tifffile on request.

use super::tiff_file::{File, UNCOMPRESSED, compression};
use crate::{FormatError, SliceShape, opened::source::Source, slices::slice::resize};
use brickwork_volume::ByteOrder;
use std::io::{Read as _, Seek as _, SeekFrom};
use tiff::tags::Tag;

/// The place of the images.
#[derive(Clone)]
pub struct Contiguous {
    start: u64,
    is_swapped: bool,
}

impl Contiguous {
    /// Returns the place of `count` images like the only page of `file`; `None` if they cannot be there.
    ///
    /// # Errors
    /// [`FormatError`] from the tags.
    pub fn find(
        file: &mut File,
        source: &Source,
        shape: SliceShape,
        count: usize,
    ) -> Result<Option<Self>, FormatError> {
        let in_planes = file.find_tag_unsigned::<u16>(Tag::PlanarConfiguration)? == Some(2);
        let is_reversed = file.find_tag_unsigned::<u16>(Tag::FillOrder)? == Some(2);
        let is_whole = usize::from(file.colortype()?.bit_depth()) == 8 * shape.voxel_type.byte_count();
        let is_plain = compression(file)? == UNCOMPRESSED && !is_reversed && is_whole;
        if !is_plain || in_planes && shape.channels > 1 {
            return Ok(None);
        }
        let mut numbers =
            |tag| Ok::<_, FormatError>(file.find_tag_unsigned_vec::<u64>(tag)?.unwrap_or_default());
        let (starts, lengths) = (numbers(Tag::StripOffsets)?, numbers(Tag::StripByteCounts)?);
        let ends = starts.iter().zip(&lengths).map(|(start, length)| start.saturating_add(*length));
        let is_in_a_row = ends.zip(starts.iter().skip(1)).all(|(end, next)| end == *next);
        let byte_count = shape.header(count)?.raw_bytes()?;
        let Some(&start) = starts.first().filter(|_| is_in_a_row) else { return Ok(None) };
        let file_bytes = source.byte_count()?;
        let end = start.checked_add(byte_count).filter(|&end| end <= file_bytes);
        let fits = end.is_some();
        let is_little = file.byte_order() == tiff::tags::ByteOrder::LittleEndian;
        let is_swapped = is_little != (ByteOrder::NATIVE == ByteOrder::Little);
        Ok(fits.then_some(Self { start, is_swapped }))
    }

    /// Reads an image into `bytes`, in the byte order of the machine.
    ///
    /// # Errors
    /// [`FormatError`].
    pub fn read(
        &self,
        source: &Source,
        shape: SliceShape,
        index: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        let byte_count = shape.byte_count(source.byte_count()?)?;
        resize(bytes, byte_count)?;
        let mut file = source.open()?;
        file.seek(SeekFrom::Start(self.start + index as u64 * byte_count as u64))?;
        file.read_exact(bytes)?;
        let number_bytes = shape.voxel_type.byte_count();
        if self.is_swapped && number_bytes > 1 {
            bytes.chunks_exact_mut(number_bytes).for_each(<[u8]>::reverse);
        }
        Ok(())
    }
}
