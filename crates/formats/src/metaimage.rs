//! MetaImage: `Key = value` lines up to `ElementDataFile`, then voxels (.mha) or the name of their file
//! (.mhd).
//!
//! <https://itk.org/Wiki/ITK/MetaIO/Documentation>. Voxels have 1 to 4 channels, two or three axes of space,
//! and possibly a fourth axis of time, in seconds. They are raw, text (only read), or compressed by zlib,
//! whose stream marks its own end.
//!
//! Lengths are in millimetres unless `DistanceUnits` names another unit. If `ElementSpacing` is absent,
//! `ElementSize` is the spacing.

use crate::{
    FormatError, FormatHeader, GeometryFault, MetaImageFeature, Note, StorageOrder, VoxelEncoding,
    VoxelLocation,
    header::{
        format_header::{frame_step, set_metadata},
        geometry::Field,
        header_text::{line, short},
        units::{self, Unit},
    },
    streams::file_list,
    words::digits,
};
use brickwork_volume::{
    ByteOrder, Dims, Header, MAX_CHANNELS, Rescale, Spacing, VolumeWriteError, VoxelType,
};
use std::io::{BufRead, Write};

/// Fields that follow from the geometry or the voxels. They are not written again.
const DERIVED: [&str; 5] = ["CenterOfRotation", "ElementNBits", "ElementMin", "ElementMax", "DistanceUnits"];

/// Field that states that the time between frames is unknown. Other programs do not know it. They take the
/// fourth number of `ElementSpacing`, which must be above zero for them.
const TIME_STEP: (&str, &str) = ("FrameSpacing", "unknown");

/// Fields of the line from stored numbers to physical values.
const SLOPE: &str = "ElementToIntensityFunctionSlope";
const INTERCEPT: &str = "ElementToIntensityFunctionOffset";

/// Reads a header. Leaves `source` at the voxels, if they follow.
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
        if let Some(mut voxels) = fields.take(number, key.trim(), value.trim())? {
            if let VoxelLocation::Files { names, .. } = &mut voxels
                && names.is_empty()
            {
                *names = file_list::of_lines(source, &mut read)?;
            }
            let is_at_end = fields.is_at_end;
            let (order, is_packed, is_text) = (fields.order, fields.is_packed, fields.is_text);
            let (header, notes) = fields.finish()?;
            let (order, encoding) = match (is_packed, is_text) {
                (false, false) => (order, VoxelEncoding::Raw),
                (true, false) => (order, VoxelEncoding::Zlib),
                // Text is converted to little-endian bytes.
                (false, true) => (ByteOrder::Little, VoxelEncoding::Text(header.voxel_type)),
                (true, true) => return Err(MetaImageFeature::CompressedText.into()),
            };
            if is_at_end && encoding != VoxelEncoding::Raw {
                return Err(MetaImageFeature::EncodedAtEnd.into());
            }
            return Ok(FormatHeader {
                header,
                order,
                voxels,
                encoding,
                skipped_lines: 0,
                storage_order: StorageOrder::FramesLast,
                notes,
            });
        }
    }
    Err(if number == 0 { FormatError::Other("MetaImage") } else { FormatError::Missing("ElementDataFile") })
}

#[derive(Default)]
struct Fields {
    axis_count: usize,
    channels: usize,
    voxel_type: Option<VoxelType>,
    order: ByteOrder,
    /// Line number of the sizes, and the sizes.
    sizes: Option<(usize, Vec<usize>)>,
    spacing: Option<Text>,
    /// Size of a voxel, which is the spacing if none is given.
    element_size: Option<Text>,
    origin: Option<Text>,
    matrix: Option<Text>,
    unit: Option<String>,
    is_step_unknown: bool,
    skip: u64,
    is_at_end: bool,
    is_packed: bool,
    is_text: bool,
    others: serde_json::Map<String, serde_json::Value>,
}

/// Field with a list of numbers of the geometry.
struct Text {
    name: String,
    value: String,
}

impl Text {
    fn numbers(&self, count: usize) -> Result<Vec<f64>, FormatError> {
        self.field().finite_numbers(count, ' ')
    }

    fn field(&self) -> Field<'_> {
        Field { name: &self.name, text: &self.value }
    }
}

impl Fields {
    /// Takes one field. After the last one, returns the location of the voxels.
    fn take(&mut self, number: usize, key: &str, value: &str) -> Result<Option<VoxelLocation>, FormatError> {
        let bad = || FormatError::Value { line: number, field: short(key), text: short(value) };
        let unsupported = || MetaImageFeature::Value { field: short(key), value: short(value) };
        let text = || Some(Text { name: key.to_owned(), value: value.to_owned() });
        match key {
            "ObjectType" if value != "Image" => return Err(unsupported().into()),
            "ObjectType" => {}
            "CompressedData" => self.is_packed = boolean(value).ok_or_else(bad)?,
            "BinaryData" => self.is_text = !boolean(value).ok_or_else(bad)?,
            // The stream also marks its end.
            "CompressedDataSize" => drop(value.parse::<u64>().map_err(|_| bad())?),
            "NDims" => match value {
                "2" | "3" | "4" => self.axis_count = value.parse().map_err(|_| bad())?,
                _ => return Err(unsupported().into()),
            },
            "ElementNumberOfChannels" => match value.parse().map_err(|_| bad())? {
                channels @ 1..=MAX_CHANNELS => self.channels = channels,
                _ => return Err(unsupported().into()),
            },
            "BinaryDataByteOrderMSB" | "ElementByteOrderMSB" => {
                let big = boolean(value).ok_or_else(bad)?;
                self.order = if big { ByteOrder::Big } else { ByteOrder::Little };
            }
            "DimSize" => {
                let sides = sides(value).ok_or_else(bad)?;
                let count = sides.iter().try_fold(1usize, |count, &side| count.checked_mul(side));
                if count.is_none_or(|count| count == 0) {
                    return Err(bad());
                }
                self.sizes = Some((number, sides));
            }
            "ElementType" => self.voxel_type = Some(voxel_type(value).ok_or_else(unsupported)?),
            "ElementSpacing" => self.spacing = text(),
            "ElementSize" => self.element_size = text(),
            "Offset" | "Position" | "Origin" => self.origin = text(),
            "TransformMatrix" | "Rotation" | "Orientation" => self.matrix = text(),
            "DistanceUnits" => self.unit = Some(value.to_owned()),
            _ if (key, value) == TIME_STEP => self.is_step_unknown = true,
            SLOPE => {
                let field = Field { name: key, text: value };
                field.slope(field.finite_numbers(1, ' ')?[0])?;
                self.others.insert(key.to_owned(), value.into());
            }
            INTERCEPT => {
                Field { name: key, text: value }.finite_numbers(1, ' ')?;
                self.others.insert(key.to_owned(), value.into());
            }
            // The voxels are the last bytes of the file.
            "HeaderSize" if value == "-1" => self.is_at_end = true,
            "HeaderSize" => self.skip = value.parse().map_err(|_| bad())?,
            "ElementDataFile" => {
                let skip = if self.is_at_end { None } else { Some(self.skip) };
                if value.starts_with("LIST") {
                    // The names follow, one per line.
                    return Ok(Some(VoxelLocation::Files { names: Vec::new(), skip }));
                }
                if value.contains('%') {
                    let names = file_list::of_pattern(value).ok_or_else(bad)?;
                    return Ok(Some(VoxelLocation::Files { names, skip }));
                }
                // An empty name means a truncated line. Control characters mean that voxels were taken for
                // the end of a damaged line.
                if value.is_empty() || value.chars().any(char::is_control) {
                    return Err(bad());
                }
                return Ok(Some(match value {
                    "LOCAL" | "Local" | "local" if self.is_at_end || self.skip > 0 => {
                        return Err(MetaImageFeature::AttachedSkip.into());
                    }
                    "LOCAL" | "Local" | "local" => VoxelLocation::Attached,
                    name => VoxelLocation::Detached { name: name.to_owned(), skip },
                }));
            }
            _ => {
                self.others.insert(key.to_owned(), value.into());
            }
        }
        Ok(None)
    }

    fn finish(self) -> Result<(Header, Vec<Note>), FormatError> {
        let n = self.axis_count;
        let voxel_type = self.voxel_type.ok_or(FormatError::Missing("ElementType"))?;
        let (line, sizes) = self.sizes.as_ref().ok_or(FormatError::Missing("DimSize"))?;
        if sizes.len() != n {
            let (line, field, text) = (*line, "DimSize".to_owned(), short(&joined(sizes)));
            return Err(FormatError::Value { line, field, text });
        }
        let dims = Dims::new(sizes[0], sizes[1], sizes.get(2).copied().unwrap_or(1));
        let mut header = Header::new(voxel_type, dims);
        header.channels = self.channels;
        header.frames = sizes.get(3).copied().unwrap_or(1);
        let notes = self.place(&mut header)?;
        header.raw_bytes()?;
        if !self.others.is_empty() {
            set_metadata(&mut header, serde_json::json!({ "metaimage": self.others }));
        }
        Ok((header, notes))
    }

    /// Sets spacing, origin and directions.
    fn place(&self, header: &mut Header) -> Result<Vec<Note>, FormatError> {
        let (n, mut notes) = (self.axis_count, Vec::new());
        let unit = self.unit.as_deref().map_or(Unit::None, units::length);
        if unit == Unit::Unknown {
            let unit = short(self.unit.as_deref().unwrap_or_default());
            notes.push(Note::UnknownUnit { field: "DistanceUnits", unit });
        }
        let scale = unit.scale();
        if let Some(text) = self.spacing.as_ref().or(self.element_size.as_ref()) {
            let mut spacing = [1.0; 4];
            for (axis, number) in text.numbers(n)?.into_iter().enumerate() {
                spacing[axis] = match axis {
                    3 => text.field().duration(number)?,
                    _ => text.field().length(scale.of(number))?,
                };
            }
            header.spacing = Spacing { x: spacing[0], y: spacing[1], z: spacing[2] };
            header.frame_spacing = if n > 3 && !self.is_step_unknown { spacing[3] } else { 0.0 };
        }
        let space_count = n.min(3);
        if let Some(text) = &self.origin {
            let numbers = text.numbers(n)?;
            for (axis, &number) in numbers.iter().enumerate().take(space_count) {
                header.origin[axis] = text.field().finite(scale.of(number))?;
            }
            if let Some(time) = numbers.get(3).filter(|time| **time != 0.0) {
                notes.push(Note::TimeOffset { field: "Offset", seconds: digits(*time) });
            }
        }
        if let Some(text) = &self.matrix {
            let field = text.field();
            for (row, direction) in text.numbers(n * n)?.chunks_exact(n).enumerate() {
                let (space, time) = direction.split_at(space_count);
                let crossed = if row == 3 { space } else { time };
                if crossed.iter().any(|&part| part != 0.0) {
                    return Err(MetaImageFeature::SpaceTime.into());
                }
                match (row, time) {
                    (3, [step]) if *step <= 0.0 => return Err(field.refused(GeometryFault::NotPositive)),
                    (3, _) => {}
                    _ => header.orientation[3 * row..][..space_count].copy_from_slice(space),
                }
            }
            field.check_orientation(&header.orientation)?;
        }
        Ok(notes)
    }
}

/// Parses `True` or `False` in the spellings of other programs: MetaIO reads only the first letter.
fn boolean(value: &str) -> Option<bool> {
    match value.as_bytes().first()? {
        b'T' | b't' | b'1' => Some(true),
        b'F' | b'f' | b'0' => Some(false),
        _ => None,
    }
}

/// Parses counts separated by white space, at most one per possible axis.
fn sides(text: &str) -> Option<Vec<usize>> {
    let sides: Option<Vec<usize>> = text.split_whitespace().take(5).map(|n| n.parse().ok()).collect();
    sides.filter(|sides| sides.len() <= 4)
}

fn joined<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

fn voxel_type(name: &str) -> Option<VoxelType> {
    // MetaIO gives a long 4 bytes on every machine.
    let name = match name {
        "MET_LONG" => "MET_INT",
        "MET_ULONG" => "MET_UINT",
        name => name,
    };
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
        // (Half floats are widened first.)
        VoxelType::F32 | VoxelType::F16 => "MET_FLOAT",
        VoxelType::U64 => "MET_ULONG_LONG",
        VoxelType::I64 => "MET_LONG_LONG",
        VoxelType::F64 => "MET_DOUBLE",
    }
}

/// Returns the names of a source's fields that are kept and written again.
pub(crate) fn kept_names(kept: &serde_json::Map<String, serde_json::Value>) -> Vec<String> {
    let others =
        |name: &&String| ![SLOPE, INTERCEPT].contains(&name.as_str()) && !DERIVED.contains(&name.as_str());
    kept.keys().filter(others).cloned().collect()
}

/// Returns the lines of these fields.
fn kept_lines(header: &Header) -> String {
    let metadata: serde_json::Value = serde_json::from_str(&header.metadata).unwrap_or_default();
    let mut lines = String::new();
    let Some(kept) = metadata["metaimage"].as_object() else { return lines };
    for name in kept_names(kept) {
        let value = kept[&name].as_str().unwrap_or_default();
        let is_line = |text: &str| !text.is_empty() && !text.contains(['\n', '\r', '\0']);
        if is_line(&name) && is_line(value) && !name.contains('=') {
            lines += &format!("{name} = {value}\n");
        }
    }
    lines
}

/// Writes the header of an .mha file. Little-endian voxels must follow: `packed_bytes` of zlib, or raw ones.
/// Frames are a fourth axis. An unknown distance between them is 1 there, and a field states that it is
/// unknown. Other kept fields of a source in MetaImage are written again.
///
/// # Errors
/// [`VolumeWriteError::Shape`], and errors of `sink`.
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
    let is_step_unknown = header.frames > 1 && frame_step(header).is_none();
    let time_step =
        if is_step_unknown { format!("{} = {}\n", TIME_STEP.0, TIME_STEP.1) } else { String::new() };
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
        format!("{SLOPE} = {slope}\n{INTERCEPT} = {intercept}\n")
    });
    write!(
        sink,
        "ObjectType = Image\nNDims = {}\nBinaryData = True\nBinaryDataByteOrderMSB = False\n\
         CompressedData = {packed}\nTransformMatrix = {}\nOffset = {}\nElementSpacing = {}\n\
         DimSize = {}\n{channels}{time_step}{rescale}{}ElementType = {}\nElementDataFile = LOCAL\n",
        sizes.len(),
        joined(&matrix),
        joined(&origin),
        joined(&spacing),
        joined(&sizes),
        kept_lines(header),
        type_name(header.voxel_type),
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::format_header::tests::{posed, read_back};

    fn sample() -> Header {
        posed(VoxelType::F32, Dims::new(3, 4, 5))
    }

    #[test]
    fn what_is_written_is_read() {
        for voxel_type in VoxelType::ALL.iter().copied().filter(|&t| t != VoxelType::F16) {
            for channels in [1, 2, 3, 4, 60] {
                for (frames, frame_spacing) in [(1, 0.0), (1, 0.5), (7, 0.25)] {
                    let header = sample().with(|header| {
                        header.voxel_type = voxel_type;
                        header.channels = channels;
                        header.frames = frames;
                        header.frame_spacing = frame_spacing;
                    });
                    for (packed, encoding) in [(None, VoxelEncoding::Raw), (Some(6), VoxelEncoding::Zlib)] {
                        let write =
                            |header: &Header, sink: &mut dyn Write| write_header(header, packed, sink);
                        let source = read_back(&header, write, read_header);
                        let (header, order) = (header.clone(), ByteOrder::Little);
                        let voxels = VoxelLocation::Attached;
                        assert_eq!(
                            source,
                            FormatHeader {
                                header,
                                order,
                                voxels,
                                encoding,
                                skipped_lines: 0,
                                storage_order: StorageOrder::FramesLast,
                                notes: Vec::new()
                            }
                        );
                    }
                }
            }
        }
        let none = sample().with(|header| header.frames = 0);
        assert!(matches!(write_header(&none, None, &mut Vec::new()), Err(VolumeWriteError::Shape(_))));
    }

    /// Stores the direction of an axis of the voxels in each row of the matrix.
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
    fn spacing_has_two_names_and_several_units() {
        let read = |lines: &str| {
            let text = format!(
                "NDims = 3\nDimSize = 2 3 4\n{lines}\nElementType = MET_SHORT\nElementDataFile = LOCAL\n"
            );
            read_header(&mut text.as_bytes()).expect("sound")
        };
        for (lines, spacing, origin, noted) in [
            ("ElementSize = 0.5 0.5 2", [0.5, 0.5, 2.0], [0.0; 3], false),
            ("ElementSize = 9 9 9\nElementSpacing = 1 2 3", [1.0, 2.0, 3.0], [0.0; 3], false),
            (
                "DistanceUnits = um\nElementSpacing = 1 2 3\nOffset = 4 5 6",
                [0.001, 0.002, 0.003],
                [0.004, 0.005, 0.006],
                false,
            ),
            ("DistanceUnits = ?\nElementSpacing = 1 2 3", [1.0, 2.0, 3.0], [0.0; 3], false),
            ("DistanceUnits = furlong\nElementSpacing = 1 2 3", [1.0, 2.0, 3.0], [0.0; 3], true),
        ] {
            let found = read(lines);
            let Spacing { x, y, z } = found.header.spacing;
            assert_eq!(([x, y, z], found.header.origin), (spacing, origin), "{lines}");
            assert_eq!(!found.notes.is_empty(), noted, "{lines}");
        }
    }

    #[test]
    fn other_fields_are_written_again() {
        let text = "NDims = 3\nDimSize = 2 3 4\nElementMin = 7\nCenterOfRotation = 1 2 3\n\
                    AnatomicalOrientation = RAI\nModality = MET_MOD_CT\nElementType = MET_SHORT\n\
                    ElementDataFile = LOCAL\n";
        let header = read_header(&mut text.as_bytes()).expect("sound").header;
        let mut bytes = Vec::new();
        write_header(&header, None, &mut bytes).expect("memory");
        let written = String::from_utf8(bytes).expect("text");
        for line in ["AnatomicalOrientation = RAI", "Modality = MET_MOD_CT"] {
            assert!(written.lines().any(|written| written == line), "{written}");
        }
        assert!(!written.contains("ElementMin") && !written.contains("CenterOfRotation"), "{written}");
    }

    #[test]
    fn an_image_of_two_axes_is_a_slice() {
        let text = "ObjectType = Image\nNDims = 2\nDimSize = 2 3\nElementSpacing = 0.5 2\nOffset = 4 5\n\
                    TransformMatrix = 0 1 -1 0\nElementType = MET_SHORT\nElementDataFile = LOCAL\n";
        let header = read_header(&mut text.as_bytes()).expect("a slice").header;
        assert_eq!((header.dims, header.origin), (Dims::new(2, 3, 1), [4.0, 5.0, 0.0]));
        assert_eq!(header.spacing, Spacing { x: 0.5, y: 2.0, z: 1.0 });
        assert_eq!(header.orientation, [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn headers_that_make_no_sense_are_refused() {
        let good = "ObjectType = Image\nNDims = 3\nDimSize = 2 3 4\nBinaryDataByteOrderMSB = True\n\
                    ElementType = MET_SHORT\nElementDataFile = a.raw\n";
        let source = read_header(&mut good.as_bytes()).expect("sound");
        assert_eq!(source.order, ByteOrder::Big);
        assert_eq!(source.voxels, VoxelLocation::Detached { name: "a.raw".to_owned(), skip: Some(0) });
        for (old, new, reason) in [
            ("NDims = 3", "NDims = 1", "NDims = 1 is not supported"),
            ("NDims = 3", "NDims = 2", "line 3 of the header, \"DimSize\": \"2 3 4\" is not allowed"),
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
            ("NDims = 3", "ElementNumberOfChannels = 256", "ElementNumberOfChannels = 256 is not supported"),
            (
                "NDims = 3",
                "ElementNumberOfChannels = 5x",
                "\"ElementNumberOfChannels\": \"5x\" is not allowed",
            ),
            ("NDims = 3", "ElementNumberOfChannels = 0", "ElementNumberOfChannels = 0 is not supported"),
            ("NDims = 3", "ElementSpacing = 1 1", "field ElementSpacing is \"1 1\": expected 3 numbers"),
            ("NDims = 3", "ElementSpacing = 1 0 1", "field ElementSpacing is \"1 0 1\": not above zero"),
            ("NDims = 3", "ElementSpacing = 1 -2 1", "field ElementSpacing is \"1 -2 1\": not above zero"),
            ("NDims = 3", "ElementSize = 1 nan 1", "field ElementSize is \"1 nan 1\": not a finite number"),
            ("NDims = 3", "ElementSpacing = 0,5 1 1", "field ElementSpacing is \"0,5 1 1\": not a number"),
            ("NDims = 3", "Offset = 0 inf 0", "field Offset is \"0 inf 0\": not a finite number"),
            ("NDims = 3", "Position = 0 0 N/A", "field Position is \"0 0 N/A\": not a number"),
            ("NDims = 3", "Rotation = 2 0 0 0 1 0 0 0 1", "not a direction of length 1"),
            ("NDims = 3", "TransformMatrix = 1 0 0 0 1 0 0 1 0", "directions within one plane"),
            ("NDims = 3", "ElementToIntensityFunctionSlope = 0", "FunctionSlope is \"0\": zero"),
            ("NDims = 3", "ElementToIntensityFunctionOffset = 1,5", "Offset is \"1,5\": not a number"),
            (
                "NDims = 3\nDimSize = 2 3 4",
                "NDims = 4\nDimSize = 2 3 4 5\nElementSpacing = 1 1 1 -1",
                "field ElementSpacing is \"1 1 1 -1\": below zero",
            ),
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
