//! Speed compared with Zstandard's in the same run, on one thread unless RAYON_NUM_THREADS sets more.
//!
//! `cargo run --release -p brickwork-volume --example speed -- FOLDER [NAME …]`

mod volumes;

use brickwork_volume::{BrickSize, BwvOptions, Header, Region, Task, VolumeFile, VolumeView, Voxel, encode};
use std::time::Instant;
use volumes::{Volume, volumes};

/// Returns the shortest of several times, in seconds.
fn least(count: usize, mut work: impl FnMut()) -> f64 {
    let times = (0..count).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

fn main() {
    let threads = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("threads");
    println!("MB/s, {threads} thread(s); in brackets the ratio to zstd -9 (encode) and zstd -3 (decode)");
    for volume in volumes() {
        match volume.voxel_type.as_str() {
            "uint8" => measure::<u8>(&volume),
            "uint16" => measure::<u16>(&volume),
            _ => measure::<f32>(&volume),
        }
    }
}

fn measure<T: Voxel>(volume: &Volume) {
    let Volume { name, dims, kind, bytes, .. } = volume;
    let mb = bytes.len() as f64 / 1e6;
    let voxels: Vec<T> = bytemuck::pod_collect_to_vec(bytes);
    let three = zstd::bulk::compress(bytes, 3).expect("zstd");
    let mut back = vec![0; bytes.len()];
    let rounds = if mb > 100.0 { 5 } else { 9 };
    let peer_decode = mb
        / least(rounds, || {
            zstd::bulk::decompress_to_buffer(&three, &mut back).expect("zstd");
        });
    let peer_encode = mb / least(1, || drop(zstd::bulk::compress(bytes, 9).expect("zstd")));
    print!("{name}: zstd -9 {peer_encode:.0}, zstd -3 decompress {peer_decode:.0}");
    for &brick in BrickSize::ALL {
        let header = Header::new(T::TYPE, *dims).with(|header| {
            (header.brick, header.kind) = (brick, *kind);
        });
        let view = VolumeView::new(&voxels, *dims).expect("dims that fit");
        let mut file = Vec::new();
        let ours = mb
            / least(2, || {
                file.clear();
                encode(view, &header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
            });
        let file = VolumeFile::new(file).expect("our own file");
        let mut out = vec![T::zeroed(); voxels.len()];
        let whole = Region::all(*dims);
        let decode =
            mb / least(rounds, || file.read_into(&whole, &mut out, &Task::new()).expect("our own file"));
        assert!(bytemuck::cast_slice::<T, u8>(&out) == bytes.as_slice());
        print!(
            "; {0} encode {ours:.0} ({1:.2}), decode {decode:.0} ({2:.2})",
            brick,
            ours / peer_encode,
            decode / peer_decode
        );
    }
    println!();
}
