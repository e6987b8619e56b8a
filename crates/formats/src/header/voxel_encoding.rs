//! Encodings of voxels in a file.

use brickwork_volume::VoxelType;

/// Encoding of a file's voxels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum VoxelEncoding {
    /// Raw numbers.
    #[default]
    Raw,
    /// Numbers separated by white space.
    Text(VoxelType),
    /// gzip, with one member or several. Bytes after them that start no member are ignored.
    Gzip,
    /// zlib, or gzip, as readers of MetaImage allow.
    Zlib,
    /// bzip2, with one stream or several.
    Bzip2,
    /// Zstandard, with one frame or several. Needs the feature `zstd`.
    Zstd,
}

impl VoxelEncoding {
    /// Returns the name in errors.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Text(_) => "text",
            Self::Gzip => "gzip",
            Self::Zlib => "zlib",
            Self::Bzip2 => "bzip2",
            Self::Zstd => "Zstandard",
        }
    }
}
