//! Text with code extensions: escape sequences of ISO 2022 that change the character set within a value
//! (PS3.5, 6.1.2.5; PS3.3, C.12.1.1.2). The DICOM reader decodes the first set alone, if its name has no
//! mistake.

use crate::{Note, header::header_text::short};
use dicom_dictionary_std::tags;
use dicom_encoding::text::{SpecificCharacterSet, TextCodec as _};
use dicom_object::{InMemDicomObject, Tag};

const ESCAPE: u8 = 0x1b;

/// Escape sequences after the escape itself, and the set that they select, by its name in DICOM.
const SETS: [(&[u8], Half, &str); 17] = [
    (b"(B", Half::Lower, "ISO_IR 6"),
    (b"(J", Half::Lower, "ISO_IR 13"),
    (b")I", Half::Upper, "ISO_IR 13"),
    (b"-A", Half::Upper, "ISO_IR 100"),
    (b"-B", Half::Upper, "ISO_IR 101"),
    (b"-C", Half::Upper, "ISO_IR 109"),
    (b"-D", Half::Upper, "ISO_IR 110"),
    (b"-L", Half::Upper, "ISO_IR 144"),
    (b"-G", Half::Upper, "ISO_IR 127"),
    (b"-F", Half::Upper, "ISO_IR 126"),
    (b"-H", Half::Upper, "ISO_IR 138"),
    (b"-T", Half::Upper, "ISO_IR 166"),
    (b"$)C", Half::Upper, "ISO_IR 149"),
    (b"$)A", Half::Upper, "GBK"),
    (b"$B", Half::Pairs, "ISO_IR 87"),
    (b"$@", Half::Pairs, "ISO_IR 87"),
    (b"$(D", Half::Pairs, "ISO_IR 87"),
];

/// Codes that a set replaces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    /// Codes below 128.
    Lower,
    /// Codes from 128 on.
    Upper,
    /// Codes below 128, in pairs.
    Pairs,
}

/// Texts whose letters a note concerns.
const TEXTS: [Tag; 2] = [tags::SERIES_DESCRIPTION, tags::RESCALE_TYPE];

/// First character set of a file.
enum First {
    Known(SpecificCharacterSet),
    /// A set, and its right name.
    Misspelt(SpecificCharacterSet, String),
    /// No set, or none of a known name.
    Unknown,
}

impl First {
    /// Reads a name. The prefix "ISO_IR" occurs with other signs between the words, and in lower case.
    fn of(name: &str) -> Self {
        if let Some(set) = SpecificCharacterSet::from_code(name) {
            return Self::Known(set);
        }
        let bare = name.to_ascii_uppercase().replace(['_', '-', ' ', '.'], "");
        let number = bare.strip_prefix("ISO").map(|rest| rest.strip_prefix("2022").unwrap_or(rest));
        let right = number.and_then(|rest| rest.strip_prefix("IR")).map(|number| format!("ISO_IR {number}"));
        match right.as_deref().and_then(SpecificCharacterSet::from_code).zip(right) {
            Some((set, right)) => Self::Misspelt(set, right),
            None => Self::Unknown,
        }
    }
}

/// Returns the name of the first character set of a file.
fn first_name(object: &InMemDicomObject) -> String {
    let names = object.get(tags::SPECIFIC_CHARACTER_SET).and_then(|names| names.to_str().ok());
    names.as_deref().unwrap_or_default().split('\\').next().unwrap_or_default().trim().to_owned()
}

/// Returns a note if texts have letters of a character set that is unknown, or whose name has a mistake.
pub fn note(object: &InMemDicomObject) -> Option<Note> {
    let has_letters = |tag: &Tag| {
        let text = object.get(*tag).and_then(|element| element.to_str().ok()).unwrap_or_default();
        !text.is_ascii() && !text.contains(char::from(ESCAPE))
    };
    if !TEXTS.iter().any(has_letters) {
        return None;
    }
    let stated = first_name(object);
    let taken = match First::of(&stated) {
        First::Known(_) => return None,
        First::Misspelt(_, right) => Some(right),
        First::Unknown => None,
    };
    Some(Note::CharacterSet { stated: short(&stated), taken })
}

/// Decodes `text`, which the DICOM reader decoded by the first character set of `object`. Text without escape
/// sequences is returned unchanged, unless the reader did not know the set by its name.
pub fn decoded(object: &InMemDicomObject, text: &str) -> String {
    if text.is_ascii() && !text.contains(char::from(ESCAPE)) {
        return text.to_owned();
    }
    // The reader takes its default for a name that it does not know.
    let reader_set = SpecificCharacterSet::default();
    let (bytes, first) = match First::of(&first_name(object)) {
        First::Known(_) if !text.contains(char::from(ESCAPE)) => return text.to_owned(),
        First::Known(first) => (first.encode(text), first),
        First::Misspelt(first, _) => (reader_set.encode(text), first),
        First::Unknown => (reader_set.encode(text), reader_set),
    };
    match bytes {
        Ok(bytes) => of_bytes(&bytes, &first),
        Err(_) => text.to_owned(),
    }
}

fn of_bytes(mut bytes: &[u8], first: &SpecificCharacterSet) -> String {
    let mut text = String::new();
    let mut upper = first.clone();
    // The start of pairs, with which their decoder begins.
    let mut pairs: Option<&[u8]> = None;
    while !bytes.is_empty() {
        if let Some(rest) = bytes.strip_prefix(&[ESCAPE])
            && let Some(&(sequence, half, name)) = SETS.iter().find(|set| rest.starts_with(set.0))
        {
            match half {
                Half::Lower => pairs = None,
                Half::Upper => upper = SpecificCharacterSet::from_code(name).unwrap_or_default(),
                Half::Pairs => pairs = Some(sequence),
            }
            bytes = &rest[sequence.len()..];
            continue;
        }
        let length = bytes[1..].iter().position(|&byte| byte == ESCAPE).map_or(bytes.len(), |at| at + 1);
        let (mut part, rest) = bytes.split_at(length);
        bytes = rest;
        if let Some(sequence) = pairs {
            let wrapped = [&[ESCAPE], sequence, part, b"\x1b(B"].concat();
            let set = SpecificCharacterSet::from_code("ISO_IR 87").unwrap_or_default();
            text += &set.decode(&wrapped).unwrap_or_default();
            continue;
        }
        // Delimiters restore the first set.
        while !part.is_empty() {
            let is_delimiter = |byte: &u8| matches!(byte, b'\\' | b'\n' | b'\r' | b'\t' | 0x0c);
            let length = part.iter().position(is_delimiter).map_or(part.len(), |at| at + 1);
            let (run, after) = part.split_at(length);
            text += &upper.decode(run).unwrap_or_default();
            if run.last().is_some_and(is_delimiter) {
                upper = first.clone();
            }
            part = after;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Examples of PS3.5, annexes H to K.
    #[test]
    fn escape_sequences_change_the_set() {
        let of = |first: &str, bytes: &[u8]| {
            of_bytes(bytes, &SpecificCharacterSet::from_code(first).unwrap_or_default())
        };
        assert_eq!(of("", b"\x1b$BF,It\x1b(B"), "頭部");
        assert_eq!(of("", b"CT \x1b$BF,It\x1b(B 2"), "CT 頭部 2");
        assert_eq!(of("ISO 2022 IR 13", b"\xd4\xcf\xc0\xde \x1b$B;3ED\x1b(J"), "ﾔﾏﾀﾞ 山田");
        assert_eq!(of("", b"\x1b$)C\xb1\xe8\xc8\xf1\xc1\xdf Hong"), "김희중 Hong");
        assert_eq!(of("", b"\x1b$)A\xd0\xa1\xb6\xab"), "小东");
        assert_eq!(of("ISO 2022 IR 100", b"\xe4\\\x1b-F\xe1\\\xe4"), "ä\\α\\ä");
        assert_eq!(of("", b"a\x1b"), "a\u{1b}");
    }
}
