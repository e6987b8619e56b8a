//! A loaded volume and its cameras.

use super::RenderOptions;
use crate::{
    device::Device,
    volume::{
        LoadOptions, LookOptions, Overlay, Painter, Scene, ShownChannel, VolumeError, VolumePart,
        channels::no_numbers, orbit, overlay::OverlayPainter, scene::joined,
    },
};
use brickwork_base::Task;
use brickwork_volume::render::{Camera, RenderError, Rendering};

/// Renderings of one volume: one, or those of an orbit.
#[derive(Debug)]
pub struct Renderings {
    painter: Painter,
    overlay: Option<OverlayPainter>,
    cameras: Vec<Camera>,
    channels: Vec<ShownChannel>,
    notes: Vec<String>,
    size: [u32; 2],
}

impl Renderings {
    /// Loads a part of a volume, and prepares its renderings on a device. The first visible voxel of the
    /// labels of an overlay is drawn over each pixel, also if the volume hides it.
    ///
    /// # Errors
    /// [`VolumeError`] if the voxels cannot be read or rendered, or the call is cancelled.
    pub fn new(
        part: VolumePart,
        overlay: Option<Overlay>,
        options: &RenderOptions,
        device: Device,
        task: &Task<'_>,
    ) -> Result<Self, VolumeError> {
        options.look.check(part.header())?;
        let mut channels = options.shown_channels(&part)?;
        let mut notes = Vec::new();
        let load = LoadOptions::default().with(|o| {
            o.compress = device.gpu().is_some();
            o.gpu_memory = options.gpu_memory.map(|bytes| bytes / channels.len().max(1) as u64);
            o.stored_values = options.look.stored_values;
        });
        let scene = if channels.is_empty() {
            Scene::new(part.load(&load, task)?, &options.look, task)?
        } else {
            added(part, &mut channels, &mut notes, (&load, &options.look), task)?
        };
        let background = options.background.unwrap_or_else(|| scene.look().mode.background());
        let scene = scene.with_background(background);
        let mut focus = scene.camera(task)?.focus;
        let overlay = match overlay {
            Some(overlay) => Some(overlay.load(&load, device.clone(), options.gpu_memory, task)?),
            None => None,
        };
        if let Some(overlay) = &overlay {
            focus = joined(focus, overlay.focus().cloned());
        }
        let camera = Camera { focus, ..options.camera(scene.volume().up(), scene.volume().header()) };
        let cameras = options.orbit.map_or_else(|| vec![camera.clone()], |count| orbit(&camera, count));
        let painter = Painter::new(scene, device, options.gpu_memory, task)?;
        Ok(Self { painter, overlay, cameras, channels, notes, size: options.size })
    }

    /// Returns the number of renderings.
    pub fn count(&self) -> usize {
        self.cameras.len()
    }

    /// Returns the scene and its device.
    pub const fn painter(&self) -> &Painter {
        &self.painter
    }

    /// Returns the channels in colours, with their windows; none for a single one in grey.
    pub fn channels(&self) -> &[ShownChannel] {
        &self.channels
    }

    /// Returns notes on channels without a finite number.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns notes on the overlay, such as on chosen labels that it does not have.
    pub fn overlay_notes(&self) -> &[String] {
        self.overlay.as_ref().map_or(&[], OverlayPainter::notes)
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
        let rendering = self.painter.render(&view, task)?;
        match &mut self.overlay {
            Some(overlay) => overlay.over(rendering, &view, task),
            None => Ok(rendering),
        }
    }
}

/// Returns the scene of channels in colours. Sets windows that are not given. Drops channels without a finite
/// number, with a note.
fn added(
    part: VolumePart,
    channels: &mut Vec<ShownChannel>,
    notes: &mut Vec<String>,
    (load, look): (&LoadOptions, &LookOptions),
    task: &Task<'_>,
) -> Result<Scene, VolumeError> {
    let indices: Vec<usize> = channels.iter().map(|channel| channel.index).collect();
    let loaded = part.load_channels(&indices, load, task)?;
    let mut scenes = Vec::new();
    for (volume, mut channel) in loaded.into_iter().zip(std::mem::take(channels)) {
        if volume.display().has_no_numbers() {
            notes.push(no_numbers(channel.index));
            continue;
        }
        let index = channel.index;
        let scene = Scene::new(volume, &channel.look(look), task);
        let scene = scene.map_err(|error| VolumeError::Channel { index, error })?;
        channel.window = scene.look().window;
        channels.push(channel);
        scenes.push(scene);
    }
    if scenes.is_empty() {
        return Err(RenderError::NoNumbers.into());
    }
    let others = scenes.split_off(1);
    Ok(scenes.swap_remove(0).with_channels(others))
}
