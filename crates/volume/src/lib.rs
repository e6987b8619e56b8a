//! Lossless compression of volumes in bricks, with random access to each brick.
//!
//! A volume is cut into *bricks* of 4×4×4 voxels (or 8×8×8, or 16×16×1 of a slice). Each brick is predicted,
//! coded and located independently.
//!
//! ```
//! use brickwork_volume::{Dims, BwvOptions, Header, Region, Task, VolumeFile, VolumeView};
//! use brickwork_volume::{VoxelType, encode};
//!
//! let voxels: Vec<u16> = (0..40 * 30 * 20).map(|i| i % 40 * 3).collect();
//! let dims = Dims::new(40, 30, 20);
//! let mut file = Vec::new();
//! let header = Header::new(VoxelType::U16, dims);
//! encode(VolumeView::new(&voxels, dims)?, &header, &BwvOptions::default(), &mut file, &Task::new())?;
//!
//! let volume = VolumeFile::new(file)?;
//! let line: Vec<u16> = volume.read(&Region { x: 10..20, y: 5..6, z: 7..8 }, &Task::new())?;
//! assert_eq!(line, &voxels[10 + 40 * (5 + 30 * 7)..][..10]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Larger than memory
//!
//! A file is written and read in *slabs* of 8 to 64 slices. [`VolumeWriter`] takes voxels in order and holds
//! one slab; [`encode_stream`] feeds it from any reader. [`VolumeFile::slabs`] returns the regions to read in
//! turn, and [`RegionReader`] reads a region as a stream of bytes. The crate `brickwork-formats` reads and
//! writes other formats this way, from NRRD to DICOM.
//!
//! # Bytes over a network
//!
//! [`SuppliedBytes`] is a source of bytes that the caller fetches, by HTTP range requests for instance:
//! [`SuppliedBytes::needed_to_open`] and [`VolumeFile::ranges`] return the byte ranges to fetch.
//!
//! # Chunks of Zarr arrays
//!
//! [`encode_chunk`] and [`decode_chunk`] are a codec for the chunks of a Zarr array. [`ChunkReader`] reads a
//! region of a chunk from its bytes, or from the byte ranges that the region needs.
//!
//! # Bricks at random
//!
//! [`VolumeFile::read`] reads and verifies a chunk (a few hundred bricks) at each call. For single bricks in
//! sequence, as in ray casting, [`BrickCache`] keeps verified chunks within a memory limit. Many threads may
//! use it at the same time. [`BrickCache::read_bricks`] reads several bricks faster than one after the other.
//! [`BrickSize`] trades size for speed of access; [`choose_brick`] finds the size with the smallest result
//! for a sample.
//!
//! # Types, axes, strides
//!
//! [`Voxel`] types are known when the caller is compiled. For types known at run time there are
//! [`VolumeFile::read_any`], [`VolumeFile::read_bytes_into`] and [`encode_any`].
//!
//! Voxels are in memory with channels fastest, then x, y, z and frames. In `ndarray` (standard layout) and
//! NumPy that is an array of shape (frames, z, y, x, channels), indexed `[[frame, z, y, x, channel]]`. For
//! any other order, [`VolumeFile::read_strided`], [`VolumeFile::read_bytes_into`] and
//! [`AnyView::with_strides`] take [`Strides`], which may be negative.
//!
//! # Threads and instruction sets
//!
//! With the feature `rayon`, encoding and decoding use rayon's threads: those of its global pool, or of the
//! pool in which they are called (`ThreadPool::install`). With [`Threads::Calling`] (`Task::with_threads`)
//! they use only the calling thread. This suits callers that already run many threads, which would wait for
//! each other at the pool.
//!
//! AVX2 and AVX-512 are used if the CPU supports them. The bytes and the voxels are the same with any number
//! of threads and on any CPU. To compare instruction sets on one machine, set `BRICKWORK_VOLUME_SIMD` to
//! `portable`, `avx2` or `avx512`. Any other value, or an instruction set that the CPU lacks, has no effect;
//! [`check_simd_variable`] returns an error for it.
//!
//! # Rendering
//!
//! [`render`] renders volumes on the CPU: direct volume rendering, maximum intensity, isosurfaces and labels.
//!
//! # Features
//!
//! - `rayon` (default): several threads.
//! - `gpu`: the decoder's kernel in WGSL, for any kernel to include.
//!
//! # Dev builds
//!
//! Cargo does not apply the profiles of dependencies. Codecs and renderers are slow in an
//! application's dev builds unless its own `Cargo.toml` contains
//!
//! ```toml
//! [profile.dev.package.brickwork-volume]
//! opt-level = 3
//! ```
//!
//! # Compatibility
//!
//! Enums and structs that may grow are `#[non_exhaustive]`. Types of other crates in this one's signatures
//! are those of [`bytemuck`] and, with the feature `gpu`, `gpu::wgpu`, re-exported here: a new major version
//! of one of them is a new major version of this crate.

// Each public enum and struct may grow, or states why not.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod any_view;
mod bits;
mod brick;
mod channels;
mod checksum;
mod chunk;
mod compare;
mod dims;
mod error;
#[cfg(feature = "kernel-inputs")]
#[doc(hidden)]
pub mod export;
mod file;
mod file_part;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod guthe2016;
mod histogram;
#[cfg(feature = "gpu")]
mod kernels;
mod part;
mod patterns;
pub mod render;
mod rescale;
mod resident;
mod simd;
mod steps;
mod stream;
mod strides;
mod superblock;
mod untyped;
mod value_statistics;
mod view;
mod voxel;
#[cfg(feature = "gpu")]
mod wgsl;
mod world;

pub use brickwork_base::{
    CancelToken, Cancelled, ErrorKind, Progress, SimdVariableError, Stage, Task, Threads,
};
pub use bytemuck;
pub use half;

pub use any_view::AnyView;
pub use brick::{BrickEffort, BrickSize};
pub use channels::ChannelLook;
pub use chunk::{ChunkError, ChunkOptions, ChunkReader, ChunkShape, decode_chunk, encode_chunk};
pub use compare::{CompareError, Comparison, compare};
pub use dims::{Dims, MAX_CHANNELS, Region, ShapeError, Spacing};
pub use error::{BwvError, ForeignError, VolumeReadError, VolumeWriteError, VoxelStreamError};
pub use file::{
    BrickAddress, BrickCache, BwvOptions, GroupStatistics, Header, PartCounts, Profile, ReadAt, Selection,
    Statistics, SuppliedBytes, VolumeFile, VolumeWriter, VoxelKind, encode, encode_any, halve_axes,
};
pub use file_part::{FilePart, FileSection};
pub use histogram::Histogram;
pub use rescale::{Rescale, Rescaling};
pub use resident::{ResidentBrick, ResidentOptions, ResidentVolume};
pub use simd::check_simd_variable;
pub use stream::{
    BrickChoice, BufReadSeek, ByteOrder, Cancellable, RegionReader, VoxelStream, choose_brick,
    choose_brick_any, copy_voxels, encode_seekable, encode_stream, read_channels, read_frame, rescale_stream,
};
pub use strides::Strides;
pub use untyped::AnyVoxels;
pub use value_statistics::{
    FiniteStatistics, LabelStatistics, PartStatistics, StatisticsError, ValueHistogram, ValueStatistics,
    ValueStatisticsOptions, VoxelSource, value_statistics,
};
pub use view::VolumeView;
pub use voxel::{Voxel, VoxelType};
pub use world::space_signs;

#[cfg(doctest)]
mod promises;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
