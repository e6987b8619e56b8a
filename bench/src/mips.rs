//! Chains of mip levels, compared with fast_image_resize: the CPU time of all threads together.

use anyhow::Result;
use brickwork_texture::{
    AlphaMode, ColorSpace, ImageView, MipFilter, Task, TexelFormat,
    mips::{MipOptions, next_level},
};
use cpu_time::ProcessTime;
use fast_image_resize::{
    FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer, create_srgb_mapper, images::Image as PeerImage,
};
use std::{num::NonZeroUsize, time::Instant};

#[derive(clap::Args)]
pub struct Mips {
    /// Side of the square image, in texels
    #[arg(long, value_name = "N", default_value_t = 4096)]
    side: u32,
    /// Threads
    #[arg(long, value_name = "N", default_value = "2")]
    threads: NonZeroUsize,
    /// Runs, of which the fastest counts
    #[arg(long, value_name = "N", default_value = "7")]
    repeat: NonZeroUsize,
}

/// Measures and prints the table.
pub fn run(arguments: &Mips) -> Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(arguments.threads.get()).build_global()?;
    let side = arguments.side;
    let texel = |i: u32| [i >> 4, i.wrapping_mul(7919) >> 5, i >> 14].map(|value| value as u8);
    let texels: Vec<[u8; 4]> = (0..side * side)
        .map(|i| {
            let [r, g, b] = texel(i);
            [r, g, b, 255]
        })
        .collect();
    println!("| chain of {side}×{side} RGBA, {} threads | ms | CPU ms |\n|---|---:|---:|", arguments.threads);
    let time = |name: &str, work: &mut dyn FnMut() -> Result<()>| -> Result<()> {
        let (mut least, mut least_cpu) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..arguments.repeat.get() {
            let (start, cpu) = (Instant::now(), ProcessTime::now());
            work()?;
            least = least.min(start.elapsed().as_secs_f64() * 1e3);
            least_cpu = least_cpu.min(cpu.elapsed().as_secs_f64() * 1e3);
        }
        println!("| {name} | {least:.0} | {least_cpu:.0} |");
        Ok(())
    };
    for filter in [MipFilter::Box, MipFilter::Kaiser, MipFilter::Lanczos3] {
        let options = MipOptions::new(ColorSpace::Srgb, AlphaMode::Opaque).with(|o| o.filter = filter);
        time(&format!("{}, linear light", filter.name()), &mut || {
            let image = ImageView::new(&texels, side, side)?;
            let mut level = next_level(&image, TexelFormat::Rgba8, options, &Task::new())?;
            while level.width() > 1 {
                level = next_level(&level, TexelFormat::Rgba8, options, &Task::new())?;
            }
            Ok(())
        })?;
    }
    let source = PeerImage::from_vec_u8(side, side, texels.as_flattened().to_vec(), PixelType::U8x4)?;
    let options =
        ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).use_alpha(false);
    let mut resizer = Resizer::new();
    time("fast_image_resize, lanczos3, linear light in 16 bits", &mut || {
        let mapper = create_srgb_mapper();
        let mut level = PeerImage::new(side, side, PixelType::U16x4);
        mapper.forward_map(&source, &mut level)?;
        while level.width() > 1 {
            let [width, height] = [level.width() / 2, level.height() / 2];
            let mut next = PeerImage::new(width, height, PixelType::U16x4);
            resizer.resize(&level, &mut next, &options)?;
            let mut shown = PeerImage::new(width, height, PixelType::U8x4);
            mapper.backward_map(&next, &mut shown)?;
            level = next;
        }
        Ok(())
    })?;
    time("fast_image_resize, lanczos3, sRGB values as numbers", &mut || {
        let mut level: Option<PeerImage<'_>> = None;
        while level.as_ref().is_none_or(|level| level.width() > 1) {
            let from = level.as_ref().unwrap_or(&source);
            let mut next = PeerImage::new(from.width() / 2, from.height() / 2, PixelType::U8x4);
            resizer.resize(from, &mut next, &options)?;
            level = Some(next);
        }
        Ok(())
    })
}
