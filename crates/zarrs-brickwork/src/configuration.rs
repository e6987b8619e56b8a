//! The codec's configuration in the metadata of an array: a closed set of keys.

use brickwork_volume::BrickSize;
use serde::{Deserialize, Serialize};

/// The configuration. A codec without one has bricks of 8×8×8.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Configuration {
    #[serde(default)]
    brick: Brick,
}

/// Size of bricks.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
enum Brick {
    #[serde(rename = "4")]
    Four,
    #[default]
    #[serde(rename = "8")]
    Eight,
    #[serde(rename = "16x16x1")]
    Flat,
}

impl Configuration {
    /// Returns the configuration of a size; `None` if it has none.
    pub fn of(brick: BrickSize) -> Option<Self> {
        let brick = match brick {
            BrickSize::Four => Brick::Four,
            BrickSize::Eight => Brick::Eight,
            BrickSize::Flat => Brick::Flat,
            _ => return None,
        };
        Some(Self { brick })
    }

    /// Returns the size of a brick.
    pub const fn brick(self) -> BrickSize {
        match self.brick {
            Brick::Four => BrickSize::Four,
            Brick::Eight => BrickSize::Eight,
            Brick::Flat => BrickSize::Flat,
        }
    }
}
