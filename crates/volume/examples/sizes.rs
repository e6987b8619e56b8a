//! Sizes of volumes as whole files, beside the paper's scheme and Zstandard: the table of
//! docs/volume-quality.md.
//!
//! `cargo run --release -p brickwork-volume --example sizes -- FOLDER [NAME …]`

mod volumes;

use brickwork_volume::{
    BrickSize, EncodeOptions, Header, Region, VolumeFile, VolumeView, Voxel, encode, guthe2016::Compressed,
};
use volumes::{Volume, volumes};

fn main() {
    println!(
        "| volume | paper's scheme (payload) | second level | 4³ | 8³ | zstd -19 |\n|---|---|---|---|---|---|"
    );
    for volume in volumes() {
        match volume.voxel_type.as_str() {
            "uint8" => measure::<u8>(&volume),
            "uint16" => measure::<u16>(&volume),
            _ => measure::<f32>(&volume),
        }
    }
}

fn measure<T: Voxel>(volume: &Volume) {
    let Volume { name, dims, bytes, .. } = volume;
    let voxels: Vec<T> = bytemuck::pod_collect_to_vec(bytes);
    let view = VolumeView::new(&voxels, *dims).expect("dims that fit");
    let bpv = |bytes: u64| 8.0 * bytes as f64 / voxels.len() as f64;
    let same = |back: &[T]| assert!(bytemuck::cast_slice::<T, u8>(back) == bytes.as_slice(), "{name}");
    let [one, two] = [false, true].map(|second_level| Compressed::encode(view, second_level));
    same(&two.decode::<T>().expect("our own bytes"));
    let [four, eight] = [BrickSize::Four, BrickSize::Eight].map(|brick| {
        let header = Header { brick, ..Header::new(T::TYPE, *dims) };
        let mut file = Vec::new();
        encode(view, &header, &EncodeOptions::default(), &mut file).expect("memory");
        let file = VolumeFile::new(file).expect("our own file");
        same(&file.read::<T>(&Region::all(*dims)).expect("our own file"));
        bpv(file.file_bytes())
    });
    println!(
        "| {name} | {:.3} ({:.3}) | {:.3} | {four:.3} | {eight:.3} | {:.3} |",
        bpv(one.payload_bytes() + one.offset_bytes()),
        bpv(one.payload_bytes()),
        bpv(two.payload_bytes() + two.offset_bytes()),
        bpv(zstd::bulk::compress(bytes, 19).expect("zstd").len() as u64),
    );
}
