//! Properties of valid files that readers do not support, one enum per reader, and of volumes that formats
//! cannot store.

mod dicom;
mod image;
mod metaimage;
mod mgh;
mod mrc;
mod nifti;
mod npy;
mod nrrd;
mod tiff;
mod unwritable;
mod vti;
mod zarr;

pub use dicom::{DicomFeature, JpegFeature};
pub use image::ImageFeature;
pub use metaimage::MetaImageFeature;
pub use mgh::MghFeature;
pub use mrc::MrcFeature;
pub use nifti::NiftiFeature;
pub use npy::NpyFeature;
pub use nrrd::NrrdFeature;
pub use tiff::{PageStackFeature, TiffColor, TiffFeature};
pub use unwritable::UnwritableFeature;
pub use vti::VtiFeature;
pub use zarr::ZarrFeature;

use crate::VolumeFormat;

/// Property of a valid file that its reader does not support.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnsupportedFeature {
    /// Format whose reader needs a feature of this crate that is disabled.
    #[error("{} without the feature {feature}", subject(*format))]
    Build {
        /// Format of the file.
        format: VolumeFormat,
        /// Feature of the crate.
        feature: &'static str,
    },
    /// Voxels in another file, in a header that comes from a pipe.
    #[error("a header from a pipe, with its voxels in another file,")]
    VoxelFileOfPipe,
    /// Voxels in several files that cannot all have the same length.
    #[error("a volume of {byte_count} bytes in {file_count} files")]
    FileList {
        /// Size of all voxels in bytes.
        byte_count: u64,
        /// Number of files.
        file_count: u64,
    },
    /// Property of a DICOM file.
    #[error(transparent)]
    Dicom(#[from] DicomFeature),
    /// Property of a JPEG, JPEG-LS or JPEG 2000 image in a DICOM file.
    #[error(transparent)]
    Jpeg(#[from] JpegFeature),
    /// Property of a MetaImage file.
    #[error(transparent)]
    MetaImage(#[from] MetaImageFeature),
    /// Property of a FreeSurfer file.
    #[error(transparent)]
    Mgh(#[from] MghFeature),
    /// Property of an MRC file.
    #[error(transparent)]
    Mrc(#[from] MrcFeature),
    /// Property of a NIfTI file.
    #[error(transparent)]
    Nifti(#[from] NiftiFeature),
    /// Property of a `.npy` file.
    #[error(transparent)]
    Npy(#[from] NpyFeature),
    /// Property of an NRRD file.
    #[error(transparent)]
    Nrrd(#[from] NrrdFeature),
    /// Property of a BMP or JPEG file among slices.
    #[error(transparent)]
    Image(#[from] ImageFeature),
    /// Property of the stack that the text of a TIFF file describes.
    #[error(transparent)]
    PageStack(#[from] PageStackFeature),
    /// Property of a TIFF file's pages.
    #[error(transparent)]
    Tiff(#[from] TiffFeature),
    /// Property of a VTI file.
    #[error(transparent)]
    Vti(#[from] VtiFeature),
    /// Property of a Zarr folder.
    #[error(transparent)]
    Zarr(#[from] ZarrFeature),
}

fn subject(format: VolumeFormat) -> &'static str {
    if format == VolumeFormat::Folder { "a folder" } else { format.title() }
}
