//! Division of the kernels' work.

/// Unit into which each block's work is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    Block,
    Orderings,
    Families,
    /// Starts of each family.
    Starts,
    /// Climbs of each family.
    Climbs,
}

/// Blocks in the first band, before the speed is known. They take a fraction of a second on a software
/// adapter.
pub(in crate::bc::bc1) const FIRST_BAND_BLOCKS: u32 = 2048;
