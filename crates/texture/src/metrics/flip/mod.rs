//! LDR-ꟻLIP: errors as a viewer sees them who flips between two images.
//!
//! Source: Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström, Fairchild: *ꟻLIP: A Difference Evaluator
//! for Alternating Images*, HPG 2020. The viewer is at the paper's distance: 0.7 m from a display that is
//! 0.7 m wide and has 3840 texels.
//!
//! | file | stage |
//! |---|---|
//! | `color` | colour spaces, and distances between colours |
//! | `kernel` | filters: contrast sensitivity, edges and points |
//! | `planes` | rows of a band, filtered along x, then along y |

mod color;
mod kernel;
mod planes;

use super::{
    bands::{Rows, map_bands},
    error::{MetricsError, check_sizes},
};
use crate::{Cancelled, Image, Task};
use color::{Redistribution, hunt_lab};
use kernel::Kernels;
use planes::Planes;
use std::ops::Range;

/// Returns the mean ꟻLIP error of red, green and blue: 0 for equal images, at most 1. The numbers of both
/// images are taken as sRGB, also if they are not; alpha is ignored.
///
/// Only a band of 64 rows and 10 rows on either side are in memory at a time, for each thread. Progress is
/// reported in rows. Results of different machines may differ in the last digits.
///
/// ```
/// use brickwork_texture::{ImageView, Task, metrics::flip};
///
/// let (a, b) = ([[10u8, 20, 30]; 4], [[10u8, 60, 30]; 4]);
/// let (a, b) = (ImageView::new(&a, 2, 2)?, ImageView::new(&b, 2, 2)?);
/// assert_eq!(flip(&a, &a, &Task::new())?, 0.0);
/// assert!(flip(&a, &b, &Task::new())? > 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MetricsError::Size`] or [`MetricsError::Cancelled`].
pub fn flip(a: &dyn Image, b: &dyn Image, task: &Task<'_>) -> Result<f64, MetricsError> {
    check_sizes(a, b)?;
    let [width, height] = a.size();
    let kernels = Kernels::new();
    let redistribution = Redistribution::new();
    let counted = Rows::new(task, height as usize);
    let sums = map_bands(task, height as usize, |rows| {
        band_sums([a, b], rows, &kernels, &redistribution, &counted)
    })?;
    let sum = sums.iter().flatten().fold(0.0, |sum, row| sum + row);
    Ok(sum / (f64::from(width) * f64::from(height)))
}

/// Returns the sum of the errors of each row of a band.
fn band_sums(
    images: [&dyn Image; 2],
    rows: Range<usize>,
    kernels: &Kernels,
    redistribution: &Redistribution,
    counted: &Rows<'_>,
) -> Result<Vec<f64>, Cancelled> {
    let mut planes = Vec::new();
    for image in images {
        planes.push(Planes::of(image, &rows, kernels, counted.task())?);
    }
    let width = images[0].size()[0] as usize;
    let mut sums = Vec::with_capacity(rows.len());
    for y in 0..rows.len() {
        counted.step()?;
        let [a, b] = [&planes[0], &planes[1]].map(|planes| planes.row(y, kernels, width));
        let mut sum = 0.0;
        for x in 0..width {
            let [lab_a, lab_b] = [&a, &b].map(|row| hunt_lab(row.colors[x]));
            let color = redistribution.error(lab_a, lab_b);
            let edges = (a.edges[x] - b.edges[x]).abs();
            let points = (a.points[x] - b.points[x]).abs();
            let feature = (edges.max(points) * std::f32::consts::FRAC_1_SQRT_2).sqrt();
            sum += f64::from(color.powf(1.0 - feature));
        }
        sums.push(sum);
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::compare::tests::{original, posterised, view};

    /// Values of NVIDIA's flip-evaluator 1.7 (PyPI) for the same images, as 8-bit sRGB over 255.
    #[test]
    fn flip_is_that_of_nvidia() {
        for (width, height, expected) in
            [(97, 83, 0.288_254_678_f64), (24, 70, 0.286_011_815), (5, 3, 0.188_859_269)]
        {
            let a = original(width, height);
            let b = posterised(&a);
            let (a, b) = (view(&a, width, height), view(&b, width, height));
            let found = flip(&a, &b, &Task::new()).unwrap();
            assert!((found - expected).abs() < 2e-5, "{width}×{height}: {found}, not {expected}");
            assert_eq!(flip(&a, &a, &Task::new()).unwrap(), 0.0);
        }
    }

    #[test]
    fn black_and_white_are_as_far_apart_as_possible() {
        let (a, b) = (vec![[0u8; 3]; 900], vec![[255u8; 3]; 900]);
        let found = flip(&view(&a, 30, 30), &view(&b, 30, 30), &Task::new()).unwrap();
        assert!((0.9..=1.0).contains(&found), "{found}");
        let error = flip(&view(&a, 30, 30), &view(&b[..30], 30, 1), &Task::new());
        assert!(matches!(error, Err(MetricsError::Size { .. })), "{error:?}");
    }
}
