//! Regions decoded by a GPU, compared with the voxels from the file's reader.

use super::{GpuVolume, GpuVolumeError, RegionRead};
use crate::{
    BrickSize, BwvOptions, CancelToken, Dims, ErrorKind, Header, Profile, Progress, Region, ResidentOptions,
    ResidentVolume, Selection, Task, VolumeFile, VolumeView, VolumeWriter, Voxel, VoxelKind, VoxelType,
    encode, with_voxel_type,
};
use brickwork_base::testing::does_not_start;
use brickwork_gpu::{Context, Download, testing::context, wgpu};
use std::{fs, path::Path, sync::Mutex};

/// Returns parts of the dims: all voxels, the last voxel, and some odd boxes.
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
    let volume = ResidentVolume::from_file(file, options, &Task::new()).expect("a sound file");
    // Some in more buffers than are bound at a time.
    let on_gpu = GpuVolume::with_buffers_of(context, &volume, 1 << 20, &Task::new()).expect("memory");
    let &ResidentOptions { mip_level, frame, channel, .. } = options;
    let selection = Selection { mip_level, frames: Some(frame..frame + 1), channel: Some(channel) };
    for region in regions(volume.dims()) {
        let expected: Vec<T> = file.read_selected(&selection, &region, &Task::new()).expect("a sound file");
        let found = on_gpu.read_ordinals(&region, &Task::new()).expect("decoded");
        assert_eq!(found.len(), expected.len());
        for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(*found, expected.word(0), "{what}, {options:?}, {region}, voxel {i}");
        }
        let by_cpu = volume.read::<T>(&region, &Task::new()).expect("decoded");
        assert!(bytemuck::cast_slice::<T, u8>(&by_cpu) == bytemuck::cast_slice::<T, u8>(&expected));
        let typed = on_gpu.read::<T>(&region, &Task::new()).expect("decoded");
        let bytes: [&[u8]; 2] = [bytemuck::cast_slice(&typed), bytemuck::cast_slice(&expected)];
        assert!(bytes[0] == bytes[1], "{what}, {options:?}, {region}");
    }
}

fn compare_file(context: &Context, file: &VolumeFile<Vec<u8>>, what: &str) {
    let header = file.header();
    for mip_level in 0..header.mip_levels {
        for channel in 0..header.channels {
            for keep_bricks in [false, true] {
                let (frame, page_bytes) = (header.frames - 1, 100_000);
                let some = ResidentOptions { mip_level, frame, channel, ..Default::default() };
                let options = ResidentOptions { page_bytes, ..some }.with_kept_bricks(keep_bricks);
                with_voxel_type!(header.voxel_type, T => compare::<T>(context, file, &options, what));
            }
        }
    }
}

/// Returns the headers of files of all sizes of bricks and profiles.
fn codings(voxel_type: VoxelType, dims: Dims) -> Vec<Header> {
    let header = Header::new(voxel_type, dims);
    let sizes = BrickSize::ALL.iter().map(|&brick| Header { brick, ..header.clone() });
    let papers = [false, true].map(|second_level| Profile::Guthe2016 { second_level });
    sizes.chain(papers.map(|profile| Header { profile, ..header.clone() })).collect()
}

/// Returns the name of bricks in messages.
fn name(header: &Header) -> String {
    format!("{} {}, {:?}, {}", header.voxel_type, header.dims, header.profile, header.brick)
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

/// Decodes the volumes of a folder, `NAME.raw.zst` beside `NAME.json`: `BRICKWORK_VOLUMES=FOLDER cargo test
/// …`. `BRICKWORK_VOLUME=NAME` selects one of them.
#[test]
fn volumes_of_a_folder_are_decoded_as_by_the_cpu() {
    let (Some(folder), Some(context)) = (std::env::var_os("BRICKWORK_VOLUMES"), context()) else { return };
    let one = std::env::var("BRICKWORK_VOLUME").ok();
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        let is_wanted = one.as_ref().is_none_or(|one| *one == stem);
        if !is_wanted || path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let json: serde_json::Value =
            serde_json::from_slice(&fs::read(&path).expect("a sidecar")).expect("JSON");
        let side = |i: usize| json["dims_xyz"][i].as_u64().expect("dims") as usize;
        let packed = fs::File::open(path.with_extension("raw.zst")).expect("the volume");
        let bytes = zstd::decode_all(packed).expect("zstd");
        let dims = Dims::new(side(0), side(1), side(2));
        match json["dtype"].as_str().expect("a type") {
            "uint8" => compare_whole::<u8>(&context, &stem, &bytes, dims),
            "uint16" => compare_whole::<u16>(&context, &stem, &bytes, dims),
            "float32" => compare_whole::<f32>(&context, &stem, &bytes, dims),
            other => panic!("{stem}: {other}"),
        }
        count += 1;
    }
    assert!(count > 0, "no volume");
}

/// Compares all of a volume in every coding with its voxels.
fn compare_whole<T: Voxel>(context: &Context, volume: &str, bytes: &[u8], dims: Dims) {
    let voxels: Vec<T> = bytemuck::pod_collect_to_vec(bytes);
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    for header in codings(T::TYPE, dims) {
        let mut file = Vec::new();
        encode(view, &header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
        let file = VolumeFile::new(file).expect("our own file");
        let options = ResidentOptions::default().with(|o| o.page_bytes = 16 << 20).with_kept_bricks(true);
        let resident = ResidentVolume::from_file(&file, &options, &Task::new()).expect("our own file");
        let on_gpu = GpuVolume::new(context, &resident, &Task::new()).expect("memory");
        let found = on_gpu.read::<T>(&Region::all(dims), &Task::new()).expect("decoded");
        let found: &[u8] = bytemuck::cast_slice(&found);
        let first = found.iter().zip(bytes).position(|(found, expected)| found != expected);
        assert_eq!((found.len(), first), (bytes.len(), None), "{volume}, {}", name(&header));
        println!("{volume}, {}: {} bytes", name(&header), on_gpu.byte_count());
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
            compare_voxels(&context, voxels, dims);
        }
    }
}

#[test]
fn each_slab_has_its_own_rank_table() {
    let Some(context) = context() else { return };
    let dims = Dims::new(21, 30, 150);
    // Seven values in the first slices, seven others in the next, and likewise to the end.
    let value = |i: usize| (i * i % 7) as f32 * 1.25 + (i / (21 * 30 * 50)) as f32 * 0.5;
    let voxels: Vec<f32> = (0..dims.voxel_count().expect("voxels")).map(value).collect();
    for header in codings(VoxelType::F32, dims) {
        let mut writer = VolumeWriter::new(Vec::new(), &header, &BwvOptions::default()).expect("memory");
        writer.write_voxels(&voxels, &Task::new()).expect("memory");
        let file = VolumeFile::new(writer.finish().expect("memory").0).expect("our own file");
        let options = ResidentOptions::default().with_kept_bricks(true);
        compare::<f32>(&context, &file, &options, &name(&header));
    }
}

/// Decodes labels in bricks of 8³, of which some are label bricks, in several pages and with odd sides.
#[test]
fn labels_are_decoded_as_by_the_cpu() {
    let Some(context) = context() else { return };
    let dims = Dims::new(101, 61, 75);
    let mut random = Random(5);
    // Slanted blocks.
    let labels: Vec<u16> = (0..4096).map(|_| (random.next() % 300) as u16).collect();
    let label = |i: usize| {
        let (x, y, z) = dims.position(i);
        labels[(x + y / 3) / 7 + 32 * ((y + z / 2) / 9) + 512 * (z / 11)]
    };
    let voxels: Vec<u16> = (0..dims.voxel_count().expect("voxels")).map(label).collect();
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    let [small, file] = [BrickSize::Four, BrickSize::Eight].map(|brick| {
        let header = Header { brick, ..Header::new(VoxelType::U16, dims) };
        let mut bytes = Vec::new();
        encode(view, &header, &BwvOptions::default(), &mut bytes, &Task::new()).expect("memory");
        bytes
    });
    assert!(4 * file.len() < 3 * small.len(), "no label bricks: {} and {}", file.len(), small.len());
    compare_file(&context, &VolumeFile::new(file).expect("our own file"), "labels");
}

fn compare_voxels<T: Voxel>(context: &Context, voxels: &[T], dims: Dims) {
    let view = VolumeView::new(voxels, dims).expect("voxels");
    for header in codings(T::TYPE, dims) {
        let mut bytes = Vec::new();
        encode(view, &header, &BwvOptions::default(), &mut bytes, &Task::new()).expect("memory");
        let file = VolumeFile::new(bytes).expect("our own file");
        let options = ResidentOptions::default().with(|o| o.page_bytes = 100_000).with_kept_bricks(true);
        compare::<T>(context, &file, &options, &name(&header));
    }
}

/// Decodes all types, with both signs, small and large numbers, and for floats NaN with any bits.
#[test]
fn every_type_is_decoded_to_its_own_numbers() {
    let Some(context) = context() else { return };
    for dims in [Dims::cube(1), Dims::new(5, 7, 33), Dims::new(101, 53, 49)] {
        for &voxel_type in VoxelType::ALL {
            with_voxel_type!(voxel_type, T => {
                compare_voxels(&context, &numbers::<T>(dims, &mut Random(dims.x as u32)), dims);
            });
        }
    }
}

#[test]
fn a_region_becomes_a_3d_texture() {
    let Some(context) = context() else { return };
    let dims = Dims::new(37, 21, 11);
    let voxels: Vec<u16> = (0..dims.voxel_count().expect("voxels")).map(|i| (i * 37 % 5003) as u16).collect();
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    let volume =
        ResidentVolume::from_voxels(view, VoxelKind::Intensity, &ResidentOptions::default(), &Task::new());
    let volume = GpuVolume::new(&context, &volume.expect("memory"), &Task::new()).expect("memory");
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
    assert!(matches!(volume.decode(&Region { x: 0..38, ..region }), Err(GpuVolumeError::Shape(_))));
}

/// Decodes bytes that no encoder writes to anything: nothing is read or written elsewhere, nothing hangs, and
/// the device is not lost. `BRICKWORK_FORGED=N` tries more of them.
#[test]
fn damaged_bricks_are_decoded_to_something() {
    let Some(context) = context() else { return };
    let rounds = std::env::var("BRICKWORK_FORGED").ok().and_then(|n| n.parse().ok()).unwrap_or(60u32);
    let mut random = Random(99);
    for header in codings(VoxelType::U8, Dims::new(40, 33, 35)) {
        for &voxel_type in VoxelType::ALL {
            let header = Header { voxel_type, ..header.clone() };
            let (mut same, mut all) = (0, 0);
            for round in 0..rounds.div_ceil(VoxelType::ALL.len() as u32) {
                let counts = with_voxel_type!(voxel_type, T => {
                    damaged::<T>(&context, &header, round, &mut random)
                });
                same += counts[0];
                all += counts[1];
            }
            println!("{same} of {all} bricks of {} are alike", name(&header));
            // 97.5 to 100 % in 6 rounds on lavapipe: most of what the CPU decodes, the GPU decodes to the
            // same.
            assert!(same * 20 > all * 19, "{}", name(&header));
        }
    }
}

/// Damages a volume, and counts the bricks that CPU and GPU decode to the same voxels, and all.
fn damaged<T: Voxel>(context: &Context, header: &Header, round: u32, random: &mut Random) -> [usize; 2] {
    let (dims, voxels) = (header.dims, numbers::<T>(header.dims, random));
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    let mut bytes = Vec::new();
    encode(view, header, &BwvOptions::default(), &mut bytes, &Task::new()).expect("memory");
    let file = VolumeFile::new(bytes).expect("our own file");
    let options = ResidentOptions::default().with_kept_bricks(true);
    let mut volume = ResidentVolume::from_file(&file, &options, &Task::new()).expect("our own file");
    // Most rounds spare the fields, of which nothing in a file decides; the others spare nothing.
    let (damage_count, spares_fields) = (1 + random.next() as usize % 300, round % 4 != 3);
    for _ in 0..damage_count {
        volume.damage(random.next(), random.next() as u8, !spares_fields);
    }
    let on_gpu = GpuVolume::new(context, &volume, &Task::new()).expect("memory");
    let found: Vec<T> = on_gpu.read(&Region::all(dims), &Task::new()).expect("decoded");
    let (bricks, side) = (volume.bricks(), volume.brick_size().dims());
    let count = bricks.voxel_count().expect("bricks");
    let is_same = |i: &usize| {
        let (x, y, z) = bricks.position(*i);
        let corner = (side.x * x, side.y * y, side.z * z);
        let mut brick = vec![T::from_ordinal(0); volume.brick_size().voxel_count()];
        volume.read_voxels([x, y, z], &mut brick).expect("a brick");
        let inside = dims.clip(corner, side).expect("voxels");
        (0..inside.voxel_count().expect("voxels")).all(|i| {
            let (dx, dy, dz) = inside.position(i);
            let found = found[dims.index(corner.0 + dx, corner.1 + dy, corner.2 + dz)];
            found.to_ordinal() == brick[side.index(dx, dy, dz)].to_ordinal()
        })
    };
    let same = (0..count).filter(is_same).count();
    // A byte of a brick belongs to no other brick, except where equal ones share their bytes. In the profile
    // guthe2016, the GPU finds shared bytes that no encoder writes, as the CPU does.
    let most = if header.profile == Profile::Bricks { damage_count } else { 0 };
    assert!(!spares_fields || count - same <= most, "{} of {count} bricks", count - same);
    [same, count]
}

#[test]
fn a_region_is_polled_until_it_is_there() {
    let Some(context) = context() else { return };
    let dims = Dims::new(67, 45, 50);
    let header = Header::new(VoxelType::U32, dims);
    let voxels = numbers::<u32>(dims, &mut Random(7));
    let mut bytes = Vec::new();
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    encode(view, &header, &BwvOptions::default(), &mut bytes, &Task::new()).expect("memory");
    let file = VolumeFile::new(bytes).expect("our own file");
    let volume = ResidentVolume::from_file(&file, &ResidentOptions::default(), &Task::new()).expect("a file");
    let on_gpu = GpuVolume::new(&context, &volume, &Task::new()).expect("memory");
    // In parts of a layer of bricks.
    let all = Region::all(dims);
    let mut read = RegionRead::<u32>::new(&on_gpu, &all, 32, VoxelType::U32, 1000).expect("decoded");
    // A call that waited for the GPU would have all parts.
    assert_eq!(read.poll().expect("decoded"), None);
    assert!(!read.has_last_part());
    let found = loop {
        match read.poll().expect("decoded") {
            Some(found) => break found,
            None => std::thread::sleep(std::time::Duration::from_millis(1)),
        }
    };
    assert!(found == voxels);
    assert!(on_gpu.read::<u32>(&all, &Task::new()).expect("decoded") == voxels);
    does_not_start("GpuVolume::new", &mut |task| {
        GpuVolume::new(&context, &volume, task).map(drop).map_err(|error| error.kind())
    });
    let (token, reports) = (CancelToken::new(), Mutex::new(Vec::new()));
    let cancel = |progress: Progress| {
        reports.lock().expect("no panic").push((progress.done, progress.total));
        token.cancel();
    };
    let task = Task::new().with_progress(&cancel).with_cancel(&token);
    let read = RegionRead::<u32>::new(&on_gpu, &all, 32, VoxelType::U32, 1000).expect("decoded");
    let error = read.wait(&task).expect_err("cancelled at the first report");
    assert!(matches!(error, GpuVolumeError::Cancelled(_)), "{error}");
    assert_eq!(reports.into_inner().expect("no panic"), [(0, dims.z as u64)]);
    let task = Task::new().with_cancel(&token);
    assert_eq!(on_gpu.read::<u32>(&all, &task).expect_err("cancelled").kind(), ErrorKind::Cancelled);
    assert_eq!(on_gpu.read_ordinals(&all, &task).expect_err("cancelled").kind(), ErrorKind::Cancelled);
    let error = on_gpu.start_read::<i32>(&all).expect_err("another type");
    assert!(matches!(error, GpuVolumeError::Type { have: VoxelType::U32, asked: VoxelType::I32 }), "{error}");
}

#[test]
fn a_buffer_is_decoded_into_again_where_it_is_large_enough() {
    let Some(context) = context() else { return };
    let dims = Dims::new(67, 45, 50);
    let voxels = numbers::<u16>(dims, &mut Random(11));
    let mut bytes = Vec::new();
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    let header = Header::new(VoxelType::U16, dims);
    encode(view, &header, &BwvOptions::default(), &mut bytes, &Task::new()).expect("memory");
    let file = VolumeFile::new(bytes).expect("our own file");
    let volume = ResidentVolume::from_file(&file, &ResidentOptions::default(), &Task::new()).expect("a file");
    let on_gpu = GpuVolume::new(&context, &volume, &Task::new()).expect("memory");
    let mut decoded = on_gpu.decode(&Region::all(dims)).expect("decoded");
    let [_, last, part, thin] = <[Region; 4]>::try_from(regions(dims)).expect("four regions");
    for (region, is_same) in [(part, true), (last, true), (thin, false), (Region::all(dims), false)] {
        // The third is larger than the buffer left by the second, which is replaced.
        if !is_same {
            decoded = on_gpu.decode(&Region { x: 0..1, y: 0..1, z: 0..1 }).expect("decoded");
        }
        let before = decoded.buffer.clone();
        decoded = on_gpu.decode_again(&region, decoded).expect("decoded");
        assert_eq!(decoded.buffer == before, is_same, "{region}");
        let all = Download::new(&context, &decoded.buffer, 0..decoded.buffer.size()).expect("memory");
        let mut found = Vec::<u16>::new();
        decoded.append(&all.wait(&context).expect("arrived"), &mut found);
        assert_eq!(found, file.read::<u16>(&region, &Task::new()).expect("a sound file"), "{region}");
    }
}

/// Marsaglia's xorshift.
struct Random(u32);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
}

/// Returns ordinals that grow from row to row, with noise of some bits, around the middle, where signs
/// change.
fn numbers<T: Voxel>(dims: Dims, random: &mut Random) -> Vec<T> {
    let bits = T::TYPE.bit_count();
    let middle = 1u64 << (bits - 1);
    let noise_bits = 1 + random.next() % bits;
    let number = |i: usize| {
        let (x, y, z) = dims.position(i);
        let noise = (u64::from(random.next()) << 32 | u64::from(random.next())) >> (64 - noise_bits);
        let slope = (x + 2 * y + 3 * z) as u64 * (middle / 64 / dims.x.max(dims.z) as u64);
        T::from_ordinal((middle / 2).wrapping_add(slope).wrapping_add(noise))
    };
    (0..dims.voxel_count().expect("voxels")).map(number).collect()
}
