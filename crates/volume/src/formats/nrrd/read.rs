//! Reading a header.

use super::{axes::Axes, voxel_type};
use crate::{
    ByteOrder, Dims, Header, Spacing, VoxelType,
    formats::{
        FormatError, FormatHeader, VoxelEncoding, VoxelLocation,
        header_text::{line, short},
        world,
    },
};
use std::io::BufRead;

/// Most axes that a field may list.
const MAX_AXES: usize = 16;

/// Reads a header, and leaves `source` at the voxels where they follow it.
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
    }
    fields.finish()
}

/// What the field of that name says.
#[derive(Clone, Copy)]
enum Encoding {
    Raw,
    Text,
    Gzip,
    Bzip2,
}

/// A vector, or `none`.
type Vector = Option<Vec<f64>>;

#[derive(Default)]
struct Fields {
    dimension: Option<usize>,
    sizes: Option<Vec<usize>>,
    voxel_type: Option<VoxelType>,
    order: Option<ByteOrder>,
    encoding: Option<Encoding>,
    spacings: Option<Vec<f64>>,
    directions: Option<Vec<Vector>>,
    origin: Option<Vec<f64>>,
    units: Option<Vec<String>>,
    space_units: Option<Vec<String>>,
    data_file: Option<String>,
    skip: u64,
    others: serde_json::Map<String, serde_json::Value>,
}

impl Fields {
    fn take(&mut self, number: usize, text: &str) -> Result<(), FormatError> {
        if text.starts_with('#') {
            return Ok(());
        }
        if let Some((key, value)) = text.split_once(":=") {
            self.others.insert(key.to_owned(), value.into());
            return Ok(());
        }
        let bad = |field: &str, value: &str| FormatError::Value {
            line: number,
            field: short(field),
            text: short(value),
        };
        let Some((field, value)) = text.split_once(": ") else { return Err(bad(text, "")) };
        let value = value.trim();
        let unsupported = |what: String| Err(FormatError::Unsupported(what));
        let ok = match field {
            "type" => {
                self.voxel_type = voxel_type(value);
                if self.voxel_type.is_none() {
                    return unsupported(format!("the type {:?}", short(value)));
                }
                true
            }
            "dimension" => {
                self.dimension = value.parse().ok();
                if !matches!(self.dimension, Some(3..=5)) {
                    return unsupported(format!("a dimension of {}", short(value)));
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
                    _ => return unsupported(format!("the encoding {:?}", short(value))),
                });
                true
            }
            "spacings" => {
                self.spacings = list(value, |n| n.parse().ok());
                self.spacings.is_some()
            }
            "space directions" => {
                self.directions =
                    list(value, |n| if n == "none" { Some(None) } else { Some(Some(vector(n)?)) });
                self.directions.is_some()
            }
            "space origin" => {
                self.origin = vector(value);
                self.origin.is_some()
            }
            "units" | "space units" => {
                let units = value.split('"').skip(1).step_by(2).map(str::to_owned).take(MAX_AXES).collect();
                *if field == "units" { &mut self.units } else { &mut self.space_units } = Some(units);
                self.others.insert(field.to_owned(), value.into());
                true
            }
            "data file" | "datafile" => {
                if value.starts_with("LIST") || value.contains('%') {
                    return unsupported("a list of data files".to_owned());
                }
                self.data_file = Some(value.to_owned());
                // A line that ends too soon; voxels, taken for the end of a damaged one.
                !value.is_empty() && !value.chars().any(char::is_control)
            }
            "byte skip" | "byteskip" => {
                if value == "-1" {
                    return unsupported("a byte skip of -1".to_owned());
                }
                self.skip = value.parse().unwrap_or(u64::MAX);
                self.skip < u64::MAX
            }
            "line skip" | "lineskip" if value != "0" => return unsupported("a line skip".to_owned()),
            _ => {
                self.others.insert(field.to_owned(), value.into());
                true
            }
        };
        if ok { Ok(()) } else { Err(bad(field, value)) }
    }

    fn finish(self) -> Result<FormatHeader, FormatError> {
        let sizes = self.sizes.as_deref().ok_or(FormatError::Missing("sizes"))?;
        let voxel_type = self.voxel_type.ok_or(FormatError::Missing("type"))?;
        let encoding = match self.encoding.ok_or(FormatError::Missing("encoding"))? {
            Encoding::Raw => VoxelEncoding::Raw,
            Encoding::Text => VoxelEncoding::Text(voxel_type),
            Encoding::Gzip => VoxelEncoding::Gzip,
            Encoding::Bzip2 => VoxelEncoding::Bzip2,
        };
        let is_text = matches!(encoding, VoxelEncoding::Text(_));
        let order = match self.order {
            // That of the bytes that we make of text.
            _ if is_text => ByteOrder::Little,
            None if voxel_type.byte_count() > 1 => return Err(FormatError::Missing("endian")),
            order => order.unwrap_or_default(),
        };
        let axes = self.axes(sizes.len())?;
        let x = axes.x;
        let mut header = Header::new(voxel_type, Dims::new(sizes[x], sizes[x + 1], sizes[x + 2]));
        header.channels = if axes.has_channels { sizes[0] } else { 1 };
        header.frames = axes.frames.map_or(1, |axis| sizes[axis]);
        self.place(&axes, &mut header)?;
        header.raw_bytes()?;
        if !self.others.is_empty() {
            header.metadata = serde_json::json!({ "nrrd": self.others }).to_string();
        }
        let voxels = match self.data_file {
            None if self.skip > 0 => {
                return Err(FormatError::Unsupported(
                    "a byte skip before voxels in the same file".to_owned(),
                ));
            }
            None => VoxelLocation::Attached,
            Some(name) => VoxelLocation::Detached { name, skip: self.skip },
        };
        Ok(FormatHeader { header, order, voxels, encoding, in_planes: false })
    }

    /// What the axes are. Fields that list them must list all.
    fn axes(&self, count: usize) -> Result<Axes, FormatError> {
        let kinds = self.others.get("kinds").and_then(serde_json::Value::as_str);
        let kinds: Option<Vec<&str>> = kinds.map(|kinds| kinds.split_whitespace().collect());
        let lengths = [
            ("kinds", kinds.as_ref().map(Vec::len)),
            ("spacings", self.spacings.as_ref().map(Vec::len)),
            ("space directions", self.directions.as_ref().map(Vec::len)),
        ];
        for (field, length) in lengths {
            if let Some(length) = length.filter(|&length| length != count) {
                return Err(wrong(field, format!("for {length} axes of {count}")));
            }
        }
        let axes: Vec<(&str, bool)> = (0..count)
            .map(|i| {
                let has_direction = self.directions.as_ref().is_none_or(|all| all[i].is_some());
                (kinds.as_ref().map_or("???", |kinds| kinds[i]), has_direction)
            })
            .collect();
        Axes::of(&axes)
    }

    /// Spacing, directions and origin.
    fn place(&self, axes: &Axes, header: &mut Header) -> Result<(), FormatError> {
        let mut spacing = [1.0; 3];
        let space = self.others.get("space").and_then(serde_json::Value::as_str).unwrap_or_default();
        let signs = world::signs(space).unwrap_or([1.0; 3]);
        if let Some(spacings) = &self.spacings {
            for (spacing, &said) in spacing.iter_mut().zip(&spacings[axes.x..]) {
                if said.is_infinite() {
                    return Err(wrong("spacings", said.to_string()));
                }
                // No number says that it is not known.
                *spacing = if said.is_nan() { 1.0 } else { said };
            }
            if let Some(axis) = axes.frames {
                header.frame_spacing = spacings[axis];
            }
        }
        if let Some(directions) = &self.directions {
            for (i, direction) in directions[axes.x..axes.x + 3].iter().enumerate() {
                let bad = || {
                    wrong(
                        "space directions",
                        format!("{} for axis {}", shown(direction.as_deref()), axes.x + i + 1),
                    )
                };
                let [a, b, c] = match direction.as_deref() {
                    Some(&[a, b, c] | &[a, b, c, 0.0]) => world::turned([a, b, c], signs),
                    _ => return Err(bad()),
                };
                spacing[i] = (a * a + b * b + c * c).sqrt();
                if !spacing[i].is_normal() {
                    return Err(bad());
                }
                for (j, part) in [a, b, c].into_iter().enumerate() {
                    header.orientation[3 * i + j] = part / spacing[i];
                }
            }
            match axes.frames.and_then(|axis| directions[axis].as_deref()) {
                None => {}
                Some(&[0.0, 0.0, 0.0, step]) => header.frame_spacing = step,
                Some(other) => {
                    return Err(wrong(
                        "space directions",
                        format!("{} for the axis of time", shown(Some(other))),
                    ));
                }
            }
        }
        header.spacing = Spacing { x: spacing[0], y: spacing[1], z: spacing[2] };
        header.frame_spacing = self.seconds(axes, header.frame_spacing.abs());
        match self.origin.as_deref() {
            None => {}
            Some(&[a, b, c] | &[a, b, c, _]) => header.origin = world::turned([a, b, c], signs),
            Some(other) => return Err(wrong("space origin", shown(Some(other)))),
        }
        Ok(())
    }

    /// A distance in time, as seconds; 0 where it is not known.
    fn seconds(&self, axes: &Axes, distance: f64) -> f64 {
        let own = axes.frames.and_then(|axis| self.units.as_ref()?.get(axis));
        let unit = own.or_else(|| self.space_units.as_ref()?.get(3)).map(String::as_str);
        let parts = match unit {
            Some("ms" | "msec" | "milliseconds") => 1e3,
            Some("us" | "usec" | "µs" | "microseconds") => 1e6,
            _ => 1.0,
        };
        if distance.is_finite() { distance / parts } else { 0.0 }
    }
}

fn wrong(field: &str, value: String) -> FormatError {
    FormatError::Number { field: field.to_owned(), value: short(&value) }
}

/// A vector as a header has it.
fn shown(vector: Option<&[f64]>) -> String {
    let Some(vector) = vector else { return "none".to_owned() };
    let numbers: Vec<_> = vector.iter().map(f64::to_string).collect();
    format!("({})", numbers.join(","))
}

/// What is listed with white space between.
fn list<T>(text: &str, item: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    let items: Option<Vec<T>> = text.split_whitespace().take(MAX_AXES + 1).map(item).collect();
    items.filter(|items| items.len() <= MAX_AXES)
}

/// `(a,b,c)`.
fn vector(text: &str) -> Option<Vec<f64>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let numbers: Option<Vec<f64>> = inner.split(',').take(5).map(|n| n.trim().parse().ok()).collect();
    numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()))
}
