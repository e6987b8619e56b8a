//! The options of readers and writers of containers.

/// What a reader may use.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Bytes that one call may allocate for blocks and, if they are supercompressed, for the compressed bytes
    /// of one mip level and Zstandard's window. Default: 4 GiB.
    pub max_memory: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { max_memory: 4 << 30 }
    }
}

/// Which header a DDS file gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DdsHeader {
    /// The legacy header if a reader gets the same texture back from it, else the DX10 header. That is, the
    /// legacy header for unsigned and opaque BC4 and BC5 without an array. (Of colours it does not say
    /// whether they are sRGB.)
    #[default]
    Auto,
    /// The header with a four-CC, for old readers. The colour space is dropped, as are alpha modes that it
    /// cannot express; formats and shapes that it cannot express are
    /// [`ContainerError::Unsupported`](super::ContainerError::Unsupported).
    Legacy,
    /// The DX10 header, which can express everything.
    Dx10,
}

/// How a file is written.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    /// The header of DDS files. Default: [`DdsHeader::Auto`].
    pub dds_header: DdsHeader,
    /// Level of Zstandard supercompression of KTX2 files: 1 (fast) to 22 (small), or negative for faster
    /// still. Ignored for DDS, which has none. Default: `None`, no supercompression.
    pub zstd: Option<i32>,
}
