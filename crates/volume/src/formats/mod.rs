//! Files that others read and write.

#[cfg(feature = "io")]
pub mod dicom;
#[cfg(feature = "io")]
pub mod folder;
pub mod gzip;
pub mod metaimage;
pub mod nifti;
pub mod nrrd;
#[cfg(feature = "io")]
mod slice;
#[cfg(feature = "io")]
pub mod tiff_stack;
#[cfg(feature = "io")]
mod voxel_source;
#[cfg(feature = "io")]
pub mod vti;
mod world;

#[cfg(feature = "io")]
pub use voxel_source::{ReadSeek, VoxelSource};

use crate::{ByteOrder, Header, ShapeError, VoxelType};
use std::io::{self, BufRead};

/// A volume's header in another format, and how its voxels follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// What the volume is. The fields that no other has are kept in its metadata.
    pub header: Header,
    /// Which byte of a voxel comes first.
    pub order: ByteOrder,
    /// Where the voxels are.
    pub voxels: Voxels,
}

/// Where voxels are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Voxels {
    /// Right after the header.
    Attached,
    /// In another file, by its name relative to the header's folder, after some bytes.
    Detached {
        /// The file's name.
        name: String,
        /// Bytes to leave out.
        skip: u64,
    },
}

/// Why a header could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file is of another format.
    #[error("is no {0} file")]
    Other(&'static str),
    /// A field is missing.
    #[error("the header has no field {0:?}")]
    Missing(&'static str),
    /// A field says what makes no sense.
    #[error("line {line} of the header, {field:?}: {text:?} is not allowed")]
    Value {
        /// The line, from 1.
        line: usize,
        /// The field's name.
        field: String,
        /// What it says, cut short.
        text: String,
    },
    /// A field of a binary header holds what makes no sense.
    #[error("the header's field {field} is {value}, which is not allowed")]
    Number {
        /// The field's name.
        field: String,
        /// What it holds.
        value: String,
    },
    /// The file ends before its voxels.
    #[error("the header has {have} bytes, {need} are needed")]
    Short {
        /// Bytes needed.
        need: u64,
        /// Bytes there.
        have: u64,
    },
    /// A field asks for what is not supported.
    #[error("{0} is not supported")]
    Unsupported(String),
    /// The header does not end within a megabyte.
    #[error("the header does not end within {MAX_HEADER} bytes")]
    Long,
    /// An attribute of an XML element says what makes no sense.
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
    #[error("byte {offset}: {reason}")]
    Xml {
        /// Where in the file.
        offset: u64,
        /// What is wrong.
        reason: String,
    },
    /// A number in text that the voxels' type does not hold.
    #[error("{text:?} is no {voxel_type}")]
    NoNumber {
        /// The number, cut short.
        text: String,
        /// The type.
        voxel_type: VoxelType,
    },
    /// Bytes in a count that does not fit the dims.
    #[error("{part} has {have} bytes, {need} are needed")]
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
    #[error("is {have}, the first slice is {first}")]
    Differs {
        /// This slice's.
        have: String,
        /// The first slice's.
        first: String,
    },
    /// Slices that make no volume together.
    #[error(transparent)]
    Slices(#[from] SlicesError),
    /// What a decoder of slices says.
    #[error(transparent)]
    Decoder(Box<dyn std::error::Error + Send + Sync>),
    /// Dims of no volume.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// What the system says.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Why slices make no volume together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SlicesError {
    /// There are none.
    #[error("has no slices: no file of PNG, TIFF or DICOM")]
    None,
    /// Files of several formats.
    #[error("has slices of several formats: {0} and {1}")]
    Formats(String, String),
    /// Several series, each with a file of it.
    #[error("has {} series, a folder for each is wanted: {}", .0.len(), .0.join(", "))]
    Series(Vec<String>),
    /// Two slices in the same place.
    #[error("{0} and {1} lie in the same place")]
    Same(String, String),
    /// A slice that is not where the others let expect it, so that one is missing.
    #[error(
        "{0} and {1} do not lie next to each other as the other slices do; one is missing, or they are not parallel"
    )]
    Gap(String, String),
    /// Nothing says in which order the slices come.
    #[error("nothing says where {0} lies: it has neither a position nor a number")]
    Unordered(String),
}

/// Bytes that a header may have.
const MAX_HEADER: usize = 1 << 20;

/// The distance between frames in seconds, where it is known.
fn frame_step(header: &Header) -> Option<f64> {
    Some(header.frame_spacing).filter(|step| step.is_normal() && *step > 0.0)
}

/// Text as an error may show it.
fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Reads a line without its end; `None` at the end of the file. `read` counts the header's bytes.
fn line(source: &mut dyn BufRead, read: &mut usize) -> Result<Option<String>, FormatError> {
    let mut bytes = Vec::new();
    let left = (MAX_HEADER - *read) as u64;
    let count = io::Read::take(source, left).read_until(b'\n', &mut bytes)?;
    *read += count;
    if count == 0 {
        return if left == 0 { Err(FormatError::Long) } else { Ok(None) };
    }
    while matches!(bytes.last(), Some(b'\n' | b'\r')) {
        bytes.pop();
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, Spacing, WriteError};

    /// A header that has a place and directions of its own.
    pub fn posed(voxel_type: VoxelType, dims: Dims) -> Header {
        let mut header = Header::new(voxel_type, dims);
        header.spacing = Spacing { x: 0.5, y: 0.25, z: 2.0 };
        header.origin = [1.5, -2.0, 3.0];
        header.orientation = [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        header
    }

    /// What `read` makes of what `write` has written, which must end where the voxels start.
    pub fn read_back(
        header: &Header,
        write: impl Fn(&Header, &mut dyn io::Write) -> Result<(), WriteError>,
        read: impl Fn(&mut dyn BufRead) -> Result<Source, FormatError>,
    ) -> Source {
        let mut bytes = Vec::new();
        write(header, &mut bytes).expect("memory");
        bytes.extend_from_slice(b"voxels");
        let mut rest = bytes.as_slice();
        let source = read(&mut rest).expect("our own header");
        assert_eq!(rest, b"voxels");
        source
    }
}
