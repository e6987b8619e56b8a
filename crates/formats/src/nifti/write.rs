//! Writes headers.

use super::{
    AUX_FILE_BYTES, DESCRIP_BYTES, INTENT_BYTES, Layout, NIFTI1, NIFTI2, SECONDS, TIME_UNITS, datatype,
    extensions, is_vector,
    kept::{KEPT, Width},
    millimetres, per_second, pose,
};
use crate::header::format_header::frame_step;
use brickwork_volume::{Header, Rescale, Spacing, VolumeWriteError};
use serde_json::Value;
use std::io::Write;

/// Code of an sform whose source is not a NIfTI file: a scanner's coordinates.
const SCANNER: i64 = 1;

/// Intent of vectors whose source states none.
const VECTOR: i64 = 1007;

/// The unit of length millimetre.
const MILLIMETRES: u64 = 2;

/// Writes the header of a .nii file. Raw little-endian voxels must follow, those of
/// [vectors](super::is_vector) channel by channel. Fields that [`read_header`](super::read_header) kept in
/// the metadata are written again.
///
/// # Errors
/// [`VolumeWriteError::Shape`], and errors of `sink`.
pub fn write_header(header: &Header, sink: &mut dyn Write) -> Result<(), VolumeWriteError> {
    header.raw_bytes()?;
    let parts = if is_vector(header.voxel_type, header.channels) { header.channels } else { 1 };
    let colors = header.channels / parts;
    let datatype = datatype(header.voxel_type, colors).unwrap_or(0);
    let metadata: Value = serde_json::from_str(&header.metadata).unwrap_or_default();
    let kept = &metadata["nifti"];
    let (time, mut units) = time(header, kept);
    units |= kept["xyzt_units"].as_u64().map_or(MILLIMETRES, |units| units & 7);
    let unit = millimetres(units);
    let rows = pose::rows(header, unit);
    let Spacing { x, y, z } = header.spacing;
    let mut pixdim = [1.0, x / unit, y / unit, z / unit, time.unwrap_or(0.0)];
    // The qform has its own distances, which may contradict those of the sform.
    let qform = pose::Qform::moved(kept, &rows);
    if let Some(qform) = &qform {
        pixdim[..4].copy_from_slice(&qform.pixdim);
    }
    let axes = match (parts, time) {
        (2.., _) => 5,
        (_, Some(_)) => 4,
        (_, None) => 3,
    };
    let sides = [header.dims.x, header.dims.y, header.dims.z, header.frames];
    let float = |name: &str, otherwise: f64| kept[name].as_f64().unwrap_or(otherwise);
    let rescale = header.rescaling().and_then(|rescaling| rescaling.uniform()).unwrap_or(Rescale::IDENTITY);
    let scaling = [rescale.slope, rescale.intercept];

    // True if a float of 32 bits can hold the value: not infinite, and zero only for zero.
    let fits = |&value: &f64| (value as f32).is_finite() && (value as f32 != 0.0 || value == 0.0);
    let narrow = sides.iter().all(|&side| i16::try_from(side).is_ok())
        && pixdim.iter().chain(&scaling).chain(rows.as_flattened()).all(fits);
    let layout = if narrow { &NIFTI1 } else { &NIFTI2 };
    let mut out = Out { bytes: vec![0; layout.header_bytes + 4], wide: !narrow };

    out.put(0, &(layout.header_bytes as u32).to_le_bytes());
    out.put(layout.magic, if narrow { b"n+1\0" } else { b"n+2\0\r\n\x1a\n" });
    out.put(layout.datatype, &datatype.to_le_bytes());
    let bits = header.voxel_type.bit_count() as usize * colors;
    out.put(layout.bitpix, &(bits as i16).to_le_bytes());
    let [x, y, z, frames] = sides;
    for (axis, side) in [axes, x, y, z, frames, parts, 1, 1].into_iter().enumerate() {
        if narrow {
            out.put(layout.dim + 2 * axis, &(side as i16).to_le_bytes());
        } else {
            out.put(layout.dim + 8 * axis, &(side as i64).to_le_bytes());
        }
    }
    out.floats(layout.pixdim, &pixdim);
    let extensions = extensions::bytes(&kept["extensions"]);
    let vox_offset = layout.header_bytes + 4 + extensions.len();
    out.bytes[layout.header_bytes] = u8::from(!extensions.is_empty());
    if narrow {
        out.floats(layout.vox_offset, &[vox_offset as f64]);
        out.put(layout.xyzt_units, &[units as u8]);
    } else {
        out.put(layout.vox_offset, &(vox_offset as i64).to_le_bytes());
        out.put(layout.xyzt_units, &(units as u32).to_le_bytes());
    }
    out.floats(layout.scl_slope, &scaling[..1]);
    out.floats(layout.scl_inter, &scaling[1..]);
    out.floats(layout.cal_max, &[float("cal_max", 0.0)]);
    out.floats(layout.cal_min, &[float("cal_min", 0.0)]);
    let intent = match kept["intent_code"].as_i64() {
        // A vector that is written as a colour loses its intent: some readers cannot handle both.
        Some(VECTOR) if parts == 1 => 0,
        Some(intent) => intent,
        None if parts > 1 => VECTOR,
        None => 0,
    };
    out.code(layout.intent_code, intent);
    out.text(layout.intent_name, &kept["intent_name"], INTENT_BYTES);
    out.text(layout.descrip, &kept["descrip"], DESCRIP_BYTES);
    out.text(layout.aux_file, &kept["aux_file"], AUX_FILE_BYTES);
    out.numbers(layout, kept, header.dims.x.max(header.dims.y).max(header.dims.z));
    out.pose(layout, header, kept, &rows);
    if let Some(qform) = qform {
        out.code(layout.qform_code, qform.code);
        out.floats(layout.quatern, &qform.parts);
    }
    sink.write_all(&out.bytes)?;
    sink.write_all(&extensions)?;
    Ok(())
}

/// Returns `pixdim[4]` if there is an axis of time, and the bits of `xyzt_units` for its unit, which is that
/// of the source.
fn time(header: &Header, kept: &Value) -> (Option<f64>, u64) {
    let units = kept["xyzt_units"].as_u64().unwrap_or(0) & TIME_UNITS;
    let Some(step) = frame_step(header) else {
        let is_other = units == 0 || per_second(units).is_none();
        let other = kept["pixdim[4]"].as_f64().filter(|_| is_other);
        let has_time = header.frames > 1 || other.is_some();
        return (has_time.then_some(other.unwrap_or(0.0)), units);
    };
    match per_second(units) {
        Some(per_second) if units != 0 => (Some(step * per_second), units),
        _ => (Some(step), SECONDS),
    }
}

struct Out {
    bytes: Vec<u8>,
    /// True for NIfTI-2.
    wide: bool,
}

impl Out {
    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn floats(&mut self, at: usize, values: &[f64]) {
        for (i, value) in values.iter().enumerate() {
            if self.wide {
                self.put(at + 8 * i, &value.to_le_bytes());
            } else {
                self.put(at + 4 * i, &(*value as f32).to_le_bytes());
            }
        }
    }

    /// Writes a code. A code that does not fit becomes 0, which means none.
    fn code(&mut self, at: usize, code: i64) {
        let code = i16::try_from(code).unwrap_or(0);
        if self.wide {
            self.put(at, &i32::from(code).to_le_bytes());
        } else {
            self.put(at, &code.to_le_bytes());
        }
    }

    /// Writes text with a zero at the end, cut if it does not fit.
    fn text(&mut self, at: usize, text: &Value, most: usize) {
        let text = text.as_str().unwrap_or_default();
        let end = (0..most).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        self.put(at, &text.as_bytes()[..end.min(text.len())]);
    }

    /// Writes the fields of [`KEPT`]. The timing of slices is left out if it names slices beyond `longest`.
    fn numbers(&mut self, layout: &Layout, kept: &Value, longest: usize) {
        let is_cut = kept["slice_end"].as_u64().is_some_and(|end| end >= longest as u64);
        for field in KEPT.iter().filter(|field| !(is_cut && field.name.starts_with("slice_"))) {
            let (at, value) = ((field.at)(layout), &kept[field.name]);
            let number = value.as_i64().unwrap_or(0);
            match (field.width, self.wide) {
                (Width::Float, wide) => {
                    let at = at + field.index * if wide { 8 } else { 4 };
                    self.floats(at, &[value.as_f64().unwrap_or(0.0)]);
                }
                (Width::Count, true) => self.put(at, &number.to_le_bytes()),
                (Width::Count, false) | (Width::Code, true) => self.code(at, number),
                (Width::Byte, _) | (Width::Code, false) => {
                    self.put(at, &[u8::try_from(number).unwrap_or(0)]);
                }
            }
        }
    }

    /// Writes the sform, with the code of the source's form. Writes none if the source had none and the
    /// volume did not move since.
    fn pose(&mut self, layout: &Layout, header: &Header, kept: &Value, rows: &pose::Rows) {
        let code = |name: &str| kept[name].as_i64();
        let default = Header::new(header.voxel_type, header.dims);
        let unmoved = header.origin == default.origin && header.orientation == default.orientation;
        let code = match (code("sform_code"), code("qform_code")) {
            (Some(code @ 1..), _) | (_, Some(code @ 1..)) => code,
            (Some(_), Some(_)) if unmoved => return,
            _ => SCANNER,
        };
        self.code(layout.sform_code, code);
        self.floats(layout.srow, rows.as_flattened());
    }
}
