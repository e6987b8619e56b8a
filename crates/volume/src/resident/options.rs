//! The choices for a volume compressed in memory.

use crate::brick::{self, BrickEffort, BrickEncoder};

/// The part of a file that becomes a [`ResidentVolume`](crate::ResidentVolume), and its form.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResidentOptions {
    /// Mip level that is taken; 0 is the volume itself. Default: 0.
    pub mip_level: usize,
    /// Frame that is taken. Default: 0.
    pub frame: usize,
    /// Channel that is taken. Default: 0.
    pub channel: usize,
    /// Maximum number of bytes of a page, the unit that a GPU loads of volumes larger than its memory. A page
    /// has at least 4 KiB, or one superblock. Default: 4 MiB.
    pub page_bytes: usize,
    /// Encoder of bricks of all sizes, if the file's bricks are kept. (Programs that never keep them do not
    /// link it, because only [`with_kept_bricks`](Self::with_kept_bricks) names it.)
    pub(crate) kept: Option<BrickEncoder>,
    /// Encoder of small bricks of 4³, if these are worth the time. (It is linked as the former is.)
    pub(crate) full: Option<BrickEncoder>,
    /// True to decode every brick once, to refuse a file that breaks the format's rules in spite of correct
    /// checksums. Without this, such bricks decode to unspecified values, without any error. Default: true.
    pub check: bool,
}

impl ResidentOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Keeps the file's own bricks, of any size and profile, for decoding regions of them. Renderings need
    /// bricks of 4³: without this, other bricks are decoded and encoded again. Default: false.
    #[must_use]
    pub const fn with_kept_bricks(self, keep_bricks: bool) -> Self {
        let kept: Option<BrickEncoder> = if keep_bricks { Some(brick::encode::brick) } else { None };
        Self { kept, ..self }
    }

    /// Chooses the encoder of bricks in memory. A file's bricks of 4³ are used as they are. Default:
    /// [`BrickEffort::Fast`].
    #[must_use]
    pub const fn with_effort(self, effort: BrickEffort) -> Self {
        let full: Option<BrickEncoder> = match effort {
            BrickEffort::Fast => None,
            BrickEffort::Full => Some(brick::encode::four),
        };
        Self { full, ..self }
    }

    /// Returns the encoder of bricks in memory.
    pub const fn effort(&self) -> BrickEffort {
        if self.full.is_some() { BrickEffort::Full } else { BrickEffort::Fast }
    }

    /// True if the file's bricks are kept.
    pub const fn keeps_bricks(&self) -> bool {
        self.kept.is_some()
    }

    /// Returns the encoder of the bricks in memory: if they are not kept, one of bricks of 4³.
    pub(crate) fn encoder(&self) -> BrickEncoder {
        self.kept.or(self.full).unwrap_or(brick::fast::four)
    }
}

impl Default for ResidentOptions {
    fn default() -> Self {
        Self { mip_level: 0, frame: 0, channel: 0, page_bytes: 4 << 20, kept: None, full: None, check: true }
    }
}
