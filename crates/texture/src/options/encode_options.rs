//! Options of encoders.

use super::{
    Bc1Options, Bc6hOptions, Bc7Options, ChannelWeights, MipExtreme, MipFilter, MipWrap, Quality, RdoLambda,
    RealTime, RoundingRule,
};
use crate::TextureFormat;
use std::num::NonZeroU8;

/// Options of an [`Encoder`](crate::Encoder).
///
/// ```
/// use brickwork_texture::{EncodeOptions, Quality};
///
/// let mut options = EncodeOptions::default();
/// options.quality = Quality::High;
/// let dithered = options.with(|o| o.dither = true);
/// assert!(dithered.dither && dithered.quality == Quality::High && !options.dither);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct EncodeOptions {
    /// Quality, which trades encoding time for less error. Default: [`Quality::Normal`].
    pub quality: Quality,
    /// Level of encoding in real time, regardless of quality, rounding rule, weights (also
    /// [by alpha](Self::weigh_by_alpha)), modes, methods and BC6H's metric, for formats that
    /// [have such levels](crate::BlockFormat::has_real_time). Other formats ignore it. Default: `None`.
    pub real_time: Option<RealTime>,
    /// Rounding rule of the decoder for which errors are measured. Default: [`RoundingRule::Real`].
    pub rounding_rule: RoundingRule,
    /// Weights of the squared errors of colours. BC6H and formats of one or two channels ignore them.
    /// Default: [`ChannelWeights::UNIFORM`].
    pub weights: ChannelWeights,
    /// True to weight errors of colours by the texel's alpha / 255, but at least 1 / 255, as squish's
    /// `kWeightColourByAlpha` does. This applies to BC2, BC3 and BC7 with straight alpha. Other formats
    /// ignore it, as does encoding in [real time](Self::real_time), and blocks whose texels have the same
    /// alpha do not change.
    ///
    /// The pass runs on the CPU for both encoders, over all blocks of an image. Calls that do not wait for
    /// the blocks refuse it ([`EncodeError::ByAlpha`](crate::EncodeError::ByAlpha)). All calls refuse it
    /// together with [`rdo`](Self::rdo) of BC3 and BC7. Default: `false`.
    pub weigh_by_alpha: bool,
    /// Options of BC1. The method also applies to the colours of BC2 and BC3.
    pub bc1: Bc1Options,
    /// Options of BC6H.
    pub bc6h: Bc6hOptions,
    /// Options of BC7.
    pub bc7: Bc7Options,
    /// The λ of rate–distortion optimisation of BC1, BC3, BC4, BC5 and BC7. This optimisation accepts some
    /// error for blocks that a later compressor (Zstandard, deflate) makes smaller. BC2 and BC6H ignore it.
    /// The pass runs on the CPU for both encoders, over all blocks of an image. Calls that do not wait for
    /// the blocks refuse it ([`EncodeError::Rdo`](crate::EncodeError::Rdo)). Default: [`RdoLambda::OFF`].
    pub rdo: RdoLambda,
    /// Filter of the mip levels that [`encode_texture`](crate::encode_texture) makes. Default: none, which
    /// means [`MipFilter::Kaiser`] from [`Quality::Normal`] on, with the exceptions of
    /// [`MipOptions::of_texture`](crate::mips::MipOptions::of_texture).
    pub mip_filter: Option<MipFilter>,
    /// Extreme of the covered texels that takes the place of the filter of mip levels, in each channel, such
    /// as for heights. The CPU then makes the levels for any encoder. Default: none.
    pub mip_extreme: Option<MipExtreme>,
    /// Texels past the left and right edges, and past the upper and lower ones, that the filter of mip levels
    /// reads. Default: [`MipWrap::Clamp`].
    pub mip_wrap: [MipWrap; 2],
    /// True to treat images as normal maps: value v of red, green and blue means 2v/255 − 1. The vectors of
    /// each mip level that [`encode_texture`](crate::encode_texture) makes are scaled to length 1. Blue must
    /// contain z, also for BC5, which does not store it. Images of BC6H do not change. Default: `false`.
    pub normals: bool,
    /// Reference of an alpha test whose coverage mip levels keep: the share of texels with at least this
    /// alpha, which the test leaves visible. The alpha of each mip level that
    /// [`encode_texture`](crate::encode_texture) makes is changed until this share is that of mip level 0.
    /// The error is at most half a texel plus 1/128 of the texels. Transparent texels stay transparent.
    /// Textures whose alpha is not [straight](crate::AlphaMode::Straight), or [is data](Self::alpha_is_data),
    /// and 3D textures ignore it. Default: none.
    pub keep_coverage: Option<NonZeroU8>,
    /// True to treat alpha as a channel like the others, for example the smoothness in a packed mask, not as
    /// transparency. The mip levels that [`encode_texture`](crate::encode_texture) makes contain the mean of
    /// each channel by itself; otherwise colours are weighted by [straight](crate::AlphaMode::Straight)
    /// alpha. Default: `false`.
    pub alpha_is_data: bool,
    /// True to dither colours before they are encoded, so that gradients have no bands: to 5, 6 and 5 bits,
    /// the bits of endpoints, for BC1, BC2 and BC3, else to 8 bits. Colours between two such values become
    /// one of them, by an ordered pattern whose mean is the colour. Values that endpoints can have do not
    /// change; 8-bit images therefore change only for BC1, BC2 and BC3. Alpha is not dithered. BC6H and plain
    /// formats ignore the option.
    ///
    /// [`encode_texture`](crate::encode_texture) dithers each image and each mip level that it makes, which
    /// the CPU then makes for either encoder. Other calls ignore the option. Default: `false`.
    pub dither: bool,
}

impl EncodeOptions {
    /// True if images of 16 bits per channel are encoded to this format from all 16 bits: to EAC, and to BC4
    /// and BC5 if [`rounding_rule`](Self::rounding_rule) does not round values, without [`rdo`](Self::rdo)
    /// and [`dither`](Self::dither), not in [real time](Self::real_time). This needs the feature
    /// `second-pass`. Otherwise, and in calls that do not wait for the GPU, block formats of integers are
    /// encoded from 8 bits.
    pub fn keeps_16_bits(&self, format: impl Into<TextureFormat>) -> bool {
        let format = format.into();
        let has_pass = cfg!(feature = "second-pass") && self.rounding_rule.is_unrounded(format);
        let is_bc_in_real_time =
            self.real_time.is_some() && format.block().is_some_and(|format| !format.is_mobile());
        has_pass && self.rdo.is_off() && !self.dither && !is_bc_in_real_time
    }

    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::Quality;
    use crate::options::{Method, RoundingRule};

    #[test]
    fn names_lead_back_and_others_are_refused() {
        for &quality in Quality::ALL {
            assert_eq!(quality.name().parse(), Ok(quality));
        }
        for &method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
        }
        for &rule in RoundingRule::ALL {
            assert_eq!(rule.name().parse(), Ok(rule));
        }
        assert_eq!(
            "slow".parse::<Quality>().unwrap_err().to_string(),
            "\"slow\" is not one of ultrafast, fast, normal, high, best"
        );
    }
}
