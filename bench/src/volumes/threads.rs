//! The gain of a second thread. Only this is measured in wall-clock time, and before this thread is pinned.

use super::{random_access::places, volume::Sample};
use anyhow::Result;
use brickwork_volume::{
    BrickAddress, BrickCache, BwvOptions, Dims, Header, Region, Task, VolumeFile, VolumeReadError,
    VolumeView, encode,
};
use std::{hint::black_box, thread, time::Instant};

/// The speed of two threads as a multiple of that of one.
#[derive(Clone, Copy)]
pub struct Gain {
    pub encode: f64,
    pub decode: f64,
    /// Rate of reading bricks at random from one `BrickCache`.
    pub cached: f64,
}

/// Encodes and decodes with one and two threads in turn, `round_count` times, and compares the fastest
/// rounds; none if there is one CPU only.
///
/// Other programs only make a round longer. They disturb two threads more often than one, so that the median
/// would also measure them.
pub fn measure<T: Sample>(voxels: &[T], dims: Dims, round_count: usize) -> Result<Option<Gain>> {
    if thread::available_parallelism().map_or(1, usize::from) < 2 {
        return Ok(None);
    }
    let pool = |count| rayon::ThreadPoolBuilder::new().num_threads(count).build();
    let pools = [pool(1)?, pool(2)?];
    let (header, options) = (Header::new(T::TYPE, dims), BwvOptions::default());
    let mut files = [Vec::new(), Vec::new()];
    let mut back = vec![T::from_ordinal(1); voxels.len()];
    let mut least = [[f64::INFINITY; 2]; 2];
    for _ in 0..round_count {
        for ((pool, file), least) in pools.iter().zip(&mut files).zip(&mut least) {
            file.clear();
            let start = Instant::now();
            pool.install(|| {
                encode(VolumeView::new(voxels, dims)?, &header, &options, &mut *file, &Task::new())
            })?;
            least[0] = least[0].min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            pool.install(|| {
                VolumeFile::new(file.as_slice())?.read_into(&Region::all(dims), &mut back, &Task::new())
            })?;
            least[1] = least[1].min(start.elapsed().as_secs_f64());
        }
    }
    anyhow::ensure!(files[0] == files[1], "two threads give another file than one");
    let raw: &[u8] = bytemuck::cast_slice(voxels);
    anyhow::ensure!(raw == bytemuck::cast_slice::<T, u8>(&back), "decodes to other voxels");
    let [one, two] = least;
    let [file, _] = files;
    let cached = cached::<T>(file, dims, round_count)?;
    Ok(Some(Gain { encode: one[0] / two[0], decode: one[1] / two[1], cached }))
}

/// Returns the speed of two threads that read bricks at random from one cache.
fn cached<T: Sample>(file: Vec<u8>, dims: Dims, round_count: usize) -> Result<f64> {
    let cache = BrickCache::new(VolumeFile::new(file)?, usize::MAX);
    let bricks: Vec<_> =
        places(dims).into_iter().map(|(x, y, z)| BrickAddress::at(x / 4, y / 4, z / 4)).collect();
    let backwards: Vec<_> = bricks.iter().rev().copied().collect();
    let read = |bricks: &[BrickAddress]| -> Result<(), VolumeReadError> {
        let mut voxels = [T::from_ordinal(1); 64];
        for &brick in bricks {
            cache.read_brick(brick, &mut voxels)?;
            black_box(&voxels);
        }
        Ok(())
    };
    // Every chunk is verified once.
    read(&bricks)?;
    let mut least = [f64::INFINITY; 2];
    for _ in 0..round_count {
        let start = Instant::now();
        read(&bricks)?;
        least[0] = least[0].min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        thread::scope(|scope| {
            let other = scope.spawn(|| read(&backwards));
            read(&bricks).and(other.join().expect("no panic"))
        })?;
        least[1] = least[1].min(start.elapsed().as_secs_f64());
    }
    Ok(2.0 * least[0] / least[1])
}
