//! Encoding times of BC1: one recording by the GPU's clock, whole calls by the host's.

use super::{Amount, Goals};
use crate::{
    gpu_clock::{Clock, Filler},
    gpu_peers,
    picture::read_directory,
    report::three_digits,
    root,
    table::{
        Column::{Number, Text},
        Table,
    },
};
use anyhow::Result;
use brickwork_texture::{
    BlockFormat, EncodeOptions, ImageView, Quality, Task, TexelFormat,
    gpu::{BlockRegion, BlockTarget, GpuEncoder, Recording, TexelSource, wgpu::BufferUsages},
};
use std::time::Instant;

/// Returns the shortest time of a call in milliseconds, from memory to memory, of `rounds` rounds after one
/// that compiles.
fn called(
    encoder: &GpuEncoder,
    texels: &[[u8; 4]],
    side: u32,
    options: &EncodeOptions,
    rounds: usize,
    filler: &Filler,
) -> Result<f64> {
    let image = ImageView::new(texels, side, side)?;
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(side, side) as usize];
    let mut least = f64::INFINITY;
    for round in 0..=rounds {
        filler.warm_up(encoder.context())?;
        let start = Instant::now();
        encoder.encode_into(&image, BlockFormat::Bc1, options, &mut blocks, &Task::new())?;
        if round > 0 {
            least = least.min(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    Ok(least)
}

/// Returns the shortest time of one recording in milliseconds, from a buffer of texels to a buffer of blocks;
/// `None` if one recording cannot hold the image.
fn recorded(
    encoder: &GpuEncoder,
    texels: &[[u8; 4]],
    side: u32,
    options: &EncodeOptions,
    rounds: usize,
    filler: &Filler,
) -> Result<Option<f64>> {
    let (context, format) = (encoder.context(), BlockFormat::Bc1);
    let bytes: &[u8] = texels.as_flattened();
    let most = context.device().limits().max_storage_buffer_binding_size;
    if encoder.max_region(format, options)? < u64::from(side).pow(2) || bytes.len() as u64 > most {
        return Ok(None);
    }
    let source =
        context.buffer("texels", bytes.len() as u64, BufferUsages::STORAGE | BufferUsages::COPY_DST)?;
    context.queue().write_buffer(&source, 0, bytes);
    let target = context.buffer("blocks", format.image_bytes(side, side), BufferUsages::STORAGE)?;
    let clock = Clock::new(context.device())?;
    let mut least = f64::INFINITY;
    for round in 0..=rounds {
        filler.warm_up(context)?;
        filler.submit(context, 4);
        let mut commands = context.device().create_command_encoder(&Default::default());
        clock.note(&mut commands, 0);
        let texels = TexelFormat::Rgba8;
        let source = TexelSource::Buffer { buffer: &source, texels, offset: 0, bytes_per_row: 4 * side };
        let bytes_per_row = format.image_bytes(side, 4) as u32;
        let target = BlockTarget::Buffer { buffer: &target, offset: 0, bytes_per_row };
        let region = BlockRegion { origin: [0, 0], size: [side; 2] };
        encoder.record(&mut commands, &Recording::new(source, region, target), format, options)?;
        clock.note(&mut commands, 1);
        clock.resolve(&mut commands);
        context.queue().submit([commands.finish()]);
        let time = clock.milliseconds(context)?;
        if round > 0 {
            least = least.min(time);
        }
    }
    Ok(Some(least))
}

fn speed(side: u32, milliseconds: f64) -> f64 {
    f64::from(side).powi(2) / milliseconds / 1e6
}

/// Measures every size at quality normal.
pub fn sizes(encoder: &GpuEncoder, amount: &Amount, goals: &mut Goals, filler: &Filler) -> Result<Table> {
    let photographs = read_directory(&root().join("test-data/kodak"), None, true)?;
    let photographs: Vec<_> =
        photographs.iter().map(|picture| (picture.width, &picture.texels[..])).collect();
    let normal = EncodeOptions::new().with_quality(Quality::Normal);
    let mut table = Table::new(&[
        Text("texels"),
        Number("one recording, ms"),
        Number("Gpix/s"),
        Number("memory to memory, ms"),
        Number("Gpix/s"),
    ]);
    for &side in amount.sides {
        let texels = gpu_peers::tiled(&photographs, side);
        let rounds = if side > 4096 { 2 } else { amount.rounds };
        let call = called(encoder, &texels, side, &normal, rounds, filler)?;
        let recorded = recorded(encoder, &texels, side, &normal, rounds, filler)?;
        let show = |show: &dyn Fn(f64) -> String| recorded.map_or_else(|| "–".to_owned(), show);
        table.push([
            format!("{side}×{side}"),
            show(&|time| format!("{time:.3}")),
            show(&|time| three_digits(speed(side, time))),
            format!("{call:.3}"),
            three_digits(speed(side, call)),
        ]);
        let Some(recorded) = recorded else { continue };
        if side == 512 {
            goals.push("512², normal: one recording", 0.15, true, recorded, "ms");
        }
        if side == 4096 {
            goals.push("4096², normal: one recording", 2.0, false, speed(side, recorded), "Gpix/s");
            goals.push("4096², memory to memory ÷ one recording", 1.3, true, call / recorded, "");
        }
    }
    Ok(table)
}
