//! Types of channels.

/// Type of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "encoders and decoders need code for each type")]
pub enum ChannelType {
    /// 8-bit integers: 0 to 255 are 0 to 1.
    U8,
    /// 16-bit integers: 0 to 65535 are 0 to 1.
    U16,
    /// Half floats.
    F16,
    /// Single floats.
    F32,
}

impl ChannelType {
    /// All channel types.
    pub const ALL: &[Self] = &[Self::U8, Self::U16, Self::F16, Self::F32];

    /// Returns the size of one channel in bytes: 1, 2 or 4.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::U8 => 1,
            Self::U16 | Self::F16 => 2,
            Self::F32 => 4,
        }
    }
}
