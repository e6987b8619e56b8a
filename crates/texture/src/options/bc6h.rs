//! Options that only BC6H has.

use crate::names::impl_from_str;

/// Options of [`EncodeOptions`](crate::EncodeOptions) that only BC6H has.
///
/// ```
/// use brickwork_texture::{EncodeOptions, bc::bc6h::Bc6hMetric};
///
/// let mut options = EncodeOptions::default();
/// options.bc6h.metric = Some(Bc6hMetric::Log);
/// assert_eq!(options.bc6h.metric_of(false), Bc6hMetric::Log);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Bc6hOptions {
    /// Error that is minimised. Only the CPU encodes with another one than the format's default. Default:
    /// `None`, which is [`Bc6hMetric::Pattern`] for unsigned BC6H and [`Bc6hMetric::Log`] for signed BC6H.
    pub metric: Option<Bc6hMetric>,
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
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
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
