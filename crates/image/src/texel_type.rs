//! Type of a texel, known at run time.

use crate::{ChannelType, Texel};

/// Type of a texel: one to four channels of one type.
///
/// One channel is grey, two are red and green, three are RGB, four are RGBA, as for [`Texel`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TexelType {
    channel_type: ChannelType,
    channel_count: u32,
}

impl TexelType {
    /// 8-bit RGB.
    pub const RGB8: Self = Self { channel_type: ChannelType::U8, channel_count: 3 };
    /// 8-bit RGBA.
    pub const RGBA8: Self = Self { channel_type: ChannelType::U8, channel_count: 4 };

    /// Returns the type of this many channels; `None` unless there are 1 to 4.
    pub const fn new(channel_type: ChannelType, channel_count: u32) -> Option<Self> {
        match channel_count {
            1..=4 => Some(Self { channel_type, channel_count }),
            _ => None,
        }
    }

    /// Returns the type of a texel that is known at compile time.
    pub const fn of<T: Texel>() -> Self {
        Self { channel_type: T::CHANNEL_TYPE, channel_count: T::CHANNEL_COUNT as u32 }
    }

    /// Returns the type of each channel.
    pub const fn channel_type(self) -> ChannelType {
        self.channel_type
    }

    /// Returns the number of channels, 1 to 4.
    pub const fn channel_count(self) -> u32 {
        self.channel_count
    }

    /// Returns the size of one texel in bytes, 1 to 16.
    pub const fn bytes(self) -> u32 {
        self.channel_type.bytes() * self.channel_count
    }

    /// True if the texel stores alpha, which only four channels do.
    pub const fn has_alpha(self) -> bool {
        self.channel_count == 4
    }
}
