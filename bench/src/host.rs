//! The cost of a call besides the GPU's own work: whole images from memory to memory, on a driver whose GPU
//! takes no time (Mesa's drm-shim) or on any other.

use crate::{
    command::{Adapter, command_line},
    machine,
};
use anyhow::{Context as _, Result};
use brickwork_texture::{BlockFormat, EncodeOptions, ImageView, Quality, Task, gpu::GpuEncoder};
use std::{num::NonZeroUsize, time::Instant};

#[derive(clap::Args)]
pub struct Host {
    #[command(flatten)]
    adapter: Adapter,
    /// Sides of the square images, in texels
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [512u32, 4096])]
    sides: Vec<u32>,
    /// Calls per image, after two that are not counted
    #[arg(long, value_name = "N", default_value = "15")]
    repeat: NonZeroUsize,
}

/// Measures and prints the table.
pub fn run(arguments: &Host) -> Result<()> {
    let opening = Instant::now();
    let context = arguments.adapter.open()?;
    let device = context.info().context("an adapter that is known")?.clone();
    let opened = opening.elapsed().as_secs_f64() * 1e3;
    let encoder = GpuEncoder::new(context);
    let mut text = format!(
        "- Command: `{}`\n- Device: {} ({}, {})\n- {}\n- Date: {}\n\nOpening the device took \
         {opened:.0} ms.\n\n",
        command_line(),
        device.name,
        device.backend,
        device.driver,
        machine::describe(),
        machine::date()
    );
    text += "| BC1, normal, memory to memory | first call, ms | fastest, ms | median, ms |\n";
    text += "|---|---:|---:|---:|\n";
    for &side in &arguments.sides {
        let texel = |i: usize| [0, 1, 2, 3].map(|channel| (((4 * i + channel) * 7919) >> 5) as u8);
        let texels: Vec<_> = (0..side as usize * side as usize).map(texel).collect();
        let image = ImageView::new(&texels, side, side)?;
        let options = EncodeOptions::default().with(|o| o.quality = Quality::Normal);
        let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(side, side) as usize];
        let mut times = Vec::new();
        for _ in 0..arguments.repeat.get() + 2 {
            let start = Instant::now();
            encoder.encode_into(&image, BlockFormat::Bc1, &options, &mut blocks, &Task::new())?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let first = times[0];
        let warm = &mut times[2..];
        warm.sort_by(f64::total_cmp);
        let (least, median) = (warm[0], warm[warm.len() / 2]);
        text += &format!("| {side}×{side} | {first:.1} | {least:.2} | {median:.2} |\n");
    }
    println!("{text}");
    Ok(())
}
