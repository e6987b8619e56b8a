//! Bits per voxel of every volume in a folder (`NAME.raw` beside `NAME.json`, or the folder of `.raw.zst`).
//!
//! `cargo run --release -p brickwork-volume --example sizes -- FOLDER [NAME …]`

use brickwork_volume::{
    BrickSize, Dims, EncodeOptions, Header, Region, VolumeFile, VolumeView, Voxel, encode, guthe2016,
};
use std::{env, fs, path::Path, time::Instant};

fn main() {
    let mut arguments = env::args().skip(1);
    let folder = arguments.next().expect("a folder");
    let wanted: Vec<String> = arguments.collect();
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("a folder")
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".json")?.to_owned()))
        .filter(|name| wanted.is_empty() || wanted.contains(name))
        .collect();
    names.sort();
    for name in names {
        let path = Path::new(&folder).join(&name);
        let json = fs::read(path.with_extension("json")).expect("a sidecar");
        let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
        let side = |i: usize| json["dims_xyz"][i].as_u64().expect("dims") as usize;
        let dims = Dims::new(side(0), side(1), side(2));
        let packed = fs::File::open(path.with_extension("raw.zst")).expect("the volume");
        let bytes = zstd::decode_all(packed).expect("zstd");
        match json["dtype"].as_str().expect("a type") {
            "uint8" => measure::<u8>(&name, &bytes, dims),
            "uint16" => measure::<u16>(&name, &bytes, dims),
            "float32" => measure::<f32>(&name, &bytes, dims),
            other => println!("{name}: {other} is not measured"),
        }
    }
}

fn measure<T: Voxel>(name: &str, bytes: &[u8], dims: Dims) {
    let voxels: Vec<T> = bytemuck::pod_collect_to_vec(bytes);
    let volume = VolumeView::new(&voxels, dims).expect("dims that fit");
    let bpv = |bytes: u64| 8.0 * bytes as f64 / voxels.len() as f64;
    let mut sizes = Vec::new();
    for brick in [BrickSize::Four, BrickSize::Eight] {
        let header = Header { brick, ..Header::new(T::TYPE, dims) };
        let mut file = Vec::new();
        let start = Instant::now();
        encode(volume, &header, &EncodeOptions::default(), &mut file).expect("memory");
        let encoding = start.elapsed();
        let file_bytes = file.len() as u64;
        let file = VolumeFile::new(file).expect("our own file");
        let start = Instant::now();
        let back = file.read::<T>(&Region::all(dims)).expect("our own file");
        let decoding = start.elapsed();
        assert!(bytemuck::cast_slice::<T, u8>(&back) == bytes, "{name} came back different");
        let speed = |time: std::time::Duration| bytes.len() as f64 / 1e6 / time.as_secs_f64();
        sizes.push(format!("{:.4} ({:.0}/{:.0} MB/s)", bpv(file_bytes), speed(encoding), speed(decoding)));
    }
    println!("{name}: 4³ {}, 8³ {}", sizes[0], sizes[1]);
    if env::var_os("GUTHE").is_none() {
        return;
    }
    let start = Instant::now();
    let plain = guthe2016::Compressed::encode(volume, false);
    let encoding = start.elapsed();
    let start = Instant::now();
    let back = plain.decode::<T>().expect("what was just written");
    let decoding = start.elapsed();
    assert!(bytemuck::cast_slice::<T, u8>(&back) == bytes, "{name} came back different");
    let two = guthe2016::Compressed::encode(volume, true);
    let s = plain.statistics();
    let share = |count: u64| 100.0 * count as f64 / s.bricks as f64;
    println!(
        "{name} guthe2016 {:.3} ({:.3}) second level {:.3}; constant {:.1} % transforms {:.1?} duplicate {:.1} %; {:.0}/{:.0} MB/s",
        bpv(plain.payload_bytes() + plain.offset_bytes()),
        bpv(plain.payload_bytes()),
        bpv(two.payload_bytes() + two.offset_bytes()),
        share(s.constant),
        s.transforms.map(share),
        share(s.duplicate),
        bytes.len() as f64 / 1e6 / encoding.as_secs_f64(),
        bytes.len() as f64 / 1e6 / decoding.as_secs_f64(),
    );
}
