//! Types of a toolkit without the feature `gpu`.

use super::PagedMemory;
use crate::{device::Gpu, volume::Scene};
use brickwork_base::Task;
use brickwork_volume::{
    ResidentVolume,
    render::{RenderError, Rendering, View},
};
use std::{convert::Infallible, sync::Arc};

/// A scene on a GPU, which cannot be opened without the feature `gpu`.
#[derive(Debug)]
pub struct OnGpu(Infallible);

/// Returns false, because there is no GPU.
pub fn is_of_gpu(_: &RenderError) -> bool {
    false
}

impl OnGpu {
    pub fn new(
        gpu: &Gpu,
        _: &Scene,
        _: &Arc<ResidentVolume>,
        _: Option<u64>,
        _: u64,
        _: &Task<'_>,
    ) -> Result<Self, RenderError> {
        gpu.never()
    }

    pub fn with_scene(self, _: &Scene) -> Result<Self, RenderError> {
        match self.0 {}
    }

    pub fn render_with(&self, _: &[Self], _: &View, _: &Task<'_>) -> Result<Rendering, RenderError> {
        match self.0 {}
    }

    pub const fn needed(&self) -> u64 {
        match self.0 {}
    }

    pub const fn fits(&self, _: Option<u64>, _: u64) -> bool {
        match self.0 {}
    }

    pub const fn paged_memory(&self) -> Option<PagedMemory> {
        match self.0 {}
    }
}
