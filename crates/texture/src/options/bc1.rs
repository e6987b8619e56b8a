//! The options that only BC1 has.

#[cfg(feature = "papers")]
use super::bc1_papers::{ClusterFitVariant, LsdxtVariant};
use crate::names::impl_from_str;

/// The options of [`EncodeOptions`](crate::EncodeOptions) that only BC1 has.
///
/// ```
/// use brickwork_texture::{EncodeOptions, bc::bc1::Bc1Options};
///
/// let opaque = Bc1Options::new().with_alpha_threshold(0).with_three_color(false);
/// let options = EncodeOptions::new().with_bc1(opaque);
/// assert!(!options.bc1.three_color);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Bc1Options {
    /// The algorithm. Default: [`Method::Auto`].
    pub method: Method,
    /// Whether opaque blocks may use the three-colour mode, which some old decoders get wrong. Default: true.
    pub three_color: bool,
    /// Texels with an alpha below this become transparent (punch-through alpha); 0 makes every texel opaque.
    /// Images without alpha are always opaque. Default: 128.
    pub alpha_threshold: u8,
    /// Whether dark texels of opaque blocks may use the transparent black of the three-colour mode.
    /// [`Quality::Ultrafast`](crate::Quality::Ultrafast) does not try it. Default: false.
    ///
    /// **Such texels decode with alpha 0.** Enable this only if the shader ignores alpha and nothing else
    /// (blending, alpha test, a later tool) reads it.
    pub transparent_black: bool,
    /// On GPUs, the kernels of [`Method::ClusterFit`]. Feature `papers`.
    /// Default: [`ClusterFitVariant::Stages`].
    #[cfg(feature = "papers")]
    pub cluster_fit_variant: ClusterFitVariant,
    /// On GPUs, the kernels of [`Method::Lsdxt`]. Feature `papers`. Default: [`LsdxtVariant::Constant`].
    #[cfg(feature = "papers")]
    pub lsdxt_variant: LsdxtVariant,
}

impl Default for Bc1Options {
    fn default() -> Self {
        Self::new()
    }
}

impl Bc1Options {
    /// The defaults.
    pub const fn new() -> Self {
        Self {
            method: Method::Auto,
            three_color: true,
            alpha_threshold: 128,
            transparent_black: false,
            #[cfg(feature = "papers")]
            cluster_fit_variant: ClusterFitVariant::Stages,
            #[cfg(feature = "papers")]
            lsdxt_variant: LsdxtVariant::Constant,
        }
    }

    /// Sets [`method`](Self::method).
    #[must_use]
    pub const fn with_method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// Sets [`three_color`](Self::three_color).
    #[must_use]
    pub const fn with_three_color(mut self, three_color: bool) -> Self {
        self.three_color = three_color;
        self
    }

    /// Sets [`alpha_threshold`](Self::alpha_threshold).
    #[must_use]
    pub const fn with_alpha_threshold(mut self, alpha_threshold: u8) -> Self {
        self.alpha_threshold = alpha_threshold;
        self
    }

    /// Sets [`transparent_black`](Self::transparent_black).
    #[must_use]
    pub const fn with_transparent_black(mut self, transparent_black: bool) -> Self {
        self.transparent_black = transparent_black;
        self
    }
}

/// The algorithm by which an encoder looks for endpoints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// The one with the best quality for its time: cluster fit.
    #[default]
    Auto,
    /// Every order-preserving clustering of the texels along their principal axis, the best ones refined.
    ClusterFit,
    /// Linear regression of each channel's unique values, then of the errors that remain, then a search of
    /// every combination of endpoint codes in a neighbourhood. Opaque blocks get four colours, so
    /// [`three_color`](Bc1Options::three_color) and [`transparent_black`](Bc1Options::transparent_black) only
    /// affect blocks of one or two colours. Feature `papers`.
    #[cfg(feature = "papers")]
    Lsdxt,
}

impl Method {
    /// Every method.
    pub const ALL: &[Self] = &[
        Self::Auto,
        Self::ClusterFit,
        #[cfg(feature = "papers")]
        Self::Lsdxt,
    ];

    /// The name, as the program's `--method` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::ClusterFit => "cluster-fit",
            #[cfg(feature = "papers")]
            Self::Lsdxt => "lsdxt",
        }
    }
}

impl_from_str!(Method);
