//! Orientation in Exif data and XMP, in the forms that files use.

use super::tracked_reader::TrackedReader;
use image::metadata::Orientation;
use std::io::{self, Read, Seek, SeekFrom};

/// The start of Exif data in JPEG, which some writers copy to other formats.
const PREFIX: &[u8] = b"Exif\0\0";

/// Keywords of the PNG text chunks in which ImageMagick stores Exif data as hexadecimal digits.
const RAW_PROFILES: [&str; 2] = ["Raw profile type exif", "Raw profile type APP1"];

/// Keyword of the PNG text chunk that contains XMP (XMP Specification Part 3, 1.1.5).
const XMP: &str = "XML:com.adobe.xmp";

/// Longest compressed text that is read, in bytes.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// Number of the tag for the orientation (Exif 3.0, 4.6.5).
pub(super) const ORIENTATION: u64 = 274;

/// Returns the orientation in Exif data, with or without the prefix of JPEG. For damaged data, returns no
/// transformation.
pub(super) fn orientation(exif: Option<&[u8]>) -> Orientation {
    let chunk = exif.map(|exif| exif.strip_prefix(PREFIX).unwrap_or(exif));
    of_number(chunk.and_then(orientation_number).unwrap_or(0))
}

/// Returns the orientation with this number; no transformation if there is none.
pub(super) fn of_number(number: u64) -> Orientation {
    let number = u8::try_from(number).ok();
    number.and_then(Orientation::from_exif).unwrap_or(Orientation::NoTransforms)
}

/// Returns the number of the orientation in the first directory of Exif data, which is that of a TIFF.
///
/// Exif requires a SHORT, but some writers store another integer. The `image` crate (0.25) reads SHORT only.
fn orientation_number(chunk: &[u8]) -> Option<u64> {
    let is_little = match chunk.first_chunk()? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let number = |at: usize, count: usize| {
        let bytes = chunk.get(at..at.checked_add(count)?)?;
        let shift = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
        Some(if is_little { bytes.iter().rev().fold(0, shift) } else { bytes.iter().fold(0, shift) })
    };
    let directory = usize::try_from(number(4, 4)?).ok()?;
    let entry_count = number(directory, 2)? as usize;
    let mut entries = (0..entry_count).map_while(|index| {
        let entry = directory.checked_add(2 + 12 * index)?;
        Some((entry, number(entry, 2)?))
    });
    let (entry, _) = entries.find(|&(_, tag)| tag == ORIENTATION)?;
    // BYTE and SBYTE, SHORT and SSHORT, LONG and SLONG. The value is in the entry.
    let value_bytes = match number(entry + 2, 2)? {
        1 | 6 => 1,
        3 | 8 => 2,
        4 | 9 => 4,
        _ => return None,
    };
    if number(entry + 4, 4)? != 1 {
        return None;
    }
    number(entry + 8, value_bytes)
}

/// Chunks of a PNG before its texels.
#[derive(Clone, Copy, Default)]
pub(super) struct Chunks {
    /// True if there is a text chunk with a raw profile or XMP.
    pub has_text: bool,
    /// True if there is a chunk with an ICC profile.
    pub has_icc_profile: bool,
    /// Position of the matrix coefficients in a cICP chunk, if PNG does not allow them or the range after
    /// them.
    pub forbidden_matrix: Option<u64>,
}

/// Returns the chunks of a PNG before its texels. Leaves the reader at an unspecified position.
pub(super) fn chunks(source: &mut TrackedReader<'_>) -> io::Result<Chunks> {
    let mut chunks = Chunks::default();
    let mut position = 8;
    loop {
        source.seek(SeekFrom::Start(position))?;
        let mut start = Vec::new();
        source.by_ref().take(8 + 32).read_to_end(&mut start)?;
        let Some((&[l0, l1, l2, l3, name @ ..], text)) = start.split_first_chunk::<8>() else {
            return Ok(chunks);
        };
        match &name {
            b"IDAT" | b"IEND" => return Ok(chunks),
            b"tEXt" | b"zTXt" => {
                chunks.has_text |= RAW_PROFILES.iter().any(|keyword| text.starts_with(keyword.as_bytes()));
            }
            b"iTXt" => chunks.has_text |= text.starts_with(XMP.as_bytes()),
            b"iCCP" => chunks.has_icc_profile = true,
            b"cICP" if [l0, l1, l2, l3] == [0, 0, 0, 4] => {
                let is_forbidden = matches!(text, [_, _, matrix, range, ..] if *matrix != 0 || *range > 1);
                chunks.forbidden_matrix = is_forbidden.then_some(position + 10).or(chunks.forbidden_matrix);
            }
            _ => {}
        }
        position += 12 + u64::from(u32::from_be_bytes([l0, l1, l2, l3]));
    }
}

/// Returns the Exif data in the text chunks of a PNG.
pub(super) fn of_raw_profile(info: &png::Info<'_>) -> Option<Vec<u8>> {
    let is_profile = |keyword: &str| RAW_PROFILES.contains(&keyword);
    let plain = info.uncompressed_latin1_text.iter().find(|chunk| is_profile(&chunk.keyword));
    if let Some(chunk) = plain {
        return raw_profile(&chunk.text);
    }
    let mut chunk = info.compressed_latin1_text.iter().find(|chunk| is_profile(&chunk.keyword))?.clone();
    chunk.decompress_text_with_limit(MAX_TEXT_BYTES).ok()?;
    raw_profile(&chunk.get_text().ok()?)
}

/// Returns the orientation in the XMP of a PNG.
pub(super) fn of_xmp(info: &png::Info<'_>) -> Option<Orientation> {
    let mut chunk = info.utf8_text.iter().find(|chunk| chunk.keyword == XMP)?.clone();
    chunk.decompress_text_with_limit(MAX_TEXT_BYTES).ok()?;
    xmp_orientation(&chunk.get_text().ok()?)
}

/// Returns the value of `tiff:Orientation`, which is an attribute or an element.
fn xmp_orientation(xmp: &str) -> Option<Orientation> {
    let (_, value) = xmp.split_once("tiff:Orientation")?;
    let value = value.trim_start_matches(|c: char| c.is_ascii_whitespace() || "=>\"'".contains(c));
    let end = value.find(|c: char| !c.is_ascii_digit())?;
    Orientation::from_exif(value[..end].parse().ok()?)
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

    const TURNED: &[u8] = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";

    #[test]
    fn the_prefix_of_jpeg_is_left_out() {
        assert_eq!(orientation(Some(TURNED)), Orientation::Rotate90);
        assert_eq!(orientation(Some(&[PREFIX, TURNED].concat())), Orientation::Rotate90);
        assert_eq!(orientation(Some(b"Exif")), Orientation::NoTransforms);
    }

    #[test]
    fn the_orientation_may_be_any_integer() {
        // Type and bytes of the value.
        for (kind, value) in [
            (1, [6, 9, 9, 9]),
            (6, [6, 9, 9, 9]),
            (3, [0, 6, 9, 9]),
            (8, [0, 6, 9, 9]),
            (4, [0, 0, 0, 6]),
            (9, [0, 0, 0, 6]),
        ] {
            let mut big = TURNED.to_vec();
            big[13] = kind;
            big[18..22].copy_from_slice(&value);
            assert_eq!(orientation(Some(&big)), Orientation::Rotate90, "{kind}");
            // The same directory with the other order of bytes.
            let width = if kind == 1 || kind == 6 {
                1
            } else if value[3] == 6 {
                4
            } else {
                2
            };
            let mut little = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\0\0\0\0\0\0\0\0".to_vec();
            little[12] = kind;
            little[18..22].copy_from_slice(&value);
            little[18..18 + width].reverse();
            assert_eq!(orientation(Some(&little)), Orientation::Rotate90, "{kind}");
        }
        // A rational number, several values, and numbers without a meaning.
        for (at, value) in [(13, 5), (13, 2), (17, 2), (19, 9), (19, 0), (18, 1)] {
            let mut other = TURNED.to_vec();
            other[at] = value;
            assert_eq!(orientation(Some(&other)), Orientation::NoTransforms, "{at}: {value}");
        }
        for length in 0..20 {
            assert_eq!(orientation(Some(&TURNED[..length])), Orientation::NoTransforms, "{length}");
        }
    }

    #[test]
    fn xmp_has_an_attribute_or_an_element() {
        for xmp in [
            "<a tiff:Orientation=\"6\"/>",
            "<a tiff:Orientation = '6' />",
            "<tiff:Orientation>6</tiff:Orientation>",
        ] {
            assert_eq!(xmp_orientation(xmp), Some(Orientation::Rotate90), "{xmp}");
        }
        for xmp in [
            "",
            "tiff:Orientation",
            "tiff:Orientation=\"\"",
            "tiff:Orientation=\"9\"",
            "tiff:Orientation=\"6",
        ] {
            assert_eq!(xmp_orientation(xmp), None, "{xmp}");
        }
    }

    #[test]
    fn raw_profiles_are_hexadecimal() {
        assert_eq!(raw_profile("\nexif\n       3\n0aF\nf10\n"), Some(vec![0x0a, 0xff, 0x10]));
        for damaged in ["", "exif", "exif 3 0aff", "exif 2 0agg", "exif x 0aff"] {
            assert_eq!(raw_profile(damaged), None, "{damaged}");
        }
    }
}
