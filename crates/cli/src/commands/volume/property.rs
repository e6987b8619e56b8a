//! Properties of volume files that only some formats have.

use brickwork_formats::VolumeFormat;

/// Property of a volume's file that options set, and only some formats have. With other formats, the options
/// have no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VolumeProperty {
    /// Size of bricks, number of mip levels, kind of the voxels.
    Coding,
    /// The coder.
    Profile,
    /// Compression that can be enabled.
    Compression,
    /// Format of each slice.
    Slices,
    /// Dims of chunks and shards.
    Chunks,
}

impl VolumeProperty {
    /// True if files of `format` have the property.
    pub const fn is_of(self, format: VolumeFormat) -> bool {
        match self {
            Self::Coding => matches!(format, VolumeFormat::Bwv | VolumeFormat::Zarr),
            Self::Profile => matches!(format, VolumeFormat::Bwv),
            Self::Compression => matches!(format, VolumeFormat::Nrrd | VolumeFormat::MetaImage),
            Self::Slices => matches!(format, VolumeFormat::Folder),
            Self::Chunks => matches!(format, VolumeFormat::Zarr),
        }
    }
}
