//! A device and the pipelines compiled for it.

use crate::{Adapter, AdapterChoice, AdapterInfo, GpuError, Kernel, Pipeline, cache, pipeline::Pipelines};
use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// How a [`Context`] is opened.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ContextOptions {
    /// Which GPU. Default: [`AdapterChoice::Best`].
    pub adapter: AdapterChoice,
    /// A folder where compiled kernels are kept between runs by [`Context::save_cache`], and what was found
    /// out about the GPU. It must be writable only by the user: drivers trust what they find there. Default:
    /// none.
    pub cache_folder: Option<PathBuf>,
    /// Whether to request no optional features, as on the least capable device. For tests. Default: false.
    pub plain: bool,
}

/// A device, its queue, and what was compiled for it. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Context {
    shared: Arc<Shared>,
}

struct Shared {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: Option<AdapterInfo>,
    lost: Arc<OnceLock<String>>,
    pipelines: Pipelines,
    cache: Option<(wgpu::PipelineCache, PathBuf)>,
    cache_folder: Option<PathBuf>,
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("adapter", &self.shared.info).finish_non_exhaustive()
    }
}

/// The optional features that kernels use.
const WANTED: wgpu::Features = wgpu::Features::SUBGROUP
    .union(wgpu::Features::TIMESTAMP_QUERY)
    .union(wgpu::Features::TEXTURE_COMPRESSION_BC)
    .union(wgpu::Features::PIPELINE_CACHE);

impl Context {
    /// Opens a device.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`] or [`GpuError::UnknownAdapter`] if no adapter matches, [`GpuError::Unfit`] if
    /// it lacks what kernels need, [`GpuError::NoDevice`] if the driver refuses.
    pub fn open(options: &ContextOptions) -> Result<Self, GpuError> {
        Self::open_on(&options.adapter.find()?, options)
    }

    /// Opens a device on this adapter; [`ContextOptions::adapter`] is ignored.
    ///
    /// # Errors
    /// [`GpuError::Unfit`] if the adapter lacks what kernels need, [`GpuError::NoDevice`] if the driver
    /// refuses.
    pub fn open_on(adapter: &Adapter, options: &ContextOptions) -> Result<Self, GpuError> {
        let info = adapter.info().clone();
        if let Some(reason) = &info.unfit {
            return Err(GpuError::Unfit { adapter: info.to_string(), reason: reason.clone() });
        }
        let has = adapter.raw().limits();
        let limits = wgpu::Limits {
            max_buffer_size: has.max_buffer_size,
            max_storage_buffer_binding_size: has.max_storage_buffer_binding_size,
            max_texture_dimension_2d: has.max_texture_dimension_2d,
            ..wgpu::Limits::default()
        };
        let wanted = if options.plain { wgpu::Features::empty() } else { WANTED };
        let description = wgpu::DeviceDescriptor {
            label: Some("brickwork"),
            required_features: adapter.raw().features() & wanted,
            required_limits: limits,
            ..Default::default()
        };
        let opened = pollster::block_on(adapter.raw().request_device(&description));
        let (device, queue) = opened
            .map_err(|error| GpuError::NoDevice { adapter: info.to_string(), reason: error.to_string() })?;
        let cache = options
            .cache_folder
            .as_deref()
            .filter(|_| device.features().contains(wgpu::Features::PIPELINE_CACHE))
            .and_then(|folder| cache::file(folder, &adapter.raw().get_info()))
            .map(|file| (cache::open(&device, &file), file));
        let lost = Arc::new(OnceLock::new());
        let told = Arc::clone(&lost);
        device.set_device_lost_callback(move |_, reason| {
            // Only the first reason counts.
            let _ = told.set(reason);
        });
        // wgpu's own handler panics. An error that no scope caught is a fault all the same, and every call
        // checks for it.
        let told = Arc::clone(&lost);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let _ = told.set(error.to_string());
        }));
        Ok(Self::new(device, queue, Some(info), lost, cache, options.cache_folder.clone()))
    }

    /// Works on the caller's device and queue. The device keeps the caller's handlers for device loss and
    /// uncaptured errors. Its limits must be at least those of [`wgpu::Limits::default`].
    pub fn adopt(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        Self::new(device, queue, None, Arc::default(), None, None)
    }

    fn new(
        device: wgpu::Device,
        queue: wgpu::Queue,
        info: Option<AdapterInfo>,
        lost: Arc<OnceLock<String>>,
        cache: Option<(wgpu::PipelineCache, PathBuf)>,
        cache_folder: Option<PathBuf>,
    ) -> Self {
        let pipelines = Pipelines::default();
        Self { shared: Arc::new(Shared { device, queue, info, lost, pipelines, cache, cache_folder }) }
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        &self.shared.device
    }

    /// The queue.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.shared.queue
    }

    /// The adapter, unless the device was adopted.
    pub fn info(&self) -> Option<&AdapterInfo> {
        self.shared.info.as_ref()
    }

    /// [`ContextOptions::cache_folder`].
    pub fn cache_folder(&self) -> Option<&Path> {
        self.shared.cache_folder.as_deref()
    }

    /// Whether kernels may use subgroup operations.
    pub fn has_subgroups(&self) -> bool {
        self.device().features().contains(wgpu::Features::SUBGROUP)
    }

    /// The smallest number of threads in a subgroup.
    pub fn least_subgroup(&self) -> u32 {
        self.device().adapter_info().subgroup_min_size
    }

    /// The kernel, compiled for this device now or earlier. Several threads may call this at once: each
    /// kernel is compiled by one of them, different kernels in parallel.
    ///
    /// # Errors
    /// [`GpuError::KernelRefused`], also if a kernel with the same name but other WGSL or bindings was
    /// compiled earlier; [`GpuError::OutOfMemory`], [`GpuError::Lost`].
    pub fn pipeline(&self, kernel: &Kernel) -> Result<Pipeline, GpuError> {
        let cache = self.shared.cache.as_ref().map(|(cache, _)| cache);
        self.shared.pipelines.get(self, kernel, cache)
    }

    /// [`pipeline`](Self::pipeline) of several kernels, compiled side by side by as many threads as there are
    /// processors (one after the other on the web).
    ///
    /// # Errors
    /// The first kernel's that has one.
    pub fn pipelines(&self, kernels: &[&Kernel]) -> Result<Vec<Pipeline>, GpuError> {
        let next = AtomicUsize::new(0);
        let found: Vec<OnceLock<_>> = kernels.iter().map(|_| OnceLock::new()).collect();
        let work = || {
            let places = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            for place in places.take_while(|&place| place < kernels.len()) {
                let _ = found[place].set(self.pipeline(kernels[place]));
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(kernels.len());
        if cfg!(target_family = "wasm") || threads < 2 {
            work();
        } else {
            std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
        }
        found.into_iter().map(|found| found.into_inner().expect("compiled")).collect()
    }

    /// Writes what was compiled to the cache folder, if there is one.
    ///
    /// # Errors
    /// I/O errors. The pipelines stay usable.
    pub fn save_cache(&self) -> io::Result<()> {
        match &self.shared.cache {
            Some((cache, file)) => cache::save(cache, file),
            None => Ok(()),
        }
    }

    /// A buffer of `size` bytes, zeroed by wgpu when first used.
    ///
    /// # Errors
    /// [`GpuError::Limit`], [`GpuError::OutOfMemory`], [`GpuError::Lost`].
    pub fn buffer(
        &self,
        label: &'static str,
        size: u64,
        usage: wgpu::BufferUsages,
    ) -> Result<wgpu::Buffer, GpuError> {
        let limits = self.device().limits();
        let limit = if usage.contains(wgpu::BufferUsages::STORAGE) {
            limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
        } else {
            limits.max_buffer_size
        };
        if size > limit {
            return Err(GpuError::Limit { what: label, needed: size, limit });
        }
        let description =
            wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false };
        self.checked(label, || self.device().create_buffer(&description))
    }

    /// Runs `work` and turns the errors that wgpu reports meanwhile into [`GpuError`]s.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`], [`GpuError::Validation`], [`GpuError::Lost`].
    pub fn checked<T>(&self, what: &'static str, work: impl FnOnce() -> T) -> Result<T, GpuError> {
        self.check_lost()?;
        let device = self.device();
        let memory = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let internal = device.push_error_scope(wgpu::ErrorFilter::Internal);
        let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let result = work();
        let errors = [
            pollster::block_on(validation.pop()),
            pollster::block_on(internal.pop()),
            pollster::block_on(memory.pop()),
        ];
        self.check_lost()?;
        match errors.into_iter().flatten().next() {
            None => Ok(result),
            Some(wgpu::Error::OutOfMemory { .. }) => Err(GpuError::OutOfMemory { what }),
            Some(error) => Err(self.lost_or(what, &error)),
        }
    }

    /// Lets callbacks run. Does not block.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn poll(&self) -> Result<(), GpuError> {
        let polled = self.device().poll(wgpu::PollType::Poll);
        self.check_lost()?;
        polled.map(|_| ()).map_err(|error| self.lost_or("polling", &error))
    }

    /// Waits until a submission is finished.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn wait_for(&self, submission: &wgpu::SubmissionIndex) -> Result<(), GpuError> {
        let wait = wgpu::PollType::Wait { submission_index: Some(submission.clone()), timeout: None };
        let polled = self.device().poll(wait);
        self.check_lost()?;
        polled.map(|_| ()).map_err(|error| self.lost_or("waiting", &error))
    }

    /// Waits until everything submitted is finished.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn wait(&self) -> Result<(), GpuError> {
        let polled = self.device().poll(wgpu::PollType::Wait { submission_index: None, timeout: None });
        self.check_lost()?;
        polled.map(|_| ()).map_err(|error| self.lost_or("waiting", &error))
    }

    fn check_lost(&self) -> Result<(), GpuError> {
        match self.shared.lost.get() {
            None => Ok(()),
            Some(reason) => Err(GpuError::Lost { reason: reason.clone() }),
        }
    }

    /// [`GpuError::Lost`] if the device is lost, else [`GpuError::Validation`] with `reason`.
    pub(crate) fn lost_or(&self, what: &'static str, reason: &dyn fmt::Display) -> GpuError {
        // A destroyed device reports its loss when it is polled with no work pending; until then whatever it
        // creates is merely invalid.
        let timeout = Some(Duration::from_millis(100));
        let _ = self.device().poll(wgpu::PollType::Wait { submission_index: None, timeout });
        match self.check_lost() {
            Err(lost) => lost,
            Ok(()) => GpuError::Validation { what, reason: reason.to_string() },
        }
    }
}
