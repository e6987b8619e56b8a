//! The bricks of the profile guthe2016, read from one section of a file.

use super::source::ReadAt;
use crate::{
    BwvError, Dims, FilePart, FileSection, VolumeReadError,
    checksum::crc32c,
    file::{
        guthe2016::{PIECE_BYTES, Section, Sections},
        header::{Header, Profile},
        parts::Part,
    },
    guthe2016::{self, BrickParts, MAX_BYTES, Offsets, SIDE},
};
use std::ops::Range;

/// Number of pieces that a reader keeps: the bytes of a repeated brick are far before it.
const PIECES_KEPT: usize = 16;

impl Sections {
    /// Returns the section of a component of a frame of a mip level.
    pub fn get(&self, header: &Header, mip_level: usize, frame: usize, component: usize) -> NamedSection<'_> {
        let number = frame * header.component_count() + component;
        NamedSection {
            section: &self.0[mip_level][number],
            name: FileSection { mip_level, number },
            dims: header.mip_level_dims(mip_level),
            second_level: header.profile == Profile::Guthe2016 { second_level: true },
            value_bytes: header.voxel_type.word_bits() as usize / 8,
        }
    }
}

/// A section of a file, with its name.
pub(crate) struct NamedSection<'a> {
    section: &'a Section,
    name: FileSection,
    dims: Dims,
    second_level: bool,
    /// Bytes of a value in the bricks.
    value_bytes: usize,
}

impl NamedSection<'_> {
    /// Returns the bytes of the section in the file.
    pub fn range(&self) -> Range<u64> {
        let counts = self.section.byte_counts(self.dims, self.second_level).unwrap_or_default();
        self.section.offset..self.section.offset + counts.iter().sum::<u64>()
    }

    /// Reads and verifies the offset volume.
    fn read_offsets(&self, source: &dyn ReadAt) -> Result<Offsets, VolumeReadError> {
        let section = self.section;
        let counts = section.byte_counts(self.dims, self.second_level).unwrap_or_default();
        let mut start = section.offset + counts[0];
        let mut parts = [const { Vec::new() }; 2];
        let name = FilePart::Offsets(self.name);
        for (i, part) in parts.iter_mut().enumerate() {
            // The part is inside the file, so this is at most the size of the file.
            part.try_reserve_exact(counts[i + 1] as usize)
                .map_err(|_| VolumeReadError::Memory(counts[i + 1]))?;
            for number in 0..section.crcs[i + 1].len() {
                let piece = piece(start, counts[i + 1], &section.crcs[i + 1], number);
                part.extend_from_slice(&read(source, piece, name)?);
            }
            start += counts[i + 1];
        }
        let [packed, numbers] = parts;
        let tiles = self.second_level.then_some((section.bits[1].into(), numbers));
        let offsets = Offsets { bits: section.bits[0].into(), packed, tiles, tile_count: section.tile_count };
        if !offsets.has_all_tiles(self.dims.covered_by(Dims::cube(SIDE))) {
            let part = FilePart::TileNumber(self.name);
            return Err(BwvError::Structure { part, offset: section.offset + counts[0] + counts[1] }.into());
        }
        Ok(offsets)
    }
}

/// One section, to read bricks from. It keeps the last pieces.
pub(crate) struct SectionReader<'a> {
    source: &'a dyn ReadAt,
    section: &'a Section,
    name: FileSection,
    /// Bytes of a value.
    value_bytes: usize,
    bricks: Dims,
    offsets: &'a Offsets,
    kept: Vec<Option<(u64, Vec<u8>)>>,
}

impl<'a> SectionReader<'a> {
    /// Returns the bricks of a component of a frame of a mip level.
    pub fn new(source: &'a dyn ReadAt, named: NamedSection<'a>) -> Result<Self, VolumeReadError> {
        if named.section.offsets.get().is_none() {
            // Another thread may have been first, with the same result.
            let _ = named.section.offsets.set(named.read_offsets(source)?);
        }
        let NamedSection { section, name, dims, value_bytes, .. } = named;
        let offsets = section.offsets.get().expect("set above, or before");
        let bricks = dims.covered_by(Dims::cube(SIDE));
        Ok(Self { source, section, name, value_bytes, bricks, offsets, kept: vec![None; PIECES_KEPT] })
    }

    /// Returns the ordinals of the brick in column `x`, row `y`, layer `z` of bricks.
    pub fn brick(&mut self, x: usize, y: usize, z: usize) -> Result<[u32; 64], VolumeReadError> {
        let start = self.offsets.start(self.bricks, x, y, z);
        self.brick_at(start, Some([x, y, z]))
    }

    /// Returns the ordinals of the brick whose bytes start at `start`; its position may be unknown.
    fn brick_at(&mut self, start: u64, place: Option<[usize; 3]>) -> Result<[u32; 64], VolumeReadError> {
        let bytes = self.bytes_at(start)?;
        let decoded = guthe2016::decode_brick(&bytes, self.value_bytes);
        decoded.ok_or_else(|| self.broken(start, place))
    }

    /// Returns the result of `with` for the parts of the brick in column `x`, row `y`, layer `z` of bricks.
    /// `None` is an error.
    pub fn with_parts<R>(
        &mut self,
        (x, y, z): (usize, usize, usize),
        with: impl FnOnce(BrickParts) -> Option<R>,
    ) -> Result<R, VolumeReadError> {
        let start = self.offsets.start(self.bricks, x, y, z);
        let bytes = self.bytes_at(start)?;
        let made = BrickParts::of(&bytes, self.value_bytes).and_then(with);
        made.ok_or_else(|| self.broken(start, Some([x, y, z])))
    }

    /// Returns the maximum number of bytes of a brick, from `start` on.
    fn bytes_at(&mut self, start: u64) -> Result<Vec<u8>, VolumeReadError> {
        let end = start.saturating_add(MAX_BYTES as u64).min(self.section.payload);
        let mut bytes = Vec::with_capacity(MAX_BYTES);
        let mut at = start;
        while at < end {
            let piece = self.piece(at / PIECE_BYTES)?;
            let from = (at % PIECE_BYTES) as usize;
            let some = piece.len().min(from + (end - at) as usize) - from;
            bytes.extend_from_slice(&piece[from..from + some]);
            at += some as u64;
        }
        Ok(bytes)
    }

    fn broken(&self, start: u64, place: Option<[usize; 3]>) -> VolumeReadError {
        let part = FilePart::Brick { section: self.name, place };
        BwvError::Structure { part, offset: self.section.offset.saturating_add(start) }.into()
    }

    /// Returns the number of stored brick starts.
    pub fn stored_count(&self) -> u64 {
        self.offsets.stored_count(self.bricks)
    }

    /// Decodes the bricks whose starts are stored in these places: each of a file's bricks is one of them.
    pub fn verify_bricks(mut self, stored: Range<u64>) -> Result<(), VolumeReadError> {
        let mut last = None;
        for start in stored.map(|index| self.offsets.stored(index)) {
            if last != Some(start) {
                self.brick_at(start, None)?;
            }
            last = Some(start);
        }
        Ok(())
    }

    /// Compares every piece's checksum.
    pub fn verify_pieces(mut self) -> Result<(), VolumeReadError> {
        (0..self.section.crcs[0].len() as u64).try_for_each(|number| self.piece(number).map(drop))
    }

    /// Returns a piece of the bricks.
    fn piece(&mut self, number: u64) -> Result<&[u8], VolumeReadError> {
        let place = number as usize % PIECES_KEPT;
        if self.kept[place].as_ref().is_none_or(|(kept, _)| *kept != number) {
            let Section { offset, payload, crcs, .. } = self.section;
            let piece = piece(*offset, *payload, &crcs[0], number as usize);
            self.kept[place] = Some((number, read(self.source, piece, FilePart::Section(self.name))?));
        }
        Ok(self.kept[place].as_ref().map_or(&[], |(_, bytes)| bytes))
    }
}

/// Returns piece `number` of `byte_count` bytes from `start` on.
fn piece(start: u64, byte_count: u64, crcs: &[u32], number: usize) -> Part {
    let at = number as u64 * PIECE_BYTES;
    let count = PIECE_BYTES.min(byte_count - at) as u32;
    Part { offset: start + at, byte_count: count, crc: crcs[number] }
}

/// Reads a piece and compares its checksum.
fn read(source: &dyn ReadAt, piece: Part, name: FilePart) -> Result<Vec<u8>, VolumeReadError> {
    let mut bytes = vec![0; piece.byte_count as usize];
    source.read_exact_at(&mut bytes, piece.offset)?;
    if crc32c(&bytes) != piece.crc {
        return Err(BwvError::Checksum { part: name, offset: piece.offset }.into());
    }
    Ok(bytes)
}
