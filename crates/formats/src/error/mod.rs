//! Errors of opening and writing a volume, and the faults and features that they name.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs`, `slices_error.rs`, `write_error.rs` | errors of reading; of slices; of writing |
//! | `geometry_fault.rs`, `jpeg_fault.rs` | reasons for a refusal |
//! | `unsupported/` | properties that are not supported, an enum per format |

mod geometry_fault;
mod jpeg_fault;
mod slices_error;
mod unsupported;
mod write_error;

pub use geometry_fault::GeometryFault;
pub use jpeg_fault::JpegFault;
pub use slices_error::SlicesError;
pub use unsupported::{
    DicomFeature, ImageFeature, JpegFeature, MetaImageFeature, MghFeature, MrcFeature, NiftiFeature,
    NpyFeature, NrrdFeature, PageStackFeature, TiffColor, TiffFeature, UnsupportedFeature, UnwritableFeature,
    VtiFeature, ZarrFeature,
};
pub use write_error::WriteError;

use crate::{AxisOrder, SliceShape, VolumeFormat, words::list};
use brickwork_volume::{Cancelled, ErrorKind, ForeignError, ShapeError, VolumeReadError, VoxelType};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Maximum size of a header in bytes.
pub const MAX_HEADER: usize = 1 << 20;

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
    /// Name of an array ([`VolumeOpenOptions::array`](crate::VolumeOpenOptions::array)) for a format without
    /// arrays by name.
    #[error("{} files have no arrays by name; VTI files have", .0.title())]
    Arrays(VolumeFormat),
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
            Self::Undescribed | Self::Described | Self::Arrays(_) | Self::Shape(_) => ErrorKind::Argument,
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
    /// Chosen array that a file does not have.
    #[error("there is no array {name:?}: {}", list(found, ", "))]
    NoArray {
        /// Name of the array.
        name: String,
        /// Names of the arrays that exist, cut short.
        found: Vec<String>,
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
    /// File with fewer voxels than the header requires. Raw voxels: also with more.
    #[error(
        "expected {need} bytes of voxels, {}",
        if have > need { "but there are more".to_owned() } else { format!("but there are {have}") }
    )]
    Voxels {
        /// Number of bytes needed.
        need: u64,
        /// Number of bytes in the file.
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
    /// Axes ([`VolumeOpenOptions::axes`](crate::VolumeOpenOptions::axes)) for a file that names its own.
    #[error("the file names its own axes: only arrays of NumPy, and of Zarr without names, need them")]
    NamedAxes,
    /// Axes for an array that has more or fewer.
    #[error("{order} are {} axes, but the array's shape is ({shape})", order.axes().len())]
    AxisCount {
        /// The named axes.
        order: AxisOrder,
        /// Shape of the array, cut short.
        shape: String,
    },
    /// Invalid dims, channels or frames, or a selected part that the file lacks.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Call that the caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Error of the operating system.
    #[error(transparent)]
    Io(io::Error),
}

impl<F: Into<UnsupportedFeature>> From<F> for FormatError {
    fn from(feature: F) -> Self {
        Self::Unsupported(feature.into())
    }
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
            Self::NoArray { .. } => ErrorKind::Argument,
            Self::Unsupported(_) => ErrorKind::Unsupported,
            Self::NamedAxes | Self::AxisCount { .. } | Self::Shape(ShapeError::Selected { .. }) => {
                ErrorKind::Argument
            }
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
            | Self::Voxels { .. }
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
