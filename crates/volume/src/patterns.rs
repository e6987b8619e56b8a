//! Pattern tables: coded bricks that occur many times in a component of a slab. Its superblocks refer to them
//! by one byte.
//!
//! Labels have few shapes at the boundary of two regions; a brick of two values has the same bytes for any
//! two values.

use std::{collections::HashMap, sync::Arc};

/// Most patterns of a table: a reference is a byte.
const MAX_PATTERNS: usize = 256;

/// Most bytes of a brick that is counted. Longer ones hardly occur twice.
pub(crate) const MAX_BYTES: usize = 16;

/// Size in bytes of a table's entry in the index, and of its padding.
const PART_BYTES: u64 = 20;

/// The patterns of a table.
#[derive(Clone, Debug)]
pub(crate) struct Patterns {
    /// One after the other.
    bytes: Vec<u8>,
    /// The start of each pattern, and the end of the last.
    starts: Arc<[u32]>,
    /// Numbers of the patterns, for encoding.
    numbers: HashMap<Box<[u8]>, u8>,
}

impl Patterns {
    /// Returns the number of the pattern that equals a brick's bytes.
    pub fn number(&self, brick: &[u8]) -> Option<u8> {
        (brick.len() <= MAX_BYTES).then(|| self.numbers.get(brick).copied()).flatten()
    }

    /// Returns the number of bytes of all patterns.
    pub const fn byte_count(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the number of bytes of the longest pattern.
    #[cfg(feature = "kernel-inputs")]
    pub fn longest(&self) -> usize {
        self.starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0) as usize
    }

    /// Returns the table's bytes: the count minus one, the lengths of the patterns, and the patterns; without
    /// padding.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![(self.starts.len() - 2) as u8];
        out.extend(self.starts.windows(2).map(|pair| (pair[1] - pair[0]) as u8));
        out.extend_from_slice(&self.bytes);
        out
    }

    /// Reads the output of [`to_bytes`](Self::to_bytes), with up to three zeros after it; `None` if the bytes
    /// cannot be such output.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let count = usize::from(*bytes.first()?) + 1;
        let (lengths, bytes) = bytes[1..].split_at_checked(count)?;
        let mut starts = vec![0; count + 1];
        for (i, &length) in lengths.iter().enumerate() {
            if length == 0 {
                return None;
            }
            starts[i + 1] = starts[i] + u32::from(length);
        }
        let (bytes, rest) = bytes.split_at_checked(starts[count] as usize)?;
        let is_end = rest.len() < 4 && rest.iter().all(|&byte| byte == 0);
        is_end.then(|| Self { bytes: bytes.to_vec(), starts: starts.into(), numbers: HashMap::new() })
    }

    /// Appends the patterns to the bytes of a chunk, and returns where they are.
    pub fn append_to(&self, bytes: &mut Vec<u8>) -> PatternPlaces {
        let first = bytes.len() as u32;
        bytes.extend_from_slice(&self.bytes);
        PatternPlaces { first, starts: Arc::clone(&self.starts) }
    }
}

/// The place of a table's patterns in the bytes of a chunk.
#[derive(Clone, Debug)]
pub(crate) struct PatternPlaces {
    first: u32,
    starts: Arc<[u32]>,
}

impl PatternPlaces {
    /// Returns the first byte of a pattern and the byte after its last one. `None` if there are fewer
    /// patterns.
    #[inline]
    pub fn get(&self, number: u8) -> Option<(u32, u32)> {
        let number = usize::from(number);
        let place = |i: usize| self.first.checked_add(*self.starts.get(i)?);
        Some((place(number)?, place(number + 1)?))
    }
}

/// Counts of the occurrences of coded bricks.
#[derive(Debug, Default)]
pub(crate) struct PatternCounts(HashMap<Box<[u8]>, u32>);

impl PatternCounts {
    /// Counts a brick, if it is short enough.
    pub fn add(&mut self, brick: &[u8]) {
        // A reference also takes a byte.
        if !(2..=MAX_BYTES).contains(&brick.len()) {
            return;
        }
        match self.0.get_mut(brick) {
            Some(count) => *count += 1,
            None => {
                self.0.insert(brick.into(), 1);
            }
        }
    }

    /// Returns the table that saves the most bytes, if each counted brick represents `each` bricks, and its
    /// saving. `None` if it saves no more than `last`, an earlier table.
    pub fn best(&self, each: u32, last: Option<&Patterns>) -> Option<Patterns> {
        let saved = |bytes: &[u8], count: u32| u64::from(count) * u64::from(each) * (bytes.len() as u64 - 1);
        // The cost of the pattern itself: its bytes and its length.
        let mut gains: Vec<(u64, &[u8])> = (self.0.iter())
            .filter(|(_, count)| **count > 1)
            .map(|(bytes, &count)| (saved(bytes, count).saturating_sub(bytes.len() as u64 + 1), &**bytes))
            .filter(|&(gain, _)| gain > 0)
            .collect();
        // Equal gains are sorted by bytes: a hash map has no order.
        gains.sort_unstable_by_key(|&(gain, bytes)| (std::cmp::Reverse(gain), bytes));
        gains.truncate(MAX_PATTERNS);
        let by_last = last.map_or(0, |last| {
            let known = self.0.iter().filter(|(bytes, _)| last.number(bytes).is_some());
            known.map(|(bytes, &count)| saved(bytes, count)).sum()
        });
        let gain: u64 = gains.iter().map(|(gain, _)| gain).sum();
        if gain <= by_last + PART_BYTES {
            return None;
        }
        let mut table = Patterns {
            bytes: Vec::new(),
            starts: Arc::new([]),
            numbers: HashMap::with_capacity(gains.len()),
        };
        let mut starts = vec![0];
        for (number, (_, bytes)) in (0..=u8::MAX).zip(gains) {
            table.bytes.extend_from_slice(bytes);
            starts.push(table.bytes.len() as u32);
            table.numbers.insert(bytes.into(), number);
        }
        table.starts = starts.into();
        Some(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(bricks: &[(&[u8], u32)]) -> PatternCounts {
        let mut counts = PatternCounts::default();
        for &(brick, count) in bricks {
            (0..count).for_each(|_| counts.add(brick));
        }
        counts
    }

    #[test]
    fn tables_hold_what_pays() {
        let often = [1, 2, 3, 4, 5];
        let some =
            counts(&[(&often, 40), (&[7; 9], 3), (&[8, 8], 9), (&[6], 500), (&[5; 17], 500), (&[4; 5], 1)]);
        let table = some.best(1, None).expect("a table");
        // Ordered by the saving: 5 bytes 40 times, 9 bytes 3 times, 2 bytes 9 times, each minus its cost.
        let numbers =
            [&often[..], &[7; 9], &[8, 8], &[6], &[5; 17], &[4; 5]].map(|brick| table.number(brick));
        assert_eq!(numbers, [Some(0), Some(1), Some(2), None, None, None]);
        // The same table saves as much again, but not if other patterns are frequent.
        assert!(some.best(1, Some(&table)).is_none());
        assert!(counts(&[(&[9, 9, 9], 30)]).best(1, Some(&table)).is_some());
        // A table takes some bytes itself.
        assert!(counts(&[(&[9, 9, 9], 9)]).best(1, None).is_none());
        assert!(counts(&[(&[9, 9, 9], 9)]).best(3, None).is_some());
    }

    #[test]
    fn tables_come_back() {
        let many: Vec<[u8; 3]> = (0..=255).map(|i| [i, i ^ 7, 1]).collect();
        let bricks: Vec<(&[u8], u32)> = many.iter().map(|brick| (&brick[..], 5)).collect();
        let table = counts(&bricks).best(1, None).expect("a table");
        let bytes = table.to_bytes();
        assert_eq!(bytes.len(), 1 + 256 + 3 * 256);
        let read = Patterns::from_bytes(&[&bytes[..], &[0; 3]].concat()).expect("our own table");
        let mut chunk = vec![0xaa; 10];
        let places = read.append_to(&mut chunk);
        for brick in &many {
            let (start, end) = places.get(table.number(brick).expect("all of them")).expect("all of them");
            assert_eq!(&chunk[start as usize..end as usize], brick);
        }
        for wrong in [&bytes[..bytes.len() - 1], &[&bytes[..], &[0; 4]].concat(), &[0, 0], &[]] {
            assert!(Patterns::from_bytes(wrong).is_none());
        }
        assert!(PatternPlaces { first: 0, starts: Arc::new([0, 3]) }.get(1).is_none());
        assert!(PatternPlaces { first: u32::MAX - 2, starts: Arc::new([0, 3]) }.get(0).is_none());
    }
}
