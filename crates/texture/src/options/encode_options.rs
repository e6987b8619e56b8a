//! Options of encoders.

use super::{
    Bc1Options, Bc6hOptions, Bc7Options, ChannelWeights, MipFilter, MipWrap, Quality, RdoLambda, RoundingRule,
};
use std::num::NonZeroU8;

/// Options of an [`Encoder`](crate::Encoder).
///
/// ```
/// use brickwork_texture::{EncodeOptions, Quality};
///
/// let options = EncodeOptions::new().with_quality(Quality::High);
/// assert_eq!(options.quality(), Quality::High);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EncodeOptions {
    pub(crate) quality: Quality,
    pub(crate) rounding_rule: RoundingRule,
    pub(crate) weights: ChannelWeights,
    pub(crate) weigh_by_alpha: bool,
    pub(crate) bc1: Bc1Options,
    pub(crate) bc6h: Bc6hOptions,
    pub(crate) bc7: Bc7Options,
    pub(crate) rdo: RdoLambda,
    pub(crate) mip_filter: Option<MipFilter>,
    pub(crate) mip_wrap: [MipWrap; 2],
    pub(crate) normals: bool,
    pub(crate) keep_coverage: Option<NonZeroU8>,
    pub(crate) alpha_is_data: bool,
    pub(crate) dither: bool,
}

impl EncodeOptions {
    /// Returns the defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the quality, which trades encoding time for less error. Default: [`Quality::Normal`].
    #[must_use]
    pub const fn with_quality(mut self, quality: Quality) -> Self {
        self.quality = quality;
        self
    }

    /// Sets the rounding rule of the decoder for which errors are measured. Default: [`RoundingRule::Real`].
    #[must_use]
    pub const fn with_rounding_rule(mut self, rounding_rule: RoundingRule) -> Self {
        self.rounding_rule = rounding_rule;
        self
    }

    /// Sets the weights of the squared errors of colours. BC6H and formats of one or two channels
    /// ignore them. Default: [`ChannelWeights::UNIFORM`].
    #[must_use]
    pub const fn with_weights(mut self, weights: ChannelWeights) -> Self {
        self.weights = weights;
        self
    }

    /// Weights errors of colours by the texel's alpha / 255, but at least 1 / 255, as squish's
    /// `kWeightColourByAlpha` does. This applies to BC2 and BC3 with straight alpha. Other formats ignore it,
    /// and blocks whose texels have the same alpha do not change.
    ///
    /// The pass runs on the CPU for both encoders, over all blocks of an image. Calls that do not wait for
    /// the blocks refuse it ([`EncodeError::ByAlpha`](crate::EncodeError::ByAlpha)). All calls refuse it
    /// together with [`rdo`](Self::with_rdo) of BC3. Default: `false`.
    #[must_use]
    pub const fn with_weigh_by_alpha(mut self, weigh_by_alpha: bool) -> Self {
        self.weigh_by_alpha = weigh_by_alpha;
        self
    }

    /// Sets the options of BC1. The method also applies to the colours of BC2 and BC3. Default:
    /// [`Bc1Options::new`].
    #[must_use]
    pub const fn with_bc1(mut self, bc1: Bc1Options) -> Self {
        self.bc1 = bc1;
        self
    }

    /// Sets the options of BC6H. Default: [`Bc6hOptions::new`].
    #[must_use]
    pub const fn with_bc6h(mut self, bc6h: Bc6hOptions) -> Self {
        self.bc6h = bc6h;
        self
    }

    /// Sets the options of BC7. Default: [`Bc7Options::new`].
    #[must_use]
    pub const fn with_bc7(mut self, bc7: Bc7Options) -> Self {
        self.bc7 = bc7;
        self
    }

    /// Sets the λ of rate–distortion optimisation of BC1, BC3, BC4, BC5 and BC7. This optimisation accepts
    /// some error for blocks that a later compressor (Zstandard, deflate) makes smaller. BC2 and BC6H ignore
    /// it. The pass runs on the CPU for both encoders, over all blocks of an image. Calls that do not wait
    /// for the blocks refuse it ([`EncodeError::Rdo`](crate::EncodeError::Rdo)). Default:
    /// [`RdoLambda::OFF`].
    #[must_use]
    pub const fn with_rdo(mut self, rdo: RdoLambda) -> Self {
        self.rdo = rdo;
        self
    }

    /// Sets the filter of the mip levels that [`encode_texture`](crate::encode_texture) makes. Default: none,
    /// which means [`MipFilter::Kaiser`] from [`Quality::Normal`] on, with the exceptions of
    /// [`MipOptions::of_texture`](crate::mips::MipOptions::of_texture).
    #[must_use]
    pub const fn with_mip_filter(mut self, filter: Option<MipFilter>) -> Self {
        self.mip_filter = filter;
        self
    }

    /// Sets the texels past the left and right edges, and past the upper and lower ones, that the filter of
    /// mip levels reads. Default: [`MipWrap::Clamp`].
    #[must_use]
    pub const fn with_mip_wrap(mut self, wrap: [MipWrap; 2]) -> Self {
        self.mip_wrap = wrap;
        self
    }

    /// Treats images as normal maps: value v of red, green and blue means 2v/255 − 1. The vectors of each mip
    /// level that [`encode_texture`](crate::encode_texture) makes are scaled to length 1. Blue must contain
    /// z, also for BC5, which does not store it. Images of BC6H do not change. Default: `false`.
    #[must_use]
    pub const fn with_normals(mut self, normals: bool) -> Self {
        self.normals = normals;
        self
    }

    /// Keeps the coverage of cut-outs: the share of texels with at least the alpha `reference`, which an
    /// alpha test leaves visible. The alpha of each mip level that [`encode_texture`](crate::encode_texture)
    /// makes is changed until this share is that of mip level 0. The error is at most half a texel plus 1/128
    /// of the texels. Transparent texels stay transparent. Textures whose alpha is not
    /// [straight](crate::AlphaMode::Straight), or [is data](Self::with_alpha_is_data), and 3D textures ignore
    /// it. Default: none.
    #[must_use]
    pub const fn with_keep_coverage(mut self, reference: Option<NonZeroU8>) -> Self {
        self.keep_coverage = reference;
        self
    }

    /// Treats alpha as a channel like the others, for example the smoothness in a packed mask, not as
    /// transparency. The mip levels that [`encode_texture`](crate::encode_texture) makes contain the mean of
    /// each channel by itself; otherwise colours are weighted by [straight](crate::AlphaMode::Straight)
    /// alpha. Default: `false`.
    #[must_use]
    pub const fn with_alpha_is_data(mut self, alpha_is_data: bool) -> Self {
        self.alpha_is_data = alpha_is_data;
        self
    }

    /// Dithers colours before they are encoded, so that gradients have no bands: to 5, 6 and 5 bits, the bits
    /// of endpoints, for BC1, BC2 and BC3, else to 8 bits. Colours between two such values become one of
    /// them, by an ordered pattern whose mean is the colour. Values that endpoints can have do not change;
    /// 8-bit images therefore change only for BC1, BC2 and BC3. Alpha is not dithered. BC6H and plain formats
    /// ignore the option.
    ///
    /// [`encode_texture`](crate::encode_texture) dithers each image and each mip level that it makes, which
    /// the CPU then makes for either encoder. Other calls ignore the option. Default: `false`.
    #[must_use]
    pub const fn with_dither(mut self, dither: bool) -> Self {
        self.dither = dither;
        self
    }

    /// Returns the quality.
    pub const fn quality(&self) -> Quality {
        self.quality
    }

    /// Returns the rounding rule of the decoder for which errors are measured.
    pub const fn rounding_rule(&self) -> RoundingRule {
        self.rounding_rule
    }

    /// Returns the weights of the squared errors of colours.
    pub const fn weights(&self) -> ChannelWeights {
        self.weights
    }

    /// True if errors of colours are weighted by alpha.
    pub const fn weigh_by_alpha(&self) -> bool {
        self.weigh_by_alpha
    }

    /// Returns the options of BC1.
    pub const fn bc1(&self) -> Bc1Options {
        self.bc1
    }

    /// Returns the options of BC6H.
    pub const fn bc6h(&self) -> Bc6hOptions {
        self.bc6h
    }

    /// Returns the options of BC7.
    pub const fn bc7(&self) -> Bc7Options {
        self.bc7
    }

    /// Returns the λ of rate–distortion optimisation.
    pub const fn rdo(&self) -> RdoLambda {
        self.rdo
    }

    /// Returns the filter of mip levels, if one is chosen.
    pub const fn mip_filter(&self) -> Option<MipFilter> {
        self.mip_filter
    }

    /// True if images are normal maps.
    pub const fn normals(&self) -> bool {
        self.normals
    }

    /// Returns the minimum alpha of visible texels, if mip levels keep their share.
    pub const fn keep_coverage(&self) -> Option<NonZeroU8> {
        self.keep_coverage
    }

    /// True if alpha is a channel like the others, not transparency.
    pub const fn alpha_is_data(&self) -> bool {
        self.alpha_is_data
    }

    /// True if colours are dithered before they are encoded.
    pub const fn dither(&self) -> bool {
        self.dither
    }

    /// Returns the texels past the left and right edges, and past the upper and lower ones, of mip levels.
    pub const fn mip_wrap(&self) -> [MipWrap; 2] {
        self.mip_wrap
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
