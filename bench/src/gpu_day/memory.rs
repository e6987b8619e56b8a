//! The device's copy bandwidth, and the bandwidth of uploading texels and downloading blocks.

use crate::{
    gpu_clock::{Clock, Filler},
    table::{
        Column::{Number, Text},
        Table,
    },
};
use anyhow::{Context as _, Result};
use brickwork_gpu::{Binding, Kernel, Pipeline};
use brickwork_texture::gpu::{Context, Download, wgpu};
use std::time::Instant;
use wgpu::BufferUsages as Usage;

/// Returns the table for `bytes` bytes each; the shortest of `rounds` counts.
pub fn run(context: &Context, bytes: u64, rounds: usize, filler: &Filler) -> Result<Table> {
    let (device, queue) = (context.device(), context.queue());
    let buffer = |label| context.buffer(label, bytes, Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST);
    let (source, target) = (buffer("source")?, buffer("target")?);
    let contents = vec![7u8; bytes as usize];
    let clock = Clock::new(device)?;
    let copying = Copying::new(context, &source, &target)?;
    let staging = Download::staging(context, bytes)?;
    let mut kept = vec![1u8; bytes as usize];
    let host = context.buffer("host memory", bytes, Usage::MAP_WRITE | Usage::COPY_SRC)?;
    let mut least = [f64::INFINITY; 7];
    for _ in 0..=rounds {
        filler.warm_up(context)?;
        let mut commands = device.create_command_encoder(&Default::default());
        clock.note(&mut commands, 0);
        commands.copy_buffer_to_buffer(&source, 0, &target, 0, bytes);
        clock.note(&mut commands, 1);
        clock.resolve(&mut commands);
        queue.submit([commands.finish()]);
        least[0] = least[0].min(clock.milliseconds(context)?);

        for (place, from, to) in [(5, &host, &source), (6, &target, &staging)] {
            let mut commands = device.create_command_encoder(&Default::default());
            clock.note(&mut commands, 0);
            commands.copy_buffer_to_buffer(from, 0, to, 0, bytes);
            clock.note(&mut commands, 1);
            clock.resolve(&mut commands);
            queue.submit([commands.finish()]);
            least[place] = least[place].min(clock.milliseconds(context)?);
        }

        let start = Instant::now();
        let size = wgpu::BufferSize::new(bytes).context("bytes to copy")?;
        let mut view = queue.write_buffer_with(&source, 0, size).context("memory for an upload")?;
        view.copy_from_slice(&contents);
        drop(view);
        queue.submit([]);
        Download::new(context, &target, 0..4)?.wait(context)?;
        least[1] = least[1].min(start.elapsed().as_secs_f64() * 1e3);

        let start = Instant::now();
        Download::new(context, &target, 0..bytes)?.wait(context)?;
        least[2] = least[2].min(start.elapsed().as_secs_f64() * 1e3);

        let start = Instant::now();
        let mut commands = device.create_command_encoder(&Default::default());
        commands.copy_buffer_to_buffer(&target, 0, &staging, 0, bytes);
        let submission = queue.submit([commands.finish()]);
        Download::submitted(&staging, bytes, submission)
            .wait_with(context, |bytes| kept.copy_from_slice(bytes))?;
        least[3] = least[3].min(start.elapsed().as_secs_f64() * 1e3);

        let mut commands = device.create_command_encoder(&Default::default());
        clock.note(&mut commands, 0);
        copying.record(&mut commands);
        clock.note(&mut commands, 1);
        clock.resolve(&mut commands);
        queue.submit([commands.finish()]);
        least[4] = least[4].min(clock.milliseconds(context)?);
    }
    let mut table = Table::new(&[Text("what"), Number("MiB"), Number("ms"), Number("GB/s")]);
    for (what, bytes_moved, milliseconds) in [
        ("a buffer copied by the driver, read and written", 2 * bytes, least[0]),
        ("a buffer copied by a kernel, read and written", 2 * bytes, least[4]),
        ("a mappable buffer copied to another, by the GPU's clock", bytes, least[5]),
        ("the device's memory copied to the host's, by the GPU's clock", bytes, least[6]),
        ("upload, by the host's clock", bytes, least[1]),
        ("read-back into new memory, by the host's clock", bytes, least[2]),
        ("read-back into memory that is kept, by the host's clock", bytes, least[3]),
    ] {
        table.push([
            what.to_owned(),
            format!("{}", bytes >> 20),
            format!("{milliseconds:.3}"),
            format!("{:.1}", bytes_moved as f64 / milliseconds / 1e6),
        ]);
    }
    Ok(table)
}

/// A kernel that copies a buffer, 16 bytes at a time.
struct Copying {
    pipeline: Pipeline,
    bound: wgpu::BindGroup,
    groups: u32,
}

const COPY: &str = "
@group(0) @binding(0) var<storage, read> source: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> copied: array<vec4<u32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) at: vec3<u32>) {
    for (var i = at.x; i < arrayLength(&source); i += 256u * GROUPS) {
        copied[i] = source[i];
    }
}
";

impl Copying {
    fn new(context: &Context, source: &wgpu::Buffer, target: &wgpu::Buffer) -> Result<Self> {
        let groups = (source.size() / 16).div_ceil(256 * 4) as u32;
        let kernel =
            Kernel::new("copy", &[Binding::Read, Binding::Write]).part(COPY).constant("GROUPS", groups);
        let pipeline = context.pipeline(&kernel)?;
        let bound =
            pipeline.bind(context.device(), &[source.as_entire_binding(), target.as_entire_binding()]);
        Ok(Self { pipeline, bound, groups })
    }

    fn record(&self, commands: &mut wgpu::CommandEncoder) {
        let mut pass = commands.begin_compute_pass(&Default::default());
        self.pipeline.dispatch(&mut pass, &self.bound, self.groups);
    }
}
