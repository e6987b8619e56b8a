//! Options that only BC1 has.

use crate::names::impl_from_str;

/// Options of [`EncodeOptions`](crate::EncodeOptions) that only BC1 has.
///
/// ```
/// use brickwork_texture::{EncodeOptions, bc::bc1::Bc1Options};
///
/// let opaque = Bc1Options::new().with_alpha_threshold(0).with_three_color(false);
/// let options = EncodeOptions::new().with_bc1(opaque);
/// assert!(!options.bc1().three_color());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bc1Options {
    pub(crate) method: Method,
    pub(crate) three_color: bool,
    pub(crate) alpha_threshold: u8,
    pub(crate) transparent_black: bool,
}

impl Default for Bc1Options {
    fn default() -> Self {
        Self::new()
    }
}

impl Bc1Options {
    /// Returns the defaults.
    pub const fn new() -> Self {
        Self { method: Method::Auto, three_color: true, alpha_threshold: 128, transparent_black: false }
    }

    /// Sets the algorithm. Default: [`Method::Auto`].
    #[must_use]
    pub const fn with_method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// Allows or forbids the three-colour mode in opaque blocks. Some old decoders do not decode it
    /// correctly. Default: `true`.
    #[must_use]
    pub const fn with_three_color(mut self, three_color: bool) -> Self {
        self.three_color = three_color;
        self
    }

    /// Sets the alpha below which texels become transparent (punch-through alpha). With 0, all texels become
    /// opaque. Images without alpha are always opaque. Default: 128.
    #[must_use]
    pub const fn with_alpha_threshold(mut self, alpha_threshold: u8) -> Self {
        self.alpha_threshold = alpha_threshold;
        self
    }

    /// Allows the transparent black of the three-colour mode for dark texels of opaque blocks.
    /// [`Quality::Ultrafast`](crate::Quality::Ultrafast) does not try it. Default: `false`.
    ///
    /// **Such texels decode with alpha 0.** Enable this only if the shader ignores alpha and nothing else
    /// (blending, alpha test, a later tool) reads it.
    #[must_use]
    pub const fn with_transparent_black(mut self, transparent_black: bool) -> Self {
        self.transparent_black = transparent_black;
        self
    }

    /// Returns the algorithm.
    pub const fn method(&self) -> Method {
        self.method
    }

    /// True if opaque blocks may have the three-colour mode.
    pub const fn three_color(&self) -> bool {
        self.three_color
    }

    /// Returns the alpha below which texels become transparent.
    pub const fn alpha_threshold(&self) -> u8 {
        self.alpha_threshold
    }

    /// True if dark texels of opaque blocks may be transparent black.
    pub const fn transparent_black(&self) -> bool {
        self.transparent_black
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
    /// [`three_color`](Bc1Options::with_three_color) and
    /// [`transparent_black`](Bc1Options::with_transparent_black) therefore only affect blocks of one or two
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
