//! Regions of chunks, from some of their bytes.

use super::{read, shape_of};
use crate::failure::Failure;
use brickwork_volume::{ChunkReader, Dims, Region, SuppliedBytes};

/// Returns the number of bytes at the end of a chunk that [`Part`] requires, from its last bytes; infinity
/// for all.
pub fn suffix_bytes(last: &[u8]) -> f64 {
    ChunkReader::suffix_bytes(last).map_or(f64::INFINITY, |count| count as f64)
}

/// A region of a chunk, and bytes of the chunk.
///
/// As bytes: the words type, x, y, z and channels of the chunk; start and end of the region along x, y and z;
/// the number of bytes of the end; the last bytes of the chunk; and for each range that was supplied its
/// first byte as a double, the word of its number of bytes, and its bytes. Numbers are little-endian.
pub struct Part {
    reader: ChunkReader<SuppliedBytes>,
    region: Region,
}

impl Part {
    /// Reads a part, and the index of its chunk.
    pub fn new(input: &[u8]) -> Result<Self, Failure> {
        let mut fields = Fields(input);
        let mut word = || fields.word().map(|word| word as usize);
        let voxel_type = word()?;
        let dims = Dims::new(word()?, word()?, word()?);
        let shape = shape_of(voxel_type as u32, dims, word()?)?;
        let mut range = || Ok::<_, Failure>(word()?..word()?);
        let region = Region { x: range()?, y: range()?, z: range()? };
        let last = word()?;
        let reader = ChunkReader::from_suffix(fields.bytes(last)?.to_vec(), &shape)?;
        while !fields.0.is_empty() {
            let (first, count) = (fields.double()?, fields.word()?);
            reader.supply(first as u64, fields.bytes(count as usize)?)?;
        }
        Ok(Self { reader, region })
    }

    /// Returns the size of the chunk, and the ranges that are missing, as doubles.
    pub fn ranges(&self) -> Result<Vec<u8>, Failure> {
        let size = self.reader.source().byte_count();
        let ranges = std::iter::once(0..size).chain(self.reader.ranges(&self.region)?);
        let ends = ranges.flat_map(|range| [range.start as f64, range.end as f64]);
        Ok(ends.flat_map(f64::to_le_bytes).collect())
    }

    /// Returns the numbers of the region: channels fastest, then x, y and z.
    pub fn read(&self) -> Result<Vec<u8>, Failure> {
        read(&self.reader, &self.region)
    }
}

/// Reader of numbers and bytes.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], Failure> {
        let short = || Failure::argument("the part of a chunk is cut short");
        let (bytes, rest) = self.0.split_at_checked(count).ok_or_else(short)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn word(&mut self) -> Result<u32, Failure> {
        Ok(u32::from_le_bytes(self.bytes(4)?.try_into().expect("four bytes")))
    }

    fn double(&mut self) -> Result<f64, Failure> {
        Ok(f64::from_le_bytes(self.bytes(8)?.try_into().expect("eight bytes")))
    }
}
