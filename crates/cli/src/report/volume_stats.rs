//! Report of `volume stats`.

use brickwork_toolkit::volume::VolumeStatistics;
use brickwork_volume::{LabelStatistics, PartStatistics, Region, ValueStatistics, ValueStatisticsOptions};
use serde::Serialize;

/// Report of `volume stats`. Values are physical ones if the file states how to compute them and `stored` is
/// false, else stored ones.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct VolumeStatisticsReport {
    /// The command: `volume stats`.
    pub command: &'static str,
    /// The file's path.
    pub file: String,
    /// Path of the labels; `null` without `--labels`.
    pub labels: Option<String>,
    /// The mip level.
    pub level: usize,
    /// Dimensions in voxels: x, y, z.
    pub dims: [usize; 3],
    /// Type of the voxels, such as `u16`.
    pub voxel_type: &'static str,
    /// Distances between voxels along each axis, in millimetres.
    pub spacing: [f64; 3],
    /// Unit of the values; `null` where it is not known.
    pub unit: Option<String>,
    /// True with `--stored`.
    pub stored: bool,
    /// Each frame and channel, frame by frame.
    pub parts: Vec<PartStatisticsReport>,
}

/// Statistics of a frame and channel.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct PartStatisticsReport {
    /// The frame.
    pub frame: usize,
    /// The channel.
    pub channel: usize,
    /// Statistics of all values.
    pub values: ValuesReport,
    /// Histogram; `null` without `--histogram`, or if no value is finite.
    pub histogram: Option<HistogramReport>,
    /// Each label, in the order of the labels.
    pub labels: Vec<LabelReport>,
}

/// Statistics of values. Minimum, maximum, mean and deviation are those of finite values, `null` if there are
/// none.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct ValuesReport {
    /// Number of values.
    pub count: u64,
    /// Number of NaN.
    pub nan: u64,
    /// Number of infinite values.
    pub infinite: u64,
    /// The smallest value.
    pub minimum: Option<f64>,
    /// The largest value.
    pub maximum: Option<f64>,
    /// The mean.
    pub mean: Option<f64>,
    /// The standard deviation of the population.
    pub deviation: Option<f64>,
    /// The percentiles, in the order of the command line.
    pub percentiles: Vec<PercentileReport>,
}

/// A percentile.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema)]
pub struct PercentileReport {
    /// Share of the finite values that are at most as large, in percent.
    pub percent: f64,
    /// The value, interpolated linearly between two; `null` if no value is finite.
    pub value: Option<f64>,
}

/// Histogram of finite values.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct HistogramReport {
    /// Limits of the bins. A bin contains its lower limit; the last one contains both.
    pub edges: Vec<f64>,
    /// Number of values in each bin.
    pub counts: Vec<u64>,
}

/// Statistics of a label.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct LabelReport {
    /// The label.
    pub label: i128,
    /// Its name; `null` where the file of the labels has none.
    pub name: Option<String>,
    /// Number of voxels.
    pub voxel_count: u64,
    /// Volume in mm³.
    pub volume_mm3: f64,
    /// The first voxel and the one past the last along each axis.
    pub region: [[usize; 2]; 3],
    /// Mean position of the voxels in voxels: x, y, z; 0 is the centre of the first one.
    pub centroid: [f64; 3],
    /// The centroid in the world, in millimetres.
    pub position: [f64; 3],
    /// Statistics of the values inside; `null` if the volume is one of labels itself.
    pub values: Option<ValuesReport>,
}

impl VolumeStatisticsReport {
    /// Returns the report of the file called `file`.
    pub fn new(
        file: String,
        labels: Option<String>,
        found: &VolumeStatistics,
        options: &ValueStatisticsOptions,
        level: usize,
    ) -> Self {
        let header = &found.header;
        let part = |part: &PartStatistics| {
            let names = found.names(part);
            let label = |label: &LabelStatistics| {
                let name = names.iter().find(|name| i128::from(name.value) == label.label);
                let Region { x, y, z } = &label.region;
                LabelReport {
                    label: label.label,
                    name: name.map(|name| name.name.clone()).filter(|name| !name.is_empty()),
                    voxel_count: label.voxel_count,
                    volume_mm3: label.volume,
                    region: [x, y, z].map(|side| [side.start, side.end]),
                    centroid: label.centroid,
                    position: label.position,
                    values: label.values.as_ref().map(|values| values_report(values, options)),
                }
            };
            let histogram = part.histogram.as_ref();
            PartStatisticsReport {
                frame: part.frame,
                channel: part.channel,
                values: values_report(&part.values, options),
                histogram: histogram.map(|histogram| HistogramReport {
                    edges: histogram.edges.clone(),
                    counts: histogram.counts.clone(),
                }),
                labels: part.labels.iter().map(label).collect(),
            }
        };
        Self {
            command: "volume stats",
            file,
            labels,
            level,
            dims: [header.dims.x, header.dims.y, header.dims.z],
            voxel_type: header.voxel_type.name(),
            spacing: [header.spacing.x, header.spacing.y, header.spacing.z],
            unit: found.unit.clone(),
            stored: options.stored_values,
            parts: found.parts.iter().map(part).collect(),
        }
    }
}

fn values_report(values: &ValueStatistics, options: &ValueStatisticsOptions) -> ValuesReport {
    let finite = values.finite.as_ref();
    let percentiles = options.percentiles.iter().enumerate().map(|(index, &percent)| PercentileReport {
        percent,
        value: finite.map(|finite| finite.percentiles[index]),
    });
    ValuesReport {
        count: values.count,
        nan: values.nan,
        infinite: values.infinite,
        minimum: finite.map(|finite| finite.minimum),
        maximum: finite.map(|finite| finite.maximum),
        mean: finite.map(|finite| finite.mean),
        deviation: finite.map(|finite| finite.deviation),
        percentiles: percentiles.collect(),
    }
}
