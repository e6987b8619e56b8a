//! Renderings of volumes.

use crate::{errors, work::Work};
use brickwork_toolkit::{
    device::{DeviceChoice, Devices},
    volume::render_default,
};
use pyo3::{prelude::*, types::PyBytes};
use std::{num::NonZero, path::PathBuf};

/// Renders a file of any format on the CPU. Returns red, green, blue and alpha of each pixel, row by row.
#[pyfunction]
#[pyo3(signature = (path, width, height, *, threads, progress))]
pub fn render(
    py: Python<'_>,
    path: PathBuf,
    width: u32,
    height: u32,
    threads: Option<NonZero<usize>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyBytes>> {
    let devices =
        Devices::open(DeviceChoice::Cpu).map_err(|error| errors::of_kind(error.kind(), error.to_string()))?;
    let work = Work { threads, progress, byte_count: u64::MAX };
    let rendering = work
        .run(py, |task| render_default(&path, [width, height], &devices, task))?
        .map_err(|error| errors::of_kind(error.kind(), format!("{}: {error}", path.display())))?;
    Ok(PyBytes::new(py, rendering.pixels.as_flattened()).unbind())
}
