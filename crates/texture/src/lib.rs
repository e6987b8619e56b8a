//! Textures for GPUs: images, the block formats BC1–BC7, their encoders and decoders, DDS and KTX2, metrics.
//!
//! ```text
//! image → ImageView → [texel; 4×4] → bc::bcN::encode → Texture → container::{dds, ktx2}
//! ```
//!
//! ```
//! use brickwork_texture::{BlockFormat, CpuEncoder, Decoder, EncodeOptions, Encoder, ImageView, decode_into};
//!
//! let texels: Vec<[u8; 4]> = (0..64 * 32).map(|i| [i as u8, (i / 64) as u8, 90, 255]).collect();
//! let image = ImageView::new(&texels, 64, 32)?;
//! let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(64, 32) as usize];
//! CpuEncoder::new().encode_into(&image, &EncodeOptions::default(), &mut blocks)?;
//!
//! let mut decoded = vec![[0; 4]; 64 * 32];
//! decode_into(BlockFormat::Bc1, &blocks, 64, 32, Decoder::Exact, &mut decoded)?;
//! assert!(decoded[0][0].abs_diff(texels[0][0]) < 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An image is borrowed as an [`ImageView`], compressed by an [`Encoder`] as [`EncodeOptions`] say, and the
//! blocks are kept in a [`Texture`], which a [`TextureDesc`] describes and [`container`] writes and reads.

pub mod bc;
mod bytes;
pub mod container;
mod decode;
mod encode;
mod file_error;
mod format;
#[cfg(feature = "gpu")]
pub mod gpu;
mod image;
#[cfg(feature = "io")]
pub mod image_file;
mod image_view;
pub mod metrics;
pub mod mips;
mod names;
mod options;
#[allow(unsafe_code)]
mod simd;
mod texel;
mod texture;
pub mod whole_file;

pub use decode::{DecodeError, decode_into};
pub use encode::{
    CancelToken, CpuEncoder, EncodeError, Encoder, Progress, encode_texture, encode_texture_with,
};
pub use file_error::FileErrorKind;
pub use format::{BlockFormat, UnknownFormat};
pub use image::Image;
pub use image_view::{ImageError, ImageView};
pub use names::UnknownName;
pub use options::{ChannelWeights, Decoder, EncodeOptions, Quality};
pub use simd::SimdLevel;
pub use texel::{Texel, TexelFormat};
pub use texture::{
    AlphaMode, ColorSpace, DecodedImage, ImageIndex, Texture, TextureDesc, TextureError, TextureKind,
};
