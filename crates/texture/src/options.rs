//! What an encoder is asked for.

use crate::BlockFormat;
use std::str::FromStr;

/// How much time an encoder may take for quality. Higher never gives a larger error on any image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// As near to the best possible blocks as is known, whatever it costs.
    Best,
}

impl Quality {
    /// Every quality, rising.
    pub const ALL: [Self; 5] = [Self::Ultrafast, Self::Fast, Self::Normal, Self::High, Self::Best];

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

/// By which algorithm an encoder looks for endpoints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The one that gives the best quality for its time: cluster fit.
    #[default]
    Auto,
    /// Every order-preserving clustering of the texels along their principal axis, the best ones refined.
    ClusterFit,
    /// BC1: linear regression of each channel's unique values, then of the errors that remain, then every combination
    /// of endpoint codes in a neighbourhood. Its opaque blocks have four colours, so that
    /// [`three_color`](EncodeOptions::three_color) and [`transparent_black`](EncodeOptions::transparent_black) only
    /// show in blocks of one or two colours.
    Lsdxt,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 3] = [Self::Auto, Self::ClusterFit, Self::Lsdxt];

    /// The name, as the program's `--method` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::ClusterFit => "cluster-fit",
            Self::Lsdxt => "lsdxt",
        }
    }
}

/// How a decoder turns 5- and 6-bit endpoint codes and their interpolants into 8-bit values. Encoders choose
/// endpoints for one of them; [`crate::decode_into`] decodes as one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Decoder {
    /// The ideal of Direct3D 10: endpoints and interpolants are exact fractions of the codes, each rounded to
    /// nearest in 8 bits. Code 3 of 31 is 25. Most GPUs are nearest to this.
    #[default]
    Exact,
    /// Codes are widened by repeating their upper bits (code 3 of 31 is 24), then (2a+b)/3 and (a+b)/2 are
    /// truncated. Many software decoders do this.
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
    pub const ALL: [Self; 5] = [Self::Exact, Self::Trunc, Self::Nvidia, Self::Amd, Self::Intel];

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

/// How much a squared error in red, green and blue counts against the others. Only the ratios matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChannelWeights {
    rgb: [u8; 3],
}

impl ChannelWeights {
    /// Every channel alike: what PSNR over RGB measures.
    pub const UNIFORM: Self = Self { rgb: [1, 1, 1] };
    /// The luma weights of BT.709 in 256ths.
    pub const LUMA: Self = Self { rgb: [54, 183, 19] };
    /// The greatest sum of the three weights, so that errors stay exact in 24 bits.
    pub const MAX_SUM: u16 = 256;

    /// Weights for red, green and blue, or nothing if one is 0 or they sum to more than
    /// [`MAX_SUM`](Self::MAX_SUM).
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

/// What an [`Encoder`](crate::Encoder) is asked for.
///
/// ```
/// use brickwork_texture::{EncodeOptions, Quality};
///
/// let mut options = EncodeOptions::default();
/// options.quality = Quality::High;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodeOptions {
    /// The block format. Default: BC1.
    pub format: BlockFormat,
    /// Time against error. Default: [`Quality::Normal`].
    pub quality: Quality,
    /// The algorithm. Default: [`Method::Auto`].
    pub method: Method,
    /// The decoder whose rounding the error is measured with. Default: [`Decoder::Exact`].
    pub decoder: Decoder,
    /// Weights of the channels' squared errors. Default: all alike.
    pub weights: ChannelWeights,
    /// BC1: whether opaque blocks may use the three-colour mode. Default: true.
    ///
    /// BC2 and BC3 decoders do not know that mode, and some old BC1 decoders get it wrong.
    pub three_color: bool,
    /// BC1: texels with an alpha below this become transparent (punch-through alpha); 0 makes every texel
    /// opaque. Images without alpha are opaque in any case. Default: 128.
    pub alpha_threshold: u8,
    /// BC1: whether dark texels of opaque blocks may use the transparent black of the three-colour mode.
    /// [`Quality::Ultrafast`] does not look for it. Default: false.
    ///
    /// **Such texels decode with alpha 0.** This is only right where the shader ignores alpha and nothing
    /// (blending, alpha test, a later tool) reads it.
    pub transparent_black: bool,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        Self {
            format: BlockFormat::Bc1,
            quality: Quality::Normal,
            method: Method::Auto,
            decoder: Decoder::Exact,
            weights: ChannelWeights::UNIFORM,
            three_color: true,
            alpha_threshold: 128,
            transparent_black: false,
        }
    }
}

/// A name that is not among those known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is not one of {known}")]
pub struct UnknownName {
    name: String,
    known: String,
}

macro_rules! impl_from_str {
    ($type:ty) => {
        impl FromStr for $type {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                Self::ALL.into_iter().find(|item| item.name() == name).ok_or_else(|| UnknownName {
                    name: name.to_owned(),
                    known: Self::ALL.map(Self::name).join(", "),
                })
            }
        }
    };
}

impl_from_str!(Quality);
impl_from_str!(Method);
impl_from_str!(Decoder);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_and_others_are_refused() {
        for quality in Quality::ALL {
            assert_eq!(quality.name().parse(), Ok(quality));
        }
        for method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
        }
        for decoder in Decoder::ALL {
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
