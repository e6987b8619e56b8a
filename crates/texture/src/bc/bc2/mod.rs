//! BC2: RGB with explicit alpha, 4×4 texels in 16 bytes. The first 8 bytes contain 4 bits of alpha per texel,
//! with the first texel in the lowest bits. A BC1 block of colour follows. It always has four colours, in
//! either order of its endpoints.

#[cfg(feature = "gpu")]
mod chain;
mod codec;

#[cfg(feature = "gpu")]
pub(crate) use chain::kernels;
pub(crate) use codec::CODEC;
