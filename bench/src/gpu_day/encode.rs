//! Encoding times: kernels by the GPU's clock, whole calls by the host's.

use super::{amount::Amount, goals::Goals};
use crate::{
    gpu_clock::{Clock, Filler},
    gpu_peers,
    paths::root,
    picture::{Picture, read_directory},
    report::three_digits,
    table::{
        Column::{Number, Text},
        Table,
    },
};
use anyhow::{Context as _, Result};
use brickwork_papers::{cuda::ClusterFitVariant, lsdxt::LsdxtVariant};
use brickwork_texture::{
    BlockFormat, EncodeOptions, ImageView, Quality, Task, TexelFormat,
    bc::bc1::Method,
    gpu::{
        AdapterInfo, BlockRegion, BlockTarget, GpuEncoder, KernelTime, Recording, TexelSource,
        wgpu::BufferUsages,
    },
};
use std::time::Instant;

/// Returns a square of the odd Kodak images, side by side and repeated.
pub fn tiled(pictures: &[Picture], side: u32) -> Vec<[u8; 4]> {
    let all: Vec<_> = pictures.iter().map(|picture| (picture.width, &picture.texels[..])).collect();
    gpu_peers::tiled(&all, side)
}

pub fn photographs() -> Result<Vec<Picture>> {
    read_directory(&root().join("test-data/kodak"), None, true)
}

/// Measurements of one kind of call, in milliseconds.
struct Measured {
    kernels: f64,
    call: f64,
}

/// Returns the shortest of `rounds` rounds, after one that compiles.
fn measure(
    encoder: &GpuEncoder,
    texels: &[[u8; 4]],
    side: u32,
    options: &EncodeOptions,
    rounds: usize,
    filler: &Filler,
) -> Result<Measured> {
    let image = ImageView::new(texels, side, side)?;
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(side, side) as usize];
    let mut least = Measured { kernels: f64::INFINITY, call: f64::INFINITY };
    for round in 0..=rounds {
        filler.warm_up(encoder.context())?;
        let start = Instant::now();
        encoder.encode_into(&image, BlockFormat::Bc1, options, &mut blocks, &Task::new())?;
        let call = start.elapsed().as_secs_f64() * 1e3;
        let times = times(encoder, &image, options, &mut blocks)?;
        let kernels = times.iter().map(|kernel| kernel.time.as_secs_f64() * 1e3).sum();
        if round > 0 {
            least = Measured { kernels: least.kernels.min(kernels), call: least.call.min(call) };
        }
    }
    Ok(least)
}

fn times(
    encoder: &GpuEncoder,
    image: &ImageView<'_, [u8; 4]>,
    options: &EncodeOptions,
    blocks: &mut [u8],
) -> Result<Vec<KernelTime>> {
    let times = encoder.time_kernels(image, BlockFormat::Bc1, options, blocks)?;
    times.context("the device has no timestamps")
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

fn options(quality: Quality) -> EncodeOptions {
    EncodeOptions::default().with(|o| o.quality = quality)
}

/// Measures every size at quality normal.
pub fn sizes(encoder: &GpuEncoder, amount: &Amount, goals: &mut Goals, filler: &Filler) -> Result<Table> {
    let photographs = photographs()?;
    let mut table = Table::new(&[
        Text("texels"),
        Number("one recording, ms"),
        Number("Gpix/s"),
        Number("kernels of bands, ms"),
        Number("Gpix/s"),
        Number("memory to memory, ms"),
        Number("Gpix/s"),
    ]);
    for &side in amount.sides {
        let texels = tiled(&photographs, side);
        let rounds = if side > 4096 { 2 } else { amount.rounds };
        let normal = options(Quality::Normal);
        let measured = measure(encoder, &texels, side, &normal, rounds, filler)?;
        let recorded = recorded(encoder, &texels, side, &normal, rounds, filler)?;
        let show = |show: &dyn Fn(f64) -> String| recorded.map_or_else(|| "–".to_owned(), show);
        table.push([
            format!("{side}×{side}"),
            show(&|time| format!("{time:.3}")),
            show(&|time| three_digits(speed(side, time))),
            format!("{:.3}", measured.kernels),
            three_digits(speed(side, measured.kernels)),
            format!("{:.3}", measured.call),
            three_digits(speed(side, measured.call)),
        ]);
        let Some(recorded) = recorded else { continue };
        if side == 512 {
            goals.push("512², normal: one recording", 0.15, true, recorded, "ms");
        }
        if side == 4096 {
            goals.push("4096², normal: one recording", 2.0, false, speed(side, recorded), "Gpix/s");
            let ratio = measured.call / recorded;
            goals.push("4096², memory to memory ÷ one recording", 1.3, true, ratio, "");
        }
    }
    Ok(table)
}

/// Measures every quality, and every variant of cluster fit at quality normal.
pub fn variants(encoder: &GpuEncoder, amount: &Amount, goals: &mut Goals, filler: &Filler) -> Result<Table> {
    let photographs = photographs()?;
    let mut table = Table::new(&[
        Text("variant"),
        Text("quality"),
        Text("texels"),
        Number("kernels, ms"),
        Number("Gpix/s"),
        Number("ns per block"),
    ]);
    let qualities = Quality::ALL.iter().map(|&quality| (ClusterFitVariant::default(), quality));
    let others = ClusterFitVariant::ALL.iter().skip(1).map(|&variant| (variant, Quality::Normal));
    for (variant, quality) in qualities.chain(others) {
        let Some(encoder) = variant.encoder(encoder.context()) else { continue };
        for &side in amount.variant_sides {
            let texels = tiled(&photographs, side);
            let options = options(quality);
            let rounds = amount.rounds.min(if quality == Quality::Best { 2 } else { 4 });
            let measured = measure(&encoder, &texels, side, &options, rounds, filler)?;
            let blocks = f64::from(side / 4).powi(2);
            table.push([
                format!("{variant:?}"),
                quality.name().to_owned(),
                format!("{side}×{side}"),
                format!("{:.3}", measured.kernels),
                three_digits(speed(side, measured.kernels)),
                three_digits(measured.kernels * 1e6 / blocks),
            ]);
            if side == 4096 && quality == Quality::High {
                goals.push("4096², high: kernels", 0.5, false, speed(side, measured.kernels), "Gpix/s");
            }
        }
    }
    Ok(table)
}

/// Measures LSDxt: every variant at the qualities that search.
pub fn lsdxt(encoder: &GpuEncoder, amount: &Amount, goals: &mut Goals, filler: &Filler) -> Result<Table> {
    let photographs = photographs()?;
    let side = amount.lsdxt_side;
    let texels = tiled(&photographs, side);
    let mut table =
        Table::new(&[Text("variant"), Text("quality"), Number("kernels, ms"), Number("µs per block")]);
    let mut best = f64::INFINITY;
    for &variant in LsdxtVariant::ALL {
        let Some(encoder) = variant.encoder(encoder.context()) else { continue };
        for quality in [Quality::Normal, Quality::High, Quality::Best] {
            let mut options = options(quality);
            options.bc1.method = Method::Lsdxt;
            let rounds = if encoder.context().info().is_some_and(AdapterInfo::is_software) { 1 } else { 2 };
            let measured = measure(&encoder, &texels, side, &options, rounds, filler)?;
            let blocks = f64::from(side / 4).powi(2);
            table.push([
                format!("{variant:?}"),
                quality.name().to_owned(),
                format!("{:.3}", measured.kernels),
                three_digits(measured.kernels * 1e3 / blocks),
            ]);
            if quality == Quality::Best {
                best = best.min(measured.kernels);
            }
        }
    }
    if side == 512 {
        goals.push("LSDxt, full quality, 512², the best variant", 0.68, true, best / 1e3, "s");
    }
    Ok(table)
}

/// Measures each kernel of quality normal, on the largest image of the variants.
pub fn kernels(encoder: &GpuEncoder, amount: &Amount, filler: &Filler) -> Result<Table> {
    let side = *amount.variant_sides.last().context("a size")?;
    let texels = tiled(&photographs()?, side);
    let image = ImageView::new(&texels, side, side)?;
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(side, side) as usize];
    let options = options(Quality::Normal);
    times(encoder, &image, &options, &mut blocks)?;
    filler.warm_up(encoder.context())?;
    let times = times(encoder, &image, &options, &mut blocks)?;
    let all: f64 = times.iter().map(|kernel| kernel.time.as_secs_f64()).sum();
    let count = f64::from(side / 4).powi(2);
    let mut table = Table::new(&[Text("kernel"), Number("ms"), Number("ns per block"), Number("share")]);
    for KernelTime { name, time } in times {
        let seconds = time.as_secs_f64();
        table.push([
            name,
            format!("{:.3}", seconds * 1e3),
            three_digits(seconds * 1e9 / count),
            format!("{:.1} %", 100.0 * seconds / all),
        ]);
    }
    Ok(table)
}
