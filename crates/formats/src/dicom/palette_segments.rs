//! Palettes in segments (PS3.3, C.7.9.2): numbers as they are, ramps, and copies of earlier segments.

/// Bytes of a table as numbers of 8 or 16 bits.
struct Table {
    numbers: Vec<u16>,
    is_wide: bool,
}

/// Returns the `count` numbers of a segmented table. Returns `None` if the table is damaged, or has another
/// number of them.
pub fn expanded(bytes: &[u8], count: usize, is_wide: bool) -> Option<Vec<u16>> {
    let numbers = match is_wide {
        true => bytes.as_chunks::<2>().0.iter().map(|word| u16::from_le_bytes(*word)).collect(),
        false => bytes.iter().map(|&byte| byte.into()).collect(),
    };
    let table = Table { numbers, is_wide };
    let (mut found, mut at) = (Vec::new(), 0);
    while found.len() < count {
        at = table.segment(at, true, count, &mut found)?;
    }
    Some(found)
}

impl Table {
    /// Appends the numbers of the segment at `at` to `found`, and returns the position after the segment.
    /// Returns `None` if the segment is damaged or `found` would have more than `count` numbers.
    fn segment(&self, at: usize, may_copy: bool, count: usize, found: &mut Vec<u16>) -> Option<usize> {
        let &[kind, length, ..] = self.numbers.get(at..)? else { return None };
        let (length, at) = (usize::from(length), at + 2);
        if kind != 2 && found.len() + length > count {
            return None;
        }
        match kind {
            0 => {
                found.extend_from_slice(self.numbers.get(at..at + length)?);
                Some(at + length)
            }
            1 => {
                let (start, end) = (i64::from(*found.last()?), i64::from(*self.numbers.get(at)?));
                let steps = length as i64;
                let ramp = (1..=steps).map(|i| start + ((end - start) * i * 2 + steps).div_euclid(2 * steps));
                found.extend(ramp.map(|number| number as u16));
                Some(at + 1)
            }
            2 if may_copy => {
                // The offset is in bytes, in four bytes or two words, the lowest first.
                let parts = self.numbers.get(at..at + if self.is_wide { 2 } else { 4 })?;
                let bits = if self.is_wide { 16 } else { 8 };
                let offset =
                    parts.iter().rev().fold(0usize, |offset, &part| offset << bits | usize::from(part));
                let mut from = if self.is_wide { offset / 2 } else { offset };
                for _ in 0..length {
                    from = self.segment(from, false, count, found)?;
                }
                Some(at + parts.len())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::expanded;

    #[test]
    fn segments_become_numbers() {
        // Two numbers, a ramp of four, and both again.
        let bytes = [0, 2, 10, 20, 1, 4, 30, 2, 2, 0, 0, 0, 0];
        let numbers = [10, 20, 23, 25, 28, 30, 10, 20, 23, 25, 28, 30];
        assert_eq!(expanded(&bytes, 12, false), Some(numbers.to_vec()));
        let words: Vec<u16> = vec![0, 1, 1000, 1, 2, 0, 2, 1, 6, 0, 0, 1, 7];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        // The copy is of the ramp, from the last number on.
        assert_eq!(expanded(&bytes, 6, true), Some(vec![1000, 500, 0, 0, 0, 7]));
    }

    #[test]
    fn damaged_segments_are_errors() {
        for (bytes, count) in [
            (vec![], 1),
            (vec![0, 3, 1, 2], 3),
            // A ramp without a start, a number too many, a copy of a copy, and an unknown kind.
            (vec![1, 2, 9], 2),
            (vec![0, 2, 1, 2], 1),
            (vec![0, 1, 5, 2, 1, 3, 0, 0, 0], 2),
            (vec![3, 1, 5], 1),
            // The copy is too long.
            (vec![0, 2, 5, 6, 2, 1, 0, 0, 0, 0], 3),
            (vec![0, 0, 0, 0, 0, 0], 1),
        ] {
            assert_eq!(expanded(&bytes, count, false), None, "{bytes:?}");
        }
    }
}
