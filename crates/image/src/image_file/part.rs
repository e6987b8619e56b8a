//! The part of a file that is read as its picture. Files may contain further frames, pages, mip levels or
//! layers.

use super::{FileFormat, ImageReadOptions, exr, tracked_reader::BufReadSeek};
use std::{
    collections::HashSet,
    io::{self, SeekFrom},
};

/// Maximum number of pages that are counted. Each page takes a seek.
const MAX_PAGES: usize = 1 << 16;

/// Returns, in a few words, the part of a file that [`read`](super::read) reads if the file contains more.
/// Returns `None` if the picture is all there is, or if the data after it are damaged.
pub(super) fn of(
    format: FileFormat,
    options: &ImageReadOptions,
    source: &mut dyn BufReadSeek,
) -> Option<String> {
    let count = match format {
        FileFormat::Png => (png_frames(source).ok()?, "frames"),
        FileFormat::Gif => (gif_frames(source).ok()?, "frames"),
        FileFormat::Webp => (webp_frames(source).ok()?, "frames"),
        FileFormat::Tiff => (tiff_pages(source).ok()?, "pages"),
        FileFormat::Exr => return exr_part(source, options.exr_layer.as_deref()).ok()?,
        FileFormat::Jpeg
        | FileFormat::Tga
        | FileFormat::Bmp
        | FileFormat::Pnm
        | FileFormat::Hdr
        | FileFormat::Dds
        | FileFormat::Ktx2
        | FileFormat::Astc => return None,
    };
    first_of(&[count])
}

/// Returns the words for the first of several images, by their counts and nouns; `None` if there is only one.
pub fn first_of(counts: &[(u64, &str)]) -> Option<String> {
    let several = counts.iter().filter(|(count, _)| *count > 1);
    let several: Vec<_> = several.map(|(count, noun)| format!("{count} {noun}")).collect();
    (!several.is_empty()).then(|| format!("the first of {}", several.join(", ")))
}

/// Returns the `N` bytes at `position`.
fn bytes<const N: usize>(source: &mut dyn BufReadSeek, position: u64) -> io::Result<[u8; N]> {
    seek(source, position)?;
    next(source)
}

/// Moves to a position. Within its buffer, a `BufReader` neither seeks nor reads again.
fn seek(source: &mut dyn BufReadSeek, position: u64) -> io::Result<()> {
    let present = source.stream_position()?;
    source.seek_relative(position.wrapping_sub(present) as i64)
}

fn exr_part(source: &mut dyn BufReadSeek, layer: Option<&str>) -> io::Result<Option<String>> {
    source.seek(SeekFrom::Start(0))?;
    exr::part(source, layer)
}

fn next<const N: usize>(source: &mut dyn BufReadSeek) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Returns the number of frames of a PNG. An animated PNG states it in `acTL`, before the texels.
fn png_frames(source: &mut dyn BufReadSeek) -> io::Result<u64> {
    source.seek(SeekFrom::Start(8))?;
    loop {
        let [l0, l1, l2, l3, name @ ..] = next::<8>(source)?;
        match &name {
            b"acTL" => return Ok(u32::from_be_bytes(next(source)?).into()),
            b"IDAT" | b"IEND" => return Ok(1),
            _ => source.seek_relative(4 + i64::from(u32::from_be_bytes([l0, l1, l2, l3])))?,
        }
    }
}

/// Returns the number of frames of a GIF: all its images (GIF89a, section 20).
fn gif_frames(source: &mut dyn BufReadSeek) -> io::Result<u64> {
    let color_table_bytes = |flags: u8| if flags & 0x80 == 0 { 0 } else { 6 << (flags & 7) };
    let skip = |source: &mut dyn BufReadSeek, count: u64| {
        let skipped = io::copy(&mut io::Read::take(&mut *source, count), &mut io::sink())?;
        if skipped == count { Ok(()) } else { Err(io::Error::from(io::ErrorKind::UnexpectedEof)) }
    };
    let skip_sub_blocks = |source: &mut dyn BufReadSeek| {
        loop {
            match next(source)? {
                [0] => return Ok::<_, io::Error>(()),
                [length] => skip(source, length.into())?,
            }
        }
    };
    let [.., flags, _, _] = bytes::<13>(source, 0)?;
    skip(source, color_table_bytes(flags))?;
    let mut frames = 0;
    loop {
        match next(source) {
            Ok([b'!']) => {
                skip(source, 1)?;
                skip_sub_blocks(source)?;
            }
            Ok([b',']) => {
                frames += 1;
                let [.., flags] = next::<9>(source)?;
                skip(source, color_table_bytes(flags) + 1)?;
                skip_sub_blocks(source)?;
            }
            // The trailer, or the end of the file: many files lack a trailer.
            _ => return Ok(frames),
        }
    }
}

/// Returns the number of frames of a WebP: its `ANMF` chunks.
fn webp_frames(source: &mut dyn BufReadSeek) -> io::Result<u64> {
    let (mut position, mut frames) = (12, 0);
    while let Ok([name @ .., l0, l1, l2, l3]) = bytes::<8>(source, position) {
        frames += u64::from(name == *b"ANMF");
        let length = u64::from(u32::from_le_bytes([l0, l1, l2, l3]));
        position += 8 + length + length % 2;
    }
    Ok(frames)
}

/// Returns the number of pages of a TIFF: its directories. Each directory ends with the offset of the next.
fn tiff_pages(source: &mut dyn BufReadSeek) -> io::Result<u64> {
    let [order, _, v0, v1] = bytes::<4>(source, 0)?;
    let number = |bytes: &[u8]| {
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        if order == b'I' { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) }
    };
    // BigTIFF has an entry count of 8 bytes, entries of 20 bytes, and offsets of 8 bytes.
    let is_big = number(&[v0, v1]) == 43;
    let offset = |bytes: [u8; 8]| number(if is_big { &bytes } else { &bytes[..4] });
    let mut position = offset(padded(source, if is_big { 8 } else { 4 })?);
    let mut pages = HashSet::new();
    while position != 0 && pages.len() < MAX_PAGES {
        let count = padded(source, position)?;
        let (count, head, entry) =
            if is_big { (number(&count), 8, 20) } else { (number(&count[..2]), 2, 12) };
        if count == 0 || !pages.insert(position) {
            break;
        }
        let end = position.saturating_add(head).saturating_add(count.saturating_mul(entry));
        position = offset(padded(source, end)?);
    }
    Ok(pages.len() as u64)
}

/// Returns the eight bytes at `position`, with zeros after the end of the file.
fn padded(source: &mut dyn BufReadSeek, position: u64) -> io::Result<[u8; 8]> {
    seek(source, position)?;
    let mut found = Vec::with_capacity(8);
    io::Read::read_to_end(&mut io::Read::take(&mut *source, 8), &mut found)?;
    found.resize(8, 0);
    Ok(found.try_into().unwrap_or_default())
}
