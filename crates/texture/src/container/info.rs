//! The contents of headers.

use super::{ContainerFormat, dds};
use crate::{BlockFormat, TextureDesc};

/// The contents of a file's header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// The kind of file.
    pub container: ContainerFormat,
    /// Format, shape, mip levels, colour space and alpha, as [`Texture::read`](crate::Texture::read) would
    /// give them.
    pub desc: TextureDesc,
    /// The format as the container calls it: `DXGI_FORMAT_BC1_UNORM_SRGB`, `VK_FORMAT_BC1_RGB_SRGB_BLOCK`, or
    /// the four-CC of a legacy DDS header, `DXT1`.
    pub format_name: String,
    /// The header: `DDS, legacy header`, `DDS, DX10 header` or `KTX2`.
    pub header: String,
    /// The supercompression, if there is any: `Zstandard, level data of 123 bytes`.
    pub supercompression: Option<String>,
    /// KTX2's key/value pairs in the order of the file. If a value is not text, its length is shown instead.
    pub key_values: Vec<(String, String)>,
    /// Faults of the file that the reader passed over, one short sentence each, without a period.
    pub notes: Vec<String>,
}

impl Info {
    /// True if the file states whether its colours are sRGB. All do except DDS files of BC1, BC2 and BC3 with
    /// a legacy header, whose [`desc`](Self::desc) has [`ColorSpace::Linear`](crate::ColorSpace::Linear).
    pub fn states_color_space(&self) -> bool {
        self.header != dds::LEGACY_HEADER
            || !matches!(self.desc.format, BlockFormat::Bc1 | BlockFormat::Bc2 | BlockFormat::Bc3)
    }

    pub(super) fn new(
        container: ContainerFormat,
        desc: TextureDesc,
        format_name: String,
        header: &str,
    ) -> Self {
        Self {
            container,
            desc,
            format_name,
            header: header.to_owned(),
            supercompression: None,
            key_values: Vec::new(),
            notes: Vec::new(),
        }
    }
}
