//! Sizes of volumes that are compressed in memory, as on a GPU, compared with whole files: the table
//! "Resident" of docs/measured/volume-sizes.md.
//!
//! `cargo run --release -p brickwork-volume --example resident -- FOLDER [NAME …]`

mod volumes;

use brickwork_volume::{
    BrickSize, BwvOptions, Header, ResidentOptions, ResidentVolume, Task, VolumeFile, VolumeView, Voxel,
    encode, guthe2016::Compressed,
};
use volumes::{Volume, volumes};

fn main() {
    println!("| volume | raw | paper's scheme | file | resident | 8×8×8 |\n|---|---|---|---|---|---|");
    volumes().for_each(|volume| match volume.voxel_type.as_str() {
        "uint8" => measure::<u8>(&volume),
        "uint16" => measure::<u16>(&volume),
        _ => measure::<f32>(&volume),
    });
}

/// Prints bits per voxel.
fn measure<T: Voxel>(volume: &Volume) {
    let Volume { name, dims, kind, bytes, .. } = volume;
    let voxels: Vec<T> = bytemuck::pod_collect_to_vec(bytes);
    let view = VolumeView::new(&voxels, *dims).expect("dims that fit");
    let file_of = |header: &Header| {
        let mut file = Vec::new();
        encode(view, header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
        VolumeFile::new(file).expect("our own file")
    };
    let mut header = Header::new(T::TYPE, *dims).with(|header| header.kind = *kind);
    let file = file_of(&header);
    let resident =
        ResidentVolume::from_file(&file, &ResidentOptions::default(), &Task::new()).expect("our own file");
    header.brick = BrickSize::Eight;
    let options = ResidentOptions::default().with_kept_bricks(true);
    let eight = ResidentVolume::from_file(&file_of(&header), &options, &Task::new()).expect("our own file");
    let paper = Compressed::encode(view, false, &Task::new()).expect("not cancelled");
    let bits_per_voxel = |bytes: u64| 8.0 * bytes as f64 / voxels.len() as f64;
    println!(
        "| {name} | {} | {:.3} | {:.3} | {:.3} | {:.3} |",
        8 * size_of::<T>(),
        bits_per_voxel(paper.payload_bytes() + paper.offset_bytes()),
        bits_per_voxel(file.file_bytes()),
        bits_per_voxel(resident.byte_count() as u64),
        bits_per_voxel(eight.byte_count() as u64),
    );
}
