//! Every format at every quality: the time of the kernels, and the same bytes as the CPU's.

use super::{
    amount::Amount,
    encode::{photographs, tiled},
};
use crate::{
    gpu_clock::Filler,
    peers::real_time_levels,
    report::three_digits,
    table::{
        Column::{Number, Text},
        Table,
    },
};
use anyhow::{Context as _, Result};
use brickwork_texture::{
    BlockFormat, CpuEncoder, EncodeOptions, Image, ImageView, Quality, Task, gpu::GpuEncoder, half::f16,
};

/// A kernel time of a call after which its quality runs no more rounds, in milliseconds.
const SLOW_MS: f64 = 500.0;

/// Returns the settings of a format that have kernels.
fn settings(format: BlockFormat) -> Vec<(String, EncodeOptions)> {
    let mut all = Vec::new();
    for &level in real_time_levels(format) {
        let real_time = EncodeOptions::default().with(|o| o.real_time = Some(level));
        all.push((format!("real time {}", level.name()), real_time));
    }
    let of_quality = |&quality: &Quality| {
        (quality.name().to_owned(), EncodeOptions::default().with(|o| o.quality = quality))
    };
    if !format.is_mobile() {
        all.extend(Quality::ALL.iter().map(of_quality));
    }
    all
}

/// Texels of a square as 8-bit integers and as half floats.
struct Square {
    side: u32,
    unorm: Vec<[u8; 4]>,
    half: Vec<[f16; 4]>,
}

impl Square {
    fn new(side: u32) -> Result<Self> {
        let unorm = tiled(&photographs()?, side);
        // Linear light, and signs for the signed format.
        let linear = |i: usize, value: u8| {
            let sign = if i / side as usize / 64 % 2 == 1 { -1.0 } else { 1.0 };
            f16::from_f32(sign * 16.0 * (f32::from(value) / 255.0).powi(2))
        };
        let half = unorm.iter().enumerate().map(|(i, texel)| texel.map(|value| linear(i, value))).collect();
        Ok(Self { side, unorm, half })
    }

    fn image(&self, format: BlockFormat) -> Result<Box<dyn Image + '_>> {
        Ok(match format {
            BlockFormat::Bc6hUfloat | BlockFormat::Bc6hSfloat => {
                Box::new(ImageView::new(&self.half, self.side, self.side)?)
            }
            _ => Box::new(ImageView::new(&self.unorm, self.side, self.side)?),
        })
    }
}

/// Measures all of them, and compares the blocks of a small square with the CPU's.
pub fn run(encoder: &GpuEncoder, filler: &Filler, amount: &Amount) -> Result<Table> {
    let large = Square::new(amount.format_side)?;
    let small = Square::new(amount.compared_side)?;
    let mut table = Table::new(&[
        Text("format"),
        Text("quality"),
        Number("kernels, ms"),
        Number("Gpix/s"),
        Number("ns per block"),
        Text("slowest kernel"),
        Number("its share"),
        Number("blocks unlike the CPU's"),
    ]);
    for &format in BlockFormat::ALL {
        for (name, options) in settings(format) {
            eprintln!("       {} {name}", format.name());
            let image = large.image(format)?;
            let mut blocks = vec![0; format.image_bytes(large.side, large.side) as usize];
            let mut best: Option<(f64, String, f64)> = None;
            for round in 0..=amount.rounds.min(3) {
                // The first round compiles.
                if round == 1 {
                    filler.warm_up(encoder.context())?;
                }
                let times = encoder.time_kernels(&*image, format, &options, &mut blocks)?;
                let times = times.context("the device has no timestamps")?;
                let all = times.iter().map(|kernel| kernel.time.as_secs_f64() * 1e3).sum::<f64>();
                let slowest = times.iter().max_by_key(|kernel| kernel.time).context("a kernel")?;
                let share = slowest.time.as_secs_f64() * 1e3 / all;
                if round > 0 && best.as_ref().is_none_or(|(least, ..)| all < *least) {
                    best = Some((all, slowest.name.clone(), share));
                }
                if round > 0 && all > SLOW_MS {
                    break;
                }
            }
            let (kernels, slowest, share) = best.context("a round")?;
            let different = differing_blocks(encoder, &small, format, &options)?;
            let all = format.block_count(small.side, small.side);
            let texels = f64::from(large.side).powi(2);
            table.push([
                format.name().to_owned(),
                name,
                format!("{kernels:.3}"),
                three_digits(texels / kernels / 1e6),
                three_digits(kernels * 1e6 / (texels / 16.0)),
                slowest,
                format!("{:.0} %", 100.0 * share),
                format!("{different} of {all}"),
            ]);
        }
    }
    Ok(table)
}

/// Returns the number of blocks of a square that differ between GPU and CPU.
fn differing_blocks(
    encoder: &GpuEncoder,
    square: &Square,
    format: BlockFormat,
    options: &EncodeOptions,
) -> Result<usize> {
    let image = square.image(format)?;
    let mut by_gpu = vec![0; format.image_bytes(square.side, square.side) as usize];
    encoder.encode_into(&*image, format, options, &mut by_gpu, &Task::new())?;
    let mut by_cpu = vec![0; by_gpu.len()];
    CpuEncoder::new().encode_into(&*image, format, options, &mut by_cpu, &Task::new())?;
    let size = format.block_bytes();
    let pairs = by_gpu.chunks_exact(size).zip(by_cpu.chunks_exact(size));
    Ok(pairs.filter(|(gpu, cpu)| gpu != cpu).count())
}
