//! Rendering of a scene on a device.

#[cfg_attr(not(feature = "gpu"), path = "painter/no_gpu.rs")]
#[cfg_attr(feature = "gpu", path = "painter/gpu.rs")]
mod on_gpu;

use super::Scene;
use crate::device::{Device, FallbackReason};
use brickwork_base::Task;
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
    /// whole volume if it fits, else [`DEFAULT_GPU_MEMORY`]. Channels have equal shares of the memory. Voxels
    /// that are not compressed are rendered on the CPU.
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

    /// Changes to another scene. Channels are uploaded again only if they differ.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn set_scene(&mut self, scene: impl Into<Arc<Scene>>, task: &Task<'_>) -> Result<(), RenderError> {
        let scene: Arc<Scene> = scene.into();
        let is_same = scene.channels().count() == self.scene.channels().count()
            && scene.channels().zip(self.scene.channels()).all(|(a, b)| Arc::ptr_eq(a.volume(), b.volume()));
        self.scene = scene;
        let uploaded = std::mem::take(&mut self.gpu);
        self.prepare(if is_same { uploaded } else { Vec::new() }, task)
    }

    fn prepare(&mut self, uploaded: Vec<OnGpu>, task: &Task<'_>) -> Result<(), RenderError> {
        let Some(gpu) = self.device.gpu() else { return Ok(()) };
        let count = self.scene.channels().count() as u64;
        let (given, default) = (self.gpu_memory.map(|bytes| bytes / count), DEFAULT_GPU_MEMORY / count);
        let mut uploaded = uploaded.into_iter();
        let mut prepared = Vec::new();
        let scene = Arc::clone(&self.scene);
        for scene in scene.channels() {
            let Some(volume) = scene.volume().resident() else { return Ok(()) };
            let channel = match uploaded.next() {
                Some(uploaded) => uploaded.with_scene(scene),
                None => OnGpu::new(gpu, scene, volume, given, default, task),
            };
            match channel {
                Ok(channel) => prepared.push(channel),
                Err(error) => return self.fall_back(error),
            }
        }
        self.gpu = prepared;
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

    /// Returns the volume on the GPU.
    #[cfg(all(test, feature = "gpu"))]
    pub(super) fn uploaded(&self) -> Option<Arc<brickwork_volume::gpu::GpuVolume>> {
        self.gpu.first().map(|gpu| Arc::clone(gpu.volume()))
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
