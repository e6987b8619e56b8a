//! Bytes back from the GPU.

use crate::{Context, GpuError};
use std::{
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{self, Poll, Waker},
};

/// A copy from a buffer that is on its way to the CPU.
///
/// [`new`](Self::new) starts it, [`is_ready`](Self::is_ready) tells whether it has arrived,
/// [`take`](Self::take) returns the bytes. None of them waits. [`bytes`](Self::bytes) is the same as a
/// future.
#[derive(Debug)]
pub struct Download {
    staging: wgpu::Buffer,
    size: u64,
    submission: wgpu::SubmissionIndex,
    mapping: Arc<Mutex<Mapping>>,
}

/// The state of a mapping, which wgpu's callback sets.
#[derive(Debug, Default)]
struct Mapping {
    result: Option<Result<(), wgpu::BufferAsyncError>>,
    waker: Option<Waker>,
}

fn lock(mapping: &Mutex<Mapping>) -> MutexGuard<'_, Mapping> {
    mapping.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Download {
    /// Submits a copy of the bytes `range` (multiples of 4) of `buffer`, after everything submitted before.
    ///
    /// # Errors
    /// [`GpuError`].
    pub fn new(context: &Context, buffer: &wgpu::Buffer, range: Range<u64>) -> Result<Self, GpuError> {
        let size = range.end - range.start;
        let mut encoder = context.device().create_command_encoder(&Default::default());
        let staging = Self::staging(context, size)?;
        encoder.copy_buffer_to_buffer(buffer, range.start, &staging, 0, size);
        let submission = context.checked("read-back", || context.queue().submit([encoder.finish()]))?;
        Ok(Self::submitted(&staging, size, submission))
    }

    /// A buffer of `size` bytes that [`submitted`](Self::submitted) can map once something was copied into
    /// it.
    ///
    /// # Errors
    /// [`GpuError::Limit`], [`GpuError::OutOfMemory`].
    pub fn staging(context: &Context, size: u64) -> Result<wgpu::Buffer, GpuError> {
        context.buffer("read-back", size, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST)
    }

    /// The first `size` bytes of a buffer of [`staging`](Self::staging), into which submitted commands copy.
    pub fn submitted(staging: &wgpu::Buffer, size: u64, submission: wgpu::SubmissionIndex) -> Self {
        let mapping = Arc::<Mutex<Mapping>>::default();
        let mapped = Arc::clone(&mapping);
        staging.map_async(wgpu::MapMode::Read, ..size, move |result| {
            let mut mapping = lock(&mapped);
            mapping.result = Some(result);
            if let Some(waker) = mapping.waker.take() {
                drop(mapping);
                waker.wake();
            }
        });
        Self { staging: staging.clone(), size, submission, mapping }
    }

    /// Returns true if the bytes have arrived. Does not block.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn is_ready(&self, context: &Context) -> Result<bool, GpuError> {
        context.poll()?;
        match &lock(&self.mapping).result {
            None => Ok(false),
            Some(Ok(())) => Ok(true),
            Some(Err(error)) => Err(context.lost_or("read-back", error)),
        }
    }

    /// Returns the bytes once [`is_ready`](Self::is_ready) is true. Does not block.
    ///
    /// # Errors
    /// [`GpuError::Validation`] if they have not arrived, [`GpuError::Lost`].
    pub fn take(self, context: &Context) -> Result<Vec<u8>, GpuError> {
        self.take_with(context, <[u8]>::to_vec)
    }

    /// Passes the bytes to `look` once [`is_ready`](Self::is_ready) is true. Does not block.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub fn take_with<R>(self, context: &Context, look: impl FnOnce(&[u8]) -> R) -> Result<R, GpuError> {
        let what = "read-back";
        if lock(&self.mapping).result.is_none() {
            return Err(context.lost_or(what, &"the bytes have not arrived"));
        }
        let mapped = self.staging.get_mapped_range(..self.size);
        let view = mapped.map_err(|error| context.lost_or(what, &error))?;
        let result = look(&view);
        drop(view);
        self.staging.unmap();
        Ok(result)
    }

    /// Waits for the bytes without blocking. Browsers wake the future; on native devices something else must
    /// [poll](Context::poll) the context meanwhile.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub async fn bytes(self, context: &Context) -> Result<Vec<u8>, GpuError> {
        self.arrival().await;
        self.take(context)
    }

    /// Waits, as [`bytes`](Self::bytes) does, until [`is_ready`](Self::is_ready) is true or fails.
    pub async fn arrival(&self) {
        std::future::poll_fn(|task: &mut task::Context<'_>| {
            let mut mapping = lock(&self.mapping);
            if mapping.result.is_some() {
                return Poll::Ready(());
            }
            mapping.waker = Some(task.waker().clone());
            Poll::Pending
        })
        .await;
    }

    /// The submission that copies the bytes.
    pub fn submission(&self) -> &wgpu::SubmissionIndex {
        &self.submission
    }
}
