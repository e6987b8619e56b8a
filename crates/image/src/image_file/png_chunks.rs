//! Chunks of a PNG: those before its texels that decide how they are decoded, and the metadata of the whole
//! file. Many programs write metadata after the texels.

use super::{
    exif,
    tracked_reader::{BufReadSeek, TrackedReader},
};
use image::metadata::Orientation;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// Keywords of the text chunks in which ImageMagick stores Exif data as hexadecimal digits.
const RAW_PROFILES: [&str; 2] = ["Raw profile type exif", "Raw profile type APP1"];

/// Keyword of the text chunk that contains XMP (XMP Specification Part 3, 1.1.5).
const XMP: &str = "XML:com.adobe.xmp";

/// Longest chunk of metadata that is read, and longest compressed text, in bytes.
const MAX_METADATA_BYTES: usize = 1 << 20;

/// Bytes of a chunk that are examined; more than any keyword has.
const EXAMINED_BYTES: u64 = 32;

/// Most bytes that are read where a seek would discard the reader's buffer.
const SKIPPED_BYTES: u64 = 4096;

/// The start of a PNG of one grey texel, and of its texels. Metadata are read between them.
const SIGNATURE_AND_HEADER: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\x3a\x7e\x9b\x55";
const TEXELS: &[u8] = b"\0\0\0\x01IDAT";

/// Chunks of a PNG.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunks {
    /// Orientation in Exif data or XMP, anywhere in the file.
    pub orientation: Orientation,
    /// True if there is a chunk with an ICC profile before the texels.
    pub has_icc_profile: bool,
    /// Position of the matrix coefficients in a cICP chunk before the texels, if PNG does not allow them or
    /// the range after them.
    pub forbidden_matrix: Option<u64>,
    /// The first tRNS chunk.
    pub transparency: Option<Transparency>,
}

impl Chunks {
    /// Walks the chunks. Leaves the reader at an unspecified position. Metadata of more than `limit` bytes
    /// are ignored.
    pub fn scan(source: &mut TrackedReader<'_>, limit: u64) -> io::Result<Self> {
        let mut chunks = Self {
            orientation: Orientation::NoTransforms,
            has_icc_profile: false,
            forbidden_matrix: None,
            transparency: None,
        };
        let limit = limit.min(MAX_METADATA_BYTES as u64);
        let (mut position, mut is_before_texels) = (8, true);
        // Exif data, raw profiles and XMP: the first of each.
        let mut metadata = [const { Vec::new() }; 3];
        let (mut color_type, mut palette_colors) = (0, None);
        loop {
            skip_to(source, position)?;
            let mut chunk = Vec::new();
            source.by_ref().take(8).read_to_end(&mut chunk)?;
            let &[l0, l1, l2, l3, n0, n1, n2, n3] = chunk.as_slice() else { break };
            let length = u64::from(u32::from_be_bytes([l0, l1, l2, l3]));
            source.by_ref().take(length.min(EXAMINED_BYTES)).read_to_end(&mut chunk)?;
            let data = &chunk[8..];
            let kind = match &[n0, n1, n2, n3] {
                b"IEND" => break,
                b"IHDR" => {
                    color_type = data.get(9).copied().unwrap_or_default();
                    None
                }
                b"PLTE" => {
                    palette_colors = Some(length / 3);
                    None
                }
                b"tRNS" => {
                    let name_at = position + 4;
                    let found =
                        Transparency { name_at, bytes: length, color_type, palette_colors, is_before_texels };
                    chunks.transparency.get_or_insert(found);
                    None
                }
                b"IDAT" => {
                    is_before_texels = false;
                    None
                }
                b"eXIf" => Some(0),
                b"tEXt" | b"zTXt" if RAW_PROFILES.iter().any(|key| data.starts_with(key.as_bytes())) => {
                    Some(1)
                }
                b"iTXt" if data.starts_with(XMP.as_bytes()) => Some(2),
                b"iCCP" => {
                    chunks.has_icc_profile |= is_before_texels;
                    None
                }
                b"cICP" if is_before_texels && length == 4 => {
                    let is_forbidden = matches!(data, [_, _, matrix, range] if *matrix != 0 || *range > 1);
                    chunks.forbidden_matrix =
                        is_forbidden.then_some(position + 10).or(chunks.forbidden_matrix);
                    None
                }
                _ => None,
            };
            position += 12 + length;
            if let Some(kind) = kind.filter(|&kind: &usize| metadata[kind].is_empty() && length <= limit) {
                let rest = 12 + length - chunk.len() as u64;
                source.by_ref().take(rest).read_to_end(&mut chunk)?;
                if chunk.len() as u64 == 12 + length {
                    metadata[kind] = chunk;
                }
            }
        }
        chunks.orientation = orientation(&metadata.concat());
        Ok(chunks)
    }
}

/// A tRNS chunk (PNG specification, third edition, 11.3.1.1).
#[derive(Clone, Copy, Debug)]
pub(super) struct Transparency {
    /// Position of the chunk's name.
    pub name_at: u64,
    bytes: u64,
    color_type: u8,
    /// Colours of the palette before the chunk.
    palette_colors: Option<u64>,
    is_before_texels: bool,
}

impl Transparency {
    /// Returns the reason, in a few words, for which the chunk is not applied. libpng leaves out the same
    /// chunks.
    pub fn fault(&self) -> Option<String> {
        let Self { bytes, color_type, .. } = *self;
        let fault = match (color_type, self.palette_colors) {
            _ if !self.is_before_texels => "follows the texels".to_owned(),
            (3, None) => "precedes the palette".to_owned(),
            (3, Some(colors)) if bytes <= colors => return None,
            (3, Some(colors)) => format!("has {bytes} alphas for a palette of {colors} colours"),
            (4 | 6, _) => "is in a file with an alpha channel".to_owned(),
            (0, _) if bytes == 2 => return None,
            (2, _) if bytes == 6 => return None,
            (0, _) => format!("has a length of {bytes}, and grey needs 2 bytes"),
            _ => format!("has a length of {bytes}, and RGB needs 6 bytes"),
        };
        Some(fault)
    }
}

/// Moves to a position at or after the present one.
fn skip_to(source: &mut TrackedReader<'_>, position: u64) -> io::Result<()> {
    match position.checked_sub(source.position()).filter(|&count| count <= SKIPPED_BYTES) {
        Some(count) => io::copy(&mut source.take(count), &mut io::sink()).map(drop),
        None => source.seek(SeekFrom::Start(position)).map(drop),
    }
}

/// Returns the orientation in chunks of metadata.
fn orientation(chunks: &[u8]) -> Orientation {
    if chunks.is_empty() {
        return Orientation::NoTransforms;
    }
    let mut file = Cursor::new([SIGNATURE_AND_HEADER, chunks, TEXELS].concat());
    let limits = png::Limits { bytes: 4 * MAX_METADATA_BYTES };
    let decoder = png::Decoder::new_with_limits(&mut file as &mut dyn BufReadSeek, limits);
    // Damaged metadata are no reason to refuse the picture.
    let Ok(reader) = decoder.read_info() else { return Orientation::NoTransforms };
    let info = reader.info();
    let exif = info.exif_metadata.as_deref().filter(|exif| exif::stated_orientation(exif).is_some());
    let raw_profile = if exif.is_none() { of_raw_profile(info) } else { None };
    exif::orientation(exif.or(raw_profile.as_deref()), of_xmp(info).as_deref())
}

/// Returns the Exif data in text chunks.
fn of_raw_profile(info: &png::Info<'_>) -> Option<Vec<u8>> {
    let is_profile = |keyword: &str| RAW_PROFILES.contains(&keyword);
    let plain = info.uncompressed_latin1_text.iter().find(|chunk| is_profile(&chunk.keyword));
    if let Some(chunk) = plain {
        return raw_profile(&chunk.text);
    }
    let mut chunk = info.compressed_latin1_text.iter().find(|chunk| is_profile(&chunk.keyword))?.clone();
    chunk.decompress_text_with_limit(MAX_METADATA_BYTES).ok()?;
    raw_profile(&chunk.get_text().ok()?)
}

/// Returns the XMP.
fn of_xmp(info: &png::Info<'_>) -> Option<Vec<u8>> {
    let mut chunk = info.utf8_text.iter().find(|chunk| chunk.keyword == XMP)?.clone();
    chunk.decompress_text_with_limit(MAX_METADATA_BYTES).ok()?;
    chunk.get_text().ok().map(String::into_bytes)
}

/// Returns the bytes of a raw profile: a name, the number of bytes, and hexadecimal digits, each on separate
/// lines.
fn raw_profile(text: &str) -> Option<Vec<u8>> {
    let mut words = text.split_ascii_whitespace();
    let _name = words.next()?;
    let byte_count: usize = words.next()?.parse().ok()?;
    let digits: Vec<u8> =
        words.flat_map(str::chars).map(|digit| digit.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits.as_chunks::<2>().0.iter().map(|&[high, low]| high << 4 | low).collect();
    (bytes.len() == byte_count).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_profiles_are_hexadecimal() {
        assert_eq!(raw_profile("\nexif\n       3\n0aF\nf10\n"), Some(vec![0x0a, 0xff, 0x10]));
        for damaged in ["", "exif", "exif 3 0aff", "exif 2 0agg", "exif x 0aff"] {
            assert_eq!(raw_profile(damaged), None, "{damaged}");
        }
    }
}
