//! Damaged files: every flipped bit is found, nothing panics, and no allocation has a size that only the file
//! claims.

use crate::{common, forged};
use brickwork_volume::{
    BwvError, BwvOptions, Dims, Header, Profile, Region, Selection, Task, VolumeFile, VolumeReadError,
    VolumeView, VoxelType, encode,
};

/// Start of the parts in these small files.
const BODY: usize = 188;

/// Returns a small file with a rank table, a pattern table, two slabs and metadata.
fn small_file() -> (Vec<u8>, Dims) {
    let dims = Dims::new(5, 3, 130);
    let header = Header::new(VoxelType::U16, dims).with(|header| header.metadata = "{}".into());
    (file_of(&header), dims)
}

fn file_of(header: &Header) -> Vec<u8> {
    let Dims { x, y, z } = header.dims;
    let mut voxels = common::voxels::<u16>(Dims::new(x * header.channels, y, z), 5, 3);
    voxels.iter_mut().for_each(|voxel| *voxel = *voxel % 40 * 9);
    let mut file = Vec::new();
    let volume = VolumeView::interleaved(&voxels, header.dims, header.channels).expect("the right length");
    encode(volume, header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
    file
}

/// Returns the start of the index.
fn index_of(file: &[u8]) -> usize {
    u64::from_le_bytes(file[file.len() - 32..][..8].try_into().expect("eight bytes")) as usize
}

/// Returns the number of rank tables and of pattern tables.
fn table_counts(file: &[u8]) -> [usize; 2] {
    [0, 4].map(|at| {
        let count = file[index_of(file) + at..].first_chunk().expect("four bytes");
        u32::from_le_bytes(*count) as usize
    })
}

/// True if opening, verifying and reading all find the file sound.
fn is_sound(bytes: &[u8]) -> bool {
    match VolumeFile::new(bytes) {
        Err(VolumeReadError::Format(_)) => false,
        Err(other) => panic!("{other}"),
        Ok(file) => {
            let errors = file.verify(&Task::new()).expect("no other errors");
            let read = (0..file.header().mip_levels).try_for_each(|level| {
                let region = Region::all(file.header().mip_level_dims(level));
                let selection = Selection { mip_level: level, ..Selection::default() };
                file.read_selected::<u16>(&selection, &region, &Task::new()).map(drop)
            });
            assert_eq!(errors.is_empty(), read.is_ok(), "{errors:?}");
            read.is_ok()
        }
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let (file, dims) = small_file();
    assert_eq!(table_counts(&file), [1, 1]);
    let plain = Header::new(VoxelType::U16, dims).with(|header| header.metadata = "{}".into());
    let small = Dims::new(5, 6, 9);
    for header in [
        plain.clone(),
        plain.clone().with(|header| {
            header.dims = small;
            header.channels = 2;
            header.mip_levels = 3;
        }),
        plain.clone().with(|header| {
            header.dims = small;
            header.profile = Profile::Guthe2016 { second_level: false };
        }),
        plain.with(|header| {
            header.dims = small;
            header.profile = Profile::Guthe2016 { second_level: true };
            header.mip_levels = 2;
        }),
    ] {
        let file = file_of(&header);
        assert!(is_sound(&file));
        for bit in 0..8 * file.len() {
            let mut file = file.clone();
            file[bit / 8] ^= 1 << (bit % 8);
            assert!(!is_sound(&file), "bit {} of byte {}: {header:?}", bit % 8, bit / 8);
        }
    }
}

#[test]
fn truncated_and_lengthened_files_are_refused() {
    let (file, _) = small_file();
    for end in 0..file.len() {
        assert!(!is_sound(&file[..end]), "the first {end} bytes");
    }
    let error = VolumeFile::new(&file[..file.len() - 1]).expect_err("cut");
    assert!(
        matches!(error, VolumeReadError::Format(BwvError::Cut(end)) if end == file.len() as u64 - 1),
        "{error}"
    );
    for more in [1, 32, 1000] {
        let mut file = file.clone();
        file.resize(file.len() + more, 0);
        assert!(!is_sound(&file));
    }
}

/// Returns a file with a header with correct checksums, and an index and a footer that fit it as well as they
/// can.
fn forged(dims: [u64; 3]) -> Vec<u8> {
    let (file, _) = small_file();
    let mut file = file[..BODY].to_vec();
    for (i, side) in dims.into_iter().enumerate() {
        file[16 + 8 * i..24 + 8 * i].copy_from_slice(&side.to_le_bytes());
    }
    let crc = crc32c::crc32c_append(crc32c::crc32c(&file[..180]), &file[184..]);
    file[180..184].copy_from_slice(&crc.to_le_bytes());
    let index = [0; 4 + 12 + 8];
    file.extend_from_slice(&index);
    let mut footer = Vec::new();
    footer.extend_from_slice(&(BODY as u64).to_le_bytes());
    footer.extend_from_slice(&(index.len() as u64).to_le_bytes());
    footer.extend_from_slice(&crc32c::crc32c(&index).to_le_bytes());
    let crc = crc32c::crc32c_append(crc32c::crc32c(&file[180..184]), &footer);
    footer.extend_from_slice(&crc.to_le_bytes());
    footer.extend_from_slice(b"BWV end\n");
    file.extend_from_slice(&footer);
    file
}

#[test]
fn headers_that_ask_for_petabytes_are_refused() {
    for dims in [[1 << 20, 1 << 20, 1 << 12], [u64::MAX; 3], [u64::MAX, 1, 1], [1, 1, 1 << 60]] {
        match VolumeFile::new(forged(dims)) {
            Err(VolumeReadError::Format(
                BwvError::Short { .. } | BwvError::Value { .. } | BwvError::Shape(_),
            )) => {}
            other => panic!("{dims:?}: {other:?}"),
        }
    }
    let zero = VolumeFile::new(forged([0, 1, 1])).expect_err("no voxels");
    assert_eq!(zero.to_string(), "a side of the volume at byte 16 holds 0, which is not allowed");
}

/// A brick of the profile guthe2016 may be shared by all bricks, so a sound file of a few hundred bytes can
/// have 2⁶⁰ voxels.
#[test]
fn small_files_of_many_bricks_are_verified_at_once() {
    let side = 1u64 << 20;
    for second_level in [false, true] {
        let dims = Dims::new(4, 4, 4);
        let header = Header::new(VoxelType::U16, dims)
            .with(|header| header.profile = Profile::Guthe2016 { second_level });
        let mut file = Vec::new();
        let volume = VolumeView::new(&[7u16; 64], dims).expect("64 voxels");
        encode(volume, &header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
        for at in [16, 24, 32] {
            file[at..at + 8].copy_from_slice(&side.to_le_bytes());
        }
        let crc = crc32c::crc32c(&file[..180]);
        file[180..184].copy_from_slice(&crc.to_le_bytes());
        fix_checksums(&mut file);
        let file = VolumeFile::new(file).expect("sound");
        assert_eq!(file.header().dims, Dims::new(1 << 20, 1 << 20, 1 << 20));
        assert_eq!(file.verify(&Task::new()).expect("memory"), []);
        let voxels = file.read::<u16>(&Region { x: 5..6, y: 1 << 19..(1 << 19) + 2, z: 0..1 }, &Task::new());
        assert_eq!(voxels.expect("sound"), [7; 2]);
    }
}

#[test]
fn numbers_of_tiles_that_are_not_stored_are_refused() {
    // Three tiles of 16 voxels along x, with numbers of two bits.
    let dims = Dims::new(48, 4, 4);
    let profile = Profile::Guthe2016 { second_level: true };
    let header = Header::new(VoxelType::U16, dims).with(|header| header.profile = profile);
    let voxels: Vec<u16> = (0..48 * 4 * 4).map(|i| i % 48 / 4 * 9).collect();
    let mut file = Vec::new();
    let volume = VolumeView::new(&voxels, dims).expect("the right length");
    encode(volume, &header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
    assert!(is_sound(&file));
    let footer = file.len() - 32;
    let index = u64::from_le_bytes(file[footer..][..8].try_into().expect("eight bytes")) as usize;
    assert_eq!(file[index - 1], 0b10_01_00);
    file[index - 1] = 0b11_01_00;
    let crc = crc32c::crc32c(&[0b11_01_00]);
    file[footer - 4..footer].copy_from_slice(&crc.to_le_bytes());
    fix_checksums(&mut file);
    assert!(!is_sound(&file));
}

/// Verifies a piece of 64 KiB that contains no brick, after the pieces with bricks.
#[test]
fn pieces_that_no_brick_names_are_verified() {
    const PIECE: usize = 1 << 16;
    let profile = Profile::Guthe2016 { second_level: false };
    let header = Header::new(VoxelType::U16, Dims::new(9, 5, 7)).with(|header| header.profile = profile);
    let file = file_of(&header);
    let (index, footer) = (index_of(&file), file.len() - 32);
    let number = |at: usize| u64::from_le_bytes(*file[at..].first_chunk().expect("eight bytes")) as usize;
    let (start, payload) = (number(index), number(index + 8));
    assert!(payload > 0 && payload < PIECE);
    // The payload grows to two pieces: the first has the bricks and zeros, the second has zeros.
    let mut pieces = file[start..start + payload].to_vec();
    pieces.resize(2 * PIECE, 0);
    let mut forged = [&file[..start], &pieces, &file[start + payload..index]].concat();
    let new_index = forged.len();
    forged.extend((start as u64).to_le_bytes());
    forged.extend((2 * PIECE as u64).to_le_bytes());
    forged.extend(&file[index + 16..index + 24]);
    for piece in pieces.chunks(PIECE) {
        forged.extend(crc32c::crc32c(piece).to_le_bytes());
    }
    forged.extend(&file[index + 28..footer]);
    let new_footer = forged.len();
    forged.extend((new_index as u64).to_le_bytes());
    forged.extend(((new_footer - new_index) as u64).to_le_bytes());
    forged.extend(&file[footer + 16..]);
    fix_checksums(&mut forged);
    assert!(is_sound(&forged));
    forged[start + PIECE + 1000] ^= 4;
    let errors =
        VolumeFile::new(forged.as_slice()).expect("opens").verify(&Task::new()).expect("no other errors");
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(matches!(errors[0], BwvError::Checksum { .. }), "{errors:?}");
}

#[test]
fn regions_outside_and_wrong_types_are_refused() {
    let (file, dims) = small_file();
    let file = VolumeFile::new(file).expect("sound");
    for x in [dims.x..dims.x + 1, 3..3, 0..usize::MAX] {
        let region = Region { x, y: 0..1, z: 0..1 };
        assert!(file.read::<u16>(&region, &Task::new()).is_err(), "{region}");
    }
    assert!(matches!(file.read::<i16>(&Region::all(dims), &Task::new()), Err(VolumeReadError::Type { .. })));
}

/// Corrects the checksums of index and footer.
fn fix_checksums(file: &mut [u8]) {
    let footer = file.len() - 32;
    let index = u64::from_le_bytes(file[footer..][..8].try_into().expect("eight bytes")) as usize;
    let crc = crc32c::crc32c(&file[index..footer]);
    file[footer + 16..footer + 20].copy_from_slice(&crc.to_le_bytes());
    let crc = crc32c::crc32c_append(crc32c::crc32c(&file[180..184]), &file[footer..footer + 20]);
    file[footer + 20..footer + 24].copy_from_slice(&crc.to_le_bytes());
}

/// Refuses an index with correct checksums that moves a part or makes it longer.
#[test]
fn parts_that_do_not_fill_the_file_are_refused() {
    let (bricks, dims) = small_file();
    let plain = Header::new(VoxelType::U16, dims).with(|header| header.metadata = "{}".into());
    let paper = file_of(&plain.with(|header| header.profile = Profile::Guthe2016 { second_level: true }));
    // Positions of offsets and lengths in the index: of both tables, both slabs and a chunk; of a section and
    // its payload.
    let (bricks_at, paper_at): (&[usize], &[usize]) = (&[8, 16, 24, 40, 56, 72], &[0, 8]);
    for (file, places) in [(bricks, bricks_at), (paper, paper_at)] {
        let index = index_of(&file);
        for place in places {
            for step in [1, 0xff] {
                let mut file = file.clone();
                file[index + place] = file[index + place].wrapping_add(step);
                fix_checksums(&mut file);
                match VolumeFile::new(file) {
                    Err(VolumeReadError::Format(BwvError::Value { .. } | BwvError::Short { .. })) => {}
                    other => panic!("byte {place} of the index: {other:?}"),
                }
            }
        }
    }
}

/// Position of the first chunk's entry in the index of [`small_file`].
const FIRST_ENTRY: usize = 8 + 2 * 16 + 2 * 16;

/// Finds values of a chunk that contradict the index.
#[test]
fn wrong_least_and_largest_values_are_found() {
    let (file, _) = small_file();
    let index = index_of(&file);
    for (at, step) in [(8, 1), (10, 1), (10, 0xff)] {
        let mut file = file.clone();
        let byte = &mut file[index + FIRST_ENTRY + at];
        *byte = byte.wrapping_add(step);
        fix_checksums(&mut file);
        let errors = VolumeFile::new(file).expect("a sound index").verify(&Task::new()).expect("memory");
        assert!(matches!(errors[..], [BwvError::Structure { .. }]), "{at}: {errors:?}");
    }
    // A chunk without bytes has one value, and only such a chunk. The smallest value is not above the
    // largest.
    for (at, step) in [(8, 0xff), (9, 0xff)] {
        let mut file = file.clone();
        let byte = &mut file[index + FIRST_ENTRY + at];
        *byte = byte.wrapping_add(step);
        fix_checksums(&mut file);
        assert!(
            matches!(VolumeFile::new(file), Err(VolumeReadError::Format(BwvError::Value { .. }))),
            "{at}"
        );
    }
}

/// Decodes bytes that no encoder writes, with correct checksums, to some voxels or an error, without a panic.
#[test]
fn forged_parts_do_not_panic() {
    let (file, dims) = small_file();
    let index = index_of(&file);
    let number = |at: usize, bytes: usize| {
        file[at..at + bytes].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
    };
    // Position of a part's start and of its length, which the checksum follows: for the rank table, the
    // pattern table and the first chunk.
    for (start, length_at) in [(8, 16), (24, 32), (40, FIRST_ENTRY)] {
        let (start, length_at) = (number(index + start, 8), index + length_at);
        let part = start..start + number(length_at, 4);
        let mut broken = 0;
        for byte in part.clone() {
            for flip in [1, 0x10, 0x80, 0xff] {
                let mut file = file.clone();
                file[byte] ^= flip;
                let crc = crc32c::crc32c(&file[part.clone()]);
                file[length_at + 4..length_at + 8].copy_from_slice(&crc.to_le_bytes());
                fix_checksums(&mut file);
                let file = VolumeFile::new(file).expect("a sound index");
                broken += usize::from(file.read::<u16>(&Region::all(dims), &Task::new()).is_err());
            }
        }
        assert!(broken > 0, "no forged byte at {part:?} broke a rule");
    }
}

/// The same with many files of every type, brick and profile, and with forged headers and indices.
/// `BRICKWORK_FORGED` sets their number.
#[test]
fn forged_files_do_not_panic() {
    let count = std::env::var("BRICKWORK_FORGED").map_or(4000, |count| count.parse().expect("a number"));
    let mut state = 5u64;
    let (mut opened, mut sound) = (0, 0);
    for _ in 0..count {
        let mut recipe = [0; 5 + 4 * 6];
        for byte in &mut recipe {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *byte = (state >> 56) as u8;
        }
        // There are one to six changes.
        let length = 5 + 4 * (1 + usize::from(recipe[0]) % 6);
        let (is_open, is_sound) = forged::read(forged::file(&recipe[..length]));
        (opened, sound) = (opened + usize::from(is_open), sound + usize::from(is_sound));
    }
    println!("of {count} files {opened} were opened, {sound} sound");
    assert!(opened > count / 2 && sound > count / 20 && sound < opened);
    // Unchanged files are sound.
    for kind in 0..=255 {
        assert_eq!(forged::read(forged::file(&[kind, kind / 3, kind / 5, kind, 99])), (true, true));
    }
}

/// Metadata is a JSON object, or empty.
#[test]
fn metadata_of_another_kind_is_found() {
    for (metadata, is_sound) in [("", true), ("{\"a\":[1]}", true), ("[1]", false), ("no JSON", false)] {
        let header = Header::new(VoxelType::U16, Dims::new(5, 3, 2)).with(|h| h.metadata = metadata.into());
        let file = VolumeFile::new(file_of(&header)).expect("a file");
        let errors = file.verify(&Task::new()).expect("no error of the disk");
        let is_found = matches!(&errors[..], [error] if error.to_string().contains("metadata"));
        assert_eq!((errors.is_empty(), is_found), (is_sound, !is_sound), "{metadata}: {errors:?}");
    }
}
