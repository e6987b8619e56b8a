//! Options of readers and writers of containers.

/// Options of [`Texture::read`](crate::Texture::read) and [`Texture::open`](crate::Texture::open).
///
/// ```
/// use brickwork_texture::container::TextureReadOptions;
///
/// let options = TextureReadOptions::default().with(|o| o.max_memory = 64 << 20);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TextureReadOptions {
    /// Maximum number of bytes that one call may allocate. They are for blocks and, if these are
    /// supercompressed, for the compressed bytes of one mip level and Zstandard's window. Default: 4 GiB.
    pub max_memory: u64,
}

impl TextureReadOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl Default for TextureReadOptions {
    fn default() -> Self {
        Self { max_memory: 4 << 30 }
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
#[non_exhaustive]
pub struct TextureWriteOptions {
    /// Header of DDS files. Default: [`DdsHeader::Auto`].
    pub dds_header: DdsHeader,
    /// Level of Zstandard supercompression of KTX2 files: 1 (fast) to 22 (small); negative levels are even
    /// faster. DDS has no supercompression and ignores it. Default: `None`, no supercompression.
    pub zstd: Option<i32>,
}

impl TextureWriteOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}
