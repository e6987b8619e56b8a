//! Files that others read and write.

pub mod gzip;
pub mod metaimage;
pub mod nifti;
pub mod nrrd;

use crate::{ByteOrder, Header};
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
    /// What the system says.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Bytes that a header may have.
const MAX_HEADER: usize = 1 << 20;

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
