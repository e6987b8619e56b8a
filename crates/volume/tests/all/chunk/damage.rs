//! Damaged chunks: every changed or missing byte is found, nothing panics, and no allocation has a size that
//! only the chunk states.

use super::{Sample, forged, room};
use brickwork_volume::{
    BrickSize, ChunkError, ChunkReader, ChunkShape, Dims, ErrorKind, Region, Strides, Task, VoxelType,
    decode_chunk,
};

/// Returns a small chunk with a rank table, a pattern table, an extent and two slabs.
fn small() -> (Sample, Vec<u8>) {
    let shape = ChunkShape::new(VoxelType::U16, Dims::new(5, 4, 140));
    let sample = Sample::new(shape, Dims::new(5, 3, 130), 5, 3, 9);
    let sample = sample.with_numbers(|n| if n == 9 { 9 } else { n % 40 * 9 });
    let chunk = sample.encode(BrickSize::Four);
    (sample, chunk)
}

fn decode(chunk: &[u8], shape: &ChunkShape) -> Result<Vec<u8>, ChunkError> {
    let (mut voxels, strides) = room(shape, &Region::all(shape.dims()));
    decode_chunk(chunk, shape, &mut voxels, &strides, &Task::new()).map(|()| voxels)
}

/// Returns the range of the index, and the version, size and checksum that `index` would have.
fn with_index(chunk: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let width = usize::from(chunk[chunk.len() - 1] >> 4);
    let size_at = chunk.len() - 1 - width;
    let size = chunk[size_at..chunk.len() - 1].iter().rev().fold(0, |n, &byte| n << 8 | usize::from(byte));
    let start = size_at - 4 - size;
    let mut index = chunk[start..start + size].to_vec();
    change(&mut index);
    let crc = crc32c::crc32c(&index).to_le_bytes();
    let size = (index.len() as u32).to_le_bytes();
    [&chunk[..start], &index, &crc, &size, &[0x41]].concat()
}

#[test]
fn every_changed_byte_is_found() {
    let (sample, chunk) = small();
    assert!(decode(&chunk, &sample.shape).expect("our own chunk") == sample.voxels);
    let constant = Sample::new(sample.shape, Dims::new(0, 0, 0), 1, 1, 3).encode(BrickSize::Four);
    let eight = sample.encode(BrickSize::Eight);
    for chunk in [chunk, constant, eight] {
        for at in 0..chunk.len() {
            for change in [1, 3, 0x10, 0x80, 0xff] {
                let mut damaged = chunk.clone();
                damaged[at] ^= change;
                let error = decode(&damaged, &sample.shape).expect_err("damaged");
                let kind = error.kind();
                assert!(matches!(kind, ErrorKind::Invalid | ErrorKind::Unsupported), "{at}: {error}");
            }
        }
    }
}

#[test]
fn other_versions_are_refused() {
    let (sample, chunk) = small();
    for version in [0, 2, 15] {
        let mut other = chunk.clone();
        let last = chunk.len() - 1;
        (other[0], other[last]) = (version, chunk[last] & 0xf0 | version);
        let error = decode(&other, &sample.shape).expect_err("another version");
        assert!(matches!(error, ChunkError::Version(found) if found == version), "{error}");
    }
}

#[test]
fn missing_and_additional_bytes_are_found() {
    let (sample, chunk) = small();
    for end in 0..chunk.len() {
        for cut in [&chunk[..end], &chunk[chunk.len() - end..]] {
            let error = decode(cut, &sample.shape).expect_err("cut");
            assert_eq!(error.kind(), ErrorKind::Invalid, "{end}: {error}");
        }
        let longer = [&chunk[..end], &[7], &chunk[end..]].concat();
        assert!(decode(&longer, &sample.shape).is_err(), "{end}");
    }
    let cut = decode(&chunk[1..], &sample.shape).expect_err("cut");
    let (need, have) = (chunk.len(), chunk.len() - 1);
    let expected = format!("the chunk has {have} bytes, expected {need}: it was cut short or extended");
    assert_eq!(cut.to_string(), expected);
}

/// Any byte of the index, with a right checksum: an error or other voxels.
#[test]
fn forged_indexes_do_not_panic() {
    let (sample, chunk) = small();
    let mut index_bytes = 0;
    assert!(decode(&with_index(&chunk, |_| ()), &sample.shape).is_ok());
    for at in 0.. {
        let mut is_inside = false;
        for value in 0..=255 {
            let forged = with_index(&chunk, |index| {
                if let Some(byte) = index.get_mut(at) {
                    (*byte, is_inside) = (value, true);
                }
            });
            if let Ok(reader) = ChunkReader::new(&forged[..], &sample.shape) {
                let (mut voxels, strides) = room(&sample.shape, &Region::all(sample.shape.dims()));
                let _ = reader.read_region(
                    &Region::all(sample.shape.dims()),
                    &mut voxels,
                    &strides,
                    &Task::new(),
                );
            }
        }
        if !is_inside {
            break;
        }
        index_bytes += 1;
    }
    assert!(index_bytes > 20, "{index_bytes}");
}

#[test]
fn fields_out_of_range_are_named() {
    let (sample, chunk) = small();
    let text = |change: fn(&mut Vec<u8>)| {
        let error = decode(&with_index(&chunk, change), &sample.shape).expect_err("forged");
        assert_eq!(error.kind(), ErrorKind::Invalid);
        error.to_string()
    };
    let rule = "the chunk's index breaks the format's rules:";
    assert_eq!(text(|index| index[0] = 0x53), format!("{rule} the first byte at byte 0 of the index is 83"));
    let channels = "the chunk holds 5×4×140 u16 with 2 channels, but the array's chunks are 5×4×140 u16";
    assert_eq!(text(|index| index[0] |= 4), channels);
    for (side, value) in [(0, 0), (6, 6)] {
        let expected = format!("{rule} a side of the extent at byte 1 of the index is {value}");
        let found = if side == 0 { text(|index| index[1] = 0) } else { text(|index| index[1] = 6) };
        assert_eq!(found, expected);
    }
    let rest = text(|index| index.extend([1, 2]));
    assert!(rest.contains("the number of bytes after the last field") && rest.ends_with("is 2"), "{rest}");
}

/// Sizes and counts that would need terabytes, in chunks of some bytes.
#[test]
fn stated_sizes_are_not_allocated() {
    let chunk = |index: &[u8]| {
        let crc = crc32c::crc32c(index).to_le_bytes();
        [&[1], index, &crc, &[index.len() as u8, 0x11]].concat()
    };
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    let shape = ChunkShape::new(VoxelType::U16, Dims::cube(1 << 19));
    let small = ChunkShape::new(VoxelType::U16, Dims::cube(4));
    for (shape, index, expected) in [
        (small, [&[0], &huge[..]].concat(), "the number of rank tables"),
        (small, [&[0, 0], &huge[..]].concat(), "the number of pattern tables"),
        (small, [&[0, 0, 0, 0, 0], &huge[..], &[0; 4]].concat(), "the size of an inner chunk"),
        // A byte more than 1 MiB.
        (small, [&[0, 1, 0, 0x81, 0x80, 0x40], &[0; 7][..]].concat(), "the size of a table"),
        // Too few slabs.
        (shape, vec![0; 5], "a rank table's number"),
    ] {
        let error = ChunkReader::new(chunk(&index), &shape).expect_err("forged");
        assert!(matches!(error, ChunkError::Index { field, .. } if field == expected), "{error}");
    }
    // A valid chunk of 2⁵⁷ voxels: its window takes a window's memory.
    let reader = ChunkReader::new(chunk(&[0x20, 7, 0]), &shape).expect("a constant chunk");
    let region = Region { x: 1 << 18..(1 << 18) + 2, y: 3..4, z: 5..6 };
    let mut voxels = [0; 4];
    reader.read_region(&region, &mut voxels, &Strides::dense(region.dims(), 1), &Task::new()).expect("7");
    assert_eq!(voxels, [7, 0, 7, 0]);
    let beyond = ChunkShape::new(VoxelType::U64, Dims::cube(1 << 21));
    assert_eq!(ChunkReader::new(chunk(&[0x20]), &beyond).expect_err("2⁶⁶ bytes").kind(), ErrorKind::Argument);
}

/// Damaged parts and indexes with right checksums: an error or other voxels.
#[test]
fn forged_chunks_do_not_panic() {
    let mut random = 1u32;
    for length in (0..3000).map(|i| 3 + i % 12) {
        let byte = || {
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            (random >> 7) as u8
        };
        forged::read(&std::iter::repeat_with(byte).take(length).collect::<Vec<u8>>());
    }
}
