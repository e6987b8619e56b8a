//! Reads headers.

use super::{
    AUX_FILE_BYTES, DESCRIP_BYTES, INTENT_BYTES, Layout, NIFTI1, NIFTI2, TIME_UNITS, datatype, extensions,
    kept::{KEPT, Width},
    millimetres, per_second, pose,
};
use crate::{
    FormatError, FormatHeader, NiftiFeature, Note, StorageOrder, VoxelEncoding, VoxelLocation,
    header::{format_header::set_metadata, header_text::short},
};
use brickwork_volume::{ByteOrder, Dims, Header, MAX_CHANNELS, Spacing, VoxelKind, VoxelType};
use std::io::{self, BufRead, Read};

/// Intents of voxels that are names: NIFTI_INTENT_LABEL and NIFTI_INTENT_NEURONAME.
const LABEL_INTENTS: [i64; 2] = [1002, 1005];

/// Start of SPM's origin in Analyze's field `originator`: three integers of 16 bits, a voxel counted from 1.
const SPM_ORIGIN: usize = 253;

/// Reads a header. Leaves `source` at the voxels, if they follow. The voxels of a pair are in the file
/// `pair`.
///
/// # Errors
/// [`FormatError`].
pub fn read_header(source: &mut dyn BufRead, pair: &str) -> Result<FormatHeader, FormatError> {
    let mut bytes = vec![0; 4];
    let first = filled(source, &mut bytes)?;
    let size: [u8; 4] = bytes[..4].try_into().expect("four bytes");
    let (order, layout) = match (u32::from_le_bytes(size), u32::from_be_bytes(size)) {
        (348, _) => (ByteOrder::Little, &NIFTI1),
        (540, _) => (ByteOrder::Little, &NIFTI2),
        (_, 348) => (ByteOrder::Big, &NIFTI1),
        (_, 540) => (ByteOrder::Big, &NIFTI2),
        _ => return Err(FormatError::Other("NIfTI")),
    };
    bytes.resize(layout.header_bytes, 0);
    let have = first + filled(source, &mut bytes[4..])?;
    if have < layout.header_bytes {
        return Err(FormatError::Short { need: layout.header_bytes as u64, have: have as u64 });
    }
    let attached = match &bytes[layout.magic..][..4] {
        b"n+1\0" | b"n+2\0" => true,
        b"ni1\0" | b"ni2\0" => false,
        // Analyze has no magic, and the letter r, which some programs leave out.
        magic if layout.header_bytes == 348 && is_analyze(magic, bytes[38]) => {
            let fields = Fields { bytes: &bytes, layout, order, wide: false };
            return fields.analyze(pair);
        }
        _ => return Err(FormatError::Other("NIfTI")),
    };
    let fields = Fields { bytes: &bytes, layout, order, wide: layout.header_bytes == 540 };
    let (mut header, mut kept, in_planes, mut notes) = fields.header()?;
    let storage_order = if in_planes { StorageOrder::ChannelsLast } else { StorageOrder::FramesLast };
    let offset = fields.vox_offset(attached)?;
    // Extensions precede the voxels, or are at the end of a separate header file.
    let between = if attached { offset - layout.header_bytes as u64 } else { u64::MAX };
    let mut read = Vec::new();
    let most = between.min(extensions::MAX_BYTES as u64 + 4);
    (&mut *source).take(most).read_to_end(&mut read)?;
    let found = extensions::read(&read, order, &mut notes);
    if !found.is_empty() {
        kept.insert("extensions".to_owned(), found.into());
    }
    set_metadata(&mut header, serde_json::json!({ "nifti": kept }));
    let (encoding, voxels) = (VoxelEncoding::Raw, VoxelLocation::Attached);
    if !attached {
        let voxels = VoxelLocation::Detached { name: pair.to_owned(), skip: Some(offset) };
        return Ok(FormatHeader { header, order, voxels, encoding, skipped_lines: 0, storage_order, notes });
    }
    let rest = between - read.len() as u64;
    let skipped = io::copy(&mut source.take(rest), &mut io::sink())?;
    if skipped < rest {
        let have = layout.header_bytes as u64 + read.len() as u64 + skipped;
        return Err(FormatError::Short { need: offset, have });
    }
    Ok(FormatHeader { header, order, voxels, encoding, skipped_lines: 0, storage_order, notes })
}

/// True for a header of Analyze, by the bytes in place of NIfTI's magic and the field `regular`.
fn is_analyze(magic: &[u8], regular: u8) -> bool {
    magic == [0; 4] || regular == b'r' && magic[0] != b'n'
}

/// Fills `into`, and returns how many bytes there were.
fn filled(source: &mut dyn BufRead, into: &mut [u8]) -> io::Result<usize> {
    let mut bytes = Vec::new();
    source.take(into.len() as u64).read_to_end(&mut bytes)?;
    into[..bytes.len()].copy_from_slice(&bytes);
    Ok(bytes.len())
}

/// Fields that the metadata keeps, by name.
type Kept = serde_json::Map<String, serde_json::Value>;

struct Fields<'a> {
    bytes: &'a [u8],
    layout: &'a Layout,
    order: ByteOrder,
    /// True for NIfTI-2.
    wide: bool,
}

impl Fields<'_> {
    /// Returns `count` bytes as a number.
    fn bits(&self, at: usize, count: usize) -> u64 {
        let bytes = &self.bytes[at..at + count];
        let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        match self.order {
            ByteOrder::Little => bytes.iter().rev().fold(0, add),
            ByteOrder::Big => bytes.iter().fold(0, add),
        }
    }

    /// Returns a code: 32 bits if `wide`, else 16.
    fn code(&self, at: usize, wide: bool) -> i64 {
        if wide { i64::from(self.bits(at, 4) as i32) } else { i64::from(self.bits(at, 2) as i16) }
    }

    /// Returns a float. One of 32 bits becomes the number with the fewest digits that rounds to it: 0.34, not
    /// 0.3400000035762787.
    fn float(&self, at: usize, index: usize) -> f64 {
        if self.wide {
            return f64::from_bits(self.bits(at + 8 * index, 8));
        }
        let float = f32::from_bits(self.bits(at + 4 * index, 4) as u32);
        float.to_string().parse().unwrap_or(f64::from(float))
    }

    /// Returns a float that must be finite.
    fn finite(&self, field: &str, at: usize, index: usize) -> Result<f64, FormatError> {
        let value = self.float(at, index);
        if value.is_finite() { Ok(value) } else { Err(number(field, value)) }
    }

    fn text(&self, at: usize, most: usize) -> String {
        let bytes = &self.bytes[at..at + most];
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(most);
        String::from_utf8_lossy(&bytes[..end]).trim().to_owned()
    }

    /// Returns the header, the fields for its metadata, whether channels are stored one volume after the
    /// other, and notes.
    fn header(&self) -> Result<(Header, Kept, bool, Vec<Note>), FormatError> {
        let layout = self.layout;
        let (voxel_type, colors) = self.voxel_type()?;
        let (dims, frames, parts) = self.dims()?;
        let channels = colors * parts;
        if colors > 1 && parts > 1 || channels > MAX_CHANNELS {
            return Err(NiftiFeature::Vectors { parts, colors, voxel_type }.into());
        }
        let mut header = Header::new(voxel_type, dims).with(|header| {
            header.channels = channels;
            header.frames = frames.unwrap_or(1);
        });
        header.raw_bytes()?;
        if LABEL_INTENTS.contains(&self.code(layout.intent_code, self.wide)) {
            header.kind = VoxelKind::Labels;
        }
        let units = self.bits(layout.xyzt_units, if self.wide { 4 } else { 1 });
        let unit = millimetres(units);
        let mut pixdim = [0.0; 4];
        pixdim[0] = self.float(layout.pixdim, 0);
        for axis in 1..4 {
            let field = format!("pixdim[{axis}]");
            let value = self.finite(&field, layout.pixdim, axis)?.abs();
            // Programs write 0 if an axis has one voxel.
            pixdim[axis] = if value == 0.0 { 1.0 } else { value };
            if !(pixdim[axis] * unit).is_normal() {
                return Err(number(&field, value));
            }
        }
        header.spacing = Spacing { x: pixdim[1] * unit, y: pixdim[2] * unit, z: pixdim[3] * unit };
        let sform_code = self.code(layout.sform_code, self.wide);
        let qform_code = self.code(layout.qform_code, self.wide);
        let sform = if sform_code > 0 { Some(self.sform()?) } else { None };
        let is_zero = sform.is_some_and(|rows| rows.iter().all(|row| row[..3] == [0.0; 3]));
        let mut notes = Vec::new();
        let mut others = Kept::new();
        if let Some(rows) = sform.filter(|_| !is_zero || qform_code <= 0) {
            pose::take(&mut header, &rows, unit, "sform")?;
            others.insert("srow".to_owned(), rows.as_flattened().into());
        } else if qform_code > 0 {
            let [b, c, d, x, y, z] = self.qform()?;
            let rows = pose::of_quaternion([b, c, d], [x, y, z], pixdim);
            pose::take(&mut header, &rows, unit, "qform")?;
            notes.extend(is_zero.then_some(Note::ZeroSform));
        }
        // An unused qform may contain anything.
        if qform_code > 0
            && let Ok(qform) = self.qform()
        {
            others.insert("qform".to_owned(), qform.as_slice().into());
            others.insert("pixdim".to_owned(), pixdim.as_slice().into());
        }
        if let Some(part) = header.origin.iter().find(|part| !part.is_finite()) {
            return Err(number("the origin in millimetres", part));
        }
        // A unit that is not one of time is kept.
        let step = if frames.is_some() { self.finite("pixdim[4]", layout.pixdim, 4)?.abs() } else { 0.0 };
        if frames.is_some() && step.is_normal() {
            let has_unit = units & TIME_UNITS != 0;
            match per_second(units) {
                // Programs that know no time leave 1 without a unit.
                Some(per_second) if has_unit || step != 1.0 => {
                    header.frame_spacing = step / per_second;
                    let is_assumed = !has_unit && header.frames > 1;
                    notes.extend(is_assumed.then_some(Note::NoTimeUnit { field: "pixdim[4]" }));
                }
                _ => drop(others.insert("pixdim[4]".to_owned(), step.into())),
            }
        }
        let sform_code = if is_zero { 0 } else { sform_code };
        self.keep(&mut others, units, qform_code, sform_code)?;
        Ok((header, others, parts > 1, notes))
    }

    /// Reads the header of Analyze 7.5, of which the fields of the first 132 bytes are those of NIfTI-1. Its
    /// directions depend on the program that wrote it, so they are not taken.
    fn analyze(&self, pair: &str) -> Result<FormatHeader, FormatError> {
        let (voxel_type, channels) = self.voxel_type()?;
        let (dims, frames, parts) = self.dims()?;
        if parts > 1 {
            return Err(NiftiFeature::Vectors { parts, colors: channels, voxel_type }.into());
        }
        let mut header = Header::new(voxel_type, dims).with(|header| {
            header.channels = channels;
            header.frames = frames.unwrap_or(1);
        });
        header.raw_bytes()?;
        let mut spacing = [1.0; 3];
        for (axis, spacing) in spacing.iter_mut().enumerate() {
            let field = format!("pixdim[{}]", axis + 1);
            let value = self.finite(&field, self.layout.pixdim, axis + 1)?.abs();
            if value != 0.0 {
                *spacing = value;
            }
            if !spacing.is_normal() {
                return Err(number(&field, value));
            }
        }
        header.spacing = Spacing { x: spacing[0], y: spacing[1], z: spacing[2] };
        let mut kept = Kept::new();
        // SPM has a slope there.
        let slope = self.float(self.layout.scl_slope, 0);
        if slope.is_normal() && slope != 1.0 {
            kept.insert("scl_slope".to_owned(), slope.into());
            kept.insert("scl_inter".to_owned(), 0.0.into());
        }
        let mut notes = vec![Note::UnknownDirections { format: "Analyze" }];
        let origin = [0, 2, 4].map(|at| self.code(SPM_ORIGIN + at, false));
        let sides = [dims.x, dims.y, dims.z].map(|side| side as i64);
        // The rule of nibabel, for a field that may be text.
        let is_near = origin.iter().zip(sides).all(|(&index, side)| -side < index && index < 2 * side);
        if is_near && origin != [0; 3] {
            let [x, y, z] = origin;
            notes.push(Note::SpmOrigin { voxel: format!("{x}, {y}, {z}") });
            kept.insert("originator".to_owned(), origin.as_slice().into());
        }
        let descrip = self.text(self.layout.descrip, DESCRIP_BYTES);
        if !descrip.is_empty() {
            kept.insert("descrip".to_owned(), descrip.into());
        }
        set_metadata(&mut header, serde_json::json!({ "nifti": kept }));
        let skip = Some(self.vox_offset(false)?);
        Ok(FormatHeader {
            header,
            order: self.order,
            voxels: VoxelLocation::Detached { name: pair.to_owned(), skip },
            encoding: VoxelEncoding::Raw,
            skipped_lines: 0,
            storage_order: StorageOrder::FramesLast,
            notes,
        })
    }

    fn sform(&self) -> Result<pose::Rows, FormatError> {
        let mut rows = pose::Rows::default();
        for (i, value) in rows.as_flattened_mut().iter_mut().enumerate() {
            let field = format!("srow_{}[{}]", ["x", "y", "z"][i / 4], i % 4);
            *value = self.finite(&field, self.layout.srow, i)?;
        }
        Ok(rows)
    }

    /// Returns the quaternion and the offset.
    fn qform(&self) -> Result<[f64; 6], FormatError> {
        let names = ["quatern_b", "quatern_c", "quatern_d", "qoffset_x", "qoffset_y", "qoffset_z"];
        let mut parts = [0.0; 6];
        for (i, part) in parts.iter_mut().enumerate() {
            *part = self.finite(names[i], self.layout.quatern, i)?;
        }
        Ok(parts)
    }

    /// Returns the dims, the frames if there is an axis of time, and the number of parts of vectors.
    fn dims(&self) -> Result<(Dims, Option<usize>, usize), FormatError> {
        let dim = |axis: usize| {
            let at = self.layout.dim;
            if self.wide { self.bits(at + 8 * axis, 8) as i64 } else { self.code(at + 2 * axis, false) }
        };
        let axes = dim(0);
        if !(1..=7).contains(&axes) {
            return Err(number("dim[0]", axes));
        }
        let mut sides = [1; 5];
        for axis in 1..=axes as usize {
            let field = format!("dim[{axis}]");
            let value = dim(axis);
            match (value, sides.get_mut(axis - 1)) {
                (1.., Some(side)) => *side = usize::try_from(value).map_err(|_| number(&field, value))?,
                (1, None) => {}
                (2.., None) => return Err(NiftiFeature::Axis { axis, size: value }.into()),
                _ => return Err(number(&field, value)),
            }
        }
        let [x, y, z, frames, parts] = sides;
        // A vector without time has an axis of one frame before its own axis.
        let has_time = axes >= 4 && (parts == 1 || frames > 1);
        Ok((Dims::new(x, y, z), has_time.then_some(frames), parts))
    }

    /// Returns the type of the numbers, and the number of channels.
    fn voxel_type(&self) -> Result<(VoxelType, usize), FormatError> {
        let code = self.code(self.layout.datatype, false);
        let mut all = VoxelType::ALL.iter().copied().flat_map(|t| [1, 3, 4].map(|channels| (t, channels)));
        let Some((found, channels)) = all.find(|&(t, n)| datatype(t, n).map(i64::from) == Some(code)) else {
            let name = match code {
                1 => "1 bit",
                32 => "complex of 2 f32",
                1536 => "f128",
                1792 => "complex of 2 f64",
                2048 => "complex of 2 f128",
                _ => return Err(number("datatype", code)),
            };
            return Err(NiftiFeature::Datatype { code, name }.into());
        };
        let bitpix = self.code(self.layout.bitpix, false);
        if bitpix != i64::from(found.bit_count()) * channels as i64 {
            let field = match channels {
                1 => format!("bitpix, of voxels that are {found},"),
                count => format!("bitpix, of voxels that are {count} {found},"),
            };
            return Err(number(&field, bitpix));
        }
        Ok((found, channels))
    }

    /// Returns the number of bytes before the voxels.
    fn vox_offset(&self, attached: bool) -> Result<u64, FormatError> {
        let at = self.layout.vox_offset;
        // Four bytes follow the header; they state whether there are extensions.
        let least = if attached { self.layout.header_bytes as i64 + 4 } else { 0 };
        let offset = if self.wide {
            self.bits(at, 8) as i64
        } else {
            let value = f64::from(f32::from_bits(self.bits(at, 4) as u32));
            if !value.is_finite() || value.fract() != 0.0 || value.abs() > (1u64 << 53) as f64 {
                return Err(number("vox_offset", value));
            }
            value as i64
        };
        if offset < least {
            return Err(number("vox_offset", offset));
        }
        Ok(offset as u64)
    }

    /// Adds to `kept` all non-default fields that the volume's header has no place for.
    fn keep(&self, kept: &mut Kept, units: u64, qform_code: i64, sform_code: i64) -> Result<(), FormatError> {
        let layout = self.layout;
        let slope = self.float(layout.scl_slope, 0);
        // 0 means no scaling in the standard. Programs also write NaN for it.
        if slope != 0.0 && !slope.is_nan() {
            let slope = self.finite("scl_slope", layout.scl_slope, 0)?;
            let inter = self.finite("scl_inter", layout.scl_inter, 0)?;
            if (slope, inter) != (1.0, 0.0) {
                kept.insert("scl_slope".to_owned(), slope.into());
                kept.insert("scl_inter".to_owned(), inter.into());
            }
        }
        for (name, at) in [("cal_max", layout.cal_max), ("cal_min", layout.cal_min)] {
            let value = self.float(at, 0);
            if value != 0.0 && value.is_finite() {
                kept.insert(name.to_owned(), value.into());
            }
        }
        kept.insert("xyzt_units".to_owned(), units.into());
        kept.insert("qform_code".to_owned(), qform_code.into());
        kept.insert("sform_code".to_owned(), sform_code.into());
        let intent = self.code(layout.intent_code, self.wide);
        if intent != 0 {
            kept.insert("intent_code".to_owned(), intent.into());
        }
        for field in &KEPT {
            let (at, index) = ((field.at)(layout), field.index);
            match field.width {
                Width::Float => {
                    let value = self.float(at, index);
                    if value != 0.0 && value.is_finite() {
                        kept.insert(field.name.to_owned(), value.into());
                    }
                }
                Width::Byte | Width::Code | Width::Count => {
                    let value = match (field.width, self.wide) {
                        (Width::Count, true) => self.bits(at, 8) as i64,
                        (Width::Count, false) => self.code(at, false),
                        (Width::Code, true) => self.code(at, true),
                        _ => i64::from(self.bytes[at]),
                    };
                    if value != 0 {
                        kept.insert(field.name.to_owned(), value.into());
                    }
                }
            }
        }
        for (name, at, most) in [
            ("intent_name", layout.intent_name, INTENT_BYTES),
            ("descrip", layout.descrip, DESCRIP_BYTES),
            ("aux_file", layout.aux_file, AUX_FILE_BYTES),
        ] {
            let text = self.text(at, most);
            if !text.is_empty() {
                kept.insert(name.to_owned(), text.into());
            }
        }
        Ok(())
    }
}

fn number(field: &str, value: impl std::fmt::Display) -> FormatError {
    FormatError::Number { field: field.to_owned(), value: short(&value.to_string()) }
}
