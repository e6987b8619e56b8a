//! A verified group of which every brick's place is known, so that each can be decoded at once.

use super::{GROUP_SIDE, group::Group};
use crate::{
    brick,
    superblock::{BRICKS, Index, SIDE},
};
use std::fmt;

/// Superblocks in a group.
const SUPERBLOCKS: usize = GROUP_SIDE.pow(3);

/// Bricks along each side of a group.
pub(super) const BRICK_SIDE: usize = SIDE * GROUP_SIDE;

/// The bytes of a group and where its bricks are.
pub(super) struct OpenGroup {
    bytes: Vec<u8>,
    /// By place in the group, x fastest.
    bricks: Box<[Brick; SUPERBLOCKS * BRICKS]>,
}

/// What is known of a brick. It lies in one line of the CPU's cache, as the three arrays of [`Index`] would not: one brick
/// somewhere in a large volume mostly waits for memory.
#[derive(Clone, Copy, Default)]
#[repr(align(16))]
struct Brick {
    min: u32,
    range: u32,
    /// The first byte in the group, and the one after the last. Both are 0 where the volume has no brick.
    start: u32,
    end: u32,
}

impl OpenGroup {
    /// Reads the indices of `group`, whose bricks have sides of `brick_side` voxels; `None` if they break the format's rules.
    pub fn new(group: Group, brick_side: usize) -> Option<Self> {
        let (bytes, superblocks) = group.into_parts();
        let mut bricks = Box::new([Brick::default(); SUPERBLOCKS * BRICKS]);
        for ((x, y, z), start, end) in superblocks {
            let index = Index::read(&bytes, start, end)?;
            let first = |corner: usize| corner / brick_side % BRICK_SIDE;
            for i in 0..BRICKS {
                let (dx, dy, dz) = (i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE);
                bricks[place(first(x) + dx, first(y) + dy, first(z) + dz)] = Brick {
                    min: index.minima[i],
                    range: index.ranges[i],
                    start: index.starts[i],
                    end: index.starts[i + 1],
                };
            }
        }
        Some(Self { bytes, bricks })
    }

    /// Decodes the brick in column `x`, row `y`, layer `z` of this group's bricks into `values`, and returns its minimum, which is
    /// to be added to them, and its range. `None` if its bytes break the format's rules, or if the volume has no such brick.
    pub fn brick<const COUNT: usize>(
        &self,
        (x, y, z): (usize, usize, usize),
        values: &mut [u32; COUNT],
    ) -> Option<(u32, u32)> {
        let Brick { min, range, start, end } = self.bricks[place(x, y, z)];
        if end == 0 {
            return None;
        }
        if range == 0 {
            values.fill(0);
            return Some((min, 0));
        }
        let side = if COUNT == 64 { 4 } else { 8 };
        let actual = brick::decode::brick(&self.bytes, start as usize, range, side, values)?;
        (actual == end as usize).then_some((min, range))
    }

    /// Bytes of memory.
    pub fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + size_of_val(&*self.bricks)
    }
}

/// Where a brick stands in [`OpenGroup::bricks`].
const fn place(x: usize, y: usize, z: usize) -> usize {
    x + BRICK_SIDE * (y + BRICK_SIDE * z)
}

impl fmt::Debug for OpenGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenGroup").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}
