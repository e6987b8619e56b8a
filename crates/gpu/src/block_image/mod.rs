//! Block-compressed textures that kernels write where they are sampled, without a copy.
//!
//! WebGPU has no storage textures of compressed formats. The APIs below it offer two ways. Vulkan allows a
//! view of a block image as an integer image with one texel per block. And if a buffer shares the memory of
//! an image, a kernel can write the blocks in the stored order, if it knows that order.
//!
//! wgpu knows such an image twice. One texture is sampled, and is always in the state of a texture that is
//! read. The other texture carries every change of that state. One encoder can therefore sample the image,
//! write it and sample it again. [`BlockImage::begin`] and [`BlockImage::end`] enclose the commands that
//! write.

mod create;
#[cfg(windows)]
mod d3d12;
mod desc;
mod image;
#[cfg(target_vendor = "apple")]
mod metal;
#[cfg(test)]
mod tests;
#[cfg(not(any(target_vendor = "apple", target_arch = "wasm32")))]
mod vulkan;

pub use desc::BlockImageDesc;
pub use image::{BlockImage, BlockWords};
