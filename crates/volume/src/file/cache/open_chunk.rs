//! A verified chunk with a record per brick.

use super::{
    record_head::RecordHead,
    records::{self, Records},
};
use crate::{
    brick::{
        BrickSize,
        packed::{self, MAX_PACKED},
    },
    file::{
        layout::{SUPERBLOCKS, brick_corner},
        read::{BrickValues, Chunk, ChunkCoding, Lookup, SuperblockPlace},
    },
    patterns,
    superblock::{BRICKS, SuperblockIndex},
};
use bytes::Bytes;
use std::{fmt, sync::Arc};

/// Maximum number of bricks in a chunk.
const MAX_BRICKS: usize = SUPERBLOCKS * BRICKS;

/// A chunk with the place of every brick.
///
/// Access to one brick somewhere in a large volume mostly waits for memory. So a brick's record is found by
/// its number, without another access for its place.
pub(super) struct OpenChunk {
    /// The records, by place in the chunk, x fastest; then those that are too long for their place; then
    /// [`PADDING`](crate::brick::PADDING) zeros. A chunk of one value has a single record, for all bricks.
    pub records: Bytes,
    /// Bytes from the start of a record to the start of the next.
    pub apart: u32,
    /// True if the records share their memory with those of other chunks.
    is_moved: bool,
    /// Chunk with raw values, which has no records.
    pub raw: Option<Arc<Chunk>>,
}

impl OpenChunk {
    /// Reads the indices of `chunk`, whose values are ranks if they have ordinals to `lookup`; `None` if they
    /// break the format's rules.
    pub fn new(chunk: Chunk, lookup: Option<&Lookup>) -> Option<Self> {
        let mut open = Self { records: Bytes::new(), apart: 0, is_moved: false, raw: None };
        match &chunk.coding {
            ChunkCoding::Raw => open.raw = Some(Arc::new(chunk)),
            ChunkCoding::Constant(value) => {
                let mut record = Vec::with_capacity(packed::REACH);
                RecordHead::constant(*value, lookup).encode(&mut record);
                record.resize(packed::REACH, 0);
                open.records = record.into();
            }
            ChunkCoding::Superblocks(superblocks) => {
                (open.records, open.apart) = records_of(&chunk, superblocks, lookup)?.lay_out();
            }
        }
        Some(open)
    }

    /// Returns an upper bound of the memory of a chunk with `byte_count` bytes in the file.
    pub const fn most_bytes(byte_count: usize) -> usize {
        // A pattern is one byte there.
        let all = byte_count + MAX_BRICKS * (RecordHead::WIDE_BYTES + patterns::MAX_BYTES);
        size_of::<Self>() + records::most_bytes(all, MAX_BRICKS)
    }

    /// Returns the same chunk with its [`records`](Self::records) in other memory, which it shares.
    pub fn moved_to(&self, records: Bytes) -> Self {
        Self { records, is_moved: true, raw: self.raw.clone(), ..*self }
    }

    /// Returns the same chunk in separate memory.
    pub fn with_own_memory(&self) -> Self {
        let records = Bytes::copy_from_slice(&self.records);
        Self { records, is_moved: false, raw: self.raw.clone(), ..*self }
    }

    /// True if the records share their memory with those of other chunks.
    pub const fn is_moved(&self) -> bool {
        self.is_moved
    }

    /// Returns the size in memory, in bytes.
    pub fn memory_bytes(&self) -> usize {
        let raw = self.raw.as_ref().map_or(0, |chunk| chunk.bytes.capacity());
        size_of::<Self>() + self.records.len() + raw
    }
}

/// Returns the records of a chunk of superblocks; `None` if its bytes break the format's rules.
fn records_of(chunk: &Chunk, superblocks: &[SuperblockPlace], lookup: Option<&Lookup>) -> Option<Records> {
    let mut records = Records::for_chunk(chunk.bytes.len(), MAX_BRICKS);
    let (mut index, mut may_pack) = (SuperblockIndex::ZEROS, false);
    for &SuperblockPlace { corner, part, start, end } in superblocks {
        index.read(&chunk.bytes, start, end, part, chunk.patterns.as_ref())?;
        for i in (0..BRICKS).filter(|&i| part.brick(i).is_some()) {
            let number = chunk.brick_number_at(brick_corner(corner, part.size(), i));
            let (min, range) = (index.minima[i], index.ranges[i]);
            if range == 0 {
                records.put(number, RecordHead::constant(min, lookup), &[]);
                continue;
            }
            let bytes = chunk.bytes.get(index.starts[i] as usize..index.ends[i] as usize)?;
            records.put(number, RecordHead::coded(min, range, bytes.len(), lookup)?, bytes);
            may_pack |= part.size() == BrickSize::Four && range <= MAX_PACKED;
        }
    }
    if may_pack {
        chunk.bricks(None, |corner, _, min, range, values| {
            let values = match values {
                BrickValues::Narrow(values) => *values,
                BrickValues::Bytes(values) => values.map(u16::from),
                _ => return,
            };
            if range <= MAX_PACKED {
                records.pack(chunk.brick_number_at(corner), min, range, lookup, &values);
            }
        })?;
    }
    Some(records)
}

impl fmt::Debug for OpenChunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenChunk").field("records", &self.records.len()).finish_non_exhaustive()
    }
}
