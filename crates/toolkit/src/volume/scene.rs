//! A volume with its look and background, and the default camera.

use super::{ChosenLook, LoadedVolume, LookOptions, look::is_seen_from_above};
use brickwork_base::Task;
use brickwork_volume::{
    Header,
    render::{Camera, Focus, RenderError, Renderer, Rendering, View},
};
use std::sync::Arc;

/// A volume with its look and background. A [`Painter`](super::Painter) renders any number of views of it.
#[derive(Debug)]
pub struct Scene {
    volume: Arc<LoadedVolume>,
    look: ChosenLook,
    renderer: Renderer,
    /// Further channels of the volume, whose colours are added.
    others: Vec<Scene>,
}

impl Scene {
    /// Prepares a volume with a look, over the look's default background.
    ///
    /// # Errors
    /// As [`LookOptions::choose`], and [`RenderError::TooLarge`] if a side is too long.
    pub fn new(
        volume: impl Into<Arc<LoadedVolume>>,
        look: &LookOptions,
        task: &Task<'_>,
    ) -> Result<Self, RenderError> {
        let volume: Arc<LoadedVolume> = volume.into();
        let look = look.choose(&volume, task)?;
        let renderer = Renderer::new(Arc::clone(volume.bricks()), look.look.clone(), task)?;
        let renderer = renderer.with_background(look.mode.background());
        Ok(Self { volume, look, renderer, others: Vec::new() })
    }

    /// Prepares the same volume and background, without further channels, with another look. This takes less
    /// time.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_look(&self, look: &LookOptions, task: &Task<'_>) -> Result<Self, RenderError> {
        let look = look.choose(&self.volume, task)?;
        let renderer = self.renderer.with_look(look.look.clone(), task)?;
        let renderer = renderer.with_background(self.renderer.background());
        Ok(Self { volume: Arc::clone(&self.volume), look, renderer, others: Vec::new() })
    }

    /// Adds further channels of the same volume: their colours and opacities are added to those of this one,
    /// as by [`Renderer::render_with`]. Their backgrounds do not count.
    #[must_use]
    pub fn with_channels(self, others: Vec<Self>) -> Self {
        Self { others, ..self }
    }

    /// Sets the background: red, green, blue and straight alpha, 0 to 1. Default:
    /// [`RenderMode::background`](super::RenderMode::background).
    #[must_use]
    pub fn with_background(self, background: [f32; 4]) -> Self {
        Self { renderer: self.renderer.with_background(background), ..self }
    }

    /// Returns the volume.
    pub const fn volume(&self) -> &Arc<LoadedVolume> {
        &self.volume
    }

    /// Returns the look.
    pub const fn look(&self) -> &ChosenLook {
        &self.look
    }

    /// Returns the CPU's renderer of the first channel.
    pub const fn renderer(&self) -> &Renderer {
        &self.renderer
    }

    /// Returns the scenes of the channels, this one first.
    pub fn channels(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.others)
    }

    /// Renders a view on the CPU. Reports its pixels.
    ///
    /// # Errors
    /// As [`Renderer::render`].
    pub fn render(&self, view: &View, task: &Task<'_>) -> Result<Rendering, RenderError> {
        let others: Vec<&Renderer> = self.others.iter().map(Self::renderer).collect();
        self.renderer.render_with(&others, view, task)
    }

    /// Returns the default camera: slightly from the side and from above, as close as possible without
    /// cutting off anything visible.
    ///
    /// # Errors
    /// [`RenderError::Cancelled`].
    pub fn camera(&self, task: &Task<'_>) -> Result<Camera, RenderError> {
        let mut focus = None;
        for channel in self.channels() {
            focus = joined(focus, channel.renderer.focus(task)?);
        }
        Ok(Camera { up: self.volume.up(), focus, ..default_camera(self.volume.header()) })
    }

    /// Returns the view of a camera.
    ///
    /// # Errors
    /// As [`Camera::view`].
    pub fn view(&self, camera: &Camera, width: u32, height: u32) -> Result<View, RenderError> {
        camera.view(self.volume.header(), width, height)
    }
}

/// Returns a focus on both, or the only one.
pub(super) fn joined(a: Option<Focus>, b: Option<Focus>) -> Option<Focus> {
    let (a, b) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (a, b) => return a.or(b),
    };
    let points = || a.points().iter().chain(b.points());
    let along = |axis: usize| {
        let values = || points().map(|point| point[axis]);
        [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)]
    };
    Some(Focus::of_box([along(0), along(1), along(2)]))
}

/// Returns the default camera for a volume that is not loaded yet: azimuth 30°, elevation 15°, and straight
/// from above for stacks of images; samples half a voxel apart.
pub fn default_camera(header: &Header) -> Camera {
    let [azimuth, elevation] = if is_seen_from_above(header) { [0.0; 2] } else { [30.0, 15.0] };
    Camera { azimuth, elevation, step: 0.5, ..Camera::default() }
}

/// Returns `count` cameras on an orbit around the volume, starting at `camera`. The volume has the same size
/// in all renderings.
pub fn orbit(camera: &Camera, count: u32) -> Vec<Camera> {
    let at = |number: u32| Camera {
        azimuth: camera.azimuth + 360.0 * f64::from(number) / f64::from(count),
        is_orbiting: true,
        ..camera.clone()
    };
    (0..count).map(at).collect()
}
