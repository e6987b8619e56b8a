//! Statistics of volumes.

use crate::{arrays::Input, errors, volume_file::VolumeFile, work::Work};
use brickwork_toolkit::volume::{LabelVoxels, file_statistics};
use brickwork_volume::{Header, LabelStatistics, PartStatistics, ValueStatistics, ValueStatisticsOptions};
use pyo3::{exceptions::PyValueError, prelude::*};
use std::num::NonZero;

/// Count, NaN, infinite values; minimum, maximum, mean, deviation and percentiles of the others.
type Values = (u64, u64, u64, Option<(f64, f64, f64, f64, Vec<f64>)>);

/// Label, voxels, volume, bounds and centroid along x, y and z, position, values.
type Label = (i128, u64, f64, [[usize; 2]; 3], [f64; 3], [f64; 3], Option<Values>);

/// Frame, channel, values, edges and counts of the histogram, labels.
type Part = (usize, usize, Values, Option<(Vec<f64>, Vec<u64>)>, Vec<Label>);

/// Labels of a volume: a mip level of a file, or an array in C order with the axes t, z, y, x and c.
#[derive(FromPyObject)]
pub enum Labels<'py> {
    File(Py<VolumeFile>, usize),
    Array(Bound<'py, PyAny>),
}

/// Measures the values of each frame and channel, and those inside labels.
#[pyfunction]
#[pyo3(signature = (file, labels, *, mip_level, percentiles, bins, range, stored, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "called only by the package, by keyword")]
pub fn statistics(
    py: Python<'_>,
    file: &VolumeFile,
    labels: Option<Labels<'_>>,
    mip_level: usize,
    percentiles: Vec<f64>,
    bins: Option<usize>,
    range: Option<[f64; 2]>,
    stored: bool,
    threads: Option<NonZero<usize>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Part>> {
    let options = ValueStatisticsOptions::default().with(|o| {
        o.percentiles = percentiles;
        (o.bins, o.range, o.stored_values) = (bins, range, stored);
    });
    let array = match &labels {
        Some(Labels::Array(array)) => Some(Input::new(array)?),
        _ => None,
    };
    let memory = array.as_ref().and_then(Input::memory);
    if array.is_some() && !memory.is_some_and(|memory| memory.is_dense()) {
        return Err(PyValueError::new_err("labels are not in C order"));
    }
    let of_file = match &labels {
        Some(Labels::File(labels, mip_level)) => Some((labels.get(), *mip_level)),
        _ => None,
    };
    let work = Work { threads, progress, byte_count: u64::MAX };
    let found = work.run(py, |task| {
        let labels = match (memory, of_file) {
            (Some(memory), _) => {
                let header = Header::new(memory.voxel_type, memory.dims)
                    .with(|header| (header.frames, header.channels) = (memory.frames, memory.channels));
                Some(LabelVoxels::of_bytes(memory.bytes, header))
            }
            (None, Some((labels, mip_level))) => Some(LabelVoxels::of_file(&labels.0, mip_level, task)?),
            (None, None) => None,
        };
        file_statistics(&file.0, labels, mip_level, &options, task)
    })?;
    let found = found.map_err(|error| errors::of_volume(error, file.0.source().path()))?;
    Ok(found.parts.into_iter().map(part).collect())
}

fn part(part: PartStatistics) -> Part {
    let histogram = part.histogram.map(|histogram| (histogram.edges, histogram.counts));
    let labels = part.labels.into_iter().map(label).collect();
    (part.frame, part.channel, values(part.values), histogram, labels)
}

fn label(label: LabelStatistics) -> Label {
    let LabelStatistics { label, voxel_count, volume, region, centroid, position, values: inside, .. } =
        label;
    let bounds = [region.x, region.y, region.z].map(|side| [side.start, side.end]);
    (label, voxel_count, volume, bounds, centroid, position, inside.map(values))
}

fn values(found: ValueStatistics) -> Values {
    let finite = found
        .finite
        .map(|finite| (finite.minimum, finite.maximum, finite.mean, finite.deviation, finite.percentiles));
    (found.count, found.nan, found.infinite, finite)
}
