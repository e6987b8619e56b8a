//! File meta information (PS3.10, 7.1), read leniently as pydicom does: other programs write it without its
//! length or with a wrong one, in implicit representations, with identifiers and titles that break the rules,
//! or not at all. Only the transfer syntax counts.

use super::transfer_syntax::{DEFLATED, EXPLICIT, IMPLICIT};
use crate::{FormatError, opened::source::Source};
use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};

/// Start of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    /// Position of the data set.
    pub start: u64,
    /// Transfer syntax, as stated, or else as the first element shows.
    pub syntax: String,
}

/// Maximum number of meta elements. Real files have fewer than twenty.
const MAX_ELEMENTS: usize = 1 << 10;

/// Maximum length of the identifier of a transfer syntax (PS3.5, 6.2).
const MAX_SYNTAX: u64 = 64;

/// Bytes before "DICM".
const PREAMBLE: usize = 128;

/// Value representations with a length of two bytes. All others, unknown ones included, have two reserved
/// bytes and then a length of four bytes (PS3.5, 7.1.2).
const SHORT: [&[u8; 2]; 21] = [
    b"AE", b"AS", b"AT", b"CS", b"DA", b"DS", b"DT", b"FD", b"FL", b"IS", b"LO", b"LT", b"PN", b"SH", b"SL",
    b"SS", b"ST", b"TM", b"UI", b"UL", b"US",
];

const WIDE: [&[u8; 2]; 13] =
    [b"OB", b"OD", b"OF", b"OL", b"OV", b"OW", b"SQ", b"SV", b"UC", b"UN", b"UR", b"UT", b"UV"];

fn is_representation(bytes: &[u8]) -> bool {
    SHORT.iter().chain(&WIDE).any(|known| bytes == known.as_slice())
}

/// True if a file of a folder is DICOM by its first bytes.
pub fn is_at_start_of(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(PREAMBLE as u64 + 4).read_to_end(&mut start));
    read.is_ok() && first_element(&start).is_some()
}

/// Returns the position of the first element of a file with this start: after "DICM", or at 0 if the start
/// is an element that files begin with. `None` if it is no DICOM file.
pub fn first_element(start: &[u8]) -> Option<usize> {
    if start.get(PREAMBLE..).is_some_and(|rest| rest.starts_with(b"DICM")) {
        return Some(PREAMBLE + 4);
    }
    if start.starts_with(b"DICM") {
        return Some(4);
    }
    let (&[a, b, c, d, e, f, g, h], rest) = start.split_first_chunk::<8>()?;
    let group = u16::from_le_bytes([a, b]);
    let number = u16::from_le_bytes([c, d]);
    let is_first = match group {
        2 => number <= 0x10,
        // Lengths, character sets, types of images, dates and classes.
        8 => number <= 0x18,
        _ => false,
    };
    let is_explicit = is_first && is_representation(&[e, f]);
    let is_big_endian = [a, b, c] == [0, 8, 0] && d <= 0x18 && is_representation(&[e, f]);
    // An implicit element of text.
    let length = u32::from_le_bytes([e, f, g, h]) as usize;
    let text = rest.get(..length.min(16)).unwrap_or_default();
    let is_text = text.iter().all(|&byte| byte == 0 || (b' '..=b'~').contains(&byte));
    let is_implicit = is_first
        && number > 0
        && length.is_multiple_of(2)
        && (2..=MAX_SYNTAX as usize).contains(&length)
        && is_text
        && text.first().is_some_and(u8::is_ascii_graphic);
    (is_explicit || is_big_endian || is_implicit).then_some(0)
}

/// Reads the meta elements.
///
/// # Errors
/// [`FormatError::Length`] if an element is longer than the file. [`FormatError::Decoder`] if the file has no
/// start of DICOM.
pub fn read(source: &Source) -> Result<Meta, FormatError> {
    let file_bytes = source.byte_count()?;
    let mut file = source.open()?;
    let mut start = Vec::new();
    (&mut file).take(PREAMBLE as u64 + 16).read_to_end(&mut start)?;
    let Some(at) = first_element(&start) else {
        let text = "no DICOM file: it starts neither with \"DICM\" nor with an element of DICOM";
        return Err(FormatError::Decoder(text.into()));
    };
    let mut at = at as u64;
    let mut syntax = String::new();
    let mut stated_end = None;
    for _ in 0..MAX_ELEMENTS {
        // Deflated bytes may look like an element.
        if syntax == DEFLATED && stated_end == Some(at) {
            break;
        }
        let head = head_at(&mut file, at)?;
        if head[..2] != [2, 0] {
            break;
        }
        let four =
            |at: usize| u64::from(u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
        let two = u64::from(u16::from_le_bytes([head[6], head[7]]));
        let is_short = SHORT.iter().any(|short| head[4..6] == short[..]);
        let is_explicit = head[4..6].iter().all(u8::is_ascii_uppercase) || head[4..6] == [0, 0];
        let (head_bytes, length) = match () {
            () if is_short => (8, two),
            // The reserved bytes have the length.
            () if is_representation(&head[4..6]) && two != 0 => (8, two),
            () if is_explicit => (12, four(8)),
            () => (8, four(4)),
        };
        let value = at + head_bytes;
        at = value + length;
        fits(at, file_bytes)?;
        match u16::from_le_bytes([head[2], head[3]]) {
            0 if length == 4 => {
                let bytes = head_at(&mut file, value)?;
                let length = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                stated_end = Some(at + u64::from(length));
            }
            0x10 => {
                let mut text = Vec::new();
                file.seek(SeekFrom::Start(value))?;
                (&mut file).take(length.min(MAX_SYNTAX)).read_to_end(&mut text)?;
                String::from_utf8_lossy(&text).trim_matches(['\0', ' ']).clone_into(&mut syntax);
            }
            _ => {}
        }
    }
    let first = head_at(&mut file, at)?;
    let is_explicit = is_representation(&first[4..6]);
    let syntax = match syntax.as_str() {
        "" if first[..2] == [0, 8] && is_explicit => "1.2.840.10008.1.2.2".to_owned(),
        // The first element shows which of the two is true.
        "" | IMPLICIT | EXPLICIT => (if is_explicit { EXPLICIT } else { IMPLICIT }).to_owned(),
        _ => syntax,
    };
    Ok(Meta { start: at, syntax })
}

/// Returns the bytes at a position; zeros after the end of the file.
fn head_at(file: &mut (impl Read + Seek), at: u64) -> Result<[u8; 12], FormatError> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(12).read_to_end(&mut bytes)?;
    bytes.resize(12, 0);
    Ok(std::array::from_fn(|i| bytes[i]))
}

/// Checks that the file has the bytes that it needs.
pub fn fits(need: u64, have: u64) -> Result<(), FormatError> {
    if need <= have { Ok(()) } else { Err(FormatError::Length { part: "the file", need, have }) }
}

impl Meta {
    /// Returns the start of a file by the rules, for the reader of the data set.
    pub fn clean_start(&self) -> Vec<u8> {
        let element = |number: u8, text: &str| {
            let mut value = text.as_bytes().to_vec();
            value.resize(value.len().next_multiple_of(2), 0);
            [&[2, 0, number, 0, b'U', b'I', value.len() as u8, 0][..], &value].concat()
        };
        let elements =
            [element(2, "1.2"), element(3, "1.2"), element(0x10, &self.syntax), element(0x12, "1.2")];
        let elements = elements.concat();
        let length = (elements.len() as u32).to_le_bytes();
        [&b"DICM\x02\0\0\0UL\x04\0"[..], &length, &elements].concat()
    }
}
