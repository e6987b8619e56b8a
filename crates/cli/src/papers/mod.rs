//! The tables of the papers on cluster fit, LSDxt and volumes, and the corresponding measurements.

mod hash;
mod measure;
mod pictures;
mod text;
mod volumes;

pub use measure::Bench;
pub use text::Text;
pub use volumes::Source;

use crate::{
    failure::Failure,
    report::{BenchCpu, BenchGpu, BenchPapersReport, PublishedTime, TimeFigures, TimeTable},
};
use brickwork_base::{Progress, Stage, Task};
use brickwork_texture::{
    EncodeOptions, Quality,
    bc::bc1::{Bc1Options, ClusterFitVariant, LsdxtVariant, Method},
};
use measure::{Measured, SIDE, Work};
use std::sync::atomic::{AtomicU64, Ordering};

const CUDA: &str = "High Quality DXT Compression using CUDA (NVIDIA, 2007)";
const OPENCL: &str = "High Quality DXT Compression using OpenCL (NVIDIA, 2009)";
const LSDXT: &str = "LSDxt on GPUs (GraphiCon)";

/// Candidates per block at LSDxt's best quality: nine codes for each of six components.
const CANDIDATES: f64 = 531_441.0;

fn published(rows: &[(&'static str, f64)]) -> Vec<PublishedTime> {
    rows.iter().map(|&(name, ms)| PublishedTime { name, ms }).collect()
}

/// Number of measurements reported besides those of volumes.
const STEPS: u64 = 4;

/// Measures all tables. Progress counts measurements.
///
/// # Errors
/// [`Failure`] if the GPU fails, or a volume cannot be read.
pub fn report(bench: &Bench<'_>, volumes: &[Source], task: &Task<'_>) -> Result<BenchPapersReport, Failure> {
    let all = STEPS + volumes.len() as u64;
    let tables = tables(bench, &|done| task.report(Stage::Encoding, done, all))?;
    let rest = |progress: Progress| task.report(Stage::Rendering, STEPS + progress.done, all);
    Ok(BenchPapersReport { tables, ..of_volumes(bench, volumes, &task.with_progress(&rest))? })
}

/// Measures only the tables of volumes.
///
/// # Errors
/// [`Failure`] if a volume cannot be read, or the GPU fails.
pub fn of_volumes(
    bench: &Bench<'_>,
    volumes: &[Source],
    task: &Task<'_>,
) -> Result<BenchPapersReport, Failure> {
    let done = AtomicU64::new(0);
    let step =
        || task.report(Stage::Rendering, done.fetch_add(1, Ordering::Relaxed) + 1, volumes.len() as u64);
    let (volumes, pictures) = volumes::tables(bench, volumes, &step)?;
    let gpu = bench.info().map(|info| BenchGpu {
        name: info.name.clone(),
        backend: info.backend.clone(),
        kind: info.kind,
        driver: info.driver.clone(),
    });
    let (threads, instruction_set) = bench.cpu();
    let cpu = BenchCpu { threads, instruction_set };
    let (command, image, tables) = ("bench papers", [SIDE; 2], Vec::new());
    Ok(BenchPapersReport { command, gpu, cpu, image, tables, volumes, pictures })
}

/// Returns the tables of times.
fn tables(bench: &Bench<'_>, step: &dyn Fn(u64)) -> Result<Vec<TimeTable>, Failure> {
    step(0);
    let qualities = qualities(bench)?;
    step(1);
    let variants = cluster_fit_variants(bench)?;
    step(2);
    let refinement = refinement(bench)?;
    step(3);
    let full = full_quality(bench)?;
    step(STEPS);
    let quality_title = format!("a {SIDE}×{SIDE} image by cluster fit");
    let threads_title = "the same by threads per workgroup, normal quality".to_owned();
    let table =
        |paper, number, title: &str, rows: &[(&'static str, f64)], measured: &[TimeFigures]| TimeTable {
            paper,
            number,
            title: title.to_owned(),
            kernels: if title.starts_with("step 2") { "step 2" } else { "kernels" },
            published: published(rows),
            measured: measured.to_vec(),
        };
    let cpus = [("Intel Core 2 X6800", 563.0), ("AMD Athlon64 Dual Core 4400", 1251.0)];
    let cuda = [("GeForce 8800 GTX", 54.66), ("GeForce 8800 GTS", 72.88), ("GeForce 8600", 186.84)];
    let opencl = [("Tesla C1060", 83.35), ("GeForce 8800 GTX", 208.69)];
    let threads = ["64 threads", "128 threads", "256 threads"];
    let of_threads = |ms: [f64; 3]| [(threads[0], ms[0]), (threads[1], ms[1]), (threads[2], ms[2])];
    Ok(vec![
        table(CUDA, 1, &quality_title, &[&cuda[..], &cpus].concat(), &qualities),
        table(CUDA, 2, &threads_title, &of_threads([54.66, 56.47, 68.13]), &variants),
        table(OPENCL, 1, &quality_title, &[&opencl[..], &cpus].concat(), &qualities),
        // The first figure is CUDA's and disagrees with the paper's own table 1; it is printed as published.
        table(OPENCL, 2, &threads_title, &of_threads([54.66, 86.39, 96.13]), &variants),
        table(
            LSDXT,
            2,
            &format!("step 2 of LSDxt, a {SIDE}×{SIDE} image, up to 4 corrections"),
            &[
                ("HD 7970, local memory", 6.05),
                ("HD 7970, registers, run-time indices", 12.37),
                ("HD 7970, registers, constant indices", 0.86),
                ("GTX 560, local memory", 18.1),
                ("GTX 560, registers, run-time indices", 4.34),
                ("GTX 560, registers, constant indices", 3.88),
            ],
            &refinement,
        ),
        table(
            LSDXT,
            3,
            &format!("a {SIDE}×{SIDE} image by LSDxt at full quality: radius 4 in six components"),
            &[
                ("Core i3 660", 1_523_000.0),
                ("GTX 560, local memory", 50_800.0),
                ("GTX 560, registers", 30_700.0),
                ("HD 7970, local memory", 16_400.0),
                ("HD 7970, registers", 6_800.0),
            ],
            &full,
        ),
    ])
}

fn options(method: Method, quality: Quality) -> EncodeOptions {
    EncodeOptions::new().with_quality(quality).with_bc1(Bc1Options::new().with_method(method))
}

fn row(name: String, measured: &Measured, kernel: impl Fn(&str) -> bool) -> TimeFigures {
    let milliseconds = |time: f64| time * 1e3 * measured.scale();
    TimeFigures {
        name,
        kernel_ms: measured.kernels(kernel).map(milliseconds),
        whole_ms: milliseconds(measured.whole()),
        sha256: measured.sha256().to_owned(),
        candidates_per_second: None,
        scaled_from: measured.scaled_from(),
    }
}

/// Measures cluster fit at every quality, on both devices.
fn qualities(bench: &Bench<'_>) -> Result<Vec<TimeFigures>, Failure> {
    let mut rows = Vec::new();
    for &quality in Quality::ALL {
        if let Some(measured) = bench.gpu(&options(Method::ClusterFit, quality), Work::Light)? {
            rows.push(row(format!("GPU, {}", quality.name()), &measured, |_| true));
        }
    }
    for &quality in Quality::ALL {
        let measured = bench.cpu_time(&options(Method::ClusterFit, quality), Work::Light)?;
        rows.push(row(format!("CPU, {}", quality.name()), &measured, |_| true));
    }
    Ok(rows)
}

/// Measures cluster fit's kernels in every variant.
fn cluster_fit_variants(bench: &Bench<'_>) -> Result<Vec<TimeFigures>, Failure> {
    let normal = options(Method::ClusterFit, Quality::Normal);
    let mut rows = Vec::new();
    for &variant in ClusterFitVariant::ALL {
        let name = match variant {
            ClusterFitVariant::Group64 => "GPU, 64 threads per block",
            ClusterFitVariant::Group128 => "GPU, 128 threads per block",
            ClusterFitVariant::Group256 => "GPU, 256 threads per block",
            ClusterFitVariant::FourBlocks => "GPU, 16 threads per block, 4 blocks",
            ClusterFitVariant::Subgroup => "GPU, the same with subgroups",
            ClusterFitVariant::Stages => "GPU, one thread per task (the default)",
            _ => continue,
        };
        let options = normal.with_bc1(normal.bc1().with_cluster_fit_variant(variant));
        if bench.has(|gpu| variant.available_on(gpu.context()) == variant)
            && let Some(measured) = bench.gpu(&options, Work::Heavy)?
        {
            rows.push(row(name.to_owned(), &measured, |_| true));
        }
    }
    rows.push(row("CPU".to_owned(), &bench.cpu_time(&normal, Work::Heavy)?, |_| true));
    Ok(rows)
}

fn name_of(variant: LsdxtVariant) -> &'static str {
    match variant {
        LsdxtVariant::LocalMemory => "GPU, local memory",
        LsdxtVariant::Dynamic => "GPU, registers, run-time indices",
        LsdxtVariant::Constant => "GPU, registers, constant indices",
        LsdxtVariant::Subgroup => "GPU, subgroups",
        _ => "GPU, another variant",
    }
}

/// Measures LSDxt at one quality, in every variant that the device supports, and then on the CPU.
fn lsdxt(
    bench: &Bench<'_>,
    quality: Quality,
    work: Work,
    kernel: impl Fn(&str) -> bool,
) -> Result<Vec<TimeFigures>, Failure> {
    let options = options(Method::Lsdxt, quality);
    let mut rows = Vec::new();
    for &variant in LsdxtVariant::ALL {
        let options = options.with_bc1(options.bc1().with_lsdxt_variant(variant));
        if bench.has(|gpu| variant.available_on(gpu.context()) == variant)
            && let Some(measured) = bench.gpu(&options, work)?
        {
            rows.push(row(name_of(variant).to_owned(), &measured, &kernel));
        }
    }
    rows.push(row("CPU".to_owned(), &bench.cpu_time(&options, work)?, &kernel));
    Ok(rows)
}

/// Measures step 2, whose kernels have names that end in its number. The whole also has step 1 and the choice
/// of indices.
fn refinement(bench: &Bench<'_>) -> Result<Vec<TimeFigures>, Failure> {
    lsdxt(bench, Quality::Fast, Work::Light, |name| name.ends_with(" 2"))
}

fn full_quality(bench: &Bench<'_>) -> Result<Vec<TimeFigures>, Failure> {
    let mut rows = lsdxt(bench, Quality::Best, Work::Heavy, |_| true)?;
    for row in &mut rows {
        let seconds = row.kernel_ms.unwrap_or(row.whole_ms) / 1e3;
        row.candidates_per_second = Some(f64::from(SIDE * SIDE / 16) * CANDIDATES / seconds);
    }
    Ok(rows)
}
