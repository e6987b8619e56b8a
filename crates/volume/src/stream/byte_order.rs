//! The byte order of numbers.

/// The byte order of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum ByteOrder {
    /// The least significant one.
    #[default]
    Little,
    /// The most significant one.
    Big,
}

impl ByteOrder {
    /// The order of this machine.
    pub const NATIVE: Self = if cfg!(target_endian = "big") { Self::Big } else { Self::Little };
}
