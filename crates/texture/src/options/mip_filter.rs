//! The filter of mip levels.

/// The rule by which the texels of a mip level are made from those of the level above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MipFilter {
    /// The mean of the area that the texel covers. Along an even side that is two texels; along an odd side
    /// three, the outer ones weighted by the share that is covered (the polyphase box filter), so that
    /// nothing shifts and no row is dropped.
    #[default]
    Box,
}
