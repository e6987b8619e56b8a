//! A volume file of any format.

use crate::{arrays::Output, errors, header::Header, work::Work};
use brickwork_base::{ErrorKind, Task};
use brickwork_formats::{AxisOrder, Note, OpenedVolume, SeriesChoice, VolumeOpenOptions, open};
use brickwork_volume::{ByteOrder, Region, Selection, ShapeError, Stage, VoxelStreamError};
use pyo3::{
    exceptions::{PyRuntimeError, PyValueError},
    prelude::*,
};
use std::{
    io::Read as _,
    num::NonZero,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

/// Bytes that are read at a time.
const PIECE_BYTES: usize = 1 << 22;

/// An open volume of any format, whose voxels can be read once.
#[pyclass(frozen)]
#[derive(Debug)]
pub struct AnyVolume {
    path: PathBuf,
    header: Header,
    notes: Vec<String>,
    /// The only frame that is read, if one is chosen.
    frame: Option<usize>,
    volume: Mutex<Option<OpenedVolume>>,
}

/// Opens a mip level of a file or folder of any format, for all frames and channels or one. `rescale`
/// replaces stored numbers by physical values.
///
/// # Errors
/// `ValueError` if there is no such frame or channel; the error of `errors::of_open`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "called only by the package, by keyword")]
#[pyo3(signature = (path, *, series, array, allow_gaps, axes, level, frame, channel, rescale, progress))]
pub fn open_volume(
    py: Python<'_>,
    path: PathBuf,
    series: Option<&str>,
    array: Option<String>,
    allow_gaps: bool,
    axes: Option<&str>,
    level: usize,
    frame: Option<usize>,
    channel: Option<usize>,
    rescale: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<AnyVolume> {
    let axes = axes.map(str::parse::<AxisOrder>).transpose();
    let axes = axes.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let options = VolumeOpenOptions::default().with(|o| {
        o.axes = axes;
        o.series = series.map(SeriesChoice::of);
        o.array = array;
        o.allow_gaps = allow_gaps;
        o.mip_level = level;
        o.channel = channel;
    });
    // A folder may have thousands of files.
    let work = || Work { threads: None, progress: None, byte_count: u64::MAX };
    let volume = work().run(py, |task| open(&path, &options, task))?;
    let mut volume = volume.map_err(|error| errors::of_open(error, &path))?;
    let count = volume.header.frames;
    if let Some(index) = frame.filter(|&index| index >= count) {
        let error = ShapeError::Selected { what: "frame", index, count };
        return Err(errors::of_kind(ErrorKind::Argument, format!("{}: {error}", path.display())));
    }
    let text = |note: &Note| match note {
        Note::OtherArrays { .. } => format!("{note}; array=NAME reads another"),
        note => note.to_string(),
    };
    let mut notes: Vec<_> = volume.notes.iter().map(text).collect();
    if rescale && volume.header.rescaling().is_some() {
        // (To find their type, all voxels may be read.)
        let physical =
            Work { progress, ..work() }.run(py, |task| brickwork_formats::rescale(volume, task))?;
        volume = physical.map_err(|error| errors::of_stream(error, &path))?;
    } else if rescale {
        notes.push("neither slope nor intercept is known; the numbers stay as they are stored".to_owned());
    }
    let selection = Selection { mip_level: 0, frames: frame.map(|frame| frame..frame + 1), channel: None };
    let header = Header(volume.header.of_part(&selection, &Region::all(volume.header.dims)));
    Ok(AnyVolume { path, header, notes, frame, volume: Mutex::new(Some(volume)) })
}

#[pymethods]
impl AnyVolume {
    /// Description of the volume.
    #[getter]
    fn header(&self) -> Header {
        self.header.clone()
    }

    /// Notes on the reading, such as on parts of the file that are left out.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// Name of the format.
    #[getter]
    fn format(&self) -> PyResult<&'static str> {
        let volume = self.volume.lock().unwrap_or_else(PoisonError::into_inner);
        volume.as_ref().map(|volume| volume.format.name()).ok_or_else(read_before)
    }

    /// Reads the chosen voxels into an array in C order: frames, z, y, x and channels.
    #[pyo3(signature = (out, *, progress))]
    fn read_into(&self, py: Python<'_>, out: &Bound<'_, PyAny>, progress: Option<Py<PyAny>>) -> PyResult<()> {
        let taken = self.volume.lock().unwrap_or_else(PoisonError::into_inner).take();
        let OpenedVolume { header, order, voxels, .. } = taken.ok_or_else(read_before)?;
        let mut output = Output::new(out)?;
        let bytes = output.bytes_mut()?;
        let swap = if order == ByteOrder::NATIVE { 1 } else { header.voxel_type.byte_count() };
        let work = Work { threads: NonZero::new(1), progress, byte_count: u64::MAX };
        let read = move |task: &Task<'_>| -> Result<(), VoxelStreamError> {
            let total = bytes.len() as u64;
            let mut done = 0;
            let mut voxels = voxels.stopped_by(task);
            voxels.skip(total * self.frame.unwrap_or(0) as u64)?;
            for piece in bytes.chunks_mut(PIECE_BYTES) {
                task.check()?;
                voxels.read_exact(piece)?;
                if swap > 1 {
                    piece.chunks_exact_mut(swap).for_each(<[u8]>::reverse);
                }
                done += piece.len() as u64;
                task.report(Stage::Reading, done, total);
            }
            Ok(())
        };
        work.run(py, read)?.map_err(|error| errors::of_stream(error, &self.path))
    }
}

fn read_before() -> PyErr {
    PyRuntimeError::new_err("the voxels were read before")
}
