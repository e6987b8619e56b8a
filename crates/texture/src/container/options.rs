//! What readers and writers of containers are asked for.

/// What a reader may do.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Bytes that one call may allocate for blocks, and where they are supercompressed for one level's
    /// compressed bytes and Zstandard's window besides. Default: 4 GiB.
    pub max_memory: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { max_memory: 4 << 30 }
    }
}

/// Which header a DDS file gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DdsHeader {
    /// The legacy header where a reader gets the same texture back from it, else the DX10 header. That is,
    /// legacy for linear colour, no array, BC1 (opaque or straight), BC2 and BC3 (straight or premultiplied),
    /// BC4 and BC5 (unsigned and opaque).
    #[default]
    Auto,
    /// The header with a four-CC, for old readers. The colour space is dropped, as are alpha modes it has no
    /// word for; formats and shapes it has none for are [`ContainerError::Unsupported`].
    Legacy,
    /// The DX10 header, which can say everything.
    Dx10,
}

/// How a file is written.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    /// The header of DDS files. Default: [`DdsHeader::Auto`].
    pub dds_header: DdsHeader,
    /// Level of Zstandard supercompression of KTX2 files: 1 (fast) to 22 (small), or negative for faster
    /// still. DDS has none and leaves it alone. Default: `None`, no supercompression.
    pub zstd: Option<i32>,
}
