//! A verified chunk of which every brick's place is known, so that each can be decoded at once.

use super::{
    chunk::{Chunk, ChunkCoding, SuperblockPlace},
    layout::{Position, SUPERBLOCKS, brick_corner, corner_after},
};
use crate::{
    brick::{self, BrickBox, MAX_NARROW, decode::FourBricks},
    superblock::{BRICKS, SuperblockIndex},
};
use std::{fmt, hint::black_box};

/// A chunk and where its bricks are.
pub(super) struct OpenChunk {
    chunk: Chunk,
    /// By place in the chunk, x fastest; of one with superblocks. (Not in a box: one access to memory less.)
    bricks: [BrickEntry; SUPERBLOCKS * BRICKS],
}

/// What is known of a brick. It fits in one cache line, unlike the three arrays of [`SuperblockIndex`]:
/// access to one brick somewhere in a large volume mostly waits for memory.
#[derive(Clone, Copy, Default)]
#[repr(align(16))]
struct BrickEntry {
    min: u32,
    range: u32,
    /// The first byte in the chunk, and the one after the last.
    start: u32,
    end: u32,
}

impl OpenChunk {
    /// Reads the indices of `chunk`; `None` if they break the format's rules.
    pub fn new(chunk: Chunk) -> Option<Self> {
        let mut bricks = [BrickEntry::default(); SUPERBLOCKS * BRICKS];
        let superblocks: &[SuperblockPlace] = match &chunk.coding {
            ChunkCoding::Superblocks(superblocks) => superblocks,
            ChunkCoding::Constant(_) | ChunkCoding::Raw => &[],
        };
        for &SuperblockPlace { corner, part, start, end } in superblocks {
            let mut index = SuperblockIndex::ZEROS;
            index.read(&chunk.bytes, start, end, part, chunk.patterns.as_ref())?;
            for i in (0..BRICKS).filter(|&i| part.brick(i).is_some()) {
                let (x, y, z) = brick_corner(corner, part.size(), i);
                let dims = part.size().dims();
                bricks[chunk.brick_number((x / dims.x, y / dims.y, z / dims.z))] = BrickEntry {
                    min: index.minima[i],
                    range: index.ranges[i],
                    start: index.starts[i],
                    end: index.ends[i],
                };
            }
        }
        Some(Self { chunk, bricks })
    }

    /// Decodes the brick in the column, row and layer `place` of the volume's, which is the `number`-th of
    /// this chunk, x fastest, and of which `part` lies in the volume, into `values`, and returns its minimum,
    /// which is to be added to them, and its range. `None` if its bytes break the format's rules.
    #[inline]
    pub fn brick(
        &self,
        place: Position,
        number: usize,
        part: BrickBox,
        values: &mut [u32],
    ) -> Option<(u32, u32)> {
        let BrickEntry { min, range, start, end } = self.bricks[number];
        if range == 0 {
            let ChunkCoding::Superblocks(_) = self.chunk.coding else {
                let corner = corner_after((0, 0, 0), part.size.dims(), place);
                return Some(self.chunk.plain_brick(corner, part, values));
            };
            values.fill(0);
            return Some((min, 0));
        }
        let actual = brick::decode::brick(&self.chunk.bytes, start as usize, range, part, values)?;
        (actual == end as usize).then_some((min, range))
    }

    /// Reads the entry of a brick, and the first and last of its bytes, so that they are near when it is
    /// decoded.
    #[inline]
    pub fn touch(&self, number: usize) {
        let BrickEntry { start, end, .. } = self.bricks[number];
        let byte = |at: u32| self.chunk.bytes.get(at as usize).copied();
        black_box((byte(start), byte(end.wrapping_sub(1))));
    }

    /// Whether [`four_bricks`](Self::four_bricks) takes a brick that lies in the volume as a whole.
    #[inline]
    pub fn is_narrow(&self, number: usize) -> bool {
        (1..=MAX_NARROW).contains(&self.bricks[number].range)
    }

    /// Decodes four whole bricks of 4³ that [are narrow](Self::is_narrow), of the same chunk or of several,
    /// as [`brick`](Self::brick) does one, and returns their minima and ranges.
    #[inline]
    pub fn four_bricks(bricks: [(&Self, usize); 4], values: &mut [[u16; 64]; 4]) -> Option<[(u32, u32); 4]> {
        let entries = bricks.map(|(chunk, number)| chunk.bricks[number]);
        let mut four = FourBricks {
            bytes: bricks.map(|(chunk, _)| chunk.chunk.bytes.as_slice()),
            starts: entries.map(|entry| entry.start),
            ends: entries.map(|entry| entry.end),
            ranges: entries.map(|entry| entry.range),
            values,
        };
        four.decode()?;
        Some(entries.map(|entry| (entry.min, entry.range)))
    }

    /// Bytes of memory.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.chunk.bytes.capacity()
    }
}

impl fmt::Debug for OpenChunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenChunk").field("bytes", &self.chunk.bytes.len()).finish_non_exhaustive()
    }
}
