//! The profile guthe2016 in files: for each frame, mip level and component the bricks, the offset volume, and
//! the numbers of its tiles. Each of these is cut into pieces with a checksum.

mod write;

use super::{
    header::{Header, Profile},
    parts::check_all_filled,
};
use crate::{
    BwvError, Dims, FilePart,
    checksum::crc32c,
    guthe2016::{Offsets, SIDE},
};
use std::sync::OnceLock;

/// Bytes under one checksum.
pub(super) const PIECE_BYTES: u64 = 1 << 16;

/// Bytes of a section in the index before its checksums.
const ENTRY_BYTES: usize = 24;

/// Places of the bricks of one component of one frame and mip level.
#[derive(Debug, Default)]
pub(crate) struct Section {
    pub offset: u64,
    /// Bytes of the bricks.
    pub payload: u64,
    /// Bits of an offset and of a tile's number.
    pub bits: [u8; 2],
    /// Tiles of the offset volume that are stored; 0 without the second level.
    pub tile_count: u32,
    /// CRC-32C of the pieces: of the bricks, the offset volume and the tiles' numbers.
    pub crcs: [Vec<u32>; 3],
    pub offsets: OnceLock<Offsets>,
}

impl Section {
    /// Returns the size in bytes of the bricks, the offset volume and the tiles' numbers. `None` if it is
    /// above 2⁶⁴, or for tiles that do not exist.
    pub fn byte_counts(&self, dims: Dims, second_level: bool) -> Option<[u64; 3]> {
        let bricks = dims.covered_by(Dims::cube(SIDE));
        let count = |dims: Dims| (dims.x as u64).checked_mul(dims.y as u64)?.checked_mul(dims.z as u64);
        let packed = |count: u64, bits: u8| Some(count.checked_mul(bits.into())?.div_ceil(8));
        if !second_level {
            let offsets = packed(count(bricks)?, self.bits[0])?;
            return (self.tile_count == 0 && self.bits[1] == 0).then_some([self.payload, offsets, 0]);
        }
        let offsets = packed(64 * u64::from(self.tile_count), self.bits[0])?;
        Some([self.payload, offsets, packed(count(bricks.covered_by(Dims::cube(SIDE)))?, self.bits[1])?])
    }
}

/// The sections of a file, by mip level, then frame and component.
#[derive(Debug, Default)]
pub(crate) struct Sections(pub Vec<Vec<Section>>);

impl Sections {
    /// Returns the index's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for section in self.0.iter().flatten() {
            out.extend_from_slice(&section.offset.to_le_bytes());
            out.extend_from_slice(&section.payload.to_le_bytes());
            out.extend_from_slice(&section.tile_count.to_le_bytes());
            out.extend_from_slice(&[section.bits[0], section.bits[1], 0, 0]);
            for crc in section.crcs.iter().flatten() {
                out.extend_from_slice(&crc.to_le_bytes());
            }
        }
        out
    }

    /// Returns the minimum size of this volume's index in bytes; `None` if it is above 2⁶⁴.
    pub fn least_bytes(header: &Header) -> Option<u64> {
        let sections = (header.mip_levels * header.component_count()) as u64;
        sections.checked_mul(header.frames as u64)?.checked_mul(ENTRY_BYTES as u64)
    }

    /// Reads the output of [`to_bytes`](Self::to_bytes) at `offset` of a file, after `header_bytes` bytes of
    /// header. Every byte between header and index must belong to one section.
    pub fn from_bytes(
        bytes: &[u8],
        crc: u32,
        offset: u64,
        header: &Header,
        header_bytes: u64,
    ) -> Result<Self, BwvError> {
        if crc32c(bytes) != crc {
            return Err(BwvError::Checksum { part: FilePart::Index, offset });
        }
        let mut rest = bytes;
        let mut take = |need: usize| {
            let (taken, others) = rest.split_at_checked(need).ok_or(BwvError::Short {
                part: "the index",
                need: (bytes.len() - rest.len()) as u64 + need as u64,
                have: bytes.len() as u64,
            })?;
            rest = others;
            Ok::<&[u8], BwvError>(taken)
        };
        let number =
            |bytes: &[u8]| bytes.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
        let misplaced = |at: u64| BwvError::Value { part: "the index: a place", offset, value: at };
        let second_level = header.profile == Profile::Guthe2016 { second_level: true };
        let mut pieces = Vec::new();
        let mut mip_levels = Vec::with_capacity(header.mip_levels);
        for mip_level in 0..header.mip_levels {
            let dims = header.mip_level_dims(mip_level);
            let mut sections = Vec::new();
            for _ in 0..header.frames * header.component_count() {
                let entry = take(ENTRY_BYTES)?;
                let mut section = Section {
                    offset: number(&entry[..8]),
                    payload: number(&entry[8..16]),
                    tile_count: number(&entry[16..20]) as u32,
                    bits: [entry[20], entry[21]],
                    ..Section::default()
                };
                let bits = section.bits.iter().all(|&bits| bits <= 64) && entry[22..] == [0, 0];
                let counts = section.byte_counts(dims, second_level).filter(|_| bits);
                let counts = counts.ok_or(misplaced(section.offset))?;
                let mut end = section.offset;
                for (crcs, count) in section.crcs.iter_mut().zip(counts) {
                    end = end.checked_add(count).filter(|&end| end <= offset).ok_or(misplaced(end))?;
                    // The part is inside the file, so there are no more checksums than the file could have.
                    for _ in 0..count.div_ceil(PIECE_BYTES) {
                        crcs.push(number(take(4)?) as u32);
                    }
                }
                pieces.push((section.offset, end - section.offset));
                sections.push(section);
            }
            mip_levels.push(sections);
        }
        if !rest.is_empty() {
            return Err(misplaced(offset + (bytes.len() - rest.len()) as u64));
        }
        check_all_filled(pieces, header_bytes, offset, misplaced)?;
        Ok(Self(mip_levels))
    }

    /// Returns the size of the bricks in bytes, and the number of pieces with a checksum.
    pub fn counts(&self) -> (u64, usize) {
        let sections = || self.0.iter().flatten();
        let pieces = sections().flat_map(|section| &section.crcs).map(Vec::len).sum();
        (sections().map(|section| section.payload).sum(), pieces)
    }
}
