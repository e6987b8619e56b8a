//! Tables 2 and 3, and the corresponding measurements: step 2 by kinds of memory, and full quality.

use super::LsdxtVariant;
use crate::measure::{Bench, BenchError, SIDE, TimeFigures, TimeTable, Work, published, row};
use brickwork_texture::{EncodeOptions, Quality, bc::bc1::Method};

/// The paper.
const PAPER: &str = "LSDxt on GPUs (GraphiCon)";

/// Candidates per block at the best quality: nine codes for each of six components.
const CANDIDATES: f64 = 531_441.0;

const fn name_of(variant: LsdxtVariant) -> &'static str {
    match variant {
        LsdxtVariant::LocalMemory => "GPU, local memory",
        LsdxtVariant::Dynamic => "GPU, registers, run-time indices",
        LsdxtVariant::Constant => "GPU, registers, constant indices",
        LsdxtVariant::Subgroup => "GPU, subgroups",
    }
}

/// Measures one quality, in every variant that the device supports, and then on the CPU.
fn measure(
    bench: &Bench<'_>,
    quality: Quality,
    work: Work,
    kernel: impl Fn(&str) -> bool,
) -> Result<Vec<TimeFigures>, BenchError> {
    let options = EncodeOptions::default().with(|o| {
        o.quality = quality;
        o.bc1.method = Method::Lsdxt;
    });
    let mut rows = Vec::new();
    for &variant in LsdxtVariant::ALL {
        if let Some(measured) = bench.gpu_by(|context| variant.encoder(context), &options, work)? {
            rows.push(row(name_of(variant), &measured, &kernel));
        }
    }
    rows.push(row("CPU", &bench.cpu_time(&options, work)?, &kernel));
    Ok(rows)
}

/// Returns table 2. Its kernels have names that end in the step's number. The whole also has step 1 and the
/// choice of indices.
pub(crate) fn refinement(bench: &Bench<'_>) -> Result<TimeTable, BenchError> {
    let rows = [
        ("HD 7970, local memory", 6.05),
        ("HD 7970, registers, run-time indices", 12.37),
        ("HD 7970, registers, constant indices", 0.86),
        ("GTX 560, local memory", 18.1),
        ("GTX 560, registers, run-time indices", 4.34),
        ("GTX 560, registers, constant indices", 3.88),
    ];
    Ok(TimeTable {
        paper: PAPER,
        number: 2,
        title: format!("step 2 of LSDxt, a {SIDE}×{SIDE} image, up to 4 corrections"),
        kernels: "step 2",
        published: published(&rows),
        measured: measure(bench, Quality::Fast, Work::Light, |name| name.ends_with(" 2"))?,
    })
}

/// Returns table 3.
pub(crate) fn full_quality(bench: &Bench<'_>) -> Result<TimeTable, BenchError> {
    let mut measured = measure(bench, Quality::Best, Work::Heavy, |_| true)?;
    for row in &mut measured {
        let seconds = row.kernel_ms.unwrap_or(row.whole_ms) / 1e3;
        row.candidates_per_second = Some(f64::from(SIDE * SIDE / 16) * CANDIDATES / seconds);
    }
    let rows = [
        ("Core i3 660", 1_523_000.0),
        ("GTX 560, local memory", 50_800.0),
        ("GTX 560, registers", 30_700.0),
        ("HD 7970, local memory", 16_400.0),
        ("HD 7970, registers", 6_800.0),
    ];
    Ok(TimeTable {
        paper: PAPER,
        number: 3,
        title: format!("a {SIDE}×{SIDE} image by LSDxt at full quality: radius 4 in six components"),
        kernels: "kernels",
        published: published(&rows),
        measured,
    })
}
