//! Formats of textures: their names and layouts.
//!
//! A [`TextureFormat`] is a [`BlockFormat`], which encoders compress, or a [`PlainFormat`], which stores each
//! texel by itself.

mod astc_footprint;
mod block;
mod plain;
mod texture;

pub use astc_footprint::AstcFootprint;
pub use block::{BlockFormat, UnknownFormat};
pub use plain::PlainFormat;
pub use texture::{TextureFormat, UnknownTextureFormat};
