//! The options that only BC1 has.

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
    /// On GPUs, the kernels of [`Method::ClusterFit`]. Default: [`ClusterFitVariant::Stages`].
    pub cluster_fit_variant: ClusterFitVariant,
    /// On GPUs, the kernels of [`Method::Lsdxt`]. Default: [`LsdxtVariant::Constant`].
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
            cluster_fit_variant: ClusterFitVariant::Stages,
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

    /// Sets [`cluster_fit_variant`](Self::cluster_fit_variant): to measure which is fastest.
    #[must_use]
    pub const fn with_cluster_fit_variant(mut self, variant: ClusterFitVariant) -> Self {
        self.cluster_fit_variant = variant;
        self
    }

    /// Sets [`lsdxt_variant`](Self::lsdxt_variant): to measure which is fastest.
    #[must_use]
    pub const fn with_lsdxt_variant(mut self, variant: LsdxtVariant) -> Self {
        self.lsdxt_variant = variant;
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
    /// affect blocks of one or two colours.
    Lsdxt,
}

impl Method {
    /// Every method.
    pub const ALL: &[Self] = &[Self::Auto, Self::ClusterFit, Self::Lsdxt];

    /// The name, as the program's `--method` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::ClusterFit => "cluster-fit",
            Self::Lsdxt => "lsdxt",
        }
    }
}

impl_from_str!(Method);

/// How the kernels of [`Method::ClusterFit`] divide the work. All give the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClusterFitVariant {
    /// Stages, with one thread per ordering, family, start or climb of each block.
    #[default]
    Stages,
    /// Two kernels up to the fitted starts, with a workgroup of 64 threads per ordering or family of each
    /// block, as in NVIDIA's papers (2007, 2009).
    Group64,
    /// The same with 128 threads.
    Group128,
    /// The same with 256 threads.
    Group256,
    /// The same with 16 threads per block and four blocks in a workgroup, so that few threads ever wait: what
    /// the papers leave as future work.
    FourBlocks,
    /// As [`FourBlocks`](Self::FourBlocks), with sums over a block's texels within subgroups. Where these
    /// have fewer than 16 threads, [`FourBlocks`](Self::FourBlocks) is taken.
    Subgroup,
}

impl ClusterFitVariant {
    /// Every variant.
    pub const ALL: &[Self] =
        &[Self::Stages, Self::Group64, Self::Group128, Self::Group256, Self::FourBlocks, Self::Subgroup];
}

/// Where the kernels of [`Method::Lsdxt`] keep their data. All give the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LsdxtVariant {
    /// One thread per texel, four blocks in a workgroup, in workgroup memory.
    LocalMemory,
    /// One thread per block, in arrays indexed by values known only at run time.
    Dynamic,
    /// One thread per block, in registers: every index is a constant.
    #[default]
    Constant,
    /// One thread per texel, exchanged within subgroups. Where these have fewer than 16 threads,
    /// [`Constant`](Self::Constant) is taken.
    Subgroup,
}

impl LsdxtVariant {
    /// Every variant.
    pub const ALL: &[Self] = &[Self::LocalMemory, Self::Dynamic, Self::Constant, Self::Subgroup];
}
