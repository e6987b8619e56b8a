//! What pictures are made from, and on which device.

use crate::{device::Devices, exit::Exit, failure::Failure, report};
use brickwork_toolkit::device::Gpu;
use brickwork_volume::{
    AnyVoxels, ErrorKind, Header, ResidentVolume, Task,
    render::{DisplayBricks, RawBricks, RenderError, Renderer, Rendering, ResidentBricks, View},
};
use std::sync::Arc;

/// A volume in memory.
pub enum Loaded {
    Raw(Arc<AnyVoxels>),
    Compressed(Arc<ResidentVolume>),
}

impl Loaded {
    /// The bricks.
    ///
    /// # Errors
    /// [`Failure`] if the shape does not fit.
    pub fn bricks(&self, header: &Header) -> Result<Arc<dyn DisplayBricks>, Failure> {
        let task = Task::new();
        match self {
            Self::Compressed(volume) => {
                let bricks = ResidentBricks::new(Arc::clone(volume), &task).map_err(render_failure)?;
                Ok(Arc::new(bricks))
            }
            Self::Raw(voxels) => {
                let bricks = RawBricks::new(Arc::clone(voxels), header.dims, 1, 0, header.kind, &task);
                Ok(Arc::new(bricks.map_err(render_failure)?))
            }
        }
    }
}

/// The failure of a call that renders.
pub fn render_failure(error: RenderError) -> Failure {
    match error.kind() {
        ErrorKind::Argument => Failure::usage(error),
        ErrorKind::Unsupported => Failure::new(Exit::Unsupported, error),
        _ => Failure::new(Exit::Runtime, report::one_line(&error)),
    }
}

/// Makes pictures on a device.
pub struct Pictures<'a> {
    devices: &'a Devices,
    renderer: &'a Renderer,
    gpu: Option<on_gpu::Prepared>,
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
        loaded: &Loaded,
        renderer: &'a Renderer,
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
    pub fn render(&mut self, view: &View, task: &Task<'_>) -> Result<Rendering, Failure> {
        if let Some(gpu) = &self.gpu {
            match gpu.render(view, task) {
                Ok(picture) => return Ok(picture),
                Err(error) => self.fall_back(&error)?,
            }
        }
        self.renderer.render(view, task).map_err(render_failure)
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
    use brickwork_volume::{gpu::GpuVolume, render::GpuRenderer};

    /// A renderer on a GPU.
    pub struct Prepared {
        renderer: GpuRenderer,
        pub name: String,
    }

    /// Bytes of bricks on the device where the volume does not fit, if nothing else was asked for.
    const POOL_BYTES: u64 = 1 << 30;

    /// A volume on a GPU: all of it, or where that is too much as many bricks at a time as fit.
    pub fn prepare(
        devices: &Devices,
        gpu: &Gpu,
        volume: &Arc<ResidentVolume>,
        renderer: &Renderer,
        memory: Option<u64>,
    ) -> Result<Prepared, RenderError> {
        let context = gpu.context();
        let prepared = |volume: GpuVolume| -> Result<Prepared, RenderError> {
            let renderer = GpuRenderer::new(Arc::new(volume), renderer)?.with_statistics();
            Ok(Prepared { renderer, name: gpu.name().to_owned() })
        };
        let needed = volume.byte_count() as u64;
        if memory.is_none_or(|memory| needed <= memory) {
            let whole = GpuVolume::new(context, volume, &Task::new()).map_err(RenderError::from);
            match whole.and_then(prepared) {
                Err(error) if error.kind() == ErrorKind::Limit => {}
                result => return result,
            }
        }
        let paged = GpuVolume::paged(context, Arc::clone(volume), memory.unwrap_or(POOL_BYTES))?;
        devices.note(&format!(
            "the volume takes {} of the GPU's memory: {} of it are loaded at a time, as rays ask for them",
            report::Bytes(needed),
            report::Bytes(paged.byte_count()),
        ));
        prepared(paged)
    }

    impl Prepared {
        pub fn render(&self, view: &View, task: &Task<'_>) -> Result<Rendering, RenderError> {
            self.renderer.render(view, task)
        }
    }
}

#[cfg(not(feature = "gpu"))]
mod on_gpu {
    use super::*;
    use std::convert::Infallible;

    /// There is none.
    pub struct Prepared {
        never: Infallible,
        pub name: String,
    }

    pub fn prepare(
        _: &Devices,
        gpu: &Gpu,
        _: &Arc<ResidentVolume>,
        _: &Renderer,
        _: Option<u64>,
    ) -> Result<Prepared, String> {
        Err(gpu.name().to_owned())
    }

    impl Prepared {
        pub fn render(&self, _: &View, _: &Task<'_>) -> Result<Rendering, String> {
            match self.never {}
        }
    }
}
