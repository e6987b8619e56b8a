//! BC5: two channels, 4×4 texels in 16 bytes. A BC4 block of red is followed by one of green.

mod codec;

pub(crate) use codec::{SNORM, UNORM};
