//! The coding of a resident volume's bricks.

use crate::{
    BrickSize,
    brick::{self, BrickBox},
    guthe2016,
};

/// The coding of bricks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// Coding of the default profile.
    Bricks(BrickSize),
    /// Coding of the profile guthe2016, without minimum and maximum.
    Guthe2016,
}

impl Default for Coding {
    /// Returns the coding of bricks that are encoded when they are loaded: 4×4×4.
    fn default() -> Self {
        Self::Bricks(BrickSize::Four)
    }
}

impl Coding {
    /// Every coding.
    #[cfg(feature = "gpu")]
    pub const ALL: [Self; 4] = [
        Self::Bricks(BrickSize::Four),
        Self::Bricks(BrickSize::Eight),
        Self::Bricks(BrickSize::Flat),
        Self::Guthe2016,
    ];

    /// Returns the voxels of a brick.
    pub const fn brick_size(self) -> BrickSize {
        match self {
            Self::Bricks(size) => size,
            Self::Guthe2016 => BrickSize::Four,
        }
    }

    /// Decodes a brick, without its minimum, whose bytes start at byte `start` of `bytes`; `None` if no
    /// encoder writes them, or unspecified values.
    pub fn decode(
        self,
        bytes: &[u8],
        start: usize,
        range: u32,
        part: BrickBox,
        values: &mut [u32],
    ) -> Option<()> {
        match self {
            Self::Bricks(_) => brick::decode::brick(bytes, start, range, part, values).map(|_| ()),
            Self::Guthe2016 => {
                values.copy_from_slice(&guthe2016::decode_values(bytes.get(start..)?, range)?);
                Some(())
            }
        }
    }
}
