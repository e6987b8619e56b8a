//! Tables 1 and 2, and the corresponding measurements: cluster fit by quality, and by threads of a workgroup.

use super::ClusterFitVariant;
use crate::measure::{Bench, BenchError, SIDE, TimeFigures, TimeTable, Work, published, row};
use brickwork_texture::{EncodeOptions, Quality, bc::bc1::Method};

/// The paper.
const PAPER: &str = "High Quality DXT Compression using CUDA (NVIDIA, 2007)";

/// The CPUs of both papers.
pub(crate) const CPUS: [(&str, f64); 2] =
    [("Intel Core 2 X6800", 563.0), ("AMD Athlon64 Dual Core 4400", 1251.0)];

/// Returns both tables of one of the papers. `threads` has its times with 64, 128 and 256 threads.
pub(crate) fn tables_of(
    paper: &'static str,
    by_device: &[(&'static str, f64)],
    threads: [f64; 3],
    qualities: &[TimeFigures],
    variants: &[TimeFigures],
) -> [TimeTable; 2] {
    let [a, b, c] = threads;
    let threads = [("64 threads", a), ("128 threads", b), ("256 threads", c)];
    let table = |number, title, rows: &[(&'static str, f64)], measured: &[TimeFigures]| TimeTable {
        paper,
        number,
        title,
        kernels: "kernels",
        published: published(rows),
        measured: measured.to_vec(),
    };
    [
        table(1, format!("a {SIDE}×{SIDE} image by cluster fit"), by_device, qualities),
        table(2, "the same by threads per workgroup, normal quality".to_owned(), &threads, variants),
    ]
}

/// Returns tables 1 and 2 with these measurements.
pub(crate) fn tables(qualities: &[TimeFigures], variants: &[TimeFigures]) -> [TimeTable; 2] {
    let devices = [("GeForce 8800 GTX", 54.66), ("GeForce 8800 GTS", 72.88), ("GeForce 8600", 186.84)];
    let devices = [&devices[..], &CPUS].concat();
    tables_of(PAPER, &devices, [54.66, 56.47, 68.13], qualities, variants)
}

fn options(quality: Quality) -> EncodeOptions {
    EncodeOptions::default().with(|o| {
        o.quality = quality;
        o.bc1.method = Method::ClusterFit;
    })
}

/// Measures cluster fit at every quality, on both devices.
pub(crate) fn qualities(bench: &Bench<'_>) -> Result<Vec<TimeFigures>, BenchError> {
    let mut rows = Vec::new();
    for &quality in Quality::ALL {
        if let Some(measured) = bench.gpu(&options(quality), Work::Light)? {
            rows.push(row(&format!("GPU, {}", quality.name()), &measured, |_| true));
        }
    }
    for &quality in Quality::ALL {
        let measured = bench.cpu_time(&options(quality), Work::Light)?;
        rows.push(row(&format!("CPU, {}", quality.name()), &measured, |_| true));
    }
    Ok(rows)
}

/// Measures cluster fit's kernels in every variant that the device supports.
pub(crate) fn threads(bench: &Bench<'_>) -> Result<Vec<TimeFigures>, BenchError> {
    let options = options(Quality::Normal);
    let mut rows = Vec::new();
    for &variant in ClusterFitVariant::ALL {
        let name = match variant {
            ClusterFitVariant::Group64 => "GPU, 64 threads per block",
            ClusterFitVariant::Group128 => "GPU, 128 threads per block",
            ClusterFitVariant::Group256 => "GPU, 256 threads per block",
            ClusterFitVariant::FourBlocks => "GPU, 16 threads per block, 4 blocks",
            ClusterFitVariant::Subgroup => "GPU, the same with subgroups",
            ClusterFitVariant::Stages => "GPU, one thread per task (the default)",
        };
        if let Some(measured) = bench.gpu_by(|context| variant.encoder(context), &options, Work::Heavy)? {
            rows.push(row(name, &measured, |_| true));
        }
    }
    rows.push(row("CPU", &bench.cpu_time(&options, Work::Heavy)?, |_| true));
    Ok(rows)
}
