//! Modes of the ray casters.

use super::super::look::LookMode;

/// The kernel that a look needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts have a kernel for each")]
pub enum Mode {
    /// Maximum intensity projection.
    Mip,
    /// Direct volume rendering.
    Dvr,
    /// Isosurface.
    Iso,
    /// Labels.
    Labels,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 4] = [Self::Mip, Self::Dvr, Self::Iso, Self::Labels];

    /// Returns the name in names of kernels.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mip => "mip",
            Self::Dvr => "dvr",
            Self::Iso => "iso",
            Self::Labels => "labels",
        }
    }

    pub(in crate::render) const fn of(look: &LookMode) -> Self {
        match look {
            LookMode::Mip { .. } => Self::Mip,
            LookMode::Dvr { .. } => Self::Dvr,
            LookMode::Iso { .. } => Self::Iso,
            LookMode::Labels { .. } => Self::Labels,
        }
    }
}
