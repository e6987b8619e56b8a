//! Encoding of images to blocks, and of all images of a texture to the texture.

mod cpu;
mod encoder;
mod error;
mod memory;
pub(crate) mod passes;
mod rdo_strips;
#[cfg(feature = "gpu")]
mod record_fault;
mod surfaces;
mod texture;

pub use cpu::CpuEncoder;
pub use encoder::Encoder;
pub use error::EncodeError;
pub use memory::encode_memory_bytes;
#[cfg(feature = "gpu")]
pub use record_fault::{RecordFault, RecordPart};
pub use surfaces::{SurfaceError, Surfaces};
pub use texture::encode_texture;
#[cfg(test)]
pub(crate) use texture::encode_texture_by;

use crate::{
    BlockFormat,
    bc::{Codec, codec_of},
};

/// Returns the codec of `format`, or an error if it has no encoder yet.
pub(crate) fn codec(format: BlockFormat) -> Result<&'static Codec, EncodeError> {
    let codec = codec_of(format);
    codec.rows.is_some().then_some(codec).ok_or(EncodeError::Unsupported(format))
}
