//! What the header of another format says.

use super::{Note, VoxelEncoding};
use crate::{ByteOrder, Header};

/// The header of a volume in another format, and how its voxels follow.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FormatHeader {
    /// What the volume is. Fields that have no place elsewhere are kept in its metadata.
    pub header: Header,
    /// Which byte of a number comes first.
    pub order: ByteOrder,
    /// Where the voxels are.
    pub voxels: VoxelLocation,
    /// How they are encoded there.
    pub encoding: VoxelEncoding,
    /// Lines before the bytes that `voxels` describes, which are not read.
    pub skipped_lines: u64,
    /// Order of channels, voxels and frames.
    pub storage_order: StorageOrder,
    /// Notes on what the header says.
    pub notes: Vec<Note>,
}

/// Order of channels, voxels and frames in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StorageOrder {
    /// Channels of a voxel are side by side, and frames one after the other.
    #[default]
    FramesLast,
    /// Each channel has a volume of its own, with all its frames, one after the other.
    ChannelsLast,
    /// The frames of a voxel, which has one channel, are side by side.
    FramesFirst,
}

/// Where the voxels of a header are.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VoxelLocation {
    /// Right after the header.
    Attached,
    /// In another file.
    Detached {
        /// The file's name, relative to the folder of the header.
        name: String,
        /// Bytes to skip: of the file if they are raw, text or zlib, else of what is in it. `None` if the
        /// voxels are raw and the last bytes of the file.
        skip: Option<u64>,
    },
    /// In several other files, an equal part in each.
    Files {
        /// The files' names, relative to the folder of the header.
        names: Vec<String>,
        /// Bytes to skip in each, as of one file.
        skip: Option<u64>,
    },
}

/// The distance between frames in seconds, where it is known.
pub(super) fn frame_step(header: &Header) -> Option<f64> {
    Some(header.frame_spacing).filter(|step| step.is_normal() && *step > 0.0)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{Dims, Spacing, VolumeWriteError, VoxelType, formats::FormatError};
    use std::io::{self, BufRead};

    /// A header that has a place and directions of its own.
    pub fn posed(voxel_type: VoxelType, dims: Dims) -> Header {
        let mut header = Header::new(voxel_type, dims);
        header.spacing = Spacing { x: 0.5, y: 0.25, z: 2.0 };
        header.origin = [1.5, -2.0, 3.0];
        header.orientation = [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        header
    }

    /// What `read` makes of what `write` has written, which must end where the voxels start.
    pub fn read_back(
        header: &Header,
        write: impl Fn(&Header, &mut dyn io::Write) -> Result<(), VolumeWriteError>,
        read: impl Fn(&mut dyn BufRead) -> Result<FormatHeader, FormatError>,
    ) -> FormatHeader {
        let mut bytes = Vec::new();
        write(header, &mut bytes).expect("memory");
        bytes.extend_from_slice(b"voxels");
        let mut rest = bytes.as_slice();
        let found = read(&mut rest).expect("our own header");
        assert_eq!(rest, b"voxels");
        found
    }
}
