//! Bytes of a file: on disk, in memory, or from a Python object.

use brickwork_volume::ReadAt;
use pyo3::{prelude::*, pybacked::PyBackedBytes};
use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

/// Bytes of a file.
#[derive(Debug)]
pub enum Source {
    /// A file on disk.
    File(File, PathBuf),
    /// Bytes that this library made.
    Memory(Vec<u8>),
    /// A `bytes` object.
    Bytes(PyBackedBytes),
    /// An object with the methods `byte_count()` and `read_at(offset, count)`, called on any thread.
    Object(Py<PyAny>),
}

impl Source {
    /// Returns the path of a file on disk.
    pub fn path(&self) -> Option<&Path> {
        if let Self::File(_, path) = self { Some(path) } else { None }
    }
}

impl ReadAt for Source {
    fn byte_count(&self) -> io::Result<u64> {
        match self {
            Self::File(file, _) => file.byte_count(),
            Self::Memory(bytes) => bytes.byte_count(),
            Self::Bytes(bytes) => bytes[..].byte_count(),
            Self::Object(object) => Python::attach(|py| object.call_method0(py, "byte_count")?.extract(py))
                .map_err(io::Error::other),
        }
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        match self {
            Self::File(file, _) => file.read_exact_at(buffer, offset),
            Self::Memory(bytes) => bytes.read_exact_at(buffer, offset),
            Self::Bytes(bytes) => bytes[..].read_exact_at(buffer, offset),
            Self::Object(object) => {
                let read = |py: Python<'_>| -> PyResult<PyBackedBytes> {
                    let bytes = object.call_method1(py, "read_at", (offset, buffer.len()))?;
                    bytes.extract(py).map_err(PyErr::from)
                };
                let bytes = Python::attach(read).map_err(io::Error::other)?;
                if bytes.len() != buffer.len() {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                buffer.copy_from_slice(&bytes);
                Ok(())
            }
        }
    }

    fn slice_at(&self, offset: u64, byte_count: usize) -> Option<&[u8]> {
        match self {
            Self::Memory(bytes) => bytes.slice_at(offset, byte_count),
            Self::Bytes(bytes) => bytes[..].slice_at(offset, byte_count),
            Self::File(..) | Self::Object(_) => None,
        }
    }
}
