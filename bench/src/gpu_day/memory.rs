//! The device's copy bandwidth, and the bandwidth of uploading texels and downloading blocks.

use crate::{
    gpu_clock::Clock,
    table::{
        Column::{Number, Text},
        Table,
    },
};
use anyhow::{Context as _, Result};
use brickwork_texture::gpu::{Context, Download, wgpu};
use std::time::Instant;
use wgpu::BufferUsages as Usage;

/// Returns the table for `bytes` bytes each; the shortest of `rounds` counts.
pub fn run(context: &Context, bytes: u64, rounds: usize) -> Result<Table> {
    let (device, queue) = (context.device(), context.queue());
    let buffer = |label| context.buffer(label, bytes, Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST);
    let (source, target) = (buffer("source")?, buffer("target")?);
    let contents = vec![7u8; bytes as usize];
    let clock = Clock::new(device)?;
    let mut least = [f64::INFINITY; 3];
    for _ in 0..=rounds {
        let mut commands = device.create_command_encoder(&Default::default());
        clock.note(&mut commands, 0);
        commands.copy_buffer_to_buffer(&source, 0, &target, 0, bytes);
        clock.note(&mut commands, 1);
        clock.resolve(&mut commands);
        queue.submit([commands.finish()]);
        least[0] = least[0].min(clock.milliseconds(context)?);

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
    }
    let mut table = Table::new(&[Text("what"), Number("MiB"), Number("ms"), Number("GB/s")]);
    for (what, bytes_moved, milliseconds) in [
        ("a buffer copied on the device, read and written", 2 * bytes, least[0]),
        ("upload, by the host's clock", bytes, least[1]),
        ("read-back, by the host's clock", bytes, least[2]),
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
