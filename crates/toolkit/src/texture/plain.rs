//! Channels of plain formats.

use brickwork_texture::{ChannelType, PlainFormat};

/// Returns the type of channels in which an image is decoded: one that holds every number of the format.
pub fn channel_type(format: PlainFormat) -> ChannelType {
    match (format.is_float(), format.precision_bits()) {
        (true, ..=11) => ChannelType::F16,
        (true, _) => ChannelType::F32,
        (false, ..=8) => ChannelType::U8,
        (false, _) => ChannelType::U16,
    }
}
