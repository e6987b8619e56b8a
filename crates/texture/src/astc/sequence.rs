//! Integer sequences: values of a range that need not be a power of two.
//!
//! A value has `bits` low bits and, above them, a trit, a quint or nothing. Five trits share 8 bits, three
//! quints share 7; these bits are interleaved with the low bits. Source: section 23.12 ("Integer Sequence
//! Encoding") of the Khronos Data Format Specification 1.4.

/// Range of the values of a sequence: 0 to `base`·2^`bits` − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// 1, or 3 for a trit, or 5 for a quint.
    pub base: u8,
    pub bits: u8,
}

impl Range {
    /// Returns the number of values.
    pub const fn levels(self) -> usize {
        (self.base as usize) << self.bits
    }

    /// Returns the number of bits of a sequence of `count` values.
    pub const fn sequence_bits(self, count: usize) -> usize {
        let shared = match self.base {
            3 => (8 * count).div_ceil(5),
            5 => (7 * count).div_ceil(3),
            _ => 0,
        };
        shared + count * self.bits as usize
    }
}

/// All ranges, smallest first. Weights use the first [`WEIGHT_RANGES`], colours those from
/// [`LEAST_COLOR_RANGE`] on.
pub(crate) const RANGES: [Range; 21] = {
    const fn range(base: u8, bits: u8) -> Range {
        Range { base, bits }
    }
    [
        range(1, 1),
        range(3, 0),
        range(1, 2),
        range(5, 0),
        range(3, 1),
        range(1, 3),
        range(5, 1),
        range(3, 2),
        range(1, 4),
        range(5, 2),
        range(3, 3),
        range(1, 5),
        range(5, 3),
        range(3, 4),
        range(1, 6),
        range(5, 4),
        range(3, 5),
        range(1, 7),
        range(5, 5),
        range(3, 6),
        range(1, 8),
    ]
};

/// Number of ranges of weights, from the first on.
pub(crate) const WEIGHT_RANGES: usize = 12;
/// Index of the first range of colours, which has 6 levels.
pub(crate) const LEAST_COLOR_RANGE: usize = 4;

/// Trits of each packing of five.
static TRITS: [[u8; 5]; 256] = {
    let mut table = [[0; 5]; 256];
    let mut t = 0;
    while t < 256 {
        let (c, t3, t4) = if t >> 2 & 7 == 7 {
            ((t >> 5) << 2 | t & 3, 2, 2)
        } else if t >> 5 & 3 == 3 {
            (t & 31, t >> 7, 2)
        } else {
            (t & 31, t >> 5 & 3, t >> 7)
        };
        let (t0, t1, t2) = if c & 3 == 3 {
            (c >> 2 & 2 | c >> 2 & !(c >> 3) & 1, c >> 4, 2)
        } else if c >> 2 & 3 == 3 {
            (c & 3, 2, 2)
        } else {
            (c & 2 | c & !(c >> 1) & 1, c >> 2 & 3, c >> 4)
        };
        table[t] = [t0 as u8, t1 as u8, t2 as u8, t3 as u8, t4 as u8];
        t += 1;
    }
    table
};

/// Quints of each packing of three.
static QUINTS: [[u8; 3]; 128] = {
    let mut table = [[0; 3]; 128];
    let mut q = 0;
    while q < 128 {
        table[q] = if q >> 1 & 3 == 3 && q >> 5 == 0 {
            let rest = if q & 1 == 0 { q >> 3 & 3 } else { 0 };
            [4, 4, ((q & 1) << 2 | rest) as u8]
        } else {
            let (c, q2) = if q >> 1 & 3 == 3 {
                ((q >> 3 & 3) << 3 | (!(q >> 5) & 3) << 1 | q & 1, 4)
            } else {
                (q & 31, q >> 5)
            };
            if c & 7 == 5 { [(c >> 3) as u8, 4, q2 as u8] } else { [(c & 7) as u8, (c >> 3) as u8, q2 as u8] }
        };
        q += 1;
    }
    table
};

/// Smallest packing of five trits, by their number with base 3, first trit lowest. Where the last trits are
/// 0, its bits that a shorter sequence lacks are 0.
static PACKED_TRITS: [u8; 243] = {
    let mut table = [0; 243];
    let mut t = 256;
    while t > 0 {
        t -= 1;
        let [a, b, c, d, e] = TRITS[t];
        table[a as usize + 3 * (b as usize + 3 * (c as usize + 3 * (d as usize + 3 * e as usize)))] = t as u8;
    }
    table
};

/// Smallest packing of three quints, by their number with base 5, first quint lowest.
static PACKED_QUINTS: [u8; 125] = {
    let mut table = [0; 125];
    let mut q = 128;
    while q > 0 {
        q -= 1;
        let [a, b, c] = QUINTS[q];
        table[a as usize + 5 * (b as usize + 5 * c as usize)] = q as u8;
    }
    table
};

/// Bits of a packing of trits after the low bits of each value.
const TRIT_BITS: [u32; 5] = [2, 2, 1, 2, 1];
/// Bits of a packing of quints after the low bits of each value.
const QUINT_BITS: [u32; 3] = [3, 2, 2];

/// Reads a sequence from the lowest bits of `word`. Bits past the end of the sequence are ignored.
pub(crate) fn read(word: u128, range: Range, values: &mut [u8]) {
    let size = range.sequence_bits(values.len());
    let word = if size < 128 { word & ((1 << size) - 1) } else { word };
    match range.base {
        3 => read_groups(word, range, values, TRIT_BITS, |packed| TRITS[packed]),
        5 => read_groups(word, range, values, QUINT_BITS, |packed| QUINTS[packed]),
        _ => {
            let mut word = word;
            for value in values {
                *value = word as u8 & ((1u16 << range.bits) - 1) as u8;
                word >>= range.bits;
            }
        }
    }
}

fn read_groups<const COUNT: usize>(
    mut word: u128,
    range: Range,
    values: &mut [u8],
    shared_bits: [u32; COUNT],
    unpack: impl Fn(usize) -> [u8; COUNT],
) {
    let bits = u32::from(range.bits);
    let group_bits = shared_bits.iter().sum::<u32>() + COUNT as u32 * bits;
    for values in values.chunks_mut(COUNT) {
        let mut group = word as u64;
        word >>= group_bits;
        let (mut packed, mut place) = (0, 0);
        let mut low = [0; COUNT];
        for (low, count) in low.iter_mut().zip(shared_bits) {
            *low = group as u8 & ((1u16 << bits) - 1) as u8;
            group >>= bits;
            packed |= (group as usize & ((1 << count) - 1)) << place;
            place += count;
            group >>= count;
        }
        for ((value, low), high) in values.iter_mut().zip(low).zip(unpack(packed)) {
            *value = high << bits | low;
        }
    }
}

/// Returns the sequence of `values` from the lowest bit on; the bits above it are 0.
pub(crate) fn write(range: Range, values: &[u8]) -> u128 {
    match range.base {
        3 => write_groups(range, values, TRIT_BITS, |trits| {
            PACKED_TRITS[trits.iter().rev().fold(0, |number, &trit| 3 * number + usize::from(trit))]
        }),
        5 => write_groups(range, values, QUINT_BITS, |quints| {
            PACKED_QUINTS[quints.iter().rev().fold(0, |number, &quint| 5 * number + usize::from(quint))]
        }),
        _ => values.iter().rev().fold(0, |word, &value| word << range.bits | u128::from(value)),
    }
}

#[inline]
fn write_groups<const COUNT: usize>(
    range: Range,
    values: &[u8],
    shared_bits: [u32; COUNT],
    pack: impl Fn([u8; COUNT]) -> u8,
) -> u128 {
    let bits = u32::from(range.bits);
    let group_bits = shared_bits.iter().sum::<u32>() + COUNT as u32 * bits;
    let group = |padded: [u8; COUNT]| {
        let packed = u64::from(pack(padded.map(|value| value >> bits)));
        let (mut group, mut place, mut taken) = (0, 0, 0);
        for (value, count) in padded.into_iter().zip(shared_bits) {
            group |= u64::from(value & ((1u16 << bits) - 1) as u8) << place;
            place += bits;
            group |= (packed >> taken & ((1 << count) - 1)) << place;
            taken += count;
            place += count;
        }
        u128::from(group)
    };
    let (groups, rest) = values.as_chunks::<COUNT>();
    let (mut word, mut place) = (0, 0);
    for &values in groups {
        word |= group(values) << place;
        place += group_bits;
    }
    if !rest.is_empty() {
        let mut padded = [0; COUNT];
        for (padded, &value) in padded.iter_mut().zip(rest) {
            *padded = value;
        }
        word |= group(padded) << place;
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that every range's sequences of every length are read as they were written, from words whose
    /// other bits are 1.
    #[test]
    fn sequences_are_read_as_written() {
        let mut state = 1u32;
        for range in RANGES {
            for count in 1..=64 {
                let size = range.sequence_bits(count);
                if size > 128 {
                    break;
                }
                let values: Vec<u8> = (0..count)
                    .map(|_| {
                        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        ((state >> 16) as usize % range.levels()) as u8
                    })
                    .collect();
                let word = write(range, &values);
                assert!(size == 128 || word >> size == 0, "{range:?} {count}");
                let rest = if size == 128 { 0 } else { !0 << size };
                let mut found = vec![0; count];
                read(word | rest, range, &mut found);
                assert_eq!(found, values, "{range:?} {count}");
            }
        }
    }
}
