//! Ranges of bytes (RFC 9110, 14).

use std::ops::Range;

/// Part of a file that a request selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    /// The whole file: no range, several of them, another unit, or a malformed range. RFC 9110, 14.2, lets
    /// servers ignore these.
    Whole,
    /// A range, not empty and within the file.
    Part(Range<u64>),
    /// A range that starts after the end of the file.
    Unsatisfiable,
}

/// Returns the part of a file of `length` bytes that the field `Range` selects.
pub(super) fn selection(range: &str, length: u64) -> Selection {
    parse(range, length).unwrap_or(Selection::Whole)
}

fn parse(range: &str, length: u64) -> Option<Selection> {
    let (unit, range) = range.split_once('=')?;
    let (first, last) = range.trim_matches([' ', '\t']).split_once('-')?;
    if !unit.eq_ignore_ascii_case("bytes") {
        return None;
    }
    if first.is_empty() {
        // The last bytes. An empty file has no range, and is sent as a whole.
        let count = number(last)?.min(length);
        return Some(match (count, length) {
            (0, 1..) => Selection::Unsatisfiable,
            (_, 0) => Selection::Whole,
            (count, length) => Selection::Part(length - count..length),
        });
    }
    let first = number(first)?;
    let last = if last.is_empty() { u64::MAX } else { number(last)? };
    if last < first {
        return None;
    }
    let end = last.saturating_add(1).min(length);
    Some(if first < length { Selection::Part(first..end) } else { Selection::Unsatisfiable })
}

/// Parses decimal digits. Numbers above 2⁶⁴ − 1 become that number.
fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_every_form() {
        use Selection::{Part, Unsatisfiable, Whole};
        for (range, expected) in [
            ("bytes=0-0", Part(0..1)),
            ("bytes=0-9", Part(0..10)),
            ("bytes=2-5", Part(2..6)),
            ("bytes=9-", Part(9..10)),
            ("bytes=0-", Part(0..10)),
            ("bytes=5-99999999999999999999999", Part(5..10)),
            ("Bytes= 2-5\t", Part(2..6)),
            ("bytes=-1", Part(9..10)),
            ("bytes=-10", Part(0..10)),
            ("bytes=-99999999999999999999999", Part(0..10)),
            ("bytes=10-", Unsatisfiable),
            ("bytes=10-20", Unsatisfiable),
            ("bytes=99999999999999999999999-", Unsatisfiable),
            ("bytes=18446744073709551615-18446744073709551615", Unsatisfiable),
            ("bytes=-0", Unsatisfiable),
            ("bytes=5-2", Whole),
            ("bytes=", Whole),
            ("bytes=-", Whole),
            ("bytes=--1", Whole),
            ("bytes=1", Whole),
            ("bytes=a-b", Whole),
            ("bytes=0x1-2", Whole),
            ("bytes=+1-2", Whole),
            ("bytes=1 - 2", Whole),
            ("bytes=0-1,3-4", Whole),
            ("bytes=0-1,", Whole),
            ("texels=0-1", Whole),
            ("0-1", Whole),
            ("", Whole),
        ] {
            assert_eq!(selection(range, 10), expected, "{range}");
        }
        for (range, expected) in [
            ("bytes=0-", Unsatisfiable),
            ("bytes=-1", Whole),
            ("bytes=-0", Whole),
            ("bytes=0-0", Unsatisfiable),
        ] {
            assert_eq!(selection(range, 0), expected, "{range} of an empty file");
        }
    }
}
