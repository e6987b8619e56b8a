//! BC3: RGB with interpolated alpha, 4×4 texels in 16 bytes. A BC4 block of alpha is followed by a BC1 block
//! of colour. It always has four colours, in either order of its endpoints.

mod codec;

pub(crate) use codec::CODEC;
