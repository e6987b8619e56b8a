//! The amount of work.

/// The parameters that depend on the requested amount of work.
pub(super) struct Amount {
    pub sides: &'static [u32],
    /// The sides of images on which every variant and quality is tried.
    pub variant_sides: &'static [u32],
    pub lsdxt_side: u32,
    /// The sides of the images that every format encodes: for the time, and for a comparison with the CPU.
    pub format_side: u32,
    pub compared_side: u32,
    pub decoded_side: u32,
    pub rounds: usize,
    pub copy_bytes: u64,
    pub threads: u32,
}

pub(super) const WHOLE: Amount = Amount {
    sides: &[512, 1024, 2048, 4096, 8192, 16384],
    variant_sides: &[512, 4096],
    lsdxt_side: 512,
    format_side: 2048,
    compared_side: 512,
    decoded_side: 1024,
    rounds: 7,
    copy_bytes: 128 << 20,
    threads: 1 << 20,
};
pub(super) const SMALL: Amount = Amount {
    sides: &[64, 128],
    variant_sides: &[64],
    lsdxt_side: 16,
    format_side: 32,
    compared_side: 32,
    decoded_side: 64,
    rounds: 1,
    copy_bytes: 1 << 20,
    threads: 256,
};
