//! BC1 to BC5 in real time. Each level of a format is one kernel.
//!
//! | file | contents |
//! |---|---|
//! | `colors.rs`, `channel.rs` | colours; one channel |
//! | `sixteen.rs` | a number for each texel, and regressions on them; for BC7, too |
//! | `rows.rs` | a row of blocks: sixteen at a time, transposed, one per lane |
//! | `chain.rs` | the kernels |

#[cfg(feature = "gpu")]
mod chain;
mod channel;
mod colors;
mod rows;
pub(crate) mod sixteen;

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
#[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "for kernels"))]
pub(crate) struct Format {
    name: &'static str,
    /// File of the kernel.
    file: &'static str,
    parts: &'static [Part],
}

pub(crate) const BC1: Format =
    Format { name: "bc1", file: "bc/real_time/rgb_a1.wgsl", parts: &[Part::PunchedColors] };
pub(crate) const BC2: Format =
    Format { name: "bc2", file: "bc/real_time/rgb_a4.wgsl", parts: &[Part::FourBits, Part::Colors] };
pub(crate) const BC3: Format = Format {
    name: "bc3",
    file: "bc/real_time/rgb_a8.wgsl",
    parts: &[Part::Channel(ChannelKind::Alpha, 3), Part::Colors],
};
pub(crate) const BC4_UNORM: Format =
    Format { name: "bc4", file: "bc/real_time/r.wgsl", parts: &[Part::Channel(ChannelKind::Unorm, 0)] };
pub(crate) const BC4_SNORM: Format =
    Format { name: "bc4s", file: "bc/real_time/r.wgsl", parts: &[Part::Channel(ChannelKind::Snorm, 0)] };
pub(crate) const BC5_UNORM: Format = Format {
    name: "bc5",
    file: "bc/real_time/rg.wgsl",
    parts: &[Part::Channel(ChannelKind::Unorm, 0), Part::Channel(ChannelKind::Unorm, 1)],
};
pub(crate) const BC5_SNORM: Format = Format {
    name: "bc5s",
    file: "bc/real_time/rg.wgsl",
    parts: &[Part::Channel(ChannelKind::Snorm, 0), Part::Channel(ChannelKind::Snorm, 1)],
};
