//! Times of passes, measured by the GPU itself.

use crate::{Context, Download, GpuError};
use std::time::Duration;

/// Timestamps around passes of one submission.
#[derive(Debug)]
pub struct Timer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    passes: u32,
    period: f64,
}

impl Timer {
    /// Creates a timer for `passes` passes. Returns `None` if the device has no timestamps.
    pub fn new(context: &Context, passes: u32) -> Option<Self> {
        let device = context.device();
        if !device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("timestamps"),
            ty: wgpu::QueryType::Timestamp,
            count: 2 * passes,
        });
        let resolved = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("timestamps"),
            size: 16 * u64::from(passes),
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        Some(Self { queries, resolved, passes, period: f64::from(context.queue().get_timestamp_period()) })
    }

    /// Returns the timestamp writes for the descriptor of pass `pass`.
    pub fn writes(&self, pass: u32) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(2 * pass),
            end_of_pass_write_index: Some(2 * pass + 1),
        }
    }

    /// Records the read-out of the timestamps, after all passes.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..2 * self.passes, &self.resolved, 0);
    }

    /// Starts to read the times back, after all work submitted before. Does not block.
    ///
    /// # Errors
    /// [`GpuError`].
    pub fn start_read(&self, context: &Context) -> Result<TimerRead, GpuError> {
        let download = Download::new(context, &self.resolved, 0..16 * u64::from(self.passes))?;
        Ok(TimerRead { download, period: self.period })
    }
}

/// Times of passes that are being read back.
#[derive(Debug)]
pub struct TimerRead {
    download: Download,
    period: f64,
}

impl TimerRead {
    /// Returns the read-back of the timestamps.
    pub fn download(&self) -> &Download {
        &self.download
    }

    /// True if the times have arrived. Does not block.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn is_ready(&self, context: &Context) -> Result<bool, GpuError> {
        self.download.is_ready(context)
    }

    /// Returns the time from the start of each pass to its end, once [`is_ready`](Self::is_ready) is true.
    ///
    /// # Errors
    /// [`GpuError::NotArrived`], [`GpuError::Lost`].
    pub fn take(self, context: &Context) -> Result<Vec<Duration>, GpuError> {
        self.download.take_with(context, |bytes| {
            let ticks = |at: usize| u64::from_le_bytes(bytes[8 * at..][..8].try_into().expect("8 bytes"));
            let time = |pass: usize| {
                let ticks = ticks(2 * pass + 1).saturating_sub(ticks(2 * pass));
                Duration::from_nanos((ticks as f64 * self.period) as u64)
            };
            (0..bytes.len() / 16).map(time).collect()
        })
    }
}
