//! Source texels along both sides of an image.

use super::axis::Axis;
use crate::{
    AlphaMode, MipFilter,
    mips::{MipError, MipOptions},
};

/// Source texels of each target texel, along x and y.
pub(crate) struct Axes {
    /// Texels that the filter adds.
    pub filter: [Axis; 2],
    /// Texels that each target texel covers, if colours are weighted by alpha.
    pub covered: Option<[Axis; 2]>,
}

impl Axes {
    /// Returns the texels of an image of size `side` that becomes one of size `target`. `has_alpha` is true
    /// if the image's texels store alpha.
    ///
    /// # Errors
    /// [`MipError::OutOfMemory`] if the weights do not fit in memory.
    pub fn new(
        side: [u32; 2],
        target: [u32; 2],
        options: MipOptions,
        has_alpha: bool,
    ) -> Result<Self, MipError> {
        let axes = |filter| -> Result<[Axis; 2], MipError> {
            let axis = |a: usize| Axis::new(side[a], target[a], filter, options.wrap[a]);
            Ok([axis(0)?, axis(1)?])
        };
        let by_alpha = has_alpha && options.alpha_mode == AlphaMode::Straight;
        let covered = if by_alpha { Some(axes(MipFilter::Box)?) } else { None };
        Ok(Self { filter: axes(options.filter)?, covered })
    }
}
