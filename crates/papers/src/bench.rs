//! `brickwork bench papers`: the tables of the documents, and the corresponding measurements.
//!
//! Each document's tables are in its folder. `measure` has what they share.

pub use crate::guthe2016::Source;
pub use crate::measure::{
    Bench, BenchCpu, BenchError, BenchGpu, BenchPapersReport, BricksFigures, Guthe2016Figures,
    PictureFigures, PictureTable, PublishedPicture, PublishedSize, PublishedTime, SizeFigures, SizeTable,
    Text, TimeFigures, TimeTable,
};

use crate::measure::SIDE;
use crate::{cuda, guthe2016, lsdxt, opencl};
use brickwork_volume::{Progress, Stage, Task};
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of measurements reported besides those of volumes.
const STEPS: u64 = 4;

/// Measures all tables. Progress counts measurements.
///
/// # Errors
/// [`BenchError`] if the GPU fails, or a volume cannot be read.
pub fn report<E: From<BenchError>>(
    bench: &Bench<'_>,
    volumes: &[Source<'_, E>],
    task: &Task<'_>,
) -> Result<BenchPapersReport, E> {
    let all = STEPS + volumes.len() as u64;
    let tables = tables(bench, &|done| task.report(Stage::Encoding, done, all))?;
    let rest = |progress: Progress| task.report(Stage::Rendering, STEPS + progress.done, all);
    Ok(BenchPapersReport { tables, ..of_volumes(bench, volumes, &task.with_progress(&rest))? })
}

/// Measures only the tables of volumes.
///
/// # Errors
/// [`BenchError`] if a volume cannot be read, or the GPU fails.
pub fn of_volumes<E: From<BenchError>>(
    bench: &Bench<'_>,
    volumes: &[Source<'_, E>],
    task: &Task<'_>,
) -> Result<BenchPapersReport, E> {
    let done = AtomicU64::new(0);
    let step =
        || task.report(Stage::Rendering, done.fetch_add(1, Ordering::Relaxed) + 1, volumes.len() as u64);
    let (volumes, pictures) = guthe2016::tables(bench, volumes, &step)?;
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
fn tables(bench: &Bench<'_>, step: &dyn Fn(u64)) -> Result<Vec<TimeTable>, BenchError> {
    step(0);
    let qualities = cuda::qualities(bench)?;
    step(1);
    let variants = cuda::threads(bench)?;
    step(2);
    let refinement = lsdxt::refinement(bench)?;
    step(3);
    let full = lsdxt::full_quality(bench)?;
    step(STEPS);
    let [cuda_qualities, cuda_threads] = cuda::tables(&qualities, &variants);
    let [opencl_qualities, opencl_threads] = opencl::tables(&qualities, &variants);
    Ok(vec![cuda_qualities, cuda_threads, opencl_qualities, opencl_threads, refinement, full])
}
