//! Volumes on a GPU: how fast they are decoded, and what pictures from compressed bricks take beside pictures
//! from an uncompressed 3D texture, and beside a cache of one brick. The columns of Table 3 of Guthe &
//! Goesele 2016 are among them.

use super::{
    FOLDER,
    volume::{self, Entry, Sample, with_voxels},
};
use crate::{
    Adapter, machine, profile_option, root,
    table::{
        Column::{Number, Text},
        Table,
    },
};
use anyhow::{Context as _, Result, ensure};
use brickwork_volume::{
    EncodeOptions, Header, Region, ResidentOptions, ResidentVolume, VolumeFile, VolumeView, encode,
    gpu::{Context, GpuVolume},
    render::{
        Camera, DisplayBricks, GpuRenderer, Look, Renderer, Rendering, ResidentBricks, TransferFunction,
    },
};
use std::{num::NonZeroUsize, path::PathBuf, time::Instant};

const SECTION: &str = "volume-gpu";

#[derive(clap::Args)]
pub struct Gpu {
    /// Folder of volumes, NAME.raw.zst beside NAME.json. Default: test-data/volumes
    folder: Option<PathBuf>,
    /// Uses these volumes only
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Pixels of a picture
    #[arg(long, value_name = "WxH", default_value = "1920x1080", value_parser = parse_size)]
    size: (u32, u32),
    #[command(flatten)]
    adapter: Adapter,
    /// Rounds; the shortest time counts
    #[arg(long, value_name = "N", default_value = "3")]
    repeat: NonZeroUsize,
    /// Puts the table into docs/performance.md
    #[arg(long, conflicts_with = "names")]
    write: bool,
}

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let (width, height) = text.split_once('x').ok_or("WIDTHxHEIGHT expected")?;
    let side = |text: &str| text.parse().map_err(|error| format!("{text}: {error}"));
    Ok((side(width)?, side(height)?))
}

/// What was measured of one volume.
struct Measured {
    name: String,
    raw_bits: usize,
    /// Bits per voxel in the GPU's memory.
    resident: f64,
    /// Bytes decoded per second, in 10⁹.
    decoding: f64,
    /// Milliseconds of a picture; from a texture; with a cache of one brick.
    picture: f64,
    texture: Option<f64>,
    no_cache: f64,
    /// Without skipping: the share of requests that found their brick, and volumes decoded per picture.
    hit_rate: f64,
    volumes_decoded: f64,
    /// Milliseconds without skipping.
    every_sample: f64,
}

pub fn run(arguments: &Gpu) -> Result<()> {
    let folder = arguments.folder.clone().unwrap_or_else(|| root().join(FOLDER));
    let context = arguments.adapter.open()?;
    let device = context.info().map(ToString::to_string).unwrap_or_default();
    let mut measured = Vec::new();
    for entry in volume::list(&folder, &arguments.names)? {
        eprintln!("{}", entry.name);
        measured.push(with_voxels!(&entry.read()?, voxels => measure(&context, arguments, &entry, voxels)?));
    }
    let (width, height) = arguments.size;
    let about = [
        format!(
            "Command: `cargo run {} -p brickwork-bench -- volume-gpu{}{}`",
            profile_option(),
            if arguments.folder.is_some() { " FOLDER" } else { "" },
            if arguments.write { " --write" } else { "" },
        ),
        format!("Device: {device}"),
        format!("Pictures: {width}×{height}, direct volume rendering, step 1; {} rounds", arguments.repeat),
        format!("Date: {}", machine::date()),
    ];
    let about: String = about.iter().map(|line| format!("- {line}\n")).collect();
    let text = format!("{about}\n{}", table(&measured));
    print!("{text}");
    if arguments.write {
        crate::report::write_section(&root().join("docs/performance.md"), SECTION, &text)?;
    }
    Ok(())
}

/// The shortest of some times in milliseconds, and what was made.
fn shortest<T>(rounds: usize, mut work: impl FnMut() -> Result<T>) -> Result<(f64, T)> {
    let mut best = None;
    for _ in 0..rounds {
        let start = Instant::now();
        let made = work()?;
        let time = start.elapsed().as_secs_f64() * 1e3;
        if best.as_ref().is_none_or(|(least, _)| time < *least) {
            best = Some((time, made));
        }
    }
    best.context("no round")
}

fn measure<T: Sample>(context: &Context, arguments: &Gpu, entry: &Entry, voxels: &[T]) -> Result<Measured> {
    let (dims, rounds) = (entry.dims, arguments.repeat.get());
    let header = Header::new(T::TYPE, dims);
    let mut file = Vec::new();
    encode(VolumeView::new(voxels, dims)?, &header, &EncodeOptions::default(), &mut file)?;
    let file = VolumeFile::new(file)?;
    let volume = ResidentVolume::from_file(&file, &ResidentOptions::default())?;
    let on_gpu = GpuVolume::new(context, &volume)?;
    // In parts, where a buffer does not hold all.
    let most = context.device().limits().max_storage_buffer_binding_size as usize;
    let slice = (dims.x + 256) * (dims.y + 8) * size_of::<T>();
    let depth = ((most / slice).saturating_sub(4) / 4 * 4).max(4);
    let (decode_time, ()) = shortest(rounds + 1, || {
        for start in (0..dims.z).step_by(depth) {
            let part = Region { z: start..dims.z.min(start + depth), ..Region::all(dims) };
            on_gpu.decode(&part)?;
        }
        context.wait()?;
        Ok(())
    })?;
    let bricks = ResidentBricks::new(&volume);
    let table = window(&bricks)?.table(&bricks.display());
    let camera = Camera { azimuth: 30.0, elevation: 15.0, ..Camera::default() };
    let (width, height) = arguments.size;
    let view = camera.view(&header, width, height)?;
    let renderer = Renderer::new(&bricks, Look::Dvr { table: table.clone() });
    let by_gpu = || Ok::<_, anyhow::Error>(GpuRenderer::new(&on_gpu, &renderer)?);
    let picture = |by_gpu: &GpuRenderer| -> Result<(f64, Rendering)> {
        shortest(rounds, || Ok(by_gpu.render(&view, &|_, _| {})?))
    };
    let (time, rendering) = picture(&by_gpu()?)?;
    let (no_cache, other) = picture(&by_gpu()?.without_cache()?)?;
    ensure!(other.pixels == rendering.pixels, "{}: without the cache another picture", entry.name);
    let texture = match by_gpu()?.from_texture() {
        Ok(by_gpu) => {
            let (time, other) = picture(&by_gpu)?;
            ensure!(other.pixels == rendering.pixels, "{}: from a texture another picture", entry.name);
            Some(time)
        }
        Err(error) => {
            eprintln!("{}: no 3D texture: {error}", entry.name);
            None
        }
    };
    let every = Renderer::new(&bricks, Look::Dvr { table }).without_skipping();
    let every = GpuRenderer::new(&on_gpu, &every)?.with_statistics();
    let (every_sample, full) = shortest(1, || Ok(every.render(&view, &|_, _| {})?))?;
    ensure!(full.pixels == rendering.pixels, "{}: without skipping another picture", entry.name);
    let statistics = full.statistics;
    Ok(Measured {
        name: entry.name.clone(),
        raw_bits: 8 * size_of::<T>(),
        resident: 8.0 * on_gpu.byte_count() as f64 / voxels.len() as f64,
        decoding: size_of_val(voxels) as f64 / decode_time / 1e6,
        picture: time,
        texture,
        no_cache,
        hit_rate: 1.0 - statistics.misses as f64 / statistics.brick_lookups.max(1) as f64,
        volumes_decoded: statistics.brick_reads as f64 / statistics.bricks.max(1) as f64,
        every_sample,
    })
}

/// Black to white over the upper part of the display values, half transparent.
fn window(bricks: &ResidentBricks) -> Result<TransferFunction> {
    let sides = bricks.volume().bricks();
    let mut ranges = Vec::new();
    for z in 0..sides.z as u32 {
        for y in 0..sides.y as u32 {
            ranges.extend((0..sides.x as u32).map(|x| bricks.range([x, y, z])));
        }
    }
    // (Padding far below or above all else does not count.)
    let mut largest: Vec<u16> = ranges.iter().map(|range| range[1]).collect();
    largest.sort_unstable();
    let at = |share: f64| f64::from(largest[((largest.len() - 1) as f64 * share) as usize]);
    let (low, high) = (at(0.02), at(0.999));
    let display = bricks.display();
    let value = |share: f64| display.value(low + share * (high - low));
    Ok(TransferFunction::window(value(0.4), value(1.0).max(value(0.4) + 1e-3), 0.3)?)
}

fn table(measured: &[Measured]) -> String {
    let mut table = Table::new(&[
        Text("volume"),
        Number("raw bits"),
        Number("resident"),
        Number("decoding, GB/s"),
        Number("picture, ms"),
        Number("÷ texture"),
        Number("gain by the cache"),
        Number("every sample, ms"),
        Number("hits"),
        Number("volumes decoded"),
    ]);
    for of in measured {
        table.push([
            of.name.clone(),
            of.raw_bits.to_string(),
            format!("{:.3}", of.resident),
            format!("{:.2}", of.decoding),
            format!("{:.1}", of.picture),
            of.texture.map_or("–".to_owned(), |texture| format!("{:.2}", of.picture / texture)),
            format!("{:.1}", of.no_cache / of.picture),
            format!("{:.1}", of.every_sample),
            format!("{:.2} %", 100.0 * of.hit_rate),
            format!("{:.2}", of.volumes_decoded),
        ]);
    }
    table.to_markdown()
}
