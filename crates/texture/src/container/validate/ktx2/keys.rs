//! Key/value data: lengths, keys, order, padding.

use super::{
    descriptor::Descriptor,
    format::FormatFacts,
    head::Head,
    known_keys::{self, Pair},
    padding, rules,
    section::{self, word},
};
use crate::container::{ContainerError, byte_source::ByteSource, validate::finding::Findings};

const MAX_BYTES: u64 = 1 << 24;
const MAX_PAIRS: usize = 100;
/// Bytes of the shortest pair: a length, a letter and a null character.
const MIN_BYTES: usize = 6;
const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];

pub(super) fn check(
    source: &mut ByteSource<'_>,
    head: &Head,
    format: &FormatFacts,
    descriptor: &Descriptor,
    findings: &mut Findings,
) -> Result<(), ContainerError> {
    let section = head.key_values;
    let mut bytes = Vec::new();
    if section.offset != 0 && !section.is_empty() {
        let name = (&rules::FILE_ENDS, "the key/value data");
        bytes = section::read(source, section, MAX_BYTES, name, findings)?;
        let message = || format!("kvdByteLength is {}", section.length);
        findings.add_if(section.length > MAX_BYTES, &rules::MANY_KEYS, section.offset, message);
    }
    // A cut has its own finding, and no other.
    let is_complete = bytes.len() as u64 == section.length;
    let pairs = split(&bytes, section.offset, is_complete, findings);
    if let Some(pair) = pairs.windows(2).find(|pair| pair[0].key > pair[1].key) {
        let [before, after] = [&pair[0], &pair[1]].map(|pair| String::from_utf8_lossy(pair.key));
        let message = format!("{before:?} comes before {after:?}");
        findings.add(&rules::KEY_ORDER, pair[1].at, message);
    }
    known_keys::check(&pairs, is_complete, head, format, descriptor, findings);
    Ok(())
}

/// Splits key/value data that starts at `start` in the file. What a cut would explain is not reported.
fn split<'a>(bytes: &'a [u8], start: u64, is_complete: bool, findings: &mut Findings) -> Vec<Pair<'a>> {
    let mut pairs: Vec<Pair<'_>> = Vec::new();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let here = start + at as u64;
        if pairs.len() == MAX_PAIRS {
            findings.add(&rules::MANY_KEYS, here, format!("there are more than {MAX_PAIRS} pairs"));
            return pairs;
        }
        let is_cut = !is_complete && (rest.len() < 4 || word(rest, 0) as usize > rest.len() - 4);
        if is_cut {
            return pairs;
        }
        if rest.len() < MIN_BYTES {
            findings.add(&rules::KEY_SHORT, here, format!("{} bytes follow the last pair", rest.len()));
            return pairs;
        }
        let (length, after) = (word(rest, 0), &rest[4..]);
        let stored = after.len();
        findings.add_if(length as usize > stored, &rules::KEY_LARGE, here, || {
            format!("keyAndValueByteLength is {length}, and {stored} bytes are left")
        });
        let pair = &after[..(length as usize).min(stored)];
        if length < 2 {
            findings.add(&rules::KEY_SMALL, here, format!("keyAndValueByteLength is {length}"));
        } else {
            pairs.extend(split_pair(pair, here + 4, &pairs, findings));
        }
        let end = at + 4 + pair.len();
        at = end.next_multiple_of(4);
        let value_padding = &bytes[end..at.min(bytes.len())];
        padding::check_zeros(value_padding, start + end as u64, "after a pair", findings);
    }
    findings.add_if(is_complete && at != bytes.len(), &rules::KEY_SIZES, start, || {
        format!("kvdByteLength is {}, and the pairs need {at} bytes", bytes.len())
    });
    pairs
}

/// Splits a pair of at least 2 bytes, or a key without an end. `at` is its position in the file.
fn split_pair<'a>(
    pair: &'a [u8],
    at: u64,
    earlier: &[Pair<'_>],
    findings: &mut Findings,
) -> Option<Pair<'a>> {
    let end = pair.iter().position(|&byte| byte == 0);
    let mut key = &pair[..end.unwrap_or(pair.len())];
    let name = |key: &[u8]| format!("{:?}", String::from_utf8_lossy(key));
    if key.is_empty() {
        findings.add(&rules::KEY_EMPTY, at, "a key is empty");
        return None;
    }
    if let Some(rest) = key.strip_prefix(BYTE_ORDER_MARK) {
        key = rest;
        findings.add(&rules::KEY_BOM, at, format!("the key {} starts with one", name(key)));
    }
    let message = || format!("the key is {}", name(key));
    findings.add_if(std::str::from_utf8(key).is_err(), &rules::KEY_UTF8, at, message);
    findings.add_if(end.is_none(), &rules::KEY_TERMINATOR, at, message);
    let is_double = earlier.iter().any(|earlier| earlier.key == key);
    findings.add_if(is_double, &rules::KEY_TWICE, at, message);
    let value = end.map_or(&[][..], |end| &pair[end + 1..]);
    Some(Pair { key, value, at })
}
