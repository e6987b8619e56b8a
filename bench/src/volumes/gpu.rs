//! Volumes on a GPU: speed of decoding, and time of renderings from compressed bricks, compared with
//! renderings from an uncompressed 3D texture and with a cache of one brick. The columns of Table 3 of
//! Guthe & Goesele 2016 are among them.

use super::{
    FOLDER, tiles,
    volume::{self, Entry, Sample, with_voxels},
};
use crate::{
    command::{Adapter, profile_option},
    gpu_clock::{Clock, Filler},
    machine,
    paths::{page_of_tables, root},
    table::{
        Column::{Number, Text},
        Table,
    },
};
use anyhow::{Context as _, Result, ensure};
use brickwork_volume::{
    BwvOptions, Header, Region, ResidentOptions, ResidentVolume, Task, VolumeFile, VolumeView, encode,
    gpu::{AdapterInfo, Context, GpuVolume},
    render::{
        Camera, DisplayBricks, GpuRenderer, Look, Preset, Renderer, Rendering, ResidentBricks, Survey, View,
    },
};
use std::{
    num::{NonZeroU32, NonZeroUsize},
    path::PathBuf,
    sync::Arc,
    time::Instant,
};

const SECTION: &str = "volume-gpu";
/// Section of a run with `--tiled`.
const TILED_SECTION: &str = "volume-gpu-tiled";

#[derive(clap::Args)]
pub struct Gpu {
    /// Folder of volumes, NAME.raw.zst or NAME.raw beside NAME.json. Default: test-data/volumes
    folder: Option<PathBuf>,
    /// Uses these volumes only
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Pixels of a rendering
    #[arg(long, value_name = "WxH", default_value = "1920x1080", value_parser = parse_size)]
    size: (u32, u32),
    #[command(flatten)]
    adapter: Adapter,
    /// Fills this many raw bytes, such as 256MiB, with copies of each smaller volume. Volumes larger than the
    /// GPU's L2 cache show the cost of memory. Default: each volume once
    #[arg(
        long, value_name = "BYTES",
        value_parser = |text: &str| tiles::parse_bytes(text).map_err(|e| format!("{e:#}"))
    )]
    tiled: Option<u64>,
    /// Rounds; the shortest time counts
    #[arg(long, value_name = "N", default_value = "3")]
    repeat: NonZeroUsize,
    /// Puts the table into docs/measured/volumes-gpu.md
    #[arg(long, conflicts_with = "names")]
    write: bool,
}

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let (width, height) = text.split_once('x').ok_or("WIDTHxHEIGHT expected")?;
    let side = |text: &str| text.parse().map_err(|error| format!("{text}: {error}"));
    Ok((side(width)?, side(height)?))
}

/// Measurements of one volume.
struct Measured {
    name: String,
    raw_bits: usize,
    raw_bytes: usize,
    /// Bits per voxel in the GPU's memory.
    resident: f64,
    /// Without skipping: voxels read from bricks that were decoded, as a share of all that were read; and
    /// volumes decoded per rendering.
    hit_rate: f64,
    volumes_decoded: f64,
    /// Absent for software adapters, whose times say little about GPUs.
    times: Option<Times>,
}

struct Times {
    /// Bytes decoded per second by the GPU's clock, in 10⁹.
    decoding: f64,
    /// Milliseconds of a rendering; from a texture; with a cache of one brick; without skipping.
    picture: f64,
    texture: Option<f64>,
    no_cache: f64,
    every_sample: f64,
}

/// On a software adapter, every so-manieth tile is enough to know the shares.
const TILE_STEP: NonZeroU32 = NonZeroU32::new(16).expect("not 0");

pub fn run(arguments: &Gpu) -> Result<()> {
    let folder = arguments.folder.clone().unwrap_or_else(|| root().join(FOLDER));
    let context = arguments.adapter.open()?;
    let info = context.info().context("the device has no adapter")?;
    let device = match info.is_software() {
        true => format!("Device: {info}, a **software adapter**: no times, and every {TILE_STEP}th tile"),
        false => format!("Device: {info}"),
    };
    let mut measured = Vec::new();
    for entry in volume::list(&folder, &arguments.names)? {
        eprintln!("{}", entry.name);
        let (entry, voxels) = entry.read_tiled(arguments.tiled.unwrap_or(0))?;
        measured.push(with_voxels!(&voxels, voxels => measure(&context, arguments, &entry, voxels)?));
    }
    let (width, height) = arguments.size;
    let about = [
        format!(
            "Command: `cargo run {} -p brickwork-bench -- volume-gpu{}{}{}`",
            profile_option(),
            if arguments.folder.is_some() { " FOLDER" } else { "" },
            arguments.tiled.map_or_else(String::new, |bytes| format!(" --tiled {bytes}")),
            if arguments.write { " --write" } else { "" },
        ),
        device,
        format!("Pictures: {width}×{height}, direct volume rendering, step 1; {} rounds", arguments.repeat),
        format!("Date: {}", machine::date()),
    ];
    let about: String = about.iter().map(|line| format!("- {line}\n")).collect();
    let text = format!("{about}\n{}", table(&measured));
    print!("{text}");
    if arguments.write {
        let section = if arguments.tiled.is_some() { TILED_SECTION } else { SECTION };
        crate::report::write_section(&page_of_tables("volumes-gpu"), section, &text)?;
    }
    Ok(())
}

/// Returns the shortest of several times in milliseconds, and the result.
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
    let dims = entry.dims;
    let header = Header::new(T::TYPE, dims);
    let mut file = Vec::new();
    encode(VolumeView::new(voxels, dims)?, &header, &BwvOptions::default(), &mut file, &Task::new())?;
    let task = Task::new();
    let volume = ResidentVolume::from_file(&VolumeFile::new(file)?, &ResidentOptions::default(), &task)?;
    let volume = Arc::new(volume);
    let on_gpu = Arc::new(GpuVolume::new(context, &volume, &task)?);
    let bricks = Arc::new(ResidentBricks::new(volume, &task)?);
    let survey = Survey::new(&*bricks, &task)?;
    let look = Look::dvr(&Preset::suited_to(&survey).function(&survey)?, &bricks.display())?;
    let renderer = Renderer::new(bricks, look, &task)?;
    // The camera is the program's: visible parts fill the rendering.
    let focus = renderer.focus(&task)?;
    let camera = Camera { azimuth: 30.0, elevation: 15.0, focus, ..Camera::default() };
    let (width, height) = arguments.size;
    let view = camera.view(&header, width, height)?;
    let is_software = context.info().is_some_and(AdapterInfo::is_software);
    let every = renderer.with_look(renderer.look().clone(), &task)?.without_skipping();
    let every = GpuRenderer::new(Arc::clone(&on_gpu), &every)?.with_statistics();
    let tile_step = if is_software { TILE_STEP } else { NonZeroU32::MIN };
    let statistics = every.statistics(&view, tile_step, &task)?;
    let times = match is_software {
        true => None,
        false => Some(times(arguments, &on_gpu, &renderer, &every, &view, size_of_val(voxels))?),
    };
    Ok(Measured {
        name: entry.name.clone(),
        raw_bits: 8 * size_of::<T>(),
        raw_bytes: size_of_val(voxels),
        resident: 8.0 * on_gpu.byte_count() as f64 / voxels.len() as f64,
        hit_rate: statistics.voxel_hit_rate(),
        volumes_decoded: statistics.volumes_decoded() * f64::from(tile_step.get()),
        times,
    })
}

fn times(
    arguments: &Gpu,
    volume: &Arc<GpuVolume>,
    renderer: &Renderer,
    every: &GpuRenderer,
    view: &View,
    raw_bytes: usize,
) -> Result<Times> {
    let (context, dims, rounds) = (volume.context(), volume.dims(), arguments.repeat.get());
    // In parts, where a buffer does not hold all.
    let most = context.device().limits().max_storage_buffer_binding_size as usize;
    let slice = (dims.x + 256) * (dims.y + 8) * raw_bytes / dims.voxel_count()?;
    let depth = ((most / slice).saturating_sub(4) / 4 * 4).max(4);
    let part = |start| Region { z: start..dims.z.min(start + depth), ..Region::all(dims) };
    let clock = Clock::new(context.device())?;
    let filler = Filler::new(context)?;
    filler.warm_up(context)?;
    let mut decoded = Some(volume.decode(&part(0))?);
    let mut decode_time = f64::INFINITY;
    for _ in 0..=rounds {
        let time = clock.of_submissions(context, &filler, || {
            for start in (0..dims.z).step_by(depth) {
                let earlier = decoded.take().context("a region")?;
                decoded = Some(volume.decode_again(&part(start), earlier)?);
            }
            Ok(())
        })?;
        decode_time = decode_time.min(time);
    }
    drop(decoded);
    filler.warm_up(context)?;
    let by_gpu = || Ok::<_, anyhow::Error>(GpuRenderer::new(Arc::clone(volume), renderer)?);
    let picture = |by_gpu: &GpuRenderer| -> Result<(f64, Rendering)> {
        shortest(rounds, || Ok(by_gpu.render(view, &Task::new())?))
    };
    let (time, rendering) = picture(&by_gpu()?)?;
    let same = |other: &Rendering, what: &str| {
        ensure!(other.pixels == rendering.pixels, "another picture {what}");
        Ok(())
    };
    let (no_cache, other) = picture(&by_gpu()?.without_cache()?)?;
    same(&other, "without the cache")?;
    let (every_sample, other) = picture(every)?;
    same(&other, "without skipping")?;
    let texture = match by_gpu()?.from_texture() {
        Ok(by_gpu) => {
            let (time, other) = picture(&by_gpu)?;
            same(&other, "from a texture")?;
            Some(time)
        }
        Err(error) => {
            eprintln!("no 3D texture: {error}");
            None
        }
    };
    Ok(Times {
        decoding: raw_bytes as f64 / decode_time / 1e6,
        picture: time,
        texture,
        no_cache,
        every_sample,
    })
}

fn table(measured: &[Measured]) -> String {
    let mut table = Table::new(&[
        Text("volume"),
        Number("raw bits"),
        Number("raw MiB"),
        Number("resident"),
        Number("hits"),
        Number("volumes decoded"),
        Number("decoding, GB/s"),
        Number("picture, ms"),
        Number("÷ texture"),
        Number("gain by the cache"),
        Number("every sample, ms"),
    ]);
    let dash = || "–".to_owned();
    for of in measured {
        let time = |show: &dyn Fn(&Times) -> String| of.times.as_ref().map_or_else(dash, show);
        table.push([
            of.name.clone(),
            of.raw_bits.to_string(),
            format!("{:.1}", of.raw_bytes as f64 / f64::from(1 << 20)),
            format!("{:.3}", of.resident),
            format!("{:.2} %", 100.0 * of.hit_rate),
            format!("{:.2}", of.volumes_decoded),
            time(&|times| format!("{:.2}", times.decoding)),
            time(&|times| format!("{:.1}", times.picture)),
            time(&|times| {
                times.texture.map_or_else(dash, |texture| format!("{:.2}", times.picture / texture))
            }),
            time(&|times| format!("{:.1}", times.no_cache / times.picture)),
            time(&|times| format!("{:.1}", times.every_sample)),
        ]);
    }
    table.to_markdown()
}
