//! Writes headers and voxels: MRC2014, little-endian.

use super::{
    HEADER_BYTES, IMOD_STAMP, LABEL_BYTES, NEGATIVE_RMS, PER_MILLIMETRE, SIGNED_BYTES, STANDARD_ORIGIN,
    VERSION, at, statistics::Statistics,
};
use crate::{UnwritableFeature, WriteError};
use brickwork_volume::{
    ByteOrder, Dims, Header, Progress, ShapeError, Task, VolumeWriteError, VoxelStream, VoxelStreamError,
    VoxelType, copy_voxels,
};
use serde_json::{Map, Value};
use std::io::{self, Seek as _, SeekFrom, Write};

/// Largest distance of the origin from a multiple of the spacing, in voxels, that counts as one.
const WHOLE: f64 = 1e-3;

/// Largest first index that is written.
const MAX_START: f64 = 1e6;

/// Minimum, maximum, mean and deviation that were not determined.
const NOT_DETERMINED: [f64; 4] = [0.0, -1.0, -2.0, -1.0];

/// Writes a volume. Voxels that can be read again are read twice: for the header's DMIN, DMAX, DMEAN and RMS,
/// and to write them. Those of a pipe are read once, and the header states that these are not determined.
///
/// # Errors
/// [`WriteError::Unsupported`] for types that MRC lacks, and several channels. Errors of the voxels and of
/// `sink`.
pub fn write_map(
    mut voxels: VoxelStream,
    order: ByteOrder,
    header: &Header,
    sink: &mut dyn Write,
    task: &Task<'_>,
) -> Result<(), WriteError> {
    let &Header { voxel_type, channels, .. } = header;
    let statistics = Statistics::of(voxel_type).filter(|_| channels == 1);
    let Some(mut statistics) = statistics else {
        let what = UnwritableFeature::Voxels { voxel_type, channels };
        return Err(WriteError::Unsupported { format: "MRC", what, instead: "NRRD and MetaImage do" });
    };
    let half = |Progress { stage, done, total, .. }: Progress| task.report(stage, done / 2, total);
    let other_half = |Progress { stage, done, total, .. }: Progress| {
        task.report(stage, total / 2 + done.div_ceil(2), total);
    };
    let second = task.with_progress(&other_half);
    let mut task = task;
    let mut numbers = NOT_DETERMINED;
    if let VoxelStream::Rewindable(file) = &mut voxels {
        let start = file.stream_position().map_err(VoxelStreamError::from)?;
        copy_voxels(&mut *file, order, header, &mut statistics, &task.with_progress(&half))?;
        file.seek(SeekFrom::Start(start)).map_err(VoxelStreamError::from)?;
        numbers = statistics.result().unwrap_or(NOT_DETERMINED);
        task = &second;
    }
    sink.write_all(&bytes(header, numbers)?)?;
    if voxel_type == VoxelType::U8 {
        return Ok(copy_voxels(voxels, order, header, WideBytes { sink, wide: Vec::new() }, task)?);
    }
    Ok(copy_voxels(voxels, order, header, sink, task)?)
}

/// Returns the header's bytes.
fn bytes(
    header: &Header,
    [min, max, mean, deviation]: [f64; 4],
) -> Result<[u8; HEADER_BYTES], VolumeWriteError> {
    header.raw_bytes()?;
    let Dims { x, y, z } = header.dims;
    let frames = header.frames;
    let integer = |number: usize| i32::try_from(number).map_err(|_| ShapeError::TooLarge(header.dims));
    let [columns, rows, depth] = [integer(x)?, integer(y)?, integer(z)?];
    let sections = integer(z.checked_mul(frames).ok_or(ShapeError::TooLarge(header.dims))?)?;
    let metadata: Value = serde_json::from_str(&header.metadata).unwrap_or_default();
    let kept = &metadata["mrc"];
    let group = match (z, frames) {
        (1, _) => 0,
        (_, 1) => kept["ISPG"].as_i64().filter(|group| (2..=230).contains(group)).unwrap_or(1) as i32,
        _ => 401,
    };
    let mode = match header.voxel_type {
        VoxelType::I8 => 0,
        VoxelType::I16 => 1,
        VoxelType::F32 => 2,
        VoxelType::F16 => 12,
        _ => 6,
    };
    let mut bytes = [0; HEADER_BYTES];
    let mut put = |at: usize, word: [u8; 4]| bytes[at..at + 4].copy_from_slice(&word);
    let spacing = [header.spacing.x, header.spacing.y, header.spacing.z];
    for axis in 0..3 {
        let grid = [columns, rows, depth][axis];
        put(at::SIZES + 4 * axis, [columns, rows, sections][axis].to_le_bytes());
        put(at::GRID + 4 * axis, grid.to_le_bytes());
        put(at::CELL + 4 * axis, float(spacing[axis] * PER_MILLIMETRE * f64::from(grid)));
        put(at::ANGLES + 4 * axis, float(angles(header)[axis]));
        put(at::AXES + 4 * axis, (axis as i32 + 1).to_le_bytes());
        put(at::STARTS + 4 * axis, starts(header, spacing)[axis].to_le_bytes());
        put(at::ORIGIN + 4 * axis, float(header.origin[axis] * PER_MILLIMETRE));
    }
    let flags = SIGNED_BYTES | STANDARD_ORIGIN | NEGATIVE_RMS;
    for (at, number) in [
        (at::MODE, mode),
        (at::SPACE_GROUP, group),
        (at::VERSION, VERSION),
        (at::IMOD_STAMP, IMOD_STAMP),
        (at::IMOD_FLAGS, flags),
    ] {
        put(at, number.to_le_bytes());
    }
    for (at, number) in [(at::MIN, min), (at::MAX, max), (at::MEAN, mean), (at::RMS, deviation)] {
        put(at, float(number));
    }
    put(at::MAP, *b"MAP ");
    put(at::MACHINE_STAMP, [0x44, 0x44, 0, 0]);
    let labels: Vec<&str> = labels(kept).collect();
    put(at::LABEL_COUNT, (labels.len().min(LABELS) as i32).to_le_bytes());
    let places = bytes[at::LABELS..].chunks_exact_mut(LABEL_BYTES);
    for (place, label) in places.zip(labels) {
        place.fill(b' ');
        // The format's labels are ASCII.
        let letters = label.chars().map(|letter| if letter.is_ascii() { letter as u8 } else { b'?' });
        place.iter_mut().zip(letters).for_each(|(place, letter)| *place = letter);
    }
    Ok(bytes)
}

/// Most labels of a file.
const LABELS: usize = 10;

fn labels(kept: &Value) -> impl Iterator<Item = &str> {
    kept["labels"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// True if a file cannot hold the labels as they are.
pub fn cuts_labels(kept: &Value) -> bool {
    labels(kept).count() > LABELS || labels(kept).any(|label| label.len() > LABEL_BYTES || !label.is_ascii())
}

/// Returns the bytes of a number, or of 0 if it has no place in a float.
fn float(number: f64) -> [u8; 4] {
    let float = number as f32;
    if float.is_finite() { float } else { 0.0 }.to_le_bytes()
}

/// True if the directions are those of a cell: x along the first axis, y in the plane of the first two.
pub fn stores_directions(header: &Header) -> bool {
    let [a, b, c, _, e, f, _, _, i] = header.orientation;
    [a, b, c, f] == [1.0, 0.0, 0.0, 0.0] && e > 0.0 && i > 0.0
}

/// Returns the angles of the cell: right ones if its directions are not stored.
fn angles(header: &Header) -> [f64; 3] {
    if !stores_directions(header) {
        return [90.0; 3];
    }
    let [.., d, e, _, g, h, _] = header.orientation;
    [d * g + e * h, g, d].map(|cosine| if cosine == 0.0 { 90.0 } else { cosine.acos().to_degrees() })
}

/// Returns the indices of the first voxel, for programs that read these in place of ORIGIN, if the axes are
/// those of the world and the origin is at a voxel.
fn starts(header: &Header, spacing: [f64; 3]) -> [i32; 3] {
    let starts = [0, 1, 2].map(|axis| header.origin[axis] / spacing[axis]);
    let is_index = |start: &f64| start.abs() <= MAX_START && (start - start.round()).abs() <= WHOLE;
    let is_straight = header.orientation == [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    if is_straight && starts.iter().all(is_index) { starts.map(|start| start.round() as i32) } else { [0; 3] }
}

/// Returns the names of the kept fields that only MRC has.
pub fn kept_names(kept: &Map<String, Value>) -> Vec<String> {
    ["labels", "ISPG"].into_iter().filter(|name| kept.contains_key(*name)).map(str::to_owned).collect()
}

/// Writer that makes each byte a u16.
struct WideBytes<'a> {
    sink: &'a mut dyn Write,
    wide: Vec<u8>,
}

impl Write for WideBytes<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wide.clear();
        self.wide.extend(bytes.iter().flat_map(|&byte| [byte, 0]));
        self.sink.write_all(&self.wide)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}
