//! Faces of an equirectangular panorama.
//!
//! A texel of a face is the mean of a grid of directions within it. There are about two samples per texel of
//! the panorama in each direction, each interpolated between four texels. Past the left and right edges the
//! panorama continues at the opposite edge; past the poles its first and last rows are repeated.

use super::{
    CubeError,
    direction::{direction, position},
};
use crate::{Cancelled, Task, Texel};
use brickwork_base::parallel;
use std::f64::consts::PI;

/// Maximum of samples along a side of a texel: more only matter for faces of a few texels.
const MAX_SAMPLES: u32 = 64;

/// Colours multiplied by alpha, and alpha, as numbers for which a mean is valid.
pub(super) type Light = [f32; 4];

/// Function that fills a row, by its index.
type RowFunction<'a> = dyn Fn((usize, &mut [u8])) -> Result<(), Cancelled> + Sync + 'a;

/// A panorama of `width` × `height` texels.
pub(super) struct Panorama<'a, T> {
    pub texels: &'a [T],
    pub width: u32,
    pub height: u32,
}

impl<T: Texel> Panorama<'_, T> {
    /// Returns the texels of a face. `report` is called after each row.
    pub fn face(
        &self,
        face: usize,
        side: u32,
        to_light: impl Fn(T) -> Light + Sync,
        of_light: impl Fn(Light) -> T + Sync,
        report: impl Fn() + Sync,
        task: &Task<'_>,
    ) -> Result<Vec<T>, CubeError> {
        let mut texels = self.unfilled(side)?;
        let count = sample_count(self.width, side);
        let step = 2.0 / (f64::from(side) * f64::from(count));
        let place = |index: u32| -1.0 + (f64::from(index) + 0.5) * step;
        // Rows are bytes, so that work on threads is compiled once.
        let fill: &RowFunction<'_> = &|(y, row)| {
            for (x, texel) in bytemuck::cast_slice_mut::<_, T>(row).iter_mut().enumerate() {
                if x.is_multiple_of(64) {
                    task.check()?;
                }
                let mut sum = [0.0; 4];
                for j in 0..count {
                    for i in 0..count {
                        let [s, t] = [x as u32 * count + i, y as u32 * count + j].map(place);
                        let light = self.at(position(direction(face, s, t)), &to_light);
                        for (sum, light) in sum.iter_mut().zip(light) {
                            *sum += light;
                        }
                    }
                }
                *texel = of_light(sum.map(|sum| sum / (count * count) as f32));
            }
            report();
            Ok(())
        };
        let row_bytes = side as usize * size_of::<T>();
        let rows = bytemuck::cast_slice_mut(&mut texels).chunks_exact_mut(row_bytes);
        parallel::try_for_each(task, rows.enumerate(), fill)?;
        Ok(texels)
    }

    /// Returns texels for a face, which are still to be computed.
    fn unfilled(&self, side: u32) -> Result<Vec<T>, CubeError> {
        let count = u64::from(side) * u64::from(side);
        let out_of_memory = || CubeError::OutOfMemory { needed: count.saturating_mul(size_of::<T>() as u64) };
        let count = usize::try_from(count).map_err(|_| out_of_memory())?;
        let mut texels = Vec::new();
        texels.try_reserve_exact(count).map_err(|_| out_of_memory())?;
        texels.extend(self.texels.first().into_iter().cycle().take(count));
        Ok(texels)
    }

    /// Returns the interpolated light at a position of 0 to 1 in each direction.
    fn at(&self, [u, v]: [f64; 2], to_light: &impl Fn(T) -> Light) -> Light {
        let (width, height) = (i64::from(self.width), i64::from(self.height));
        let [x, y] = [u * width as f64 - 0.5, v * height as f64 - 0.5];
        let (left, top) = (x.floor(), y.floor());
        let [right, lower] = [x - left, y - top].map(|weight| weight as f32);
        let texel = |column: i64, row: i64| {
            let (column, row) = (column.rem_euclid(width), row.clamp(0, height - 1));
            to_light(self.texels[(row * width + column) as usize])
        };
        let (column, row) = (left as i64, top as i64);
        let between = |a: Light, b: Light, weight: f32| -> Light {
            std::array::from_fn(|channel| a[channel] * (1.0 - weight) + b[channel] * weight)
        };
        let upper_row = between(texel(column, row), texel(column + 1, row), right);
        let lower_row = between(texel(column, row + 1), texel(column + 1, row + 1), right);
        between(upper_row, lower_row, lower)
    }
}

/// Returns the number of samples along a side of a texel. In the middle of a face, where its texels are the
/// largest, a texel covers width / (π · side) texels of the panorama.
fn sample_count(width: u32, side: u32) -> u32 {
    let covered = f64::from(width) / (PI * f64::from(side));
    ((2.0 * covered).ceil() as u32).clamp(2, MAX_SAMPLES)
}
