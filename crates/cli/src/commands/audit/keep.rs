//! Reasons for leaving a file alone.

use crate::report::AuditKind;
use brickwork_image::image_file::Picture;
use brickwork_texture::TextureDesc;
use brickwork_toolkit::texture::{FormatFamily, TextureTrial};
use std::fmt;

/// Size in GPU memory up to which nothing is gained: the unit in which Direct3D 12 allocates small textures.
const TINY_BYTES: u64 = 4096;

/// Reason for leaving a file alone. It is displayed in a few words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum KeepReason {
    Compressed,
    Tiny,
    NotSmaller { format: &'static str },
    Precision { format: &'static str },
    HdrAlpha { format: &'static str },
    NoHdr { family: FormatFamily },
    Loss { format: &'static str, psnr: f64, limit: f64 },
}

impl fmt::Display for KeepReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compressed => f.write_str("already in a block format"),
            Self::Tiny => f.write_str("tiny: GPUs allocate at least 4 KiB"),
            Self::NotSmaller { format } => write!(f, "{format} would not be smaller"),
            Self::Precision { format } => {
                write!(f, "16 bits per channel, of which {format} keeps about 8")
            }
            Self::HdrAlpha { format } => write!(f, "HDR with alpha, which {format} does not store"),
            Self::NoHdr { family } => write!(f, "HDR, which no format of the family {family} stores"),
            Self::Loss { format, psnr, limit } => {
                write!(f, "{format} would lose too much: {psnr:.2} dB, below {limit} dB")
            }
        }
    }
}

impl KeepReason {
    /// Returns the reason that is known before an encoding, if there is one. `today` and `then` are sizes in
    /// GPU memory.
    pub fn before_encoding(
        picture: &Picture,
        trial: &TextureTrial,
        kind: AuditKind,
        desc: &TextureDesc,
        [today, then]: [u64; 2],
    ) -> Option<Self> {
        let format = desc.format.name();
        let is_precise = matches!(kind, AuditKind::Data | AuditKind::OneChannel);
        match () {
            () if today <= TINY_BYTES => Some(Self::Tiny),
            () if then >= today => Some(Self::NotSmaller { format }),
            () if kind == AuditKind::Hdr && !picture.is_opaque => Some(Self::HdrAlpha { format }),
            () if is_precise && trial.has_more_than_8_bits() => Some(Self::Precision { format }),
            () => None,
        }
    }
}
