//! ETC2 and EAC: block formats of OpenGL ES 3 and Vulkan on mobile GPUs.
//!
//! | folder or file | contents |
//! |---|---|
//! | `eac/` | one channel: R11, halves of RG11, the alpha of ETC2 |
//! | `etc2/` | colours, without alpha and with 1-bit alpha |
//! | `rows.rs` | a row of blocks: sixteen at a time, transposed, one per lane |
//! | `formats.rs`, `codec.rs` | parts of the formats' blocks; their codecs |
//! | `chain.rs` | the kernels of real time |
//! | `effort.rs` | quality, or level of real time |
//! | `oracle.rs` | slow decoders, for tests |
//!
//! All numbers of the formats are big endian, and texels are stored column by column. The blocks are those of
//! the Khronos Data Format Specification 1.4.

#[cfg(feature = "gpu")]
mod chain;
mod codec;
#[cfg(test)]
mod decoder_tests;
mod eac;
mod effort;
mod etc2;
mod formats;
#[cfg(test)]
mod oracle;
mod rows;

/// 1/n for each n; 0 for n = 0.
static RECIPROCALS: [f32; 17] = {
    let mut reciprocals = [0.0; 17];
    let mut n = 1;
    while n <= 16 {
        reciprocals[n] = 1.0 / n as f32;
        n += 1;
    }
    reciprocals
};

#[cfg(feature = "gpu")]
pub(crate) use chain::singles;
pub(crate) use codec::{R11_SNORM, R11_UNORM, RG11_SNORM, RG11_UNORM, RGB, RGB_A1, RGBA};
