//! Times of the GPU's work, by its own clock.

use anyhow::{Result, ensure};
use brickwork_texture::gpu::{Context, Download, wgpu};
use wgpu::BufferUsages;

/// Two timestamps around commands.
pub struct Clock {
    queries: wgpu::QuerySet,
    ticks: wgpu::Buffer,
}

impl Clock {
    /// # Errors
    /// If the device has no timestamps, or is lost.
    pub fn new(device: &wgpu::Device) -> Result<Self> {
        let timestamps = wgpu::Features::TIMESTAMP_QUERY;
        ensure!(device.features().contains(timestamps), "the device has no timestamps");
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("timestamps"),
            ty: wgpu::QueryType::Timestamp,
            count: 2,
        });
        let ticks = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("timestamps"),
            size: 16,
            usage: BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        Ok(Self { queries, ticks })
    }

    /// Records an empty pass that writes the timestamp of this index: Brickwork's passes are separate.
    pub fn note(&self, commands: &mut wgpu::CommandEncoder, index: u32) {
        commands.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("timestamp"),
            timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                query_set: &self.queries,
                beginning_of_pass_write_index: None,
                end_of_pass_write_index: Some(index),
            }),
        });
    }

    /// Records the read-out of the timestamps, after both.
    pub fn resolve(&self, commands: &mut wgpu::CommandEncoder) {
        commands.resolve_query_set(&self.queries, 0..2, &self.ticks, 0);
    }

    /// Returns the milliseconds of the GPU's work that `work` submits.
    ///
    /// Timestamps are submitted before and after. So that the GPU does not wait for the host in between,
    /// `filler` is copied within the GPU first, for some milliseconds.
    pub fn of_submissions(
        &self,
        context: &Context,
        filler: &Filler,
        work: impl FnOnce() -> Result<()>,
    ) -> Result<f64> {
        let mut commands = context.device().create_command_encoder(&Default::default());
        for _ in 0..filler.count {
            let [source, target] = &filler.buffers;
            commands.copy_buffer_to_buffer(source, 0, target, 0, source.size());
        }
        self.note(&mut commands, 0);
        context.queue().submit([commands.finish()]);
        work()?;
        let mut commands = context.device().create_command_encoder(&Default::default());
        self.note(&mut commands, 1);
        self.resolve(&mut commands);
        context.queue().submit([commands.finish()]);
        self.milliseconds(context)
    }

    /// Returns the milliseconds between two timestamps, after the GPU has reached the second.
    pub fn milliseconds(&self, context: &Context) -> Result<f64> {
        let bytes = Download::new(context, &self.ticks, 0..16)?.wait(context)?;
        let [begin, end] = *bytemuck::pod_collect_to_vec::<u8, u64>(&bytes).as_slice() else {
            anyhow::bail!("there are no two timestamps");
        };
        let period = f64::from(context.queue().get_timestamp_period());
        Ok(end.saturating_sub(begin) as f64 * period / 1e6)
    }
}

/// Copies that keep a GPU busy.
pub struct Filler {
    buffers: [wgpu::Buffer; 2],
    count: usize,
}

impl Filler {
    /// Returns `count` copies of 128 MiB, each some 0.1 ms long on a large GPU.
    pub fn new(context: &Context, count: usize) -> Result<Self> {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let buffer = |label| context.buffer(label, 128 << 20, usage);
        Ok(Self { buffers: [buffer("filler")?, buffer("filler's copy")?], count })
    }
}
