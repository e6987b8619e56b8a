//! Packing of endpoints and indices into a block.

use super::{
    modes::{MODES, Mode},
    partitions::{THREE_ANCHORS, TWO_ANCHORS},
};

/// Endpoints of a part, as codes with p-bits, red in the lowest byte; and the indices of its texels, four
/// bits each at the texel's position in its block. The highest bit of the anchor's index is clear.
#[derive(Clone, Copy, Default)]
pub(crate) struct PackedPart {
    pub ends: [u32; 2],
    pub indices: u64,
}

/// A block's mode and its fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    pub mode: u8,
    /// Number of the partition.
    pub partition: u8,
    pub rotation: u8,
    /// True if colours take the second indices of mode 4.
    pub is_exchanged: bool,
}

impl Choice {
    /// Returns the choice for the partition of a [`Rankings`](super::estimate::Rankings) key.
    pub fn partition(mode: usize, key: i32) -> Self {
        Self { mode: mode as u8, partition: (key & 255) as u8, ..Self::default() }
    }
}

/// Converts sixteen indices of four bits each to indices of `bits` bits.
#[inline(always)]
fn dense(indices: u64, bits: u32) -> u64 {
    let mut x = indices;
    let mut width = bits;
    let mut spacing = 4;
    while spacing < 64 && bits < 4 {
        // Pairs of fields of `width` bits, `spacing` apart, become fields of twice as many.
        let field = (1u64 << width) - 1;
        let mut low = field;
        let mut distance = 2 * spacing;
        while distance < 64 {
            low |= low << distance;
            distance *= 2;
        }
        x = x & low | (x >> (spacing - width)) & (low << width);
        width *= 2;
        spacing *= 2;
    }
    x
}

/// Returns indices without the highest bits of those of the `anchors`, which are in descending order.
#[inline(always)]
fn without(mut indices: u64, bits: u32, anchors: &[u8]) -> u64 {
    for &anchor in anchors {
        let below = (1u64 << (bits * u32::from(anchor) + bits - 1)) - 1;
        indices = indices & below | indices >> 1 & !below;
    }
    indices
}

/// Bits of a block, written from the lowest on.
struct Bits {
    bits: u128,
    count: u32,
}

impl Bits {
    #[inline(always)]
    fn put(&mut self, value: u64, count: u32) {
        self.bits |= u128::from(value) << self.count;
        self.count += count;
    }

    /// Returns the bits that precede the endpoints: the mode and its choices.
    #[inline(always)]
    fn head(number: u32, mode: &Mode, choice: Choice) -> Self {
        let mut bits = Self { bits: 0, count: 0 };
        bits.put(1 << number, number + 1);
        bits.put(u64::from(choice.partition), mode.partition);
        bits.put(u64::from(choice.rotation), mode.rotation);
        bits.put(u64::from(choice.is_exchanged), mode.index_selection);
        bits
    }
}

/// Returns one channel of an endpoint.
#[inline(always)]
fn channel(end: u32, c: u32) -> u64 {
    u64::from(end >> (8 * c) & 255)
}

/// Returns the block of a mode whose parts are subsets.
#[inline(always)]
fn pack_subsets<const MODE: usize, const SUBSETS: usize>(choice: Choice, parts: &[PackedPart; 3]) -> u128 {
    let mode = const { &MODES[MODE] };
    let parts: &[PackedPart; SUBSETS] = parts.first_chunk().expect("at most three");
    let mut bits = Bits::head(MODE as u32, mode, choice);
    let has_p_bits = mode.own_p_bits || mode.shared_p_bits;
    for c in 0..if mode.alpha > 0 { 4 } else { 3 } {
        for part in parts {
            for end in part.ends {
                bits.put(channel(end, c) >> u32::from(has_p_bits), mode.color);
            }
        }
    }
    for part in parts {
        if has_p_bits {
            bits.put(u64::from(part.ends[0] & 1), 1);
        }
        if mode.own_p_bits {
            bits.put(u64::from(part.ends[1] & 1), 1);
        }
    }
    let mut indices = 0;
    for part in parts {
        indices |= part.indices;
    }
    let indices = dense(indices, mode.index);
    let partition = usize::from(choice.partition);
    let indices = match SUBSETS {
        1 => without(indices, mode.index, &[0]),
        2 => without(indices, mode.index, &[TWO_ANCHORS[partition], 0]),
        _ => {
            let [a, b] = [THREE_ANCHORS[0][partition], THREE_ANCHORS[1][partition]];
            without(indices, mode.index, &[a.max(b), a.min(b), 0])
        }
    };
    bits.put(indices, 16 * mode.index - SUBSETS as u32);
    bits.bits
}

/// Returns the block of mode 4 or 5: colours, and the channel that has separate indices.
#[inline(always)]
fn pack_separate<const MODE: usize>(choice: Choice, parts: &[PackedPart; 3]) -> u128 {
    let mode = const { &MODES[MODE] };
    let [color, alpha, _] = parts;
    let mut bits = Bits::head(MODE as u32, mode, choice);
    for c in 0..3 {
        for end in color.ends {
            bits.put(channel(end, c), mode.color);
        }
    }
    for end in alpha.ends {
        bits.put(channel(end, 0), mode.alpha);
    }
    let mut halves = [color.indices, alpha.indices];
    if choice.is_exchanged {
        halves.swap(0, 1);
    }
    for (indices, width) in halves.into_iter().zip([mode.index, mode.second_index]) {
        bits.put(without(dense(indices, width), width, &[0]), 16 * width - 1);
    }
    bits.bits
}

/// Returns the block of up to three parts; in modes 4 and 5, of the colours and the channel with separate
/// indices.
pub(crate) fn pack(choice: Choice, parts: &[PackedPart; 3]) -> [u8; 16] {
    let bits = match choice.mode {
        0 => pack_subsets::<0, 3>(choice, parts),
        1 => pack_subsets::<1, 2>(choice, parts),
        2 => pack_subsets::<2, 3>(choice, parts),
        3 => pack_subsets::<3, 2>(choice, parts),
        4 => pack_separate::<4>(choice, parts),
        5 => pack_separate::<5>(choice, parts),
        6 => pack_subsets::<6, 1>(choice, parts),
        _ => pack_subsets::<7, 2>(choice, parts),
    };
    bits.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_packed_without_gaps() {
        let indices = [0u64, 1, 2, 3, 3, 2, 1, 0, 1, 1, 3, 3, 0, 2, 2, 1];
        let spread = |bits: u32| indices.iter().rev().fold(0, |all, index| all << bits | index);
        for bits in 2..=4 {
            assert_eq!(dense(spread(4), bits), spread(bits));
        }
    }
}
