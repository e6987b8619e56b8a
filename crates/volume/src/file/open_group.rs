//! A verified group of which every brick's place is known, so that each can be decoded at once.

use super::{GROUP_SIDE, group::Group};
use crate::superblock::{Index, SIDE};
use std::fmt;

/// Superblocks in a group.
const SUPERBLOCKS: usize = GROUP_SIDE.pow(3);

/// The bytes of a group and the indices of its superblocks.
pub(super) struct OpenGroup {
    bytes: Vec<u8>,
    /// By place in the group, x fastest; none where the volume has ended.
    indices: Box<[Option<Index>; SUPERBLOCKS]>,
}

impl OpenGroup {
    /// Reads the indices of `group`, whose bricks have sides of `brick_side` voxels; `None` if they break the format's rules.
    pub fn new(group: Group, brick_side: usize) -> Option<Self> {
        let (bytes, superblocks) = group.into_parts();
        let mut indices = Box::new([const { None }; SUPERBLOCKS]);
        for ((x, y, z), start, end) in superblocks {
            let place = |corner: usize| corner / (brick_side * SIDE) % GROUP_SIDE;
            indices[place(x) + GROUP_SIDE * (place(y) + GROUP_SIDE * place(z))] =
                Some(Index::read(&bytes, start, end)?);
        }
        Some(Self { bytes, indices })
    }

    /// Decodes the brick in column `x`, row `y`, layer `z` of this group's bricks into `values`, and returns its minimum, which is
    /// to be added to them. `None` if its bytes break the format's rules, or if the volume has no such brick.
    pub fn brick<const COUNT: usize>(
        &self,
        (x, y, z): (usize, usize, usize),
        values: &mut [u32; COUNT],
    ) -> Option<u32> {
        let place = |x, y, z, side| x + side * (y + side * z);
        let index = self.indices[place(x / SIDE, y / SIDE, z / SIDE, GROUP_SIDE)].as_ref()?;
        let i = place(x % SIDE, y % SIDE, z % SIDE, SIDE);
        index.brick(&self.bytes, i, if COUNT == 64 { 4 } else { 8 }, values)?;
        Some(index.minima[i])
    }

    /// Bytes of memory.
    pub fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + size_of_val(&*self.indices)
    }
}

impl fmt::Debug for OpenGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenGroup").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}
