//! Headers of other formats.

use crate::{AxisOrder, Note, VoxelEncoding};
use brickwork_volume::{ByteOrder, Header};

/// Header of a volume in another format, and the layout of its voxels.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FormatHeader {
    /// Header of the volume. Its metadata keeps the fields that it has no other place for.
    pub header: Header,
    /// Byte order of the numbers.
    pub order: ByteOrder,
    /// Location of the voxels.
    pub voxels: VoxelLocation,
    /// Encoding of the voxels.
    pub encoding: VoxelEncoding,
    /// Number of lines to skip, before the bytes that `voxels` describes.
    pub skipped_lines: u64,
    /// Order of channels, voxels and frames.
    pub storage_order: StorageOrder,
    /// Notes on the header's fields.
    pub notes: Vec<Note>,
}

/// Order of channels, voxels and frames in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StorageOrder {
    /// The channels of a voxel are side by side; frames follow one after the other.
    #[default]
    FramesLast,
    /// Each channel is a separate volume with all its frames; the channels follow one after the other.
    ChannelsLast,
    /// The axes have another order, such as that of Fortran.
    Axes(AxisOrder),
}

/// Location of the voxels of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VoxelLocation {
    /// Right after the header.
    Attached,
    /// Voxels in another file.
    Detached {
        /// Name of the file, relative to the folder of the header.
        name: String,
        /// Number of bytes to skip: of the file for raw, text or zlib encoding, else of the decoded bytes.
        /// `None` if the voxels are raw and the last bytes of the file.
        skip: Option<u64>,
    },
    /// Voxels in several other files of equal size.
    Files {
        /// Names of the files, relative to the folder of the header.
        names: Vec<String>,
        /// Number of bytes to skip in each file, as for a single file.
        skip: Option<u64>,
    },
}

/// Sets the metadata of a header. Names are sorted in any case: zarrs enables `preserve_order` of serde_json,
/// and Cargo unites the features of a dependency.
pub(crate) fn set_metadata(header: &mut Header, mut metadata: serde_json::Value) {
    metadata.sort_all_objects();
    header.metadata = metadata.to_string();
}

/// Returns the distance between frames in seconds, if it is known.
pub(crate) fn frame_step(header: &Header) -> Option<f64> {
    Some(header.frame_spacing).filter(|step| step.is_normal() && *step > 0.0)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::FormatError;
    use brickwork_volume::{Dims, Spacing, VoxelType};
    use std::{
        fmt,
        io::{self, BufRead},
    };

    /// Returns a header with its own position and directions.
    pub fn posed(voxel_type: VoxelType, dims: Dims) -> Header {
        let mut header = Header::new(voxel_type, dims);
        header.spacing = Spacing { x: 0.5, y: 0.25, z: 2.0 };
        header.origin = [1.5, -2.0, 3.0];
        header.orientation = [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        header
    }

    /// Returns what `read` returns for the output of `write`; the output must end where the voxels start.
    pub fn read_back<E: fmt::Debug>(
        header: &Header,
        write: impl Fn(&Header, &mut dyn io::Write) -> Result<(), E>,
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
