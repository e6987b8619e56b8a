//! Levels of encoding in real time.

use crate::names::impl_from_str;

/// Levels of [`EncodeOptions::real_time`](super::EncodeOptions::real_time). On GPUs, each level is one small
/// kernel.
///
/// In BC1 to BC3, colours are one line of four colours; of three, where BC1 has transparent texels. BC4, BC5
/// and the alpha of BC3 have eight values. The rounding rule of all these is
/// [real](crate::RoundingRule::Real). In BC7, blocks have mode 6: one line through the texels' colours and
/// alpha. From level 2 on, opaque blocks also have mode 1: two lines. Blocks of BC6H have one line, and from
/// level 2 on also two; lines are fitted to bit patterns, and errors by the default metric choose. Blocks of
/// ETC2 have any mode, T and H from level 2 on; EAC tries every table. Blocks of ASTC have one part and one
/// plane, from level 2 on also two parts. GPUs encode ETC2, EAC and ASTC in real time only. In these formats,
/// level 3 equals level 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RealTime {
    /// The fastest: in BC1 to BC5, one least-squares fit of the endpoints; in BC7, the ends of the texels'
    /// projections on an axis through their mean; in ETC2, one fit of each base colour; in BC6H and ASTC, one
    /// fit of the endpoints.
    Level1,
    /// Level 1 and a short search: in BC1 to BC5, a second fit; in BC7, one least-squares fit, and two lines
    /// in the partition nearest to the texels' sides of the mean; in BC6H, two such lines; in ETC2, more fits
    /// and modes; in EAC, the codes around those of level 1; in ASTC, one more fit, and two parts.
    Level2,
    /// Level 2 and a little more: in BC1 to BC5, a third fit; in BC7, a second partition; in BC6H, a second
    /// fit of one line, and a second partition. ETC2, EAC and ASTC have the blocks of level 2.
    Level3,
}

impl RealTime {
    /// All levels.
    pub const ALL: &[Self] = &[Self::Level1, Self::Level2, Self::Level3];

    /// Levels that differ in ETC2, EAC and ASTC.
    #[cfg(feature = "gpu")]
    pub(crate) const OF_MOBILE: &[Self] = &[Self::Level1, Self::Level2];

    /// Returns the level with the same blocks of ETC2, EAC and ASTC, of those that differ.
    pub(crate) fn of_mobile(self) -> Self {
        self.min(Self::Level2)
    }

    /// Returns the number of the level, as used by the program's `--real-time`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Level1 => "1",
            Self::Level2 => "2",
            Self::Level3 => "3",
        }
    }
}

impl_from_str!(RealTime);
