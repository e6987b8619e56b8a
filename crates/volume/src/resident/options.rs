//! The choices for a volume compressed in memory.

use crate::brick::{self, BrickEncoder};

/// The part of a file that becomes a [`ResidentVolume`](crate::ResidentVolume), and its form.
#[derive(Clone, Debug)]
pub struct ResidentOptions {
    pub(crate) mip_level: usize,
    pub(crate) frame: usize,
    pub(crate) channel: usize,
    pub(crate) page_bytes: usize,
    /// Encoder of bricks of all sizes, if the file's bricks are kept. (Programs that never keep them do not
    /// link it, because only [`with_kept_bricks`](Self::with_kept_bricks) names it.)
    pub(crate) kept: Option<BrickEncoder>,
    pub(crate) check: bool,
}

impl ResidentOptions {
    /// Returns the defaults: the first channel of the first frame, in checked bricks of 4³, pages of 4 MiB.
    pub const fn new() -> Self {
        Self { mip_level: 0, frame: 0, channel: 0, page_bytes: 4 << 20, kept: None, check: true }
    }

    /// Takes a mip level; 0 is the volume itself. Default: 0.
    #[must_use]
    pub const fn with_mip_level(self, mip_level: usize) -> Self {
        Self { mip_level, ..self }
    }

    /// Takes a frame. Default: 0.
    #[must_use]
    pub const fn with_frame(self, frame: usize) -> Self {
        Self { frame, ..self }
    }

    /// Takes a channel. Default: 0.
    #[must_use]
    pub const fn with_channel(self, channel: usize) -> Self {
        Self { channel, ..self }
    }

    /// Limits the bytes of a page, the unit that a GPU loads of volumes larger than its memory. A page has at
    /// least 4 KiB, or one superblock. Default: 4 MiB.
    #[must_use]
    pub const fn with_page_bytes(self, page_bytes: usize) -> Self {
        Self { page_bytes, ..self }
    }

    /// Keeps the file's own bricks, of any size and profile, for decoding regions of them. Renderings need
    /// bricks of 4³: without this, other bricks are decoded and encoded again. Default: false.
    #[must_use]
    pub const fn with_kept_bricks(self, keep_bricks: bool) -> Self {
        let kept: Option<BrickEncoder> = if keep_bricks { Some(brick::encode::brick) } else { None };
        Self { kept, ..self }
    }

    /// Decodes every brick once, to refuse a file that breaks the format's rules in spite of correct
    /// checksums. Without this, such bricks decode to unspecified values, without any error. Default: true.
    #[must_use]
    pub const fn with_check(self, check: bool) -> Self {
        Self { check, ..self }
    }

    /// Returns the mip level.
    pub const fn mip_level(&self) -> usize {
        self.mip_level
    }

    /// Returns the frame.
    pub const fn frame(&self) -> usize {
        self.frame
    }

    /// Returns the channel.
    pub const fn channel(&self) -> usize {
        self.channel
    }

    /// Returns the maximum size of a page in bytes.
    pub const fn page_bytes(&self) -> usize {
        self.page_bytes
    }

    /// True if the file's bricks are kept.
    pub const fn keeps_bricks(&self) -> bool {
        self.kept.is_some()
    }

    /// Returns the encoder of the bricks in memory: if they are not kept, that of bricks of 4³.
    pub(crate) fn encoder(&self) -> BrickEncoder {
        self.kept.unwrap_or(brick::encode::four)
    }

    /// True if every brick is decoded once, as a check.
    pub const fn checks(&self) -> bool {
        self.check
    }
}

impl Default for ResidentOptions {
    fn default() -> Self {
        Self::new()
    }
}
