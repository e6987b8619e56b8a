//! Texture files: DDS, KTX2 and `.astc`.
//!
//! [`Texture::open`] and [`Texture::read`] examine the first bytes and return a texture. [`Texture::save`]
//! and [`Texture::write`] write one. [`info`] returns the contents of the header. [`validate`] checks a file
//! against its specification. KTX2 contains all formats and shapes of a [`Texture`]. DDS has no ETC2, EAC and
//! ASTC, and sRGB forms of BC1, BC2, BC3, BC7, `rgba8` and `bgra8` only; its legacy header supports neither
//! arrays nor BC6H, BC7 and most plain formats of one and two channels. An `.astc` file contains one 2D image
//! of ASTC, without mip levels.
//!
//! Properties that a container cannot state are decided in the same way everywhere:
//!
//! | container | says | read as |
//! |---|---|---|
//! | `.astc` | no colour space, nothing about alpha | [linear], [straight] |
//! | DDS, legacy header | no colour space | [linear], as Direct3D's own loaders do |
//! | DDS, BC1 | nothing about alpha | [straight] if a block holds a transparent texel, else [opaque] |
//! | DDS, other formats with alpha | nothing about alpha | [straight] |
//! | DDS, formats without alpha | nothing about alpha | [opaque] |
//! | KTX2, `BC1_RGB` and formats without alpha | not premultiplied | [opaque] |
//! | KTX2, other formats | not premultiplied | [straight] |
//!
//! The alpha flag of a legacy DDS header states that BC1 has alpha. Without it, the header states nothing
//! about alpha.
//!
//! Files are untrusted. A wrong byte is an error that gives its offset. Nothing is allocated before it is
//! known that the stream is long enough and that [`TextureReadOptions::max_memory`] allows it.
//!
//! ```
//! use brickwork_texture::container::{ContainerFormat, TextureReadOptions, TextureWriteOptions};
//! use brickwork_texture::{BlockFormat, ColorSpace, Task, Texture, TextureDesc};
//!
//! let desc = TextureDesc::new_2d(BlockFormat::Bc7, 8, 8).with_color_space(ColorSpace::Srgb);
//! let texture = Texture::new(desc, vec![0x5a; 4 * 16])?;
//! let mut file = Vec::new();
//! texture.write(&mut file, ContainerFormat::Ktx2, &TextureWriteOptions::default(), &Task::new())?;
//! let file = std::io::Cursor::new(file);
//! let read = Texture::read(file, &TextureReadOptions::default(), &Task::new())?;
//! assert_eq!(read, texture);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Texture`]: crate::Texture
//! [`Texture::open`]: crate::Texture::open
//! [`Texture::read`]: crate::Texture::read
//! [`Texture::save`]: crate::Texture::save
//! [`Texture::write`]: crate::Texture::write
//! [linear]: crate::ColorSpace::Linear
//! [opaque]: crate::AlphaMode::Opaque
//! [straight]: crate::AlphaMode::Straight

pub(crate) mod astc;
mod astc_faults;
mod astc_header;
pub(crate) mod byte_source;
mod color_space;
pub(crate) mod dds;
pub(crate) mod dds_format;
pub(crate) mod dds_header;
mod error;
mod file;
mod format;
mod header_kind;
mod info;
pub(crate) mod ktx2;
mod options;
#[cfg(feature = "fs")]
mod save;
mod validate;

pub(crate) use dds_format::dxgi;
pub use error::ContainerError;
pub use file::{info, ktx2_header};
pub use format::ContainerFormat;
pub use header_kind::HeaderKind;
pub use info::Info;
pub use ktx2::unread::Ktx2Header;
pub(crate) use ktx2::vulkan;
pub use options::{DdsHeader, TextureReadOptions, TextureWriteOptions};
pub use validate::{Finding, Rule, Severity, Validation, validate, validation_rules};
