//! Quality levels of encoders.

use crate::names::impl_from_str;

/// Trade-off between an encoder's time and its quality. A higher quality never gives a larger error on any
/// image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Quality {
    /// Quality for encoding while a frame is drawn.
    Ultrafast,
    /// Quality for quick iterations.
    Fast,
    /// Quality for everyday use.
    #[default]
    Normal,
    /// Quality for releases.
    High,
    /// Quality as close to the best possible blocks as is known, regardless of time.
    Best,
}

impl Quality {
    /// All qualities, in ascending order.
    pub const ALL: &[Self] = &[Self::Ultrafast, Self::Fast, Self::Normal, Self::High, Self::Best];

    /// Returns the name, as used by the program's `--quality`.
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

impl_from_str!(Quality);
