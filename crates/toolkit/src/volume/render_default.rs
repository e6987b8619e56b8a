//! Default rendering of a volume.

use super::{LoadOptions, LookOptions, Painter, PartOptions, Scene, VolumeError, VolumeInput};
use crate::device::Devices;
use brickwork_base::Task;
use brickwork_formats::VolumeOpenOptions;
use brickwork_volume::render::Rendering;
use std::path::Path;

/// Renders a volume of any format that describes itself, like `brickwork volume render` without options. Uses
/// the first frame and channel, with a suitable mode, colours, camera and background.
///
/// # Errors
/// [`VolumeError`] if the volume cannot be read or rendered, or the call is cancelled.
pub fn render_default(
    path: impl AsRef<Path>,
    [width, height]: [u32; 2],
    devices: &Devices,
    task: &Task<'_>,
) -> Result<Rendering, VolumeError> {
    let input = VolumeInput::open(path, &VolumeOpenOptions::default(), task)?;
    let part = input.select(&PartOptions::default())?;
    let device = devices.device().clone();
    let load = LoadOptions::default().with(|o| o.compress = device.gpu().is_some());
    let scene = Scene::new(part.load(&load, task)?, &LookOptions::default(), task)?;
    let view = scene.view(&scene.camera(task)?, width, height)?;
    Ok(Painter::new(scene, device, None, task)?.render(&view, task)?)
}
