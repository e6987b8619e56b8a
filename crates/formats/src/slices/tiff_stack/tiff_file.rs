//! An open TIFF file: limits of its decoder, and numbers of compressions.

use super::directories::{Patched, Patches};
use crate::{
    FormatError,
    opened::source::{ReadSeek, Source},
    slices::slice::MAX_RATIO,
};
use std::io::BufReader;
use tiff::{
    decoder::{Decoder, Limits},
    tags::Tag,
};

/// Decoder of an open file, with repaired directories.
pub type File = Decoder<BufReader<Patched<Box<dyn ReadSeek>>>>;

/// `Compression` of bytes as they are, by LZW and by JPEG.
pub const UNCOMPRESSED: u16 = 1;
pub const LZW: u16 = 5;
pub const JPEG: u16 = 7;
/// Those that the `tiff` crate also decodes: CCITT Group 4, Deflate by two numbers, and PackBits.
pub const OTHERS: [u16; 4] = [4, 8, 32946, 32773];

/// Opens the file at its first directory.
pub fn decoder(source: &Source, patches: &Patches) -> Result<File, FormatError> {
    let most = usize::try_from(source.byte_count()?).unwrap_or(usize::MAX);
    let mut limits = Limits::default();
    // The defaults, but no more than a file of this size can fill, and no less than it holds.
    let expanded = most.saturating_mul(MAX_RATIO as usize);
    for limit in
        [&mut limits.decoding_buffer_size, &mut limits.intermediate_buffer_size, &mut limits.ifd_value_size]
    {
        *limit = (*limit).min(expanded).max(most);
    }
    let file = BufReader::new(Patched::new(source.open()?.into_inner(), patches.clone()));
    Ok(Decoder::new(file)?.with_limits(limits))
}

/// Returns the number of the page's compression.
pub fn compression(pages: &mut File) -> Result<u16, FormatError> {
    Ok(pages.find_tag_unsigned::<u16>(Tag::Compression)?.unwrap_or(UNCOMPRESSED))
}
