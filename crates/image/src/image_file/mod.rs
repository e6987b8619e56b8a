//! Image files. Reads PNG, JPEG, TGA, BMP, TIFF, WebP, GIF, PNM, EXR and Radiance HDR as [`Picture`]s.
//! Writes PNG and EXR.
//!
//! ```text
//! bytes → FileFormat::detect → one decoder per format → Texels (decoded in place, one copy)
//!       → orientation → Picture
//! ```
//!
//! Files are untrusted. Before anything is allocated, sizes are checked against
//! [`ImageReadOptions::max_memory`] and the length of the file. [`decoder`] has what readers of further
//! formats need for the same.

mod big_endian;
mod bmp;
mod budget;
mod channels;
mod color;
mod contents;
mod conversion;
mod decoded;
pub mod decoder;
mod error;
mod exif;
mod exr;
mod failure;
mod fault;
mod feature;
mod foreign;
mod format;
mod gamma;
mod halves;
mod helper_thread;
mod hues;
mod icc_tables;
mod jpeg;
mod jpeg_data;
mod jpeg_frames;
mod lookup_table;
mod normals;
mod of_image;
mod options;
mod orient;
mod owned_image;
mod part;
mod patched;
mod picture;
mod png;
mod png_chunks;
mod png_palette;
mod primaries;
mod radiance;
mod read;
mod stated_colors;
mod texels;
mod tga;
mod through_image;
mod tiff;
mod tone_curve;
mod tracked_reader;
mod transfer;
mod usage;
mod webp;
mod words;
mod write_exr;
mod write_png;

pub use contents::PictureContents;
pub use error::ImageReadError;
pub use fault::{ImageFault, ScanlineFault};
pub use feature::ImageFeature;
pub use format::FileFormat;
pub use options::{DdsTenBitMasks, ImageReadOptions};
pub use picture::{ColorSpaceOrigin, Picture};
pub use read::read;
pub use texels::Texels;
pub use transfer::TransferFunction;
pub use usage::PictureUse;
pub use write_exr::write_exr;
pub use write_png::{ImageWriteError, PngTexels, write_png};
