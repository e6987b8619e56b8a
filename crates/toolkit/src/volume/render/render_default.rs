//! Default rendering of a volume.

use super::{RenderOptions, Renderings};
use crate::{
    device::Devices,
    volume::{VolumeError, VolumeInput},
};
use brickwork_base::Task;
use brickwork_formats::VolumeOpenOptions;
use brickwork_volume::render::Rendering;
use std::path::Path;

/// Renders a volume of any format that describes itself, like `brickwork volume render` without options. Uses
/// the first frame, the channels that the file shows in colours, or else the first one, and a suitable mode,
/// camera and background.
///
/// # Errors
/// [`VolumeError`] if the volume cannot be read or rendered, or the call is cancelled.
pub fn render_default(
    path: impl AsRef<Path>,
    size: [u32; 2],
    devices: &Devices,
    task: &Task<'_>,
) -> Result<Rendering, VolumeError> {
    let input = VolumeInput::open(path, &VolumeOpenOptions::default(), task)?;
    let options = RenderOptions::default().with(|o| o.size = size);
    let part = options.select(input)?;
    Ok(Renderings::new(part, None, &options, devices.device().clone(), task)?.render(0, task)?)
}
