//! block_compression: Intel's kernels in WGSL, and in Rust for the CPU. The latter run here.

use super::{Contestant, Role, package};
use crate::picture::Picture;
use block_compression::{CompressionVariant, encode::compress_rgba8};

pub fn contestant(pictures: &[Picture]) -> Contestant<'_> {
    let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
        let picture = &pictures[index];
        let &Picture { width, height, .. } = picture;
        compress_rgba8(CompressionVariant::BC1, picture.bytes(), blocks, width, height, width * 4);
        Ok(())
    });
    Contestant { name: format!("{} (CPU)", package("block_compression")), role: Role::Peer, encode }
}
