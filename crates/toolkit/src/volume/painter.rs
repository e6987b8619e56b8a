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
    gpu: Option<OnGpu>,
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
    /// whole volume if it fits, else [`DEFAULT_GPU_MEMORY`]. Voxels that are not compressed are rendered on
    /// the CPU.
    ///
    /// # Errors
    /// [`RenderError`] if a GPU fails that may not fall back, or if the call is cancelled.
    pub fn new(
        scene: impl Into<Arc<Scene>>,
        device: Device,
        gpu_memory: Option<u64>,
        task: &Task<'_>,
    ) -> Result<Self, RenderError> {
        let mut painter = Self { scene: scene.into(), device, gpu_memory, gpu: None };
        painter.prepare(None, task)?;
        Ok(painter)
    }

    /// Changes to another scene. The volume is uploaded again only if it differs.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn set_scene(&mut self, scene: impl Into<Arc<Scene>>, task: &Task<'_>) -> Result<(), RenderError> {
        let scene: Arc<Scene> = scene.into();
        let is_same = Arc::ptr_eq(scene.volume(), self.scene.volume());
        self.scene = scene;
        let uploaded = self.gpu.take().filter(|_| is_same);
        self.prepare(uploaded, task)
    }

    fn prepare(&mut self, uploaded: Option<OnGpu>, task: &Task<'_>) -> Result<(), RenderError> {
        let resident = self.scene.volume().resident();
        let (Some(gpu), Some(volume)) = (self.device.gpu(), resident) else { return Ok(()) };
        let prepared = match uploaded {
            Some(uploaded) => uploaded.with_scene(&self.scene),
            None => OnGpu::new(gpu, &self.scene, volume, self.gpu_memory, task),
        };
        match prepared {
            Ok(prepared) => self.gpu = Some(prepared),
            Err(error) => self.fall_back(error)?,
        }
        Ok(())
    }

    /// Renders a view of the scene's volume. Reports progress in pixels.
    ///
    /// # Errors
    /// [`RenderError`] if the view is for a volume of other dimensions, if a GPU fails that may not fall
    /// back, or if the call is cancelled.
    pub fn render(&mut self, view: &View, task: &Task<'_>) -> Result<Rendering, RenderError> {
        if self.gpu.is_none() {
            // A GPU that failed before, and may not fall back, fails again.
            self.prepare(None, task)?;
        }
        if let Some(gpu) = &self.gpu {
            match gpu.render(view, task) {
                Ok(rendering) => return Ok(rendering),
                Err(error) => self.fall_back(error)?,
            }
        }
        self.scene.renderer().render(view, task)
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
    pub const fn is_on_gpu(&self) -> bool {
        self.gpu.is_some()
    }

    /// Returns the GPU memory of a volume that is loaded in parts. Returns `None` if the GPU holds the whole
    /// volume, or if the CPU renders.
    pub fn paged_memory(&self) -> Option<PagedMemory> {
        self.gpu.as_ref()?.paged_memory()
    }

    /// Returns the volume on the GPU.
    #[cfg(all(test, feature = "gpu"))]
    pub(super) fn uploaded(&self) -> Option<Arc<brickwork_volume::gpu::GpuVolume>> {
        self.gpu.as_ref().map(|gpu| Arc::clone(gpu.volume()))
    }

    /// Continues with the CPU, if it may replace a GPU with this error.
    fn fall_back(&mut self, error: RenderError) -> Result<(), RenderError> {
        if !on_gpu::is_of_gpu(&error) || !self.device.may_fall_back() {
            return Err(error);
        }
        self.gpu = None;
        self.device = Device::cpu().because(FallbackReason::failed(error));
        Ok(())
    }
}
