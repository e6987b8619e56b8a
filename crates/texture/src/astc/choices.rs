//! Lists of the best variants of blocks, and of the parts to work on.

use super::{groups::GroupName, jobs::PartJob};

/// Squared error in the upper half, then the candidate's number in 24 bits and the number of a variant in 8.
pub(crate) type Key = u64;

/// Keys of the best variants of each block, in order.
#[derive(Default)]
pub(crate) struct Lists {
    /// Number of keys of each list.
    length: usize,
    keys: Vec<Key>,
}

impl Lists {
    /// Removes all keys. Each of `blocks` has room for `length`.
    pub fn reset(&mut self, blocks: usize, length: usize) {
        self.length = length;
        self.keys.clear();
        self.keys.resize(blocks * length, Key::MAX);
    }

    /// Returns the keys of a block.
    #[inline]
    pub fn of(&self, block: usize) -> &[Key] {
        &self.keys[block * self.length..][..self.length]
    }

    /// Inserts a key if it is among the smallest.
    #[inline]
    pub fn insert(&mut self, block: usize, key: Key) {
        let list = &mut self.keys[block * self.length..][..self.length];
        let Some((last, _)) = list.split_last_mut().filter(|(last, _)| key < **last) else { return };
        *last = key;
        let mut place = list.len() - 1;
        while place > 0 && list[place] < list[place - 1] {
            list.swap(place, place - 1);
            place -= 1;
        }
    }
}

/// Parts whose groups have the same channels, planes and family, with the first of the groups.
#[derive(Default)]
pub(crate) struct Batches(pub Vec<(GroupName, Vec<PartJob>)>);

impl Batches {
    /// Removes the parts.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(|(_, parts)| parts.clear());
    }

    /// Adds a part of a group.
    pub fn push(&mut self, group: GroupName, part: PartJob) {
        let key = |group: GroupName| {
            let group = group.group();
            (group.has_alpha, group.plane, group.family)
        };
        match self.0.iter_mut().find(|(other, _)| key(*other) == key(group)) {
            Some((_, parts)) => parts.push(part),
            None => self.0.push((group, vec![part])),
        }
    }
}
