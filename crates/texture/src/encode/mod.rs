//! Encoding of images to blocks and plain texels, and of all images of a texture to the texture.

mod coder;
mod cpu;
mod dither;
mod encoder;
mod memory;
mod plain;
mod surfaces;
mod texture;

pub use cpu::CpuEncoder;
pub use encoder::Encoder;
pub use memory::encode_memory_bytes;
pub use plain::encode_plain;
pub use surfaces::Surfaces;
pub use texture::{encode_texture, optimize_texture};
pub(crate) use {coder::Coder, texture::encode_texture_by};
