//! Raw voxels as streams of bytes: read a piece at a time, copied, rescaled, encoded, and read out of a
//! `.bwv` file.

mod byte_order;
mod cancellable;
mod choose;
mod copy;
mod encode;
mod pieces;
mod read_frame;
mod region_reader;
mod rescale;
mod voxel_stream;

pub use byte_order::ByteOrder;
pub use cancellable::Cancellable;
pub use choose::{BrickChoice, choose_brick, choose_brick_any};
pub use copy::copy_voxels;
pub use encode::{encode_seekable, encode_stream};
pub use read_frame::{read_channels, read_frame};
pub use region_reader::RegionReader;
pub use rescale::rescale_stream;
pub use voxel_stream::{BufReadSeek, VoxelStream};

pub(crate) use pieces::{at_end, fill};
pub(crate) use voxel_stream::ReadSeek;
