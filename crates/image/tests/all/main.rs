//! Tests of the library from outside. They are one program, so that generic code is compiled once.

#[cfg(feature = "io")]
mod bmp_colors;
#[cfg(feature = "io")]
mod cube;
#[cfg(feature = "io")]
mod file_colors;
#[cfg(feature = "io")]
mod hdr_pictures;
#[cfg(feature = "io")]
mod metadata;
#[cfg(feature = "io")]
mod palettes;
#[cfg(feature = "io")]
mod pnm;
#[cfg(feature = "io")]
mod tiff_depths;
#[cfg(feature = "io")]
mod tiff_tags;
