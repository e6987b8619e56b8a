//! Options of mip levels.

use crate::{
    AlphaMode, BlockFormat, ChannelType, ColorSpace, EncodeOptions, MipExtreme, MipFilter, MipWrap, Quality,
    TextureDesc, TextureKind,
};

/// Options of a mip level or of a resized image: the properties of the image, besides its texels, on which
/// the result depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MipOptions {
    /// Colour space of the texels. If it is sRGB, 8-bit colours are averaged in linear light.
    pub color_space: ColorSpace,
    /// Alpha mode of the texels. If it is straight, colours are weighted by alpha.
    pub alpha_mode: AlphaMode,
    /// Filter, which selects the texels and their weights. Default: [`MipFilter::Box`].
    pub filter: MipFilter,
    /// Extreme of the covered texels that takes the place of the filter, in each channel. Default: none.
    pub extreme: Option<MipExtreme>,
    /// Texels past the left and right edges, and past the upper and lower ones. Default: [`MipWrap::Clamp`].
    pub wrap: [MipWrap; 2],
    /// True if the box filter weights colours by alpha in texels of 16 bits and floats, too.
    pub(crate) weighs_wide: bool,
}

impl MipOptions {
    /// Returns options with the box filter.
    ///
    /// If `color_space` is sRGB, red, green and blue of 8-bit texels are averaged in linear light. Alpha,
    /// 16-bit texels of mip levels, and floats are always linear.
    ///
    /// If `alpha_mode` is [`AlphaMode::Straight`], colours are weighted by alpha, so that transparent texels
    /// do not bleed into others. Transparent results have the mean colour of the texels that they cover,
    /// weighted by alpha unless all of these are transparent. Otherwise, each channel is averaged
    /// independently. [`next_level`](super::next_level) with the box filter ignores alpha of 16-bit texels
    /// and floats, except with options [of a texture](Self::of_texture) in a plain format.
    /// [`resize`](super::resize) never ignores it.
    pub const fn new(color_space: ColorSpace, alpha_mode: AlphaMode) -> Self {
        let wrap = [MipWrap::Clamp; 2];
        let filter = MipFilter::Box;
        Self { color_space, alpha_mode, filter, extreme: None, wrap, weighs_wide: false }
    }

    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Returns the name of the extreme, else of the filter, as used by the program's `--mip-filter`.
    pub const fn filter_name(&self) -> &'static str {
        match self.extreme {
            Some(extreme) => extreme.name(),
            None => self.filter.name(),
        }
    }

    /// Returns the options for the mip levels of a texture that is encoded with `options`.
    ///
    /// 3D textures always have the box filter. If `options` do not state a filter, it is
    /// [`MipFilter::Kaiser`] for 2D textures from [`Quality::Normal`] on. It is [`MipFilter::Box`] for lower
    /// qualities, real time, floats, whose bright texels would leave rings, and cubes, because larger
    /// filters read past the edges of a face. The alpha mode is that of `desc`, or [`AlphaMode::Opaque`] if
    /// alpha [is data](EncodeOptions::alpha_is_data).
    pub fn of_texture(desc: &TextureDesc, options: &EncodeOptions) -> Self {
        let has_real_time = desc.format.block().is_some_and(BlockFormat::has_real_time);
        let is_real_time = has_real_time && options.real_time.is_some();
        let is_quick = options.quality < Quality::Normal || is_real_time;
        let automatic = if is_quick || desc.format.is_float() { MipFilter::Box } else { MipFilter::Kaiser };
        let filter = match desc.kind {
            TextureKind::D3 => MipFilter::Box,
            TextureKind::D2 => options.mip_filter.unwrap_or(automatic),
            TextureKind::Cube => options.mip_filter.unwrap_or(MipFilter::Box),
        };
        let alpha_mode = if options.alpha_is_data { AlphaMode::Opaque } else { desc.alpha_mode };
        let weighs_wide = desc.format.plain().is_some();
        let extreme = options.mip_extreme;
        Self {
            filter,
            extreme,
            wrap: options.mip_wrap,
            weighs_wide,
            ..Self::new(desc.color_space, alpha_mode)
        }
    }

    /// Returns the options of sums of floats (`resample/`), if these make the next mip level of a 2D image in
    /// channels of this type. `None` if means make it (`eight_bits.rs`, `wide.rs`, `singles.rs`).
    /// `has_alpha` is true if the image's texels store alpha.
    pub(crate) fn for_sums_of_floats(self, channels: ChannelType, has_alpha: bool) -> Option<Self> {
        if channels == ChannelType::U8 {
            return Some(self).filter(|_| self.filter != MipFilter::Box);
        }
        let is_weighted = self.weighs_by_alpha(channels, has_alpha);
        // Formats that take such texels contain data.
        let linear = Self { color_space: ColorSpace::Linear, ..self };
        Some(linear).filter(|_| self.filter != MipFilter::Box || is_weighted)
    }

    /// True if the box filter weights colours by alpha in channels of this type, which is not 8 bits.
    pub(crate) fn weighs_by_alpha(self, channels: ChannelType, has_alpha: bool) -> bool {
        let is_wide = self.weighs_wide && channels != ChannelType::U8;
        is_wide && self.alpha_mode == AlphaMode::Straight && has_alpha
    }
}
