//! A volume with its look and background, and the default camera.

use super::{ChosenLook, LoadedVolume, LookOptions, look::is_seen_from_above};
use brickwork_base::Task;
use brickwork_volume::{
    Header,
    render::{Camera, RenderError, Renderer, View},
};
use std::sync::Arc;

/// A volume with its look and background. A [`Painter`](super::Painter) renders any number of views of it.
#[derive(Debug)]
pub struct Scene {
    volume: Arc<LoadedVolume>,
    look: ChosenLook,
    renderer: Renderer,
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
        Ok(Self { volume, look, renderer })
    }

    /// Prepares the same volume and background with another look, which takes less time.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_look(&self, look: &LookOptions, task: &Task<'_>) -> Result<Self, RenderError> {
        let look = look.choose(&self.volume, task)?;
        let renderer = self.renderer.with_look(look.look.clone(), task)?;
        let renderer = renderer.with_background(self.renderer.background());
        Ok(Self { volume: Arc::clone(&self.volume), look, renderer })
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

    /// Returns the CPU's renderer.
    pub const fn renderer(&self) -> &Renderer {
        &self.renderer
    }

    /// Returns the default camera: slightly from the side and from above, as close as possible without
    /// cutting off anything visible.
    ///
    /// # Errors
    /// [`RenderError::Cancelled`].
    pub fn camera(&self, task: &Task<'_>) -> Result<Camera, RenderError> {
        let focus = self.renderer.focus(task)?;
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
