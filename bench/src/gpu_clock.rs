//! Times of the GPU's work, by its own clock.

use anyhow::{Result, ensure};
use brickwork_gpu::{Binding, Kernel, Pipeline};
use brickwork_texture::gpu::{AdapterInfo, Context, Download, wgpu};
use std::time::{Duration, Instant};
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
    /// Timestamps are submitted before and after. So that the GPU does not wait for the host in between, some
    /// milliseconds of other work are submitted first.
    pub fn of_submissions(
        &self,
        context: &Context,
        filler: &Filler,
        work: impl FnOnce() -> Result<()>,
    ) -> Result<f64> {
        filler.submit(context, 4);
        let mut commands = context.device().create_command_encoder(&Default::default());
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

/// Work that keeps a GPU busy, and raises its clock to that of long work: a GPU that mostly waits for the
/// host runs at a fraction of its clock.
pub struct Filler {
    pipeline: Pipeline,
    bound: wgpu::BindGroup,
}

/// Rounds of a thread of the filler; on a large GPU, a submission takes about a millisecond.
const FILLER: &str = "
@group(0) @binding(0) var<storage, read_write> sums: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) at: vec3<u32>) {
    var sum = f32(at.x);
    for (var round = 0u; round < ROUNDS; round++) {
        sum = sum * 0.999 + 1.0;
    }
    if sum < 0.0 {
        sums[0] = sum;
    }
}
";
const FILLER_GROUPS: u32 = 1 << 14;

impl Filler {
    pub fn new(context: &Context) -> Result<Self> {
        // A software adapter would take seconds.
        let is_software = context.info().is_some_and(AdapterInfo::is_software);
        let rounds: u32 = if is_software { 1 } else { 6000 };
        let kernel = Kernel::new("filler", &[Binding::Write]).part(FILLER).constant("ROUNDS", rounds);
        let pipeline = context.pipeline(&kernel)?;
        let sums = context.buffer("filler", 256, BufferUsages::STORAGE)?;
        let bound = pipeline.bind(context.device(), &[sums.as_entire_binding()]);
        Ok(Self { pipeline, bound })
    }

    /// Submits `count` pieces of work.
    pub fn submit(&self, context: &Context, count: usize) {
        for _ in 0..count {
            let mut commands = context.device().create_command_encoder(&Default::default());
            let mut pass = commands.begin_compute_pass(&Default::default());
            self.pipeline.dispatch(&mut pass, &self.bound, FILLER_GROUPS);
            drop(pass);
            context.queue().submit([commands.finish()]);
        }
    }

    /// Keeps the GPU busy for 0.1 s by the host's clock, so that its own clock is that of long work. Does
    /// nothing on a software adapter.
    pub fn warm_up(&self, context: &Context) -> Result<()> {
        if context.info().is_some_and(AdapterInfo::is_software) {
            return Ok(());
        }
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(100) {
            self.submit(context, 8);
            context.wait()?;
        }
        Ok(())
    }
}
