//! Properties of Zarr arrays and OME-Zarr groups.

/// Property of a Zarr folder that is not supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ZarrFeature {
    /// Codec, filter or compressor, by its name.
    #[error("the codec {0:?} of a Zarr array")]
    Codec(String),
    /// Type of the numbers.
    #[error("a Zarr array of the type {0:?}")]
    Type(String),
    /// Chunk grid or encoding of chunk keys, by its name.
    #[error("a Zarr array with the {what} {name:?}")]
    Extension {
        /// Kind of the extension.
        what: &'static str,
        /// Name of the extension.
        name: String,
    },
    /// Axes that are not those of a volume; the names, or the shape.
    #[error("a Zarr array with the axes {0}")]
    Axes(String),
    /// Chunks above 2 GiB, the limit of numcodecs; their number of bytes.
    #[error("a Zarr array with chunks of {0} bytes")]
    Chunk(String),
    /// Group without the metadata `multiscales` of OME-Zarr; its members.
    #[error("a Zarr group without multiscales (its members: {0})")]
    Group(String),
    /// ZIP archive without a Zarr array or group at its root or in one of its folders; its members.
    #[error("a ZIP archive without zarr.json, .zarray or .zgroup (its members: {0})")]
    Archive(String),
    /// ZIP archive with Zarr arrays or groups in several folders; their names.
    #[error("a ZIP archive of several Zarr folders ({0})")]
    Archives(String),
    /// Encrypted entry of a ZIP archive, by its key.
    #[error("the encrypted entry {0:?} of a ZIP archive")]
    EncryptedEntry(String),
    /// Entry of a ZIP archive that is compressed by another method than deflate.
    #[error("the entry {key:?} of a ZIP archive, compressed by {method},")]
    EntryMethod {
        /// Key of the entry.
        key: String,
        /// Name or number of the method.
        method: String,
    },
    /// Shard that is compressed as an entry of a ZIP archive, and larger than what is kept in memory.
    #[error(
        "the shard {key:?}, compressed as an entry of a ZIP archive, of {byte_count} bytes (at most {most}),"
    )]
    PackedShard {
        /// Key of the shard.
        key: String,
        /// Its size in bytes.
        byte_count: u64,
        /// Maximum size in bytes.
        most: u64,
    },
    /// Property of one of the arrays of a group.
    #[error("{feature} (in {array:?})")]
    Array {
        /// Path of the array in the group.
        array: String,
        /// The property.
        feature: Box<Self>,
    },
}
