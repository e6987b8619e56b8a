//! Sizes of volumes as whole files, compared with the paper's scheme and Zstandard, and of parts with odd
//! sides: the tables of docs/measured/volume-sizes.md.
//!
//! `cargo run --release -p brickwork-volume --example sizes -- FOLDER [NAME …]`

mod volumes;

use brickwork_volume::{
    BrickSize, BwvOptions, Dims, Header, Region, Task, VolumeFile, VolumeView, Voxel, VoxelKind, encode,
    guthe2016::Compressed,
};
use volumes::{Volume, volumes};

fn main() {
    println!("| volume | paper's scheme (payload) | second level | 4³ | 8³ | zstd -19 |");
    println!("|---|---|---|---|---|---|");
    for_each(|volume| match volume.voxel_type.as_str() {
        "uint8" => measure::<u8>(volume),
        "uint16" => measure::<u16>(volume),
        _ => measure::<f32>(volume),
    });
    println!("\n| part | voxels | raw | 4³ | 8³ | 16×16×1 |\n|---|---|---|---|---|---|");
    for_each(|volume| match volume.voxel_type.as_str() {
        "uint8" => measure_parts::<u8>(volume),
        "uint16" => measure_parts::<u16>(volume),
        _ => measure_parts::<f32>(volume),
    });
}

fn for_each(measure: impl Fn(&Volume)) {
    volumes().for_each(|volume| measure(&volume));
}

/// Measures parts with odd sides.
fn measure_parts<T: Voxel>(volume: &Volume) {
    let Volume { name, dims: Dims { x, y, z }, bytes, .. } = volume;
    let voxels: Vec<T> = bytemuck::pod_collect_to_vec(bytes);
    let view = VolumeView::new(&voxels, volume.dims).expect("dims that fit");
    let middle = z / 2;
    let slab = middle.saturating_sub(16)..(middle + 17).min(*z);
    for (what, part) in [
        ("one less along each axis", Region { x: 0..x - 1, y: 0..y - 1, z: 0..(z - 1).max(1) }),
        ("the middle slice", Region { x: 0..*x, y: 0..*y, z: middle..middle + 1 }),
        ("33 slices", Region { x: 0..*x, y: 0..*y, z: slab }),
    ] {
        let part_dims = part.dims();
        let mut cut = Vec::with_capacity(part_dims.voxel_count().expect("voxels"));
        for z in part.z.clone() {
            for y in part.y.clone() {
                let row = volume.dims.index(0, y, z);
                cut.extend_from_slice(&view.voxels()[row..][part.x.clone()]);
            }
        }
        let size_of_each = |brick: &BrickSize| format!("{:.3}", size(&cut, part_dims, *brick, volume.kind));
        let sizes: Vec<_> = BrickSize::ALL.iter().map(size_of_each).collect();
        println!("| {name}, {what} | {part_dims} | {} | {} |", 8 * size_of::<T>(), sizes.join(" | "));
    }
}

/// Returns the bits per voxel of a file, after reading it back.
fn size<T: Voxel>(voxels: &[T], dims: Dims, brick: BrickSize, kind: VoxelKind) -> f64 {
    let header = Header::new(T::TYPE, dims).with(|header| (header.brick, header.kind) = (brick, kind));
    let mut file = Vec::new();
    let view = VolumeView::new(voxels, dims).expect("dims that fit");
    encode(view, &header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
    let file = VolumeFile::new(file).expect("our own file");
    let back = file.read::<T>(&Region::all(dims), &Task::new()).expect("our own file");
    assert!(bytemuck::cast_slice::<T, u8>(&back) == bytemuck::cast_slice::<T, u8>(voxels));
    8.0 * file.file_bytes() as f64 / voxels.len() as f64
}

fn measure<T: Voxel>(volume: &Volume) {
    let Volume { name, dims, bytes, .. } = volume;
    let voxels: Vec<T> = bytemuck::pod_collect_to_vec(bytes);
    let view = VolumeView::new(&voxels, *dims).expect("dims that fit");
    let bpv = |bytes: u64| 8.0 * bytes as f64 / voxels.len() as f64;
    let [one, two] = [false, true]
        .map(|second_level| Compressed::encode(view, second_level, &Task::new()).expect("not cancelled"));
    let [four, eight] =
        [BrickSize::Four, BrickSize::Eight].map(|brick| size(&voxels, *dims, brick, volume.kind));
    println!(
        "| {name} | {:.3} ({:.3}) | {:.3} | {four:.3} | {eight:.3} | {:.3} |",
        bpv(one.payload_bytes() + one.offset_bytes()),
        bpv(one.payload_bytes()),
        bpv(two.payload_bytes() + two.offset_bytes()),
        bpv(zstd::bulk::compress(bytes, 19).expect("zstd").len() as u64),
    );
}
