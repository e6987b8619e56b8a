//! Voxels in memory as resident bricks: the fast and the full encoder, in voxels per second on one thread.
//! The last lines are the bytes of both, and their ratio.

use brickwork_volume::{
    BrickEffort, Dims, ResidentOptions, ResidentVolume, Task, Threads, VolumeView, Voxel, VoxelKind,
};
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const DIMS: Dims = Dims::cube(128);

/// Returns noisy shells around the middle, with values up to `range`.
fn shells(range: f64, noise: f64) -> impl Iterator<Item = f64> {
    let mut random = 1u32;
    (0..DIMS.x * DIMS.y * DIMS.z).map(move |i| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (x, y, z) = DIMS.position(i);
        let square = |place: usize| (place as f64 / 64.0 - 1.0).powi(2);
        let shell = 0.5 + 0.4 * (9.0 * (square(x) + square(y) + square(z)).sqrt()).sin();
        (shell + noise * (f64::from(random >> 8) / f64::from(1 << 24) - 0.5)) * range
    })
}

fn resident<T: Voxel>(criterion: &mut Criterion, name: &str, kind: VoxelKind, voxels: &[T]) {
    let view = VolumeView::new(voxels, DIMS).expect("as many voxels as the sides have");
    let task = Task::new().with_threads(Threads::Calling);
    let encode = |effort: BrickEffort| {
        let options = ResidentOptions::default().with_effort(effort);
        ResidentVolume::from_voxels(black_box(view), kind, &options, &task).expect("memory")
    };
    let mut group = criterion.benchmark_group(format!("resident/{name}"));
    group.throughput(Throughput::Elements(voxels.len() as u64));
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    for effort in [BrickEffort::Fast, BrickEffort::Full] {
        let id = BenchmarkId::from_parameter(format!("{effort:?}").to_lowercase());
        group.bench_function(id, |bencher| bencher.iter(|| encode(effort)));
    }
    group.finish();
    let [fast, full] = [BrickEffort::Fast, BrickEffort::Full].map(|effort| encode(effort).byte_count());
    println!("resident/{name}: {fast} and {full} bytes, × {:.2}\n", fast as f64 / full as f64);
}

fn all(criterion: &mut Criterion) {
    let scan: Vec<u16> = shells(3000.0, 0.04).map(|value| value as u16).collect();
    resident(criterion, "scan-u16", VoxelKind::Intensity, &scan);
    let bytes: Vec<u8> = shells(250.0, 0.02).map(|value| value as u8).collect();
    resident(criterion, "scan-u8", VoxelKind::Intensity, &bytes);
    let floats: Vec<f32> = shells(1.0, 0.01).map(|value| value as f32).collect();
    resident(criterion, "scan-f32", VoxelKind::Intensity, &floats);
    let labels: Vec<u32> = shells(8.0, 0.0).map(|value| 1000 * (value as u32)).collect();
    resident(criterion, "labels-u32", VoxelKind::Labels, &labels);
}

criterion_group!(benches, all);
criterion_main!(benches);
