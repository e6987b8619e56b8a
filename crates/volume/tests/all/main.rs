//! Tests of the library from outside, in one binary, so that its generic code is compiled once.

mod cache;
#[cfg(feature = "io")]
mod cancel;
mod chunk;
#[cfg(all(feature = "dicom", feature = "io", target_os = "linux"))]
mod claimed_tiff;
#[cfg(all(feature = "dicom", feature = "io", target_os = "linux"))]
mod claims;
mod common;
mod damage;
#[cfg(feature = "dicom")]
mod dicom_file;
#[cfg(feature = "dicom")]
mod dicom_masks;
#[cfg(feature = "dicom")]
mod dicom_series;
#[cfg(feature = "dicom")]
mod dicom_trouble;
mod example_in_hex;
mod file;
#[cfg(feature = "io")]
mod foreign_files;
mod forged;
mod golden;
#[cfg(feature = "io")]
mod hyperstacks;
mod label_bricks;
#[cfg(feature = "dicom")]
mod multi_frame;
mod other_headers;
mod promises;
mod reading;
mod render;
#[cfg(feature = "io")]
mod slice_images;
#[cfg(feature = "io")]
mod slices;
mod slow_decoder;
mod strides;
mod supplied;
mod threads;
#[cfg(feature = "io")]
mod tiff_pages;
#[cfg(feature = "io")]
mod trouble;
#[cfg(feature = "io")]
mod vti;
mod windows;
