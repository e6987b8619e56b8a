//! Arrays of NumPy (`.npy`): a header of text, then numbers.
//! <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>
//!
//! The axes of `shape` are z, y and x, in C order and in Fortran order: `numpy.load` yields equal arrays for
//! both. With four axes, the first is frames, unless the last has at most four numbers, which are channels.
//! Five axes are frames, z, y, x and channels. [`VolumeOpenOptions::axes`](crate::VolumeOpenOptions::axes)
//! names others. In Fortran order, the numbers of the first axis are side by side in the file.

use crate::{
    Axis, AxisOrder, FormatError, FormatHeader, Note, NpyFeature, NumbersNote, StorageOrder, VoxelEncoding,
    VoxelLocation, axis_order::MAX_UNNAMED_CHANNELS, error::MAX_HEADER, header::header_text::short,
    opened::source::Source,
};
use brickwork_volume::{ByteOrder, Dims, Header, Task, VolumeWriteError, VoxelStream, VoxelType};
use std::io::{BufRead, Write};

/// First bytes of a file; two of the version follow.
pub const MAGIC: &[u8] = b"\x93NUMPY";

/// Alignment in bytes of the voxels of files of NumPy 1.14 and later.
const ALIGNMENT: usize = 64;

/// Reads a header, and leaves `source` at the voxels. `axes` are those of the array, if they are named.
///
/// # Errors
/// [`FormatError`].
pub fn read_header(source: &mut dyn BufRead, axes: Option<AxisOrder>) -> Result<FormatHeader, FormatError> {
    let mut start = [0; 8];
    source.read_exact(&mut start)?;
    if !start.starts_with(MAGIC) {
        return Err(FormatError::Other("NumPy"));
    }
    let length = match start[6] {
        1 => {
            let mut bytes = [0; 2];
            source.read_exact(&mut bytes)?;
            usize::from(u16::from_le_bytes(bytes))
        }
        2 | 3 => {
            let mut bytes = [0; 4];
            source.read_exact(&mut bytes)?;
            u32::from_le_bytes(bytes) as usize
        }
        version => return Err(NpyFeature::Version(version).into()),
    };
    if length > MAX_HEADER {
        return Err(FormatError::Long);
    }
    let mut text = vec![0; length];
    source.read_exact(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let descr = value(&text, "descr").ok_or(FormatError::Missing("descr"))?;
    let (voxel_type, order) = number_type(descr).ok_or_else(|| NpyFeature::Type(short(descr)))?;
    let is_fortran = match value(&text, "fortran_order") {
        Some("False") => false,
        Some("True") => true,
        Some(other) => return Err(number("fortran_order", other)),
        None => return Err(FormatError::Missing("fortran_order")),
    };
    let shape = value(&text, "shape").ok_or(FormatError::Missing("shape"))?;
    let sizes = sizes(shape)?;
    let axes_here = axes.or_else(|| AxisOrder::of_shape(&sizes));
    let axes_here = axes_here.ok_or_else(|| NpyFeature::Axes(short(shape)))?;
    if axes_here.axes().len() != sizes.len() {
        return Err(FormatError::AxisCount { order: axes_here, shape: short(shape) });
    }
    let side = |wanted| axes_here.axes().iter().position(|&axis| axis == wanted).map_or(1, |at| sizes[at]);
    let header = Header::new(voxel_type, Dims::new(side(Axis::X), side(Axis::Y), side(Axis::Z)));
    let header = header.with(|header| {
        header.channels = side(Axis::Channel);
        header.frames = side(Axis::Frame);
    });
    header.raw_bytes()?;
    let has_assumed_frames = axes.is_none() && sizes.len() == 4 && header.channels == 1 && sizes[3] > 1;
    let note = has_assumed_frames.then(|| Note::Numbers(NumbersNote::AssumedFrames { shape: short(shape) }));
    let stored = if is_fortran { axes_here.reversed() } else { axes_here };
    let storage_order = if stored.is_usual() { StorageOrder::FramesLast } else { StorageOrder::Axes(stored) };
    Ok(FormatHeader {
        header,
        order,
        voxels: VoxelLocation::Attached,
        encoding: VoxelEncoding::Raw,
        skipped_lines: 0,
        storage_order,
        notes: note.into_iter().collect(),
    })
}

/// Returns the voxels of `header` from the current position of `voxels` on. Voxels of a pipe that are
/// reversed are first held in memory, up to `most` bytes.
///
/// # Errors
/// [`FormatError`] from the pipe.
pub fn rewindable(
    voxels: VoxelStream,
    header: &FormatHeader,
    most: Option<u64>,
    task: &Task<'_>,
) -> Result<VoxelStream, FormatError> {
    match (header.storage_order, voxels) {
        (StorageOrder::Axes(_), VoxelStream::Once(mut pipe)) => {
            let source = Source::of_stream(&mut pipe, most, task)?;
            Ok(VoxelStream::Rewindable(Box::new(source.open()?)))
        }
        (_, voxels) => Ok(voxels),
    }
}

/// Writes a header of version 1. Little-endian voxels must follow. The axes are z, y and x, with frames
/// before them and channels after them if there are several. Frames with at most four voxels in a row also
/// have an axis of one channel, and more than four channels an axis of one frame: readers take the last of
/// four axes for channels if it is that short, else the first for frames. Spacing,
/// origin and directions have no place.
///
/// # Errors
/// [`VolumeWriteError::Shape`], and errors of `sink`.
pub fn write_header(header: &Header, sink: &mut dyn Write) -> Result<(), VolumeWriteError> {
    header.raw_bytes()?;
    let Dims { x, y, z } = header.dims;
    let has_frames = header.frames > 1 || header.channels > MAX_UNNAMED_CHANNELS;
    let frames = has_frames.then_some(header.frames);
    let has_channels = header.channels > 1 || header.frames > 1 && x <= MAX_UNNAMED_CHANNELS;
    let channels = has_channels.then_some(header.channels);
    let sizes = frames.into_iter().chain([z, y, x]).chain(channels);
    let shape = sizes.map(|size| size.to_string()).collect::<Vec<_>>().join(", ");
    let descr = type_name(header.voxel_type);
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    // The magic number, the version, the length, and the end of the line take 11 bytes.
    let end = (MAGIC.len() + 5 + text.len()).next_multiple_of(ALIGNMENT);
    text.extend(std::iter::repeat_n(' ', end - (MAGIC.len() + 5 + text.len())));
    text.push('\n');
    sink.write_all(MAGIC)?;
    sink.write_all(&[1, 0])?;
    sink.write_all(&(text.len() as u16).to_le_bytes())?;
    sink.write_all(text.as_bytes())?;
    Ok(())
}

/// Returns NumPy's name of a type, little-endian.
const fn type_name(voxel_type: VoxelType) -> &'static str {
    match voxel_type {
        VoxelType::U8 => "|u1",
        VoxelType::I8 => "|i1",
        VoxelType::U16 => "<u2",
        VoxelType::I16 => "<i2",
        VoxelType::U32 => "<u4",
        VoxelType::I32 => "<i4",
        VoxelType::F32 => "<f4",
        VoxelType::U64 => "<u8",
        VoxelType::I64 => "<i8",
        VoxelType::F64 => "<f8",
        VoxelType::F16 => "<f2",
    }
}

/// Returns the text of a value in Python's literal of a dictionary: that of a tuple without its brackets, of
/// a string without its quotes.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let after = ['\'', '"'].iter().find_map(|quote| {
        let (_, after) = text.split_once(&format!("{quote}{key}{quote}"))?;
        after.trim_start().strip_prefix(':')
    })?;
    let after = after.trim_start();
    for (open, close) in [('(', ')'), ('\'', '\''), ('"', '"')] {
        if let Some(inner) = after.strip_prefix(open) {
            return inner.split_once(close).map(|(inner, _)| inner);
        }
    }
    // A list is the type of a structured array.
    let end = if after.starts_with('[') { ']' } else { ',' };
    Some(after.split([end, '}']).next()?.trim())
}

/// Returns the type that `descr` names, such as `<u2`.
fn number_type(descr: &str) -> Option<(VoxelType, ByteOrder)> {
    let (order, name) = match descr.split_at_checked(1)? {
        ("<" | "|", name) => (ByteOrder::Little, name),
        (">", name) => (ByteOrder::Big, name),
        ("=", name) => (ByteOrder::NATIVE, name),
        _ => return None,
    };
    // Booleans are bytes.
    Some((VoxelType::of_numpy_code(if name == "b1" { "u1" } else { name })?, order))
}

/// Returns the sizes of the axes, the slowest first.
fn sizes(shape: &str) -> Result<Vec<usize>, FormatError> {
    let parts = shape.split(',').map(str::trim).filter(|part| !part.is_empty());
    let sizes: Option<Vec<usize>> = parts.map(|part| part.trim_end_matches('L').parse().ok()).collect();
    sizes.filter(|sizes| !sizes.contains(&0)).ok_or_else(|| number("shape", shape))
}

fn number(field: &str, value: &str) -> FormatError {
    FormatError::Number { field: field.to_owned(), value: short(value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::ErrorKind;

    fn file(text: &str, version: u8) -> Vec<u8> {
        let length = (text.len() as u32).to_le_bytes();
        let length = if version == 1 { &length[..2] } else { &length[..] };
        [MAGIC, &[version, 0], length, text.as_bytes(), b"voxels"].concat()
    }

    #[test]
    fn shapes_and_types_are_read() {
        let dims = Dims::new;
        for (descr, fortran, shape, want) in [
            ("<u2", "False", "(5, 6, 7)", (VoxelType::U16, ByteOrder::Little, dims(7, 6, 5), 1, 1)),
            (">f4", "False", "(6, 7)", (VoxelType::F32, ByteOrder::Big, dims(7, 6, 1), 1, 1)),
            ("|u1", "False", "(5, 6, 7, 3)", (VoxelType::U8, ByteOrder::Little, dims(7, 6, 5), 3, 1)),
            ("|b1", "False", "(9, 5, 6, 7)", (VoxelType::U8, ByteOrder::Little, dims(7, 6, 5), 1, 9)),
            ("<i8", "False", "(9,5,6,7,2)", (VoxelType::I64, ByteOrder::Little, dims(7, 6, 5), 2, 9)),
            ("<f8", "True", "(9, 5, 6, 7)", (VoxelType::F64, ByteOrder::Little, dims(7, 6, 5), 1, 9)),
            ("<f8", "True", "(5, 6, 7, 2)", (VoxelType::F64, ByteOrder::Little, dims(7, 6, 5), 2, 1)),
        ] {
            for version in [1, 2, 3] {
                let text =
                    format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
                let file = file(&text, version);
                let mut rest = file.as_slice();
                let found = read_header(&mut rest, None).expect(&text);
                let header = found.header;
                let have = (header.voxel_type, found.order, header.dims, header.channels, header.frames);
                assert_eq!(have, want, "{text}");
                assert_eq!(found.storage_order != StorageOrder::FramesLast, fortran == "True");
                assert_eq!(rest, b"voxels");
            }
        }
    }

    #[test]
    fn headers_that_are_written_are_read() {
        for &voxel_type in VoxelType::ALL {
            for (dims, channels, frames) in [
                (Dims::new(7, 6, 5), 1, 1),
                (Dims::new(3, 6, 1), 1, 1),
                (Dims::new(3, 6, 5), 1, 9),
                (Dims::new(7, 6, 5), 1, 9),
                (Dims::new(2, 1, 1), 4, 1),
                (Dims::new(7, 6, 5), 2, 9),
                (Dims::new(7, 6, 5), 30, 1),
                (Dims::new(3, 6, 5), 30, 9),
            ] {
                let header = Header::new(voxel_type, dims).with(|header| {
                    header.channels = channels;
                    header.frames = frames;
                });
                let mut bytes = Vec::new();
                write_header(&header, &mut bytes).expect("memory");
                assert_eq!(bytes.len() % ALIGNMENT, 0);
                let mut rest = bytes.as_slice();
                let found = read_header(&mut rest, None).expect("our own header");
                assert_eq!((found.header, found.order, rest), (header, ByteOrder::Little, &[][..]));
            }
        }
    }

    /// The bytes are those of `numpy.save`.
    #[test]
    fn headers_are_those_of_numpy() {
        let header = Header::new(VoxelType::F64, Dims::new(6, 5, 4)).with(|header| header.channels = 2);
        let mut bytes = Vec::new();
        write_header(&header, &mut bytes).expect("memory");
        let text = "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 5, 6, 2), }";
        assert_eq!(bytes, [MAGIC, b"\x01\0v\0", format!("{text:117}\n").as_bytes()].concat());
    }

    #[test]
    fn other_arrays_are_refused() {
        for (text, kind, reason) in [
            ("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 2), }", ErrorKind::Unsupported, "<c8"),
            (
                "{'descr': [('a', '<u2')], 'fortran_order': False, 'shape': (2, 2), }",
                ErrorKind::Unsupported,
                "[('a', '<u2')",
            ),
            ("{'descr': '<u2', 'fortran_order': False, 'shape': (7,), }", ErrorKind::Unsupported, "(7,)"),
            ("{'descr': '<u2', 'fortran_order': False, 'shape': (0, 2, 2), }", ErrorKind::Invalid, "0, 2, 2"),
            ("{'descr': '<u2', 'fortran_order': Maybe, 'shape': (2, 2), }", ErrorKind::Invalid, "Maybe"),
            ("{'descr': '<u2', 'shape': (2, 2), }", ErrorKind::Invalid, "fortran_order"),
        ] {
            let error = read_header(&mut file(text, 1).as_slice(), None).expect_err(text);
            assert_eq!(error.kind(), kind, "{error}");
            assert!(error.to_string().contains(reason), "{error}");
        }
        let error = read_header(&mut file("", 4).as_slice(), None).expect_err("a version");
        assert!(error.to_string().contains("version 4"), "{error}");
    }
}
