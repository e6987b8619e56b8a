//! `brickwork bench`: the speed of this machine.

use super::volume::input::open_described;
use crate::{
    device::open_gpu, exit::Exit, failure::Failure, input::Input, json, output, report, words::one_line,
};
use brickwork_papers::bench::{self, Bench, BenchError, BenchPapersReport, Source, Text};
use brickwork_texture::ErrorKind;
use brickwork_toolkit::device::Gpu;
use brickwork_volume::{Header, Task, copy_voxels};
use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

/// Measure this machine's GPU and CPU
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Papers(Papers),
}

/// Print the tables of the papers on which Brickwork builds, beside this machine's figures
///
/// Six tables are about encoding times. These are tables 1 and 2 of "High Quality DXT Compression using CUDA"
/// (NVIDIA, 2007) and of its OpenCL version (2009), both by cluster fit, and tables 2 and 3 of the paper on
/// LSDxt on GPUs (GraphiCon). Each is measured on a generated 512×512 image of soft shapes and some noise.
/// The papers' figures are from the hardware of their time.
///
/// Two tables are from "GPU-based lossless volume data compression" (Guthe & Goesele, 2016). They use the
/// volumes of --volumes, else the repository's if the program runs in it, else a generated one. Table 2 is
/// about sizes. It shows the paper's scheme and .bwv files beside the paper's figures for its own volumes.
/// Table 3 is about the GPU's cache of bricks in a rendering of 1920×1080 pixels: how often the cache
/// contains the voxels, how often the volume is decoded, and how much faster renderings are. A volume takes
/// about three times its size in memory.
///
/// Each row shows the first digits of the SHA-256 of its result, for comparing two machines. The JSON report
/// contains all digits.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork bench papers
  brickwork bench papers --adapter 1 --json > papers.json
  brickwork bench papers --volumes scan.nrrd head.bwv     only the tables of volumes

Without a hardware GPU, a software one is measured, and the report notes it: its volume renderings are not \
timed, and every 16th tile of them is rendered.")]
struct Papers {
    /// Measure only these volumes, of any format that "brickwork volume convert" reads without --dims
    #[arg(long, value_name = "FILE", num_args = 1..)]
    volumes: Vec<PathBuf>,

    /// GPU to measure, by its number or part of its name in "brickwork devices" [default: the best]
    #[arg(long, value_name = "NUMBER|NAME", help_heading = "Machine")]
    adapter: Option<String>,

    /// Runs per measurement, of which the median is shown; measurements that take seconds are run less often
    #[arg(long, value_name = "N", default_value = "9", help_heading = "Machine")]
    repeat: NonZeroUsize,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Do not show progress
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    quiet: bool,
}

/// Measures and prints.
///
/// # Errors
/// [`Failure`] if the requested GPU cannot be used, fails, or nothing can be printed.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let What::Papers(args) = &args.what;
    let quiet = args.quiet || args.json;
    let gpu = match &args.adapter {
        Some(adapter) => Some(open_gpu(Some(adapter))?),
        None => open_gpu(None)
            .inspect_err(|failure| report::note(&format!("only the CPU is measured: {failure}")))
            .ok(),
    };
    let bench = Bench::new(gpu.as_ref().map(Gpu::gpu_encoder), args.repeat.get());
    let mut report = report::with_progress("bench papers", quiet, |task| {
        if args.volumes.is_empty() {
            return bench::report(&bench, &Source::defaults(), task);
        }
        let volumes: Vec<_> = args.volumes.iter().map(|path| volume(path)).collect();
        bench::of_volumes(&bench, &volumes, task)
    })?;
    if let Some(gpu) = &gpu {
        gpu.save_kernels();
    }
    if args.json {
        json::print(&report, false)?;
    } else {
        make_printable(&mut report);
        output::print(&Text(&report).to_string(), false)?;
    }
    Ok(Exit::Ok)
}

/// Returns the volume of a file of any format that describes its voxels.
fn volume(path: &Path) -> Source<'_, Failure> {
    Source::new(path.display().to_string(), move || read(path))
}

/// Reads a volume: its header, and its voxels with the least significant byte of each number first.
fn read(path: &Path) -> Result<(Header, Vec<u8>), Failure> {
    let volume = open_described(&Input::of(path))?;
    let mut bytes = Vec::new();
    let read = copy_voxels(volume.voxels, volume.order, &volume.header, &mut bytes, &Task::new());
    read.map_err(|error| Failure::new(Exit::Invalid, error).of_path(path))?;
    Ok((volume.header, bytes))
}

/// Escapes the names of files.
fn make_printable(report: &mut BenchPapersReport) {
    for row in &mut report.volumes.measured {
        row.name = report::printable(&row.name);
    }
    for row in report.pictures.iter_mut().flat_map(|table| &mut table.measured) {
        row.name = report::printable(&row.name);
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Self {
        match error {
            BenchError::Volume { name, error } => Self::from(*error).of(name),
            error if error.kind() == ErrorKind::Unsupported => Self::new(Exit::Unsupported, error),
            BenchError::TestData => Self::new(Exit::Invalid, error),
            error => Self::new(Exit::Runtime, one_line(error)),
        }
    }
}
