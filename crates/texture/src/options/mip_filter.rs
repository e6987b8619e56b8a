//! Filter of mip levels.

/// Rule that computes the texels of a mip level from the level above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MipFilter {
    /// Mean of the area that the texel covers. Along an even side, it covers two texels; along an odd side,
    /// it covers three. The outer ones are weighted by the covered share (the polyphase box filter). Nothing
    /// shifts and no row is dropped.
    #[default]
    Box,
}
