//! Lossless compression of volumes in bricks, with random access to each brick.
//!
//! A volume is cut into *bricks* of 4×4×4 voxels (or 8×8×8). Each is predicted, coded and found again on its
//! own.
//!
//! ```
//! use brickwork_volume::{Dims, EncodeOptions, Header, Region, VolumeFile, VolumeView, VoxelType, encode};
//!
//! let voxels: Vec<u16> = (0..40 * 30 * 20).map(|i| i % 40 * 3).collect();
//! let dims = Dims::new(40, 30, 20);
//! let mut file = Vec::new();
//! let header = Header::new(VoxelType::U16, dims);
//! encode(VolumeView::new(&voxels, dims)?, &header, &EncodeOptions::default(), &mut file)?;
//!
//! let volume = VolumeFile::new(file)?;
//! let line: Vec<u16> = volume.read(&Region { x: 10..20, y: 5..6, z: 7..8 })?;
//! assert_eq!(line, &voxels[10 + 40 * (5 + 30 * 7)..][..10]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bits;
mod brick;
mod compare;
mod dims;
mod error;
mod file;
pub mod formats;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod guthe2016;
mod histogram;
mod part;
mod patterns;
mod simd;
mod stream;
mod superblock;
mod untyped;
mod view;
mod voxel;

pub use brick::BrickSize;
pub use compare::{CompareError, Comparison, compare};
pub use dims::{Dims, MAX_CHANNELS, Region, Spacing};
pub use error::{DecodeError, ReadError, ShapeError, VolumeErrorKind, VoxelStreamError, WriteError};
pub use file::{
    BrickAddress, BrickCache, EncodeOptions, GroupStatistics, Header, PartCounts, Profile, ReadAt, Selection,
    Statistics, Strides, VolumeFile, VolumeWriter, VoxelKind, encode,
};
pub use formats::{OpenError, OpenOptions, OpenedVolume, RawLayout, VolumeFormat, open, write_volume};
pub use stream::{
    BrickChoice, BufReadSeek, ByteOrder, RegionReader, VoxelStream, choose_brick, copy_voxels,
    encode_seekable, encode_stream,
};
pub use untyped::AnyVoxels;
pub use view::VolumeView;
pub use voxel::{Voxel, VoxelType};
