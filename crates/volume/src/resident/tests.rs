//! Every brick of every kind of file, compared with the file's own reader.

#[cfg(feature = "kernel-inputs")]
use super::StreamedVolume;
use super::{ResidentOptions, ResidentVolume};
use crate::{
    AnyVoxels, BrickEffort, BrickSize, BwvOptions, CancelToken, Dims, Header, Profile, Progress, Region,
    Selection, ShapeError, Task, VolumeFile, VolumeReadError, VolumeView, VoxelKind, VoxelType,
    brick::BrickBox,
    encode,
    untyped::{UntypedView, VoxelBuffer},
};
use std::{
    fs,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

/// Compares all bricks of a volume with voxels in memory, of a component.
fn compare(volume: &ResidentVolume, voxels: UntypedView, component: usize, what: &str) {
    let bricks = volume.bricks();
    for i in 0..bricks.voxel_count().expect("bricks") {
        let (x, y, z) = bricks.position(i);
        let corner = (4 * x, 4 * y, 4 * z);
        let part = BrickBox::at(BrickSize::Four, corner, voxels.dims()).expect("voxels");
        let (mut expected, mut found) = ([0; 64], [0; 64]);
        voxels.copy_box(component, Dims::cube(4), corner, &mut expected);
        volume.brick_ordinals([x, y, z], &mut found).expect("a brick");
        let places = &part.places(false)[..part.count()];
        for &place in places {
            assert_eq!(
                found[usize::from(place)],
                expected[usize::from(place)],
                "{what}, {corner:?}, {place}"
            );
        }
        let inside = || places.iter().map(|&place| expected[usize::from(place)]);
        let extremes = [inside().min(), inside().max()].map(Option::unwrap_or_default);
        let brick = volume.brick([x, y, z]).expect("a brick");
        assert_eq!(brick.ordinals, extremes, "{what}, {corner:?}");
        assert_eq!(brick.is_constant(), extremes[0] == extremes[1]);
    }
}

/// Reads all pages of a part of a file on demand, and compares all bricks.
#[cfg(feature = "kernel-inputs")]
fn compare_streamed(file: &VolumeFile<Vec<u8>>, options: &ResidentOptions, voxels: UntypedView, what: &str) {
    let header = file.header();
    let is_suited = header.profile == Profile::Bricks
        && header.brick != BrickSize::Flat
        && header.voxel_type.is_rendered();
    let mut volume = match StreamedVolume::new(file, options, &Task::new()) {
        Ok(volume) => volume,
        Err(error) => return assert!(!is_suited, "{what}: {error}"),
    };
    assert!(is_suited, "{what}");
    let count = volume.page_count();
    let pages: Vec<Vec<u8>> = (0..count)
        .map(|page| {
            let bytes = volume.load(file, page).expect("a sound file");
            assert!(bytes.len() <= volume.page_bytes() && bytes.len().is_multiple_of(4), "{what}");
            bytes
        })
        .collect();
    // Every superblock of a page changed; the others have one value.
    let changed = volume.take_changes().map_or(0, |(start, bytes)| start + bytes.len());
    assert!((changed > 0) == (count > 0) && changed <= volume.byte_count(), "{what}");
    assert!(volume.take_changes().is_none() && volume.load(file, count).expect("nothing").is_empty());
    compare(&volume.with_pages(pages), voxels, 0, what);
}

/// Compares every component of a file.
fn compare_file(file: &VolumeFile<Vec<u8>>, what: &str) {
    let header = file.header();
    for mip_level in 0..header.mip_levels {
        for frame in 0..header.frames {
            for channel in 0..header.channels {
                let frames = Some(frame..frame + 1);
                let selection = Selection { mip_level, frames, channel: Some(channel) };
                let dims = header.mip_level_dims(mip_level);
                let mut voxels = AnyVoxels::new(header.voxel_type);
                file.read_any(&selection, &Region::all(dims), &mut voxels, &Task::new())
                    .expect("a sound file");
                let voxels = UntypedView::new(voxels.bytes(), header.voxel_type, dims, 1).expect("voxels");
                let page_bytes = 1 << 20;
                let options = ResidentOptions { mip_level, frame, channel, page_bytes, ..Default::default() };
                #[cfg(feature = "kernel-inputs")]
                compare_streamed(file, &options, voxels, &format!("{what}, {options:?}, streamed"));
                let volume = ResidentVolume::from_file(file, &options, &Task::new()).expect("a sound file");
                assert_eq!(volume.lower().is_some(), header.voxel_type.word_count() > 1);
                for (word, volume) in [Some(&volume), volume.lower()].into_iter().flatten().enumerate() {
                    compare(volume, voxels, word, &format!("{what}, {options:?}, word {word}"));
                }
            }
        }
    }
}

#[test]
fn every_file_of_test_data_has_the_bricks_that_its_reader_gives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/bwv");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let bytes = fs::read(&path).expect("a file");
        compare_file(&VolumeFile::new(bytes).expect("a sound file"), &path.display().to_string());
        count += 1;
    }
    assert!(count > 20);
}

#[test]
fn odd_sides_raw_chunks_tables_and_several_pages() {
    let mut random = 7u32;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        random
    };
    for dims in [Dims::cube(1), Dims::new(5, 7, 33), Dims::new(130, 66, 70), Dims::new(200, 3, 1)] {
        let count = dims.voxel_count().expect("voxels");
        let noise: Vec<u32> = (0..count).map(|_| next()).collect();
        // Noise becomes raw chunks, few values a rank table, ramps bricks.
        let few: Vec<u32> = noise.iter().map(|noise| (noise % 7) * 100_000).collect();
        let ramp: Vec<u32> = (0..count as u32).map(|i| i * 3 + noise[i as usize] % 5).collect();
        for (name, voxels) in [("noise", &noise), ("few", &few), ("ramp", &ramp)] {
            let view = VolumeView::new(voxels, dims).expect("voxels");
            for (brick, profile) in BrickSize::ALL
                .iter()
                .map(|&brick| (brick, Profile::Bricks))
                .chain([(BrickSize::Four, Profile::Guthe2016 { second_level: true })])
            {
                let header = Header { brick, profile, ..Header::new(VoxelType::U32, dims) };
                let mut bytes = Vec::new();
                encode(view, &header, &BwvOptions::default(), &mut bytes, &Task::new()).expect("memory");
                let file = VolumeFile::new(bytes).expect("our own file");
                compare_file(&file, &format!("{name} of {dims}, {brick}, {profile:?}"));
            }
            for effort in [BrickEffort::Fast, BrickEffort::Full] {
                let options = ResidentOptions { page_bytes: 1 << 20, ..Default::default() };
                let options = options.with_effort(effort);
                let volume = ResidentVolume::from_voxels(view, VoxelKind::Intensity, &options, &Task::new())
                    .expect("memory");
                assert_eq!(volume.pages.len() > 1, volume.byte_count() > 1 << 20);
                compare(&volume, view.untyped(), 0, name);
            }
        }
    }
}

#[test]
fn every_type_is_encoded_fast() {
    let (dims, channels) = (Dims::new(37, 18, 22), 2);
    let mut random = 3u32;
    for &voxel_type in VoxelType::ALL {
        // Noise of few to all bits, and labels that are far apart.
        let (mut buffer, bytes) = (VoxelBuffer::default(), voxel_type.byte_count());
        for i in 0..dims.number_count(channels).expect("numbers") {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let noise = u64::from(random) * 0x1_0000_0001;
            let number = if i % 3 == 0 { noise >> (i / 64 % 64) } else { noise >> 40 << 33 };
            buffer.extend(&number.to_le_bytes()[8 - bytes..]);
        }
        let voxels = AnyVoxels { voxel_type, buffer };
        let view = UntypedView::new(voxels.bytes(), voxel_type, dims, channels).expect("numbers");
        for channel in 0..channels {
            let [fast, full] = [BrickEffort::Fast, BrickEffort::Full].map(|effort| {
                let options = ResidentOptions { channel, ..Default::default() }.with_effort(effort);
                assert_eq!(options.effort(), effort);
                let (kind, task) = (VoxelKind::Intensity, Task::new());
                let volume = ResidentVolume::from_any(&voxels, dims, channels, kind, &options, &task);
                let volume = volume.expect("memory");
                for (word, volume) in [Some(&volume), volume.lower()].into_iter().flatten().enumerate() {
                    let component = channel * voxel_type.word_count() + word;
                    compare(volume, view, component, &format!("{voxel_type}, {effort:?}, word {word}"));
                }
                volume.byte_count()
            });
            assert!(full <= fast, "{voxel_type}: {fast} bytes, {full} by the full encoder");
        }
    }
}

/// A file's bricks of 4³ are used as they are, and others are encoded fast.
#[test]
fn bricks_that_suit_are_not_encoded_again() {
    // One chunk, whose superblocks are in the order of voxels in memory.
    let dims = Dims::new(30, 28, 21);
    let voxels: Vec<u16> = (0..dims.voxel_count().expect("voxels") as u32)
        .map(|i| (i % 30 * 40 + i / 30 % 28 * 90 + i.wrapping_mul(2_654_435_761) % 37) as u16)
        .collect();
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    let [four, eight] = [BrickSize::Four, BrickSize::Eight].map(|brick| {
        let header = Header { brick, ..Header::new(VoxelType::U16, dims) };
        let mut bytes = Vec::new();
        let options = BwvOptions::default().with(|o| o.remap = false);
        encode(view, &header, &options, &mut bytes, &Task::new()).expect("memory");
        let file = VolumeFile::new(bytes).expect("our own file");
        [BrickEffort::Fast, BrickEffort::Full].map(|effort| {
            let options = ResidentOptions::default().with_effort(effort);
            ResidentVolume::from_file(&file, &options, &Task::new()).expect("a sound file").pages
        })
    });
    let [fast, full] = [BrickEffort::Fast, BrickEffort::Full].map(|effort| {
        let options = ResidentOptions::default().with_effort(effort);
        let volume = ResidentVolume::from_voxels(view, VoxelKind::Intensity, &options, &Task::new());
        volume.expect("memory").pages
    });
    assert!(four[0] == full && four[1] == full, "the file's own bricks");
    assert!(eight[0] == fast && eight[1] == full && fast != full);
}

/// A file in memory may have fast bricks, which are larger.
#[test]
fn files_of_fast_bricks_have_the_same_voxels() {
    let dims = Dims::new(45, 34, 21);
    let voxels: Vec<i16> = (0..dims.voxel_count().expect("voxels") as u32)
        .map(|i| (i % 45 * 30 + (i.wrapping_mul(2_654_435_761) >> 27)) as i16)
        .collect();
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    for brick in [BrickSize::Four, BrickSize::Eight] {
        let header = Header { brick, ..Header::new(VoxelType::I16, dims) };
        let [fast, full] = [BrickEffort::Fast, BrickEffort::Full].map(|effort| {
            let options = BwvOptions::default().with(|o| o.effort = effort);
            let mut bytes = Vec::new();
            encode(view, &header, &options, &mut bytes, &Task::new()).expect("memory");
            let length = bytes.len();
            compare_file(&VolumeFile::new(bytes).expect("our own file"), &format!("{brick}, {effort:?}"));
            length
        });
        // Only bricks of 4³ are encoded fast.
        assert_eq!(fast > full, brick == BrickSize::Four, "{brick}: {fast} and {full} bytes");
    }
}

#[test]
fn what_a_file_does_not_have_is_refused() {
    let voxels = [1.0f64; 8];
    let dims = Dims::cube(2);
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    let mut bytes = Vec::new();
    encode(view, &Header::new(VoxelType::F64, dims), &BwvOptions::default(), &mut bytes, &Task::new())
        .expect("memory");
    let file = VolumeFile::new(bytes).expect("our own file");
    let refused = |options: ResidentOptions| {
        ResidentVolume::from_file(&file, &options, &Task::new()).expect_err("nothing there").to_string()
    };
    let all = ResidentOptions::default();
    assert_eq!(refused(ResidentOptions { frame: 1, ..all.clone() }), "frame 1: the volume has only frame 0");
    assert_eq!(
        refused(ResidentOptions { channel: 4, ..all.clone() }),
        "channel 4: the volume has only channel 0"
    );
    let none = ResidentOptions { channel: 1, ..all };
    assert!(ResidentVolume::from_voxels(view, VoxelKind::Intensity, &none, &Task::new()).is_err());
}

#[test]
fn bricks_that_are_not_there_are_errors() {
    let voxels = [3u16; 5 * 4 * 4];
    let view = VolumeView::new(&voxels, Dims::new(5, 4, 4)).expect("voxels");
    let options = ResidentOptions::default();
    let volume = ResidentVolume::from_voxels(view, VoxelKind::Intensity, &options, &Task::new());
    let volume = volume.expect("memory");
    assert_eq!(volume.brick([1, 0, 0]).map(|brick| brick.ordinals), Ok([3, 3]));
    for place in [[2, 0, 0], [0, 1, 0], [0, 0, 1], [usize::MAX; 3]] {
        let missing = ShapeError::NoSuchBrick { place, bricks: Dims::new(2, 1, 1) };
        assert_eq!(volume.brick(place), Err(missing.clone()));
        assert_eq!(volume.brick_ordinals(place, &mut [0; 64]), Err(missing.clone()));
        let read = volume.read_voxels(place, &mut [0u16; 64]).expect_err("no brick");
        assert_eq!(read.to_string(), missing.to_string());
    }
    for count in [0, 63, 65] {
        assert!(matches!(
            volume.brick_ordinals([0; 3], &mut vec![0; count]),
            Err(ShapeError::Length { expected: 64, .. })
        ));
        assert!(volume.read_voxels([0; 3], &mut vec![0u16; count]).is_err());
    }
    assert!(volume.read_voxels([0; 3], &mut [0i16; 64]).is_err());
}

/// Reports progress while loading, and stops when cancelled, for each layout of bricks.
#[test]
fn loading_is_watched_and_stopped() {
    let dims = Dims::new(20, 70, 150);
    let voxels: Vec<f64> = (0..20 * 70 * 150).map(|i| f64::from(i % 977)).collect();
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    let (bricks, papers) = (Profile::Bricks, Profile::Guthe2016 { second_level: false });
    for (brick, profile, keep_bricks) in [
        (BrickSize::Four, bricks, false),
        (BrickSize::Eight, bricks, false),
        (BrickSize::Eight, bricks, true),
        (BrickSize::Four, papers, true),
    ] {
        let header = Header { brick, profile, ..Header::new(VoxelType::F64, dims) };
        let mut bytes = Vec::new();
        encode(view, &header, &BwvOptions::default(), &mut bytes, &Task::new()).expect("memory");
        let file = VolumeFile::new(bytes).expect("our own file");
        let options = ResidentOptions::default().with_kept_bricks(keep_bricks);
        let told = Mutex::new(Vec::new());
        let tell = |progress: Progress| told.lock().expect("free").push((progress.done, progress.total));
        let volume = ResidentVolume::from_file(&file, &options, &Task::new().with_progress(&tell));
        let told = told.into_inner().expect("free");
        // Two words of each superblock.
        let all = 2 * volume.expect("a sound file").superblocks.voxel_count().expect("superblocks") as u64;
        assert!(told.len() > 4 && told.is_sorted() && told.iter().all(|&(_, of)| of == all), "{told:?}");
        assert_eq!(told.last(), Some(&(all, all)));
        let (token, calls) = (CancelToken::new(), AtomicU32::new(0));
        let stop = |_: Progress| {
            if calls.fetch_add(1, Ordering::Relaxed) == 2 {
                token.cancel();
            }
        };
        let task = Task::new().with_progress(&stop).with_cancel(&token);
        let stopped = ResidentVolume::from_file(&file, &options, &task);
        assert!(matches!(stopped, Err(VolumeReadError::Cancelled(_))) && calls.into_inner() == 3);
    }
}

/// Pages that are boxes, laid out in any order, have the voxels of their boxes.
#[cfg(feature = "kernel-inputs")]
#[test]
fn boxes_have_their_voxels() {
    let (dims, side) = (Dims::new(50, 37, 21), Dims::new(32, 16, 48));
    let number = |x: usize, y: usize, z: usize| (x * x + 300 * (y / 5) + 7 * z) as u16;
    let voxels_of = |part: &Region| {
        let mut bytes = Vec::new();
        for z in part.z.clone() {
            for y in part.y.clone() {
                bytes.extend(part.x.clone().flat_map(|x| number(x, y, z).to_ne_bytes()));
            }
        }
        let header = Header::new(VoxelType::U16, part.dims());
        crate::read_frame(&bytes[..], crate::ByteOrder::NATIVE, &header, 0, &Task::new()).expect("voxels")
    };
    let shape = (dims, VoxelType::U16, VoxelKind::Intensity);
    let mut volume = StreamedVolume::of_boxes(shape, side).expect("boxes");
    assert_eq!(volume.page_count(), 2 * 3);
    assert_eq!(volume.page_box(4), Some(Region { x: 0..32, y: 32..37, z: 0..21 }));
    assert_eq!(volume.page_box(6), None);
    let mut pages = vec![Vec::new(); volume.page_count()];
    for page in (0..pages.len()).rev() {
        let part = volume.page_box(page).expect("a page");
        pages[page] = volume.put_box(page, &voxels_of(&part)).expect("its voxels");
        assert!(pages[page].len() <= volume.page_bytes());
    }
    let (first, records) = volume.take_changes().expect("records");
    assert_eq!((first, records.len()), (0, 8 * 4 * 3 * 2));
    assert!(volume.put_box(6, &voxels_of(&Region::all(dims))).is_err());
    assert!(volume.put_box(0, &voxels_of(&Region::all(dims))).is_err());
    // As many bytes, of another type.
    let part = volume.page_box(0).expect("a page");
    let header = Header::new(VoxelType::I16, part.dims());
    let bytes = voxels_of(&part);
    let signed = crate::read_frame(bytes.bytes(), crate::ByteOrder::NATIVE, &header, 0, &Task::new());
    let error = volume.put_box(0, &signed.expect("voxels")).expect_err("another type");
    assert!(error.to_string().contains("the voxels are u16, not i16"), "{error}");
    let all = voxels_of(&Region::all(dims));
    let view = UntypedView::new(all.bytes(), VoxelType::U16, dims, 1).expect("voxels");
    compare(&volume.with_pages(pages), view, 0, "boxes");
    for side in [Dims::new(32, 8, 16), Dims::new(16, 0, 16)] {
        assert!(StreamedVolume::of_boxes(shape, side).is_err());
    }
    let huge = (Dims::cube(2048), VoxelType::U8, VoxelKind::Intensity);
    assert!(StreamedVolume::of_boxes(huge, Dims::cube(16)).is_err());
    let wide = (dims, VoxelType::F64, VoxelKind::Intensity);
    assert!(StreamedVolume::of_boxes(wide, side).is_err());
}
