//! Kinds of headers.

/// Kind of the header of a texture file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HeaderKind {
    /// DDS with the legacy header alone: a four-CC, a number of `D3DFORMAT`, or masks.
    DdsLegacy,
    /// DDS with a DX10 header.
    DdsDx10,
    /// KTX2.
    Ktx2,
    /// `.astc`.
    Astc,
}

impl HeaderKind {
    /// Returns the name in reports: `DDS, legacy header`, `DDS, DX10 header`, `KTX2` or `ASTC`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DdsLegacy => "DDS, legacy header",
            Self::DdsDx10 => "DDS, DX10 header",
            Self::Ktx2 => "KTX2",
            Self::Astc => "ASTC",
        }
    }
}
