//! Text with code extensions: escape sequences of ISO 2022 that change the character set within a value
//! (PS3.5, 6.1.2.5; PS3.3, C.12.1.1.2). The DICOM reader decodes the first set alone.

use dicom_dictionary_std::tags;
use dicom_encoding::text::{SpecificCharacterSet, TextCodec as _};
use dicom_object::InMemDicomObject;

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

/// Decodes `text`, which the DICOM reader decoded by the first character set of `object`. Text without escape
/// sequences is returned unchanged.
pub fn decoded(object: &InMemDicomObject, text: &str) -> String {
    if !text.contains(char::from(ESCAPE)) {
        return text.to_owned();
    }
    let names = object.get(tags::SPECIFIC_CHARACTER_SET).and_then(|names| names.to_str().ok());
    let first = names.as_deref().unwrap_or_default().split('\\').next().unwrap_or_default();
    let first = SpecificCharacterSet::from_code(first.trim()).unwrap_or_default();
    match first.encode(text) {
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
