//! Assembly of the kernels that write blocks straight into a texture.

use super::tiling::{Tiling, TilingCode};
use crate::{chain::Single, codecs::singles, wgsl::WGSL};
use brickwork_gpu::{Binding, Kernel};

/// Way in which a kernel stores blocks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Store {
    /// In a buffer, row by row.
    Linear,
    /// Through a view with one texel per block.
    View,
    /// In an image's memory, in the slots of a tiling. With one thread per block, writes are swizzled.
    Scatter(Tiled),
    /// In an image's memory, with one thread per slot. Reads are swizzled.
    Gather(Tiled),
}

/// Constants of a tiling with which kernels are compiled.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tiled {
    code: TilingCode,
    overrides: Vec<(&'static str, f64)>,
}

impl Tiled {
    pub fn new(tiling: &Tiling) -> Self {
        Self { code: tiling.code(), overrides: tiling.overrides() }
    }
}

impl Store {
    /// Returns the name of a kernel that stores in this way. Kernels with the same name have the same text.
    fn name_of(&self, kernel: &str) -> String {
        match self {
            Self::Linear => format!("{kernel}, linear"),
            Self::View => format!("{kernel}, block view"),
            Self::Scatter(tiled) => format!("{kernel}, writes swizzled, {}", name_of_code(tiled.code)),
            Self::Gather(tiled) => format!("{kernel}, reads swizzled, {}", name_of_code(tiled.code)),
        }
    }
}

fn name_of_code(code: TilingCode) -> &'static str {
    match code {
        TilingCode::Morton => "Morton",
        TilingCode::Diagonals => "diagonals",
        TilingCode::Rows => "rows",
    }
}

/// Parameters of a kernel: `struct Params` of params.wgsl.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Params {
    /// First texel of the region in the source, and size of the region in texels. Only encoders use these.
    pub origin: [u32; 2],
    pub size: [u32; 2],
    /// Position in the target of the region's first block.
    pub corner: [u32; 2],
    /// Columns and rows of blocks in the region.
    pub blocks: [u32; 2],
    /// For blocks in a buffer: position of the first, and distance from row to row, both in blocks.
    pub first: u32,
    pub pitch: u32,
    pub zero: u32,
    /// Number of slots of the mip level.
    pub slots: u32,
}

/// Returns the kernel that encodes texels from a texture.
pub(crate) fn encode_kernel(single: &Single, store: &Store, eight_bits: bool) -> Kernel {
    let kernel = kernel(&single.name, Binding::Texture, "direct/encode.wgsl", single.block_bytes, store);
    let kernel = (single.complete)(kernel);
    kernel.with("EIGHT_BITS", f64::from(u8::from(eight_bits)))
}

/// Returns the kernel that moves blocks from a buffer.
pub(crate) fn place_kernel(block_bytes: u32, store: &Store) -> Kernel {
    let name = match block_bytes {
        8 => "place blocks of 8 bytes",
        _ => "place blocks of 16 bytes",
    };
    kernel(name, Binding::Read, "direct/place.wgsl", block_bytes, store)
}

fn kernel(name: &str, source: Binding, words_of: &str, block_bytes: u32, store: &Store) -> Kernel {
    let (target, stores) = match (store, block_bytes) {
        (Store::Linear, _) => (Binding::Write, "direct/store_linear.wgsl"),
        (Store::View, 8) => (Binding::StoreTwoWords, "direct/store_two_words.wgsl"),
        (Store::View, _) => (Binding::StoreFourWords, "direct/store_four_words.wgsl"),
        (Store::Scatter(_) | Store::Gather(_), _) => (Binding::Write, "direct/slots.wgsl"),
    };
    let block = match block_bytes {
        8 => "direct/two_words.wgsl",
        _ => "direct/four_words.wgsl",
    };
    let main = match store {
        Store::Gather(_) => "direct/gather.wgsl",
        _ => "direct/grid.wgsl",
    };
    let files = [words_of, block, stores, main];
    let name = store.name_of(name);
    match store {
        Store::Linear | Store::View => {
            Kernel::new(name, &[Binding::Uniform, source, target]).files(&WGSL, &files)
        }
        Store::Scatter(tiled) | Store::Gather(tiled) => {
            let bindings = [Binding::Uniform, source, target, Binding::Uniform];
            let kernel = Kernel::new(name, &bindings).files(&WGSL, &files).part(&tiled.code.wgsl());
            tiled.overrides.iter().fold(kernel, |kernel, &(name, value)| kernel.with(name, value))
        }
    }
}

/// Returns the workgroups in each direction for kernels with one thread per block.
pub(crate) fn workgroups(blocks: [u32; 2]) -> [u32; 2] {
    blocks.map(|count| count.div_ceil(8))
}

/// Returns all kernels of this folder, uncompiled. Kernels that store by a tiling are those for linear
/// memory.
pub(crate) fn all() -> Vec<Kernel> {
    let tiled = |code| Tiled { code, overrides: Vec::new() };
    let stores: Vec<_> = TilingCode::ALL
        .iter()
        .flat_map(|&code| [Store::Scatter(tiled(code)), Store::Gather(tiled(code))])
        .chain([Store::View])
        .collect();
    let mut kernels = Vec::new();
    for store in &stores {
        kernels.extend([8, 16].map(|block_bytes| place_kernel(block_bytes, store)));
    }
    for single in singles() {
        for store in stores.iter().chain([&Store::Linear]) {
            for eight_bits in [false, true] {
                kernels.push(encode_kernel(&single, store, eight_bits));
            }
        }
    }
    kernels
}
