//! BC1 to BC5 in real time: every block has one simple form, and each level of a format is one kernel.
//!
//! | file | contents |
//! |---|---|
//! | `colors.rs`, `channel.rs` | colours; one channel |
//! | `rows.rs` | a row of blocks: sixteen at a time, transposed, one per lane |
//! | `chain.rs` | the kernels |

#[cfg(feature = "gpu")]
mod chain;
mod channel;
mod colors;
mod rows;

#[cfg(feature = "gpu")]
pub(crate) use chain::{chain, direct_singles, singles};
pub(crate) use channel::eight_indices;
pub(crate) use rows::rows;

use channel::ChannelKind;

/// Half of a block of 16 bytes, or a block of 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Colours that do not depend on alpha.
    Colors,
    /// Colours with 1-bit alpha.
    PunchedColors,
    /// Alpha in 4 bits.
    FourBits,
    /// One channel, 0 to 3.
    Channel(ChannelKind, u32),
}

/// A format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "for names of kernels"))]
    name: &'static str,
    parts: &'static [Part],
}

impl Format {
    /// Returns the size of a block in bytes.
    const fn block_bytes(self) -> usize {
        8 * self.parts.len()
    }
}

pub(crate) const BC1: Format = Format { name: "bc1", parts: &[Part::PunchedColors] };
pub(crate) const BC2: Format = Format { name: "bc2", parts: &[Part::FourBits, Part::Colors] };
pub(crate) const BC3: Format =
    Format { name: "bc3", parts: &[Part::Channel(ChannelKind::Alpha, 3), Part::Colors] };
pub(crate) const BC4_UNORM: Format = Format { name: "bc4", parts: &[Part::Channel(ChannelKind::Unorm, 0)] };
pub(crate) const BC4_SNORM: Format = Format { name: "bc4s", parts: &[Part::Channel(ChannelKind::Snorm, 0)] };
pub(crate) const BC5_UNORM: Format = Format {
    name: "bc5",
    parts: &[Part::Channel(ChannelKind::Unorm, 0), Part::Channel(ChannelKind::Unorm, 1)],
};
pub(crate) const BC5_SNORM: Format = Format {
    name: "bc5s",
    parts: &[Part::Channel(ChannelKind::Snorm, 0), Part::Channel(ChannelKind::Snorm, 1)],
};
