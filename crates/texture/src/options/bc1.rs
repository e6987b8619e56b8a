//! Options that only BC1 has.

use crate::names::impl_from_str;

/// Options of [`EncodeOptions`](crate::EncodeOptions) that only BC1 has.
///
/// ```
/// use brickwork_texture::EncodeOptions;
///
/// let mut options = EncodeOptions::default();
/// options.bc1.alpha_threshold = 0;
/// options.bc1.three_color = false;
/// assert_ne!(options, EncodeOptions::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Bc1Options {
    /// Algorithm. Default: [`Method::Auto`].
    pub method: Method,
    /// True to allow the three-colour mode in opaque blocks. Some old decoders do not decode it correctly.
    /// Default: `true`.
    pub three_color: bool,
    /// Alpha below which texels become transparent (punch-through alpha). With 0, all texels become opaque.
    /// Images without alpha are always opaque. Default: 128.
    pub alpha_threshold: u8,
    /// True to allow the transparent black of the three-colour mode for dark texels of opaque blocks.
    /// [`Quality::Ultrafast`](crate::Quality::Ultrafast) does not try it. Default: `false`.
    ///
    /// **Such texels decode with alpha 0.** Enable this only if the shader ignores alpha and nothing else
    /// (blending, alpha test, a later tool) reads it.
    pub transparent_black: bool,
}

impl Default for Bc1Options {
    fn default() -> Self {
        Self { method: Method::Auto, three_color: true, alpha_threshold: 128, transparent_black: false }
    }
}

impl Bc1Options {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// Algorithm with which an encoder searches for endpoints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Method with the best quality for its time: cluster fit.
    #[default]
    Auto,
    /// Search of all order-preserving clusterings of the texels along their principal axis. The best ones are
    /// refined.
    ClusterFit,
    /// Linear regression of each channel's unique values, then of the remaining errors, then a search of all
    /// combinations of endpoint codes in a neighbourhood. Opaque blocks get four colours.
    /// [`three_color`](Bc1Options::three_color) and
    /// [`transparent_black`](Bc1Options::transparent_black) therefore only affect blocks of one or two
    /// colours. Feature `lsdxt`.
    #[cfg(feature = "lsdxt")]
    Lsdxt,
}

impl Method {
    /// All methods.
    pub const ALL: &[Self] = &[
        Self::Auto,
        Self::ClusterFit,
        #[cfg(feature = "lsdxt")]
        Self::Lsdxt,
    ];

    /// Returns the name, as used by the program's `--method`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::ClusterFit => "cluster-fit",
            #[cfg(feature = "lsdxt")]
            Self::Lsdxt => "lsdxt",
        }
    }
}

impl_from_str!(Method);
