//! What a second thread gains: the only thing here that is measured in wall-clock time, and before this
//! thread is pinned.

use super::volume::Sample;
use anyhow::Result;
use brickwork_volume::{Dims, EncodeOptions, Header, Region, VolumeFile, VolumeView, encode};
use std::time::Instant;

/// The speed of two threads as a multiple of that of one.
#[derive(Clone, Copy)]
pub struct Gain {
    pub encode: f64,
    pub decode: f64,
}

/// Encodes and decodes with one and two threads in turn, `round_count` times, and compares the fastest
/// rounds; none if there is one CPU only.
///
/// (Other programs only ever make a round longer. They disturb two threads more often than one, so that the
/// median would measure them, too.)
pub fn measure<T: Sample>(voxels: &[T], dims: Dims, round_count: usize) -> Result<Option<Gain>> {
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        return Ok(None);
    }
    let pool = |count| rayon::ThreadPoolBuilder::new().num_threads(count).build();
    let pools = [pool(1)?, pool(2)?];
    let (header, options) = (Header::new(T::TYPE, dims), EncodeOptions::default());
    let mut files = [Vec::new(), Vec::new()];
    let mut back = vec![T::from_ordinal(1); voxels.len()];
    let mut least = [[f64::INFINITY; 2]; 2];
    for _ in 0..round_count {
        for ((pool, file), least) in pools.iter().zip(&mut files).zip(&mut least) {
            file.clear();
            let start = Instant::now();
            pool.install(|| encode(VolumeView::new(voxels, dims)?, &header, &options, &mut *file))?;
            least[0] = least[0].min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            pool.install(|| VolumeFile::new(file.as_slice())?.read_into(&Region::all(dims), &mut back))?;
            least[1] = least[1].min(start.elapsed().as_secs_f64());
        }
    }
    anyhow::ensure!(files[0] == files[1], "two threads give another file than one");
    let raw: &[u8] = bytemuck::cast_slice(voxels);
    anyhow::ensure!(raw == bytemuck::cast_slice::<T, u8>(&back), "decodes to other voxels");
    let [one, two] = least;
    Ok(Some(Gain { encode: one[0] / two[0], decode: one[1] / two[1] }))
}
