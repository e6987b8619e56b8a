//! The camera as it is moved by hand.

use brickwork_volume::{
    Header,
    render::{Camera, Focus, Projection, Up},
};

/// Degrees per point of a drag.
const DEGREES: f64 = 0.4;

/// Limits of the zoom.
const ZOOMS: [f64; 2] = [0.1, 60.0];

/// The sides that a volume is seen from. Left and right are the patient's: at the azimuth 0 a patient faces
/// the camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandardView {
    Front,
    Back,
    Left,
    Right,
    Top,
    Bottom,
}

impl StandardView {
    /// Every view, in the order of their keys: 1 to 6.
    pub const ALL: [Self; 6] = [Self::Front, Self::Back, Self::Left, Self::Right, Self::Top, Self::Bottom];

    /// Returns the name in the window.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Front => "Front",
            Self::Back => "Back",
            Self::Left => "Left",
            Self::Right => "Right",
            Self::Top => "Top",
            Self::Bottom => "Bottom",
        }
    }

    /// Returns azimuth and elevation in degrees.
    pub const fn angles(self) -> [f64; 2] {
        match self {
            Self::Front => [0.0, 0.0],
            Self::Back => [180.0, 0.0],
            Self::Left => [90.0, 0.0],
            Self::Right => [-90.0, 0.0],
            Self::Top => [0.0, 90.0],
            Self::Bottom => [0.0, -90.0],
        }
    }
}

/// Camera that orbits a volume.
#[derive(Clone, Debug, PartialEq)]
pub struct Orbit {
    /// Degrees, as [`Camera`] has them.
    pub azimuth: f64,
    pub elevation: f64,
    /// 1 where the volume fills the rendering.
    pub zoom: f64,
    /// The box of the volume in which something shows, from each axis' first to its last position in voxels.
    pub home: [[f64; 2]; 3],
    /// The point in the middle of the rendering, in voxels from the middle of that box.
    pub pan: [f64; 3],
    pub is_orthographic: bool,
    pub up: Up,
}

/// Azimuth and elevation at first: a little from the side and from above.
const FIRST: [f64; 2] = [25.0, 15.0];

impl Orbit {
    /// Returns a camera that sees all of this box.
    pub fn new(home: [[f64; 2]; 3]) -> Self {
        let [azimuth, elevation] = FIRST;
        let (pan, up) = ([0.0; 3], Up::default());
        Self { azimuth, elevation, zoom: 1.0, home, pan, is_orthographic: false, up }
    }

    /// Returns the camera.
    pub fn camera(&self) -> Camera {
        let focus = [0, 1, 2].map(|axis| self.home[axis].map(|end| end + self.pan[axis]));
        let projection = if self.is_orthographic { Projection::Orthographic } else { Projection::default() };
        let (azimuth, elevation, zoom, up) = (self.azimuth, self.elevation, self.zoom, self.up);
        Camera {
            azimuth,
            elevation,
            zoom,
            projection,
            up,
            focus: Some(Focus::of_box(focus)),
            ..Camera::default()
        }
    }

    /// Turns the volume by a drag of some points. The size of the middle does not change.
    pub fn turn(&mut self, header: &Header, [across, down]: [f64; 2]) {
        let before = self.pixel(header);
        self.azimuth = (self.azimuth - across * DEGREES).rem_euclid(360.0);
        self.elevation = (self.elevation + down * DEGREES).clamp(-90.0, 90.0);
        if let (Some(before), Some(after)) = (before, self.pixel(header)) {
            self.zoom = (self.zoom * after / before).clamp(ZOOMS[0], ZOOMS[1]);
        }
    }

    /// Moves the volume by some pixels of a rendering of `size`.
    pub fn pan(&mut self, header: &Header, size: [u32; 2], [across, down]: [f64; 2]) {
        let Some([right_step, down_step]) = self.steps(header, size) else { return };
        let sides = [header.dims.x, header.dims.y, header.dims.z];
        for axis in 0..3 {
            let moved = self.pan[axis] - across * right_step[axis] - down * down_step[axis];
            // The middle of the rendering stays in the volume.
            let middle = self.middle(axis);
            self.pan[axis] = moved.clamp(-middle, sides[axis] as f64 - middle);
        }
    }

    /// Makes the volume `factor` times as large.
    pub fn zoom_by(&mut self, factor: f64) {
        self.zoom = (self.zoom * factor).clamp(ZOOMS[0], ZOOMS[1]);
    }

    /// Looks at the whole volume from a side.
    pub fn look_from(&mut self, view: StandardView) {
        let [azimuth, elevation] = view.angles();
        *self = Self { azimuth, elevation, zoom: 1.0, pan: [0.0; 3], ..self.clone() };
    }

    /// Looks at the whole volume from where it was first seen.
    pub fn reset(&mut self) {
        let (is_orthographic, up) = (self.is_orthographic, self.up);
        *self = Self { is_orthographic, up, ..Self::new(self.home) };
    }

    fn middle(&self, axis: usize) -> f64 {
        self.home[axis].iter().sum::<f64>() / 2.0
    }

    /// Returns the axes of the volume as arrows in the rendering: to the right and down, of length 1 if an
    /// axis is parallel to the rendering.
    pub fn arrows(&self, header: &Header) -> Option<[[f64; 2]; 3]> {
        let spacing = [header.spacing.x, header.spacing.y, header.spacing.z];
        let [right, down] = self.steps(header, [512, 512])?;
        let unit = |step: [f64; 3]| {
            let world = [0, 1, 2].map(|axis| step[axis] * spacing[axis]);
            let length = world.iter().map(|x| x * x).sum::<f64>().sqrt();
            world.map(|x| x / length)
        };
        let (right, down) = (unit(right), unit(down));
        Some([0, 1, 2].map(|axis| [right[axis], down[axis]]))
    }

    /// Returns the size in the world of the middle pixel of a square rendering.
    fn pixel(&self, header: &Header) -> Option<f64> {
        let spacing = [header.spacing.x, header.spacing.y, header.spacing.z];
        let [step, _] = self.steps(header, [512, 512])?;
        Some((0..3).map(|axis| (step[axis] * spacing[axis]).powi(2)).sum::<f64>().sqrt())
    }

    /// Returns the steps from the middle pixel to the next ones, to the right and down, in voxels.
    fn steps(&self, header: &Header, [width, height]: [u32; 2]) -> Option<[[f64; 3]; 2]> {
        let view = self.camera().view(header, width, height).ok()?;
        Some(view.pixel_steps([0, 1, 2].map(|axis| self.middle(axis) + self.pan[axis])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{Dims, Spacing, VoxelType};

    fn header() -> Header {
        let spacing = Spacing { x: 1.0, y: 1.0, z: 2.0 };
        Header::new(VoxelType::U8, Dims::new(100, 80, 40)).with(|header| header.spacing = spacing)
    }

    fn orbit() -> Orbit {
        Orbit::new([[0.0, 100.0], [0.0, 80.0], [0.0, 40.0]])
    }

    #[test]
    fn drags_turn_without_a_change_of_size() {
        for is_orthographic in [false, true] {
            let mut orbit = Orbit { is_orthographic, ..orbit() };
            let before = orbit.pixel(&header()).expect("a view");
            orbit.turn(&header(), [100.0, 50.0]);
            assert_eq!((orbit.azimuth, orbit.elevation), (345.0, 35.0));
            let after = orbit.pixel(&header()).expect("a view");
            assert!((after / before - 1.0).abs() < 1e-3, "{before} {after}");
            orbit.turn(&header(), [0.0, 1000.0]);
            assert_eq!(orbit.elevation, 90.0);
        }
    }

    #[test]
    fn pans_follow_the_pointer() {
        for is_orthographic in [false, true] {
            let mut orbit = Orbit { is_orthographic, ..orbit() };
            orbit.look_from(StandardView::Front);
            // x is to the right, z is up.
            orbit.pan(&header(), [400, 300], [30.0, -20.0]);
            let pixel = orbit.steps(&header(), [400, 300]).expect("a view")[0][0];
            let [x, y, z] = orbit.pan;
            assert!((x + 30.0 * pixel).abs() < 0.05 && y.abs() < 1e-6, "{x} {y} {pixel}");
            assert!((z + 20.0 * pixel / 2.0).abs() < 0.05, "{z} {pixel}");
            orbit.pan(&header(), [400, 300], [1e6, 0.0]);
            assert_eq!(orbit.pan[0], -50.0);
            orbit.reset();
            assert_eq!((orbit.pan, orbit.is_orthographic), ([0.0; 3], is_orthographic));
        }
    }

    #[test]
    fn standard_views_look_along_axes() {
        let mut orbit = orbit();
        // The directions to the right and down.
        for (view, right, down) in [
            (StandardView::Front, [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]),
            (StandardView::Back, [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]),
            (StandardView::Left, [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]),
            (StandardView::Right, [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]),
            (StandardView::Top, [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]),
            (StandardView::Bottom, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        ] {
            orbit.look_from(view);
            let arrows = orbit.arrows(&header()).expect("a view");
            for axis in 0..3 {
                let found = arrows[axis];
                let is_near = (found[0] - right[axis]).abs() < 1e-3 && (found[1] - down[axis]).abs() < 1e-3;
                assert!(is_near, "{view:?}: axis {axis} at {found:?}");
            }
        }
    }

    #[test]
    fn zooms_stay_in_bounds() {
        let mut orbit = orbit();
        for factor in [1e9, 1e-18] {
            orbit.zoom_by(factor);
            assert!(orbit.camera().view(&header(), 1920, 1080).is_ok(), "{}", orbit.zoom);
        }
    }
}
