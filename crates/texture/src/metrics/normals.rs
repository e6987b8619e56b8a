//! Angles between the normals of two normal maps.

use super::error::{MetricsError, check_sizes};
use crate::{Image, Task};

/// Bins of angles: hundredths of a degree.
const BINS: usize = 18_001;

/// Angles between normals, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct NormalMetrics {
    /// Mean of all angles.
    pub mean: f64,
    /// Largest angle.
    pub max: f64,
    /// Angles that half of the texels, 95 % and 99 % do not exceed, rounded up to hundredths of a degree.
    pub percentiles: [f64; 3],
    /// Number of texels.
    pub texel_count: u64,
}

/// Angles between the normals of pairs of images, to be measured together.
#[derive(Clone, Debug)]
pub struct NormalAngles {
    sum: f64,
    max: f64,
    texel_count: u64,
    bins: Vec<u64>,
}

impl Default for NormalAngles {
    fn default() -> Self {
        Self { sum: 0.0, max: 0.0, texel_count: 0, bins: vec![0; BINS] }
    }
}

impl NormalAngles {
    /// Adds the angles between two images, as [`compare_normals`] measures them.
    ///
    /// # Errors
    /// [`MetricsError`] if the sizes differ or the task is cancelled.
    pub fn add(
        &mut self,
        a: &dyn Image,
        b: &dyn Image,
        restores_z: bool,
        task: &Task<'_>,
    ) -> Result<(), MetricsError> {
        check_sizes(a, b)?;
        let [width, height] = a.size();
        let mut buffers = [(); 2].map(|()| vec![[0.0f32; 4]; width as usize]);
        for y in 0..height {
            task.check()?;
            let [of_a, of_b] = &mut buffers;
            for (a, b) in a.row_rgba_f32(y, of_a).iter().zip(b.row_rgba_f32(y, of_b)) {
                let angle = angle(normal(a, restores_z), normal(b, restores_z));
                self.sum += angle;
                self.max = self.max.max(angle);
                self.bins[((angle * 100.0).ceil() as usize).min(BINS - 1)] += 1;
            }
        }
        self.texel_count += u64::from(width) * u64::from(height);
        Ok(())
    }

    /// Returns the measures of all angles. Without texels, the mean is NaN.
    pub fn metrics(&self) -> NormalMetrics {
        let percentile = |share: f64| {
            let needed = (share * self.texel_count as f64).ceil() as u64;
            let mut seen = 0;
            let bin = self.bins.iter().position(|count| {
                seen += count;
                seen >= needed
            });
            bin.unwrap_or(BINS - 1) as f64 / 100.0
        };
        let percentiles = [0.5, 0.95, 0.99].map(percentile);
        let mean = self.sum / self.texel_count as f64;
        NormalMetrics { mean, max: self.max, percentiles, texel_count: self.texel_count }
    }
}

/// Measures the angles between the normals of two images of the same size. Value v, from 0 to 1, of red,
/// green and blue means 2v − 1 of x, y and z. If `restores_z` is true, z ≥ 0 is computed from x and y, as a
/// shader does with BC5. Vectors are scaled to length 1 first. The task reports no progress.
///
/// # Errors
/// [`MetricsError`] if the sizes differ or the task is cancelled.
pub fn compare_normals(
    a: &dyn Image,
    b: &dyn Image,
    restores_z: bool,
    task: &Task<'_>,
) -> Result<NormalMetrics, MetricsError> {
    let mut angles = NormalAngles::default();
    angles.add(a, b, restores_z, task)?;
    Ok(angles.metrics())
}

fn normal(&[x, y, z, _]: &[f32; 4], restores_z: bool) -> [f64; 3] {
    let [x, y, z] = [x, y, z].map(|value| 2.0 * f64::from(value) - 1.0);
    [x, y, if restores_z { (1.0 - x * x - y * y).max(0.0).sqrt() } else { z }]
}

/// Returns the angle between two vectors in degrees. Near 0, a sine is more exact than a cosine.
fn angle([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> f64 {
    let cross = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
    let sine = cross.iter().map(|component| component * component).sum::<f64>().sqrt();
    sine.atan2(ax * bx + ay * by + az * bz).to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ImageView;

    fn texel(degrees: f64) -> [f32; 3] {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        [sine, 0.0, cosine].map(|component| (component / 2.0 + 0.5) as f32)
    }

    #[test]
    fn angles_are_those_between_the_vectors() {
        let a = [texel(0.0); 100];
        // Ninety times 1°, nine times 10°, once 30°.
        let b: Vec<_> =
            (0..100).map(|i| texel([1.0, 10.0, 30.0][usize::from(i >= 90) + usize::from(i == 99)])).collect();
        let [view_a, view_b] = [&a[..], &b].map(|texels| ImageView::new(texels, 10, 10).unwrap());
        for restores_z in [false, true] {
            let metrics = compare_normals(&view_a, &view_b, restores_z, &Task::new()).unwrap();
            assert!((metrics.mean - 2.1).abs() < 1e-3 && (metrics.max - 30.0).abs() < 1e-3, "{metrics:?}");
            for (found, expected) in metrics.percentiles.into_iter().zip([1.0, 10.0, 10.0]) {
                assert!((found - expected).abs() < 0.011, "{metrics:?}");
            }
            let same = compare_normals(&view_b, &view_b, restores_z, &Task::new()).unwrap();
            assert!(same.max < 1e-4 && same.texel_count == 100, "{same:?}");
        }
        // A normal that faces away shows only if z is stored.
        let away = [texel(180.0)];
        let image = ImageView::new(&away, 1, 1).unwrap();
        let a = ImageView::new(&a, 1, 1).unwrap();
        assert!((compare_normals(&a, &image, false, &Task::new()).unwrap().max - 180.0).abs() < 1e-3);
        assert!(compare_normals(&a, &image, true, &Task::new()).unwrap().max < 1e-3);
    }
}
