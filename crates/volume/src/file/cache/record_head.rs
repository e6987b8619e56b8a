//! The first bytes of a brick's record: how the brick is coded, its minimum and its range.
//!
//! Eight bytes, three numbers with the lowest byte first:
//!
//! | bytes 0–3 | bytes 4–5 | bytes 6–7 | |
//! |---|---|---|---|
//! | 0 | 0 | 0 | no brick |
//! | minimum | range | 2¹⁵ | values follow, packed |
//! | minimum | range | length | bytes as in the file follow |
//! | minimum | 2¹⁶ − 1 | length | the range in 32 bits, then bytes as in the file follow |
//! | start | 2¹⁵ | 0 | the record is at byte `start` |
//!
//! The minimum is an ordinal. With 2¹⁵ added to the range, or with a range of 32 bits, it is a rank.

use crate::{
    brick::{MAX_NARROW, packed},
    file::read::{Lookup, Ordinals},
};

/// The first bytes of a brick's record, decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordHead {
    /// Number without a brick in the volume.
    Absent,
    /// Values follow, packed. A brick of one value has the range 0.
    Packed { minimum: Minimum, range: u32 },
    /// A brick whose range is narrow and not 0; `length` bytes follow, as in the file.
    Narrow { minimum: Minimum, range: u32, length: u16 },
    /// A brick with a larger range; `length` bytes follow, as in the file. The minimum is a rank if the
    /// chunk's values are ranks.
    Wide { min: u32, range: u32, length: u16 },
    /// The record is at byte `start` of the chunk's memory.
    Elsewhere { start: u32 },
}

/// Minimum of a brick, to be added to its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Minimum {
    /// The minimum as an ordinal.
    Ordinal(u32),
    /// The minimum as a rank, and the range of the brick's ranks. Without a rank table, ranks are ordinals.
    Rank { min: u32, range: u32 },
}

/// Flag in a narrow range: the minimum is a rank. A range of 0 with it means that the record is elsewhere.
const HAS_GAPS: u16 = 1 << 15;
const IS_ELSEWHERE: u16 = HAS_GAPS;
/// Marker in place of a range that is not narrow.
const IS_WIDE: u16 = u16::MAX;
/// Marker in place of a length.
const IS_PACKED: u16 = 1 << 15;

const _: () = assert!(MAX_NARROW < HAS_GAPS as u32);

impl Minimum {
    /// Returns the minimum of a brick whose values are ranks if they have ordinals to `lookup`. It stays a
    /// rank only if the ordinals of the brick's ranks have gaps.
    fn new(min: u32, range: u32, lookup: Option<&Lookup>) -> Self {
        match Ordinals::new(lookup, min, range) {
            Ordinals::From(min) => Self::Ordinal(min),
            Ordinals::Of(min, _) => Self::Rank { min, range },
        }
    }
}

impl RecordHead {
    /// Bytes of every head, except that of a wide range.
    pub const BYTES: usize = packed::HEAD;
    /// Bytes of the head of a wide range.
    pub const WIDE_BYTES: usize = Self::BYTES + 4;

    /// Returns the head of a brick of one value.
    pub fn constant(min: u32, lookup: Option<&Lookup>) -> Self {
        Self::packed(min, 0, lookup)
    }

    /// Returns the head of a brick whose values are packed.
    pub fn packed(min: u32, range: u32, lookup: Option<&Lookup>) -> Self {
        Self::Packed { minimum: Minimum::new(min, range, lookup), range }
    }

    /// Returns the head of a brick with a range above 0 and `length` bytes in the file; `None` if there are
    /// too many bytes.
    pub fn coded(min: u32, range: u32, length: usize, lookup: Option<&Lookup>) -> Option<Self> {
        let length = u16::try_from(length).ok().filter(|&length| length < IS_PACKED)?;
        // The largest narrow range with gaps would be [`IS_WIDE`].
        Some(if range < MAX_NARROW {
            Self::Narrow { minimum: Minimum::new(min, range, lookup), range, length }
        } else {
            Self::Wide { min, range, length }
        })
    }

    /// Returns the number of bytes of this head.
    #[inline]
    pub const fn byte_count(self) -> usize {
        if matches!(self, Self::Wide { .. }) { Self::WIDE_BYTES } else { Self::BYTES }
    }

    /// Appends the head to `out`.
    #[inline]
    pub fn encode(self, out: &mut Vec<u8>) {
        let narrow = |minimum: Minimum, range: u32| match minimum {
            Minimum::Ordinal(min) => (min, range as u16),
            Minimum::Rank { min, .. } => (min, range as u16 | HAS_GAPS),
        };
        let ((min, range), length) = match self {
            Self::Absent => ((0, 0), 0),
            Self::Packed { minimum, range } => (narrow(minimum, range), IS_PACKED),
            Self::Narrow { minimum, range, length } => (narrow(minimum, range), length),
            Self::Wide { min, length, .. } => ((min, IS_WIDE), length),
            Self::Elsewhere { start } => ((start, IS_ELSEWHERE), 0),
        };
        let ([a, b, c, d], [e, f], [g, h]) = (min.to_le_bytes(), range.to_le_bytes(), length.to_le_bytes());
        out.extend_from_slice(&[a, b, c, d, e, f, g, h]);
        if let Self::Wide { range, .. } = self {
            out.extend_from_slice(&range.to_le_bytes());
        }
    }

    /// Reads the head at `start`; `None` if the records end before its end.
    #[inline(always)]
    pub fn decode(records: &[u8], start: usize) -> Option<Self> {
        let bytes = records.get(start..)?;
        let &[a, b, c, d, e, f, g, h] = bytes.first_chunk()?;
        let min = u32::from_le_bytes([a, b, c, d]);
        let (coded, length) = (u16::from_le_bytes([e, f]), u16::from_le_bytes([g, h]));
        let narrow = |minimum: Minimum, range: u32| match (length, range) {
            (IS_PACKED, _) => Self::Packed { minimum, range },
            (_, 0) => Self::Absent,
            _ => Self::Narrow { minimum, range, length },
        };
        // One comparison decides for nearly all bricks.
        Some(if coded < HAS_GAPS {
            narrow(Minimum::Ordinal(min), coded.into())
        } else if coded == IS_ELSEWHERE {
            Self::Elsewhere { start: min }
        } else if coded == IS_WIDE {
            let range = bytes.get(Self::BYTES..)?.first_chunk()?;
            Self::Wide { min, range: u32::from_le_bytes(*range), length }
        } else {
            let range = u32::from(coded & !HAS_GAPS);
            narrow(Minimum::Rank { min, range }, range)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_come_back() {
        let ordinal = Minimum::Ordinal(u32::MAX);
        let rank = |range| Minimum::Rank { min: 7, range };
        for head in [
            RecordHead::Absent,
            RecordHead::Packed { minimum: ordinal, range: 0 },
            RecordHead::Packed { minimum: rank(100), range: 100 },
            RecordHead::Narrow { minimum: ordinal, range: 1, length: 0 },
            RecordHead::Narrow {
                minimum: rank(MAX_NARROW - 1),
                range: MAX_NARROW - 1,
                length: IS_PACKED - 1,
            },
            RecordHead::Wide { min: 3, range: MAX_NARROW, length: 9 },
            RecordHead::Wide { min: u32::MAX, range: u32::MAX, length: 300 },
            RecordHead::Elsewhere { start: 1 << 20 },
        ] {
            let mut bytes = vec![1; 5];
            head.encode(&mut bytes);
            assert_eq!(bytes.len(), 5 + head.byte_count(), "{head:?}");
            assert_eq!(RecordHead::decode(&bytes, 5), Some(head));
            assert_eq!(RecordHead::decode(&bytes[..bytes.len() - 1], 5), None);
        }
    }
}
