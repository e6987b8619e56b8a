//! A loaded volume and its cameras.

use super::RenderOptions;
use crate::{
    device::Device,
    volume::{LoadOptions, Painter, Scene, VolumeError, VolumePart, orbit},
};
use brickwork_base::Task;
use brickwork_volume::render::{Camera, RenderError, Rendering};

/// Renderings of one volume: one, or those of an orbit.
#[derive(Debug)]
pub struct Renderings {
    painter: Painter,
    cameras: Vec<Camera>,
    size: [u32; 2],
}

impl Renderings {
    /// Loads a part of a volume, and prepares its renderings on a device.
    ///
    /// # Errors
    /// [`VolumeError`] if the voxels cannot be read or rendered, or the call is cancelled.
    pub fn new(
        part: VolumePart,
        options: &RenderOptions,
        device: Device,
        task: &Task<'_>,
    ) -> Result<Self, VolumeError> {
        let load = LoadOptions::default().with(|o| {
            o.compress = device.gpu().is_some();
            o.gpu_memory = options.gpu_memory;
            o.stored_values = options.look.stored_values;
        });
        let scene = Scene::new(part.load(&load, task)?, &options.look, task)?;
        let background = options.background.unwrap_or_else(|| scene.look().mode.background());
        let scene = scene.with_background(background);
        let focus = scene.camera(task)?.focus;
        let camera = Camera { focus, ..options.camera(scene.volume().up(), scene.volume().header()) };
        let cameras = options.orbit.map_or_else(|| vec![camera.clone()], |count| orbit(&camera, count));
        let painter = Painter::new(scene, device, options.gpu_memory, task)?;
        Ok(Self { painter, cameras, size: options.size })
    }

    /// Returns the number of renderings.
    pub fn count(&self) -> usize {
        self.cameras.len()
    }

    /// Returns the scene and its device.
    pub const fn painter(&self) -> &Painter {
        &self.painter
    }

    /// Makes a rendering. Reports its pixels.
    ///
    /// # Errors
    /// As [`Painter::render`].
    ///
    /// # Panics
    /// If there is no rendering `index`.
    pub fn render(&mut self, index: usize, task: &Task<'_>) -> Result<Rendering, RenderError> {
        let [width, height] = self.size;
        let view = self.painter.scene().view(&self.cameras[index], width, height)?;
        self.painter.render(&view, task)
    }
}
