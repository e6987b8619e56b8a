//! Renderings and slices of volumes.

use crate::{
    errors,
    save::save,
    volume_file::{SharedSource, VolumeFile},
    work::Work,
};
use brickwork_formats::VolumeOpenOptions;
use brickwork_image::image_file::ImageWriteError;
use brickwork_toolkit::{
    device::{AdapterChoice, DeviceChoice, Devices},
    volume::{
        Overlay, OverlayOptions, RenderOptions, Renderings, SliceImage, SliceOptions, SlicePixels,
        VolumeError, VolumeInput, VolumePart, encode_rendering, encode_slice, read_slice,
    },
};
use brickwork_volume::Task;
use pyo3::{
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    pybacked::PyBackedBytes,
    types::PyBytes,
};
use std::{
    io::Write,
    num::NonZero,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// A volume: an open `.bwv` file, or the path of a file of any format.
#[derive(FromPyObject)]
pub enum VolumeSource {
    File(Py<VolumeFile>),
    Path(PathBuf),
}

impl VolumeSource {
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::File(file) => file.get().0.source().path(),
        }
    }

    fn open(self, task: &Task<'_>) -> Result<VolumeInput, VolumeError> {
        Ok(match self {
            Self::Path(path) => VolumeInput::open(path, &VolumeOpenOptions::default(), task)?,
            Self::File(file) => VolumeInput::from_bwv(SharedSource(file))?,
        })
    }
}

/// Labels over an image: their volume, and options of the program by their names.
type Labels = (VolumeSource, Vec<(String, String)>);

/// Returns the options of labels.
fn overlay_options(labels: Option<&Labels>) -> PyResult<OverlayOptions> {
    let mut options = OverlayOptions::default();
    for (name, value) in labels.map(|(_, settings)| settings).into_iter().flatten() {
        options.set(name, value).map_err(|error| errors::of_volume(error, None))?;
    }
    Ok(options)
}

/// Opens the labels of a part of a volume.
fn open_overlay(
    labels: Option<Labels>,
    part: &VolumePart,
    options: OverlayOptions,
    task: &Task<'_>,
) -> Result<Option<Overlay>, VolumeError> {
    let Some((source, _)) = labels else { return Ok(None) };
    let input = source.open(task).map_err(VolumeError::of_overlay)?;
    Overlay::new(input, part, options).map(Some)
}

/// Paths of a volume and of the labels over it, if they are on disk.
struct Paths(Option<PathBuf>, Option<PathBuf>);

impl Paths {
    fn of(source: &VolumeSource, labels: Option<&Labels>) -> Self {
        let owned = |source: &VolumeSource| source.path().map(Path::to_owned);
        Self(owned(source), labels.and_then(|(labels, _)| owned(labels)))
    }

    /// Returns the exception with the path of the file at fault.
    fn error(&self, error: VolumeError) -> PyErr {
        match error {
            VolumeError::Overlay(error) => errors::of_volume(*error, self.1.as_deref()),
            error @ VolumeError::OverlayChannels(_) => errors::of_volume(error, self.1.as_deref()),
            error => errors::of_volume(error, self.0.as_deref()),
        }
    }
}

/// A loaded volume and its cameras.
#[pyclass(frozen)]
#[derive(Debug)]
pub struct Scene {
    renderings: Mutex<Renderings>,
    path: Option<PathBuf>,
    notes: Vec<String>,
}

/// Loads a volume, with options of the program by their names.
#[pyfunction]
#[pyo3(signature = (source, settings, labels, device, *, threads, progress))]
pub fn open_scene(
    py: Python<'_>,
    source: VolumeSource,
    settings: Vec<(String, String)>,
    labels: Option<Labels>,
    device: &str,
    threads: Option<NonZero<usize>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Scene> {
    let choice = match device {
        "cpu" => DeviceChoice::Cpu,
        "gpu" => DeviceChoice::Gpu(AdapterChoice::Best),
        "auto" => DeviceChoice::Auto,
        other => {
            let text = format!("device is {other:?}; it must be \"cpu\", \"gpu\" or \"auto\"");
            return Err(PyValueError::new_err(text));
        }
    };
    let mut options = RenderOptions::default();
    for (name, value) in settings {
        options.set(&name, &value).map_err(|error| errors::of_volume(error, None))?;
    }
    let over = overlay_options(labels.as_ref())?;
    let devices = py.detach(|| Devices::open(choice));
    let devices = devices.map_err(|error| errors::of_kind(error.kind(), error.to_string()))?;
    let work = Work { threads, progress, byte_count: u64::MAX };
    let paths = Paths::of(&source, labels.as_ref());
    let opened = work.run(py, |task| {
        let input = source.open(task)?;
        let mut notes: Vec<String> = input.notes().iter().map(ToString::to_string).collect();
        let part = options.select(input)?;
        notes.extend(options.notes(&part)?);
        let overlay = open_overlay(labels, &part, over, task)?;
        Ok((Renderings::new(part, overlay, &options, devices.device().clone(), task)?, notes))
    })?;
    let (renderings, mut notes): (_, Vec<String>) = opened.map_err(|error| paths.error(error))?;
    notes.extend_from_slice(renderings.notes());
    notes.extend_from_slice(renderings.overlay_notes());
    Ok(Scene { renderings: Mutex::new(renderings), path: paths.0, notes })
}

#[pymethods]
impl Scene {
    /// Notes on the volume and on what the options do not state.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// Number of renderings.
    #[getter]
    fn count(&self) -> usize {
        self.renderings.lock().unwrap_or_else(PoisonError::into_inner).count()
    }

    /// The GPU's name, or `cpu`.
    #[getter]
    fn device(&self) -> String {
        let renderings = self.renderings.lock().unwrap_or_else(PoisonError::into_inner);
        let painter = renderings.painter();
        let adapter = if painter.is_on_gpu() { painter.device().adapter() } else { None };
        adapter.unwrap_or("cpu").to_owned()
    }

    /// Renders a view. Returns width, height, and red, green, blue and alpha of each pixel, row by row.
    #[pyo3(signature = (index, *, threads, progress))]
    fn render(
        &self,
        py: Python<'_>,
        index: usize,
        threads: Option<NonZero<usize>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(u32, u32, Py<PyBytes>)> {
        if index >= self.count() {
            return Err(PyIndexError::new_err(format!("there is no rendering {index}")));
        }
        let work = Work { threads, progress, byte_count: u64::MAX };
        let rendering = work.run(py, |task| {
            self.renderings.lock().unwrap_or_else(PoisonError::into_inner).render(index, task)
        })?;
        let rendering = rendering.map_err(|error| errors::of_volume(error.into(), self.path.as_deref()))?;
        let bytes = PyBytes::new(py, rendering.pixels.as_flattened()).unbind();
        Ok((rendering.width, rendering.height, bytes))
    }
}

/// Width, height, channels and bytes of a slice, the size of a pixel in millimetres, if it is known, and
/// notes.
type Slice = (usize, usize, usize, Py<PyBytes>, Option<[f64; 2]>, Vec<String>);

/// Returns a slice, with options of the program by their names.
#[pyfunction]
#[pyo3(signature = (source, settings, labels, *, index, mip_level, frame, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "called only by the package, by keyword")]
pub fn slice(
    py: Python<'_>,
    source: VolumeSource,
    settings: Vec<(String, String)>,
    labels: Option<Labels>,
    index: Option<i64>,
    mip_level: usize,
    frame: usize,
    threads: Option<NonZero<usize>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Slice> {
    let mut options = SliceOptions::default();
    for (name, value) in settings {
        options.set(&name, &value).map_err(|error| errors::of_volume(error, None))?;
    }
    // (No volume has the last one.)
    options.index = index.map(|index| usize::try_from(index).unwrap_or(usize::MAX));
    let work = Work { threads, progress, byte_count: u64::MAX };
    let over = overlay_options(labels.as_ref())?;
    let paths = Paths::of(&source, labels.as_ref());
    let read = work.run(py, |task| {
        let part = options.select(source.open(task)?, mip_level, frame)?;
        let mut notes = options.notes(&part)?;
        let overlay = open_overlay(labels, &part, over, task)?;
        let mut slice = read_slice(part, overlay, &options, task)?;
        notes.append(&mut slice.notes);
        notes.append(&mut slice.overlay_notes);
        slice.notes = notes;
        Ok(slice)
    })?;
    let SliceImage { width, height, pixels, pixel_millimetres, notes, .. } =
        read.map_err(|error| match (error, index) {
            (VolumeError::NoSlice { count, .. }, Some(index)) => {
                let (axis, last) = (options.axis.name(), count - 1);
                let text = format!("index is {index}; axis {axis} has the slices 0 to {last}");
                PyValueError::new_err(text)
            }
            (error, _) => paths.error(error),
        })?;
    let (channels, bytes) = match &pixels {
        SlicePixels::Grey(pixels) => (1, PyBytes::new(py, pixels)),
        SlicePixels::Colors(pixels) => (3, PyBytes::new(py, pixels.as_flattened())),
    };
    Ok((width, height, channels, bytes.unbind(), pixel_millimetres, notes))
}

/// Pixels of 1, 3 or 4 channels, row by row.
struct Pixels {
    bytes: PyBackedBytes,
    width: u32,
    height: u32,
    channels: usize,
    millimetres: Option<[f64; 2]>,
}

impl Pixels {
    /// Encodes a PNG file, as the program does.
    fn encode(&self, sink: &mut dyn Write, task: &Task<'_>) -> Result<(), ImageWriteError> {
        let pixels = match self.channels {
            4 => {
                return encode_rendering(sink, self.width, self.height, self.bytes.as_chunks().0, task);
            }
            3 => SlicePixels::Colors(self.bytes.as_chunks().0.to_vec()),
            _ => SlicePixels::Grey(self.bytes.to_vec()),
        };
        encode_slice(sink, [self.width as usize, self.height as usize], &pixels, self.millimetres, task)
    }
}

/// Returns pixels as a PNG file.
#[pyfunction]
pub fn png(
    py: Python<'_>,
    bytes: PyBackedBytes,
    width: u32,
    height: u32,
    channels: usize,
    millimetres: Option<[f64; 2]>,
) -> PyResult<Py<PyBytes>> {
    let pixels = Pixels { bytes, width, height, channels, millimetres };
    let work = Work { threads: NonZero::new(1), progress: None, byte_count: u64::MAX };
    let encoded = work.run(py, |task| {
        let mut file = Vec::new();
        pixels.encode(&mut file, task).map(|()| file)
    })?;
    let encoded = encoded.map_err(|error| errors::of_kind(error.kind(), error.to_string()))?;
    Ok(PyBytes::new(py, &encoded).unbind())
}

/// Writes pixels to a PNG file, whole or not at all.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "called only by the package")]
pub fn save_png(
    py: Python<'_>,
    path: PathBuf,
    overwrite: bool,
    bytes: PyBackedBytes,
    width: u32,
    height: u32,
    channels: usize,
    millimetres: Option<[f64; 2]>,
) -> PyResult<()> {
    let pixels = Pixels { bytes, width, height, channels, millimetres };
    let write = |writer: &mut dyn Write, task: &Task<'_>| pixels.encode(writer, task);
    save(py, &path, overwrite, u64::MAX, write, |error| match error {
        ImageWriteError::Io(error) => errors::of_io(error, Some(&path)),
        error => errors::of_kind(error.kind(), format!("{}: {error}", path.display())),
    })
}
