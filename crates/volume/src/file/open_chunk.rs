//! A verified chunk of which every brick's place is known, so that each can be decoded at once.

use super::{
    chunk::{Chunk, ChunkCoding, SuperblockPlace},
    layout::{Position, SUPERBLOCKS, brick_corner, corner_after},
};
use crate::{
    brick::{
        self, BrickBox, MAX_NARROW, PADDING,
        narrow::{self, FourBricks},
    },
    superblock::{BRICKS, SuperblockIndex},
};
use bytes::Bytes;
use std::{fmt, hint::black_box, sync::Arc};

/// Most bricks in a chunk.
const MOST_BRICKS: usize = SUPERBLOCKS * BRICKS;

/// A chunk and where its bricks are.
pub(super) struct OpenChunk {
    /// By place in the chunk, x fastest: where a brick's record is, in units of `1 << shift` bytes. (Access
    /// to one brick somewhere in a large volume mostly waits for memory. Two bytes a brick may still be in a
    /// cache of the processor's when all that a record says would not be.)
    starts: [u16; MOST_BRICKS],
    shift: u32,
    /// The records, followed by [`PADDING`] zeros. Those of neighbours in a superblock lie side by side.
    records: Bytes,
    /// Whether these share their memory with those of other chunks.
    is_moved: bool,
    /// A chunk without superblocks, which has no records.
    plain: Option<Arc<Chunk>>,
}

/// What lies before a brick's bytes in its record: its minimum and range, each four bytes, and two for how
/// many bytes there are.
#[derive(Clone, Copy)]
struct RecordHead {
    min: u32,
    range: u32,
    length: u16,
}

impl RecordHead {
    const BYTES: usize = 10;

    #[inline]
    fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let [a, b, c, d, e, f, g, h, i, j] = bytes;
        Self {
            min: u32::from_le_bytes([a, b, c, d]),
            range: u32::from_le_bytes([e, f, g, h]),
            length: u16::from_le_bytes([i, j]),
        }
    }

    fn to_bytes(self) -> [u8; Self::BYTES] {
        let [a, b, c, d] = self.min.to_le_bytes();
        let [e, f, g, h] = self.range.to_le_bytes();
        let [i, j] = self.length.to_le_bytes();
        [a, b, c, d, e, f, g, h, i, j]
    }
}

impl OpenChunk {
    /// Reads the indices of `chunk`; `None` if they break the format's rules.
    pub fn new(chunk: Chunk) -> Option<Self> {
        let mut open =
            Self { starts: [0; MOST_BRICKS], shift: 0, records: Bytes::new(), is_moved: false, plain: None };
        let ChunkCoding::Superblocks(superblocks) = &chunk.coding else {
            open.plain = Some(Arc::new(chunk));
            return Some(open);
        };
        // Places are rounded up to units; how large these must be is tried.
        let mut records = Vec::new();
        for shift in 2.. {
            open.shift = shift;
            records.clear();
            if open.put_records(&chunk, superblocks, &mut records)? {
                break;
            }
        }
        records.resize(records.len() + PADDING, 0);
        records.shrink_to_fit();
        open.records = records.into();
        Some(open)
    }

    /// Appends a record for each brick. False if units are too small to say where the last ones are; `None`
    /// if the indices break the format's rules.
    fn put_records(
        &mut self,
        chunk: &Chunk,
        superblocks: &[SuperblockPlace],
        records: &mut Vec<u8>,
    ) -> Option<bool> {
        let mut index = SuperblockIndex::ZEROS;
        for &SuperblockPlace { corner, part, start, end } in superblocks {
            index.read(&chunk.bytes, start, end, part, chunk.patterns.as_ref())?;
            for i in (0..BRICKS).filter(|&i| part.brick(i).is_some()) {
                let (x, y, z) = brick_corner(corner, part.size(), i);
                let dims = part.size().dims();
                let number = chunk.brick_number((x / dims.x, y / dims.y, z / dims.z));
                let bytes = match index.ranges[i] {
                    0 => &[],
                    _ => chunk.bytes.get(index.starts[i] as usize..index.ends[i] as usize)?,
                };
                let Ok(start) = u16::try_from(records.len() >> self.shift) else { return Some(false) };
                self.starts[number] = start;
                let length = bytes.len().try_into().ok()?;
                let head = RecordHead { min: index.minima[i], range: index.ranges[i], length };
                records.extend_from_slice(&head.to_bytes());
                records.extend_from_slice(bytes);
                records.resize(records.len().next_multiple_of(1 << self.shift), 0);
            }
        }
        Some(true)
    }

    /// The same chunk with its [`records`](Self::records) elsewhere, in memory that it shares.
    pub fn moved_to(&self, records: Bytes) -> Self {
        Self { records, is_moved: true, plain: self.plain.clone(), ..*self }
    }

    /// The same chunk in memory of its own.
    pub fn with_own_memory(&self) -> Self {
        let records = Bytes::copy_from_slice(&self.records);
        Self { records, is_moved: false, plain: self.plain.clone(), ..*self }
    }

    pub const fn is_moved(&self) -> bool {
        self.is_moved
    }

    /// What [`moved_to`](Self::moved_to) moves.
    pub fn records(&self) -> &[u8] {
        &self.records
    }

    /// Where the record of a brick starts.
    #[inline]
    fn record(&self, number: usize) -> usize {
        usize::from(self.starts[number]) << self.shift
    }

    /// A brick's head, and where its bytes start. (All of minimum 0 and range 0 in a chunk without records.)
    #[inline]
    fn head(&self, number: usize) -> (RecordHead, usize) {
        let start = self.record(number);
        let bytes = self.records.get(start..).and_then(|bytes| bytes.first_chunk());
        (RecordHead::from_bytes(bytes.copied().unwrap_or_default()), start + RecordHead::BYTES)
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
        let (RecordHead { min, range, length }, start) = self.head(number);
        if range == 0 {
            if let Some(chunk) = &self.plain {
                let corner = corner_after((0, 0, 0), part.size.dims(), place);
                return Some(chunk.plain_brick(corner, part, values));
            }
            values.fill(0);
            return Some((min, 0));
        }
        let end = brick::decode::brick(&self.records, start, range, part, values)?;
        (end - start == usize::from(length)).then_some((min, range))
    }

    /// [`brick`](Self::brick) of one of 4³ that lies in the volume as a whole and
    /// [is narrow](Self::is_narrow).
    #[inline]
    pub fn narrow_brick(&self, number: usize, values: &mut [u16; 64]) -> Option<(u32, u32)> {
        let (RecordHead { min, range, length }, start) = self.head(number);
        let end = narrow::brick(&self.records, start, range, values)?;
        (end - start == usize::from(length)).then_some((min, range))
    }

    /// Reads where the brick's record is, and two lines of it, so that they are near when it is decoded.
    #[inline]
    pub fn touch(&self, number: usize) {
        let start = self.record(number);
        let byte = |at: usize| self.records.get(at).copied();
        black_box((byte(start), byte(start + 63)));
    }

    /// Whether [`four_bricks`](Self::four_bricks) takes a brick of 4³ that lies in the volume as a whole.
    #[inline]
    pub fn is_narrow(&self, number: usize) -> bool {
        (1..=MAX_NARROW).contains(&self.head(number).0.range)
    }

    /// Decodes four whole bricks of 4³ that [are narrow](Self::is_narrow), of the same chunk or of several,
    /// as [`brick`](Self::brick) does one, and returns their minima and ranges.
    #[inline]
    pub fn four_bricks(bricks: [(&Self, usize); 4], values: &mut [[u16; 64]; 4]) -> Option<[(u32, u32); 4]> {
        let records = bricks.map(|(chunk, number)| chunk.head(number));
        let mut four = FourBricks {
            bytes: bricks.map(|(chunk, _)| &*chunk.records),
            starts: records.map(|(_, start)| start as u32),
            ends: records.map(|(head, start)| start as u32 + u32::from(head.length)),
            ranges: records.map(|(head, _)| head.range),
            values,
        };
        four.decode()?;
        Some(records.map(|(head, _)| (head.min, head.range)))
    }

    /// Bytes of memory.
    pub fn memory_bytes(&self) -> usize {
        let plain = self.plain.as_ref().map_or(0, |chunk| chunk.bytes.capacity());
        size_of::<Self>() + self.records.len() + plain
    }
}

impl fmt::Debug for OpenChunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenChunk").field("records", &self.records.len()).finish_non_exhaustive()
    }
}
