//! Volumes and sources of bytes for tests.

use brickwork_volume::{Dims, ReadAt, Voxel};
use std::{
    io,
    sync::atomic::{AtomicUsize, Ordering},
};

/// Returns voxels as in real volumes: flat parts, ramps, noise and jumps.
pub fn voxels<T: Voxel>(dims: Dims, seed: u32, noise_bits: u32) -> Vec<T> {
    let mut state = seed | 1;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let full = u64::MAX >> (64 - T::TYPE.bit_count());
    let noise = full.checked_shr(T::TYPE.bit_count().saturating_sub(noise_bits)).unwrap_or(0);
    let count = dims.voxel_count().expect("small dims");
    (0..count)
        .map(|i| {
            let (x, y, z) = (i % dims.x, i / dims.x % dims.y, i / dims.x / dims.y);
            let ramp = (x * 3 + y * 5 + z * 7) as u64;
            let mut random = || u64::from(random()) << 32 | u64::from(random());
            let value = match (x / 9 + y / 7 + z / 5) % 4 {
                0 => full / 3,
                1 => ramp,
                2 => ramp + (random() & noise),
                _ => full - (random() & noise & random()),
            };
            T::from_ordinal(value & full)
        })
        .collect()
}

/// Bytes that count how often they are read. They are not lent.
#[derive(Debug)]
pub struct Counted {
    bytes: Vec<u8>,
    reads: AtomicUsize,
}

impl Counted {
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, reads: AtomicUsize::new(0) }
    }

    pub fn reads(&self) -> usize {
        self.reads.load(Ordering::Relaxed)
    }
}

impl ReadAt for Counted {
    fn byte_count(&self) -> io::Result<u64> {
        self.bytes.byte_count()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.bytes.read_exact_at(buffer, offset)
    }
}

/// Returns `full` if `BRICKWORK_LARGE` is set, as in `just all`, else `small`.
pub fn sized<T>(small: T, full: T) -> T {
    if std::env::var_os("BRICKWORK_LARGE").is_some() { full } else { small }
}
