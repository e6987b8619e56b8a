//! What may go wrong, by who can act on it.

use crate::{Dims, Region, VoxelType};
use std::io;

/// A shape that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A side of zero voxels.
    #[error("{0} has a side of zero voxels")]
    Empty(Dims),
    /// More voxels or bytes than this machine can address.
    #[error("{0} is more than this machine can address")]
    TooLarge(Dims),
    /// The slice of voxels has another length than the dims say.
    #[error("{dims} has {expected} voxels, not {actual}")]
    Length {
        /// The volume's dims.
        dims: Dims,
        /// Voxels the dims ask for.
        expected: usize,
        /// Voxels given.
        actual: usize,
    },
    /// A voxel is 1 to 4 numbers.
    #[error("{0} channels: 1 to {MAX_CHANNELS} are supported", MAX_CHANNELS = crate::MAX_CHANNELS)]
    Channels(usize),
    /// No frame, or more than the format holds.
    #[error("{0} frames are none, or too many")]
    Frames(usize),
    /// No level, or more than halve the volume down to one voxel.
    #[error("{levels} levels: {dims} has 1 to {most}")]
    Levels {
        /// Levels asked for.
        levels: usize,
        /// The volume's dims.
        dims: Dims,
        /// Levels there may be.
        most: usize,
    },
    /// The paper's scheme has bricks of 4³ voxels.
    #[error("the profile guthe2016 has bricks of 4×4×4 voxels only")]
    PaperBrick,
    /// A level, frames or a channel that the volume does not have.
    #[error("{what} {index}: there {}", if *count == 1 { "is only 0".to_owned() } else { format!("are 0 to {}", count - 1) })]
    Selected {
        /// `level`, `frame` or `channel`.
        what: &'static str,
        /// The one asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A region that is empty or reaches outside.
    #[error("the region {region} is empty or reaches outside {dims}")]
    Outside {
        /// The region asked for.
        region: Region,
        /// The volume's dims.
        dims: Dims,
    },
}

/// Compressed bytes that break the format's rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The first bytes are not those of a `.bwv` file.
    #[error("is no .bwv file: the first eight bytes are others")]
    NotAVolume,
    /// A version this program does not know.
    #[error("is of version {0} of the .bwv format, which this program does not know")]
    Version(u16),
    /// The bytes end too soon, or go on too long.
    #[error("{part} has {have} bytes, {need} are needed")]
    Short {
        /// What was being read.
        part: &'static str,
        /// Bytes needed.
        need: u64,
        /// Bytes there.
        have: u64,
    },
    /// A value no encoder writes.
    #[error("{part} at byte {offset} holds {value}, which is not allowed")]
    Value {
        /// What was being read.
        part: &'static str,
        /// Where, counted from the start of the stream.
        offset: u64,
        /// What was found.
        value: u64,
    },
    /// The file does not end with a footer.
    #[error("ends at byte {0}, not as a .bwv file does: it was cut off or not written to its end")]
    Cut(u64),
    /// Bytes that are not those which were written.
    #[error("{part} at byte {offset} is damaged: its checksum differs")]
    Checksum {
        /// What was being read.
        part: String,
        /// Where it starts in the file.
        offset: u64,
    },
    /// Bytes with the right checksum that no encoder writes.
    #[error("{part} at byte {offset} breaks the format's rules")]
    Structure {
        /// What was being read.
        part: String,
        /// Where it starts in the file.
        offset: u64,
    },
    /// The shape asked for does not fit.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file breaks its format's rules.
    #[error(transparent)]
    Format(#[from] DecodeError),
    /// The caller asked for another type than the file holds.
    #[error("the voxels are {have}, not {asked}")]
    Type {
        /// The file's type.
        have: VoxelType,
        /// The type asked for.
        asked: VoxelType,
    },
    /// What was asked for is of the profile bricks alone.
    #[error("the file is of the profile guthe2016; this is for the default profile only")]
    Profile,
    /// Memory that the caller's request needs cannot be had.
    #[error("{0} bytes of memory cannot be had")]
    Memory(u64),
    /// What the system says.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<ShapeError> for ReadError {
    fn from(error: ShapeError) -> Self {
        Self::Format(error.into())
    }
}

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The voxels do not fit the header.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The caller gives another type than the header says.
    #[error("the header says {have}, the voxels are {given}")]
    Type {
        /// The header's type.
        have: VoxelType,
        /// The type given.
        given: VoxelType,
    },
    /// More or fewer voxels than the dims say.
    #[error(
        "the dims ask for {need} bytes of voxels, {}",
        if have > need { "and there are more".to_owned() } else { format!("and there are {have}") }
    )]
    Count {
        /// Bytes the dims ask for.
        need: u64,
        /// Bytes that came; one too many stands for any more.
        have: u64,
    },
    /// A volume of which the format holds only others.
    #[error("{format} holds no {what}; {instead}")]
    Unsupported {
        /// The format's name.
        format: &'static str,
        /// What it does not hold.
        what: String,
        /// Which formats do.
        instead: &'static str,
    },
    /// Metadata that the format does not take.
    #[error("the metadata takes {0} bytes, more than 16 MiB")]
    Metadata(usize),
    /// What the system says.
    #[error(transparent)]
    Io(#[from] io::Error),
}
