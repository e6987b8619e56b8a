//! Kinds of the errors of texture jobs: who can act on them.

use super::{OptionsError, TextureJobError};
use brickwork_base::ErrorKind;

impl OptionsError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Encode(error) => error.kind(),
            Self::Part(error) => error.kind(),
            Self::SwizzleOfDds { .. }
            | Self::FormatOfContainer { .. }
            | Self::FamilyOfContainer { .. }
            | Self::HdrOfFamily { .. } => ErrorKind::Unsupported,
            _ => ErrorKind::Argument,
        }
    }
}

impl TextureJobError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::File(error) => error.kind(),
            Self::Options { error, .. } => error.kind(),
            Self::Read { error, .. } => error.kind(),
            Self::Memory { .. } | Self::OutOfMemory { .. } => ErrorKind::Limit,
            Self::Resize { error, .. } => error.kind(),
            Self::Encode { error, .. } => error.kind(),
            Self::Decode { error, .. } => error.kind(),
            Self::Measure { error, .. } => error.kind(),
            Self::NotATexture { .. } => ErrorKind::Invalid,
            Self::BelowMinPsnr { .. }
            | Self::NotNormals { .. }
            | Self::NotHalfFloats { .. }
            | Self::Mixed { .. }
            | Self::ReadOnce { .. } => ErrorKind::Argument,
            Self::Cube { error, .. } => error.kind(),
            Self::Join { error, .. } => error.kind(),
            Self::FirstImageOnly { .. } => ErrorKind::Unsupported,
            Self::NoMipLevels { .. } => ErrorKind::Argument,
            Self::WritePng { error, .. } => error.kind(),
            Self::Write { error, .. } => error.kind(),
            Self::Cancelled(_) => ErrorKind::Cancelled,
        }
    }
}
