//! The cost of bytes for an LZ coder, in 16ths of a bit: literals by the frequency of each byte so far,
//! matches by their distance.

/// Sixteenths of a bit in a bit.
pub(crate) const BIT: u32 = 16;

/// A match that goes on with the last one.
const CONTINUED: u32 = BIT;
/// A match at one of the last three distances: codes for the lengths of literals and match.
const REPEATED: u32 = 8 * BIT;
/// A match at another distance, besides the bits of the distance.
const NEW: u32 = 9 * BIT;

/// The weight of the even distribution that counts of bytes start from.
const PRIOR: u32 = 4;
/// The count at which all counts are halved, so that they follow the image.
const MOST: u32 = 1 << 16;
/// Bytes between updates of the costs.
const PERIOD: u32 = 512;

/// 16·log2(1 + n/16), rounded.
const FRACTIONS: [u32; 16] = [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15];

/// Returns 16·log2 of a number from 1 on.
fn log2(x: u32) -> u32 {
    let whole = 31 - x.leading_zeros();
    let fraction = ((u64::from(x) << 4) >> whole) & 15;
    whole * BIT + FRACTIONS[fraction as usize]
}

/// A block as a coder would write it: a match at its start, a match at its end, literals between.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Parse {
    /// Bytes and distance.
    pub head: Option<(u32, u32)>,
    pub tail: Option<(u32, u32)>,
}

/// The state of the coder.
pub(crate) struct Rate {
    counts: [u32; 256],
    total: u32,
    until_update: u32,
    /// The cost of each byte as a literal.
    pub literals: [u32; 256],
    /// The last three distances, the latest first.
    pub repeats: [u32; 3],
    /// The distance of the match that the last byte belongs to, or 0.
    open: u32,
}

impl Rate {
    pub fn new() -> Self {
        let mut rate = Self {
            counts: [PRIOR; 256],
            total: 256 * PRIOR,
            until_update: PERIOD,
            literals: [0; 256],
            repeats: [0; 3],
            open: 0,
        };
        rate.update();
        rate
    }

    fn update(&mut self) {
        if self.total > MOST {
            self.counts = self.counts.map(|count| count.div_ceil(2));
            self.total = self.counts.iter().sum();
        }
        let total = log2(self.total);
        self.literals = self.counts.map(|count| (total - log2(count)).clamp(BIT, 11 * BIT));
        self.until_update = PERIOD;
    }

    /// Returns the cost of a match; `first` if it starts with the block.
    #[inline]
    fn match_cost(&self, distance: u32, first: bool) -> u32 {
        if first && distance == self.open {
            CONTINUED
        } else if self.repeats.contains(&distance) {
            REPEATED
        } else {
            NEW + log2(distance)
        }
    }

    /// Returns the cost of a copy of a whole earlier block.
    #[inline]
    pub fn copy_cost(&self, distance: u32) -> u32 {
        self.match_cost(distance, true)
    }

    /// Returns the lowest cost of a block of `size` bytes and the way to reach it. `sources` contains
    /// distances and the bytes there.
    pub fn cost(&self, block: u128, size: u32, sources: &[(u32, u128)]) -> (u32, Parse) {
        let bytes = block.to_le_bytes();
        let mut sums = [0; 17];
        for byte in 0..size as usize {
            sums[byte + 1] = sums[byte] + self.literals[usize::from(bytes[byte])];
        }
        let all = sums[size as usize];
        let (mut best, mut parse) = (all, Parse::default());
        let mut head = (all, 0, None);
        for &(distance, source) in sources {
            let length = ((source ^ block).trailing_zeros() / 8).min(size);
            if length >= 3 {
                let cost = self.match_cost(distance, true) + all - sums[length as usize];
                if cost < head.0 {
                    head = (cost, length, Some((length, distance)));
                }
            }
        }
        if head.0 < best {
            (best, parse) = (head.0, Parse { head: head.2, tail: None });
        }
        if head.1 == size {
            return (best, parse);
        }
        let unused = 128 - 8 * size;
        for &(distance, source) in sources {
            let length = (((source ^ block) << unused).leading_zeros() / 8).min(size);
            if length < 3 {
                continue;
            }
            for (before, start, head) in [(sums[(size - length) as usize], 0, None), (head.0, head.1, head.2)]
            {
                let first = (size - length).max(start);
                if size - first < 3 {
                    continue;
                }
                let saved = if head.is_some() { all - sums[first as usize] } else { 0 };
                let cost = before - saved + self.match_cost(distance, first == 0);
                if cost < best {
                    (best, parse) = (cost, Parse { head, tail: Some((size - first, distance)) });
                }
            }
        }
        (best, parse)
    }

    /// Updates the state with a block.
    pub fn pass(&mut self, block: u128, size: u32, parse: &Parse) {
        let bytes = block.to_le_bytes();
        let (head, tail) = (parse.head.map_or(0, |head| head.0), parse.tail.map_or(0, |tail| tail.0));
        for &byte in &bytes[head as usize..(size - tail) as usize] {
            self.counts[usize::from(byte)] += 1;
        }
        let literals = size - head - tail;
        self.total += literals;
        for (_, distance) in [parse.head, parse.tail].into_iter().flatten() {
            let place = self.repeats.iter().position(|&repeat| repeat == distance).unwrap_or(2);
            self.repeats[..=place].rotate_right(1);
            self.repeats[0] = distance;
        }
        self.open = match parse {
            Parse { tail: Some((_, distance)), .. } => *distance,
            Parse { head: Some((length, distance)), .. } if *length == size => *distance,
            _ => 0,
        };
        self.until_update = self.until_update.saturating_sub(size);
        if self.until_update == 0 {
            self.update();
        }
    }
}
