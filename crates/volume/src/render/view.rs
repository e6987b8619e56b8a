//! Views: the fixed parameters of a rendering.

use super::{RenderError, rays::Rays, shade::Light};
use crate::Dims;
use std::ops::Range;

/// The rays and the light of a rendering, made by [`Camera::view`](super::Camera::view).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The positions of samples.
    pub(super) rays: Rays,
    /// Parameters of shading.
    pub(super) light: Light,
}

impl View {
    /// Returns the number of pixels per row.
    pub const fn width(&self) -> u32 {
        self.rays.width
    }

    /// Returns the number of rows of pixels.
    pub const fn height(&self) -> u32 {
        self.rays.height
    }

    /// Returns the number of pixels of the rendering.
    pub const fn pixel_count(&self) -> u64 {
        self.width() as u64 * self.height() as u64
    }

    /// Returns the dims of the rendered volume, in voxels.
    pub const fn dims(&self) -> Dims {
        let [x, y, z] = self.rays.dims;
        Dims::new(x as usize, y as usize, z as usize)
    }

    /// Returns these rows of the rendering as a separate view, with the same rays: a large rendering can be
    /// rendered in bands.
    ///
    /// # Errors
    /// [`RenderError::Rows`] if the range is empty or extends beyond the rendering.
    pub fn rows(&self, range: Range<u32>) -> Result<Self, RenderError> {
        let Range { start, end } = range;
        if start >= end || end > self.height() {
            return Err(RenderError::Rows { start, end, height: self.height() });
        }
        let moved = |base: [i32; 3], down: [i32; 3]| -> [i32; 3] {
            std::array::from_fn(|axis| base[axis].wrapping_add(down[axis].wrapping_mul(start as i32)))
        };
        let rays = Rays {
            origin: moved(self.rays.origin, self.rays.origin_y),
            dir: moved(self.rays.dir, self.rays.dir_y),
            height: end - start,
            ..self.rays
        };
        Ok(Self { rays, ..*self })
    }

    /// Returns the distances, in voxels, from the pixel in the middle to the next one to the right and to the
    /// next one below, at the depth of `point`, a place in voxels.
    pub fn pixel_steps(&self, point: [f64; 3]) -> [[f64; 3]; 2] {
        let Rays { origin, origin_x, origin_y, dir, dir_x, dir_y, width, height, .. } = self.rays;
        let (px, py) = (f64::from(width - 1) / 2.0, f64::from(height - 1) / 2.0);
        let along = |base: [i32; 3], x: [i32; 3], y: [i32; 3]| -> [f64; 3] {
            [0, 1, 2].map(|axis| f64::from(base[axis]) + px * f64::from(x[axis]) + py * f64::from(y[axis]))
        };
        // Directions have ten bits more than positions.
        let start = along(origin, origin_x, origin_y).map(|x| x / 65536.0);
        let step = along(dir, dir_x, dir_y).map(|x| x / 65536.0 / 1024.0);
        let (mut dot, mut square) = (0.0, 0.0);
        for axis in 0..3 {
            dot += (point[axis] - start[axis]) * step[axis];
            square += step[axis] * step[axis];
        }
        let planes = dot / square;
        [(origin_x, dir_x), (origin_y, dir_y)].map(|(origin, dir)| {
            [0, 1, 2].map(|i| (f64::from(origin[i]) + planes * f64::from(dir[i]) / 1024.0) / 65536.0)
        })
    }

    /// Checks that this is a view of a volume of `dims` voxels.
    pub(super) fn check(&self, dims: Dims) -> Result<(), RenderError> {
        if self.dims() == dims {
            return Ok(());
        }
        Err(RenderError::OtherVolume { seen: self.dims(), dims })
    }
}
