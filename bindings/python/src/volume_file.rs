//! An open `.bwv` file.

use crate::{arrays::Output, errors, header::Header, save::save, source::Source, work::Work};
use brickwork_base::Task;
use brickwork_volume::{self as volume, Dims, ReadAt, Region, Selection, Strides};
use numpy::PyReadonlyArray2;
use pyo3::{exceptions::PyTypeError, prelude::*, pybacked::PyBackedBytes, types::PyBytes};
use std::{
    fs::File,
    io::{self, Write},
    num::NonZero,
    path::{Path, PathBuf},
};

/// An open `.bwv` file.
#[pyclass(frozen)]
#[derive(Debug)]
pub struct VolumeFile(pub volume::VolumeFile<Source>);

impl VolumeFile {
    /// Reads header and index.
    ///
    /// # Errors
    /// `FormatError` if the file breaks the format's rules, `OSError` from the source.
    pub fn new(py: Python<'_>, source: Source) -> PyResult<Self> {
        let path = source.path().map(Path::to_owned);
        py.detach(|| volume::VolumeFile::new(source)).map(Self).map_err(|reason| {
            errors::of_read(match path {
                Some(path) => volume::VolumeReadError::File { path, reason: Box::new(reason) },
                None => reason,
            })
        })
    }

    /// Returns an array to fill with voxels of the file's type.
    fn output<'py>(&self, array: &Bound<'py, PyAny>) -> PyResult<Output<'py>> {
        let output = Output::new(array)?;
        let (have, asked) = (self.0.header().voxel_type, output.voxel_type());
        if have == asked {
            Ok(output)
        } else {
            Err(PyTypeError::new_err(format!("the voxels are {have}, not {asked}")))
        }
    }

    /// Returns an error with the path of the file.
    fn error(&self, reason: volume::VolumeReadError) -> PyErr {
        errors::of_read(match self.0.source().path() {
            Some(path) => volume::VolumeReadError::File { path: path.to_owned(), reason: Box::new(reason) },
            None => reason,
        })
    }
}

#[pymethods]
impl VolumeFile {
    /// Opens a file on disk.
    #[staticmethod]
    fn from_path(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let file = py.detach(|| File::open(&path)).map_err(|error| errors::of_io(error, Some(&path)))?;
        // The process may change its folder before it pickles or renders the volume.
        let path = std::path::absolute(&path).unwrap_or(path);
        Self::new(py, Source::File(file, path))
    }

    /// Opens the bytes of a file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: PyBackedBytes) -> PyResult<Self> {
        Self::new(py, Source::Bytes(bytes))
    }

    /// Opens a file by an object with `byte_count()` and `read_at(offset, count)`.
    #[staticmethod]
    fn from_reader(py: Python<'_>, reader: Py<PyAny>) -> PyResult<Self> {
        Self::new(py, Source::Object(reader))
    }

    /// Description of the volume.
    #[getter]
    fn header(&self) -> Header {
        Header(self.0.header().clone())
    }

    /// Size of the file in bytes.
    #[getter]
    const fn file_bytes(&self) -> u64 {
        self.0.file_bytes()
    }

    /// Number of slices that are stored together.
    #[getter]
    fn slab_depth(&self) -> usize {
        self.0.slab_depth()
    }

    /// Reads a region into an array in C order: its frames, z, y, x and channels.
    #[expect(clippy::too_many_arguments, reason = "called only by the package, by keyword")]
    #[pyo3(signature = (out, *, mip_level, frames, z, y, x, channel, threads, progress))]
    fn read_into(
        &self,
        py: Python<'_>,
        out: &Bound<'_, PyAny>,
        mip_level: usize,
        frames: (usize, usize),
        z: (usize, usize),
        y: (usize, usize),
        x: (usize, usize),
        channel: Option<usize>,
        threads: Option<NonZero<usize>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let mut output = self.output(out)?;
        let region = Region { x: x.0..x.1, y: y.0..y.1, z: z.0..z.1 };
        let selection = Selection { mip_level, frames: Some(frames.0..frames.1), channel };
        let channels = if channel.is_some() { 1 } else { self.0.header().channels };
        let strides = Strides::dense(region.dims(), channels);
        let bytes = output.bytes_mut()?;
        let byte_count = extent(bytes, frames.1.saturating_sub(frames.0), region.dims());
        let work = Work { threads, progress, byte_count };
        work.run(py, |task| self.0.read_bytes_into(&selection, &region, bytes, &strides, task))?
            .map_err(|error| self.error(error))
    }

    /// Reads windows of `dims` voxels at `origins` into an array in C order: windows, frames, z, y, x and
    /// channels. Origins and dims are z, y, x.
    #[pyo3(signature = (out, origins, dims, *, mip_level, threads, progress))]
    #[expect(clippy::too_many_arguments, reason = "called only by the package, by keyword")]
    fn windows_into(
        &self,
        py: Python<'_>,
        out: &Bound<'_, PyAny>,
        origins: PyReadonlyArray2<'_, u64>,
        dims: (usize, usize, usize),
        mip_level: usize,
        threads: Option<NonZero<usize>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let mut output = self.output(out)?;
        let as_index = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let origins: Vec<_> = origins
            .as_array()
            .rows()
            .into_iter()
            .map(|row| (as_index(row[2]), as_index(row[1]), as_index(row[0])))
            .collect();
        let dims = Dims::new(dims.2, dims.1, dims.0);
        let selection = Selection { mip_level, ..Selection::default() };
        let bytes = output.bytes_mut()?;
        let byte_count = extent(bytes, origins.len() * self.0.header().frames, dims);
        let work = Work { threads, progress, byte_count };
        work.run(py, |task| self.0.read_windows(&selection, &origins, dims, bytes, task))?
            .map_err(|error| self.error(error))
    }

    /// Reads everything, and returns a text for each damaged part.
    #[pyo3(signature = (*, threads, progress))]
    fn verify(
        &self,
        py: Python<'_>,
        threads: Option<NonZero<usize>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<String>> {
        let work = Work { threads, progress, byte_count: u64::MAX };
        let found = work.run(py, |task| self.0.verify(task))?.map_err(|error| self.error(error))?;
        Ok(found.iter().map(ToString::to_string).collect())
    }

    /// Bytes of the file.
    fn to_bytes(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        let read = |buffer: &mut [u8]| {
            py.detach(|| self.0.source().read_exact_at(buffer, 0))
                .map_err(|error| self.error(volume::VolumeReadError::Io(error)))
        };
        let byte_count = usize::try_from(self.0.file_bytes())?;
        PyBytes::new_with(py, byte_count, read).map(Bound::unbind)
    }

    /// Writes a copy of the file, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let byte_count = self.0.file_bytes();
        let write = |writer: &mut dyn Write, task: &Task<'_>| -> io::Result<()> {
            let mut buffer = vec![0; 1 << 20];
            let mut done = 0;
            while done < byte_count {
                task.check().map_err(io::Error::other)?;
                let count = buffer.len().min((byte_count - done) as usize);
                self.0.source().read_exact_at(&mut buffer[..count], done)?;
                writer.write_all(&buffer[..count])?;
                done += count as u64;
            }
            Ok(())
        };
        save(py, &path, overwrite, byte_count, write, |error| errors::of_io(error, Some(&path)))
    }

    /// Path of the file, if it is on disk.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.0.source().path().map(Path::to_owned)
    }

    /// Object that reads the file, if there is one.
    #[getter]
    fn reader(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        if let Source::Object(reader) = self.0.source() { Some(reader.clone_ref(py)) } else { None }
    }
}

/// Maximum number of chunks that a call on the calling thread reads.
const SHORT_CHUNKS: usize = 64;

/// Returns the bytes of a call that reads boxes of these dims, for [`Work`]: all, if the voxels are in many
/// chunks.
const fn extent(bytes: &[u8], boxes: usize, dims: Dims) -> u64 {
    // No chunk is smaller than 32×32×8 voxels.
    let chunks = (dims.x / 32 + 2).saturating_mul(dims.y / 32 + 2).saturating_mul(dims.z / 8 + 2);
    if boxes.saturating_mul(chunks) <= SHORT_CHUNKS { bytes.len() as u64 } else { u64::MAX }
}

/// Bytes of an open volume.
#[derive(Debug)]
pub struct SharedSource(pub Py<VolumeFile>);

impl SharedSource {
    fn source(&self) -> &Source {
        self.0.get().0.source()
    }
}

impl ReadAt for SharedSource {
    fn byte_count(&self) -> io::Result<u64> {
        self.source().byte_count()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.source().read_exact_at(buffer, offset)
    }

    fn slice_at(&self, offset: u64, byte_count: usize) -> Option<&[u8]> {
        self.source().slice_at(offset, byte_count)
    }
}
