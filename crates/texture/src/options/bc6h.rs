//! Options that only BC6H has.

use crate::names::impl_from_str;

/// Options of [`EncodeOptions`](crate::EncodeOptions) that only BC6H has.
///
/// ```
/// use brickwork_texture::{EncodeOptions, bc::bc6h::{Bc6hMetric, Bc6hOptions}};
///
/// let options = EncodeOptions::new().with_bc6h(Bc6hOptions::new().with_metric(Some(Bc6hMetric::Log)));
/// assert_eq!(options.bc6h().metric(), Some(Bc6hMetric::Log));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bc6hOptions {
    metric: Option<Bc6hMetric>,
}

/// Error of half floats that the encoder minimises: a sum of squared differences over red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bc6hMetric {
    /// Differences of bit patterns as integers, with the sign of the number. Relative errors then count about
    /// the same at every brightness.
    Pattern,
    /// Differences of log₂(1 + |x|), with the sign of x. Errors of numbers far below 1 count less.
    Log,
}

impl Bc6hMetric {
    /// All metrics.
    pub const ALL: &[Self] = &[Self::Pattern, Self::Log];

    /// Returns the name that the program's `--metric` uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::Log => "log",
        }
    }
}

impl_from_str!(Bc6hMetric);

impl Bc6hOptions {
    /// Returns the defaults.
    pub const fn new() -> Self {
        Self { metric: None }
    }

    /// Sets the error that is minimised. Only the CPU encodes with another one than the format's default.
    /// Default: `None`, which is [`Bc6hMetric::Pattern`] for unsigned BC6H and [`Bc6hMetric::Log`] for signed
    /// BC6H.
    #[must_use]
    pub const fn with_metric(self, metric: Option<Bc6hMetric>) -> Self {
        Self { metric }
    }

    /// Returns the error that is minimised; `None` for the format's default.
    pub const fn metric(&self) -> Option<Bc6hMetric> {
        self.metric
    }

    /// Returns the error that is minimised in unsigned or signed blocks.
    pub const fn metric_of(&self, is_signed: bool) -> Bc6hMetric {
        match (self.metric, is_signed) {
            (Some(metric), _) => metric,
            (None, false) => Bc6hMetric::Pattern,
            (None, true) => Bc6hMetric::Log,
        }
    }
}
