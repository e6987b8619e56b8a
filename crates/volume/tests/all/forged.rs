//! Files that no encoder writes, with correct checksums, made from any bytes. The fuzz target
//! `fuzz/fuzz_targets/forged.rs` includes this file.

use brickwork_volume::{
    AnyVoxels, BrickAddress, BrickCache, BrickSize, BwvOptions, Dims, Header, Profile, Region, Selection,
    Task, VolumeFile, VolumeView, Voxel, VoxelType, encode, half,
};
use std::{
    collections::HashMap,
    ops::Range,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

const TYPES: [VoxelType; 11] = [
    VoxelType::U8,
    VoxelType::I8,
    VoxelType::U16,
    VoxelType::I16,
    VoxelType::U32,
    VoxelType::I32,
    VoxelType::F32,
    VoxelType::U64,
    VoxelType::I64,
    VoxelType::F64,
    VoxelType::F16,
];

/// All profiles and sizes of bricks.
pub const CODINGS: [(Profile, BrickSize); 5] = [
    (Profile::Bricks, BrickSize::Four),
    (Profile::Bricks, BrickSize::Eight),
    (Profile::Bricks, BrickSize::Flat),
    (Profile::Guthe2016 { second_level: false }, BrickSize::Four),
    (Profile::Guthe2016 { second_level: true }, BrickSize::Four),
];

/// Voxels, channels and mip levels.
const SHAPES: [(Dims, usize, usize); 6] = [
    (Dims::new(1, 1, 1), 1, 1),
    (Dims::new(5, 3, 9), 2, 3),
    (Dims::new(17, 33, 1), 1, 1),
    (Dims::new(20, 20, 20), 1, 1),
    (Dims::new(40, 9, 37), 1, 2),
    (Dims::new(66, 34, 5), 3, 1),
];

/// Calls a function with a type of voxels that is known at run time.
macro_rules! with_type {
    ($type:expr, $function:ident($($argument:expr),*)) => {
        match $type {
            VoxelType::U8 => $function::<u8>($($argument),*),
            VoxelType::I8 => $function::<i8>($($argument),*),
            VoxelType::U16 => $function::<u16>($($argument),*),
            VoxelType::I16 => $function::<i16>($($argument),*),
            VoxelType::U32 => $function::<u32>($($argument),*),
            VoxelType::I32 => $function::<i32>($($argument),*),
            VoxelType::F32 => $function::<f32>($($argument),*),
            VoxelType::U64 => $function::<u64>($($argument),*),
            VoxelType::I64 => $function::<i64>($($argument),*),
            VoxelType::F64 => $function::<f64>($($argument),*),
            VoxelType::F16 => $function::<half::f16>($($argument),*),
        }
    };
}

/// File that an encoder wrote, and the positions of its parts.
struct Original {
    bytes: Vec<u8>,
    index: usize,
    /// Parts with a checksum in the index, and the position of each checksum.
    parts: Vec<(Range<usize>, usize)>,
}

/// Returns the original that the first bytes of a recipe choose.
fn original(kind: [u8; 4]) -> Arc<Original> {
    static MADE: LazyLock<Mutex<HashMap<[u8; 4], Arc<Original>>>> = LazyLock::new(Mutex::default);
    let [voxel_type, coding, shape, content] = kind;
    let kind = [voxel_type % TYPES.len() as u8, coding % 5, shape % 6, content % 4];
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let new = || Arc::new(with_type!(TYPES[usize::from(kind[0])], make(kind)));
    Arc::clone(made.entry(kind).or_insert_with(new))
}

fn make<T: Voxel>([_, coding, shape, content]: [u8; 4]) -> Original {
    let (profile, brick) = CODINGS[usize::from(coding)];
    let (dims, channels, mip_levels) = SHAPES[usize::from(shape)];
    let header = Header::new(T::TYPE, dims).with(|header| {
        header.profile = profile;
        header.brick = brick;
        header.channels = channels;
        header.mip_levels = mip_levels;
    });
    // The voxels are noise of few or many bits, few values, which get rank tables, or repeated patterns.
    let mut state = 9u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 32
    };
    let number = |i: usize| match content {
        0 => i as u64 / 3 + (random() & 7),
        1 => (random() << 32 | random()) & u64::MAX >> (64 - T::TYPE.bit_count()),
        2 => random() % 5 * 11,
        _ => u64::from((i / 4).is_multiple_of(5)),
    };
    let count = dims.number_count(channels).expect("small dims");
    let voxels: Vec<T> = (0..count).map(number).map(T::from_ordinal).collect();
    let mut bytes = Vec::new();
    let view = VolumeView::interleaved(&voxels, dims, channels).expect("as many as asked for");
    encode(view, &header, &BwvOptions::default(), &mut bytes, &Task::new()).expect("memory");
    let index = number_at(&bytes, bytes.len() - 32, 8);
    let parts = if profile == Profile::Bricks {
        parts_of_bricks(&bytes, index, &header)
    } else {
        parts_of_sections(&bytes, index, &header)
    };
    Original { bytes, index, parts }
}

fn number_at(bytes: &[u8], at: usize, count: usize) -> usize {
    bytes[at..at + count].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
}

/// Section 2.3 of docs/volume-format.md: rank tables, pattern tables and chunks.
fn parts_of_bricks(bytes: &[u8], index: usize, header: &Header) -> Vec<(Range<usize>, usize)> {
    let value_bytes = header.voxel_type.byte_count().min(4);
    let tables = number_at(bytes, index, 4) + number_at(bytes, index + 4, 4);
    let (mut parts, mut at) = (Vec::new(), index + 8);
    for _ in 0..tables {
        let start = number_at(bytes, at, 8);
        parts.push((start..start + number_at(bytes, at + 8, 4), at + 12));
        at += 16;
    }
    // Slabs come before chunks, whose entries fill the rest. Both have the order of the file, except that
    // tables may be between them: a chunk starts at the end of the previous chunk or of the tables there.
    let components = header.channels * header.voxel_type.word_count();
    let entry = 8 + 2 * value_bytes;
    let chunk_counts = chunk_counts(header);
    let mut entries = at + (8 + 8 * components) * chunk_counts.len();
    for chunks in chunk_counts {
        let mut start = number_at(bytes, at, 8);
        for _ in 0..chunks * components {
            let end = start + number_at(bytes, entries, 4);
            parts.push((start..end, entries + 4));
            (start, entries) = (end, entries + entry);
        }
        at += 8 + 8 * components;
    }
    assert_eq!(entries, bytes.len() - 32, "the index ends with the last chunk");
    parts
}

/// Returns the number of chunks of a component in each slab.
fn chunk_counts(header: &Header) -> Vec<usize> {
    let mut counts = Vec::new();
    for mip_level in 0..header.mip_levels {
        let dims = header.mip_level_dims(mip_level);
        let Dims { x, y, z } = header.brick.dims();
        let superblocks = [dims.x.div_ceil(4 * x), dims.y.div_ceil(4 * y), dims.z.div_ceil(4 * z)];
        let mut sides = [1; 3];
        for _ in 0..3 {
            let larger = (0..3).filter(|&axis| sides[axis] < superblocks[axis]);
            let Some(axis) = larger.min_by_key(|&axis| sides[axis]) else { break };
            sides[axis] *= 2;
        }
        let chunks = [0, 1, 2].map(|axis| superblocks[axis].div_ceil(sides[axis]));
        counts.extend((0..chunks[2]).map(|_| chunks[0] * chunks[1]));
    }
    counts
}

/// Section 6 of the same document: pieces of the payload, the offsets and the tile numbers of each section.
fn parts_of_sections(bytes: &[u8], index: usize, header: &Header) -> Vec<(Range<usize>, usize)> {
    let (mut parts, mut at) = (Vec::new(), index);
    for mip_level in 0..header.mip_levels {
        let bricks = header.mip_level_dims(mip_level).covered_by(Dims::cube(4));
        let tiles = bricks.covered_by(Dims::cube(4));
        let [bricks, tiles] = [bricks, tiles].map(|dims| dims.voxel_count().expect("small dims"));
        for _ in 0..header.channels * header.voxel_type.word_count() {
            let (start, payload) = (number_at(bytes, at, 8), number_at(bytes, at + 8, 8));
            let stored = number_at(bytes, at + 16, 4);
            let bits = [bytes[at + 20], bytes[at + 21]].map(usize::from);
            let offsets = if header.profile == (Profile::Guthe2016 { second_level: true }) {
                64 * stored
            } else {
                bricks
            };
            let lengths = [payload, (offsets * bits[0]).div_ceil(8), (tiles * bits[1]).div_ceil(8)];
            at += 24;
            let mut from = start;
            for length in lengths {
                let end = from + length;
                while from < end {
                    let until = end.min(from + 65536);
                    parts.push((from..until, at));
                    (from, at) = (until, at + 4);
                }
            }
        }
    }
    assert_eq!(at, bytes.len() - 32, "the index ends with the last checksum");
    parts
}

/// Returns a file from the bytes of a recipe. Four bytes choose the original. The next one chooses what
/// changes: the header, the index, or in most cases the parts that they refer to. Each four bytes after these
/// make one change.
pub fn file(recipe: &[u8]) -> Vec<u8> {
    let Some((&[a, b, c, d, place], changes)) = recipe.split_first_chunk() else {
        return recipe.to_vec();
    };
    let Original { bytes, index, parts } = &*original([a, b, c, d]);
    let (mut file, footer) = (bytes.clone(), bytes.len() - 32);
    let area = match place {
        0..16 => 10..176,
        16..48 => *index..footer,
        _ => 184..*index,
    };
    for &[low, high, operation, value] in changes.as_chunks::<4>().0 {
        let scaled = |number: u16| area.start + usize::from(number) * area.len() / 65536;
        let Some(at) = area.clone().nth(scaled(u16::from_le_bytes([low, high])) - area.start) else {
            continue;
        };
        match operation % 4 {
            0 => file[at] ^= value,
            1 => file[at] = value,
            2 => file[at] = file[at].wrapping_add(value),
            _ => {
                // Copies eight bytes from another position.
                let from = scaled(u16::from(value) << 8);
                let count = 8.min(area.end - at).min(area.end - from);
                file.copy_within(from..from + count, at);
            }
        }
    }
    // Corrects checksums from the inside out: of parts, of header and index, of the footer.
    for (part, at) in parts {
        let crc = crc32c::crc32c(&file[part.clone()]);
        file[*at..at + 4].copy_from_slice(&crc.to_le_bytes());
    }
    let crc = crc32c::crc32c(&file[..180]);
    file[180..184].copy_from_slice(&crc.to_le_bytes());
    let crc = crc32c::crc32c(&file[*index..footer]);
    file[footer + 16..footer + 20].copy_from_slice(&crc.to_le_bytes());
    let crc = crc32c::crc32c_append(crc32c::crc32c(&file[180..184]), &file[footer..footer + 20]);
    file[footer + 20..footer + 24].copy_from_slice(&crc.to_le_bytes());
    file
}

/// Opens, verifies and reads a file in every way. Any result must come soon and without a panic. Returns
/// whether the file could be opened, and whether all of it could be read.
pub fn read(bytes: Vec<u8>) -> (bool, bool) {
    let Ok(file) = VolumeFile::new(bytes) else { return (false, false) };
    let mut is_sound = file.verify(&Task::new()).is_ok_and(|errors| errors.is_empty());
    for mip_level in 0..file.header().mip_levels {
        let dims = file.header().mip_level_dims(mip_level);
        let part = |side: usize, last: bool| {
            let most = side.min(72);
            if last { side - most..side } else { 0..most }
        };
        for last in [false, true] {
            let region = Region { x: part(dims.x, last), y: part(dims.y, last), z: part(dims.z, last) };
            let selection = Selection { mip_level, frames: Some(0..1), channel: None };
            let mut voxels = AnyVoxels::new(file.header().voxel_type);
            is_sound &= file.read_any(&selection, &region, &mut voxels, &Task::new()).is_ok();
        }
    }
    let cache = BrickCache::new(file, 1 << 20);
    with_type!(cache.file().header().voxel_type, read_bricks(&cache));
    (true, is_sound)
}

fn read_bricks<T: Voxel>(cache: &BrickCache<Vec<u8>>) {
    let header = cache.file().header();
    let mut brick = vec![T::from_ordinal(0); header.brick.voxel_count()];
    for (channel, mip_level) in (0..header.channels).flat_map(|c| (0..header.mip_levels).map(move |m| (c, m)))
    {
        let bricks = cache.bricks(mip_level);
        for i in 0..64.min(bricks.x.saturating_mul(bricks.y).saturating_mul(bricks.z)) {
            let (x, y, z) = bricks.position(i);
            let address = BrickAddress { channel, mip_level, ..BrickAddress::at(x, y, z) };
            // Either an error or any voxels.
            let _ = cache.read_brick(address, &mut brick);
        }
    }
}
