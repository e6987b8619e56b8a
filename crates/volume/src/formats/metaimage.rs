//! MetaImage: `Key = value` lines up to `ElementDataFile`, then voxels (.mha) or the name of their file
//! (.mhd).
//!
//! <https://itk.org/Wiki/ITK/MetaIO/Documentation>. Voxels of 1 to 4 channels, three axes of space, and a
//! fourth of time, in seconds; raw, as text (only read), or compressed by zlib, whose stream tells where it
//! ends.

use super::{
    FormatError, FormatHeader, VoxelEncoding, VoxelLocation,
    format_header::frame_step,
    header_text::{line, short},
};
use crate::{ByteOrder, Dims, Header, Rescale, Spacing, VolumeWriteError, VoxelType};
use std::io::{BufRead, Write};

/// Reads a header, and leaves `source` at the voxels where they follow it.
///
/// # Errors
/// [`FormatError`].
pub fn read_header(source: &mut dyn BufRead) -> Result<FormatHeader, FormatError> {
    let (mut read, mut number) = (0, 0);
    let mut fields = Fields { axis_count: 3, channels: 1, ..Fields::default() };
    while let Some(text) = line(source, &mut read)? {
        number += 1;
        let Some((key, value)) = text.split_once('=') else {
            return Err(FormatError::Other("MetaImage"));
        };
        if let Some(voxels) = fields.take(number, key.trim(), value.trim())? {
            let (order, is_packed, is_text) = (fields.order, fields.is_packed, fields.is_text);
            let header = fields.finish()?;
            let (order, encoding) = match (is_packed, is_text) {
                (false, false) => (order, VoxelEncoding::Raw),
                (true, false) => (order, VoxelEncoding::Zlib),
                // The order of the bytes that we make of text.
                (false, true) => (ByteOrder::Little, VoxelEncoding::Text(header.voxel_type)),
                (true, true) => return Err(FormatError::Unsupported("text that is compressed".to_owned())),
            };
            return Ok(FormatHeader { header, order, voxels, encoding, in_planes: false });
        }
    }
    Err(if number == 0 { FormatError::Other("MetaImage") } else { FormatError::Missing("ElementDataFile") })
}

/// A field that lists numbers, and the line it stands in.
type List<T> = Option<(usize, Vec<T>)>;

#[derive(Default)]
struct Fields {
    axis_count: usize,
    channels: usize,
    voxel_type: Option<VoxelType>,
    order: ByteOrder,
    sizes: List<usize>,
    spacing: List<f64>,
    origin: List<f64>,
    matrix: List<f64>,
    skip: u64,
    is_packed: bool,
    is_text: bool,
    others: serde_json::Map<String, serde_json::Value>,
}

impl Fields {
    /// Takes one field. After the last it says where the voxels are.
    fn take(&mut self, number: usize, key: &str, value: &str) -> Result<Option<VoxelLocation>, FormatError> {
        let bad = || FormatError::Value { line: number, field: short(key), text: short(value) };
        let unsupported = || FormatError::Unsupported(format!("{} = {}", short(key), short(value)));
        let list = || Some((number, numbers(value)?));
        match key {
            "ObjectType" if value != "Image" => return Err(unsupported()),
            "ObjectType" => {}
            "CompressedData" => self.is_packed = boolean(value).ok_or_else(bad)?,
            "BinaryData" => self.is_text = !boolean(value).ok_or_else(bad)?,
            // The stream says it, too.
            "CompressedDataSize" => drop(value.parse::<u64>().map_err(|_| bad())?),
            "NDims" => match value {
                "3" | "4" => self.axis_count = value.parse().map_err(|_| bad())?,
                _ => return Err(unsupported()),
            },
            "ElementNumberOfChannels" => match value {
                "1" | "2" | "3" | "4" => self.channels = value.parse().map_err(|_| bad())?,
                _ => return Err(unsupported()),
            },
            "BinaryDataByteOrderMSB" | "ElementByteOrderMSB" => {
                let big = boolean(value).ok_or_else(bad)?;
                self.order = if big { ByteOrder::Big } else { ByteOrder::Little };
            }
            "DimSize" => {
                let sides: Vec<usize> = numbers(value).ok_or_else(bad)?;
                let count = sides.iter().try_fold(1usize, |count, &side| count.checked_mul(side));
                if count.is_none_or(|count| count == 0) {
                    return Err(bad());
                }
                self.sizes = Some((number, sides));
            }
            "ElementType" => self.voxel_type = Some(voxel_type(value).ok_or_else(unsupported)?),
            "ElementSpacing" => self.spacing = Some(list().ok_or_else(bad)?),
            "Offset" | "Position" | "Origin" => self.origin = Some(list().ok_or_else(bad)?),
            "TransformMatrix" | "Rotation" | "Orientation" => self.matrix = Some(list().ok_or_else(bad)?),
            "HeaderSize" if value.starts_with('-') => return Err(unsupported()),
            "HeaderSize" => self.skip = value.parse().map_err(|_| bad())?,
            "ElementDataFile" => {
                if value.starts_with("LIST") || value.contains('%') {
                    return Err(unsupported());
                }
                // A line that ends too soon; voxels, taken for the end of a damaged one.
                if value.is_empty() || value.chars().any(char::is_control) {
                    return Err(bad());
                }
                return Ok(Some(match value {
                    "LOCAL" | "Local" | "local" => VoxelLocation::Attached,
                    name => VoxelLocation::Detached { name: name.to_owned(), skip: self.skip },
                }));
            }
            _ => {
                self.others.insert(key.to_owned(), value.into());
            }
        }
        Ok(None)
    }

    fn finish(self) -> Result<Header, FormatError> {
        let n = self.axis_count;
        let voxel_type = self.voxel_type.ok_or(FormatError::Missing("ElementType"))?;
        let sizes = of_length("DimSize", self.sizes, n)?.ok_or(FormatError::Missing("DimSize"))?;
        let mut header = Header::new(voxel_type, Dims::new(sizes[0], sizes[1], sizes[2]));
        header.channels = self.channels;
        header.frames = sizes.get(3).copied().unwrap_or(1);
        if let Some(spacing) = of_length("ElementSpacing", self.spacing, n)? {
            header.spacing = Spacing { x: spacing[0], y: spacing[1], z: spacing[2] };
            header.frame_spacing =
                spacing.get(3).map_or(0.0, |step| if step.is_finite() { step.abs() } else { 0.0 });
        }
        if let Some(origin) = of_length("Offset", self.origin, n)? {
            header.origin = [origin[0], origin[1], origin[2]];
        }
        if let Some(matrix) = of_length("TransformMatrix", self.matrix, n * n)? {
            for (row, direction) in matrix.chunks_exact(n).enumerate() {
                let (space, time) = direction.split_at(3);
                let crossed = if row == 3 { space } else { time };
                if crossed.iter().any(|&part| part != 0.0) {
                    let what = "a TransformMatrix that mixes space and time";
                    return Err(FormatError::Unsupported(what.to_owned()));
                }
                if row < 3 {
                    header.orientation[3 * row..][..3].copy_from_slice(space);
                }
            }
        }
        header.raw_bytes()?;
        if !self.others.is_empty() {
            header.metadata = serde_json::json!({ "metaimage": self.others }).to_string();
        }
        Ok(header)
    }
}

/// The numbers of a field, if they are `count`.
fn of_length<T: ToString>(field: &str, list: List<T>, count: usize) -> Result<Option<Vec<T>>, FormatError> {
    let Some((line, numbers)) = list else { return Ok(None) };
    if numbers.len() == count {
        return Ok(Some(numbers));
    }
    Err(FormatError::Value { line, field: field.to_owned(), text: short(&joined(&numbers)) })
}

/// `True` or `False`, as programs spell it: MetaIO looks at the first letter only.
fn boolean(value: &str) -> Option<bool> {
    match value.as_bytes().first()? {
        b'T' | b't' | b'1' => Some(true),
        b'F' | b'f' | b'0' => Some(false),
        _ => None,
    }
}

/// Numbers with white space between, not more than a matrix of four axes has.
fn numbers<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    let numbers: Option<Vec<T>> = text.split_whitespace().take(17).map(|n| n.parse().ok()).collect();
    numbers.filter(|numbers| numbers.len() <= 16)
}

fn joined<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

fn voxel_type(name: &str) -> Option<VoxelType> {
    VoxelType::ALL.iter().copied().find(|&t| type_name(t) == name)
}

const fn type_name(voxel_type: VoxelType) -> &'static str {
    match voxel_type {
        VoxelType::U8 => "MET_UCHAR",
        VoxelType::I8 => "MET_CHAR",
        VoxelType::U16 => "MET_USHORT",
        VoxelType::I16 => "MET_SHORT",
        VoxelType::U32 => "MET_UINT",
        VoxelType::I32 => "MET_INT",
        VoxelType::F32 => "MET_FLOAT",
        VoxelType::U64 => "MET_ULONG_LONG",
        VoxelType::I64 => "MET_LONG_LONG",
        VoxelType::F64 => "MET_DOUBLE",
    }
}

/// Writes the header of an .mha file, which little-endian voxels follow: `packed_bytes` of zlib, or raw ones.
/// Frames are a fourth axis; where the distance between them is not known, it is 1.
///
/// # Errors
/// [`VolumeWriteError::Shape`], or from `sink`.
pub fn write_header(
    header: &Header,
    packed_bytes: Option<u64>,
    sink: &mut dyn Write,
) -> Result<(), VolumeWriteError> {
    header.raw_bytes()?;
    let Dims { x, y, z } = header.dims;
    let mut sizes = vec![x, y, z];
    let mut spacing = vec![header.spacing.x, header.spacing.y, header.spacing.z];
    let mut origin = header.origin.to_vec();
    let mut matrix = header.orientation.to_vec();
    if header.frames > 1 || frame_step(header).is_some() {
        sizes.push(header.frames);
        spacing.push(frame_step(header).unwrap_or(1.0));
        origin.push(0.0);
        let [a, b, c, d, e, f, g, h, i] = header.orientation;
        matrix = vec![a, b, c, 0.0, d, e, f, 0.0, g, h, i, 0.0, 0.0, 0.0, 0.0, 1.0];
    }
    let packed = match packed_bytes {
        None => "False".to_owned(),
        Some(count) => format!("True\nCompressedDataSize = {count}"),
    };
    let channels = match header.channels {
        1 => String::new(),
        count => format!("ElementNumberOfChannels = {count}\n"),
    };
    let rescale = header.rescaling().and_then(|rescaling| rescaling.uniform());
    let rescale = rescale.map_or_else(String::new, |Rescale { slope, intercept }| {
        format!("ElementToIntensityFunctionSlope = {slope}\nElementToIntensityFunctionOffset = {intercept}\n")
    });
    write!(
        sink,
        "ObjectType = Image\nNDims = {}\nBinaryData = True\nBinaryDataByteOrderMSB = False\n\
         CompressedData = {packed}\nTransformMatrix = {}\nOffset = {}\nElementSpacing = {}\n\
         DimSize = {}\n{channels}{rescale}ElementType = {}\nElementDataFile = LOCAL\n",
        sizes.len(),
        joined(&matrix),
        joined(&origin),
        joined(&spacing),
        joined(&sizes),
        type_name(header.voxel_type),
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{
        super::format_header::tests::{posed, read_back},
        *,
    };

    fn sample() -> Header {
        posed(VoxelType::F32, Dims::new(3, 4, 5))
    }

    #[test]
    fn what_is_written_is_read() {
        for &voxel_type in VoxelType::ALL {
            for channels in 1..=4 {
                for (frames, frame_spacing) in [(1, 0.0), (1, 0.5), (7, 0.25)] {
                    let header = Header { voxel_type, channels, frames, frame_spacing, ..sample() };
                    for (packed, encoding) in [(None, VoxelEncoding::Raw), (Some(6), VoxelEncoding::Zlib)] {
                        let write =
                            |header: &Header, sink: &mut dyn Write| write_header(header, packed, sink);
                        let source = read_back(&header, write, read_header);
                        let (header, order) = (header.clone(), ByteOrder::Little);
                        let voxels = VoxelLocation::Attached;
                        assert_eq!(
                            source,
                            FormatHeader { header, order, voxels, encoding, in_planes: false }
                        );
                    }
                }
            }
        }
        let none = Header { frames: 0, ..sample() };
        assert!(matches!(write_header(&none, None, &mut Vec::new()), Err(VolumeWriteError::Shape(_))));
    }

    /// The matrix has the direction of an axis of the voxels in each row of three.
    #[test]
    fn directions_are_rows_of_the_matrix() {
        let text = "ObjectType = Image\nNDims = 3\nDimSize = 2 3 4\nTransformMatrix = 0 1 0 0 0 1 1 0 0\n\
                    ElementType = MET_SHORT\nElementDataFile = LOCAL\n";
        let header = read_header(&mut text.as_bytes()).expect("sound").header;
        assert_eq!(header.orientation, [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
        let mut written = Vec::new();
        write_header(&header, None, &mut written).expect("memory");
        let written = String::from_utf8(written).expect("text");
        assert!(written.contains("\nTransformMatrix = 0 1 0 0 0 1 1 0 0\n"), "{written}");
    }

    #[test]
    fn headers_that_make_no_sense_are_refused() {
        let good = "ObjectType = Image\nNDims = 3\nDimSize = 2 3 4\nBinaryDataByteOrderMSB = True\n\
                    ElementType = MET_SHORT\nElementDataFile = a.raw\n";
        let source = read_header(&mut good.as_bytes()).expect("sound");
        assert_eq!(source.order, ByteOrder::Big);
        assert_eq!(source.voxels, VoxelLocation::Detached { name: "a.raw".to_owned(), skip: 0 });
        for (old, new, reason) in [
            ("NDims = 3", "NDims = 2", "NDims = 2 is not supported"),
            ("NDims = 3", "NDims = 5", "NDims = 5 is not supported"),
            ("NDims = 3", "NDims = 4", "line 3 of the header, \"DimSize\": \"2 3 4\" is not allowed"),
            ("2 3 4", "2 3 4 5", "line 3 of the header, \"DimSize\": \"2 3 4 5\" is not allowed"),
            ("2 3 4", "2 0 4", "line 3 of the header, \"DimSize\": \"2 0 4\" is not allowed"),
            ("2 3 4", "99999999999 99999999999 4", "\"99999999999 99999999999 4\" is not allowed"),
            ("2 3 4", "99999999999 1 92233720", "is more than this machine can address"),
            ("MET_SHORT", "MET_OTHER", "ElementType = MET_OTHER is not supported"),
            ("ElementDataFile = a.raw\n", "", "the header has no field \"ElementDataFile\""),
            ("a.raw", "", "line 6 of the header, \"ElementDataFile\": \"\" is not allowed"),
            ("a.raw", "LOC\u{1}\u{0}L", "line 6 of the header, \"ElementDataFile\": \"LOC"),
            ("ObjectType = Image", "rubbish", "not a MetaImage file"),
            (
                "NDims = 3",
                "CompressedData = maybe",
                "line 2 of the header, \"CompressedData\": \"maybe\" is not",
            ),
            ("NDims = 3", "CompressedDataSize = -1", "\"CompressedDataSize\": \"-1\" is not allowed"),
            ("NDims = 3", "CompressedData = T\nBinaryData = F", "text that is compressed is not supported"),
            ("NDims = 3", "ElementNumberOfChannels = 5", "ElementNumberOfChannels = 5 is not supported"),
            ("NDims = 3", "ElementNumberOfChannels = 0", "ElementNumberOfChannels = 0 is not supported"),
            ("NDims = 3", "ElementSpacing = 1 1", "line 2 of the header, \"ElementSpacing\": \"1 1\" is not"),
            (
                "NDims = 3\nDimSize = 2 3 4",
                "NDims = 4\nDimSize = 2 3 4 5\nTransformMatrix = 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 1",
                "a TransformMatrix that mixes space and time is not supported",
            ),
            (
                "NDims = 3\nDimSize = 2 3 4",
                "NDims = 4\nDimSize = 2 3 4 5\nTransformMatrix = 1 0 0 0 0 1 0 0 0 0 1 0 0 1 0 1",
                "a TransformMatrix that mixes space and time is not supported",
            ),
        ] {
            let error = read_header(&mut good.replace(old, new).as_bytes()).expect_err(new).to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
