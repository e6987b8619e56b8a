//! Decoding of textures' images to PNG files.

mod file;
mod image;
mod options;
mod png_image;
mod strip;

pub use file::{DecodedFile, decode_file};
pub use image::{DecodedPicture, decode_image};
pub use options::TextureDecodeOptions;
pub(super) use options::as_displayed;
