//! Encoding of images to blocks and plain texels, and of all images of a texture to the texture.

mod coder;
mod cpu;
mod dither;
mod encoder;
mod error;
mod memory;
pub(crate) mod passes;
mod plain;
mod rdo_strips;
#[cfg(feature = "gpu")]
mod record_fault;
mod rows;
mod surfaces;
mod texture;

pub use cpu::CpuEncoder;
pub use encoder::Encoder;
pub use error::{EncodeError, SurfaceError};
pub use memory::encode_memory_bytes;
pub use plain::encode_plain;
#[cfg(feature = "gpu")]
pub use record_fault::{RecordFault, RecordPart};
pub use surfaces::Surfaces;
pub use texture::encode_texture;
pub(crate) use {coder::Coder, texture::encode_texture_by};
