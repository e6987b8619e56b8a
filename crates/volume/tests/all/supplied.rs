//! Files whose bytes are supplied on request: the same voxels and errors, and no byte too many.

#![expect(clippy::single_range_in_vec_init, reason = "lists of byte ranges")]

use crate::common::voxels;
use brickwork_volume::{
    BrickSize, BwvOptions, Dims, ErrorKind, Header, Profile, ReadAt, Region, Selection, SuppliedBytes, Task,
    VolumeFile, VolumeReadError, VolumeWriter, VoxelType,
};
use proptest::prelude::*;
use std::{io, ops::Range, sync::Mutex};

/// Source that records the ranges read.
struct Recorder<'a> {
    bytes: &'a [u8],
    read: Mutex<Vec<Range<u64>>>,
}

impl ReadAt for Recorder<'_> {
    fn byte_count(&self) -> io::Result<u64> {
        self.bytes.byte_count()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.read.lock().expect("no panic").push(offset..offset + buffer.len() as u64);
        self.bytes.read_exact_at(buffer, offset)
    }
}

/// Returns the ranges as a sorted set without overlaps.
fn merged(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        match merged.last_mut() {
            Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// Supplies ranges of `bytes`.
fn supply(source: &SuppliedBytes, bytes: &[u8], ranges: Vec<Range<u64>>) {
    for range in ranges {
        let part = &bytes[range.start as usize..range.end as usize];
        source.supply(range.start, part).expect("bytes of the file");
    }
}

/// Opens a file by supplying its requests, in at most two round trips.
fn open(bytes: &[u8]) -> Result<VolumeFile<SuppliedBytes>, VolumeReadError> {
    let source = SuppliedBytes::new(bytes.len() as u64);
    for trip in 0.. {
        let needed = source.needed_to_open();
        if needed.is_empty() {
            break;
        }
        assert!(trip < 2, "{needed:?}");
        supply(&source, bytes, needed);
    }
    VolumeFile::new(source)
}

/// Returns a file of 16-bit voxels with tables, patterns, mip levels and all other features.
fn stored(dims: Dims, brick: BrickSize, seed: u32) -> Vec<u8> {
    let header = Header::new(VoxelType::U16, dims).with(|header| {
        (header.channels, header.frames, header.brick) = (2, 2, brick);
        header.mip_levels = 2.min(header.most_mip_levels());
        header.metadata = "{\"a\": [1, 2, 3]}".into();
    });
    let all = Dims::new(dims.x * 2, dims.y, dims.z * 2);
    // Multiples of 3 give a rank table. The second half is noise, which gives raw chunks.
    let mut numbers = voxels::<u16>(all, seed, 4);
    let half = numbers.len() / 2;
    numbers[..half].iter_mut().for_each(|number| *number = *number % 50 * 3);
    let mut writer = VolumeWriter::new(Vec::new(), &header, &BwvOptions::default()).expect("a header");
    writer.write_voxels(&numbers, &Task::new()).expect("memory");
    writer.finish().expect("memory").0
}

fn check(stored: &[u8], selection: &Selection, region: &Region) {
    let recorder = Recorder { bytes: stored, read: Mutex::default() };
    let whole = VolumeFile::new(&recorder).expect("our own file");
    let file = open(stored).expect("our own file");
    recorder.read.lock().expect("no panic").clear();
    let expected: Vec<u16> = whole.read_selected(selection, region, &Task::new()).expect("our own file");
    let read = merged(recorder.read.lock().expect("no panic").clone());

    file.source().clear();
    let ranges = file.ranges(selection, region).expect("a region of the file");
    let paper = matches!(file.header().profile, Profile::Guthe2016 { .. });
    assert!(paper || ranges == read, "{ranges:?}, read were {read:?}");
    if let Some(first) = ranges.first() {
        let early = file.read_selected::<u16>(selection, region, &Task::new()).expect_err("no bytes");
        assert!(matches!(early, VolumeReadError::Io(_)) && early.kind() == ErrorKind::Io, "{early}");
        // All bytes except the first are supplied: the error names it.
        supply(file.source(), stored, vec![first.start + 1..first.end]);
        let missing = file.source().missing(&ranges);
        assert_eq!(missing[0], first.start..first.start + 1);
    }
    supply(file.source(), stored, file.source().missing(&ranges));
    let found: Vec<u16> = file.read_selected(selection, region, &Task::new()).expect("all bytes");
    assert!(found == expected);
    // Tables stay, so no range is needed twice.
    let again = file.ranges(selection, region).expect("a region of the file");
    assert!(file.source().missing(&again).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn regions_read_what_they_ask_for(
        (x, y, z) in (1usize..120, 1usize..70, 1usize..70),
        (from, to) in (prop::array::uniform3(0.0..1.0), prop::array::uniform3(0.0..1.0)),
        (level, frame, channel) in (0usize..2, 0usize..3, 0usize..3),
        brick in prop::sample::select(BrickSize::ALL),
        seed: u32,
    ) {
        let file = stored(Dims::new(x, y, z), brick, seed);
        let header = VolumeFile::new(&file[..]).expect("our own file").header().clone();
        let mip_level = level.min(header.mip_levels - 1);
        let dims = header.mip_level_dims(mip_level);
        let range = |side: usize, a: f64, b: f64| {
            let (a, b) = ((a * side as f64) as usize, (b * side as f64) as usize);
            a.min(b)..a.max(b) + 1
        };
        let region = Region {
            x: range(dims.x, from[0], to[0]),
            y: range(dims.y, from[1], to[1]),
            z: range(dims.z, from[2], to[2]),
        };
        let frames = (frame < 2).then(|| frame..frame + 1);
        let channel = Some(channel).filter(|&channel| channel < 2);
        let selection = Selection { mip_level, frames, channel };
        check(&file, &selection, &region);
    }
}

#[test]
fn the_papers_profile_reads_what_it_asks_for() {
    let dims = Dims::new(40, 21, 30);
    for second_level in [false, true] {
        let header = Header::new(VoxelType::U16, dims)
            .with(|header| header.profile = Profile::Guthe2016 { second_level });
        let mut writer = VolumeWriter::new(Vec::new(), &header, &BwvOptions::default()).expect("a header");
        writer.write_voxels(&voxels::<u16>(dims, 3, 5), &Task::new()).expect("memory");
        let file = writer.finish().expect("memory").0;
        check(&file, &Selection::default(), &Region { x: 3..9, y: 20..21, z: 0..30 });
    }
}

#[test]
fn damaged_files_give_the_same_errors() {
    let sound = stored(Dims::new(40, 24, 20), BrickSize::Four, 5);
    let region = Region::all(Dims::new(40, 24, 20));
    let outcome = |file: Result<Vec<u16>, VolumeReadError>| file.map_err(|error| error.to_string());
    let (mut kinds, mut damaged) = ([0; 2], sound.clone());
    let step = (sound.len() / 1500).max(1);
    let ends = (0..260).chain(sound.len() - 400..sound.len());
    for at in ends.chain((0..sound.len()).step_by(step)) {
        damaged[at] ^= 1 << (at % 8);
        let whole = VolumeFile::new(&damaged[..]).and_then(|file| file.read::<u16>(&region, &Task::new()));
        let by_parts = open(&damaged).and_then(|file| {
            supply(file.source(), &damaged, file.ranges(&Selection::default(), &region)?);
            file.read::<u16>(&region, &Task::new())
        });
        let (whole, by_parts) = (outcome(whole), outcome(by_parts));
        kinds[usize::from(whole.is_ok())] += 1;
        assert!(whole == by_parts, "byte {at}: {:?}, {:?}", whole.err(), by_parts.err());
        damaged[at] = sound[at];
    }
    assert!(kinds[0] > 500, "{kinds:?}");
    // The file is cut short.
    for length in (0..300).chain((300..sound.len()).step_by(step)) {
        let whole = VolumeFile::new(&sound[..length]).map(drop).map_err(|error| error.to_string());
        let by_parts = open(&sound[..length]).map(drop).map_err(|error| error.to_string());
        assert!(whole.is_err() && whole == by_parts, "{length} bytes: {whole:?}, {by_parts:?}");
    }
}

#[test]
fn bytes_are_taken_in_any_order_and_none_beyond_the_end() {
    let source = SuppliedBytes::new(10);
    assert_eq!(source.missing(&[2..4, 3..6, 8..8]), [2..6]);
    source.supply(4, [4, 5]).expect("inside");
    source.supply(2, [2, 3, 9, 9, 6]).expect("inside");
    assert_eq!(source.missing(&[0..10, 1..3]), [0..2, 7..10]);
    let mut found = [0; 5];
    source.read_exact_at(&mut found, 2).expect("supplied");
    assert_eq!(found, [2, 3, 4, 5, 6]);
    let gap = source.read_exact_at(&mut found, 3).expect_err("byte 7");
    assert_eq!(gap.kind(), io::ErrorKind::WouldBlock);
    assert!(gap.to_string().contains("bytes 7..8"), "{gap}");
    for (offset, count) in [(9, 2), (11, 0), (u64::MAX, 1)] {
        let beyond = source.supply(offset, vec![0; count]).expect_err("beyond the end");
        assert_eq!(beyond.kind(), io::ErrorKind::InvalidInput);
    }
    assert_eq!(
        source.read_exact_at(&mut found, 6).expect_err("the end").kind(),
        io::ErrorKind::UnexpectedEof
    );
    source.clear();
    assert_eq!(source.missing(&[0..10]), [0..10]);
}
