//! Reads headers.

use super::{
    HEADER_BYTES, LABEL_BYTES, PACKED_BYTES, SIGNED_BYTES, at,
    fields::{Fields, best_order, number},
    position::Position,
};
use crate::{
    FormatError, MrcFeature, MrcNote, Note, header::format_header::set_metadata, streams::widened::Widening,
};
use brickwork_volume::{ByteOrder, Dims, Header, VoxelType};
use std::{
    io::{self, BufRead, Read as _},
    ops::RangeInclusive,
};

/// Space groups of stacks of volumes: 400 more than that of a volume.
const STACKS: RangeInclusive<i32> = 401..=630;

/// Header of a file, and the layout of its voxels.
pub struct Found {
    pub header: Header,
    pub order: ByteOrder,
    /// Conversion of the stored numbers to those of the header's type, if they differ.
    pub widening: Option<Widening>,
    /// Axes of the file's columns, rows and sections: 0 is x.
    pub axes: [usize; 3],
    /// Size of the stored voxels in bytes.
    pub byte_count: u64,
    pub notes: Vec<Note>,
}

/// True if a file that starts so has the letters MAP and a plausible header.
pub fn is_start(start: &[u8]) -> bool {
    start.get(at::MAP..).is_some_and(|rest| rest.starts_with(b"MAP")) && best_order(start).is_some()
}

/// True if a file that starts so has a plausible header from before MRC2000, without the letters MAP.
pub fn is_old_start(start: &[u8]) -> bool {
    start.len() >= HEADER_BYTES && best_order(start).is_some()
}

/// True if files of this name are stacks of images.
pub fn is_stack_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".mrcs", ".mrcs.gz"].into_iter().any(|end| name.ends_with(end))
}

/// Reads an unpacked header, and leaves `source` at the voxels. `is_stack` is true if the file's name is that
/// of a stack of images.
///
/// # Errors
/// [`FormatError`].
pub fn read_header(source: &mut dyn BufRead, is_stack: bool) -> Result<Found, FormatError> {
    let mut bytes = Vec::new();
    (&mut *source).take(HEADER_BYTES as u64).read_to_end(&mut bytes)?;
    if bytes.len() < HEADER_BYTES {
        return Err(FormatError::Short { need: HEADER_BYTES as u64, have: bytes.len() as u64 });
    }
    let mut notes = Vec::new();
    let order = order(&bytes, &mut notes)?;
    let found = Fields { bytes: &bytes, order }.found(is_stack, notes)?;
    let extended = u64::from(Fields { bytes: &bytes, order }.extended_bytes()?);
    let skipped = io::copy(&mut source.take(extended), &mut io::sink())?;
    if skipped < extended {
        let (need, have) = (HEADER_BYTES as u64 + extended, HEADER_BYTES as u64 + skipped);
        return Err(FormatError::Short { need, have });
    }
    Ok(found)
}

/// Returns the byte order of a header.
fn order(bytes: &[u8], notes: &mut Vec<Note>) -> Result<ByteOrder, FormatError> {
    let is_new = bytes[at::MAP..].starts_with(b"MAP");
    let stated = match bytes[at::MACHINE_STAMP..][..2] {
        _ if !is_new => None,
        [0x44, 0x44 | 0x41] => Some(ByteOrder::Little),
        [0x11, 0x11] => Some(ByteOrder::Big),
        _ => None,
    };
    match (stated, best_order(bytes)) {
        (Some(order), _) if Fields { bytes, order }.is_plausible() => Ok(order),
        (_, Some(order)) => {
            let note = if is_new { MrcNote::MachineStamp { order } } else { MrcNote::OldHeader { order } };
            notes.push(note.into());
            Ok(order)
        }
        (None, None) if !is_new => Err(FormatError::Other("MRC")),
        // The field that makes it implausible is an error.
        (stated, None) => Ok(stated.unwrap_or(ByteOrder::Little)),
    }
}

impl Fields<'_> {
    /// Returns the layout and the header.
    fn found(&self, is_stack: bool, mut notes: Vec<Note>) -> Result<Found, FormatError> {
        let axes = self.axes()?;
        let mut sides = [0; 3];
        let stored = self.integers(at::SIZES);
        for ((name, size), axis) in ["NX", "NY", "NZ"].into_iter().zip(stored).zip(axes) {
            sides[axis] =
                usize::try_from(size).ok().filter(|&size| size > 0).ok_or_else(|| number(name, size))?;
        }
        let (voxel_type, widening) = self.voxel_type(stored[0] as usize, &mut notes)?;
        let (depth, frames) = self.stack(sides[2], axes, is_stack, &mut notes)?;
        let mut header = Header::new(voxel_type, Dims::new(sides[0], sides[1], depth));
        header.frames = frames;
        let raw_bytes = header.raw_bytes()?;
        let byte_count = match widening {
            Some(Widening::Nibbles { columns }) => raw_bytes / columns as u64 * columns.div_ceil(2) as u64,
            Some(Widening::Halves(_)) | None => raw_bytes,
        };
        Position::of(self, axes, &header)?.place(&mut header, &mut notes);
        self.keep(&mut header);
        let count = self.extended_bytes()?;
        if count > 0 {
            let kind = &self.bytes[at::EXTENDED_TYPE..][..4];
            let is_text = kind.iter().all(|byte| matches!(byte, b' '..=b'~' | 0)) && kind != [0; 4];
            let kind = String::from_utf8_lossy(if is_text { kind } else { b"" });
            let kind = kind.trim_end_matches([' ', '\0']).to_owned();
            notes.push(MrcNote::ExtendedHeader { kind, count }.into());
        }
        Ok(Found { header, order: self.order, widening, axes, byte_count, notes })
    }

    /// Returns the type of the voxels, and the conversion to it. `columns` are those of the file.
    fn voxel_type(
        &self,
        columns: usize,
        notes: &mut Vec<Note>,
    ) -> Result<(VoxelType, Option<Widening>), FormatError> {
        let mode = self.integer(at::MODE);
        let unsupported = |name| Err(MrcFeature::Mode { mode, name }.into());
        Ok(match mode {
            0 if self.imod_flags().is_some_and(|flags| flags & PACKED_BYTES != 0) => {
                return Err(MrcFeature::PackedBytes.into());
            }
            0 => (if self.has_signed_bytes(notes) { VoxelType::I8 } else { VoxelType::U8 }, None),
            1 => (VoxelType::I16, None),
            2 => (VoxelType::F32, None),
            3 => return unsupported("complex of 2 i16"),
            4 => return unsupported("complex of 2 f32"),
            6 => (VoxelType::U16, None),
            12 => (VoxelType::F16, None),
            16 => return unsupported("colours of 3 bytes"),
            101 => (VoxelType::U8, Some(Widening::Nibbles { columns })),
            _ => return Err(number("MODE", mode)),
        })
    }

    /// True if bytes are signed. A decision without IMOD's flags and a version is noted.
    fn has_signed_bytes(&self, notes: &mut Vec<Note>) -> bool {
        if let Some(flags) = self.imod_flags() {
            return flags & SIGNED_BYTES != 0;
        }
        if self.has_version() {
            return true;
        }
        let (min, max) = (self.float(at::MIN), self.float(at::MAX));
        let is_signed = match (min < 0.0, max > 127.0) {
            _ if max < min => self.has_map(),
            (true, false) => true,
            (false, true) => false,
            // IMOD's rule: the range that is exceeded by less.
            (true, true) => -min > max - 128.0,
            (false, false) => self.has_map(),
        };
        notes.push(MrcNote::Bytes { is_signed }.into());
        is_signed
    }

    /// Returns the number of slices and of frames. `size` is the size along z; `is_stack` is true for the
    /// name of a stack of images.
    fn stack(
        &self,
        size: usize,
        axes: [usize; 3],
        is_stack: bool,
        notes: &mut Vec<Note>,
    ) -> Result<(usize, usize), FormatError> {
        let (group, depth) = (self.integer(at::SPACE_GROUP), self.integers(at::GRID)[2]);
        if STACKS.contains(&group) {
            let depth = usize::try_from(depth).ok().filter(|&depth| depth > 0 && size.is_multiple_of(depth));
            let depth =
                depth.ok_or_else(|| number("MZ, of a stack of volumes,", self.integers(at::GRID)[2]))?;
            if axes[2] != 2 {
                return Err(MrcFeature::StackAxes.into());
            }
            let count = size / depth;
            notes.extend((count > 1).then(|| MrcNote::Volumes { count }.into()));
            return Ok((depth, count));
        }
        if group == 0 && size > 1 && axes[2] == 2 {
            if depth == 1 || is_stack {
                let note = if depth == 1 {
                    MrcNote::Images { count: size }
                } else {
                    MrcNote::NamedImages { count: size, depth }
                };
                notes.push(note.into());
                return Ok((1, size));
            }
            // IMOD's volumes have ISPG 0, as older ones do.
            if self.has_version() && self.imod_flags().is_none() {
                notes.push(MrcNote::VolumeOfImages { depth }.into());
            }
        }
        Ok((size, 1))
    }

    /// Sets the metadata: labels, and the space group of a crystal.
    fn keep(&self, header: &mut Header) {
        let count = self.integer(at::LABEL_COUNT).clamp(0, 10) as usize;
        let labels = self.bytes[at::LABELS..].chunks_exact(LABEL_BYTES).take(count);
        let text = |label: &[u8]| {
            String::from_utf8_lossy(label).trim_end_matches([' ', '\0']).replace(char::is_control, " ")
        };
        let labels: Vec<String> = labels.map(text).filter(|label| !label.is_empty()).collect();
        let mut kept = serde_json::Map::new();
        if !labels.is_empty() {
            kept.insert("labels".to_owned(), labels.into());
        }
        let group = self.integer(at::SPACE_GROUP);
        if (2..=230).contains(&group) {
            kept.insert("ISPG".to_owned(), group.into());
        }
        set_metadata(header, serde_json::json!({ "mrc": kept }));
    }
}
