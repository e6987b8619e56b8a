//! Results.

use crate::Region;

/// Statistics of a frame and channel.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PartStatistics {
    /// The frame.
    pub frame: usize,
    /// The channel.
    pub channel: usize,
    /// Statistics of all values.
    pub values: ValueStatistics,
    /// Histogram; `None` if there are no bins, or no value is finite and no range is given.
    pub histogram: Option<ValueHistogram>,
    /// Statistics of each label, in the order of the labels, without label 0.
    pub labels: Vec<LabelStatistics>,
}

/// Statistics of values: physical values, or stored numbers.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ValueStatistics {
    /// Number of values.
    pub count: u64,
    /// Number of NaN.
    pub nan: u64,
    /// Number of infinite values.
    pub infinite: u64,
    /// Statistics of the other values; `None` if there are none.
    pub finite: Option<FiniteStatistics>,
}

impl ValueStatistics {
    /// Returns the smallest and the largest finite value.
    pub fn extent(&self) -> Option<[f64; 2]> {
        self.finite.as_ref().map(|finite| [finite.minimum, finite.maximum])
    }
}

/// Statistics of finite values.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FiniteStatistics {
    /// The smallest value.
    pub minimum: f64,
    /// The largest value.
    pub maximum: f64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation of the population: the divisor is the number of values.
    pub deviation: f64,
    /// The percentiles, in the order of the options.
    pub percentiles: Vec<f64>,
}

/// Histogram of finite values.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ValueHistogram {
    /// Limits of the bins, one more than bins. A bin contains its lower limit; the last one contains both.
    pub edges: Vec<f64>,
    /// Number of values in each bin. Values outside the range are in none.
    pub counts: Vec<u64>,
}

/// Statistics of a label.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LabelStatistics {
    /// The label.
    pub label: i128,
    /// Number of voxels.
    pub voxel_count: u64,
    /// Volume in mm³: the product of the spacing, times the number of voxels. Directions that are not
    /// perpendicular count.
    pub volume: f64,
    /// Smallest region with all voxels.
    pub region: Region,
    /// Mean position of the voxels along x, y and z, in voxels: 0 is the centre of the first one.
    pub centroid: [f64; 3],
    /// The centroid in the world, by origin, spacing and directions.
    pub position: [f64; 3],
    /// Statistics of the values inside; `None` if the volume is one of labels itself.
    pub values: Option<ValueStatistics>,
}
