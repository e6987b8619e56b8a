//! The index of a chunk: brick size, extent, fill value, and the sizes of the parts.

use super::{error::ChunkError, shape::ChunkShape};
use crate::{
    BrickSize, Dims,
    file::{ChunkEntry, ChunkGrid, FileIndex, MipLevelParts, Part, SlabParts},
};

/// Bits of the first byte: brick size, channels minus one, a flag for an extent, a flag for one value.
const CHANNELS_AT: u32 = 2;
const CUT: u8 = 1 << 4;
const CONSTANT: u8 = 1 << 5;

/// Maximum number of bytes of a part: the values of the largest inner chunk, 64³ of 4 bytes.
const MAX_PART_BYTES: u64 = 1 << 20;

/// Offset of the first part in the chunk.
pub(super) const PARTS_AT: u64 = 1;

/// The index of a chunk.
pub(super) struct ChunkIndex {
    pub brick: BrickSize,
    /// Box at the first voxel that the chunk stores; all of the shape if nothing is cut off.
    pub extent: Dims,
    /// Bytes of a number outside the extent, little-endian.
    pub fill: Vec<u8>,
    pub contents: IndexContents,
}

/// Stored voxels.
pub(super) enum IndexContents {
    /// Bytes of the only voxel, its numbers little-endian.
    Constant(Vec<u8>),
    /// Positions of parts, and the byte after the last one.
    Parts(FileIndex, u64),
}

impl ChunkIndex {
    /// Returns the index's bytes.
    pub fn to_bytes(&self, shape: &ChunkShape) -> Vec<u8> {
        let brick = match self.brick {
            BrickSize::Four => 0,
            BrickSize::Eight => 1,
            BrickSize::Flat => 2,
        };
        let is_cut = self.extent != shape.dims();
        let is_constant = matches!(self.contents, IndexContents::Constant(_));
        let flags = if is_cut { CUT } else { 0 } | if is_constant { CONSTANT } else { 0 };
        let mut out = vec![brick | (shape.channels() as u8 - 1) << CHANNELS_AT | flags];
        if is_cut {
            for side in [self.extent.x, self.extent.y, self.extent.z] {
                put(&mut out, side as u64);
            }
            out.extend_from_slice(&self.fill);
        }
        match &self.contents {
            IndexContents::Constant(voxel) => out.extend_from_slice(voxel),
            IndexContents::Parts(index, _) => self.put_parts(shape, index, &mut out),
        }
        out
    }

    fn put_parts(&self, shape: &ChunkShape, index: &FileIndex, out: &mut Vec<u8>) {
        put(out, index.tables.len() as u64);
        put(out, index.patterns.len() as u64);
        for table in index.tables.iter().chain(&index.patterns) {
            put(out, table.byte_count.into());
            out.extend_from_slice(&table.crc.to_le_bytes());
        }
        let value_bytes = shape.header(self.brick, self.extent).value_bytes();
        for level in &index.mip_levels {
            for &number in level.slabs.iter().flat_map(|slab| slab.tables.iter().chain(&slab.patterns)) {
                put(out, number.into());
            }
            for ChunkEntry { part, min, .. } in &level.chunks {
                put(out, part.byte_count.into());
                if part.byte_count == 0 {
                    out.extend_from_slice(&min.to_le_bytes()[..value_bytes]);
                } else {
                    out.extend_from_slice(&part.crc.to_le_bytes());
                }
            }
        }
    }

    /// Reads the output of [`to_bytes`](Self::to_bytes).
    pub fn from_bytes(bytes: &[u8], shape: &ChunkShape) -> Result<Self, ChunkError> {
        let mut fields = Fields { bytes, at: 0 };
        let head = fields.take(1, "the first byte")?[0];
        let bad = |value: u8| ChunkError::Index { field: "the first byte", offset: 0, value: value.into() };
        let brick = match head & 3 {
            0 => BrickSize::Four,
            1 => BrickSize::Eight,
            2 => BrickSize::Flat,
            _ => return Err(bad(head)),
        };
        if head >= CONSTANT << 1 {
            return Err(bad(head));
        }
        let channels = usize::from(head >> CHANNELS_AT & 3) + 1;
        if channels != shape.channels() {
            return Err(ChunkError::Shape { have: shape.with_channels(channels), expected: *shape });
        }
        let (mut extent, mut fill) = (shape.dims(), Vec::new());
        if head & CUT != 0 {
            extent.x = fields.side(extent.x)?;
            extent.y = fields.side(extent.y)?;
            extent.z = fields.side(extent.z)?;
            fill = fields.take(shape.voxel_type().byte_count(), "the fill value")?.to_vec();
        }
        let contents = if head & CONSTANT == 0 {
            let (index, end) = fields.parts(shape, brick, extent)?;
            IndexContents::Parts(index, end)
        } else {
            IndexContents::Constant(fields.take(shape.voxel_bytes(), "the only voxel")?.to_vec())
        };
        let rest = (bytes.len() - fields.at) as u64;
        if rest > 0 {
            let (field, offset) = ("the number of bytes after the last field", fields.at as u64);
            return Err(ChunkError::Index { field, offset, value: rest });
        }
        Ok(Self { brick, extent, fill, contents })
    }
}

/// Appends a number in groups of seven bits, the lowest first, with the top bit set in all bytes except the
/// last.
fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reader of an index.
struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    fn take(&mut self, count: usize, field: &'static str) -> Result<&'a [u8], ChunkError> {
        let (offset, value) = (self.at as u64, (self.bytes.len() - self.at) as u64);
        // The index ends within the field: the value is the number of bytes left.
        let taken = self.bytes[self.at..].get(..count).ok_or(ChunkError::Index { field, offset, value })?;
        self.at += count;
        Ok(taken)
    }

    fn u32(&mut self, field: &'static str) -> Result<u32, ChunkError> {
        let bytes = self.take(4, field)?.try_into().expect("four bytes");
        Ok(u32::from_le_bytes(bytes))
    }

    /// Reads the output of [`put`], a number up to `most`.
    fn number(&mut self, most: u64, field: &'static str) -> Result<u64, ChunkError> {
        let (offset, mut value) = (self.at as u64, 0u64);
        for shift in (0..63).step_by(7) {
            let byte = self.take(1, field)?[0];
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 && value <= most {
                return Ok(value);
            }
            if byte < 0x80 {
                break;
            }
        }
        Err(ChunkError::Index { field, offset, value })
    }

    /// Reads a side of the extent, 1 to `most`.
    fn side(&mut self, most: usize) -> Result<usize, ChunkError> {
        let (field, offset) = ("a side of the extent", self.at as u64);
        match self.number(most as u64, field)? {
            0 => Err(ChunkError::Index { field, offset, value: 0 }),
            side => Ok(side as usize),
        }
    }

    /// Reads the sizes of parts; also returns the end of the last part.
    fn parts(
        &mut self,
        shape: &ChunkShape,
        brick: BrickSize,
        extent: Dims,
    ) -> Result<(FileIndex, u64), ChunkError> {
        let mut end = PARTS_AT;
        let mut part = |byte_count: u64, crc: u32| {
            let part = Part { offset: end, byte_count: byte_count as u32, crc };
            end += byte_count;
            part
        };
        let most = self.bytes.len() as u64;
        let table_count = self.number(most, "the number of rank tables")?;
        let pattern_count = self.number(most, "the number of pattern tables")?;
        let mut tables = Vec::new();
        for _ in 0..table_count + pattern_count {
            let byte_count = self.number(MAX_PART_BYTES, "the size of a table")?;
            tables.push(part(byte_count, self.u32("the checksum of a table")?));
        }
        let patterns = tables.split_off(table_count as usize);
        let header = shape.header(brick, extent);
        let (grid, components) = (ChunkGrid::new(&header, 0).dims, header.component_count());
        let mut level = MipLevelParts::default();
        for _ in 0..grid.z {
            let mut numbers = |most: u64, field| -> Result<Vec<u32>, ChunkError> {
                (0..components).map(|_| Ok(self.number(most, field)? as u32)).collect()
            };
            let tables = numbers(table_count, "a rank table's number")?;
            let patterns = numbers(pattern_count, "a pattern table's number")?;
            level.slabs.push(SlabParts { offset: 0, tables, patterns });
        }
        // No more than the voxels, which are addressable.
        for _ in 0..grid.x * grid.y * grid.z * components {
            let byte_count = self.number(MAX_PART_BYTES, "the size of an inner chunk")?;
            level.chunks.push(if byte_count == 0 {
                let value = self.take(header.value_bytes(), "the value of an inner chunk")?;
                let value = value.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
                ChunkEntry { part: part(0, 0), min: value, max: value }
            } else {
                let part = part(byte_count, self.u32("the checksum of an inner chunk")?);
                // The range is not stored; it is not that of a single value.
                ChunkEntry { part, min: 0, max: u32::MAX }
            });
        }
        Ok((FileIndex { tables, patterns, mip_levels: vec![level] }, end))
    }
}
