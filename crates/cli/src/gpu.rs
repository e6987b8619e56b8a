//! The GPU, in a program with the feature `gpu`.

use crate::{cache_folder::cache_folder, device::NoGpu, exit::Exit, failure::Failure, report};
use brickwork_texture::{
    EncodeError, Encoder,
    gpu::{Adapter, AdapterChoice, Context, ContextOptions, GpuEncoder, GpuError, adapters},
};

/// An opened GPU.
#[derive(Clone, Debug)]
pub struct Gpu {
    encoder: GpuEncoder,
}

impl Gpu {
    /// The GPU that `--adapter` names, else the best, also a software one.
    ///
    /// # Errors
    /// [`Failure`] with exit code 4.
    pub fn open(adapter: Option<&str>) -> Result<Self, Failure> {
        let choice = adapter.map_or(AdapterChoice::Best, AdapterChoice::parse);
        choice
            .find()
            .and_then(|adapter| Self::on(&adapter))
            .map_err(|error| Failure::new(Exit::Runtime, report::one_line(error)))
    }

    /// The GPU that `--device auto` takes.
    ///
    /// # Errors
    /// Why there is none.
    pub fn auto() -> Result<Option<Self>, NoGpu> {
        let adapter = auto(&adapters())?;
        Self::on(&adapter).map(Some).map_err(NoGpu::of)
    }

    fn on(adapter: &Adapter) -> Result<Self, GpuError> {
        let mut options = ContextOptions::default();
        options.cache_folder = cache_folder();
        Ok(Self { encoder: GpuEncoder::new(Context::open_on(adapter, &options)?) })
    }

    /// Whether an encoding was stopped by a fault of a GPU.
    pub fn failed(error: &EncodeError) -> bool {
        matches!(error, EncodeError::Gpu(_))
    }

    /// The device.
    pub fn context(&self) -> &Context {
        self.encoder.context()
    }

    /// The encoder itself.
    pub fn gpu_encoder(&self) -> &GpuEncoder {
        &self.encoder
    }

    /// The encoder, for code that takes the CPU's too.
    pub fn encoder(&self) -> Encoder {
        self.encoder.clone().into()
    }

    /// The adapter's name.
    pub fn name(&self) -> &str {
        self.encoder.context().info().map_or("GPU", |info| &info.name)
    }

    /// Makes it fail from now on.
    #[cfg(test)]
    pub fn lose(&self) {
        self.encoder.context().device().destroy();
    }

    /// Writes compiled kernels to the user's cache folder.
    pub fn save_kernels(&self) {
        // The next run only starts later without them.
        let _ = self.encoder.context().save_cache();
    }
}

impl NoGpu {
    fn of(reason: impl std::fmt::Display) -> Self {
        Self { reason: reason.to_string(), is_software_alone: false }
    }
}

/// The adapter that `--device auto` takes, or why it takes none.
pub fn auto(adapters: &[Adapter]) -> Result<Adapter, NoGpu> {
    let best = AdapterChoice::Best.find_in(adapters).map_err(NoGpu::of)?;
    let info = best.info();
    if let Some(reason) = &info.unfit {
        return Err(NoGpu::of(format!("{} cannot run Brickwork's kernels: {reason}", info.name)));
    }
    if info.is_software() {
        let reason = format!("the only GPU is a software one, {}", info.name);
        return Err(NoGpu { reason, is_software_alone: true });
    }
    Ok(best)
}
