//! Rows of a band of one image, filtered along x, and their filtering along y.

use super::{
    color::{linear, y_cx_cz},
    kernel::{CONTRAST_RADIUS, Kernels, Taps},
};
use crate::{Cancelled, Image, Task};
use std::ops::Range;

/// Number of Gaussians of all channels: one for Y, one for Cx, two for Cz.
const GAUSSIANS: usize = 4;
/// Channel of each Gaussian.
const CHANNELS: [usize; GAUSSIANS] = [0, 1, 2, 2];

/// A band with [`CONTRAST_RADIUS`] rows on either side. Rows past the edge of the image repeat the edge.
pub(super) struct Planes {
    rows: Vec<FilteredRow>,
}

/// A row after the filters along x.
struct FilteredRow {
    /// Y, Cx and Cz, for each Gaussian.
    colors: [Vec<f32>; GAUSSIANS],
    /// Y, smoothed and after the derivatives.
    smooth: Vec<f32>,
    edge: Vec<f32>,
    point: Vec<f32>,
}

/// A row after all filters.
pub(super) struct Row {
    /// Colours in YCxCz as a viewer sees them.
    pub colors: Vec<[f32; 3]>,
    /// Strength of edges.
    pub edges: Vec<f32>,
    /// Strength of points.
    pub points: Vec<f32>,
}

impl Planes {
    pub fn of(
        image: &dyn Image,
        band: &Range<usize>,
        kernels: &Kernels,
        task: &Task<'_>,
    ) -> Result<Self, Cancelled> {
        let [width, height] = image.size().map(|side| side as usize);
        let light: Vec<f32> = (0..=255).map(linear).collect();
        let mut buffer = vec![[0; 4]; width];
        let mut rows: Vec<FilteredRow> = Vec::new();
        let first = band.start as isize - CONTRAST_RADIUS as isize;
        for y in first..(band.end + CONTRAST_RADIUS) as isize {
            task.check()?;
            let y = y.clamp(0, height as isize - 1) as u32;
            let texels = image.row_rgba8(y, &mut buffer);
            let colors: Vec<[f32; 3]> = texels
                .iter()
                .map(|&[r, g, b, _]| y_cx_cz([r, g, b].map(|v| light[usize::from(v)])))
                .collect();
            let channel =
                |channel: usize| -> Vec<f32> { colors.iter().map(|color| color[channel]).collect() };
            let channels = [0, 1, 2].map(channel);
            let gaussians = kernels.contrast.iter().flatten().map(|[along_x, _]| along_x);
            let mut filtered = CHANNELS.iter().zip(gaussians).map(|(&c, taps)| along_x(&channels[c], taps));
            let brightness: Vec<f32> = channels[0].iter().map(|y| (y + 16.0) / 116.0).collect();
            rows.push(FilteredRow {
                colors: std::array::from_fn(|_| filtered.next().unwrap_or_default()),
                smooth: along_x(&brightness, &kernels.smooth),
                edge: along_x(&brightness, &kernels.edge),
                point: along_x(&brightness, &kernels.point),
            });
        }
        Ok(Self { rows })
    }

    /// Filters row `y` of the band along y.
    pub fn row(&self, y: usize, kernels: &Kernels, width: usize) -> Row {
        let centre = y + CONTRAST_RADIUS;
        let sum = |taps: &Taps, plane: &dyn Fn(&FilteredRow) -> &[f32]| {
            let mut sums = vec![0.0; width];
            let first = centre - taps.len() / 2;
            for (tap, row) in taps.iter().zip(&self.rows[first..]) {
                for (sum, value) in sums.iter_mut().zip(plane(row)) {
                    *sum += tap * value;
                }
            }
            sums
        };
        let mut colors = vec![[0.0; 3]; width];
        let gaussians = kernels.contrast.iter().flatten().map(|[_, along_y]| along_y);
        for (gaussian, (taps, channel)) in gaussians.zip(CHANNELS).enumerate() {
            let filtered = sum(taps, &|row| &row.colors[gaussian]);
            colors.iter_mut().zip(filtered).for_each(|(color, value)| color[channel] += value);
        }
        let strength = |across: &dyn Fn(&FilteredRow) -> &[f32], taps: &Taps| -> Vec<f32> {
            let horizontal = sum(&kernels.smooth, across);
            let vertical = sum(taps, &|row| &row.smooth);
            horizontal.iter().zip(vertical).map(|(x, y)| x.hypot(y)).collect()
        };
        Row {
            colors,
            edges: strength(&|row| &row.edge, &kernels.edge),
            points: strength(&|row| &row.point, &kernels.point),
        }
    }
}

/// Filters a row. Values past its ends repeat the ends.
fn along_x(values: &[f32], taps: &[f32]) -> Vec<f32> {
    let radius = taps.len() / 2;
    let (first, last) = (values.first().copied().unwrap_or(0.0), values.last().copied().unwrap_or(0.0));
    let mut padded = vec![first; radius];
    padded.extend(values);
    padded.resize(values.len() + 2 * radius, last);
    let window_sum = |window: &[f32]| window.iter().zip(taps).map(|(value, tap)| value * tap).sum();
    padded.windows(taps.len()).map(window_sum).collect()
}
