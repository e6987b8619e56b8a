//! The parts that a read needs: bricks, byte ranges, bytes that were not supplied; `.bwv` files as chunks.

use super::{Sample, room};
use crate::common::Counted;
use brickwork_volume::{
    BrickSize, BwvOptions, ChunkError, ChunkReader, ChunkShape, Dims, ErrorKind, Header, Profile, ReadAt,
    Region, Strides, SuppliedBytes, Task, VoxelType, decode_chunk, encode_any,
};
use std::sync::atomic::{AtomicUsize, Ordering};

fn sample(dims: Dims) -> Sample {
    Sample::new(ChunkShape::new(VoxelType::U16, dims), dims, 5, 9, 0).with_numbers(|n| n ^ 0x5aa5)
}

/// A window of 8³ voxels, from voxel 2 of a brick on, meets 27 bricks of 4³.
#[test]
fn only_the_bricks_of_a_region_are_decoded() {
    let sample = sample(Dims::cube(70));
    let chunk = sample.encode(BrickSize::Four);
    let reader = ChunkReader::new(&chunk[..], &sample.shape).expect("our own chunk");
    assert_eq!(reader.bricks_decoded(), 0);
    let region = Region { x: 10..18, y: 6..14, z: 6..14 };
    let (mut found, strides) = room(&sample.shape, &region);
    reader.read_region(&region, &mut found, &strides, &Task::new()).expect("our own chunk");
    assert_eq!((reader.bricks_decoded(), found == sample.region(&region)), (27, true));
}

#[test]
fn few_ranges_are_fetched_for_a_region() {
    let sample = sample(Dims::cube(70));
    let chunk = sample.encode(BrickSize::Four);
    let last = chunk[chunk.len() - 4096..].to_vec();
    let reader = ChunkReader::from_suffix(last, &sample.shape).expect("an index of less than 4 KiB");
    // One inner chunk of 27.
    let region = Region { x: 1..2, y: 1..2, z: 1..2 };
    let ranges = reader.ranges(&region).expect("inside");
    let byte_count: u64 = ranges.iter().map(|range| range.end - range.start).sum();
    assert!(ranges.len() <= 2 && byte_count < chunk.len() as u64 / 9, "{ranges:?} of {}", chunk.len());
    // All inner chunks: one range.
    let all = Region::all(sample.shape.dims());
    assert_eq!(reader.ranges(&all).expect("inside").len(), 1);
    let (mut found, strides) = room(&sample.shape, &region);
    let missing = reader.read_region(&region, &mut found, &strides, &Task::new()).expect_err("no bytes");
    assert_eq!(missing.kind(), ErrorKind::Io);
    assert!(missing.to_string().contains("have not been supplied"), "{missing}");
    assert_eq!(reader.supply(chunk.len() as u64, [0]).expect_err("outside").kind(), ErrorKind::Io);
}

/// A slice through all inner chunks of a row: requests with few bytes between them are joined.
#[test]
fn near_ranges_are_joined() {
    let noise = sample(Dims::cube(70));
    let labels = noise.clone().with_numbers(|n| n / 20_000);
    let region = Region { y: 1..2, ..Region::all(noise.shape.dims()) };
    for (sample, count) in [(noise, 3), (labels, 1)] {
        let chunk = sample.encode(BrickSize::Four);
        let last = chunk[chunk.len() - 600..].to_vec();
        let reader = ChunkReader::from_suffix(last, &sample.shape).expect("an index of less than 600 bytes");
        assert_eq!(reader.ranges(&region).expect("inside").len(), count);
    }
}

#[test]
fn the_padding_needs_no_bytes() {
    let shape = ChunkShape::new(VoxelType::I32, Dims::cube(40));
    let sample = Sample::new(shape, Dims::new(20, 40, 33), 7, 20, 77);
    let chunk = sample.encode(BrickSize::Eight);
    let count = ChunkReader::<SuppliedBytes>::suffix_bytes(&chunk).expect("not a .bwv file") as usize;
    let reader = ChunkReader::from_suffix(chunk[chunk.len() - count..].to_vec(), &shape).expect("the index");
    for region in [Region { x: 20..40, ..Region::all(shape.dims()) }, Region { x: 0..1, y: 5..6, z: 33..40 }]
    {
        assert_eq!(reader.ranges(&region).expect("inside"), []);
        let (mut found, strides) = room(&shape, &region);
        reader.read_region(&region, &mut found, &strides, &Task::new()).expect("padding");
        assert!(found == sample.region(&region));
    }
    assert_eq!(reader.bricks_decoded(), 0);
}

#[test]
fn work_is_done_on_the_calling_thread() {
    let sample = sample(Dims::cube(70));
    let (calls, here) = (AtomicUsize::new(0), std::thread::current().id());
    let on_progress = |_| {
        assert_eq!(std::thread::current().id(), here);
        calls.fetch_add(1, Ordering::Relaxed);
    };
    let task = Task::new().with_progress(&on_progress);
    let chunk = sample.encode(BrickSize::Four);
    let (mut found, strides) = room(&sample.shape, &Region::all(sample.shape.dims()));
    decode_chunk(&chunk, &sample.shape, &mut found, &strides, &task).expect("our own chunk");
    assert!(calls.load(Ordering::Relaxed) > 3);
}

fn bwv(sample: &Sample, change: impl FnOnce(&mut Header)) -> Vec<u8> {
    let (shape, mut file) = (sample.shape, Vec::new());
    let header = Header::new(shape.voxel_type(), shape.dims()).with(change);
    let dims = header.dims;
    let bytes = &sample.voxels[..dims.x * dims.y * dims.z * shape.voxel_type().byte_count()];
    let view = brickwork_volume::AnyView::new(bytes, shape.voxel_type(), dims, 1).expect("voxels");
    encode_any(&view, &header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
    file
}

#[test]
fn a_bwv_file_is_a_chunk() {
    let sample = sample(Dims::new(33, 20, 9));
    let file = bwv(&sample, |header| header.mip_levels = 3);
    assert_eq!(ChunkReader::<SuppliedBytes>::suffix_bytes(&file[file.len() - 50..]), None);
    let reader = ChunkReader::from_suffix(file.clone(), &sample.shape).expect("a whole file");
    let region = Region { x: 3..30, y: 2..5, z: 0..9 };
    let (mut found, strides) = room(&sample.shape, &region);
    reader.read_region(&region, &mut found, &strides, &Task::new()).expect("a whole file");
    assert!(found == sample.region(&region));
    // The other profile has no inner chunks.
    let paper = bwv(&sample, |header| header.profile = Profile::Guthe2016 { second_level: true });
    let reader = ChunkReader::new(&paper[..], &sample.shape).expect("a whole file");
    let (last, window) = (Region { z: 8..9, ..region.clone() }, region.dims());
    let places = [(last.clone(), 0), (region.clone(), window.index(0, 0, window.z))];
    let both = together(&reader, &places, window, 2 * found.len());
    let slice = sample.region(&last);
    assert!(both[..slice.len()] == slice && both[found.len()..] == found);
    // Another shape, and another type.
    let smaller = bwv(&sample, |header| header.dims.z = 8);
    let text =
        |file: &[u8], shape: &ChunkShape| ChunkReader::new(file, shape).expect_err("refused").to_string();
    assert_eq!(
        text(&smaller, &sample.shape),
        "the chunk holds 33×20×8 u16, but the array's chunks are 33×20×9 u16"
    );
    let signed = ChunkShape::new(VoxelType::I16, sample.shape.dims());
    assert!(matches!(ChunkReader::new(&file[..], &signed), Err(ChunkError::Shape { .. })));
    // Cut short.
    assert!(ChunkReader::from_suffix(file[1..].to_vec(), &sample.shape).is_err());
}

/// Regions that are read together are those read one by one, also from bytes that the source does not lend.
#[test]
fn many_regions_are_read_together() {
    let one_channel = ChunkShape::new(VoxelType::U16, Dims::new(70, 40, 66));
    let two_channels = ChunkShape::new(VoxelType::I64, one_channel.dims()).with_channels(2);
    let window = Dims::new(9, 7, 8);
    let voxels_of_window = 9 * 7 * 8;
    let regions: Vec<(Region, usize)> = (0..70)
        .map(|i| {
            let (width, height, depth) = (1 + i % 9, 1 + i % 7, 1 + i % 8);
            let (x, y, z) = (i * 37 % (71 - width), i * 11 % (41 - height), i * 23 % (67 - depth));
            let region = Region { x: x..x + width, y: y..y + height, z: z..z + depth };
            (region, i * voxels_of_window + window.index(9 - width, 7 - height, 8 - depth))
        })
        .collect();
    let noise = [one_channel, two_channels].map(|shape| Sample::new(shape, Dims::new(61, 40, 50), 5, 9, 3));
    let constant = noise[0].clone().with_numbers(|_| 7);
    for sample in noise.into_iter().chain([constant]) {
        let shape = sample.shape;
        let (channels, number_bytes) = (shape.channels(), shape.voxel_type().byte_count());
        for &brick in BrickSize::ALL {
            let chunk = sample.encode(brick);
            let reader = ChunkReader::new(&chunk[..], &shape).expect("our own chunk");
            let mut wanted = vec![0xa5; 70 * voxels_of_window * channels * number_bytes];
            for (region, place) in &regions {
                let strides = Strides { first: place * channels, ..Strides::dense(window, channels) };
                reader.read_region(region, &mut wanted, &strides, &Task::new()).expect("our own chunk");
                let (mut one, dense) = room(&shape, region);
                reader.read_region(region, &mut one, &dense, &Task::new()).expect("our own chunk");
                assert!(one == sample.region(region), "{brick:?}");
            }
            let lent = together(&reader, &regions, window, wanted.len());
            let source = SuppliedBytes::new(chunk.len() as u64);
            source.supply(0, chunk.clone()).expect("all bytes");
            let supplied = ChunkReader::new(source, &shape).expect("our own chunk");
            let copied = together(&supplied, &regions, window, wanted.len());
            assert!(lent == wanted && copied == wanted, "{brick:?}");
        }
    }
}

/// The chunk has 27 inner chunks, and at most a rank table and a pattern table in each of 3 slabs.
#[test]
fn inner_chunks_are_read_once() {
    let sample = sample(Dims::cube(70));
    let chunk = sample.encode(BrickSize::Four);
    let reader = ChunkReader::new(Counted::new(chunk), &sample.shape).expect("our own chunk");
    let before = reader.source().reads();
    let regions: Vec<(Region, usize)> = (0..300)
        .map(|i| {
            let (x, y, z) = (i * 37 % 63, i * 11 % 63, i * 23 % 63);
            (Region { x: x..x + 8, y: y..y + 8, z: z..z + 8 }, 512 * i)
        })
        .collect();
    let found = together(&reader, &regions, Dims::cube(8), 300 * 512 * 2);
    let count = reader.source().reads() - before;
    assert!(count <= 27 + 6, "{count} reads");
    for ((region, _), found) in regions.iter().zip(found.chunks_exact(1024)) {
        assert!(found == sample.region(region));
    }
}

fn together<S: ReadAt>(
    reader: &ChunkReader<S>,
    regions: &[(Region, usize)],
    window: Dims,
    byte_count: usize,
) -> Vec<u8> {
    let mut found = vec![0xa5; byte_count];
    reader.read_regions(regions, window, &mut found, &Task::new()).expect("our own chunk");
    found
}

/// The caller's mistakes are not the chunk's.
#[test]
fn regions_and_strides_are_checked() {
    let sample = sample(Dims::new(9, 8, 7));
    let chunk = sample.encode(BrickSize::Flat);
    let reader = ChunkReader::new(&chunk[..], &sample.shape).expect("our own chunk");
    let mut voxels = vec![0; 2 * 9 * 8 * 7];
    let mut read = |region: &Region, strides: &Strides| {
        reader.read_region(region, &mut voxels, strides, &Task::new()).map_err(|error| error.kind())
    };
    let (all, dense) = (Region::all(sample.shape.dims()), Strides::dense(sample.shape.dims(), 1));
    assert_eq!(read(&all, &dense), Ok(()));
    for region in [Region { x: 3..3, ..all.clone() }, Region { z: 6..8, ..all.clone() }] {
        assert_eq!(read(&region, &dense), Err(ErrorKind::Argument));
    }
    assert_eq!(read(&all, &Strides { first: 1, ..dense }), Err(ErrorKind::Argument));
    let two = [(all.clone(), 0), (all, 1)];
    let error = reader.read_regions(&two, sample.shape.dims(), &mut voxels, &Task::new());
    assert_eq!(error.expect_err("outside").kind(), ErrorKind::Argument);
    let empty = ChunkShape::new(VoxelType::U16, Dims::new(9, 0, 7));
    assert_eq!(ChunkReader::new(&chunk[..], &empty).expect_err("empty").kind(), ErrorKind::Argument);
}
