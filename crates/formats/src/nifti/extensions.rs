//! Extensions: blocks with a size, a code and bytes, between the header and the voxels. The metadata keeps
//! them: text as text, other bytes as hexadecimal digits.

use crate::Note;
use brickwork_volume::ByteOrder;
use serde_json::{Value, json};

/// Maximum size in bytes of extensions that are kept.
pub const MAX_BYTES: usize = 1 << 20;

/// Size in bytes of an extension's size and code.
const HEAD_BYTES: usize = 8;

/// Reads the bytes after the header. The first of four bytes states whether extensions follow. An extension
/// that breaks the rules is left out, with a note.
pub fn read(bytes: &[u8], order: ByteOrder, notes: &mut Vec<Note>) -> Vec<Value> {
    let mut extensions = Vec::new();
    let Some((&[1..=255, ..], mut rest)) = bytes.split_first_chunk::<4>() else { return extensions };
    while let Some((head, _)) = rest.split_first_chunk::<HEAD_BYTES>() {
        let word = |at: usize| {
            let bytes = [head[at], head[at + 1], head[at + 2], head[at + 3]];
            if order == ByteOrder::Big { i32::from_be_bytes(bytes) } else { i32::from_le_bytes(bytes) }
        };
        let size = usize::try_from(word(0)).unwrap_or(0);
        // Padding with zeros up to the voxels.
        if size == 0 && rest.iter().all(|&byte| byte == 0) {
            break;
        }
        let Some(data) = rest.get(HEAD_BYTES..size) else {
            notes.push(Note::DamagedExtensions);
            break;
        };
        extensions.push(kept(word(4), data));
        rest = &rest[size..];
    }
    extensions
}

fn kept(code: i32, data: &[u8]) -> Value {
    let end = data.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    match std::str::from_utf8(&data[..end]) {
        Ok(text) if !text.contains('\0') => json!({ "code": code, "text": text }),
        _ => {
            let digits: String = data.iter().map(|byte| format!("{byte:02x}")).collect();
            json!({ "code": code, "hex": digits })
        }
    }
}

/// Returns the bytes of the kept extensions, each padded to a multiple of 16. Returns none if there are no
/// extensions.
pub fn bytes(kept: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    for extension in kept.as_array().into_iter().flatten() {
        let code = extension["code"].as_i64().and_then(|code| i32::try_from(code).ok()).unwrap_or(0);
        let data = match (extension["text"].as_str(), extension["hex"].as_str()) {
            (Some(text), _) => text.as_bytes().to_vec(),
            (None, Some(digits)) => match unhexed(digits) {
                Some(data) => data,
                None => continue,
            },
            (None, None) => continue,
        };
        let size = (HEAD_BYTES + data.len()).next_multiple_of(16);
        let start = bytes.len();
        bytes.extend_from_slice(&(size as i32).to_le_bytes());
        bytes.extend_from_slice(&code.to_le_bytes());
        bytes.extend_from_slice(&data);
        bytes.resize(start + size, 0);
    }
    bytes
}

fn unhexed(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?));
    if rest.is_empty() { bytes.collect() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_come_back_in_either_order() {
        let kept = json!([{ "code": 4, "text": "<AFNI/>" }, { "code": 6, "hex": "00ff10" }]);
        let written = bytes(&kept);
        assert_eq!(written.len(), 32);
        let mut notes = Vec::new();
        let mut file = [&[1, 0, 0, 0], &written[..]].concat();
        let back = read(&file, ByteOrder::Little, &mut notes);
        assert_eq!(back[0], kept[0]);
        // The digits include the padding.
        assert_eq!(back[1]["hex"], "00ff100000000000");
        for at in [4, 8, 20, 24] {
            file[at..at + 4].reverse();
        }
        assert_eq!(read(&file, ByteOrder::Big, &mut notes), back);
        assert!(notes.is_empty());
        file[0] = 0;
        assert!(read(&file, ByteOrder::Big, &mut notes).is_empty());
    }

    #[test]
    fn damaged_extensions_are_noted() {
        for size in [-1i32, 7, 4, 400] {
            let mut notes = Vec::new();
            let file = [&[1, 0, 0, 0], &size.to_le_bytes()[..], &[6, 0, 0, 0, 1, 2, 3, 4]].concat();
            assert!(read(&file, ByteOrder::Little, &mut notes).is_empty());
            assert_eq!(notes, [Note::DamagedExtensions], "{size}");
        }
    }
}
