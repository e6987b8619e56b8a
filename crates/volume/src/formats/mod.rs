//! The file formats of other programs: recognizing a file's format, opening it, and writing it.
//!
//! [`open`] and [`write_volume`] take any of them; the modules read and write the header of one.

#[cfg(feature = "dicom")]
pub mod dicom;
mod error;
mod file_list;
#[cfg(feature = "io")]
pub mod folder;
mod format;
mod format_header;
mod geometry;
mod gzip;
mod header_text;
mod jpeg_fault;
mod limited;
mod lost;
pub mod metaimage;
mod mgh;
pub mod nifti;
mod note;
mod npy;
pub mod nrrd;
mod open;
mod open_options;
mod opened_volume;
#[cfg(feature = "io")]
mod packed_bits;
#[cfg(feature = "io")]
mod palette;
mod pipe;
mod planes;
mod raw_layout;
#[cfg_attr(not(feature = "io"), allow(dead_code, reason = "slices need the feature"))]
mod reopening_reader;
mod reordered;
mod rescale;
mod series;
#[cfg(feature = "io")]
mod slice;
#[cfg(feature = "io")]
mod slice_files;
#[cfg(feature = "io")]
mod slice_image;
#[cfg(feature = "io")]
mod slice_names;
mod slice_shape;
#[cfg_attr(not(feature = "io"), allow(dead_code, reason = "only `.bwv` from a pipe is left"))]
mod source;
mod text_numbers;
#[cfg(feature = "io")]
pub mod tiff_stack;
mod units;
mod unpacked;
mod unsupported;
#[cfg(feature = "io")]
pub mod vti;
mod world;
mod write;
mod write_bwv;
#[cfg(feature = "io")]
mod xml;
#[cfg(feature = "io")]
mod ycbcr;

pub use error::{FormatError, OpenError, SlicesError, XmlFault};
pub use format::VolumeFormat;
pub use format_header::{FormatHeader, StorageOrder, VoxelLocation};
pub use open::open;
pub use open_options::VolumeOpenOptions;
pub use opened_volume::OpenedVolume;
pub use pipe::VolumePipe;
pub use raw_layout::RawLayout;
pub use rescale::rescale;
#[cfg(feature = "io")]
pub use slice_files::{SliceFormat, write_slices};
pub use slice_shape::SliceShape;
pub(crate) use unpacked::Unpacked;
pub use unpacked::VoxelEncoding;
pub use unsupported::{
    DicomFeature, ImageFeature, JpegFeature, MetaImageFeature, MghFeature, NiftiFeature, NpyFeature,
    NrrdFeature, PageStackFeature, TiffColor, TiffFeature, UnsupportedFeature, UnwritableFeature, VtiFeature,
    ZarrFeature,
};
pub use write::{VolumeWriteOptions, write_volume};
pub use write_bwv::{BrickPolicy, WrittenVolume};

pub use geometry::{GeometryFault, check_orientation};
pub use jpeg_fault::JpegFault;
pub use lost::lost_fields;
pub use note::Note;
pub use series::{Series, SeriesChoice};
pub use units::{millimetres, seconds};
