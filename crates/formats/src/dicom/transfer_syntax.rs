//! Transfer syntaxes: identifiers, and the packing of voxels (PS3.5, 10).

use crate::{DicomFeature, header::header_text::short};
use dicom_encoding::TransferSyntaxIndex as _;
use dicom_transfer_syntax_registry::TransferSyntaxRegistry;

/// Packing of a file's voxels, given by its transfer syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not packed, or deflated together with the rest of the data set.
    None,
    Rle,
    LosslessJpeg,
    JpegLs,
    Jpeg2000,
}

impl Packing {
    /// True if each frame is an image of a JPEG format.
    pub fn is_jpeg(self) -> bool {
        !matches!(self, Self::None | Self::Rle)
    }

    /// True if the images' own transforms of colours are undone with the packing.
    pub fn restores_rgb(self) -> bool {
        match self {
            Self::None | Self::Rle | Self::LosslessJpeg => false,
            Self::JpegLs => false,
            Self::Jpeg2000 => true,
        }
    }

    /// Returns the size in bytes that counts for a frame of `byte_count` bytes where the size of its image is
    /// limited. JPEG-LS and JPEG 2000 store an empty image of any size in some hundred bytes.
    pub fn counted_bytes(self, byte_count: u64) -> u64 {
        match self {
            Self::None | Self::Rle | Self::LosslessJpeg => byte_count,
            Self::JpegLs | Self::Jpeg2000 => byte_count.max(1 << 14),
        }
    }
}

/// Returns the packing of a transfer syntax; `None` if the syntax is not supported.
pub fn packing(syntax: &str) -> Option<Packing> {
    match syntax {
        // Implicit and explicit little endian, explicit big endian, deflated.
        IMPLICIT | EXPLICIT | BIG_ENDIAN | DEFLATED => Some(Packing::None),
        "1.2.840.10008.1.2.5" => Some(Packing::Rle),
        // Process 14, with any predictor and with the first.
        "1.2.840.10008.1.2.4.57" | "1.2.840.10008.1.2.4.70" => Some(Packing::LosslessJpeg),
        JPEG_LS | JPEG_LS_NEAR => Some(Packing::JpegLs),
        JPEG_2000_LOSSLESS | JPEG_2000 | HTJ2K_LOSSLESS | HTJ2K_BY_RESOLUTION | HTJ2K => {
            Some(Packing::Jpeg2000)
        }
        _ => None,
    }
}

/// Returns the reason why a transfer syntax without a [`packing`] is not read.
pub fn unsupported(syntax: &str) -> DicomFeature {
    let (uid, name) = (short(syntax), TransferSyntaxRegistry.get(syntax).map(|known| known.name()));
    match syntax {
        JPEG_LS | JPEG_LS_NEAR | JPEG_2000_LOSSLESS | JPEG_2000 | HTJ2K_LOSSLESS | HTJ2K_BY_RESOLUTION
        | HTJ2K => DicomFeature::Build { uid, name: name.unwrap_or_default(), feature: "dicom-jpegs" },
        _ => DicomFeature::TransferSyntax { uid, name },
    }
}

/// True if the numbers that are read may differ from those of the original image.
pub fn may_be_lossy(syntax: &str) -> bool {
    matches!(syntax, JPEG_LS_NEAR | JPEG_2000 | HTJ2K)
}

/// Implicit little endian.
pub const IMPLICIT: &str = "1.2.840.10008.1.2";

/// Explicit little endian.
pub const EXPLICIT: &str = "1.2.840.10008.1.2.1";

/// Explicit big endian.
pub const BIG_ENDIAN: &str = "1.2.840.10008.1.2.2";

/// Explicit little endian; the whole data set is deflated.
pub const DEFLATED: &str = "1.2.840.10008.1.2.1.99";

/// JPEG-LS, lossless.
const JPEG_LS: &str = "1.2.840.10008.1.2.4.80";

/// JPEG-LS, also near-lossless.
const JPEG_LS_NEAR: &str = "1.2.840.10008.1.2.4.81";

/// JPEG 2000, lossless.
const JPEG_2000_LOSSLESS: &str = "1.2.840.10008.1.2.4.90";

/// JPEG 2000, also lossy.
const JPEG_2000: &str = "1.2.840.10008.1.2.4.91";

/// HTJ2K, lossless.
const HTJ2K_LOSSLESS: &str = "1.2.840.10008.1.2.4.201";

/// HTJ2K, lossless, in the order of resolutions.
const HTJ2K_BY_RESOLUTION: &str = "1.2.840.10008.1.2.4.202";

/// HTJ2K, also lossy.
const HTJ2K: &str = "1.2.840.10008.1.2.4.203";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_syntax_that_is_not_read_is_named() {
        let start = "the transfer syntax 1.2.840.10008.1.2.4";
        for (syntax, text) in [
            (JPEG_2000, ".91 (JPEG 2000 Image Compression) without the feature dicom-jpegs"),
            ("1.2.840.10008.1.2.4.50", ".50 (JPEG Baseline (Process 1))"),
        ] {
            assert_eq!(unsupported(syntax).to_string(), format!("{start}{text}"));
            assert_eq!(packing(syntax).is_some(), cfg!(feature = "dicom-jpegs") && syntax == JPEG_2000);
        }
    }
}
