//! The volume formats of other programs: recognizing a file's format, reading it and writing it.
//!
//! [`open`] reads any file, folder or pipe into an [`OpenedVolume`]: a header, and a stream of voxels.
//! [`write_volume`] writes such a volume in another format, `.bwv` included.
//!
//! ```
//! use brickwork_formats::{RawLayout, VolumeFormat, VolumeOpenOptions, open, write_volume};
//! use brickwork_volume::{Dims, Region, Task, VolumeFile, VoxelType};
//!
//! # let folder = std::env::temp_dir().join(format!("brickwork-formats-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let (task, path) = (Task::new(), folder.join("scan.raw"));
//! std::fs::write(&path, (0..=255).collect::<Vec<u8>>())?;
//! let layout = RawLayout::new(VoxelType::U8, Dims::new(8, 8, 4));
//! let volume = open(&path, &VolumeOpenOptions::default().with(|o| o.raw = layout), &task)?;
//! let mut nrrd = std::fs::File::create(folder.join("scan.nrrd"))?;
//! write_volume(volume, VolumeFormat::Nrrd, &Default::default(), &mut nrrd, &task)?;
//!
//! let volume = open(folder.join("scan.nrrd"), &Default::default(), &task)?;
//! let mut bwv = Vec::new();
//! write_volume(volume, VolumeFormat::Bwv, &Default::default(), &mut bwv, &task)?;
//! let slice: Vec<u8> = VolumeFile::new(bwv)?.read(&Region { x: 0..8, y: 0..8, z: 3..4 }, &task)?;
//! assert_eq!(slice, (192..=255).collect::<Vec<u8>>());
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Larger than memory
//!
//! Headers are read when a volume is opened, and voxels when they are needed, a piece at a time.
//! [`VolumeOpenOptions::max_memory`] limits what must be held: a slice, or a file that comes from a
//! pipe. Compressed voxels are decoded again from the start if they are read twice, as for a `.bwv` file.
//!
//! # Headers and notes
//!
//! Fields that the header of a volume has no place for are kept in its metadata, under the name of the
//! format, and written again in the same format. [`Note`]s tell the user of assumptions, and of parts of a
//! file that were left out. [`lost_fields`] returns notes on fields that another format cannot store.
//! [`rescale`] replaces stored numbers by physical values; nothing else changes numbers.
//!
//! # Layout
//!
//! | folder, file | contents |
//! |---|---|
//! | `format.rs`, `series.rs`, `slice_shape.rs` | names of formats, series and shapes, which errors state |
//! | `error/` | errors, and properties that are not supported |
//! | `header/` | contents of every format's header: geometry, units, text, notes for the user |
//! | `streams/` | stored bytes as voxels: unpacked, limited, in another order |
//! | `opened/` | options, sources of bytes, the open volume |
//! | `nrrd/`, `nifti/`, `vti/`, `mrc/`, `metaimage.rs`, `mgh.rs`, `npy.rs` | a format each |
//! | `slices/`, `dicom/` | slices in PNG, TIFF, BMP and JPEG files; DICOM files and series |
//! | `write/`, `rescale.rs` | volumes in other formats; physical values |
//! | `zarr/` | Zarr arrays and OME-Zarr groups |
//! | `open/` | recognition of a file's format, and the way to its voxels |
//!
//! Each imports only those above it.
//!
//! # Bytes from outside
//!
//! Damaged and hostile files are errors. No reader panics, hangs, or allocates the memory that a file claims.
//!
//! # Features
//!
//! Every build has raw voxels, NRRD, MetaImage, NIfTI, MRC, MGH and NumPy arrays.
//!
//! - `rayon` (default): several threads.
//! - `io` (default): VTI, TIFF stacks and folders of slices.
//! - `zstd` (default): volumes in Zstandard. Needs a C compiler.
//! - `dicom` (default): DICOM files and series.
//! - `dicom-jpegs`: DICOM in JPEG-LS, JPEG 2000 and HTJ2K. Needs Rust 1.92.
//! - `zarr`: Zarr arrays and OME-Zarr groups in folders and ZIP archives ([`write_zarr`],
//!   [`write_zarr_archive`], [`verify_zarr`]). Needs Rust 1.95.
//!
//! # Compatibility
//!
//! Enums and structs that may grow are `#[non_exhaustive]`. Types of other crates in this one's signatures
//! are those of `brickwork-volume`, re-exported here: a new major version of it is a new major version of
//! this crate.

// Each public enum and struct may grow, or states why not.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod axis_order;
#[cfg(feature = "dicom")]
pub mod dicom;
mod error;
mod format;
mod header;
pub mod metaimage;
mod mgh;
mod mrc;
pub mod nifti;
mod npy;
pub mod nrrd;
mod open;
mod opened;
mod rescale;
mod series;
mod slice_shape;
#[cfg(feature = "io")]
mod slices;
mod streams;
#[cfg(feature = "io")]
pub mod vti;
mod words;
mod write;
mod zarr;

pub use brickwork_volume;

pub use axis_order::{Axis, AxisOrder, AxisOrderError};
pub use error::{
    DicomFeature, FormatError, GeometryFault, ImageFeature, JpegFault, JpegFeature, MetaImageFeature,
    MghFeature, MrcFeature, NiftiFeature, NpyFeature, NrrdFeature, OpenError, PageStackFeature, SlicesError,
    TiffColor, TiffFeature, UnsupportedFeature, UnwritableFeature, VtiFeature, WriteError, XmlFault,
    ZarrFeature,
};
pub use format::VolumeFormat;
pub use header::{
    format_header::{FormatHeader, StorageOrder, VoxelLocation},
    geometry::check_orientation,
    mrc_note::MrcNote,
    note::Note,
    numbers_note::NumbersNote,
    parts_note::PartsNote,
    units::{millimetres, seconds},
    voxel_encoding::VoxelEncoding,
};
#[cfg(feature = "io")]
pub use open::folder;
pub use open::{VolumePipe, open};
pub use opened::{opened_volume::OpenedVolume, options::VolumeOpenOptions, raw_layout::RawLayout};
pub use rescale::rescale;
pub use series::{Series, SeriesChoice};
pub use slice_shape::SliceShape;
#[cfg(feature = "io")]
pub use slices::{
    slice_files::{SliceFormat, write_slices},
    tiff_stack,
};
pub use write::{
    VolumeWriteOptions,
    bwv::{BrickPolicy, WrittenVolume},
    lost::lost_fields,
    write_volume,
};
pub use zarr::{
    HAS_ZARR, WrittenZarr, ZarrCheck, ZarrForm, ZarrOptions, is_zarr, open_zarr_levels, verify_zarr,
    write_zarr, write_zarr_archive,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
