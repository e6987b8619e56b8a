//! Containers: their names, extensions and first bytes.

use crate::{BlockFormat, TextureFormat};
use std::io::{self, Read, Seek};

/// First bytes that identify the containers.
pub(super) const DETECT_BYTES: usize = ::ktx2::MAGIC.len();

/// A kind of texture file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContainerFormat {
    /// DirectDraw surface, by Microsoft.
    Dds,
    /// KTX 2.0, by Khronos.
    Ktx2,
    /// Blocks of ASTC in an `.astc` file, by Arm.
    Astc,
}

impl ContainerFormat {
    /// All containers.
    pub const ALL: &[Self] = &[Self::Dds, Self::Ktx2, Self::Astc];

    /// Returns the container whose files start with these bytes, or `None`. KTX2 needs 12 bytes, the others
    /// 4; the rest is ignored.
    pub fn detect(first_bytes: &[u8]) -> Option<Self> {
        if first_bytes.starts_with(&super::dds_header::MAGIC) {
            Some(Self::Dds)
        } else if first_bytes.starts_with(&::ktx2::MAGIC) {
            Some(Self::Ktx2)
        } else if first_bytes.starts_with(&super::astc_header::MAGIC) {
            Some(Self::Astc)
        } else {
            None
        }
    }

    /// Returns the container that `reader` yields, detected by the first bytes from its position. The
    /// position is restored afterwards.
    ///
    /// # Errors
    /// I/O errors of the reader.
    pub fn detect_in<R: Read + Seek>(mut reader: R) -> io::Result<Option<Self>> {
        let mut first_bytes = Vec::new();
        let count = reader.by_ref().take(DETECT_BYTES as u64).read_to_end(&mut first_bytes)?;
        reader.seek_relative(-(count as i64))?;
        Ok(Self::detect(&first_bytes))
    }

    /// True if files of the container can have a format. DDS has no ETC2, EAC and ASTC; `.astc` has only
    /// ASTC.
    pub fn has_format(self, format: impl Into<TextureFormat>) -> bool {
        let block = format.into().block();
        match self {
            Self::Dds => !block.is_some_and(BlockFormat::is_mobile),
            Self::Ktx2 => true,
            Self::Astc => matches!(block, Some(BlockFormat::Astc(_))),
        }
    }

    /// Returns the container of files with this extension (without the dot, ignoring case), or `None`.
    pub fn of_extension(ext: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| ext.eq_ignore_ascii_case(format.extension()))
    }

    /// Returns the file extension, without the dot: `dds`, `ktx2` or `astc`.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Dds => "dds",
            Self::Ktx2 => "ktx2",
            Self::Astc => "astc",
        }
    }

    /// Returns the display name: `DDS`, `KTX2` or `ASTC`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dds => "DDS",
            Self::Ktx2 => "KTX2",
            Self::Astc => "ASTC",
        }
    }
}
