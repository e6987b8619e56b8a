//! Contents of headers.

use super::{ContainerFormat, HeaderKind};
use crate::TextureDesc;

/// Contents of a file's header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// Kind of file.
    pub container: ContainerFormat,
    /// Format, shape, mip levels, colour space and alpha, as returned by
    /// [`Texture::read`](crate::Texture::read).
    pub desc: TextureDesc,
    /// The container's name for the format: `DXGI_FORMAT_BC1_UNORM_SRGB`, `VK_FORMAT_BC1_RGB_SRGB_BLOCK`, or
    /// for a legacy DDS header the four-CC (`DXT1`), the number of `D3DFORMAT`, or the masks.
    pub format_name: String,
    /// Kind of header.
    pub header: HeaderKind,
    /// Supercompression, if any: `Zstandard, level data of 123 bytes`.
    pub supercompression: Option<String>,
    /// KTX2's key/value pairs in the order of the file. If a value is not text, its length is shown instead.
    pub key_values: Vec<(String, String)>,
    /// Faults of the file that the reader tolerated: one short sentence each, without a period.
    pub notes: Vec<String>,
    /// True if the format is typeless: it does not state if colours are sRGB.
    pub(super) is_typeless: bool,
}

impl Info {
    /// True if the file states if its colours are sRGB. All files do, except `.astc` files, and DDS files of
    /// BC1, BC2, BC3,
    /// `rgba8` and `bgra8` with a legacy header, and typeless ones with an sRGB variant. Their
    /// [`desc`](Self::desc) has [`ColorSpace::Linear`](crate::ColorSpace::Linear).
    pub fn states_color_space(&self) -> bool {
        let is_stated = match self.header {
            HeaderKind::DdsLegacy | HeaderKind::Astc => false,
            HeaderKind::DdsDx10 | HeaderKind::Ktx2 => !self.is_typeless,
        };
        is_stated || !self.desc.format.has_srgb()
    }

    /// True for a DDS file with a legacy header.
    pub fn is_legacy_dds(&self) -> bool {
        self.header == HeaderKind::DdsLegacy
    }

    pub(super) fn new(
        container: ContainerFormat,
        desc: TextureDesc,
        format_name: String,
        header: HeaderKind,
    ) -> Self {
        Self {
            container,
            desc,
            format_name,
            header,
            supercompression: None,
            key_values: Vec::new(),
            notes: Vec::new(),
            is_typeless: false,
        }
    }
}
