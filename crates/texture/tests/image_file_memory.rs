//! Tests that reading image files stays within the memory limit. An allocator counts the bytes.
//!
//! This program has only one test, because the allocations of parallel tests cannot be separated.

use brickwork_image::image_file::{ImageReadOptions, PngTexels, write_png};
use brickwork_texture::{ColorSpace, ErrorKind, Task, pictures::read};
use image::ImageFormat;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    io::Cursor,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

#[path = "../../formats/tests/all/claimed_tiff.rs"]
mod claimed_tiff;
#[path = "all/corpus.rs"]
mod corpus;

/// Counts bytes in use and their peak.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    PEAK.fetch_max(IN_USE.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

// SAFETY: every call is passed on to `System` with the caller's own arguments. Counting does not touch memory
// that is handed out, and does not allocate.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // Counted as if old and new memory existed together, which is possible.
        add(new_size);
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the result of `action`, and the peak of bytes in use beyond those in use before.
fn peak<T>(action: impl FnOnce() -> T) -> (T, u64) {
    let before = IN_USE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = action();
    (result, (PEAK.load(Relaxed) - before) as u64)
}

/// Maximum bytes of fixed buffers (windows, tables, a few rows) that decoders may use beyond the counted
/// bytes.
const SLACK: u64 = 1 << 20;

/// Files of 1000×700 texels.
fn larger_files() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for image in corpus::patterned(1000, 700) {
        for format in [
            ImageFormat::Png,
            ImageFormat::Jpeg,
            ImageFormat::Tga,
            ImageFormat::Bmp,
            ImageFormat::Tiff,
            ImageFormat::WebP,
            ImageFormat::Pnm,
        ] {
            let mut file = Cursor::new(Vec::new());
            if image.write_to(&mut file, format).is_ok() {
                files.push((format!("{format:?} {:?}", image.color()), file.into_inner()));
            }
        }
    }
    for (name, format, level) in [
        ("Ktx2", 37, vec![3u8; 1000 * 700 * 4]),
        ("Ktx2 BC1", 133, vec![3; 250 * 175 * 8]),
        ("Ktx2 BC7", 145, vec![3; 250 * 175 * 16]),
        ("Ktx2 floats", 109, vec![3; 1000 * 700 * 16]),
    ] {
        for zstd in [None, Some(3)] {
            let levels: &[&[u8]] = &[&level];
            let file = corpus::Ktx2 { zstd, levels, ..corpus::Ktx2::new(format, 1000, 700) };
            files.push((format!("{name} {zstd:?}"), file.bytes()));
        }
    }
    // A colour map of 256 entries of 24 bits, then 8-bit indices.
    let mut mapped = vec![0, 1, 1, 0, 0, 0, 1, 24, 0, 0, 0, 0, 0xe8, 3, 0xbc, 2, 8, 0x20];
    mapped.resize(18 + 256 * 3 + 1000 * 700, 7);
    files.push(("Tga with a colour map".into(), mapped));
    let indices = vec![7; 1000 * 700];
    for (bits, compression) in [(1, 1), (8, 5), (16, 8)] {
        let map = corpus::color_map(bits);
        let indices = if bits == 1 { vec![1; 1000 * 700] } else { indices.clone() };
        let tiff = corpus::PaletteTiff {
            bits,
            compression,
            map: &map,
            ..corpus::PaletteTiff::new([1000, 700], &indices)
        };
        files.push((format!("Tiff palette of {bits} bits"), tiff.bytes()));
    }
    files
}

#[test]
fn reading_stays_within_the_limit() {
    // One copy of the texels and small buffers.
    let side = 3000u32;
    let texels: Vec<[u8; 3]> = (0..side * side).map(|i| [(i % side) as u8, (i / side) as u8, 7]).collect();
    let mut file = Vec::new();
    let ((), writing) = peak(|| {
        file.reserve_exact(40 << 20);
        write_png(&mut file, side, side, PngTexels::Rgb8(&texels), ColorSpace::Srgb, &Task::new()).unwrap();
    });
    assert!(writing < (40 << 20) + SLACK, "write_png took {writing} bytes");
    let texel_bytes = u64::from(side) * u64::from(side) * 3;
    let mut options = ImageReadOptions::default();
    let (picture, reading) = peak(|| read(Cursor::new(&file), None, &options, &Task::new()).unwrap());
    assert!(matches!(&picture.texels, brickwork_image::image_file::Texels::Rgb8(read) if *read == texels));
    assert!(reading < texel_bytes + SLACK, "{reading} bytes for {texel_bytes} of texels");
    drop(picture);

    // A limit just below gives an error without allocations.
    options.max_memory = texel_bytes - 1;
    let (error, reading) = peak(|| read(Cursor::new(&file), None, &options, &Task::new()).unwrap_err());
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(reading < SLACK, "{reading}");

    // The counted bytes are the used bytes: with the lowest limit under which a file is read, its peak does
    // not exceed that limit.
    for (name, bytes) in larger_files() {
        let (mut refused, mut read_with) = (0u64, 1u64 << 30);
        while read_with - refused > 1 << 16 {
            options.max_memory = (refused + read_with) / 2;
            match read(Cursor::new(&bytes), None, &options, &Task::new()) {
                Ok(_) => read_with = options.max_memory,
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Limit, "{name}: {error}");
                    refused = options.max_memory;
                }
            }
        }
        options.max_memory = read_with;
        let (_, reading) = peak(|| read(Cursor::new(&bytes), None, &options, &Task::new()).unwrap());
        assert!(reading <= read_with + SLACK, "{name}: {reading} bytes with a limit of {read_with}");
    }

    // Headers that claim huge sizes.
    for max_memory in [1u64 << 20, 100 << 20, 4 << 30] {
        options.max_memory = max_memory;
        for side in [0u32, 300, 2000, 1 << 14, 0xffff, 1 << 24, 1 << 31, u32::MAX] {
            for (name, bytes) in corpus::with_sides(side) {
                let (result, reading) =
                    peak(|| read(Cursor::new(&bytes), None, &options, &Task::new()).map(|p| p.file_format));
                assert!(
                    reading <= max_memory + SLACK,
                    "{name} {side}: {reading} above {max_memory}, {result:?}"
                );
            }
        }
    }

    // Strips and tiles that are larger than the picture, within any limit.
    options.max_memory = u64::MAX;
    for (name, bytes) in [
        ("tile", claimed_tiff::wide_tile()),
        ("JPEG", claimed_tiff::wide_jpeg()),
        ("values", claimed_tiff::many_values()),
    ] {
        let (error, reading) = peak(|| read(Cursor::new(&bytes), None, &options, &Task::new()).unwrap_err());
        assert_eq!(error.kind(), ErrorKind::Invalid, "{name}: {error}");
        assert!(reading < SLACK, "{name}: {reading} bytes, {error}");
    }

    // Damaged files, with a limit that suffices for good ones.
    let mut state = 0x1234_5678_9abc_def1u64;
    for (name, bytes) in corpus::corpus() {
        // The WebP decoder allocates up to 16 MiB for a partition before it checks if the file is that long.
        let is_large = name.starts_with("lossy") || name.starts_with("animated.webp");
        options.max_memory = if is_large { 32 } else { 2 } << 20;
        let (result, reading) =
            peak(|| read(Cursor::new(&bytes), None, &options, &Task::new()).map(|p| p.file_format));
        assert!(result.is_ok() && reading <= options.max_memory + SLACK, "{name}: {reading}, {result:?}");
        for _ in 0..400 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bit = (state >> 33) as usize % (bytes.len() * 8);
            let mut bad = bytes.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            let (result, reading) =
                peak(|| read(Cursor::new(&bad), None, &options, &Task::new()).map(|p| p.file_format));
            let limit = options.max_memory + SLACK;
            assert!(reading <= limit, "{name} bit {bit}: {reading} above {limit}, {result:?}");
        }
    }
}
