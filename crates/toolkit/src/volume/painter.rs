//! Rendering of a scene on a device.

#[cfg_attr(not(feature = "gpu"), path = "painter/no_gpu.rs")]
#[cfg_attr(feature = "gpu", path = "painter/gpu.rs")]
mod on_gpu;

use super::{LoadedVolume, Scene};
use crate::device::{Device, FallbackReason, Gpu};
use brickwork_base::{ErrorKind, Task};
use brickwork_volume::render::{RenderError, Rendering, View};
use on_gpu::OnGpu;
use std::sync::Arc;

/// Default GPU memory for the bricks of a volume that does not fit, in bytes.
pub const DEFAULT_GPU_MEMORY: u64 = 1 << 30;

/// Renders views of a scene on a device: the CPU, a GPU that holds the whole volume, or a GPU that loads
/// bricks as rays need them. A volume is uploaded once for all its views and looks.
///
/// If the device [may fall back](Device::may_fall_back), the CPU replaces a GPU that fails.
#[derive(Debug)]
pub struct Painter {
    scene: Arc<Scene>,
    device: Device,
    gpu_memory: Option<u64>,
    /// The channels on the GPU; none if the CPU renders.
    gpu: Vec<OnGpu>,
}

/// GPU memory of a volume that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PagedMemory {
    /// Bytes of the whole volume.
    pub needed: u64,
    /// Bytes that are loaded at the same time.
    pub loaded: u64,
}

impl Painter {
    /// Prepares a scene on a device. On a GPU, the volume takes at most `gpu_memory` bytes. `None` means the
    /// whole volume if it fits, else [`DEFAULT_GPU_MEMORY`]. Channels have equal shares of the memory if they
    /// do not fit together. Voxels that are not compressed are rendered on the CPU.
    ///
    /// # Errors
    /// [`RenderError`] if a GPU fails that may not fall back, or if the call is cancelled.
    pub fn new(
        scene: impl Into<Arc<Scene>>,
        device: Device,
        gpu_memory: Option<u64>,
        task: &Task<'_>,
    ) -> Result<Self, RenderError> {
        let mut painter = Self { scene: scene.into(), device, gpu_memory, gpu: Vec::new() };
        painter.prepare(Vec::new(), task)?;
        Ok(painter)
    }

    /// Changes to another scene. Channels that are on the GPU already stay there, except those that take more
    /// than their new share of a limited memory.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn set_scene(&mut self, scene: impl Into<Arc<Scene>>, task: &Task<'_>) -> Result<(), RenderError> {
        let old = std::mem::replace(&mut self.scene, scene.into());
        let volumes = old.channels().map(|channel| Arc::clone(channel.volume()));
        let uploaded = volumes.zip(std::mem::take(&mut self.gpu)).collect();
        self.prepare(uploaded, task)
    }

    fn prepare(&mut self, uploaded: Vec<Uploaded>, task: &Task<'_>) -> Result<(), RenderError> {
        let Some(gpu) = self.device.gpu() else { return Ok(()) };
        let count = self.scene.channels().count() as u64;
        let (given, share) = (self.gpu_memory.map(|bytes| bytes / count), DEFAULT_GPU_MEMORY / count);
        let mut prepared = upload(gpu, &self.scene, uploaded, (given, share), task);
        let is_full = match &prepared {
            Ok(channels) => {
                let is_large = |channel: &OnGpu| channel.paged_memory().is_none() && channel.needed() > share;
                channels.iter().any(|channel| channel.paged_memory().is_some())
                    && channels.iter().any(is_large)
            }
            Err(error) => error.kind() == ErrorKind::Limit,
        };
        // Channels that are whole on the GPU leave others too little memory. All get their share.
        if given.is_none() && count > 1 && is_full {
            drop(prepared);
            prepared = upload(gpu, &self.scene, Vec::new(), (Some(share), share), task);
        }
        match prepared {
            Ok(prepared) => self.gpu = prepared,
            Err(error) => return self.fall_back(error),
        }
        Ok(())
    }

    /// Renders a view of the scene's volume. Reports progress in pixels.
    ///
    /// # Errors
    /// [`RenderError`] if the view is for a volume of other dimensions, if a GPU fails that may not fall
    /// back, or if the call is cancelled.
    pub fn render(&mut self, view: &View, task: &Task<'_>) -> Result<Rendering, RenderError> {
        if self.gpu.is_empty() {
            // A GPU that failed before, and may not fall back, fails again.
            self.prepare(Vec::new(), task)?;
        }
        if let [gpu, others @ ..] = &self.gpu[..] {
            match gpu.render_with(others, view, task) {
                Ok(rendering) => return Ok(rendering),
                Err(error) => self.fall_back(error)?,
            }
        }
        self.scene.render(view, task)
    }

    /// Returns the scene.
    pub const fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// Returns the device that renders. If the CPU replaces a GPU, [`Device::fallback`] is the reason.
    pub const fn device(&self) -> &Device {
        &self.device
    }

    /// True if a GPU renders.
    pub fn is_on_gpu(&self) -> bool {
        !self.gpu.is_empty()
    }

    /// Returns the GPU memory of channels that are loaded in parts. Returns `None` if the GPU holds the whole
    /// volume, or if the CPU renders.
    pub fn paged_memory(&self) -> Option<PagedMemory> {
        let mut paged = self.gpu.iter().filter_map(OnGpu::paged_memory);
        let first = paged.next()?;
        Some(paged.fold(first, |sum, PagedMemory { needed, loaded }| PagedMemory {
            needed: sum.needed + needed,
            loaded: sum.loaded + loaded,
        }))
    }

    /// Returns the channels on the GPU.
    #[cfg(all(test, feature = "gpu"))]
    pub(super) fn uploaded(&self) -> Vec<Arc<brickwork_volume::gpu::GpuVolume>> {
        self.gpu.iter().map(|gpu| Arc::clone(gpu.volume())).collect()
    }

    /// Continues with the CPU, if it may replace a GPU with this error.
    fn fall_back(&mut self, error: RenderError) -> Result<(), RenderError> {
        if !on_gpu::is_of_gpu(&error) || !self.device.may_fall_back() {
            return Err(error);
        }
        self.gpu.clear();
        self.device = Device::cpu().because(FallbackReason::failed(error));
        Ok(())
    }
}

/// A volume, and its channel on the GPU.
type Uploaded = (Arc<LoadedVolume>, OnGpu);

/// Returns the channels of a scene on a GPU, each with at most so much memory as given, or by default if it
/// does not fit; none if voxels are not compressed. Those in `uploaded` are not uploaded again if they fit.
fn upload(
    gpu: &Gpu,
    scene: &Scene,
    mut uploaded: Vec<Uploaded>,
    (given, default): (Option<u64>, u64),
    task: &Task<'_>,
) -> Result<Vec<OnGpu>, RenderError> {
    // What is no longer shown, or does not fit, makes room first.
    uploaded.retain(|(volume, channel)| {
        let is_shown = scene.channels().any(|scene| Arc::ptr_eq(scene.volume(), volume));
        is_shown && channel.fits(given, default)
    });
    let mut prepared = Vec::new();
    for scene in scene.channels() {
        let Some(volume) = scene.volume().resident() else { return Ok(Vec::new()) };
        let place = uploaded.iter().position(|(volume, _)| Arc::ptr_eq(scene.volume(), volume));
        prepared.push(match place.map(|place| uploaded.swap_remove(place)) {
            Some((_, channel)) => channel.with_scene(scene)?,
            None => OnGpu::new(gpu, scene, volume, given, default, task)?,
        });
    }
    Ok(prepared)
}
