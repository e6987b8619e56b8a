//! Textures for GPUs: images, the block formats BC1–BC7, their encoders and decoders, DDS and KTX2, metrics.
//!
//! ```text
//! image → ImageView → [texel; 4×4] → bc::bcN::encode → Texture → container::{dds, ktx2}
//! ```
//!
//! An image is borrowed as an [`ImageView`], compressed by an [`Encoder`] as [`EncodeOptions`] say, and the
//! blocks are kept in a [`Texture`], which [`container`] writes and reads.

pub mod bc;
pub mod container;
mod decode;
mod encode;
mod format;
#[cfg(feature = "io")]
pub mod image_file;
mod image_view;
pub mod metrics;
pub mod mips;
mod options;
#[allow(unsafe_code)]
mod simd;
mod texel;
mod texture;

pub use decode::{DecodeError, decode_into};
pub use encode::{CancelToken, CpuEncoder, EncodeError, Encoder, Progress};
pub use format::{BlockFormat, UnknownFormat};
pub use image_view::{ImageError, ImageView};
pub use options::{ChannelWeights, Decoder, EncodeOptions, Quality, UnknownName};
pub use simd::SimdLevel;
pub use texel::Texel;
pub use texture::{AlphaMode, ColorSpace, Texture, TextureError, TextureKind};
