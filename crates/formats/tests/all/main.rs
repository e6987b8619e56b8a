//! Tests of the library from outside, in one binary, so that its generic code is compiled once.

#[cfg(feature = "io")]
mod cancel;
#[cfg(all(feature = "dicom", feature = "io", target_os = "linux"))]
mod claimed_tiff;
#[cfg(all(feature = "dicom", feature = "io", target_os = "linux"))]
mod claims;
#[cfg(feature = "dicom")]
mod dicom_file;
#[cfg(feature = "dicom-jpegs")]
mod dicom_jpegs;
#[cfg(feature = "dicom")]
mod dicom_masks;
#[cfg(feature = "dicom")]
mod dicom_series;
#[cfg(feature = "dicom")]
mod dicom_times;
#[cfg(feature = "dicom")]
mod dicom_trouble;
#[cfg(feature = "io")]
mod foreign_files;
mod halves_and_channels;
#[cfg(feature = "io")]
mod hyperstacks;
mod mrc;
#[cfg(feature = "dicom")]
mod multi_frame;
mod other_headers;
#[cfg(feature = "zstd")]
mod packed;
mod promises;
#[cfg(feature = "io")]
mod slice_images;
#[cfg(feature = "io")]
mod slices;
mod threads;
#[cfg(feature = "io")]
mod tiff_fields;
#[cfg(feature = "io")]
mod tiff_pages;
#[cfg(feature = "io")]
mod trouble;
#[cfg(feature = "io")]
mod vti;
