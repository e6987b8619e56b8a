//! Bytes back from the GPU.

use crate::{Context, GpuError};
use std::{
    ops::Range,
    sync::mpsc::{Receiver, TryRecvError, channel},
};

/// A copy from a buffer that is on its way to the CPU.
#[derive(Debug)]
pub struct Download {
    staging: wgpu::Buffer,
    size: u64,
    submission: wgpu::SubmissionIndex,
    mapped: Receiver<Result<(), wgpu::BufferAsyncError>>,
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
        let (sender, mapped) = channel();
        staging.map_async(wgpu::MapMode::Read, ..size, move |result| {
            // Nobody waits where the download was dropped.
            let _ = sender.send(result);
        });
        Self { staging: staging.clone(), size, submission, mapped }
    }

    /// Whether the bytes are there. Does not block.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn is_ready(&mut self, context: &Context) -> Result<bool, GpuError> {
        context.poll()?;
        match self.mapped.try_recv() {
            Ok(result) => {
                result.map_err(|error| context.lost_or("read-back", &error))?;
                // For `wait`, which checks again.
                let (sender, mapped) = channel();
                let _ = sender.send(Ok(()));
                self.mapped = mapped;
                Ok(true)
            }
            Err(TryRecvError::Empty) => Ok(false),
            Err(TryRecvError::Disconnected) => Err(context.lost_or("read-back", &"the mapping was dropped")),
        }
    }

    /// Waits for the bytes and returns them.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn wait(self, context: &Context) -> Result<Vec<u8>, GpuError> {
        let mut bytes = Vec::new();
        self.wait_with(context, |mapped| bytes.extend_from_slice(mapped))?;
        Ok(bytes)
    }

    /// Waits for the bytes and passes them to `look`.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn wait_with(self, context: &Context, look: impl FnOnce(&[u8])) -> Result<(), GpuError> {
        loop {
            match self.mapped.try_recv() {
                Ok(Ok(())) => break,
                Ok(Err(error)) => return Err(context.lost_or("read-back", &error)),
                Err(TryRecvError::Empty) => context.wait_for(&self.submission)?,
                Err(TryRecvError::Disconnected) => {
                    return Err(context.lost_or("read-back", &"the mapping was dropped"));
                }
            }
        }
        let view = self
            .staging
            .get_mapped_range(..self.size)
            .map_err(|error| context.lost_or("read-back", &error))?;
        look(&view);
        drop(view);
        self.staging.unmap();
        Ok(())
    }
}
