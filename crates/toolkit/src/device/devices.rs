//! Devices that are opened when they are needed.

use super::{DeviceChoice, DeviceError, FallbackReason, Gpu, cache_folder};
use brickwork_texture::{EncodeError, Encoder};
use std::{
    path::PathBuf,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

/// Number of texels below which [`Devices::encode`] opens no GPU. Opening takes longer than encoding 256×256
/// texels on a CPU.
const MIN_GPU_TEXELS: u64 = 1 << 16;

/// Device of a [`DeviceChoice`], shared by the threads of a program.
#[derive(Debug)]
pub struct Devices {
    choice: DeviceChoice,
    cache_folder: Option<PathBuf>,
    /// True if a GPU is also opened for little work.
    for_little_work: bool,
    /// The device, opened when it is first needed.
    device: OnceLock<Device>,
    /// Number of texels of all calls so far.
    texels: AtomicU64,
    /// Lock for one image at a time: a GPU gains nothing from two.
    turn: Mutex<()>,
}

/// A device: an open GPU, or the CPU. Clones share the GPU.
#[derive(Clone, Debug)]
pub struct Device {
    gpu: Option<Gpu>,
    fallback: Option<FallbackReason>,
    may_fall_back: bool,
}

/// A result and the device that produced it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Done<R> {
    /// The result.
    pub result: R,
    /// Device that produced it. If the CPU replaced a GPU, [`Device::fallback`] is the reason.
    pub device: Device,
}

impl Devices {
    /// Opens the chosen GPU. With [`DeviceChoice::Auto`], none is opened before it is needed.
    ///
    /// # Errors
    /// [`DeviceError`] if a GPU is chosen and cannot be opened.
    pub fn open(choice: DeviceChoice) -> Result<Self, DeviceError> {
        Self::open_with_cache(choice, cache_folder())
    }

    /// Opens devices like [`open`](Self::open), with another folder for compiled kernels, or none. Only the
    /// user may have write access to the folder, because drivers trust its contents.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with_cache(choice: DeviceChoice, cache_folder: Option<PathBuf>) -> Result<Self, DeviceError> {
        let device = match &choice {
            DeviceChoice::Auto => OnceLock::new(),
            DeviceChoice::Cpu => OnceLock::from(Device::cpu()),
            DeviceChoice::Gpu(adapter) => {
                OnceLock::from(Device::of_gpu(Gpu::open_chosen(adapter, cache_folder.clone())?))
            }
        };
        let (texels, turn, for_little_work) = (AtomicU64::new(0), Mutex::new(()), false);
        Ok(Self { choice, cache_folder, for_little_work, device, texels, turn })
    }

    /// Opens a GPU for little work as well. By default, a GPU is only opened if it saves time.
    #[must_use]
    pub fn for_little_work(mut self, for_little_work: bool) -> Self {
        self.for_little_work = for_little_work;
        self
    }

    /// Returns the choice.
    pub fn choice(&self) -> &DeviceChoice {
        &self.choice
    }

    /// Returns the device, and opens it if necessary.
    pub fn device(&self) -> &Device {
        self.device.get_or_init(|| match Gpu::open_auto(self.cache_folder.clone()) {
            Ok(gpu) => Device { may_fall_back: true, ..Device::of_gpu(gpu) },
            Err(reason) => Device::cpu().because(reason),
        })
    }

    /// Runs `encode`, which encodes `texels` texels, with the device's encoder. With [`DeviceChoice::Auto`],
    /// `encode` runs again with the CPU's encoder if the GPU fails. Calls with a GPU wait for each other.
    ///
    /// # Errors
    /// The last error of `encode`.
    pub fn encode<R>(
        &self,
        texels: u64,
        mut encode: impl FnMut(&Encoder) -> Result<R, EncodeError>,
    ) -> Result<Done<R>, EncodeError> {
        let so_far = self.texels.fetch_add(texels, Ordering::Relaxed).saturating_add(texels);
        let is_little = so_far < MIN_GPU_TEXELS && !self.for_little_work && self.device.get().is_none();
        let mut device = if is_little {
            Device::cpu().because(FallbackReason::TooLittleWork)
        } else {
            self.device().clone()
        };
        if let Some(gpu) = device.gpu.clone() {
            let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            match encode(&gpu.encoder()) {
                Ok(result) => return Ok(Done { result, device }),
                Err(error) if device.may_fall_back && is_of_gpu(&error) => {
                    device = Device::cpu().because(FallbackReason::failed(error));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Done { result: encode(&Encoder::default())?, device })
    }

    /// Runs `encode` with the CPU's encoder, because there are no kernels of the format with this name. A GPU
    /// is not opened.
    ///
    /// # Errors
    /// The error of `encode`.
    pub fn encode_without_kernels<R>(
        &self,
        format: String,
        mut encode: impl FnMut(&Encoder) -> Result<R, EncodeError>,
    ) -> Result<Done<R>, EncodeError> {
        let result = encode(&Encoder::default())?;
        let device = match self.choice {
            DeviceChoice::Cpu => Device::cpu(),
            _ => Device::cpu().because(FallbackReason::NoKernels { format }),
        };
        Ok(Done { result, device })
    }

    /// Writes the compiled kernels to the cache folder, for the next run.
    pub fn save_kernels(&self) {
        if let Some(gpu) = self.device.get().and_then(Device::gpu) {
            gpu.save_kernels();
        }
    }
}

#[cfg(feature = "gpu")]
fn is_of_gpu(error: &EncodeError) -> bool {
    matches!(error, EncodeError::Gpu(_) | EncodeError::NoMetricKernels)
}

#[cfg(not(feature = "gpu"))]
fn is_of_gpu(_: &EncodeError) -> bool {
    false
}

impl Device {
    /// Returns the CPU.
    pub fn cpu() -> Self {
        Self { gpu: None, fallback: None, may_fall_back: false }
    }

    /// Returns a GPU without fallback: if it fails, the work fails, too.
    pub fn of_gpu(gpu: Gpu) -> Self {
        Self { gpu: Some(gpu), fallback: None, may_fall_back: false }
    }

    /// Returns the CPU with the reason for its use.
    #[must_use]
    pub fn because(self, reason: FallbackReason) -> Self {
        Self { gpu: None, fallback: Some(reason), may_fall_back: false }
    }

    /// Returns the same device with permission to fall back.
    #[cfg(all(test, feature = "gpu"))]
    pub(crate) fn that_may_fall_back(self) -> Self {
        Self { may_fall_back: true, ..self }
    }

    /// Returns the GPU; none for the CPU.
    pub fn gpu(&self) -> Option<&Gpu> {
        self.gpu.as_ref()
    }

    /// Returns the reason for the CPU; none for a GPU, or if the CPU was chosen.
    pub fn fallback(&self) -> Option<&FallbackReason> {
        self.fallback.as_ref()
    }

    /// True if the CPU replaces the GPU if it fails.
    pub fn may_fall_back(&self) -> bool {
        self.may_fall_back
    }

    /// Returns `cpu` or `gpu`.
    pub fn kind(&self) -> &'static str {
        if self.gpu.is_some() { "gpu" } else { "cpu" }
    }

    /// Returns the GPU's name; none for the CPU.
    pub fn adapter(&self) -> Option<&str> {
        self.gpu().map(Gpu::name)
    }

    /// Returns the GPU's name, or `CPU, 8 threads`.
    pub fn name(&self) -> String {
        let count = thread::available_parallelism().map_or(1, usize::from);
        let plural = if count == 1 { "" } else { "s" };
        self.adapter().map_or_else(|| format!("CPU, {count} thread{plural}"), str::to_owned)
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;
    use crate::device::AdapterChoice;
    use brickwork_texture::{BlockFormat, EncodeOptions, ImageView, Quality, Task};

    /// Returns the blocks of a small image, and the device.
    fn encode(devices: &Devices) -> Result<(Vec<u8>, Device), EncodeError> {
        let texels: Vec<_> = (0..40 * 24).map(|i| [i as u8, (i / 40) as u8, (i * i) as u8]).collect();
        let image = ImageView::new(&texels, 40, 24).unwrap();
        let (format, options) =
            (BlockFormat::Bc1, EncodeOptions::default().with(|o| o.quality = Quality::Fast));
        let done = devices.encode(40 * 24, |encoder| {
            let mut blocks = vec![0; format.image_bytes(40, 24) as usize];
            encoder.encode_into(&image, format, &options, &mut blocks, &Task::new())?;
            Ok(blocks)
        })?;
        Ok((done.result, done.device))
    }

    fn devices(choice: DeviceChoice, device: Device) -> Devices {
        let (texels, turn) = (AtomicU64::new(0), Mutex::new(()));
        let device = OnceLock::from(device);
        Devices { choice, cache_folder: None, for_little_work: true, device, texels, turn }
    }

    #[test]
    fn the_cpu_takes_over_from_a_gpu_that_fails() {
        let Some(gpu) = Gpu::for_tests(None) else { return };
        let chosen = Device::of_gpu(gpu.clone());
        let auto = devices(DeviceChoice::Auto, Device { may_fall_back: true, ..chosen.clone() });
        let demanded = devices(DeviceChoice::Gpu(AdapterChoice::Best), chosen);
        let (blocks, device) = encode(&devices(DeviceChoice::Cpu, Device::cpu())).unwrap();
        assert_eq!((device.kind(), device.fallback()), ("cpu", None));
        let (found, device) = encode(&auto).unwrap();
        assert!((found == blocks) && device.kind() == "gpu" && device.fallback().is_none());
        gpu.context().device().destroy();
        for _ in 0..2 {
            let (found, device) = encode(&auto).unwrap();
            assert!(found == blocks && device.kind() == "cpu");
            let reason = device.fallback().expect("a reason").to_string();
            assert!(reason.contains("lost"), "{reason}");
        }
        assert!(encode(&demanded).unwrap_err().to_string().contains("lost"));
    }

    #[test]
    fn little_work_opens_no_gpu() {
        let devices = Devices::open(DeviceChoice::Auto).unwrap();
        let (_, device) = encode(&devices).unwrap();
        assert_eq!(device.fallback(), Some(&FallbackReason::TooLittleWork));
        assert!(devices.device.get().is_none());
        devices.texels.store(MIN_GPU_TEXELS, Ordering::Relaxed);
        assert_ne!(encode(&devices).unwrap().1.fallback(), Some(&FallbackReason::TooLittleWork));
    }

    #[test]
    fn kernels_are_kept_in_the_cache_folder() {
        let Some(first) = Gpu::for_tests(None) else { return };
        if !first.context().info().is_some_and(|info| info.pipeline_cache) {
            return brickwork_base::testing::skip("no pipeline cache");
        }
        let folder = tempfile::tempdir().unwrap();
        let caches = folder.path().join("caches");
        let choice = DeviceChoice::Gpu(AdapterChoice::Best);
        let devices = Devices::open_with_cache(choice.clone(), Some(caches.clone())).unwrap();
        encode(&devices).unwrap();
        devices.save_kernels();
        assert_eq!(std::fs::read_dir(&caches).unwrap().count(), 1);
        // The folder is the user's, unless another one is named.
        let opened = Devices::open(choice).unwrap();
        let used = opened.device().gpu().unwrap().context().cache_folder().map(PathBuf::from);
        assert_eq!(used, cache_folder());
    }

    #[test]
    fn reasons_are_one_line() {
        let reason = FallbackReason::failed("Validation Error\n\n  line 7\n");
        assert_eq!(reason.to_string(), "Validation Error line 7");
    }
}
