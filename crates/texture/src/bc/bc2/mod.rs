//! BC2: RGB with explicit alpha, 4×4 texels in 16 bytes: 4 bits of alpha per texel, the first texel in the
//! lowest bits, then a BC1 block of colour, which always has four colours, whatever the order of its
//! endpoints.

#[cfg(feature = "gpu")]
mod chain;
mod codec;

#[cfg(feature = "gpu")]
pub(crate) use chain::kernels;
pub(crate) use codec::CODEC;
