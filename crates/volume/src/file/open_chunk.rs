//! A verified chunk of which every brick's place is known, so that each can be decoded at once.

use super::{
    chunk::{Chunk, SuperblockPlace},
    layout::{CHUNK_BRICK_SIDE, Position, SUPERBLOCKS, brick_corner},
};
use crate::{
    BrickSize, Dims,
    brick::{self, BrickBox},
    superblock::{BRICKS, SuperblockIndex},
};
use std::fmt;

/// The bytes of a chunk and where its bricks are.
pub(super) struct OpenChunk {
    bytes: Vec<u8>,
    /// By place in the chunk, x fastest.
    bricks: Box<[BrickEntry; SUPERBLOCKS * BRICKS]>,
}

/// What is known of a brick. It fits in one cache line, unlike the three arrays of [`SuperblockIndex`]:
/// access to one brick somewhere in a large volume mostly waits for memory.
#[derive(Clone, Copy, Default)]
#[repr(align(16))]
struct BrickEntry {
    min: u32,
    range: u32,
    /// The first byte in the chunk, and the one after the last. Both are 0 where the volume has no brick.
    start: u32,
    end: u32,
}

impl OpenChunk {
    /// Reads the indices of `chunk`; `None` if they break the format's rules.
    pub fn new(chunk: Chunk, brick: BrickSize) -> Option<Self> {
        let Chunk { bytes, superblocks } = chunk;
        let mut bricks = Box::new([BrickEntry::default(); SUPERBLOCKS * BRICKS]);
        for SuperblockPlace { corner, part, start, end } in superblocks {
            let index = SuperblockIndex::read(&bytes, start, end, part)?;
            let dims = brick.dims();
            for i in 0..BRICKS {
                if part.brick(i).is_none() {
                    continue;
                }
                let (x, y, z) = brick_corner(corner, brick, i);
                bricks[place(x / dims.x, y / dims.y, z / dims.z)] = BrickEntry {
                    min: index.minima[i],
                    range: index.ranges[i],
                    start: index.starts[i],
                    end: index.starts[i + 1],
                };
            }
        }
        Some(Self { bytes, bricks })
    }

    /// Decodes the brick in column `x`, row `y`, layer `z` of the volume's, which this chunk has and of which
    /// `part` lies in the volume, into `values`, and returns its minimum, which is to be added to them, and
    /// its range. `None` if its bytes break the format's rules, or if the volume has no such brick.
    pub fn brick(&self, (x, y, z): Position, part: BrickBox, values: &mut [u32]) -> Option<(u32, u32)> {
        let BrickEntry { min, range, start, end } = self.bricks[place(x, y, z)];
        if end == 0 {
            return None;
        }
        if range == 0 {
            values.fill(0);
            return Some((min, 0));
        }
        let actual = brick::decode::brick(&self.bytes, start as usize, range, part, values)?;
        (actual == end as usize).then_some((min, range))
    }

    /// Bytes of memory.
    pub fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + size_of_val(&*self.bricks)
    }
}

/// Where a brick of the volume stands in [`OpenChunk::bricks`].
const fn place(x: usize, y: usize, z: usize) -> usize {
    const SIDE: usize = CHUNK_BRICK_SIDE;
    Dims::cube(SIDE).index(x % SIDE, y % SIDE, z % SIDE)
}

impl fmt::Debug for OpenChunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenChunk").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}
