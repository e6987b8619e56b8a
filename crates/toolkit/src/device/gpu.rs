//! A GPU that is opened for encoding and rendering.

use super::{FallbackReason, cache_folder};
use brickwork_gpu::{Context, ContextOptions, GpuError};
use brickwork_texture::{Encoder, gpu::GpuEncoder};
use std::path::PathBuf;

pub use brickwork_gpu::{Adapter, AdapterChoice, AdapterInfo, adapters};

/// An open GPU. Clones share it.
#[derive(Clone, Debug)]
pub struct Gpu {
    encoder: GpuEncoder,
}

impl Gpu {
    /// Opens a GPU, which may be a software one. Compiled kernels are kept in [`cache_folder`].
    ///
    /// # Errors
    /// As [`Context::open`].
    pub fn open(choice: &AdapterChoice) -> Result<Self, GpuError> {
        Self::open_on(&choice.find()?, cache_folder())
    }

    /// Opens any GPU; `None` without an adapter.
    ///
    /// # Panics
    /// If there is no adapter and the environment variable `BRICKWORK_REQUIRE_GPU` is set.
    #[cfg(test)]
    #[track_caller]
    pub(crate) fn for_tests(folder: Option<PathBuf>) -> Option<Self> {
        match Self::open_chosen(&AdapterChoice::Best, folder) {
            Ok(gpu) => Some(gpu),
            Err(error) => {
                brickwork_base::testing::skip_without_gpu(error);
                None
            }
        }
    }

    pub(super) fn open_chosen(choice: &AdapterChoice, folder: Option<PathBuf>) -> Result<Self, GpuError> {
        Self::open_on(&choice.find()?, folder)
    }

    /// Opens the GPU for [`DeviceChoice::Auto`](super::DeviceChoice::Auto). Fails with the reason why there
    /// is none.
    pub(super) fn open_auto(folder: Option<PathBuf>) -> Result<Self, FallbackReason> {
        let adapter = auto_adapter(&adapters())?;
        Self::open_on(&adapter, folder).map_err(FallbackReason::not_opened)
    }

    fn open_on(adapter: &Adapter, folder: Option<PathBuf>) -> Result<Self, GpuError> {
        let options = ContextOptions::default().with(|o| o.cache_folder = folder);
        Ok(Self { encoder: GpuEncoder::new(Context::open_on(adapter, &options)?) })
    }

    /// Returns the device, its queue and its compiled kernels.
    pub fn context(&self) -> &Context {
        self.encoder.context()
    }

    /// Returns the encoder of textures.
    pub fn gpu_encoder(&self) -> &GpuEncoder {
        &self.encoder
    }

    /// Returns the encoder of textures, for code that also accepts the CPU's encoder.
    pub fn encoder(&self) -> Encoder {
        self.encoder.clone().into()
    }

    /// Returns the adapter's name.
    pub fn name(&self) -> &str {
        self.context().info().map_or("GPU", |info| &info.name)
    }

    /// Writes compiled kernels to the cache folder. If this fails, only the start of the next run is slower.
    pub fn save_kernels(&self) {
        let _ = self.context().save_cache();
    }
}

/// Returns the adapter that [`DeviceChoice::Auto`](super::DeviceChoice::Auto) uses, from a list returned by
/// [`adapters`].
///
/// # Errors
/// The reason why the CPU is used.
pub fn auto_adapter(adapters: &[Adapter]) -> Result<Adapter, FallbackReason> {
    let best = AdapterChoice::Best.find_in(adapters).map_err(|error| match error {
        GpuError::NoAdapter => FallbackReason::NoGpu,
        error => FallbackReason::not_opened(error),
    })?;
    let info = best.info();
    let adapter = || info.name.clone();
    if let Some(reason) = &info.unfit {
        return Err(FallbackReason::Unfit { adapter: adapter(), reason: reason.clone() });
    }
    if info.is_software() {
        return Err(FallbackReason::SoftwareOnly { adapter: adapter() });
    }
    Ok(best)
}
