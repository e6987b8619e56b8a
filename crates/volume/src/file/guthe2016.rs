//! The profile guthe2016 in files: for each frame, mip level and component the bricks, the offset volume, and
//! the numbers of its tiles. Each of these is cut into pieces with a checksum.

use super::{
    header::{Header, Profile},
    parts::{Part, check_all_filled},
    source::ReadAt,
};
use crate::{
    BwvError, Dims, Progress, Task, VolumeReadError, VolumeWriteError,
    guthe2016::{self, BrickParts, Compressed, MOST_BYTES, Offsets, SIDE},
    untyped::UntypedView,
};
use std::{io::Write, ops::Range, sync::OnceLock};

/// Bytes under one checksum.
const PIECE_BYTES: u64 = 1 << 16;

/// Bytes of a section in the index before its checksums.
const ENTRY_BYTES: usize = 24;

/// Pieces that a reader keeps: a duplicate's bytes lie far before its turn.
const PIECES_KEPT: usize = 16;

/// Where the bricks of one component of one frame and mip level are.
#[derive(Debug, Default)]
struct Section {
    offset: u64,
    /// Bytes of the bricks.
    payload: u64,
    /// Bits of an offset and of a tile's number.
    bits: [u8; 2],
    /// Tiles of the offset volume that are stored; 0 without the second level.
    tile_count: u32,
    /// CRC-32C of the pieces: of the bricks, the offset volume and the tiles' numbers.
    crcs: [Vec<u32>; 3],
    offsets: OnceLock<Offsets>,
}

impl Section {
    /// Bytes of the bricks, the offset volume and the tiles' numbers. None if more than 2⁶⁴, or of tiles that
    /// are not there.
    fn byte_counts(&self, dims: Dims, second_level: bool) -> Option<[u64; 3]> {
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
pub(super) struct Sections(Vec<Vec<Section>>);

impl Sections {
    /// Writes the sections of a whole frame of a mip level, with or without the second level of offsets.
    /// `report` gets the share of the frame that is done.
    pub fn write(
        &mut self,
        mip_level: usize,
        (volume, second_level): (UntypedView, bool),
        sink: &mut dyn Write,
        offset: &mut u64,
        (report, task): (&(dyn Fn(f64) + Sync), &Task<'_>),
    ) -> Result<(), VolumeWriteError> {
        self.0.resize_with(self.0.len().max(mip_level + 1), Vec::new);
        for component in 0..volume.component_count() {
            let tell = |progress: Progress| {
                let share = progress.fraction().unwrap_or(0.0);
                report((component as f64 + share) / volume.component_count() as f64);
            };
            let task = task.with_progress(&tell);
            let compressed = Compressed::encode_component(volume, component, second_level, &task)?;
            let (offsets, payload) = compressed.parts();
            let (tile_bits, tiles) = offsets.tiles.as_ref().map_or((0, &[][..]), |(bits, t)| (*bits, t));
            let parts = [payload, &offsets.packed, tiles];
            self.0[mip_level].push(Section {
                offset: *offset,
                payload: payload.len() as u64,
                bits: [offsets.bits as u8, tile_bits as u8],
                tile_count: offsets.tile_count,
                crcs: parts.map(|part| part.chunks(PIECE_BYTES as usize).map(crc32c::crc32c).collect()),
                offsets: OnceLock::new(),
            });
            for part in parts {
                sink.write_all(part)?;
                *offset += part.len() as u64;
            }
        }
        Ok(())
    }

    /// The index's bytes.
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

    /// The least bytes that the index of this volume has; none if more than 2⁶⁴.
    pub fn least_bytes(header: &Header) -> Option<u64> {
        let sections = (header.mip_levels * header.component_count()) as u64;
        sections.checked_mul(header.frames as u64)?.checked_mul(ENTRY_BYTES as u64)
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote at `offset` of a file, after `header_bytes` bytes of
    /// header. Every byte between header and index must belong to one section.
    pub fn from_bytes(
        bytes: &[u8],
        crc: u32,
        offset: u64,
        header: &Header,
        header_bytes: u64,
    ) -> Result<Self, BwvError> {
        if crc32c::crc32c(bytes) != crc {
            return Err(BwvError::Checksum { part: "the index".into(), offset });
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
                    // The part lies in the file, so there are no more checksums than the file could have.
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

    /// The section of a component of a frame of a mip level.
    pub fn get(&self, header: &Header, mip_level: usize, frame: usize, component: usize) -> NamedSection<'_> {
        let number = frame * header.component_count() + component;
        let name = match mip_level {
            0 => format!("section {number}"),
            level => format!("section {number} of level {level}"),
        };
        NamedSection {
            section: &self.0[mip_level][number],
            name,
            dims: header.mip_level_dims(mip_level),
            second_level: header.profile == Profile::Guthe2016 { second_level: true },
            value_bytes: header.voxel_type.word_bits() as usize / 8,
        }
    }

    /// Bytes of the bricks, and pieces under a checksum.
    pub fn counts(&self) -> (u64, usize) {
        let sections = || self.0.iter().flatten();
        let pieces = sections().flat_map(|section| &section.crcs).map(Vec::len).sum();
        (sections().map(|section| section.payload).sum(), pieces)
    }
}

/// Which section of a file.
pub(super) struct NamedSection<'a> {
    section: &'a Section,
    name: String,
    dims: Dims,
    second_level: bool,
    /// Bytes of a value in the bricks.
    value_bytes: usize,
}

impl NamedSection<'_> {
    /// Reads and verifies the offset volume.
    fn read_offsets(&self, source: &dyn ReadAt) -> Result<Offsets, VolumeReadError> {
        let section = self.section;
        let counts = section.byte_counts(self.dims, self.second_level).unwrap_or_default();
        let mut start = section.offset + counts[0];
        let mut parts = [const { Vec::new() }; 2];
        let name = format!("the offsets of {}", self.name);
        for (i, part) in parts.iter_mut().enumerate() {
            // It lies in the file, so this is no more than the file has.
            part.try_reserve_exact(counts[i + 1] as usize)
                .map_err(|_| VolumeReadError::Memory(counts[i + 1]))?;
            for number in 0..section.crcs[i + 1].len() {
                let piece = piece(start, counts[i + 1], &section.crcs[i + 1], number);
                part.extend_from_slice(&read(source, piece, &name)?);
            }
            start += counts[i + 1];
        }
        let [packed, numbers] = parts;
        let tiles = self.second_level.then_some((section.bits[1].into(), numbers));
        let offsets = Offsets { bits: section.bits[0].into(), packed, tiles, tile_count: section.tile_count };
        if !offsets.has_all_tiles(self.dims.covered_by(Dims::cube(SIDE))) {
            let part = format!("a tile number of {}", self.name);
            return Err(BwvError::Structure { part, offset: section.offset + counts[0] + counts[1] }.into());
        }
        Ok(offsets)
    }
}

/// One section, to read bricks from. It keeps the last pieces.
pub(super) struct SectionReader<'a> {
    source: &'a dyn ReadAt,
    section: &'a Section,
    name: String,
    /// Bytes of a value.
    value_bytes: usize,
    bricks: Dims,
    offsets: &'a Offsets,
    kept: Vec<Option<(u64, Vec<u8>)>>,
}

impl<'a> SectionReader<'a> {
    /// The bricks of a component of a frame of a mip level.
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

    /// The ordinals of the brick in column `x`, row `y`, layer `z` of bricks.
    pub fn brick(&mut self, x: usize, y: usize, z: usize) -> Result<[u32; 64], VolumeReadError> {
        let start = self.offsets.start(self.bricks, x, y, z);
        self.brick_at(start, || format!("the brick at ({x}, {y}, {z})"))
    }

    /// The ordinals of the brick whose bytes start at `start`; `what` names it.
    fn brick_at(&mut self, start: u64, what: impl Fn() -> String) -> Result<[u32; 64], VolumeReadError> {
        let bytes = self.bytes_at(start)?;
        let decoded = guthe2016::decode_brick(&bytes, self.value_bytes);
        decoded.ok_or_else(|| self.broken(start, what()))
    }

    /// What `with` makes of the parts of the brick in column `x`, row `y`, layer `z` of bricks, unless it
    /// returns `None`.
    pub fn with_parts<R>(
        &mut self,
        (x, y, z): (usize, usize, usize),
        with: impl FnOnce(BrickParts) -> Option<R>,
    ) -> Result<R, VolumeReadError> {
        let start = self.offsets.start(self.bricks, x, y, z);
        let bytes = self.bytes_at(start)?;
        let made = BrickParts::of(&bytes, self.value_bytes).and_then(with);
        made.ok_or_else(|| self.broken(start, format!("the brick at ({x}, {y}, {z})")))
    }

    /// As many bytes from `start` on as a brick may have.
    fn bytes_at(&mut self, start: u64) -> Result<Vec<u8>, VolumeReadError> {
        let end = start.saturating_add(MOST_BYTES as u64).min(self.section.payload);
        let mut bytes = Vec::with_capacity(MOST_BYTES);
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

    fn broken(&self, start: u64, what: String) -> VolumeReadError {
        let part = format!("{what} of {}", self.name);
        BwvError::Structure { part, offset: self.section.offset.saturating_add(start) }.into()
    }

    /// How many starts of bricks are stored.
    pub fn stored_count(&self) -> u64 {
        self.offsets.stored_count(self.bricks)
    }

    /// Decodes the bricks whose starts are stored in these places: each of a file's bricks is one of them.
    pub fn verify_bricks(mut self, stored: Range<u64>) -> Result<(), VolumeReadError> {
        let mut last = None;
        for start in stored.map(|index| self.offsets.stored(index)) {
            if last != Some(start) {
                self.brick_at(start, || "a brick".to_owned())?;
            }
            last = Some(start);
        }
        Ok(())
    }

    /// Compares every piece's checksum.
    pub fn verify_pieces(mut self) -> Result<(), VolumeReadError> {
        (0..self.section.crcs[0].len() as u64).try_for_each(|number| self.piece(number).map(drop))
    }

    /// A piece of the bricks.
    fn piece(&mut self, number: u64) -> Result<&[u8], VolumeReadError> {
        let place = number as usize % PIECES_KEPT;
        if self.kept[place].as_ref().is_none_or(|(kept, _)| *kept != number) {
            let Section { offset, payload, crcs, .. } = self.section;
            let piece = piece(*offset, *payload, &crcs[0], number as usize);
            self.kept[place] = Some((number, read(self.source, piece, &self.name)?));
        }
        Ok(self.kept[place].as_ref().map_or(&[], |(_, bytes)| bytes))
    }
}

/// Piece `number` of `byte_count` bytes from `start` on.
fn piece(start: u64, byte_count: u64, crcs: &[u32], number: usize) -> Part {
    let at = number as u64 * PIECE_BYTES;
    let count = PIECE_BYTES.min(byte_count - at) as u32;
    Part { offset: start + at, byte_count: count, crc: crcs[number] }
}

/// Reads a piece and compares its checksum.
fn read(source: &dyn ReadAt, piece: Part, name: &str) -> Result<Vec<u8>, VolumeReadError> {
    let mut bytes = vec![0; piece.byte_count as usize];
    source.read_exact_at(&mut bytes, piece.offset)?;
    if crc32c::crc32c(&bytes) != piece.crc {
        return Err(BwvError::Checksum { part: name.into(), offset: piece.offset }.into());
    }
    Ok(bytes)
}
