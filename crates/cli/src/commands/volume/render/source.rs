//! What pictures are made from, and on which device.

use crate::{device::Devices, exit::Exit, failure::Failure, report};
use brickwork_toolkit::device::Gpu;
use brickwork_volume::{
    AnyVoxels, Header, ResidentVolume,
    render::{DisplayBricks, RawBricks, Renderer, Rendering, ResidentBricks, View},
};
use std::sync::Arc;

/// A volume in memory.
pub enum Loaded {
    Raw(AnyVoxels),
    Compressed(Arc<ResidentVolume>),
}

/// Its bricks.
pub enum Bricks<'a> {
    Raw(RawBricks<'a>),
    Compressed(ResidentBricks<'a>),
}

impl Loaded {
    /// The bricks of a channel, of compressed ones the only one.
    ///
    /// # Errors
    /// [`Failure`] if there is no such channel.
    pub fn bricks(&self, header: &Header, channel: usize) -> Result<Bricks<'_>, Failure> {
        match self {
            Self::Compressed(volume) => Ok(Bricks::Compressed(ResidentBricks::new(volume))),
            Self::Raw(voxels) => {
                let channel = if header.channels == 1 { 0 } else { channel };
                let bricks = RawBricks::of_any(voxels, header.dims, header.channels, channel, header.kind);
                bricks.map(Bricks::Raw).map_err(Failure::usage)
            }
        }
    }
}

impl<'a> Bricks<'a> {
    pub const fn get(&self) -> &(dyn DisplayBricks + 'a) {
        match self {
            Self::Raw(bricks) => bricks,
            Self::Compressed(bricks) => bricks,
        }
    }
}

/// Makes pictures on a device.
pub struct Pictures<'a> {
    devices: &'a Devices,
    renderer: &'a Renderer<'a>,
    gpu: Option<on_gpu::Prepared<'a>>,
}

impl<'a> Pictures<'a> {
    /// Pictures of what `renderer` shows of a volume: on the GPU, if there is one and the volume is
    /// compressed, of whose memory bricks take no more than `memory` bytes.
    ///
    /// # Errors
    /// [`Failure`] if the GPU that was asked for fails.
    pub fn new(
        devices: &'a Devices,
        gpu: Option<&Gpu>,
        loaded: &'a Loaded,
        renderer: &'a Renderer<'a>,
        memory: Option<u64>,
    ) -> Result<Self, Failure> {
        let mut pictures = Self { devices, renderer, gpu: None };
        if let (Some(gpu), Loaded::Compressed(volume)) = (gpu, loaded) {
            match on_gpu::prepare(devices, gpu, volume, renderer, memory) {
                Ok(prepared) => pictures.gpu = Some(prepared),
                Err(error) => pictures.fall_back(&error)?,
            }
        }
        Ok(pictures)
    }

    /// The picture of a view.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn render(
        &mut self,
        view: &View,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Rendering, Failure> {
        if let Some(gpu) = &self.gpu {
            match gpu.render(view, progress) {
                Ok(picture) => return Ok(picture),
                Err(error) => self.fall_back(&error)?,
            }
        }
        Ok(self.renderer.render(view, progress))
    }

    /// The GPU's name; none for the CPU.
    pub fn adapter(&self) -> Option<String> {
        self.gpu.as_ref().map(|gpu| gpu.name.clone())
    }

    /// Goes on with the CPU, if it may.
    fn fall_back(&mut self, error: &dyn std::fmt::Display) -> Result<(), Failure> {
        if !self.devices.device("rendering").may_fall_back() {
            return Err(Failure::new(Exit::Runtime, report::one_line(error)));
        }
        self.devices.note(&format!("rendering on the CPU: {error}"));
        self.gpu = None;
        Ok(())
    }
}

#[cfg(feature = "gpu")]
mod on_gpu {
    use super::*;
    use brickwork_volume::{
        gpu::{GpuError, GpuVolume},
        render::GpuRenderer,
    };

    /// A renderer on a GPU.
    pub struct Prepared<'a> {
        volume: GpuVolume,
        renderer: &'a Renderer<'a>,
        pub name: String,
    }

    /// Bytes of bricks on the device where the volume does not fit, if nothing else was asked for.
    const POOL_BYTES: u64 = 1 << 30;

    /// A volume on a GPU: all of it, or where that is too much as many bricks at a time as fit.
    pub fn prepare<'a>(
        devices: &Devices,
        gpu: &Gpu,
        volume: &Arc<ResidentVolume>,
        renderer: &'a Renderer<'a>,
        memory: Option<u64>,
    ) -> Result<Prepared<'a>, GpuError> {
        let context = gpu.context();
        let prepared = |volume| Prepared { volume, renderer, name: gpu.name().to_owned() };
        let needed = volume.byte_count() as u64;
        if memory.is_none_or(|memory| needed <= memory) {
            match GpuVolume::new(context, volume).map(prepared) {
                Ok(prepared) => match GpuRenderer::new(&prepared.volume, renderer) {
                    Ok(_) => return Ok(prepared),
                    Err(GpuError::Limit { .. } | GpuError::OutOfMemory { .. }) => {}
                    Err(error) => return Err(error),
                },
                Err(GpuError::Limit { .. } | GpuError::OutOfMemory { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let paged = GpuVolume::paged(context, Arc::clone(volume), memory.unwrap_or(POOL_BYTES))?;
        devices.note(&format!(
            "the volume takes {} of the GPU's memory: {} of it are loaded at a time, as rays ask for them",
            report::Bytes(needed),
            report::Bytes(paged.byte_count()),
        ));
        Ok(prepared(paged))
    }

    impl Prepared<'_> {
        pub fn render(&self, view: &View, progress: &dyn Fn(u64, u64)) -> Result<Rendering, GpuError> {
            GpuRenderer::new(&self.volume, self.renderer)?.with_statistics().render(view, progress)
        }
    }
}

#[cfg(not(feature = "gpu"))]
mod on_gpu {
    use super::*;
    use std::{convert::Infallible, marker::PhantomData};

    /// There is none.
    pub struct Prepared<'a> {
        never: Infallible,
        of: PhantomData<&'a ()>,
        pub name: String,
    }

    pub fn prepare<'a>(
        _: &Devices,
        gpu: &Gpu,
        _: &Arc<ResidentVolume>,
        _: &'a Renderer<'a>,
        _: Option<u64>,
    ) -> Result<Prepared<'a>, String> {
        Err(gpu.name().to_owned())
    }

    impl Prepared<'_> {
        pub fn render(&self, _: &View, _: &dyn Fn(u64, u64)) -> Result<Rendering, String> {
            match self.never {}
        }
    }
}
