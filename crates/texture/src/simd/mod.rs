//! Lanes of numbers on every instruction set, chosen at run time.

/// An instruction set the encoders have been compiled for. Same bytes on each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SimdLevel {
    /// No SIMD.
    Scalar,
}

impl SimdLevel {
    /// Every level that the program was compiled for, rising.
    pub const ALL: &[Self] = &[Self::Scalar];

    /// The best level this CPU has.
    pub fn detect() -> Self {
        Self::Scalar
    }

    /// Whether this CPU has the level.
    pub fn is_available(self) -> bool {
        true
    }
}
