//! Footprints of ASTC: the sizes of its blocks.

/// Width and height of an ASTC block in texels. Default: 4×4, the only one that is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the specification has no other 2D footprint")]
#[expect(missing_docs, reason = "the names are the sizes")]
pub enum AstcFootprint {
    #[default]
    B4x4,
    B5x4,
    B5x5,
    B6x5,
    B6x6,
    B8x5,
    B8x6,
    B8x8,
    B10x5,
    B10x6,
    B10x8,
    B10x10,
    B12x10,
    B12x12,
}

impl AstcFootprint {
    /// All footprints, in the order of the specification.
    pub const ALL: &[Self] = &[
        Self::B4x4,
        Self::B5x4,
        Self::B5x5,
        Self::B6x5,
        Self::B6x6,
        Self::B8x5,
        Self::B8x6,
        Self::B8x8,
        Self::B10x5,
        Self::B10x6,
        Self::B10x8,
        Self::B10x10,
        Self::B12x10,
        Self::B12x12,
    ];

    /// Returns the width and height in texels.
    pub const fn extent(self) -> [u32; 2] {
        match self {
            Self::B4x4 => [4, 4],
            Self::B5x4 => [5, 4],
            Self::B5x5 => [5, 5],
            Self::B6x5 => [6, 5],
            Self::B6x6 => [6, 6],
            Self::B8x5 => [8, 5],
            Self::B8x6 => [8, 6],
            Self::B8x8 => [8, 8],
            Self::B10x5 => [10, 5],
            Self::B10x6 => [10, 6],
            Self::B10x8 => [10, 8],
            Self::B10x10 => [10, 10],
            Self::B12x10 => [12, 10],
            Self::B12x12 => [12, 12],
        }
    }

    /// Returns the footprint of this size, if there is one.
    pub fn of_extent(extent: [u32; 2]) -> Option<Self> {
        Self::ALL.iter().copied().find(|footprint| footprint.extent() == extent)
    }
}
