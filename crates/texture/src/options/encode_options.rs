//! The options of encoders.

use super::{Bc1Options, Bc7Options, ChannelWeights, Decoder, MipFilter, Quality, RdoLambda};

/// The options of an [`Encoder`](crate::Encoder).
///
/// ```
/// use brickwork_texture::{EncodeOptions, Quality};
///
/// let options = EncodeOptions::new().with_quality(Quality::High);
/// assert_eq!(options.quality, Quality::High);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct EncodeOptions {
    /// Trades encoding time for quality. Default: [`Quality::Normal`].
    pub quality: Quality,
    /// The decoder whose rounding the error is measured with. Default: [`Decoder::Exact`].
    pub decoder: Decoder,
    /// Weights of the squared errors of colours; formats of one or two channels have no use for them.
    /// Default: [`ChannelWeights::UNIFORM`].
    pub weights: ChannelWeights,
    /// Whether errors of colours count by the texel's alpha / 255, but at least 1 / 255: what is hardly seen
    /// gives way to what is, as with squish's `kWeightColourByAlpha`. For BC2 and BC3 with straight
    /// alpha; other formats have no use for it, and blocks whose texels have one alpha stay as they are. The
    /// pass runs on the CPU, whatever encoded, over all blocks of an image, so calls that do not wait for
    /// these refuse it ([`EncodeError::ByAlpha`](crate::EncodeError::ByAlpha)), and all calls refuse it
    /// together with [`rdo`](Self::rdo) of BC3. Default: `false`.
    pub weigh_by_alpha: bool,
    /// The options of BC1; its method also serves the colours of BC2 and BC3. Default: [`Bc1Options::new`].
    pub bc1: Bc1Options,
    /// The options of BC7. Default: [`Bc7Options::new`].
    pub bc7: Bc7Options,
    /// Rate–distortion optimisation of BC1, BC3 and BC7: blocks that a later compressor (Zstandard, deflate)
    /// makes smaller, for some error; other formats have no use for it. The pass runs on the CPU, whatever
    /// encoded, over all blocks of an image, so calls that do not wait for these refuse it
    /// ([`EncodeError::Rdo`](crate::EncodeError::Rdo)). Default: [`RdoLambda::OFF`].
    pub rdo: RdoLambda,
    /// The filter of the mip levels that [`encode_texture`](crate::encode_texture) makes. Default:
    /// [`MipFilter::Box`].
    pub mip_filter: MipFilter,
}

impl EncodeOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`quality`](Self::quality).
    #[must_use]
    pub const fn with_quality(mut self, quality: Quality) -> Self {
        self.quality = quality;
        self
    }

    /// Sets [`decoder`](Self::decoder).
    #[must_use]
    pub const fn with_decoder(mut self, decoder: Decoder) -> Self {
        self.decoder = decoder;
        self
    }

    /// Sets [`weights`](Self::weights).
    #[must_use]
    pub const fn with_weights(mut self, weights: ChannelWeights) -> Self {
        self.weights = weights;
        self
    }

    /// Sets [`weigh_by_alpha`](Self::weigh_by_alpha).
    #[must_use]
    pub const fn with_weigh_by_alpha(mut self, weigh_by_alpha: bool) -> Self {
        self.weigh_by_alpha = weigh_by_alpha;
        self
    }

    /// Sets the [`bc1`](Self::bc1) options.
    #[must_use]
    pub const fn with_bc1(mut self, bc1: Bc1Options) -> Self {
        self.bc1 = bc1;
        self
    }

    /// Sets [`rdo`](Self::rdo).
    #[must_use]
    pub const fn with_rdo(mut self, rdo: RdoLambda) -> Self {
        self.rdo = rdo;
        self
    }

    /// Sets the [`bc7`](Self::bc7) options.
    #[must_use]
    pub const fn with_bc7(mut self, bc7: Bc7Options) -> Self {
        self.bc7 = bc7;
        self
    }

    /// Sets [`mip_filter`](Self::mip_filter).
    #[must_use]
    pub const fn with_mip_filter(mut self, filter: MipFilter) -> Self {
        self.mip_filter = filter;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::Quality;
    use crate::options::{Decoder, Method};

    #[test]
    fn names_lead_back_and_others_are_refused() {
        for &quality in Quality::ALL {
            assert_eq!(quality.name().parse(), Ok(quality));
        }
        for &method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
        }
        for &decoder in Decoder::ALL {
            assert_eq!(decoder.name().parse(), Ok(decoder));
        }
        assert_eq!(
            "slow".parse::<Quality>().unwrap_err().to_string(),
            "\"slow\" is not one of ultrafast, fast, normal, high, best"
        );
    }
}
