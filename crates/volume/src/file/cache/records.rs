//! The records of a chunk: how they are collected, and laid out so that a brick's number finds its record.

use super::record_head::RecordHead;
use crate::{
    brick::{PADDING, packed},
    file::read::Lookup,
};
use bytes::Bytes;
use std::ops::Range;

/// The distance between records is a multiple of this many bytes.
const UNIT: usize = 8;

/// Halves of the memory of records without gaps that records at a fixed distance may take: time for memory.
const MAX_GROWN: usize = 3;

/// The records of a chunk, one after the other.
#[derive(Default)]
pub(super) struct Records {
    bytes: Vec<u8>,
    /// Ranges in `bytes` of the record as in the file and of the packed one, by position in the chunk; empty
    /// if there is none.
    coded: Vec<Range<usize>>,
    packed: Vec<Range<usize>>,
}

impl Records {
    /// Creates a list without records, with memory for those of a chunk of `chunk_bytes` bytes and
    /// `brick_count` bricks.
    pub fn for_chunk(chunk_bytes: usize, brick_count: usize) -> Self {
        Self { bytes: Vec::with_capacity(2 * chunk_bytes + brick_count * packed::HEAD), ..Self::default() }
    }

    /// Adds a record with `bytes` as in the file.
    pub fn put(&mut self, number: usize, head: RecordHead, bytes: &[u8]) {
        let start = self.bytes.len();
        head.encode(&mut self.bytes);
        self.bytes.extend_from_slice(bytes);
        Self::set(&mut self.coded, number, start..self.bytes.len());
    }

    /// Adds a packed record.
    pub fn pack(&mut self, number: usize, min: u32, range: u32, lookup: Option<&Lookup>, values: &[u16; 64]) {
        let start = self.bytes.len();
        RecordHead::packed(min, range, lookup).encode(&mut self.bytes);
        let mut record = [0; packed::REACH];
        packed::pack(values, range, &mut record);
        self.bytes.extend_from_slice(&record[packed::HEAD..packed::record_bytes(range)]);
        Self::set(&mut self.packed, number, start..self.bytes.len());
    }

    fn set(places: &mut Vec<Range<usize>>, number: usize, place: Range<usize>) {
        places.resize(places.len().max(number + 1), 0..0);
        places[number] = place;
    }

    /// Returns all records by their numbers, then those stored elsewhere and [`PADDING`] zeros; and the
    /// distance in bytes from one record to the next.
    pub fn lay_out(mut self) -> (Bytes, u32) {
        let count = self.coded.len();
        self.packed.resize(count, 0..0);
        let (apart, elsewhere_bytes) = self.distance();
        let mut records = Vec::with_capacity(count * apart + elsewhere_bytes + PADDING);
        records.resize(count * apart, 0);
        let mut elsewhere = Vec::with_capacity(RecordHead::BYTES);
        for (i, (coded, packed)) in self.coded.iter().zip(&self.packed).enumerate() {
            let slot = i * apart;
            let fits = |place: &Range<usize>| (1..=apart).contains(&place.len()).then(|| place.clone());
            if let Some(place) = fits(packed).or_else(|| fits(coded)) {
                records[slot..slot + place.len()].copy_from_slice(&self.bytes[place]);
            } else if !coded.is_empty() {
                elsewhere.clear();
                RecordHead::Elsewhere { start: records.len() as u32 }.encode(&mut elsewhere);
                records[slot..slot + RecordHead::BYTES].copy_from_slice(&elsewhere);
                records.extend_from_slice(&self.bytes[coded.clone()]);
            }
        }
        records.resize(records.len() + PADDING, 0);
        (records.into(), apart as u32)
    }

    /// Returns the distance between records, and the size in bytes of those that do not fit. It is the
    /// largest distance that does not take much more memory. Most bricks are then packed, and few records are
    /// stored elsewhere.
    fn distance(&self) -> (usize, usize) {
        // Indexed by the units that one of a brick's records needs at least: the bytes of the records that
        // are elsewhere if there are fewer units.
        let (mut bytes_by_units, mut units) = (Vec::new(), 1);
        for (coded, packed) in self.coded.iter().zip(&self.packed) {
            let [coded_units, packed_units] = [coded, packed].map(|place| place.len().div_ceil(UNIT));
            let least = if packed_units == 0 { coded_units } else { coded_units.min(packed_units) };
            units = units.max(coded_units).max(packed_units);
            bytes_by_units.resize(bytes_by_units.len().max(units + 1), 0);
            bytes_by_units[least] += coded.len();
        }
        let most = bytes_by_units.iter().sum::<usize>() * MAX_GROWN / 2;
        let mut elsewhere_bytes = 0;
        while units > 1 && self.coded.len() * units * UNIT + elsewhere_bytes > most {
            elsewhere_bytes += bytes_by_units[units];
            units -= 1;
        }
        (units * UNIT, elsewhere_bytes)
    }
}

/// Returns an upper bound of the bytes of records whose heads and bytes are `all` bytes, for `brick_count`
/// bricks.
pub(super) const fn most_bytes(all: usize, brick_count: usize) -> usize {
    all * MAX_GROWN / 2 + brick_count * UNIT + 2 * PADDING
}
