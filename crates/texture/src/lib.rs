//! Textures for GPUs: the block formats BC1–BC7, ETC2, EAC and ASTC, their encoders and decoders, DDS and
//! KTX2, metrics.
//!
//! ```text
//! image file → brickwork_image → Picture ┐
//! texels → ImageView ────────────────────┴→ encode_texture → Texture → DDS, KTX2
//! ```
//!
//! ```
//! use brickwork_texture::{
//!     BlockFormat, ColorSpace, DecodeOptions, EncodeOptions, Encoder, ImageIndex, ImageView, Task,
//!     TextureDesc, encode_texture,
//! };
//!
//! let texels: Vec<[u8; 4]> = (0..64 * 32).map(|i| [i as u8, (i / 64) as u8, 90, 255]).collect();
//! let image = ImageView::new(&texels, 64, 32)?;
//! let desc = TextureDesc::of_image(&image, BlockFormat::Bc1)
//!     .with_color_space(ColorSpace::Srgb)
//!     .with_full_mips();
//! let options = EncodeOptions::default();
//! let texture = encode_texture(&Encoder::default(), &image, &desc, &options, &Task::new())?;
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("a.ktx2");
//! # #[cfg(feature = "fs")]
//! texture.save(&path, &Task::new())?;
//!
//! let decoded = texture.decode(ImageIndex::default(), &DecodeOptions::default(), &Task::new())?;
//! let decoded = decoded.texels().as_rgba8().ok_or("not 8 bits")?;
//! assert!(decoded[0][0].abs_diff(texels[0][0]) < 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`Encoder`] compresses an [`Image`] according to [`EncodeOptions`]. The blocks are kept in a
//! [`Texture`], which a [`TextureDesc`] describes; [`container`] reads and writes its files.
//!
//! # Dev builds
//!
//! Cargo does not apply the profiles of dependencies. Without optimisation, encoders are slow and may
//! overflow the 2 MiB stack of a thread. An application that encodes in dev builds needs, in its own
//! `Cargo.toml`,
//!
//! ```toml
//! [profile.dev.package.brickwork-texture]
//! opt-level = 3
//! ```
//!
//! # What may change
//!
//! Enums and structs that may grow are `#[non_exhaustive]`. The signatures of this crate contain types of
//! [`bytemuck`], [`half`] and, with the feature `gpu`, `gpu::wgpu`. They are re-exported here. A new major
//! version of one of them is a new major version of this crate.

// Each public enum and struct may grow, or its documentation says why not.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod api_format;
mod astc;
pub mod bc;
mod block_row;
#[cfg(feature = "gpu")]
mod chain;
mod codecs;
pub mod container;
mod decode;
mod decoded_image;
#[cfg(feature = "gpu")]
pub mod direct;
mod display;
mod encode;
mod encode_error;
mod etc;
mod format;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod metrics;
pub mod mips;
mod names;
#[doc(hidden)]
pub mod one_codec;
mod options;
mod passes;
#[cfg(feature = "io")]
pub mod pictures;
mod plain;
#[cfg(test)]
mod random;
mod rdo;
#[cfg(feature = "gpu")]
mod real_time;
#[allow(unsafe_code)]
mod simd;
mod texel_format;
mod texture;
#[cfg(feature = "gpu")]
mod wgsl;

pub use brickwork_base::{
    CancelToken, Cancelled, ErrorKind, Progress, SimdVariableError, Stage, Task, Threads, UnknownName,
};
pub use brickwork_image::{
    ChannelType, ColorSpace, Image, ImageError, ImageView, ImageViewMut, Texel, TexelType, TexelsMut,
    ToneCurve, ToneMap,
};
pub use {bytemuck, half};

pub use api_format::ApiFormat;
pub use decode::{DecodeError, decode_into, decode_plain_into, decoded_channels};
pub use decoded_image::{DecodeOptions, DecodedImage, DecodedTexels};
pub use encode::{
    CpuEncoder, Encoder, Surfaces, encode_memory_bytes, encode_plain, encode_texture, optimize_texture,
};
pub use encode_error::{EncodeError, SurfaceError};
pub use format::{
    AstcFootprint, BlockFormat, PlainFormat, TextureFormat, UnknownFormat, UnknownTextureFormat,
};
pub use options::{
    ChannelWeights, EncodeOptions, MipExtreme, MipFilter, MipWrap, Quality, RdoLambda, RdoLambdaError,
    RealTime, RoundingRule,
};
pub use simd::{SimdLevel, check_simd_variable};
pub use texel_format::TexelFormat;
pub use texture::{
    AlphaMode, ImageAxis, ImageIndex, JoinAs, JoinError, NoSuchImage, PartError, ShapeFault, Subresource,
    Swizzle, SwizzleSource, Texture, TextureDesc, TextureError, TextureKind, TextureOrientation, TexturePart,
};

#[cfg(doctest)]
mod promises;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
