//! BC5: two channels, 4×4 texels in 16 bytes: a BC4 block of red, then one of green.

mod codec;

pub(crate) use codec::{SNORM, UNORM};
