//! Regions decoded by a GPU, beside the voxels that the file's reader gives.

use super::{GpuReadError, GpuVolume};
use crate::{
    Dims, EncodeOptions, Header, Region, ResidentOptions, ResidentVolume, Selection, VolumeFile, VolumeView,
    Voxel, VoxelKind, encode, with_voxel_type,
};
use brickwork_gpu::{Context, Download, testing::context, wgpu};
use std::{fs, path::Path};

/// Parts of dims: all, the last voxel, and some odd boxes.
fn regions(dims: Dims) -> Vec<Region> {
    let some = |side: usize, from: usize, to: usize| {
        let start = side * from / 8;
        start..(side * to / 8).max(start + 1)
    };
    vec![
        Region::all(dims),
        Region { x: dims.x - 1..dims.x, y: dims.y - 1..dims.y, z: dims.z - 1..dims.z },
        Region { x: some(dims.x, 3, 8), y: some(dims.y, 1, 5), z: some(dims.z, 2, 3) },
        Region { x: some(dims.x, 0, 1), y: some(dims.y, 7, 8), z: 0..dims.z },
    ]
}

/// Compares regions of one component of a file.
fn compare<T: Voxel>(context: &Context, file: &VolumeFile<Vec<u8>>, options: &ResidentOptions, what: &str) {
    let volume = ResidentVolume::from_file(file, options).expect("a sound file");
    // Some in more buffers than are bound at a time.
    let on_gpu = GpuVolume::with_buffers_of(context, &volume, 1 << 20).expect("memory");
    let &ResidentOptions { mip_level, frame, channel, word, .. } = options;
    let selection = Selection { mip_level, frames: Some(frame..frame + 1), channel: Some(channel) };
    for region in regions(volume.dims()) {
        let expected: Vec<T> = file.read_selected(&selection, &region).expect("a sound file");
        let found = on_gpu.read_ordinals(&region).expect("decoded");
        assert_eq!(found.len(), expected.len());
        for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(*found, expected.word(word), "{what}, {options:?}, {region}, voxel {i}");
        }
        let typed = on_gpu.read::<T>(&region);
        if T::TYPE.word_count() > 1 {
            assert!(matches!(typed, Err(GpuReadError::Type { .. })));
        } else {
            let typed = typed.expect("decoded");
            let bytes: [&[u8]; 2] = [bytemuck::cast_slice(&typed), bytemuck::cast_slice(&expected)];
            assert!(bytes[0] == bytes[1], "{what}, {options:?}, {region}");
        }
    }
}

fn compare_file(context: &Context, file: &VolumeFile<Vec<u8>>, what: &str) {
    let header = file.header();
    for mip_level in 0..header.mip_levels {
        for channel in 0..header.channels {
            for word in 0..header.voxel_type.word_count() {
                let frame = header.frames - 1;
                let options = ResidentOptions {
                    mip_level,
                    frame,
                    channel,
                    word,
                    page_bytes: 100_000,
                    ..Default::default()
                };
                with_voxel_type!(header.voxel_type, T => compare::<T>(context, file, &options, what));
            }
        }
    }
}

#[test]
fn files_of_test_data_are_decoded_as_by_the_cpu() {
    let Some(context) = context() else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/bwv");
    for entry in fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let bytes = fs::read(&path).expect("a file");
        compare_file(&context, &VolumeFile::new(bytes).expect("a sound file"), &path.display().to_string());
    }
}

/// The volumes of a folder, `NAME.bwv`: `BRICKWORK_VOLUMES=FOLDER cargo test …`.
#[test]
fn volumes_of_a_folder_are_decoded_as_by_the_cpu() {
    let (Some(folder), Some(context)) = (std::env::var_os("BRICKWORK_VOLUMES"), context()) else { return };
    for entry in fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "bwv") {
            let file = VolumeFile::new(fs::read(&path).expect("a file")).expect("a sound file");
            let options = ResidentOptions { page_bytes: 16 << 20, ..Default::default() };
            let name = path.display().to_string();
            with_voxel_type!(file.header().voxel_type, T => compare::<T>(&context, &file, &options, &name));
        }
    }
}

#[test]
fn odd_sides_tables_and_many_pages() {
    let Some(context) = context() else { return };
    let mut random = 7u32;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        random
    };
    // The largest has seven pages of 1 MiB.
    for dims in [Dims::cube(1), Dims::new(5, 7, 33), Dims::new(201, 101, 97), Dims::new(200, 3, 1)] {
        let noise: Vec<f32> =
            (0..dims.voxel_count().expect("voxels")).map(|_| f32::from_bits(next())).collect();
        let few: Vec<f32> = noise.iter().map(|noise| (noise.to_bits() % 7) as f32 - 3.5).collect();
        for voxels in [&noise, &few] {
            let view = VolumeView::new(voxels, dims).expect("voxels");
            let mut bytes = Vec::new();
            let header = Header::new(f32::TYPE, dims);
            encode(view, &header, &EncodeOptions::default(), &mut bytes).expect("memory");
            let file = VolumeFile::new(bytes).expect("our own file");
            let options = ResidentOptions { page_bytes: 100_000, ..Default::default() };
            compare::<f32>(&context, &file, &options, &dims.to_string());
        }
    }
}

#[test]
fn a_region_becomes_a_3d_texture() {
    let Some(context) = context() else { return };
    let dims = Dims::new(37, 21, 11);
    let voxels: Vec<u16> = (0..dims.voxel_count().expect("voxels")).map(|i| (i * 37 % 5003) as u16).collect();
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    let volume = ResidentVolume::from_voxels(view, VoxelKind::Intensity, &ResidentOptions::default());
    let volume = GpuVolume::new(&context, &volume.expect("memory")).expect("memory");
    let region = Region { x: 5..36, y: 2..21, z: 3..10 };
    let decoded = volume.decode(&region).expect("decoded");
    let texture = decoded.to_texture().expect("a texture");
    // Back, in rows of 256 bytes.
    let (row, size) = (256, region.dims());
    let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
    let buffer = context.buffer("back", (row * size.y * size.z) as u64, usage).expect("memory");
    let target = wgpu::TexelCopyBufferInfo {
        buffer: &buffer,
        layout: wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(row as u32),
            rows_per_image: Some(size.y as u32),
        },
    };
    let mut commands = context.device().create_command_encoder(&Default::default());
    commands.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
    context.queue().submit([commands.finish()]);
    let back = Download::new(&context, &buffer, 0..buffer.size()).expect("a copy").wait(&context);
    let back: Vec<u16> = bytemuck::pod_collect_to_vec(&back.expect("a copy"));
    for z in 0..size.z {
        for y in 0..size.y {
            for x in 0..size.x {
                let expected = voxels[dims.index(5 + x, 2 + y, 3 + z)];
                assert_eq!(back[row / 2 * (y + size.y * z) + x], expected, "{x} {y} {z}");
            }
        }
    }
    assert!(matches!(volume.decode(&Region { x: 0..38, ..region }), Err(GpuReadError::Shape(_))));
}

/// Bytes that no encoder writes decode to anything, but nothing is read or written elsewhere, nothing hangs,
/// and the device stays. `BRICKWORK_FORGED=N` tries more of them.
#[test]
fn damaged_bricks_are_decoded_to_something() {
    let Some(context) = context() else { return };
    let rounds = std::env::var("BRICKWORK_FORGED").ok().and_then(|n| n.parse().ok()).unwrap_or(60u32);
    let dims = Dims::new(40, 33, 35);
    let mut random = 99u32;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        random
    };
    let count = dims.voxel_count().expect("voxels");
    let (mut same, mut all) = (0, 0);
    for round in 0..rounds {
        let noise = next() >> (round % 32);
        let voxels: Vec<u32> = (0..count as u32).map(|i| (i * i / 7).wrapping_add(next() & noise)).collect();
        let view = VolumeView::new(&voxels, dims).expect("voxels");
        let made = ResidentVolume::from_voxels(view, VoxelKind::Intensity, &ResidentOptions::default());
        let mut volume = made.expect("memory");
        // Most rounds spare the fields, of which nothing in a file decides; the others spare nothing.
        for _ in 0..1 + next() % 300 {
            volume.damage(next(), next() as u8, round % 4 == 3);
        }
        let on_gpu = GpuVolume::new(&context, &volume).expect("memory");
        let found = on_gpu.read_ordinals(&Region::all(dims)).expect("decoded");
        let bricks = volume.bricks();
        for i in 0..bricks.voxel_count().expect("bricks") {
            let (x, y, z) = bricks.position(i);
            let mut ordinals = [0; 64];
            volume.read_brick([x, y, z], &mut ordinals);
            all += 1;
            same += u32::from(ordinals[0] == found[dims.index(4 * x, 4 * y, 4 * z)]);
        }
    }
    println!("{same} of {all} bricks start alike");
    // Most bricks were spared.
    assert!(same * 2 > all);
}
