//! BC1 of one Kodak image: encoding at each quality and decoding, in texels per second, on one thread.

use brickwork_texture::{
    BlockFormat, CpuEncoder, EncodeOptions, ImageView, ImageViewMut, Quality, RoundingRule, Task, decode_into,
};
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use std::{hint::black_box, num::NonZeroUsize};

fn bc1(criterion: &mut Criterion) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../test-data/kodak/kodim01.png");
    let image = image::open(path).expect("a Kodak image").into_rgba8();
    let (width, height) = image.dimensions();
    let mut texels: Vec<[u8; 4]> = image.pixels().map(|pixel| pixel.0).collect();
    let view = ImageView::new(&texels, width, height).expect("as many texels as the image has");
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(width, height) as usize];
    let encoder = CpuEncoder::new().with_threads(NonZeroUsize::MIN);

    let mut group = criterion.benchmark_group("bc1/encode");
    group.throughput(Throughput::Elements(u64::from(width) * u64::from(height)));
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    for &quality in Quality::ALL {
        let options = EncodeOptions::default().with(|o| o.quality = quality);
        group.bench_function(BenchmarkId::from_parameter(quality.name()), |bencher| {
            bencher.iter(|| {
                encoder.encode_into(black_box(&view), BlockFormat::Bc1, &options, &mut blocks, &Task::new())
            });
        });
    }
    group.finish();

    // The decoder has no thread setting: it uses this pool of one thread.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let mut group = criterion.benchmark_group("bc1/decode");
    let mut image =
        ImageViewMut::new(&mut texels[..], width, height).expect("as many texels as the image has");
    group.throughput(Throughput::Elements(u64::from(width) * u64::from(height)));
    group.bench_function("exact", |bencher| {
        pool.install(|| {
            bencher.iter(|| {
                let blocks = black_box(&blocks);
                decode_into(BlockFormat::Bc1, blocks, RoundingRule::Exact, &mut image, &Task::new())
            });
        });
    });
    group.finish();
}

criterion_group!(benches, bc1);
criterion_main!(benches);
