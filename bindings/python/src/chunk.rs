//! Chunks of Zarr arrays: voxels to bytes, boxes of bytes to voxels.

use crate::{
    arrays::{Input, Output},
    errors,
    header::{brick_name, brick_of},
    work::Work,
};
use brickwork_volume::{
    self as volume, BrickSize, ChunkError, ChunkOptions, ChunkShape, Dims, Header, ReadAt, Region,
    SuppliedBytes, Task, VolumeReadError, VoxelType, choose_brick_any,
};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyBytes,
};
use std::{
    fs::{self, File},
    io::{self, ErrorKind},
    num::NonZero,
    ops::Range,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
};

/// Bytes of voxels up to which a call ignores signals: they take less than half a second.
const SHORT_BYTES: u64 = 1 << 25;

/// Maximum number of bytes between two ranges that are requested as one.
const MAX_GAP_BYTES: u64 = 4096;

/// Number of bricks that this process has decoded from chunks.
static BRICKS_DECODED: AtomicU64 = AtomicU64::new(0);

/// Sides z, y and x.
type Sides = (usize, usize, usize);

/// Returns the bytes of a chunk: an array of five axes, the first and the last of length 1. `fill` has the
/// bits of the fill value.
#[pyfunction]
#[pyo3(signature = (array, *, brick, fill))]
pub fn encode_chunk(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    brick: &str,
    fill: u64,
) -> PyResult<Py<PyBytes>> {
    let brick = brick_of(brick)?.ok_or_else(|| PyValueError::new_err("a chunk has one size of bricks"))?;
    let options = ChunkOptions::new(brick).with(|o| o.fill = fill);
    let bytes =
        with_view(py, array, NonZero::new(1), |view, task| volume::encode_chunk(view, &options, task))?;
    Ok(PyBytes::new(py, &bytes).unbind())
}

/// Returns the sizes of bricks and the bits per voxel that they give for a sample of an array of five axes.
#[pyfunction]
pub fn brick_sizes(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<Vec<(&'static str, f64)>> {
    let choice = with_view(py, array, None, |view, task| {
        choose_brick_any(view, &Header::new(view.voxel_type(), view.dims()), task)
    })?;
    let names = BrickSize::ALL.iter().map(|&size| brick_name(size));
    Ok(names.zip(choice.bits_per_voxel).collect())
}

/// Calls `job` with the voxels of an array, copied if there are gaps between them.
fn with_view<R: Send>(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    threads: Option<NonZero<usize>>,
    job: impl FnOnce(&volume::AnyView<'_>, &Task<'_>) -> Result<R, volume::VolumeWriteError> + Send,
) -> PyResult<R> {
    let mut input = Input::new(array)?;
    if input.memory().is_none() {
        input = Input::new(&array.call_method1("copy", ("C",))?)?;
    }
    let memory = input.memory().ok_or_else(|| PyValueError::new_err("the array has not five axes"))?;
    let view = memory.frame(0).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let work = Work { threads, ..work(memory.bytes.len()) };
    work.run(py, |task| job(&view, task))?.map_err(errors::of_write)
}

/// Decodes boxes of a chunk of these sides into an array in C order. See [`Boxes`].
#[pyfunction]
pub fn decode_chunk(
    py: Python<'_>,
    data: PyReadonlyArray1<'_, u8>,
    sides: Sides,
    out: &Bound<'_, PyAny>,
    out_sides: Sides,
    boxes: PyReadonlyArray2<'_, u64>,
    places: PyReadonlyArray2<'_, u64>,
) -> PyResult<()> {
    let boxes = Boxes::new(out_sides, &boxes, &places)?;
    let mut output = Output::new(out)?;
    let shape = ChunkShape::new(output.voxel_type(), dims(sides));
    let (data, out) = (data.as_slice()?, output.bytes_mut()?);
    let read = |task: &Task<'_>| {
        let reader = volume::ChunkReader::new(data, &shape)?;
        let read = boxes.read(&reader, out, task);
        BRICKS_DECODED.fetch_add(reader.bricks_decoded(), Ordering::Relaxed);
        read
    };
    work(boxes.byte_count(&shape)).run(py, read)?.map_err(of_chunk)
}

/// Decodes boxes of a chunk in a file as [`decode_chunk`] does, and reads only the bytes that they need.
/// Returns false if there is no such file.
#[pyfunction]
pub fn decode_chunk_file(
    py: Python<'_>,
    path: PathBuf,
    sides: Sides,
    out: &Bound<'_, PyAny>,
    out_sides: Sides,
    boxes: PyReadonlyArray2<'_, u64>,
    places: PyReadonlyArray2<'_, u64>,
) -> PyResult<bool> {
    let boxes = Boxes::new(out_sides, &boxes, &places)?;
    let mut output = Output::new(out)?;
    let shape = ChunkShape::new(output.voxel_type(), dims(sides));
    let out = output.bytes_mut()?;
    let read = |task: &Task<'_>| -> Result<(), ChunkError> {
        let file_type = fs::metadata(&path)?.file_type();
        if file_type.is_dir() {
            return Err(io::Error::from(ErrorKind::IsADirectory).into());
        }
        // Opening a pipe could wait for ever.
        if !file_type.is_file() {
            return Err(io::Error::other("is not a regular file").into());
        }
        let reader = volume::ChunkReader::new(File::open(&path)?, &shape)?;
        let read = boxes.read(&reader, out, task);
        BRICKS_DECODED.fetch_add(reader.bricks_decoded(), Ordering::Relaxed);
        read
    };
    match work(boxes.byte_count(&shape)).run(py, read)? {
        Ok(()) => Ok(true),
        Err(ChunkError::Read(VolumeReadError::Io(error))) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory => Ok(false),
            _ => Err(errors::of_io(error, Some(&path))),
        },
        Err(error) => Err(of_chunk(error)),
    }
}

/// Returns the number of bricks that this process has decoded from chunks.
#[pyfunction]
pub fn bricks_decoded() -> u64 {
    BRICKS_DECODED.load(Ordering::Relaxed)
}

/// An open chunk, whose bytes the caller fetches.
#[pyclass(frozen)]
#[derive(Debug)]
pub struct ChunkReader {
    reader: volume::ChunkReader<SuppliedBytes>,
    /// Bricks that [`BRICKS_DECODED`] contains.
    counted: AtomicU64,
}

#[pymethods]
impl ChunkReader {
    /// Opens a chunk by its last bytes.
    #[new]
    fn new(last: &[u8], sides: Sides, dtype: &str) -> PyResult<Self> {
        let voxel_type = VoxelType::of_numpy_name(dtype)
            .ok_or_else(|| PyTypeError::new_err(format!("chunks have no numbers of the type {dtype}")))?;
        let shape = ChunkShape::new(voxel_type, dims(sides));
        let reader = volume::ChunkReader::from_suffix(last.to_vec(), &shape).map_err(of_chunk)?;
        Ok(Self { reader, counted: AtomicU64::new(0) })
    }

    /// Number of bytes at the chunk's end that opening it requires; `None` if all are required.
    #[staticmethod]
    fn suffix_bytes(last: &[u8]) -> Option<u64> {
        volume::ChunkReader::suffix_bytes(last)
    }

    /// Size of the whole chunk in bytes.
    #[getter]
    fn byte_count(&self) -> u64 {
        self.reader.source().byte_count()
    }

    /// Size of bricks.
    #[getter]
    const fn brick(&self) -> &'static str {
        brick_name(self.reader.brick())
    }

    /// Byte ranges to supply before boxes are read: ascending, without bytes that were supplied before.
    fn ranges(&self, boxes: PyReadonlyArray2<'_, u64>) -> PyResult<Vec<(u64, u64)>> {
        let mut ranges = Vec::new();
        for row in boxes.as_array().rows() {
            let region = region(row.iter().copied())?;
            ranges.extend(self.reader.ranges(&region).map_err(of_chunk)?);
        }
        Ok(joined(ranges))
    }

    /// Supplies the bytes of the chunk from `offset` on.
    fn supply(&self, offset: u64, bytes: &[u8]) -> PyResult<()> {
        self.reader.supply(offset, bytes).map_err(of_chunk)
    }

    /// Decodes boxes into an array in C order. See [`Boxes`].
    fn decode(
        &self,
        py: Python<'_>,
        out: &Bound<'_, PyAny>,
        out_sides: Sides,
        boxes: PyReadonlyArray2<'_, u64>,
        places: PyReadonlyArray2<'_, u64>,
    ) -> PyResult<()> {
        let boxes = Boxes::new(out_sides, &boxes, &places)?;
        let mut output = Output::new(out)?;
        let (have, asked) = (self.reader.shape().voxel_type(), output.voxel_type());
        if have != asked {
            return Err(PyTypeError::new_err(format!("the voxels are {have}, not {asked}")));
        }
        let out = output.bytes_mut()?;
        let work = work(boxes.byte_count(self.reader.shape()));
        let read = work.run(py, |task| boxes.read(&self.reader, out, task))?;
        let decoded = self.reader.bricks_decoded();
        let counted = self.counted.fetch_max(decoded, Ordering::Relaxed);
        BRICKS_DECODED.fetch_add(decoded.saturating_sub(counted), Ordering::Relaxed);
        read.map_err(of_chunk)
    }
}

/// Boxes of a chunk, and their places in an array of windows of equal sides.
#[derive(Debug)]
struct Boxes {
    /// Sides of a window.
    out: Dims,
    /// Boxes, and the place of the first voxel of each, in numbers.
    jobs: Vec<(Region, usize)>,
}

impl Boxes {
    /// Returns the boxes of arrays. A row of `boxes` is the first voxel z, y, x and the sides. A row of
    /// `places` is the window, z, y and x.
    fn new(
        sides: Sides,
        boxes: &PyReadonlyArray2<'_, u64>,
        places: &PyReadonlyArray2<'_, u64>,
    ) -> PyResult<Self> {
        let (out, boxes, places) = (dims(sides), boxes.as_array(), places.as_array());
        let jobs = boxes.rows().into_iter().zip(places.rows()).map(|(one, place)| {
            let region = region(one.iter().copied())?;
            let sides = region.dims();
            // The last window's end is checked by the reader.
            let fits = place.iter().skip(1).zip([(sides.z, out.z), (sides.y, out.y), (sides.x, out.x)]).all(
                |(&at, (side, whole))| {
                    let end = usize::try_from(at).ok().and_then(|at| at.checked_add(side));
                    end.is_some_and(|end| end <= whole)
                },
            );
            let place =
                place.iter().zip([1, out.z, out.y, out.x]).try_fold(0, |first: usize, (&at, side)| {
                    first.checked_mul(side)?.checked_add(usize::try_from(at).ok()?)
                });
            let place = place.filter(|_| fits);
            Ok((region, place.ok_or_else(|| PyValueError::new_err("a place beyond the array"))?))
        });
        Ok(Self { out, jobs: jobs.collect::<PyResult<_>>()? })
    }

    /// Returns the bytes of the boxes, at most those of the chunk.
    fn byte_count(&self, shape: &ChunkShape) -> usize {
        let voxels = |dims: Dims| dims.x.saturating_mul(dims.y).saturating_mul(dims.z);
        let all = self.jobs.iter().map(|(region, _)| voxels(region.dims())).fold(0, usize::saturating_add);
        all.min(voxels(shape.dims())).saturating_mul(shape.voxel_type().byte_count())
    }

    /// Decodes the boxes to their places.
    fn read<S: ReadAt>(
        &self,
        reader: &volume::ChunkReader<S>,
        out: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), ChunkError> {
        reader.read_regions(&self.jobs, self.out, out, task)
    }
}

/// Returns the region of a first voxel z, y, x and sides.
fn region(row: impl Iterator<Item = u64>) -> PyResult<Region> {
    let numbers: Vec<usize> = row.map(|number| usize::try_from(number).unwrap_or(usize::MAX)).collect();
    let [z, y, x, depth, height, width] = numbers[..] else {
        return Err(PyValueError::new_err("a box has a first voxel and three sides"));
    };
    let range = |first: usize, side: usize| first..first.saturating_add(side);
    Ok(Region { x: range(x, width), y: range(y, height), z: range(z, depth) })
}

/// Returns ascending ranges without overlaps, joined where few bytes are between them.
fn joined(mut ranges: Vec<Range<u64>>) -> Vec<(u64, u64)> {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some((_, end)) if range.start < end.saturating_add(MAX_GAP_BYTES) => *end = range.end.max(*end),
            _ => joined.push((range.start, range.end)),
        }
    }
    joined
}

fn dims((z, y, x): Sides) -> Dims {
    Dims::new(x, y, z)
}

/// Returns the extent of a call for so many bytes of voxels, on the calling thread.
fn work(byte_count: usize) -> Work {
    let byte_count = byte_count as u64;
    let byte_count = if byte_count <= SHORT_BYTES { 0 } else { byte_count };
    Work { threads: NonZero::new(1), progress: None, byte_count }
}

/// Returns the exception of a chunk that could not be read.
fn of_chunk(error: ChunkError) -> PyErr {
    match error {
        ChunkError::Read(error) => errors::of_read(error),
        error => errors::of_kind(error.kind(), error.to_string()),
    }
}
