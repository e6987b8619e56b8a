//! Options that a format ignores.

use super::{FormatChoice, MipLevels, OptionsError, PictureChannel, RdoTarget, TextureOptions};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{
    BlockFormat, ChannelWeights, ColorSpace, EncodeOptions, PlainFormat, Swizzle, TextureFormat,
    bc::{
        bc1::{Bc1Options, Method},
        bc7::ModeSet,
    },
};
use std::fmt;

/// An option of encoders that only some formats use. It is displayed as a name such as `real-time`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeOption {
    /// [`Bc1Options::three_color`](brickwork_texture::bc::bc1::Bc1Options).
    NoThreeColor,
    /// [`Bc1Options::transparent_black`](brickwork_texture::bc::bc1::Bc1Options).
    TransparentBlack,
    /// [`Bc1Options::alpha_threshold`](brickwork_texture::bc::bc1::Bc1Options).
    AlphaThreshold,
    /// [`Bc1Options::method`](brickwork_texture::bc::bc1::Bc1Options).
    Method,
    /// [`EncodeOptions::weights`](brickwork_texture::EncodeOptions).
    Weights,
    /// [`Bc6hOptions::metric`](brickwork_texture::bc::bc6h::Bc6hOptions).
    Metric,
    /// [`TextureOptions::max_value`].
    MaxValue,
    /// [`Bc7Options::modes`](brickwork_texture::bc::bc7::Bc7Options).
    Modes,
    /// [`Bc7Options::real_time`](brickwork_texture::bc::bc7::Bc7Options).
    RealTime,
    /// [`EncodeOptions::rdo`](brickwork_texture::EncodeOptions).
    Rdo,
    /// [`TextureOptions::rdo_target`] as a PSNR.
    TargetPsnr,
    /// [`TextureOptions::rdo_target`] as a size.
    TargetSize,
    /// [`EncodeOptions::weigh_by_alpha`](brickwork_texture::EncodeOptions).
    WeighByAlpha,
    /// [`EncodeOptions::keep_coverage`](brickwork_texture::EncodeOptions).
    KeepCoverage,
    /// [`TextureOptions::premultiply`].
    Premultiply,
    /// [`TextureOptions::roughness_from_normals`].
    RoughnessFrom,
    /// [`EncodeOptions::dither`](brickwork_texture::EncodeOptions).
    Dither,
}

impl EncodeOption {
    /// All options.
    pub const ALL: &[Self] = &[
        Self::NoThreeColor,
        Self::TransparentBlack,
        Self::AlphaThreshold,
        Self::Method,
        Self::Weights,
        Self::Metric,
        Self::MaxValue,
        Self::Modes,
        Self::RealTime,
        Self::Rdo,
        Self::TargetPsnr,
        Self::TargetSize,
        Self::WeighByAlpha,
        Self::KeepCoverage,
        Self::Premultiply,
        Self::RoughnessFrom,
        Self::Dither,
    ];

    /// Returns the formats that use the option.
    pub fn formats(self) -> impl Iterator<Item = TextureFormat> {
        TextureFormat::all().filter(move |&format| self.is_for(format))
    }

    /// True if `format` uses the option.
    pub fn is_for(self, format: TextureFormat) -> bool {
        let block = format.block();
        // All but BC6H are encoded from 8 bits.
        let is_of_8_bits = block.is_some() && !format.is_float();
        match self {
            Self::NoThreeColor | Self::TransparentBlack | Self::AlphaThreshold => {
                block == Some(BlockFormat::Bc1)
            }
            Self::Method => matches!(block, Some(BlockFormat::Bc1 | BlockFormat::Bc2 | BlockFormat::Bc3)),
            Self::Weights => block.is_some_and(BlockFormat::has_alpha),
            Self::Metric => block.is_some() && format.is_float(),
            Self::MaxValue => format.is_float(),
            Self::Modes | Self::RealTime => block == Some(BlockFormat::Bc7),
            Self::Rdo | Self::TargetPsnr | Self::TargetSize => {
                is_of_8_bits && block != Some(BlockFormat::Bc2)
            }
            Self::WeighByAlpha => matches!(block, Some(BlockFormat::Bc2 | BlockFormat::Bc3)),
            // Mip levels have alpha of 8 bits.
            Self::KeepCoverage => match format {
                TextureFormat::Block(format) => format.has_alpha(),
                TextureFormat::Plain(format) => {
                    matches!(format, PlainFormat::Rgba8Unorm | PlainFormat::Bgra8Unorm)
                }
            },
            // Alpha has at least 4 bits.
            Self::Premultiply => match format {
                TextureFormat::Block(format) => format.has_alpha() && format != BlockFormat::Bc1,
                TextureFormat::Plain(format) => {
                    let is_signed = matches!(format, PlainFormat::Rgba8Snorm | PlainFormat::Rgba16Snorm);
                    format.has_alpha() && !is_signed
                }
            },
            // Mip levels are made in 8 bits.
            Self::RoughnessFrom => match format {
                TextureFormat::Block(_) => is_of_8_bits,
                TextureFormat::Plain(format) => format.texel_bytes() == format.channels().len(),
            },
            Self::Dither => is_of_8_bits,
        }
    }

    /// True if `options` differ from the default in this option.
    fn is_given(self, options: &TextureOptions) -> bool {
        let (encode, bc1) = (options.encode_options(), Bc1Options::new());
        match self {
            Self::NoThreeColor => !encode.bc1().three_color(),
            Self::TransparentBlack => encode.bc1().transparent_black(),
            Self::AlphaThreshold => encode.bc1().alpha_threshold() != bc1.alpha_threshold(),
            Self::Method => encode.bc1().method() != Method::Auto,
            Self::Weights => encode.weights() != ChannelWeights::UNIFORM,
            Self::Metric => encode.bc6h().metric().is_some(),
            Self::MaxValue => options.max_value().is_some(),
            Self::Modes => encode.bc7().modes() != ModeSet::default(),
            Self::RealTime => encode.bc7().real_time().is_some(),
            Self::Rdo => !encode.rdo().is_off(),
            Self::TargetPsnr => matches!(options.rdo_target(), Some(RdoTarget::Psnr(_))),
            Self::TargetSize => {
                matches!(options.rdo_target(), Some(RdoTarget::Bytes(_) | RdoTarget::Share(_)))
            }
            Self::WeighByAlpha => encode.weigh_by_alpha(),
            Self::KeepCoverage => encode.keep_coverage().is_some(),
            Self::Premultiply => options.premultiply(),
            Self::RoughnessFrom => options.roughness_from_normals(),
            Self::Dither => encode.dither(),
        }
    }
}

impl EncodeOption {
    /// Returns the name, such as `real-time`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoThreeColor => "no-three-color",
            Self::TransparentBlack => "transparent-black",
            Self::AlphaThreshold => "alpha-threshold",
            Self::Method => "method",
            Self::Weights => "weights",
            Self::Metric => "metric",
            Self::MaxValue => "max-value",
            Self::Modes => "modes",
            Self::RealTime => "real-time",
            Self::Rdo => "rdo",
            Self::TargetPsnr => "target-psnr",
            Self::TargetSize => "target-size",
            Self::WeighByAlpha => "weigh-by-alpha",
            Self::KeepCoverage => "keep-coverage",
            Self::Premultiply => "premultiply",
            Self::RoughnessFrom => "roughness-from",
            Self::Dither => "dither",
        }
    }
}

impl fmt::Display for EncodeOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the name of the first option that needs images and differs from its default.
pub(super) fn first_image_option(options: &TextureOptions) -> Option<&'static str> {
    let (encode, default) = (options.encode_options(), EncodeOptions::new());
    let (normals, sizes) = (options.normals(), *options.size_rules());
    let given = [
        (*options.format() != FormatChoice::of(BlockFormat::Bc1), "format"),
        (options.swizzle() != Swizzle::IDENTITY, "swizzle"),
        (options.packing().picture_count() > 0, "channel"),
        (options.given_mip_levels() > 1, "level"),
        (options.usage() == PictureUse::Data, "data"),
        (options.color_space() == Some(ColorSpace::Srgb), "srgb"),
        (options.color_space() == Some(ColorSpace::Linear), "linear"),
        (options.assigned_transfer().is_some(), "assign-oetf"),
        (options.converted_color_space().is_some(), "convert-oetf"),
        (normals.flip_y(), "normal-flip-y"),
        (normals.height_scale().is_some(), "from-height"),
        (options.usage() == PictureUse::Normals, "normal"),
        (options.usage() == PictureUse::OneChannel, "one-channel"),
        (options.roughness_channel() != PictureChannel::Red, "roughness-channel"),
        (!matches!(options.mip_levels(), MipLevels::AtMost(0 | 1)), "mips"),
        (sizes.size.is_some(), "resize"),
        (sizes.max.is_some(), "max-size"),
        (sizes.power_of_two.is_some(), "power-of-two"),
        (sizes.multiple_of_4, "multiple-of-4"),
        (encode.quality() != default.quality(), "quality"),
        (encode.rounding_rule() != default.rounding_rule(), "decoder"),
        (encode.mip_filter().is_some(), "mip-filter"),
        (encode.mip_wrap() != default.mip_wrap(), "mip-wrap"),
    ];
    let encoders = EncodeOption::ALL.iter().map(|option| (option.is_given(options), option.name()));
    given.into_iter().chain(encoders).find(|(is_given, _)| *is_given).map(|(_, name)| name)
}

/// Checks that `format` uses every option that differs from its default.
pub(super) fn check(options: &TextureOptions, format: TextureFormat) -> Result<(), OptionsError> {
    let ignored = |option: &&EncodeOption| option.is_given(options) && !option.is_for(format);
    match EncodeOption::ALL.iter().find(ignored) {
        Some(&option) => Err(OptionsError::Ignored { option, format }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_their_formats() {
        let eight_bits = "bc1 bc2 bc3 bc4 bc4s bc5 bc5s bc7";
        let with_plain: &str = &format!("{eight_bits} r8 r8s rg8 rg8s rgba8 rgba8s bgra8");
        for (option, expected) in [
            (EncodeOption::Weights, "bc1 bc2 bc3 bc7"),
            (EncodeOption::Metric, "bc6h bc6hs"),
            (EncodeOption::MaxValue, "bc6h bc6hs r16f rg16f rgba16f r32f rg32f rgba32f rgb9e5 rg11b10f"),
            (EncodeOption::Rdo, "bc1 bc3 bc4 bc4s bc5 bc5s bc7"),
            (EncodeOption::KeepCoverage, "bc1 bc2 bc3 bc7 rgba8 bgra8"),
            (EncodeOption::Premultiply, "bc2 bc3 bc7 rgba8 bgra8 rgba16 rgba16f rgba32f"),
            (EncodeOption::RoughnessFrom, with_plain),
            (EncodeOption::Dither, eight_bits),
        ] {
            let found: Vec<_> = option.formats().map(TextureFormat::name).collect();
            assert_eq!(found.join(" "), expected, "{option}");
        }
    }
}
