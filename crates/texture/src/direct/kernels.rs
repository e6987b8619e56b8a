//! The kernels that write blocks straight into a texture, put together.

use crate::{
    bc::singles,
    gpu::{chain::Single, load::converting_rgba8},
};
use brickwork_gpu::{Binding, Kernel};

/// How a kernel stores blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    /// In a buffer, row by row.
    Linear,
    /// Through a view with one texel per block.
    View,
}

/// `struct Params` of params.wgsl.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Params {
    /// The region's first texel in the source, and its size in texels; for what encodes.
    pub origin: [u32; 2],
    pub size: [u32; 2],
    /// The target's block where the region's first block goes.
    pub corner: [u32; 2],
    /// Columns and rows of blocks in the region.
    pub blocks: [u32; 2],
    /// Blocks in a buffer: where the first is, and how far apart rows are, in blocks.
    pub first: u32,
    pub pitch: u32,
    pub zero: u32,
    pub slots: u32,
    pub first_slot: u32,
    pub unused: u32,
}

/// What encodes texels from a texture.
pub(crate) fn encode_kernel(single: &Single, block_bytes: u32, store: Store, eight_bits: bool) -> Kernel {
    let name = match store {
        Store::Linear => single.names.linear,
        Store::View => single.names.view,
    };
    let kernel = kernel(name, Binding::Texture, include_str!("encode.wgsl"), block_bytes, store);
    (single.complete)(converting_rgba8(kernel)).with("EIGHT_BITS", f64::from(u8::from(eight_bits)))
}

/// What moves blocks from a buffer.
pub(crate) fn place_kernel(block_bytes: u32, store: Store) -> Kernel {
    let name = match (store, block_bytes) {
        (Store::Linear, _) => unreachable!("a copy does that"),
        (Store::View, 8) => "place blocks of 8 bytes, block view",
        (Store::View, _) => "place blocks of 16 bytes, block view",
    };
    kernel(name, Binding::Read, include_str!("place.wgsl"), block_bytes, store)
}

fn kernel(name: &'static str, source: Binding, words_of: &str, block_bytes: u32, store: Store) -> Kernel {
    let (target, stores) = match (store, block_bytes) {
        (Store::Linear, _) => (Binding::Write, include_str!("store_linear.wgsl")),
        (Store::View, 8) => (Binding::StoreTwoWords, include_str!("store_two_words.wgsl")),
        (Store::View, _) => (Binding::StoreFourWords, include_str!("store_four_words.wgsl")),
    };
    let block = match block_bytes {
        8 => include_str!("two_words.wgsl"),
        _ => include_str!("four_words.wgsl"),
    };
    let parts = [include_str!("params.wgsl"), words_of, block, stores, include_str!("grid.wgsl")];
    Kernel::new(name, &[Binding::Uniform, source, target]).parts(&parts)
}

/// Workgroups in each direction for the kernels that have a thread per block.
pub(crate) fn workgroups(blocks: [u32; 2]) -> [u32; 2] {
    blocks.map(|count| count.div_ceil(8))
}

/// Every kernel of this folder, uncompiled.
pub(crate) fn all() -> Vec<Kernel> {
    let mut kernels: Vec<_> = [8, 16].map(|block_bytes| place_kernel(block_bytes, Store::View)).into();
    for (single, block_bytes) in singles() {
        for store in [Store::Linear, Store::View] {
            for eight_bits in [false, true] {
                kernels.push(encode_kernel(&single, block_bytes, store, eight_bits));
            }
        }
    }
    kernels
}
