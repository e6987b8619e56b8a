//! Next mip level of an image, by either kind of kernels: means of integers (`mip.rs`), or sums of weighted
//! floats (`filter/`).

use super::{
    filter::FilterMaker,
    mip::{MipArea, MipMaker, MipSource},
    source_rect::SourceRect,
};
use crate::{
    EncodeError, Image, TexelFormat,
    mips::{MipLevel, MipOptions},
};
use brickwork_gpu::{Context, GpuError, wgpu};

/// Maker of the next mip level of an image, band by band.
pub(super) enum LevelMaker {
    /// The box filter, except for weighted colours of wide texels.
    Mean(MipMaker),
    /// All other filters.
    Filter(Box<FilterMaker>),
}

impl LevelMaker {
    /// Returns a maker for an image, and the level that it makes, filled with zeros. Compiles the kernels if
    /// necessary.
    pub fn new(
        context: &Context,
        image: &dyn Image,
        format: TexelFormat,
        options: MipOptions,
    ) -> Result<(Self, MipLevel), EncodeError> {
        let side @ [width, height] = image.size();
        if let Some(options) = options.for_sums_of_floats(format.channel_type(), image.has_alpha()) {
            let level = MipLevel::new(FilterMaker::level_size(side), format.channel_type())?;
            let maker = FilterMaker::new(context, format, options, side, image.has_alpha())?;
            return Ok((Self::Filter(Box::new(maker)), level));
        }
        let level = MipLevel::after([width, height, 1], format.channel_type())?;
        Ok((Self::Mean(MipMaker::new(context, format, options, side)?), level))
    }

    /// Returns the texels that `area` and the blocks of a rectangle of the image need. The rectangle is at
    /// `origin` and has size `size`.
    pub fn source(&self, area: &MipArea, origin: [u32; 2], size: [u32; 2]) -> SourceRect<'_> {
        match self {
            Self::Mean(_) => {
                let more = area.more(origin, size);
                SourceRect::inside(origin, [size[0] + more[0], size[1] + more[1]])
            }
            Self::Filter(maker) => maker.source(area, origin, size),
        }
    }

    /// Records the commands that make `area` in `level`, row after row, from `source`, which contains `rect`.
    pub fn record(
        &self,
        context: &Context,
        encoder: &mut wgpu::CommandEncoder,
        area: &MipArea,
        rect: &SourceRect<'_>,
        source: &MipSource<'_>,
        level: &wgpu::Buffer,
    ) -> Result<(), GpuError> {
        match self {
            Self::Mean(maker) => maker.record(context, encoder, area, source, level),
            Self::Filter(maker) => maker.record(context, encoder, area, rect, source, level),
        }
    }
}
