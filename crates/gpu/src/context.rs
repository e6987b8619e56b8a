//! A device and the pipelines that were compiled for it.

use crate::{
    Adapter, AdapterInfo, ContextOptions, GpuError, cache,
    pipeline::Pipelines,
    scopes::{Scoped, Unsettled, Work},
    signal::Signal,
};
use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    task::Poll,
};

/// A device, its queue, and the kernels that were compiled for it. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Context {
    shared: Arc<Shared>,
}

struct Shared {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: Option<AdapterInfo>,
    lost: Arc<OnceLock<String>>,
    unsettled: Unsettled,
    pipelines: Pipelines,
    cache: Option<(wgpu::PipelineCache, PathBuf)>,
    cache_folder: Option<PathBuf>,
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("adapter", &self.shared.info).finish_non_exhaustive()
    }
}

/// Optional features that kernels use.
const WANTED: wgpu::Features = wgpu::Features::SUBGROUP
    .union(wgpu::Features::TIMESTAMP_QUERY)
    .union(wgpu::Features::TEXTURE_COMPRESSION_BC)
    .union(wgpu::Features::TEXTURE_COMPRESSION_ASTC)
    .union(wgpu::Features::TEXTURE_COMPRESSION_ETC2)
    .union(wgpu::Features::PIPELINE_CACHE);

impl Context {
    /// Opens a device. Waits for the driver without blocking the thread.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`] or [`GpuError::UnknownAdapter`] if no adapter matches, [`GpuError::Unfit`] if
    /// the adapter lacks what kernels need, [`GpuError::NoDevice`] if the driver refuses.
    pub async fn open_async(options: &ContextOptions) -> Result<Self, GpuError> {
        Self::open_on_async(&options.adapter.find_async().await?, options).await
    }

    /// Opens a device on this adapter; [`ContextOptions::adapter`] is ignored.
    ///
    /// # Errors
    /// [`GpuError::Unfit`] if the adapter lacks what kernels need, [`GpuError::NoDevice`] if the driver
    /// refuses.
    pub async fn open_on_async(adapter: &Adapter, options: &ContextOptions) -> Result<Self, GpuError> {
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
        let opened = adapter.raw().request_device(&description).await;
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
            // Only the first reason is kept.
            let _ = told.set(reason);
        });
        // wgpu's own handler panics. An error outside of all scopes is nevertheless a fault, and every call
        // checks for it.
        let told = Arc::clone(&lost);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let _ = told.set(error.to_string());
        }));
        Ok(Self::new(device, queue, Some(info), lost, cache, options.cache_folder.clone()))
    }

    /// Uses the caller's device and queue. The device keeps the caller's handlers for device loss and
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
        let (pipelines, unsettled) = (Pipelines::default(), Unsettled::default());
        Self {
            shared: Arc::new(Shared { device, queue, info, lost, unsettled, pipelines, cache, cache_folder }),
        }
    }

    /// Returns the device.
    pub fn device(&self) -> &wgpu::Device {
        &self.shared.device
    }

    /// Returns the queue.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.shared.queue
    }

    /// Returns the adapter's description, unless the device was adopted.
    pub fn info(&self) -> Option<&AdapterInfo> {
        self.shared.info.as_ref()
    }

    /// Returns the [`ContextOptions::cache_folder`].
    pub fn cache_folder(&self) -> Option<&Path> {
        self.shared.cache_folder.as_deref()
    }

    /// True if kernels may use subgroup operations.
    pub fn has_subgroups(&self) -> bool {
        self.device().features().contains(wgpu::Features::SUBGROUP)
    }

    /// Returns the smallest number of threads in a subgroup.
    pub fn least_subgroup(&self) -> u32 {
        self.device().adapter_info().subgroup_min_size
    }

    /// Returns the pipelines that were compiled for this device.
    pub(crate) fn kept_pipelines(&self) -> &Pipelines {
        &self.shared.pipelines
    }

    /// Returns the compiled kernels from the cache folder.
    pub(crate) fn pipeline_cache(&self) -> Option<&wgpu::PipelineCache> {
        self.shared.cache.as_ref().map(|(cache, _)| cache)
    }

    /// Writes the compiled kernels to the cache folder, if there is one.
    ///
    /// # Errors
    /// I/O errors. The pipelines remain usable.
    pub fn save_cache(&self) -> io::Result<()> {
        match &self.shared.cache {
            Some((cache, file)) => cache::save(cache, file),
            None => Ok(()),
        }
    }

    /// Creates a buffer of `size` bytes, which wgpu fills with zeros at its first use.
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

    /// Runs `work` and converts the errors that wgpu reports meanwhile to [`GpuError`]s. Does not wait.
    ///
    /// Browsers report errors later. The first call of this context that knows of such an error returns it,
    /// with the `what` of the faulty call. [`checked_async`](Self::checked_async) and
    /// [`settle`](Self::settle) wait for errors.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`], [`GpuError::Validation`], [`GpuError::Lost`].
    pub fn checked<T>(&self, what: &'static str, work: impl FnOnce() -> T) -> Result<T, GpuError> {
        self.check_work(Work::Call(what), work)
    }

    /// Works like [`checked`](Self::checked), but returns when the errors of `work` are known.
    ///
    /// # Errors
    /// As [`checked`](Self::checked).
    pub async fn checked_async<T>(
        &self,
        what: &'static str,
        work: impl FnOnce() -> T,
    ) -> Result<T, GpuError> {
        self.check_work_async(Work::Call(what), work).await
    }

    /// Works like [`checked`](Self::checked), for any work.
    pub(crate) fn check_work<T>(&self, work: Work, call: impl FnOnce() -> T) -> Result<T, GpuError> {
        self.check()?;
        let (result, mut scoped) = Scoped::run(self.device(), work, call);
        match scoped.poll() {
            Poll::Ready(error) => self.outcome(&scoped.work, error)?,
            Poll::Pending => self.shared.unsettled.push(scoped),
        }
        Ok(result)
    }

    /// Works like [`checked_async`](Self::checked_async), for any work.
    pub(crate) async fn check_work_async<T>(
        &self,
        work: Work,
        call: impl FnOnce() -> T,
    ) -> Result<T, GpuError> {
        self.check()?;
        let (result, mut scoped) = Scoped::run(self.device(), work, call);
        let error = scoped.error().await;
        self.outcome(&scoped.work, error)?;
        Ok(result)
    }

    /// Waits until the errors of all earlier calls are known. On native devices, they always are.
    ///
    /// # Errors
    /// The first of them.
    pub async fn settle(&self) -> Result<(), GpuError> {
        self.check()?;
        while let Some((work, error)) = self.shared.unsettled.next().await {
            self.outcome(&work, error)?;
        }
        self.check_lost()
    }

    /// Runs pending callbacks, and returns errors of earlier calls that have become known. Does not block.
    ///
    /// # Errors
    /// [`GpuError::Lost`]; in browsers also those of [`checked`](Self::checked) and
    /// [`pipeline`](Self::pipeline).
    pub fn poll(&self) -> Result<(), GpuError> {
        let polled = self.device().poll(wgpu::PollType::Poll);
        self.check()?;
        polled.map(|_| ()).map_err(|error| self.lost_or("polling", &error))
    }

    /// Waits without blocking until all work submitted so far is finished. Browsers wake the future. On
    /// native devices, the caller must [poll](Self::poll) the context meanwhile.
    ///
    /// # Errors
    /// [`GpuError::Lost`]; in browsers also those of earlier calls, as [`poll`](Self::poll).
    pub fn finished(&self) -> impl Future<Output = Result<(), GpuError>> {
        let finished = Signal::new();
        let signal = finished.clone();
        self.queue().on_submitted_work_done(move || signal.set(()));
        async move {
            finished.wait().await;
            self.check()
        }
    }

    /// Returns the error of work, if there is one or the device is lost.
    fn outcome(&self, work: &Work, error: Option<wgpu::Error>) -> Result<(), GpuError> {
        self.check_lost()?;
        match error {
            None => Ok(()),
            Some(wgpu::Error::OutOfMemory { .. }) => Err(GpuError::OutOfMemory { what: work.name() }),
            Some(error) => Err(self.lost_or_refused(work, &error)),
        }
    }

    /// Returns an error that is already known.
    fn check(&self) -> Result<(), GpuError> {
        self.check_lost()?;
        match self.shared.unsettled.first_error() {
            None => Ok(()),
            Some((work, error)) => self.outcome(&work, Some(error)),
        }
    }

    pub(crate) fn check_lost(&self) -> Result<(), GpuError> {
        match self.shared.lost.get() {
            None => Ok(()),
            Some(reason) => Err(GpuError::Lost { reason: reason.clone() }),
        }
    }

    /// Returns [`GpuError::Lost`] if the device is lost, else [`GpuError::Validation`] with `reason`.
    pub(crate) fn lost_or(&self, what: &'static str, reason: &dyn fmt::Display) -> GpuError {
        self.lost_or_refused(&Work::Call(what), reason)
    }

    fn lost_or_refused(&self, work: &Work, reason: &dyn fmt::Display) -> GpuError {
        let _ = self.device().poll(wgpu::PollType::Poll);
        match self.check_lost() {
            Err(lost) => lost,
            Ok(()) if self.makes_invalid_buffers() => {
                // From now on, every call knows the loss, even before the device reports it.
                let reason = self.shared.lost.get_or_init(|| reason.to_string()).clone();
                GpuError::Lost { reason }
            }
            Ok(()) => work.refused(reason.to_string()),
        }
    }

    /// True on a native device that is lost. Such a device reports the loss when it is polled with no work
    /// pending. Until then, anything it creates is invalid, and no error is reported.
    fn makes_invalid_buffers(&self) -> bool {
        let description = wgpu::BufferDescriptor {
            label: None,
            size: 4,
            usage: wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: true,
        };
        let make = || self.device().create_buffer(&description);
        let (buffer, mut scoped) = Scoped::run(self.device(), Work::Call("a buffer"), make);
        matches!(scoped.poll(), Poll::Ready(None)) && buffer.get_mapped_range_mut(..).is_err()
    }
}
