//! Cameras: from angles to rays.

use super::{
    Focus, MAX_SIDE, RenderError, View,
    rays::{ONE, Rays},
    shade::Light,
    vector::{Matrix, Vector, cross, dot, scaled, sum, unit},
};
use crate::{Dims, Header};
use std::{ops::RangeInclusive, str::FromStr};

/// The fraction of the rendering that the volume fills where it is widest or highest.
const FILL: f64 = 0.94;

/// Distances between voxels with which a camera can calculate.
const SPACINGS: RangeInclusive<f64> = 1e-30..=1e30;

/// The direction of the key light, seen from the camera: to the left, above, and towards the viewer.
const KEY_LIGHT: [f64; 3] = [-0.45, 0.6, 1.0];

/// The projection of space to a rendering.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Projection {
    /// A perspective projection: farther objects are smaller.
    Perspective {
        /// The angle from the lower to the upper edge of the rendering, in degrees, from 1 to 150.
        field_of_view: f64,
    },
    /// Orthographic projection: size does not depend on distance.
    Orthographic,
}

impl Default for Projection {
    /// Returns a perspective of 30°.
    fn default() -> Self {
        Self::Perspective { field_of_view: 30.0 }
    }
}

/// The axis of the world that is up in the rendering. At azimuth 0, the camera is at −y if z or x is the
/// vertical axis, so that patients are seen from the front. It is at −z if −y is up and at +z if y is, so
/// that slices are seen as in an image viewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there are six")]
pub enum Up {
    /// +x.
    X,
    /// −x.
    MinusX,
    /// +y.
    Y,
    /// −y.
    MinusY,
    /// +z: the head of a patient.
    #[default]
    Z,
    /// −z.
    MinusZ,
}

impl Up {
    /// Returns the directions up, and from the volume to the camera at azimuth 0.
    const fn axes(self) -> [Vector; 2] {
        const FRONT: Vector = [0.0, -1.0, 0.0];
        match self {
            Self::X => [[1.0, 0.0, 0.0], FRONT],
            Self::MinusX => [[-1.0, 0.0, 0.0], FRONT],
            Self::Y => [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            Self::MinusY => [[0.0, -1.0, 0.0], [0.0, 0.0, -1.0]],
            Self::Z => [[0.0, 0.0, 1.0], FRONT],
            Self::MinusZ => [[0.0, 0.0, -1.0], FRONT],
        }
    }
}

impl Up {
    /// Returns the axis that suits a volume: +z, the head of patients, or −y for stacks of images, whose rows
    /// run down.
    pub fn suited_to(header: &Header) -> Self {
        if header.is_image_stack() && !header.is_anatomical() { Self::MinusY } else { Self::Z }
    }
}

impl FromStr for Up {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text.trim_start_matches('+') {
            "x" => Self::X,
            "-x" => Self::MinusX,
            "y" => Self::Y,
            "-y" => Self::MinusY,
            "z" => Self::Z,
            "-z" => Self::MinusZ,
            _ => return Err("expected x, -x, y, -y, z or -z".to_owned()),
        })
    }
}

/// The position from which a volume is seen.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "callers change fields of `Camera::default()`")]
pub struct Camera {
    /// The angle of the camera around the vertical axis, in degrees, to the viewer's right. Default: 0.
    pub azimuth: f64,
    /// The angle of the camera above the horizon, in degrees. Default: 0.
    pub elevation: f64,
    /// The rotation of the camera about its own axis, in degrees, clockwise. Default: 0.
    pub roll: f64,
    /// The size of the volume: at 1 it fills the rendering; at 2 the camera is at half the distance, or the
    /// volume twice as large without perspective. Default: 1.
    pub zoom: f64,
    /// Default: perspective, 30°.
    pub projection: Projection,
    /// Default: +z.
    pub up: Up,
    /// The part that fills the rendering. Default: none, the box of the whole volume.
    pub focus: Option<Focus>,
    /// True if the distance is the same for every azimuth, so that the renderings of an orbit are equally
    /// large. Default: false.
    pub is_orbiting: bool,
    /// Distance between the planes of samples, in units of the smallest distance between voxels, from 1/64 to
    /// 16. Default: 1.
    pub step: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            azimuth: 0.0,
            elevation: 0.0,
            roll: 0.0,
            zoom: 1.0,
            projection: Projection::default(),
            up: Up::default(),
            focus: None,
            is_orbiting: false,
            step: 1.0,
        }
    }
}

impl Camera {
    /// Returns the view of a volume of `header`'s dims, spacing and directions, as a rendering of
    /// `width`×`height` pixels. Spacing that is not from 10⁻³⁰ to 10³⁰ counts as 1. Directions that do not
    /// span space count as the axes.
    ///
    /// # Errors
    /// [`RenderError`] if a side of the rendering is 0 or above [`MAX_SIDE`], a side of the volume is above
    /// it, the camera's numbers are out of range, or the rendering reaches more than 32767 voxels away.
    pub fn view(&self, header: &Header, width: u32, height: u32) -> Result<View, RenderError> {
        self.check(header.dims, width, height)?;
        let space = Space::new(header);
        let eye = self.eye(&space, width, height);
        let rays = eye.rays(&space, self.step, width, height)?;
        let towards = |v: [f64; 3]| {
            unit(sum(sum(scaled(eye.right, v[0]), scaled(eye.up, v[1])), scaled(eye.forward, -v[2])))
        };
        let key = towards(KEY_LIGHT);
        let half = unit(sum(key, scaled(eye.forward, -1.0)));
        let light = Light::new(&space.voxel_from_world, &space.world_from_voxel, space.unit, key, half);
        Ok(View { rays, light })
    }

    /// Returns the mip level whose voxels are as large as pixels where the volume is nearest, or smaller; 0
    /// if the header has no other. If all levels are too large for a view, it is the first smaller one.
    ///
    /// # Errors
    /// The errors of [`view`](Self::view), except for the sides of the volume.
    pub fn mip_level(&self, header: &Header, width: u32, height: u32) -> Result<usize, RenderError> {
        self.check(Dims::cube(1), width, height)?;
        let space = Space::new(header);
        let eye = self.eye(&space, width, height);
        let (nearest, _) = eye.depths(&space);
        let pixel = eye.pixel * if eye.is_perspective { nearest.max(0.0) } else { 1.0 };
        let by_size = (pixel / space.unit).log2().max(0.0) as usize;
        let fits = |&level: &usize| {
            let Dims { x, y, z } = header.mip_level_dims(level);
            x.max(y).max(z) <= MAX_SIDE as usize
        };
        let last = header.mip_levels.max(1) - 1;
        Ok((by_size.min(last)..=last).find(fits).unwrap_or(last))
    }

    fn check(&self, dims: Dims, width: u32, height: u32) -> Result<(), RenderError> {
        let is_side = |side: u32| (1..=MAX_SIDE).contains(&side);
        if !is_side(width) || !is_side(height) {
            return Err(RenderError::Size { width, height });
        }
        if dims.x.max(dims.y).max(dims.z) > MAX_SIDE as usize || dims.voxel_count().is_err() {
            return Err(RenderError::TooLarge(dims));
        }
        let check = |what, value: f64, is_valid, expected| {
            if is_valid { Ok(()) } else { Err(RenderError::Camera { what, value, expected }) }
        };
        for (what, angle) in [("azimuth", self.azimuth), ("elevation", self.elevation), ("roll", self.roll)] {
            check(what, angle, angle.abs() <= 1e6, "expected an angle in degrees")?;
        }
        check("zoom", self.zoom, (0.01..=1e4).contains(&self.zoom), "expected 0.01 to 10000")?;
        check("step", self.step, (1.0 / 64.0..=16.0).contains(&self.step), "expected 1/64 to 16")?;
        if let Projection::Perspective { field_of_view } = self.projection {
            let is_valid = (1.0..=150.0).contains(&field_of_view);
            check("field of view", field_of_view, is_valid, "expected 1 to 150 degrees")?;
        }
        for end in self.focus.iter().flat_map(Focus::points).flatten() {
            check("focus", *end, end.abs() <= 1e9, "expected numbers of voxels up to 10⁹")?;
        }
        Ok(())
    }

    /// Returns the directions right, up and forward at an azimuth.
    fn basis(&self, azimuth: f64) -> [Vector; 3] {
        let [up, front] = self.up.axes();
        let side = cross(up, front);
        let (sin, cos) = azimuth.to_radians().sin_cos();
        let level = sum(scaled(front, cos), scaled(side, sin));
        let right = sum(scaled(side, cos), scaled(front, -sin));
        let (sin, cos) = self.elevation.to_radians().sin_cos();
        let forward = scaled(sum(scaled(level, cos), scaled(up, sin)), -1.0);
        let up = sum(scaled(up, cos), scaled(level, -sin));
        let (sin, cos) = self.roll.to_radians().sin_cos();
        [sum(scaled(right, cos), scaled(up, sin)), sum(scaled(up, cos), scaled(right, -sin)), forward]
    }

    fn eye(&self, space: &Space, width: u32, height: u32) -> Eye {
        let whole = Focus::all(space.dims());
        let focus = self.focus.as_ref().unwrap_or(&whole);
        let [right, up, forward] = self.basis(self.azimuth);
        let mut target = space.world(focus.middle());
        let points: Vec<Vector> = focus.points().iter().map(|&point| space.world(point)).collect();
        if !self.is_orbiting {
            // As much room on the left as on the right, and above as below.
            for axis in [right, up] {
                let along = || points.iter().map(|&point| dot(sum(point, scaled(target, -1.0)), axis));
                let [least, most] =
                    [along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max)];
                target = sum(target, scaled(axis, f64::midpoint(least, most)));
            }
        }
        // Half the rendering's height and width, at distance 1 or as a fraction of the height.
        let slope = match self.projection {
            Projection::Perspective { field_of_view } => (field_of_view.to_radians() / 2.0).tan(),
            Projection::Orthographic => 1.0,
        };
        let aspect = f64::from(width) / f64::from(height);
        let distance_at = |azimuth: f64| {
            let [right, up, forward] = self.basis(azimuth);
            points.iter().fold(0.0, |most: f64, &point| {
                let point = sum(point, scaled(target, -1.0));
                let aside = (dot(point, right).abs() / aspect).max(dot(point, up).abs()) / (slope * FILL);
                most.max(match self.projection {
                    Projection::Perspective { .. } => aside - dot(point, forward),
                    Projection::Orthographic => aside,
                })
            })
        };
        let distance = if self.is_orbiting {
            (0..72).map(|i| distance_at(f64::from(5 * i))).fold(0.0, f64::max)
        } else {
            distance_at(self.azimuth)
        };
        let distance = distance / self.zoom;
        let is_perspective = self.projection != Projection::Orthographic;
        let position = if is_perspective { sum(target, scaled(forward, -distance)) } else { target };
        // At distance 1, or in the world.
        let pixel = 2.0 * slope / f64::from(height) * if is_perspective { 1.0 } else { distance };
        Eye { position, right, up, forward, pixel, is_perspective }
    }
}

/// A camera in the world.
struct Eye {
    /// The camera's position; for an orthographic one, any point in the middle of the rendering.
    position: Vector,
    right: Vector,
    up: Vector,
    forward: Vector,
    /// The side of a pixel at distance 1, or anywhere without perspective.
    pixel: f64,
    is_perspective: bool,
}

impl Eye {
    /// Returns the distances of the volume's nearest and farthest corners, along the view.
    fn depths(&self, space: &Space) -> (f64, f64) {
        let whole = Focus::all(space.dims());
        let depth =
            |&corner: &Vector| dot(sum(space.world(corner), scaled(self.position, -1.0)), self.forward);
        let depths = || whole.points().iter().map(depth);
        (depths().fold(f64::INFINITY, f64::min), depths().fold(f64::NEG_INFINITY, f64::max))
    }

    fn rays(&self, space: &Space, step: f64, width: u32, height: u32) -> Result<Rays, RenderError> {
        let (nearest, farthest) = self.depths(space);
        let nearest = if self.is_perspective { nearest.max(0.0) } else { nearest };
        let plane_distance = step * space.unit;
        let planes = ((farthest - nearest) / plane_distance).ceil().max(0.0);
        // The first plane is half a step in: along an axis of the volume, samples are voxels' centres.
        let first = nearest + plane_distance / 2.0;
        // From the middle of the rendering to that of pixel (0, 0), and on to its neighbours.
        let right = scaled(self.right, self.pixel);
        let down = scaled(self.up, -self.pixel);
        let corner =
            sum(scaled(right, (1.0 - f64::from(width)) / 2.0), scaled(down, (1.0 - f64::from(height)) / 2.0));
        let spread = if self.is_perspective { first } else { 1.0 };
        let start = sum(self.position, sum(scaled(self.forward, first), scaled(corner, spread)));
        let bend = if self.is_perspective { plane_distance } else { 0.0 };
        let dir = sum(scaled(self.forward, plane_distance), scaled(corner, bend));
        let fixed = |world: Vector, scale: f64| -> [i64; 3] {
            space.voxel_from_world.times(world).map(|x| (x * scale).round() as i64)
        };
        let (one, fine) = (f64::from(ONE), f64::from(ONE) * 1024.0);
        let starts = [fixed(start, one), fixed(scaled(right, spread), one), fixed(scaled(down, spread), one)];
        let mut dirs = [fixed(dir, fine), fixed(scaled(right, bend), fine), fixed(scaled(down, bend), fine)];
        dirs[0] = dirs[0].map(|dir| dir.saturating_add(512));
        let reach = [width, height].map(|side| i64::from(side) - 1);
        let [origin, origin_x, origin_y] = narrowed(starts, reach)?;
        let [dir, dir_x, dir_y] = narrowed(dirs, reach)?;
        let planes = if planes < f64::from(1 << 30) { planes as u32 } else { return Err(RenderError::Far) };
        Ok(Rays {
            origin,
            planes,
            origin_x,
            width,
            origin_y,
            height,
            dir,
            padding: 0,
            dir_x,
            padding_x: 0,
            dir_y,
            padding_y: 0,
            dims: space.sides.map(|side| side as u32),
            padding_dims: 0,
        })
    }
}

/// Returns the numbers with 32 bits, if those of all pixels fit: they are largest in the corners of the
/// rendering.
fn narrowed([base, x, y]: [[i64; 3]; 3], reach: [i64; 2]) -> Result<[[i32; 3]; 3], RenderError> {
    let fits = |number: i128| i128::from(number as i32) == number && number as i32 != i32::MIN;
    for axis in 0..3 {
        for (px, py) in [(0, 0), (reach[0], 0), (0, reach[1]), (reach[0], reach[1])] {
            let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
            if !fits(i128::from(base[axis]) + product(px, x[axis]) + product(py, y[axis])) {
                return Err(RenderError::Far);
            }
        }
    }
    // A product that overflows wraps, and wraps back in the sum.
    Ok([base, x, y].map(|vector| vector.map(|number| number as i32)))
}

/// The world of a volume, with its first voxel's corner as the origin.
struct Space {
    /// Voxels along each axis.
    sides: Vector,
    world_from_voxel: Matrix,
    voxel_from_world: Matrix,
    /// The smallest distance between voxels.
    unit: f64,
}

impl Space {
    fn new(header: &Header) -> Self {
        let Dims { x, y, z } = header.dims;
        let spacing = [header.spacing.x, header.spacing.y, header.spacing.z];
        let spacing = spacing.map(|s| if SPACINGS.contains(&s) { s } else { 1.0 });
        let axes = header.orientation.as_chunks::<3>().0;
        let along = |axis: usize| scaled(axes[axis], spacing[axis]);
        let world_from_voxel = Matrix::of_columns([along(0), along(1), along(2)]);
        let straight = || {
            let along = |axis: usize| std::array::from_fn(|i| if i == axis { spacing[axis] } else { 0.0 });
            Matrix::of_columns([along(0), along(1), along(2)])
        };
        let (world_from_voxel, voxel_from_world) = match world_from_voxel.inverse() {
            Some(inverse) => (world_from_voxel, inverse),
            None => (straight(), straight().inverse().expect("spacing is positive")),
        };
        let lengths = world_from_voxel.transposed().0.map(|along| dot(along, along).sqrt());
        let unit = lengths.into_iter().fold(f64::INFINITY, f64::min);
        Self { sides: [x, y, z].map(|side| side as f64), world_from_voxel, voxel_from_world, unit }
    }

    fn dims(&self) -> Dims {
        let [x, y, z] = self.sides.map(|side| side as usize);
        Dims::new(x, y, z)
    }

    fn world(&self, voxel: Vector) -> Vector {
        self.world_from_voxel.times(voxel)
    }
}
