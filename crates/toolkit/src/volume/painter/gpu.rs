//! A scene on a GPU.

use super::PagedMemory;
use crate::{device::Gpu, volume::Scene};
use brickwork_base::Task;
use brickwork_volume::{
    ErrorKind, ResidentVolume,
    gpu::GpuVolume,
    render::{GpuRenderer, RenderError, Rendering, View},
};
use std::sync::Arc;

/// A volume on a GPU, and the renderer of one look.
#[derive(Debug)]
pub struct OnGpu {
    volume: Arc<GpuVolume>,
    renderer: GpuRenderer,
    /// Bytes of the whole volume.
    needed: u64,
    /// If it is paged, the limit of its bricks, and its memory.
    paged: Option<(u64, PagedMemory)>,
}

/// True if the GPU failed, or cannot render the volume.
pub fn is_of_gpu(error: &RenderError) -> bool {
    let is_of_gpu = matches!(error, RenderError::Gpu(_) | RenderError::GpuVolume(_));
    is_of_gpu && error.kind() != ErrorKind::Cancelled
}

impl OnGpu {
    /// Uploads the whole volume. If it is too large, the GPU holds only as many bricks as fit at the same
    /// time, by the given or else by the default memory.
    pub fn new(
        gpu: &Gpu,
        scene: &Scene,
        volume: &Arc<ResidentVolume>,
        given: Option<u64>,
        default: u64,
        task: &Task<'_>,
    ) -> Result<Self, RenderError> {
        let needed = volume.byte_count() as u64;
        if given.is_none_or(|memory| needed <= memory) {
            let whole = GpuVolume::new(gpu.context(), volume, task).map_err(RenderError::from);
            match whole.and_then(|whole| Self::of_volume(Arc::new(whole), scene, needed, None)) {
                Err(error) if error.kind() == ErrorKind::Limit => {}
                result => return result,
            }
        }
        let memory = given.unwrap_or(default);
        let pages = GpuVolume::paged(gpu.context(), Arc::clone(volume), memory)?;
        let paged = PagedMemory { needed, loaded: pages.byte_count() };
        Self::of_volume(Arc::new(pages), scene, needed, Some((memory, paged)))
    }

    fn of_volume(
        volume: Arc<GpuVolume>,
        scene: &Scene,
        needed: u64,
        paged: Option<(u64, PagedMemory)>,
    ) -> Result<Self, RenderError> {
        let renderer = GpuRenderer::new(Arc::clone(&volume), scene.renderer())?.with_statistics();
        Ok(Self { volume, renderer, needed, paged })
    }

    /// Returns the bytes of the whole volume.
    pub const fn needed(&self) -> u64 {
        self.needed
    }

    /// True if the volume would not get less memory if it was uploaded again.
    pub fn fits(&self, given: Option<u64>, default: u64) -> bool {
        match self.paged {
            None => given.is_none_or(|memory| self.needed <= memory),
            Some((memory, _)) => memory <= given.unwrap_or(default),
        }
    }

    /// Prepares another look of the same volume.
    pub fn with_scene(self, scene: &Scene) -> Result<Self, RenderError> {
        Self::of_volume(self.volume, scene, self.needed, self.paged)
    }

    /// Renders a view of this channel and of others.
    pub fn render_with(
        &self,
        others: &[Self],
        view: &View,
        task: &Task<'_>,
    ) -> Result<Rendering, RenderError> {
        let others: Vec<&GpuRenderer> = others.iter().map(|other| &other.renderer).collect();
        self.renderer.render_with(&others, view, task)
    }

    /// Returns the memory of a volume that does not fit.
    pub fn paged_memory(&self) -> Option<PagedMemory> {
        self.paged.map(|(_, memory)| memory)
    }

    /// Returns the uploaded volume.
    #[cfg(test)]
    pub const fn volume(&self) -> &Arc<GpuVolume> {
        &self.volume
    }
}
