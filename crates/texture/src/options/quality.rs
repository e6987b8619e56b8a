//! The time that an encoder may take.

use crate::names::impl_from_str;

/// The trade of an encoder's time for quality. A higher quality never gives a larger error on any image.
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
    /// As close to the best possible blocks as is known, at any cost.
    Best,
}

impl Quality {
    /// Every quality, in ascending order.
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
