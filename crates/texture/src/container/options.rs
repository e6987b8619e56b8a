//! Options of readers and writers of containers.

/// Options of [`Texture::read`](crate::Texture::read) and [`Texture::open`](crate::Texture::open).
///
/// ```
/// use brickwork_texture::container::TextureReadOptions;
///
/// let options = TextureReadOptions::new().with_max_memory(64 << 20);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TextureReadOptions {
    max_memory: u64,
}

impl TextureReadOptions {
    /// Returns the defaults.
    pub const fn new() -> Self {
        Self { max_memory: 4 << 30 }
    }

    /// Sets the maximum number of bytes that one call may allocate. They are for blocks and, if these are
    /// supercompressed, for the compressed bytes of one mip level and Zstandard's window. Default: 4 GiB.
    #[must_use]
    pub const fn with_max_memory(self, max_memory: u64) -> Self {
        Self { max_memory }
    }

    /// Returns the number of bytes that one call may allocate.
    pub const fn max_memory(&self) -> u64 {
        self.max_memory
    }
}

impl Default for TextureReadOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// Choice of a DDS file's header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DdsHeader {
    /// The legacy header for unsigned and opaque BC4 and BC5 without an array: a reader gets the same texture
    /// back from it. Else the DX10 header. (For colours, the legacy one does not state if they are sRGB.)
    #[default]
    Auto,
    /// The header with a four-CC or bit masks, for old readers. The colour space is dropped, as are alpha
    /// modes that the header cannot express. Formats and shapes that it cannot express are
    /// [`ContainerError::LegacyHeader`](super::ContainerError::LegacyHeader).
    Legacy,
    /// The DX10 header, which can express everything.
    Dx10,
}

/// Options of [`Texture::write`](crate::Texture::write) and [`Texture::save`](crate::Texture::save).
#[derive(Clone, Copy, Debug, Default)]
pub struct TextureWriteOptions {
    pub(super) dds_header: DdsHeader,
    pub(super) zstd: Option<i32>,
}

impl TextureWriteOptions {
    /// Returns the defaults.
    pub const fn new() -> Self {
        Self { dds_header: DdsHeader::Auto, zstd: None }
    }

    /// Sets the header of DDS files. Default: [`DdsHeader::Auto`].
    #[must_use]
    pub const fn with_dds_header(self, dds_header: DdsHeader) -> Self {
        Self { dds_header, ..self }
    }

    /// Sets the level of Zstandard supercompression of KTX2 files: 1 (fast) to 22 (small); negative levels
    /// are even faster. DDS has no supercompression and ignores it. Default: `None`, no supercompression.
    #[must_use]
    pub const fn with_zstd(self, level: Option<i32>) -> Self {
        Self { zstd: level, ..self }
    }
}
