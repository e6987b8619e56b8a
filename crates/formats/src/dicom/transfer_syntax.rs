//! Transfer syntaxes: identifiers, and the packing of voxels (PS3.5, 10).

/// Packing of a file's voxels, given by its transfer syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not packed, or deflated together with the rest of the data set.
    None,
    Rle,
    LosslessJpeg,
}

/// Returns the packing of a transfer syntax; `None` if the syntax is not supported.
pub fn packing(syntax: &str) -> Option<Packing> {
    match syntax {
        // Implicit and explicit little endian, explicit big endian, deflated.
        IMPLICIT | EXPLICIT | BIG_ENDIAN | DEFLATED => Some(Packing::None),
        "1.2.840.10008.1.2.5" => Some(Packing::Rle),
        // Process 14, with any predictor and with the first.
        "1.2.840.10008.1.2.4.57" | "1.2.840.10008.1.2.4.70" => Some(Packing::LosslessJpeg),
        _ => None,
    }
}

/// Implicit little endian.
pub const IMPLICIT: &str = "1.2.840.10008.1.2";

/// Explicit little endian.
pub const EXPLICIT: &str = "1.2.840.10008.1.2.1";

/// Explicit big endian.
pub const BIG_ENDIAN: &str = "1.2.840.10008.1.2.2";

/// Explicit little endian; the whole data set is deflated.
pub const DEFLATED: &str = "1.2.840.10008.1.2.1.99";
