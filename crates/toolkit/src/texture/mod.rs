//! Textures: input images become a texture file.
//!
//! ```text
//! inputs → read → pictures → plan (format, colour space, alpha, shape, notes) → encode → measure → write
//! ```
//!
//! [`encode_files`] does all of this for a job of a [batch](crate::batch), [`encode_pictures`] for pictures
//! in memory. [`TextureOptions`] contains the requests; what they leave open depends on the pictures.

mod color_space;
mod container;
mod encode;
mod error;
mod files;
mod format;
mod layout;
mod misfit;
mod note;
mod options;
mod plan;
mod read;
mod result;
#[cfg(test)]
mod tests;

pub use color_space::ColorSpaceReason;
pub use encode::{EncodedTexture, encode_pictures};
pub use error::{MeasureError, OptionsError, TextureJobError};
pub use files::{TextureFile, encode_batch, encode_files};
pub use format::FormatChoice;
pub use layout::TextureLayout;
pub use misfit::EncodeOption;
pub use note::TextureNote;
pub use options::{MipLevels, TextureOptions};
pub use plan::TexturePlan;
pub use read::{IMAGE_EXTENSIONS, TEXTURE_EXTENSIONS, info_any, read_any, read_picture};
pub use result::{Measured, simd_name};
