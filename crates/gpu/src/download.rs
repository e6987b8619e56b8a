//! Reading of bytes from the GPU.

use crate::{Context, GpuError, signal::Signal};
use std::ops::Range;

/// A copy of a buffer to the CPU that is in progress.
///
/// [`new`](Self::new) starts it, [`is_ready`](Self::is_ready) reports its arrival, and [`take`](Self::take)
/// returns the bytes. None of them waits. [`bytes`](Self::bytes) does the same as a future.
#[derive(Debug)]
pub struct Download {
    staging: wgpu::Buffer,
    size: u64,
    submission: wgpu::SubmissionIndex,
    mapped: Signal<Result<(), wgpu::BufferAsyncError>>,
}

impl Download {
    /// Submits a copy of the bytes `range` (multiples of 4) of `buffer`, after all work submitted before.
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

    /// Creates a buffer of `size` bytes that [`submitted`](Self::submitted) can map once data were copied
    /// into it.
    ///
    /// # Errors
    /// [`GpuError::Limit`], [`GpuError::OutOfMemory`].
    pub fn staging(context: &Context, size: u64) -> Result<wgpu::Buffer, GpuError> {
        context.buffer("read-back", size, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST)
    }

    /// Returns a download of the first `size` bytes of a [`staging`](Self::staging) buffer, into which
    /// submitted commands copy.
    pub fn submitted(staging: &wgpu::Buffer, size: u64, submission: wgpu::SubmissionIndex) -> Self {
        let mapped = Signal::new();
        let signal = mapped.clone();
        staging.map_async(wgpu::MapMode::Read, ..size, move |result| signal.set(result));
        Self { staging: staging.clone(), size, submission, mapped }
    }

    /// True if the bytes have arrived. Does not block.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn is_ready(&self, context: &Context) -> Result<bool, GpuError> {
        context.poll()?;
        match self.mapped.get(Clone::clone) {
            None => Ok(false),
            Some(Ok(())) => Ok(true),
            Some(Err(error)) => Err(context.lost_or("read-back", &error)),
        }
    }

    /// Returns the bytes once [`is_ready`](Self::is_ready) is true. Does not block.
    ///
    /// # Errors
    /// [`GpuError::NotArrived`], [`GpuError::Lost`].
    pub fn take(self, context: &Context) -> Result<Vec<u8>, GpuError> {
        self.take_with(context, <[u8]>::to_vec)
    }

    /// Passes the bytes to `look` once [`is_ready`](Self::is_ready) is true. Does not block.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub fn take_with<R>(self, context: &Context, look: impl FnOnce(&[u8]) -> R) -> Result<R, GpuError> {
        let what = "read-back";
        if self.mapped.get(|_| ()).is_none() {
            context.check_lost()?;
            return Err(GpuError::NotArrived);
        }
        let mapped = self.staging.get_mapped_range(..self.size);
        let view = mapped.map_err(|error| context.lost_or(what, &error))?;
        let result = look(&view);
        drop(view);
        self.staging.unmap();
        Ok(result)
    }

    /// Waits for the bytes without blocking. Browsers wake the future. On native devices, the caller must
    /// [poll](Context::poll) the context meanwhile.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub async fn bytes(self, context: &Context) -> Result<Vec<u8>, GpuError> {
        self.arrival().await;
        self.take(context)
    }

    /// Waits, like [`bytes`](Self::bytes), until [`is_ready`](Self::is_ready) is true or fails.
    pub async fn arrival(&self) {
        self.mapped.wait().await;
    }

    /// Returns the submission that copies the bytes.
    pub fn submission(&self) -> &wgpu::SubmissionIndex {
        &self.submission
    }
}
