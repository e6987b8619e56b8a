//! A verified chunk of which every brick's place is known, so that each can be decoded at once.

use super::{
    chunk::{BrickValues, Chunk, ChunkCoding, SuperblockPlace},
    layout::{Position, SUPERBLOCKS, brick_corner, corner_after},
    ordinals::{Lookup, Ordinals},
};
use crate::{
    brick::{
        self, BrickBox, BrickSize, MAX_NARROW, PADDING,
        narrow::{self, FourBricks},
        packed::{self, MAX_PACKED},
    },
    patterns,
    superblock::{BRICKS, SuperblockIndex},
};
use bytes::Bytes;
use std::{fmt, hint::black_box, ops::Range, sync::Arc};

/// Most bricks in a chunk.
const MOST_BRICKS: usize = SUPERBLOCKS * BRICKS;

/// Records are apart by a multiple of this many bytes.
const UNIT: usize = 8;

/// Halves of the memory of records side by side that records apart may take: time for memory.
const MOST_GROWN: usize = 3;

/// A chunk of which the place of every brick is known.
///
/// Access to one brick somewhere in a large volume mostly waits for memory. So a brick's record is found by
/// its number, without another access to where it is.
pub(super) struct OpenChunk {
    /// The records, by place in the chunk, x fastest; then those that are too long to lie there; then
    /// [`PADDING`] zeros. Of a chunk of one value a single record, for all bricks.
    records: Bytes,
    /// How many bytes a record starts after the one before it.
    apart: u32,
    /// Whether the records share their memory with those of other chunks.
    is_moved: bool,
    /// A chunk of values as they are, which has no records.
    raw: Option<Arc<Chunk>>,
}

/// What lies before a brick's bytes in its record: its minimum, its range and how many bytes there are, as
/// numbers of 32, 16 and 16 bits. A range that is not narrow follows, as 32 more.
#[derive(Clone, Copy)]
struct RecordHead {
    min: u32,
    /// With [`HAS_GAPS`](Self::HAS_GAPS), or [`IS_WIDE`](Self::IS_WIDE).
    range: u16,
    length: u16,
}

impl RecordHead {
    const BYTES: usize = packed::HEAD;
    /// Of a narrow range: the minimum is a rank, and the ordinals of the brick's ranks have gaps. (Otherwise
    /// the minimum is an ordinal.)
    const HAS_GAPS: u16 = 1 << 15;
    /// Instead of a range that is not narrow: the minimum is a rank where the chunk's values are.
    const IS_WIDE: u16 = u16::MAX;
    /// Instead of a length: values are packed.
    const IS_PACKED: u16 = 1 << 15;
    /// Where a record would be that is elsewhere: the minimum is where it starts.
    const IS_ELSEWHERE: u16 = Self::HAS_GAPS;

    #[inline]
    fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let [a, b, c, d, e, f, g, h] = bytes;
        Self {
            min: u32::from_le_bytes([a, b, c, d]),
            range: u16::from_le_bytes([e, f]),
            length: u16::from_le_bytes([g, h]),
        }
    }

    fn to_bytes(self) -> [u8; Self::BYTES] {
        let [a, b, c, d] = self.min.to_le_bytes();
        let ([e, f], [g, h]) = (self.range.to_le_bytes(), self.length.to_le_bytes());
        [a, b, c, d, e, f, g, h]
    }

    /// Appends one of a brick to `record`. A brick of one value has no gaps.
    fn put(min: u32, range: u32, length: u16, lookup: Option<&Lookup>, record: &mut Vec<u8>) {
        // (The largest narrow range with gaps would be [`IS_WIDE`](Self::IS_WIDE).)
        let is_narrow = range < MAX_NARROW;
        let (min, coded) = match Ordinals::new(lookup, min, range) {
            _ if !is_narrow => (min, Self::IS_WIDE),
            Ordinals::From(min) => (min, range as u16),
            Ordinals::Of(min, _) => (min, range as u16 | Self::HAS_GAPS),
        };
        record.extend_from_slice(&Self { min, range: coded, length }.to_bytes());
        if !is_narrow {
            record.extend_from_slice(&range.to_le_bytes());
        }
    }

    /// The range of a narrow brick.
    #[inline]
    const fn narrow_range(self) -> u32 {
        (self.range & !Self::HAS_GAPS) as u32
    }

    /// The minimum of a brick whose range is narrow, or 0.
    #[inline]
    const fn minimum(self) -> Minimum {
        if self.range & Self::HAS_GAPS == 0 {
            Minimum::Ordinal(self.min)
        } else {
            Minimum::Rank { min: self.min, range: self.narrow_range() }
        }
    }
}

const _: () = assert!(MAX_NARROW < RecordHead::HAS_GAPS as u32);

/// The records of a chunk, one after the other.
#[derive(Default)]
struct Records {
    bytes: Vec<u8>,
    /// By place in the chunk, where the record as in the file and the packed one are in `bytes`; empty where
    /// there is none.
    coded: Vec<Range<usize>>,
    packed: Vec<Range<usize>>,
}

impl Records {
    /// Adds a record as in the file.
    fn put(
        &mut self,
        number: usize,
        min: u32,
        range: u32,
        length: u16,
        lookup: Option<&Lookup>,
        bytes: &[u8],
    ) {
        let start = self.bytes.len();
        RecordHead::put(min, range, length, lookup, &mut self.bytes);
        self.bytes.extend_from_slice(bytes);
        Self::set(&mut self.coded, number, start..self.bytes.len());
    }

    /// Adds a packed record.
    fn pack(&mut self, number: usize, min: u32, range: u32, lookup: Option<&Lookup>, values: &[u16; 64]) {
        let start = self.bytes.len();
        RecordHead::put(min, range, RecordHead::IS_PACKED, lookup, &mut self.bytes);
        let mut record = [0; packed::REACH];
        packed::pack(values, range, &mut record);
        self.bytes.extend_from_slice(&record[packed::HEAD..packed::record_bytes(range)]);
        Self::set(&mut self.packed, number, start..self.bytes.len());
    }

    fn set(places: &mut Vec<Range<usize>>, number: usize, place: Range<usize>) {
        places.resize(places.len().max(number + 1), 0..0);
        places[number] = place;
    }

    /// All records, and how many bytes apart.
    fn lay_out(mut self) -> (Bytes, u32) {
        let count = self.coded.len();
        self.packed.resize(count, 0..0);
        // By units that one of a brick's records needs at least, the bytes of those that are elsewhere if
        // there are fewer.
        let (mut bytes_by_units, mut units) = (Vec::new(), 1);
        for (coded, packed) in self.coded.iter().zip(&self.packed) {
            let [coded_units, packed_units] = [coded, packed].map(|place| place.len().div_ceil(UNIT));
            let least = if packed_units == 0 { coded_units } else { coded_units.min(packed_units) };
            units = units.max(coded_units).max(packed_units);
            bytes_by_units.resize(bytes_by_units.len().max(units + 1), 0);
            bytes_by_units[least] += coded.len();
        }
        // As many as do not take much more memory: then most bricks are packed, and few elsewhere.
        let most = bytes_by_units.iter().sum::<usize>() * MOST_GROWN / 2;
        let mut elsewhere_bytes = 0;
        while units > 1 && count * units * UNIT + elsewhere_bytes > most {
            elsewhere_bytes += bytes_by_units[units];
            units -= 1;
        }
        let apart = units * UNIT;
        let mut records = Vec::with_capacity(count * apart + elsewhere_bytes + PADDING);
        records.resize(count * apart, 0);
        for (i, (coded, packed)) in self.coded.iter().zip(&self.packed).enumerate() {
            let slot = i * apart;
            let fits = |place: &Range<usize>| (1..=apart).contains(&place.len()).then(|| place.clone());
            if let Some(place) = fits(packed).or_else(|| fits(coded)) {
                records[slot..slot + place.len()].copy_from_slice(&self.bytes[place]);
            } else if !coded.is_empty() {
                let (min, range) = (records.len() as u32, RecordHead::IS_ELSEWHERE);
                let head = RecordHead { min, range, length: 0 };
                records[slot..slot + RecordHead::BYTES].copy_from_slice(&head.to_bytes());
                records.extend_from_slice(&self.bytes[coded.clone()]);
            }
        }
        records.resize(records.len() + PADDING, 0);
        (records.into(), apart as u32)
    }
}

/// A brick's least value: what is to be added to the others.
#[derive(Clone, Copy)]
pub(super) enum Minimum {
    /// As an ordinal.
    Ordinal(u32),
    /// As a rank, and the range of the brick's ranks. Without a rank table this is the ordinal.
    Rank { min: u32, range: u32 },
}

impl OpenChunk {
    /// Reads the indices of `chunk`, whose values are ranks if they have ordinals to `lookup`; `None` if they
    /// break the format's rules.
    pub fn new(chunk: Chunk, lookup: Option<&Lookup>) -> Option<Self> {
        let mut open = Self { records: Bytes::new(), apart: 0, is_moved: false, raw: None };
        match &chunk.coding {
            ChunkCoding::Raw => open.raw = Some(Arc::new(chunk)),
            ChunkCoding::Constant(value) => {
                let mut record = Vec::new();
                RecordHead::put(*value, 0, RecordHead::IS_PACKED, lookup, &mut record);
                record.resize(packed::REACH, 0);
                open.records = record.into();
            }
            ChunkCoding::Superblocks(superblocks) => {
                let (mut records, mut index) = (Records::default(), SuperblockIndex::ZEROS);
                let mut may_pack = false;
                records.bytes.reserve(2 * chunk.bytes.len() + MOST_BRICKS * packed::HEAD);
                for &SuperblockPlace { corner, part, start, end } in superblocks {
                    index.read(&chunk.bytes, start, end, part, chunk.patterns.as_ref())?;
                    for i in (0..BRICKS).filter(|&i| part.brick(i).is_some()) {
                        let number = chunk.brick_number_at(brick_corner(corner, part.size(), i));
                        let bytes = match index.ranges[i] {
                            0 => &[],
                            _ => chunk.bytes.get(index.starts[i] as usize..index.ends[i] as usize)?,
                        };
                        let length = match index.ranges[i] {
                            // (Of no bits each.)
                            0 => RecordHead::IS_PACKED,
                            _ => bytes.len().try_into().ok().filter(|&l| l < RecordHead::IS_PACKED)?,
                        };
                        may_pack |=
                            part.size() == BrickSize::Four && (1..=MAX_PACKED).contains(&index.ranges[i]);
                        records.put(number, index.minima[i], index.ranges[i], length, lookup, bytes);
                    }
                }
                if may_pack {
                    let wanted = |_, _| true;
                    chunk.bricks(wanted, |corner, min, range, values| match values {
                        BrickValues::Narrow(values) if range <= MAX_PACKED => {
                            records.pack(chunk.brick_number_at(corner), min, range, lookup, values);
                        }
                        _ => {}
                    })?;
                }
                (open.records, open.apart) = records.lay_out();
            }
        }
        Some(open)
    }

    /// The memory of a chunk of so many bytes in the file, or more.
    pub const fn most_bytes(byte_count: usize) -> usize {
        // (A pattern is one byte there; a range that is not narrow has four more.)
        let all = byte_count + MOST_BRICKS * (RecordHead::BYTES + 4 + patterns::MAX_BYTES);
        size_of::<Self>() + all * MOST_GROWN / 2 + MOST_BRICKS * UNIT + 2 * PADDING
    }

    /// The same chunk with its [`records`](Self::records) elsewhere, in memory that it shares.
    pub fn moved_to(&self, records: Bytes) -> Self {
        Self { records, is_moved: true, raw: self.raw.clone(), ..*self }
    }

    /// The same chunk in memory of its own.
    pub fn with_own_memory(&self) -> Self {
        let records = Bytes::copy_from_slice(&self.records);
        Self { records, is_moved: false, raw: self.raw.clone(), ..*self }
    }

    pub const fn is_moved(&self) -> bool {
        self.is_moved
    }

    /// What [`moved_to`](Self::moved_to) moves.
    pub fn records(&self) -> &[u8] {
        &self.records
    }

    /// Where a brick's record is, unless it is elsewhere.
    #[inline]
    const fn slot(&self, number: usize) -> usize {
        number * self.apart as usize
    }

    /// The head at `start`. (Of minimum 0 and range 0 in a chunk without records.)
    #[inline]
    fn head_at(&self, start: usize) -> RecordHead {
        let bytes = self.records.get(start..).and_then(|bytes| bytes.first_chunk());
        RecordHead::from_bytes(bytes.copied().unwrap_or_default())
    }

    /// A brick's head, and where its bytes start.
    #[inline]
    fn head(&self, number: usize) -> (RecordHead, usize) {
        let (mut start, mut head) = (self.slot(number), self.head_at(self.slot(number)));
        if head.range == RecordHead::IS_ELSEWHERE {
            start = head.min as usize;
            head = self.head_at(start);
        }
        (head, start + RecordHead::BYTES)
    }

    /// [`narrow_brick`](Self::narrow_brick) of one of 4³ in the volume as a whole if its range is narrow or
    /// 0, its record is not elsewhere and its ordinals have no gaps. Returns the least of these.
    #[inline]
    pub fn quick_brick(&self, number: usize, values: &mut [u16; 64]) -> Option<u32> {
        let start = self.slot(number);
        // (A record may lie in two lines of the cache; both are waited for at once.)
        black_box(self.records.get(start + self.apart as usize).copied());
        let head = RecordHead::from_bytes(*self.records.get(start..)?.first_chunk()?);
        if head.range >= RecordHead::HAS_GAPS {
            return None;
        }
        if head.length == RecordHead::IS_PACKED {
            packed::unpack(self.records.get(start..)?.first_chunk()?, head.range.into(), values);
        } else {
            if head.range == 0 {
                return None;
            }
            let start = start + RecordHead::BYTES;
            let end = narrow::brick(&self.records, start, head.range.into(), values)?;
            if end - start != usize::from(head.length) {
                return None;
            }
        }
        Some(head.min)
    }

    /// Decodes the brick in the column, row and layer `place` of the volume's, which is the `number`-th of
    /// this chunk, x fastest, and of which `part` lies in the volume, into `values`, and returns its minimum,
    /// which is to be added to them. `None` if its bytes break the format's rules.
    #[inline]
    pub fn brick(
        &self,
        place: Position,
        number: usize,
        part: BrickBox,
        values: &mut [u32],
    ) -> Option<Minimum> {
        if let Some(chunk) = &self.raw {
            let corner = corner_after((0, 0, 0), part.size.dims(), place);
            let (min, range) = chunk.plain_brick(corner, part, values);
            return Some(Minimum::Rank { min, range });
        }
        let (head, mut start) = self.head(number);
        let (mut range, mut minimum) = (head.narrow_range(), head.minimum());
        if range == 0 {
            values.fill(0);
            return Some(minimum);
        }
        if head.length == RecordHead::IS_PACKED {
            let mut narrow = [0; 64];
            self.unpack(start, range, &mut narrow)?;
            for (value, narrow) in values.iter_mut().zip(narrow) {
                *value = narrow.into();
            }
            return Some(minimum);
        }
        if head.range == RecordHead::IS_WIDE {
            range = u32::from_le_bytes(*self.records.get(start..)?.first_chunk()?);
            start += 4;
            minimum = Minimum::Rank { min: head.min, range };
        }
        let end = brick::decode::brick(&self.records, start, range, part, values)?;
        (end - start == usize::from(head.length)).then_some(minimum)
    }

    /// [`brick`](Self::brick) of one of 4³ that lies in the volume as a whole and
    /// [is narrow](Self::is_narrow).
    #[inline]
    pub fn narrow_brick(&self, number: usize, values: &mut [u16; 64]) -> Option<Minimum> {
        let (head, start) = self.head(number);
        if head.length == RecordHead::IS_PACKED {
            self.unpack(start, head.narrow_range(), values)?;
            return Some(head.minimum());
        }
        let end = narrow::brick(&self.records, start, head.narrow_range(), values)?;
        (end - start == usize::from(head.length)).then_some(head.minimum())
    }

    /// The values of a packed brick whose values start at `start`.
    #[inline]
    fn unpack(&self, start: usize, range: u32, values: &mut [u16; 64]) -> Option<()> {
        let record = self.records.get(start - RecordHead::BYTES..)?.first_chunk()?;
        packed::unpack(record, range, values);
        Some(())
    }

    /// Reads where the brick's record is, and two lines of it, so that they are near when it is decoded.
    #[inline]
    pub fn touch(&self, number: usize) {
        let start = self.slot(number);
        let byte = |at: usize| self.records.get(at).copied();
        black_box((byte(start), byte(start + 63)));
    }

    /// Whether [`four_bricks`](Self::four_bricks) takes a brick of 4³ that lies in the volume as a whole.
    #[inline]
    pub fn is_narrow(&self, number: usize) -> bool {
        let head = self.head(number).0;
        head.range != RecordHead::IS_WIDE && head.narrow_range() != 0 && head.length != RecordHead::IS_PACKED
    }

    /// Decodes four whole bricks of 4³ that [are narrow](Self::is_narrow), of the same chunk or of several,
    /// as [`brick`](Self::brick) does one, and returns their minima.
    #[inline]
    pub fn four_bricks(bricks: [(&Self, usize); 4], values: &mut [[u16; 64]; 4]) -> Option<[Minimum; 4]> {
        let records = bricks.map(|(chunk, number)| chunk.head(number));
        let mut four = FourBricks {
            bytes: bricks.map(|(chunk, _)| &*chunk.records),
            starts: records.map(|(_, start)| start),
            ends: records.map(|(head, start)| start + usize::from(head.length)),
            ranges: records.map(|(head, _)| head.narrow_range()),
            values,
        };
        four.decode()?;
        Some(records.map(|(head, _)| head.minimum()))
    }

    /// Bytes of memory.
    pub fn memory_bytes(&self) -> usize {
        let raw = self.raw.as_ref().map_or(0, |chunk| chunk.bytes.capacity());
        size_of::<Self>() + self.records.len() + raw
    }
}

impl fmt::Debug for OpenChunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenChunk").field("records", &self.records.len()).finish_non_exhaustive()
    }
}
