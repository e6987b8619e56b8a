//! History of the blocks that a coder can refer to, and search for those closest to a block.

use super::{
    rate::Rate,
    texels::{Decoded, Sample, Target},
};

/// Number of different blocks that are searched, the latest of a strip.
const ENTRIES: usize = 256;
/// Bits of the places of the tables by content.
pub(super) const TABLE_BITS: u32 = 12;

/// A block that is different from the others.
pub(crate) struct Entry<const CHANNELS: usize, S> {
    pub decoded: Decoded<CHANNELS, S>,
    sums: [i32; CHANNELS],
    pub block: u128,
    /// Its last position.
    pub position: u32,
}

/// The blocks of a strip so far.
pub(crate) struct History<const CHANNELS: usize, S> {
    pub blocks: Vec<u128>,
    pub entries: Vec<Entry<CHANNELS, S>>,
    oldest: usize,
    /// Bytes from block to block in the file.
    stride: u32,
    /// The last position of a block, its head or its tail, by hash; a position too high by one, 0 for none.
    table: Vec<u32>,
    /// The entry of a block, by hash; too high by one, 0 for none.
    places: Vec<u32>,
}

pub(super) fn hash(content: u128) -> usize {
    let mixed =
        (content as u64 ^ ((content >> 64) as u64).rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (64 - TABLE_BITS)) as usize
}

/// Returns the first `bytes` bytes of a block.
pub(super) fn head(block: u128, bytes: u32) -> u128 {
    block & ((1u128 << (8 * bytes)) - 1)
}

impl<const CHANNELS: usize, S: Sample> History<CHANNELS, S> {
    pub fn new(stride: u32) -> Self {
        Self {
            blocks: Vec::new(),
            entries: Vec::new(),
            oldest: 0,
            stride,
            table: vec![0; 1 << TABLE_BITS],
            places: vec![0; 1 << TABLE_BITS],
        }
    }

    /// Returns the distance in bytes from the next block back to the one at `position`.
    pub fn distance(&self, position: u32) -> u32 {
        // Only an image with rows of 2²⁸ blocks gets that far.
        (self.blocks.len() as u32 - position).saturating_mul(self.stride)
    }

    /// Returns the block at a distance from the next one: a multiple of the stride, or 0 for none.
    pub fn at(&self, distance: u32) -> Option<u128> {
        let position = self.blocks.len().checked_sub((distance / self.stride) as usize)?;
        self.blocks.get(position).copied()
    }

    /// Returns distances and blocks of the latest blocks with the same content as `block`, the same head and
    /// the same tail. Head and tail meet at byte `split`.
    pub fn same(&self, block: u128, split: u32) -> [Option<(u32, u128)>; 3] {
        let keys = [block, head(block, split), block & !head(block, split)];
        keys.map(|key| {
            let position = self.table[hash(key)].checked_sub(1)?;
            Some((self.distance(position), self.blocks[position as usize]))
        })
    }

    /// Adds a block.
    pub fn push(&mut self, block: u128, split: u32, decoded: &Decoded<CHANNELS, S>) {
        let position = self.blocks.len() as u32;
        self.blocks.push(block);
        for key in [block, head(block, split), block & !head(block, split)] {
            self.table[hash(key)] = position + 1;
        }
        let place = &mut self.places[hash(block)];
        if let Some(known) = place.checked_sub(1)
            && self.entries[known as usize].block == block
        {
            self.entries[known as usize].position = position;
            return;
        }
        let entry = Entry { decoded: *decoded, sums: decoded.sums(), block, position };
        let (to, next) = if self.entries.len() < ENTRIES {
            (self.entries.len(), 0)
        } else {
            (self.oldest, (self.oldest + 1) % ENTRIES)
        };
        *place = to as u32 + 1;
        self.oldest = next;
        if to == self.entries.len() {
            self.entries.push(entry);
        } else {
            self.entries[to] = entry;
        }
    }

    /// Returns the `COUNT` entries whose copies have the lowest cost in error and bits.
    pub fn nearest<const COUNT: usize>(
        &self,
        target: &Target<CHANNELS, S>,
        rate: &Rate,
        lambda: i64,
        scale: i64,
    ) -> Shortlist<COUNT> {
        let mut list = Shortlist::new();
        for (place, entry) in self.entries.iter().enumerate() {
            if i64::from(target.least_error(&entry.sums)) * scale >= list.worst()
                || !target.allows(&entry.decoded)
            {
                continue;
            }
            let error = i64::from(target.error(&entry.decoded)) * scale;
            if error < list.worst() {
                let bits = rate.copy_cost(self.distance(entry.position));
                list.add(error + lambda * i64::from(bits), place);
            }
        }
        list
    }
}

/// The best entries found, in ascending order of their scores.
pub(crate) struct Shortlist<const COUNT: usize> {
    best: [(i64, usize); COUNT],
}

impl<const COUNT: usize> Shortlist<COUNT> {
    pub fn new() -> Self {
        Self { best: [(i64::MAX, usize::MAX); COUNT] }
    }

    pub fn worst(&self) -> i64 {
        self.best[COUNT - 1].0
    }

    pub fn add(&mut self, score: i64, place: usize) {
        if score >= self.worst() {
            return;
        }
        let mut at = COUNT - 1;
        while at > 0 && self.best[at - 1].0 > score {
            self.best[at] = self.best[at - 1];
            at -= 1;
        }
        self.best[at] = (score, place);
    }

    /// Returns the scores and places of the entries.
    pub fn places(&self) -> impl Iterator<Item = (i64, usize)> {
        self.best.iter().copied().filter(|best| best.1 != usize::MAX)
    }
}
