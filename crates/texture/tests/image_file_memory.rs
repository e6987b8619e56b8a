//! Reading image files stays within the memory limit: counted by an allocator.
//!
//! One test, because allocations of tests side by side could not be told apart.

use brickwork_texture::{
    ColorSpace,
    image_file::{PngTexels, ReadErrorKind, ReadOptions, read, write_png},
};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    io::Cursor,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

#[path = "image_file/corpus.rs"]
mod corpus;

/// Counts bytes in use and their peak.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    PEAK.fetch_max(IN_USE.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

// SAFETY: every call is passed on to `System` with the caller's own arguments; counting touches no memory that
// is handed out and does not allocate.
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
        // As if old and new existed together, which they may.
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

/// The result of `action`, and the most bytes it had in use beyond those before.
fn peak<T>(action: impl FnOnce() -> T) -> (T, u64) {
    let before = IN_USE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = action();
    (result, (PEAK.load(Relaxed) - before) as u64)
}

/// What decoders may take in fixed buffers (windows, tables, a few rows) beyond what is counted.
const SLACK: u64 = 1 << 20;

#[test]
fn reading_stays_within_the_limit() {
    // One copy of the texels and small buffers.
    let side = 3000u32;
    let texels: Vec<[u8; 3]> = (0..side * side).map(|i| [(i % side) as u8, (i / side) as u8, 7]).collect();
    let mut file = Vec::new();
    let ((), writing) = peak(|| {
        file.reserve_exact(40 << 20);
        write_png(&mut file, side, side, PngTexels::Rgb8(&texels), ColorSpace::Srgb).unwrap();
    });
    assert!(writing < (40 << 20) + SLACK, "write_png took {writing} bytes");
    let texel_bytes = u64::from(side) * u64::from(side) * 3;
    let mut options = ReadOptions::default();
    let (picture, reading) = peak(|| read(Cursor::new(&file), None, &options).unwrap());
    assert!(matches!(&picture.texels, brickwork_texture::image_file::Texels::Rgb8(read) if *read == texels));
    assert!(reading < texel_bytes + SLACK, "{reading} bytes for {texel_bytes} of texels");
    drop(picture);

    // A limit just below is an error that costs nothing.
    options.max_memory = texel_bytes - 1;
    let (error, reading) = peak(|| read(Cursor::new(&file), None, &options).unwrap_err());
    assert_eq!(error.kind(), ReadErrorKind::Limit);
    assert!(reading < SLACK, "{reading}");

    // Headers that claim everything.
    for max_memory in [1u64 << 20, 100 << 20, 4 << 30] {
        options.max_memory = max_memory;
        for side in [0u32, 300, 2000, 1 << 14, 0xffff, 1 << 24, 1 << 31, u32::MAX] {
            for (name, bytes) in corpus::with_sides(side) {
                let (result, reading) =
                    peak(|| read(Cursor::new(&bytes), None, &options).map(|p| p.file_format));
                assert!(
                    reading <= max_memory + SLACK,
                    "{name} {side}: {reading} above {max_memory}, {result:?}"
                );
            }
        }
    }

    // Damaged files, with a limit that good ones keep.
    options.max_memory = 2 << 20;
    let mut state = 0x1234_5678_9abc_def1u64;
    for (name, bytes) in corpus::corpus() {
        let (result, reading) = peak(|| read(Cursor::new(&bytes), None, &options).map(|p| p.file_format));
        assert!(result.is_ok() && reading <= options.max_memory + SLACK, "{name}: {reading}, {result:?}");
        for _ in 0..400 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bit = (state >> 33) as usize % (bytes.len() * 8);
            let mut bad = bytes.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            let (result, reading) = peak(|| read(Cursor::new(&bad), None, &options).map(|p| p.file_format));
            let limit = options.max_memory + SLACK;
            assert!(reading <= limit, "{name} bit {bit}: {reading} above {limit}, {result:?}");
        }
    }
}
