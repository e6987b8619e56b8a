//! BC3: RGB with interpolated alpha, 4×4 texels in 16 bytes: a BC4 block of alpha, then a BC1 block of
//! colour, which always has four colours, whatever the order of its endpoints.

mod codec;

pub(crate) use codec::CODEC;
