//! An array to a compressed volume in memory.

use crate::{
    arrays::{Input, Memory},
    errors,
    header::brick_of,
    source::Source,
    volume_file::VolumeFile,
    work::Work,
};
use brickwork_volume::{
    BwvOptions, Header, Spacing, Task, VolumeWriteError, VolumeWriter, Voxel, VoxelKind, bytemuck,
    choose_brick_any, encode_any, with_voxel_type,
};
use pyo3::{exceptions::PyValueError, prelude::*};
use std::num::NonZero;

/// Compresses an array of five axes: frames, z, y, x, channels.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "called only by the package, by keyword")]
#[pyo3(signature = (array, *, brick, labels, mip_levels, spacing, frame_spacing, origin, directions,
    metadata, threads, progress))]
pub fn compress(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    brick: &str,
    labels: bool,
    mip_levels: usize,
    spacing: [f64; 3],
    frame_spacing: f64,
    origin: [f64; 3],
    directions: [[f64; 3]; 3],
    metadata: String,
    threads: Option<NonZero<usize>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<VolumeFile> {
    let brick = brick_of(brick)?;
    let mut input = Input::new(array)?;
    let is_dense = input.memory().is_some_and(|memory| memory.frames == 1 || memory.is_dense());
    if !is_dense {
        // NumPy makes the copy.
        input = Input::new(&array.call_method1("copy", ("C",))?)?;
    }
    let memory = input.memory().ok_or_else(|| PyValueError::new_err("the array has not five axes"))?;
    let mut header = Header::new(memory.voxel_type, memory.dims);
    header.brick = brick.unwrap_or_default();
    header.channels = memory.channels;
    header.frames = memory.frames;
    header.mip_levels = mip_levels;
    header.kind = if labels { VoxelKind::Labels } else { VoxelKind::Intensity };
    let [z, y, x] = spacing;
    header.spacing = Spacing { x, y, z };
    header.frame_spacing = frame_spacing;
    header.origin = origin;
    let [z, y, x] = directions;
    header.orientation = [x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]];
    header.metadata = metadata;
    let work = Work { threads, progress, byte_count: memory.bytes.len() as u64 };
    let bytes =
        work.run(py, |task| encode(memory, header, brick.is_none(), task))?.map_err(errors::of_write)?;
    VolumeFile::new(py, Source::Memory(bytes))
}

/// Returns the bytes of a `.bwv` file.
fn encode(
    memory: Memory<'_>,
    mut header: Header,
    choose: bool,
    task: &Task<'_>,
) -> Result<Vec<u8>, VolumeWriteError> {
    if choose {
        header.brick = choose_brick_any(&memory.frame(0)?, &header, task)?.size;
    }
    let mut bytes = Vec::new();
    if memory.frames == 1 {
        encode_any(&memory.frame(0)?, &header, &BwvOptions::default(), &mut bytes, task)?;
        return Ok(bytes);
    }
    with_voxel_type!(memory.voxel_type, T => encode_frames::<T>(memory, &header, &mut bytes, task))?;
    Ok(bytes)
}

/// Writes several frames, dense in memory.
fn encode_frames<T: Voxel>(
    memory: Memory<'_>,
    header: &Header,
    bytes: &mut Vec<u8>,
    task: &Task<'_>,
) -> Result<(), VolumeWriteError> {
    let mut writer = VolumeWriter::<_, T>::new(bytes, header, &BwvOptions::default())?;
    writer.write_voxels(bytemuck::cast_slice(memory.bytes), task)?;
    writer.finish().map(drop)
}
