//! Errors of opening a volume.

use crate::{
    JpegFault, Series, SeriesChoice, SliceShape, UnsupportedFeature, geometry::GeometryFault,
    header_text::MAX_HEADER, series::write_list,
};
use brickwork_volume::{Cancelled, ErrorKind, ForeignError, ShapeError, VolumeReadError, VoxelType};
use std::{
    fmt, io,
    path::{Path, PathBuf},
};

/// Reason why [`open`](crate::open) could not open a volume.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Raw voxels without a description of their dims and type.
    #[error("raw voxels need a description: dims and type")]
    Undescribed,
    /// Description of raw voxels ([`VolumeOpenOptions::raw`](crate::VolumeOpenOptions::raw)) for a file that
    /// describes its voxels itself.
    #[error("the file describes its own voxels")]
    Described,
    /// Impossible description of raw voxels, or impossible region of a `.bwv` file.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Error in a `.bwv` file.
    #[error(transparent)]
    Bwv(#[from] VolumeReadError),
    /// Error in a file of another format.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// Error in the file with the voxels of a header.
    #[error("{}: {reason}", path.display())]
    VoxelFile {
        /// Path of the file with the voxels.
        path: PathBuf,
        /// Reason for the error.
        reason: Box<OpenError>,
    },
    /// Call that the caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Error of the operating system.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        error.downcast().map_or_else(Self::Io, Self::Cancelled)
    }
}

impl OpenError {
    /// Returns the kind of the error: who can act on it.
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

    /// Returns the file with the voxels and its error, if the error is not in the opened file itself.
    pub fn voxel_file(&self) -> Option<(&Path, &Self)> {
        if let Self::VoxelFile { path, reason } = self { Some((path, reason)) } else { None }
    }
}

/// Reason why a file of a format other than `.bwv` could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// File of another format.
    #[error("not a {0} file")]
    Other(&'static str),
    /// Small file in place of the volume, which Git LFS or git-annex stores elsewhere.
    #[error("is a pointer of {program}, not the file itself: run `{command}`")]
    Pointer {
        /// Name of the program.
        program: &'static str,
        /// Command that fetches the file.
        command: &'static str,
    },
    /// Missing field.
    #[error("the header has no field {0:?}")]
    Missing(&'static str),
    /// Field with a value that is not allowed.
    #[error("line {line} of the header, {field:?}: {text:?} is not allowed")]
    Value {
        /// Number of the line, from 1.
        line: usize,
        /// Name of the field.
        field: String,
        /// Value of the field, cut short.
        text: String,
    },
    /// Field of a binary header with a value that is not allowed.
    #[error("the header's field {field} is {value}, which is not allowed")]
    Number {
        /// Name of the field.
        field: String,
        /// Value of the field.
        value: String,
    },
    /// Unusable value in a field of the geometry or of physical values.
    #[error("the header's field {field} is {value:?}: {fault}")]
    Geometry {
        /// Name of the field.
        field: String,
        /// Value of the field as text, cut short.
        value: String,
        /// Reason for the refusal.
        fault: GeometryFault,
    },
    /// End of the file before its voxels.
    #[error("the header has {have} bytes, expected {need}")]
    Short {
        /// Number of bytes needed.
        need: u64,
        /// Number of bytes in the file.
        have: u64,
    },
    /// Property of a valid file that is not supported.
    #[error("{0} is not supported")]
    Unsupported(UnsupportedFeature),
    /// Header that does not end within a megabyte.
    #[error("the header does not end within {MAX_HEADER} bytes")]
    Long,
    /// Attribute of an XML element with a value that is not allowed.
    #[error("<{element} {attribute}={text:?}> is not allowed")]
    Attribute {
        /// Name of the element, cut short.
        element: String,
        /// Name of the attribute.
        attribute: &'static str,
        /// Value of the attribute, cut short; empty if the attribute is missing.
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
        /// Text in place of the number, cut short.
        text: String,
        /// Type of the voxels.
        voxel_type: VoxelType,
    },
    /// Part of a file with more or fewer bytes than the header requires.
    #[error("{part} has {have} bytes, expected {need}")]
    Length {
        /// Name of the part.
        part: &'static str,
        /// Number of bytes needed.
        need: u64,
        /// Number of bytes in the part.
        have: u64,
    },
    /// List of a file with more or fewer items than the header requires.
    #[error("{part} has {have} {items}, expected {need}")]
    Count {
        /// Name of the list.
        part: &'static str,
        /// Name of the items, in the plural.
        items: &'static str,
        /// Number of items needed.
        need: u64,
        /// Number of items in the list.
        have: u64,
    },
    /// Error in a slice.
    #[error("{slice}: {reason}")]
    Slice {
        /// Name of the slice: a file, or a page.
        slice: String,
        /// Reason for the error.
        reason: Box<FormatError>,
    },
    /// Slice whose size or type differs from that of the first.
    #[error("is {have}, but the first slice is {first}")]
    Differs {
        /// Shape of this slice.
        have: SliceShape,
        /// Shape of the first slice.
        first: SliceShape,
    },
    /// Slices that do not form a volume.
    #[error(transparent)]
    Slices(#[from] SlicesError),
    /// Slice, or file from a pipe that must be held as a whole, above the limit
    /// [`VolumeOpenOptions::max_memory`](crate::VolumeOpenOptions::max_memory).
    #[error("takes {need} bytes of memory or more, above the {limit} allowed")]
    OverLimit {
        /// Number of bytes needed.
        need: u64,
        /// Number of bytes allowed.
        limit: u64,
    },
    /// Slice for which there is not enough memory.
    #[error("{0} bytes of memory are not available")]
    Memory(u64),
    /// Damage of a JPEG image in a DICOM file.
    #[error(transparent)]
    Jpeg(#[from] JpegFault),
    /// Error of a slice's decoder.
    #[error(transparent)]
    Decoder(Box<dyn std::error::Error + Send + Sync>),
    /// Error in an entry of a Zarr folder.
    #[error("{key}: {reason}")]
    Zarr {
        /// Path of the entry within the folder, such as `0/c/1/0/2`.
        key: String,
        /// Reason for the error.
        reason: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Invalid dims, channels or frames.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Call that the caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Error of the operating system.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for FormatError {
    fn from(error: io::Error) -> Self {
        error.downcast().map_or_else(Self::Io, Self::Cancelled)
    }
}

impl FormatError {
    /// Returns the kind of the error: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Unsupported(_) => ErrorKind::Unsupported,
            Self::Memory(_) | Self::OverLimit { .. } => ErrorKind::Limit,
            Self::Slice { reason, .. } => reason.kind(),
            Self::Cancelled(_) => ErrorKind::Cancelled,
            Self::Io(error) => ErrorKind::of_io(error),
            #[cfg(feature = "io")]
            Self::Decoder(error) if error.is::<tiff::TiffUnsupportedError>() => ErrorKind::Unsupported,
            Self::Other(_)
            | Self::Pointer { .. }
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
            | Self::Count { .. }
            | Self::Differs { .. }
            | Self::Slices(_)
            | Self::Jpeg(_)
            | Self::Decoder(_)
            | Self::Zarr { .. }
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
    /// Returns the error with its position, byte `offset` of the file.
    #[cfg(feature = "io")]
    pub(crate) const fn at(self, offset: u64) -> FormatError {
        FormatError::Xml { offset, fault: self }
    }
}

/// Wraps a format's error in an [`io::Error`], from which
/// [`VoxelStreamError`](brickwork_volume::VoxelStreamError) takes it out again. Errors of the operating
/// system stay as they are.
pub fn into_io(error: FormatError) -> io::Error {
    match error {
        FormatError::Io(error) => error,
        FormatError::Cancelled(cancelled) => io::Error::other(cancelled),
        error => io::Error::new(io::ErrorKind::InvalidData, ForeignError::new(error.kind(), error)),
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
             they belong to different stacks"
        ),
        None => format!("between {before} and {after}, a slice is missing or in another place"),
    }
}

/// Reason why slices do not form a volume.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SlicesError {
    /// Folder without slices.
    #[error("has no slices: there is no PNG, TIFF or DICOM file in it")]
    None,
    /// Slices of several formats.
    #[error("has slices of several formats: {0} and {1}")]
    Formats(String, String),
    /// Slices with different palettes, whose indices mean different colours.
    #[error("has slices with different palettes: {0} and {1}")]
    Palettes(String, String),
    /// Several DICOM series or stacks.
    #[error("has {} series, expected one: {}", .0.len(), List(.0))]
    Series(Vec<Series>),
    /// Chosen series that does not exist or has several stacks.
    #[error("no single series matches {choice}: {}", List(found))]
    NoSuchSeries {
        /// Choice of the caller.
        choice: SeriesChoice,
        /// Series that exist.
        found: Vec<Series>,
    },
    /// Slices with several patterns of names. Each pattern has `#` for the number, and the count of its
    /// files.
    #[error("has slices of several names, and no majority: {}", List(&names(.0)))]
    Names(Vec<(String, usize)>),
    /// Chosen pattern of names without slices.
    #[error("has no slices of the names {choice}: {}", List(&names(found)))]
    NoSuchNames {
        /// Choice of the caller.
        choice: SeriesChoice,
        /// Patterns that exist, and the count of their files.
        found: Vec<(String, usize)>,
    },
    /// Numbers that are missing in the names of slices.
    #[error("slices are missing: {name} has no number {missing}")]
    Numbers {
        /// Pattern of the names, with `#` for the number.
        name: String,
        /// Missing numbers, as text.
        missing: String,
    },
    /// Two slices at the same position.
    #[error("{0} and {1} are at the same position")]
    Same(String, String),
    /// Slice away from the position that the others imply, as when one is missing.
    #[error("{}", gap(before, after, *distances))]
    Gap {
        /// Slice before the gap.
        before: String,
        /// Slice after the gap.
        after: String,
        /// Distance between the two in millimetres, and distance between most slices, if both are known.
        distances: Option<[f64; 2]>,
    },
    /// Two slices whose geometry differs.
    #[error("{field} is {first_value} in {first}, but {other_value} in {other}")]
    Geometry {
        /// Name of the field.
        field: &'static str,
        /// Name of the first slice.
        first: String,
        /// Value of the field in the first slice.
        first_value: String,
        /// Name of the slice that differs.
        other: String,
        /// Value of the field in the slice that differs.
        other_value: String,
    },
    /// Slice with neither a position nor a number.
    #[error("{0} has neither a position nor a number, so its place is unknown")]
    Unordered(String),
}
