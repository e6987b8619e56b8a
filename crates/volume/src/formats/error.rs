//! Why a volume could not be opened.

use super::{
    Series, SeriesChoice, SliceShape, UnsupportedFeature, geometry::GeometryFault, header_text::MAX_HEADER,
    series::write_list,
};
use crate::{Cancelled, ErrorKind, ShapeError, VolumeReadError, VoxelType};
use std::{
    fmt, io,
    path::{Path, PathBuf},
};

/// Why [`open`](super::open) could not open a volume.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Raw voxels, and nothing says their dims and type.
    #[error("raw voxels need a description: dims and type")]
    Undescribed,
    /// [`VolumeOpenOptions::raw`](super::VolumeOpenOptions::raw) describes raw voxels, but the file
    /// describes its own.
    #[error("the file describes its own voxels")]
    Described,
    /// The description of raw voxels, or the region of a `.bwv` file, cannot be.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A `.bwv` file that could not be read.
    #[error(transparent)]
    Bwv(#[from] VolumeReadError),
    /// A file of another format that could not be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The voxels of a header lie in a file of their own, which could not be read.
    #[error("{}: {reason}", path.display())]
    VoxelFile {
        /// That file.
        path: PathBuf,
        /// Why.
        reason: Box<OpenError>,
    },
    /// The caller cancelled the call.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// What the system says.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        error.downcast().map_or_else(Self::Io, Self::Cancelled)
    }
}

impl OpenError {
    /// Who can do something about it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Undescribed | Self::Described | Self::Shape(_) => ErrorKind::Argument,
            Self::Bwv(error) => error.kind(),
            Self::Format(error) => error.kind(),
            Self::VoxelFile { reason, .. } => reason.kind(),
            Self::Cancelled(_) => ErrorKind::Cancelled,
            Self::Io(error) => ErrorKind::of_io(error),
        }
    }

    /// The file that this is about, if it is not the one that was to be opened, and what is wrong with it.
    pub fn voxel_file(&self) -> Option<(&Path, &Self)> {
        if let Self::VoxelFile { path, reason } = self { Some((path, reason)) } else { None }
    }
}

/// Why a file of another format than `.bwv` could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file is of another format.
    #[error("not a {0} file")]
    Other(&'static str),
    /// A field is missing.
    #[error("the header has no field {0:?}")]
    Missing(&'static str),
    /// A field with a value that is not allowed.
    #[error("line {line} of the header, {field:?}: {text:?} is not allowed")]
    Value {
        /// The line, from 1.
        line: usize,
        /// The field's name.
        field: String,
        /// What it says, cut short.
        text: String,
    },
    /// A field of a binary header with a value that is not allowed.
    #[error("the header's field {field} is {value}, which is not allowed")]
    Number {
        /// The field's name.
        field: String,
        /// What it holds.
        value: String,
    },
    /// A field of the geometry, or of physical values, whose value cannot be used.
    #[error("the header's field {field} is {value:?}: {fault}")]
    Geometry {
        /// Name of the field.
        field: String,
        /// Value of the field as text, cut short.
        value: String,
        /// Reason for the refusal.
        fault: GeometryFault,
    },
    /// The file ends before its voxels.
    #[error("the header has {have} bytes, expected {need}")]
    Short {
        /// Bytes needed.
        need: u64,
        /// Bytes there.
        have: u64,
    },
    /// Valid file with a property that is not supported.
    #[error("{0} is not supported")]
    Unsupported(UnsupportedFeature),
    /// The header does not end within a megabyte.
    #[error("the header does not end within {MAX_HEADER} bytes")]
    Long,
    /// An attribute of an XML element with a value that is not allowed.
    #[error("<{element} {attribute}={text:?}> is not allowed")]
    Attribute {
        /// The element's name, cut short.
        element: String,
        /// The attribute's name.
        attribute: &'static str,
        /// What it says, cut short; empty where it is missing.
        text: String,
    },
    /// Broken XML.
    #[error("byte {offset}: {fault}")]
    Xml {
        /// Position in the file.
        offset: u64,
        /// Reason for the refusal.
        fault: XmlFault,
    },
    /// Text that is not a number of the voxels' type.
    #[error("{text:?} is not a number of type {voxel_type}")]
    NoNumber {
        /// The number, cut short.
        text: String,
        /// The type.
        voxel_type: VoxelType,
    },
    /// More or fewer bytes than the dims ask for.
    #[error("{part} has {have} bytes, expected {need}")]
    Length {
        /// What was being read.
        part: &'static str,
        /// Bytes needed.
        need: u64,
        /// Bytes there.
        have: u64,
    },
    /// A slice cannot be read.
    #[error("{slice}: {reason}")]
    Slice {
        /// The slice: a file's name, or a page.
        slice: String,
        /// Why.
        reason: Box<FormatError>,
    },
    /// A slice of another size or type than the first.
    #[error("is {have}, but the first slice is {first}")]
    Differs {
        /// Shape of this slice.
        have: SliceShape,
        /// Shape of the first slice.
        first: SliceShape,
    },
    /// Slices that do not make a volume together.
    #[error(transparent)]
    Slices(#[from] SlicesError),
    /// More than [`VolumeOpenOptions::max_memory`](super::VolumeOpenOptions::max_memory) allows: a slice, or
    /// a file that comes from a pipe and must be held whole.
    #[error("takes {need} bytes of memory or more, above the {limit} allowed")]
    OverLimit {
        /// Bytes that it takes.
        need: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// There is not enough memory for a slice.
    #[error("{0} bytes of memory are not available")]
    Memory(u64),
    /// What the decoder of a slice says.
    #[error(transparent)]
    Decoder(Box<dyn std::error::Error + Send + Sync>),
    /// The dims, channels or frames are invalid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The caller cancelled the call.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// What the system says.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for FormatError {
    fn from(error: io::Error) -> Self {
        error.downcast().map_or_else(Self::Io, Self::Cancelled)
    }
}

impl FormatError {
    /// Who can do something about it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Unsupported(_) => ErrorKind::Unsupported,
            Self::Memory(_) | Self::OverLimit { .. } => ErrorKind::Limit,
            Self::Slice { reason, .. } => reason.kind(),
            Self::Cancelled(_) => ErrorKind::Cancelled,
            Self::Io(error) => ErrorKind::of_io(error),
            Self::Other(_)
            | Self::Missing(_)
            | Self::Value { .. }
            | Self::Number { .. }
            | Self::Geometry { .. }
            | Self::Short { .. }
            | Self::Long
            | Self::Attribute { .. }
            | Self::Xml { .. }
            | Self::NoNumber { .. }
            | Self::Length { .. }
            | Self::Differs { .. }
            | Self::Slices(_)
            | Self::Decoder(_)
            | Self::Shape(_) => ErrorKind::Invalid,
        }
    }
}

/// Reason why XML cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum XmlFault {
    /// Broken syntax, in the parser's words.
    #[error("{0}")]
    Syntax(String),
    /// Appended data without the underscore before it.
    #[error("appended data does not start with an underscore")]
    NoUnderscore,
}

impl XmlFault {
    /// The error at byte `offset` of the file.
    #[cfg(feature = "io")]
    pub(super) const fn at(self, offset: u64) -> FormatError {
        FormatError::Xml { offset, fault: self }
    }
}

/// A format's error where only the system's are expected.
pub fn into_io(error: FormatError) -> io::Error {
    match error {
        FormatError::Io(error) => error,
        FormatError::Cancelled(cancelled) => io::Error::other(cancelled),
        error => io::Error::new(io::ErrorKind::InvalidData, error),
    }
}

/// A list with an index before each item.
struct List<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, self.0.iter())
    }
}

fn names(found: &[(String, usize)]) -> Vec<String> {
    let shown = |(name, count): &(String, usize)| match name.as_str() {
        "" => format!("names without a number ({count})"),
        name => format!("{name} ({count})"),
    };
    found.iter().map(shown).collect()
}

fn gap(before: &str, after: &str, distances: Option<[f64; 2]>) -> String {
    match distances {
        Some([own, usual]) => format!(
            "{before} and {after} are {own} mm apart, but most slices {usual} mm: a slice is missing, or \
             they are not of one stack"
        ),
        None => format!("between {before} and {after}, a slice is missing or in another place"),
    }
}

/// Why slices do not make a volume together.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SlicesError {
    /// There are none.
    #[error("has no slices: there is no PNG, TIFF or DICOM file in it")]
    None,
    /// Files of several formats.
    #[error("has slices of several formats: {0} and {1}")]
    Formats(String, String),
    /// Several DICOM series or stacks.
    #[error("has {} series, expected one: {}", .0.len(), List(.0))]
    Series(Vec<Series>),
    /// The series that was chosen is not there, or has several stacks.
    #[error("has no series {choice}, or several such: {}", List(found))]
    NoSuchSeries {
        /// The choice.
        choice: SeriesChoice,
        /// The series that are there.
        found: Vec<Series>,
    },
    /// Slices of several kinds of names: those names, with `#` for the number, and the count of their files.
    #[error("has slices of several names, and no majority: {}", List(&names(.0)))]
    Names(Vec<(String, usize)>),
    /// There are no slices of the names that were chosen.
    #[error("has no slices of the names {choice}: {}", List(&names(found)))]
    NoSuchNames {
        /// The choice.
        choice: SeriesChoice,
        /// The names that are there, and the count of their files.
        found: Vec<(String, usize)>,
    },
    /// Numbers in the names of slices that are missing.
    #[error("slices are missing: {name} has no number {missing}")]
    Numbers {
        /// The name, with `#` for the number.
        name: String,
        /// The numbers.
        missing: String,
    },
    /// Two slices in the same place.
    #[error("{0} and {1} lie in the same place")]
    Same(String, String),
    /// A slice that is not where the others say it should be, as when one is missing.
    #[error("{}", gap(before, after, *distances))]
    Gap {
        /// The slice before the place.
        before: String,
        /// The slice after it.
        after: String,
        /// The distance between the two in millimetres, and that between most slices, where they are known.
        distances: Option<[f64; 2]>,
    },
    /// Two slices whose geometry differs.
    #[error("{field} is {first_value} in {first}, but {other_value} in {other}")]
    Geometry {
        /// Name of the field.
        field: &'static str,
        /// The first slice.
        first: String,
        /// Value of the field there.
        first_value: String,
        /// The slice that differs.
        other: String,
        /// Value of the field there.
        other_value: String,
    },
    /// A slice with nothing that says where it belongs.
    #[error("{0} has neither a position nor a number, so its place is unknown")]
    Unordered(String),
}
