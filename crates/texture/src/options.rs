//! The options of encoders.

use crate::{
    RdoLambda,
    bc::{bc1::Bc1Options, bc7::Bc7Options},
    names::impl_from_str,
};

/// How much time an encoder may take for quality. A higher quality never gives a larger error on any image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Quality {
    /// For encoding while a frame is drawn.
    Ultrafast,
    /// For quick iterations.
    Fast,
    /// For everyday use.
    #[default]
    Normal,
    /// For releases.
    High,
    /// As close to the best possible blocks as is known, whatever the cost.
    Best,
}

impl Quality {
    /// Every quality, in ascending order.
    pub const ALL: &[Self] = &[Self::Ultrafast, Self::Fast, Self::Normal, Self::High, Self::Best];

    /// The name, as the program's `--quality` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ultrafast => "ultrafast",
            Self::Fast => "fast",
            Self::Normal => "normal",
            Self::High => "high",
            Self::Best => "best",
        }
    }
}

/// How a decoder turns 5- and 6-bit endpoint codes and their interpolants into 8-bit values. Encoders choose
/// endpoints for one decoder; [`crate::decode_into`] decodes like one. The values of BC4, BC5 and BC3's alpha
/// are rounded to nearest, except by [`Trunc`](Self::Trunc); those of signed blocks always are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Decoder {
    /// The ideal of Direct3D 10: endpoints and interpolants are exact fractions of the codes, each rounded to
    /// nearest in 8 bits. Code 3 of 31 becomes 25. Most GPUs come closest to this.
    #[default]
    Exact,
    /// Codes are widened by repeating their upper bits (code 3 of 31 becomes 24), then (2a+b)/3 and (a+b)/2
    /// are truncated. Many software decoders do this.
    Trunc,
    /// NVIDIA hardware.
    Nvidia,
    /// AMD hardware.
    Amd,
    /// Intel hardware.
    Intel,
}

impl Decoder {
    /// Every decoder.
    pub const ALL: &[Self] = &[Self::Exact, Self::Trunc, Self::Nvidia, Self::Amd, Self::Intel];

    /// The name, as the program's `--decoder` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Trunc => "trunc",
            Self::Nvidia => "nvidia",
            Self::Amd => "amd",
            Self::Intel => "intel",
        }
    }
}

/// How much squared errors in red, green and blue count relative to each other. Only the ratios matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChannelWeights {
    rgb: [u8; 3],
}

impl ChannelWeights {
    /// Equal weights: what PSNR over RGB measures.
    pub const UNIFORM: Self = Self { rgb: [1, 1, 1] };
    /// The luma weights of BT.709 in 256ths.
    pub const LUMA: Self = Self { rgb: [54, 183, 19] };
    /// The largest sum of the three weights; errors then stay exact in 24 bits.
    pub const MAX_SUM: u16 = 256;

    /// Weights for red, green and blue; `None` if one is 0 or their sum exceeds [`MAX_SUM`](Self::MAX_SUM).
    pub const fn new(red: u8, green: u8, blue: u8) -> Option<Self> {
        let sum = red as u16 + green as u16 + blue as u16;
        if red == 0 || green == 0 || blue == 0 || sum > Self::MAX_SUM {
            return None;
        }
        Some(Self { rgb: [red, green, blue] })
    }

    /// The weights of red, green and blue.
    pub const fn rgb(self) -> [u8; 3] {
        self.rgb
    }
}

impl Default for ChannelWeights {
    fn default() -> Self {
        Self::UNIFORM
    }
}

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
}

impl_from_str!(Quality);
impl_from_str!(Decoder);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bc::bc1::Method;

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

    #[test]
    fn weights_are_bounded() {
        assert!(ChannelWeights::new(0, 1, 1).is_none());
        assert!(ChannelWeights::new(255, 1, 1).is_none());
        assert_eq!(ChannelWeights::new(254, 1, 1).unwrap().rgb(), [254, 1, 1]);
        assert_eq!(ChannelWeights::LUMA.rgb().map(u16::from).iter().sum::<u16>(), 256);
    }
}
