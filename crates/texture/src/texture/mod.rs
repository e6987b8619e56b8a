//! A compressed texture and its description.

mod data;
mod decode;
mod desc;
mod error;

pub use data::Texture;
pub use decode::{DecodedImage, ImageIndex};
pub(crate) use desc::check_shape;
pub use desc::{AlphaMode, ColorSpace, TextureDesc, TextureKind};
pub use error::TextureError;
