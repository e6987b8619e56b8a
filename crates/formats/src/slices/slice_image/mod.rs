//! Image files that are slices: PNG, TIFF, BMP and JPEG, of grey, colour, or indices of a palette.

mod bmp;
mod jpeg;
mod png;

use crate::{
    FormatError,
    slices::{image_head::ImageHead, tiff_stack},
};
use brickwork_volume::ByteOrder;
use std::path::Path;

/// A format of slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageFormat {
    Png,
    Tiff,
    Bmp,
    Jpeg,
}

impl ImageFormat {
    /// Returns the format by the extension.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "png" => Some(Self::Png),
            "tif" | "tiff" => Some(Self::Tiff),
            "bmp" => Some(Self::Bmp),
            "jpg" | "jpeg" => Some(Self::Jpeg),
            _ => None,
        }
    }

    /// Returns the byte order of the voxels that [`read`](Self::read) yields.
    pub const fn byte_order(self) -> ByteOrder {
        match self {
            Self::Png => ByteOrder::Big,
            Self::Tiff => ByteOrder::NATIVE,
            // Bytes.
            Self::Bmp | Self::Jpeg => ByteOrder::Little,
        }
    }

    /// Reads the head of a file, and its voxels into `bytes` if given.
    ///
    /// # Errors
    /// [`FormatError`].
    pub fn read(self, path: &Path, bytes: Option<&mut Vec<u8>>) -> Result<ImageHead, FormatError> {
        match self {
            Self::Png => png::read(path, bytes),
            Self::Tiff => tiff_stack::read_single(path, bytes),
            Self::Bmp => bmp::read(path, bytes),
            Self::Jpeg => jpeg::read(path, bytes),
        }
    }
}
