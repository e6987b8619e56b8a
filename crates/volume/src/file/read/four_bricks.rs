//! Bricks that wait until there are four to decode.

use super::brick_values::BrickValues;
use crate::{
    Dims,
    brick::{byte_bricks::FourByteBricks, narrow::FourBricks},
    file::layout::Position,
};
use std::ops::Range;

/// Whole bricks of 4³ of one chunk, decoded four at a time.
#[derive(Default)]
pub(super) struct FourBricksAtATime {
    count: usize,
    corners: [Position; 4],
    minima: [u32; 4],
    ranges: [u32; 4],
    /// First byte of each brick, and the byte after its last one.
    starts: [usize; 4],
    ends: [usize; 4],
}

impl FourBricksAtATime {
    /// Adds a brick with its bytes in the chunk. True if there are four: they must be decoded.
    #[inline]
    pub fn add(&mut self, corner: Position, min: u32, range: u32, bytes: Range<usize>) -> bool {
        let i = self.count % 4;
        (self.corners[i], self.minima[i], self.ranges[i]) = (corner, min, range);
        (self.starts[i], self.ends[i]) = (bytes.start, bytes.end);
        self.count = i + 1;
        i == 3
    }

    /// Decodes the bricks from the `bytes` of their chunk and calls `with` for each, as
    /// [`Chunk::bricks`](super::Chunk::bricks) does. `are_bytes` states that no range exceeds 255. Returns
    /// `None` if their bytes break the format's rules.
    pub fn decode(
        &mut self,
        bytes: &[u8],
        are_bytes: bool,
        with: &mut impl FnMut(Position, Dims, u32, u32, BrickValues),
    ) -> Option<()> {
        let count = self.count;
        self.count = 0;
        if count == 0 {
            return Some(());
        }
        // If there are fewer than four, one of them is repeated.
        for i in count..4 {
            (self.ranges[i], self.starts[i], self.ends[i]) = (self.ranges[0], self.starts[0], self.ends[0]);
        }
        let Self { starts, ends, ranges, .. } = *self;
        let mut values = [[0; 64]; 4];
        if are_bytes && (FourByteBricks { bytes, starts, ends, ranges, values: &mut values }).decode()? {
            for i in 0..count {
                let values = BrickValues::Bytes(&values[i]);
                with(self.corners[i], Dims::cube(1), self.minima[i], ranges[i], values);
            }
            return Some(());
        }
        let mut values = [[0; 64]; 4];
        FourBricks { bytes: [bytes; 4], starts, ends, ranges, values: &mut values }.decode()?;
        for i in 0..count {
            let values = BrickValues::Narrow(&values[i]);
            with(self.corners[i], Dims::cube(1), self.minima[i], ranges[i], values);
        }
        Some(())
    }
}
