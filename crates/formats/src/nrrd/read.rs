//! Reads headers.

use super::{
    TIME_STEP,
    axes::{Axes, MAX_AXES},
    place::Place,
    voxel_type, wrong,
};
use crate::{
    AxisOrder, FormatError, FormatHeader, NrrdFeature, StorageOrder, VoxelEncoding, VoxelLocation,
    axis_order::MAX_UNNAMED_CHANNELS,
    header::{
        format_header::set_metadata,
        header_text::{line, short},
    },
    streams::file_list,
};
use brickwork_volume::{ByteOrder, Dims, Header, VoxelKind, VoxelType};
use std::io::BufRead;

/// Keys in sequences of 3D Slicer.
const SEQUENCE_KEYS: [&str; 2] = ["axis 0 index type", "DataNodeClassName"];

/// Fields with a value per axis, without quotation marks and not part of the geometry.
const PER_AXIS: [&str; 4] = ["kinds", "thicknesses", "centers", "centerings"];

/// Reads a header. Leaves `source` at the voxels, if they follow.
///
/// # Errors
/// [`FormatError`].
pub fn read_header(source: &mut dyn BufRead) -> Result<FormatHeader, FormatError> {
    let mut read = 0;
    let magic = line(source, &mut read)?.unwrap_or_default();
    if !magic.starts_with("NRRD000") {
        return Err(FormatError::Other("NRRD"));
    }
    let mut fields = Fields::default();
    let mut number = 1;
    while let Some(text) = line(source, &mut read)? {
        number += 1;
        if text.is_empty() {
            break;
        }
        fields.take(number, &text)?;
        // This field is the last; the names follow.
        if fields.data_file.as_deref().is_some_and(|name| name.starts_with("LIST")) {
            fields.names = file_list::of_lines(source, &mut read)?;
            break;
        }
    }
    fields.finish()
}

/// Value of the field `encoding`.
#[derive(Clone, Copy)]
enum Encoding {
    Raw,
    Text,
    Gzip,
    Bzip2,
}

#[derive(Default)]
struct Fields {
    dimension: Option<usize>,
    sizes: Option<Vec<usize>>,
    voxel_type: Option<VoxelType>,
    order: Option<ByteOrder>,
    encoding: Option<Encoding>,
    place: Place,
    data_file: Option<String>,
    /// File names of a list.
    names: Vec<String>,
    skip: u64,
    line_skip: u64,
    is_at_end: bool,
    others: serde_json::Map<String, serde_json::Value>,
    /// Keys and values: the texts before and after `:=`.
    keys: serde_json::Map<String, serde_json::Value>,
}

impl Fields {
    fn take(&mut self, number: usize, text: &str) -> Result<(), FormatError> {
        if text.starts_with('#') {
            return Ok(());
        }
        if let Some((key, value)) = text.split_once(":=") {
            self.keys.insert(key.to_owned(), value.into());
            return Ok(());
        }
        let bad = |field: &str, value: &str| FormatError::Value {
            line: number,
            field: short(field),
            text: short(value),
        };
        let Some((field, value)) = text.split_once(": ") else { return Err(bad(text, "")) };
        let value = value.trim();
        let unsupported = |feature: NrrdFeature| Err(feature.into());
        let ok = match field {
            "type" => {
                self.voxel_type = voxel_type(value);
                if self.voxel_type.is_none() {
                    return unsupported(NrrdFeature::Type(short(value)));
                }
                true
            }
            "dimension" => {
                self.dimension = value.parse().ok();
                if !matches!(self.dimension, Some(2..=5)) {
                    return unsupported(NrrdFeature::Dimension(short(value)));
                }
                true
            }
            "sizes" => {
                self.sizes = list(value, |n| n.parse().ok().filter(|&side: &usize| side > 0));
                let count = self.sizes.as_deref().and_then(|sides| {
                    sides.iter().try_fold(1usize, |count, &side| count.checked_mul(side)).map(|_| sides.len())
                });
                count.is_some_and(|count| self.dimension.is_none_or(|dimension| dimension == count))
            }
            "endian" => {
                self.order = match value {
                    "little" => Some(ByteOrder::Little),
                    "big" => Some(ByteOrder::Big),
                    _ => None,
                };
                self.order.is_some()
            }
            "encoding" => {
                self.encoding = Some(match value.to_ascii_lowercase().as_str() {
                    "raw" => Encoding::Raw,
                    "txt" | "text" | "ascii" => Encoding::Text,
                    "gz" | "gzip" => Encoding::Gzip,
                    "bz2" | "bzip2" => Encoding::Bzip2,
                    _ => return unsupported(NrrdFeature::Encoding(short(value))),
                });
                true
            }
            "data file" | "datafile" => {
                self.data_file = Some(value.to_owned());
                // An empty name means a truncated line. Control characters mean that voxels were taken for
                // the end of a damaged line.
                !value.is_empty() && !value.chars().any(char::is_control)
            }
            "byte skip" | "byteskip" => {
                // The voxels are the last bytes of the file.
                self.is_at_end = value == "-1";
                self.skip = if self.is_at_end { 0 } else { value.parse().unwrap_or(u64::MAX) };
                self.skip < u64::MAX
            }
            "line skip" | "lineskip" => {
                self.line_skip = value.parse().unwrap_or(u64::MAX);
                self.line_skip < u64::MAX
            }
            _ => {
                if !self.place.take(field, value) {
                    self.others.insert(field.to_owned(), value.into());
                }
                true
            }
        };
        if ok { Ok(()) } else { Err(bad(field, value)) }
    }

    fn finish(mut self) -> Result<FormatHeader, FormatError> {
        let sizes = &self.sizes.take().ok_or(FormatError::Missing("sizes"))?;
        let voxel_type = self.voxel_type.ok_or(FormatError::Missing("type"))?;
        let encoding = match self.encoding.ok_or(FormatError::Missing("encoding"))? {
            Encoding::Raw => VoxelEncoding::Raw,
            Encoding::Text => VoxelEncoding::Text(voxel_type),
            Encoding::Gzip => VoxelEncoding::Gzip,
            Encoding::Bzip2 => VoxelEncoding::Bzip2,
        };
        let is_text = matches!(encoding, VoxelEncoding::Text(_));
        let order = match self.order {
            // Text is converted to little-endian bytes.
            _ if is_text => ByteOrder::Little,
            None if voxel_type.byte_count() > 1 => return Err(FormatError::Missing("endian")),
            order => order.unwrap_or_default(),
        };
        let kinds = self.others.get("kinds").and_then(serde_json::Value::as_str);
        let is_sequence = self.keys.keys().any(|key| SEQUENCE_KEYS.contains(&key.as_str()));
        let axes = axes(kinds, &self.place, sizes, is_sequence)?;
        let x = axes.x;
        let depth = if axes.space_count == 3 { sizes[x + 2] } else { 1 };
        let mut header = Header::new(voxel_type, Dims::new(sizes[x], sizes[x + 1], depth));
        header.channels = if axes.has_channels { sizes[0] } else { 1 };
        header.frames = axes.frames.map_or(1, |axis| sizes[axis]);
        let notes = self.place.finish(&axes, sizes, &mut self.others, &mut header)?;
        if self.keys.get(TIME_STEP.0).and_then(serde_json::Value::as_str) == Some(TIME_STEP.1) {
            self.keys.remove(TIME_STEP.0);
            header.frame_spacing = 0.0;
        }
        header.raw_bytes()?;
        // Segmentations of 3D Slicer have these keys.
        if self.keys.keys().any(|key| key == "Segment0_ID" || key == "Segment0_LabelValue") {
            header.kind = VoxelKind::Labels;
            for (key, value) in &self.keys {
                let is_value = key.starts_with("Segment") && key.ends_with("_LabelValue");
                let text = value.as_str().unwrap_or_default();
                if is_value && text.trim().parse::<u64>().is_err() {
                    return Err(wrong(key, text.to_owned()));
                }
            }
        }
        let is_frames_first = axes.frames == Some(0);
        if is_frames_first {
            self.others.iter_mut().for_each(|(field, value)| last_first(field, value));
        }
        if !self.keys.is_empty() {
            self.others.insert("keys".to_owned(), self.keys.into());
        }
        if !self.others.is_empty() {
            set_metadata(&mut header, serde_json::json!({ "nrrd": self.others }));
        }
        let voxels = match self.data_file {
            None if self.skip > 0 || self.is_at_end => {
                return Err(NrrdFeature::AttachedSkip.into());
            }
            None => VoxelLocation::Attached,
            Some(_) if self.is_at_end && encoding != VoxelEncoding::Raw => {
                return Err(NrrdFeature::EncodedAtEnd.into());
            }
            Some(name) => {
                let skip = if self.is_at_end { None } else { Some(self.skip) };
                if name.starts_with("LIST") {
                    VoxelLocation::Files { names: self.names, skip }
                } else if name.contains('%') {
                    // A fourth number, the dimension of a file, may follow; files have equal shares of the
                    // voxels.
                    let names = name
                        .rsplit_once(char::is_whitespace)
                        .and_then(|(rest, _)| file_list::of_pattern(rest));
                    let names = names.or_else(|| file_list::of_pattern(&name));
                    let names = names.ok_or_else(|| wrong("data file", name.clone()))?;
                    VoxelLocation::Files { names, skip }
                } else {
                    VoxelLocation::Detached { name, skip }
                }
            }
        };
        let storage_order = match is_frames_first {
            true => StorageOrder::Axes(AxisOrder::FRAMES_FIRST),
            false => StorageOrder::FramesLast,
        };
        let skipped_lines = self.line_skip;
        Ok(FormatHeader { header, order, voxels, encoding, skipped_lines, storage_order, notes })
    }
}

/// Finds the roles of the axes. Fields that list axes must list all.
fn axes(kinds: Option<&str>, place: &Place, sizes: &[usize], is_sequence: bool) -> Result<Axes, FormatError> {
    let count = sizes.len();
    let kinds: Option<Vec<&str>> = kinds.map(|kinds| kinds.split_whitespace().collect());
    if let Some(length) = kinds.as_ref().map(Vec::len).filter(|&length| length != count) {
        return Err(wrong("kinds", format!("for {length} axes of {count}")));
    }
    let directions = place.have_directions(count)?;
    let axes: Vec<(&str, bool)> = (0..count)
        .map(|i| (kinds.as_ref().map_or("???", |kinds| kinds[i]), directions.as_ref().is_none_or(|d| d[i])))
        .collect();
    // A list is of channels or of frames.
    let is_frames = is_sequence || sizes.first().is_some_and(|&count| count > MAX_UNNAMED_CHANNELS);
    Axes::of(&axes, is_frames)
}

/// Moves the value of the first axis to the end, the place of a volume's frames.
fn last_first(field: &str, value: &mut serde_json::Value) {
    if let (true, Some(text)) = (PER_AXIS.contains(&field), value.as_str())
        && let Some((first, rest)) = text.split_once(char::is_whitespace)
    {
        *value = format!("{} {first}", rest.trim()).into();
    }
}

/// Reads a list that is separated by white space.
fn list<T>(text: &str, item: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    let items: Option<Vec<T>> = text.split_whitespace().take(MAX_AXES + 1).map(item).collect();
    items.filter(|items| items.len() <= MAX_AXES)
}
