//! Selections of voxels, and addresses of bricks, of a file.

use crate::{Header, ShapeError};
use std::ops::Range;

/// Selection of a mip level, frames and channels of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "every axis of a file beside x, y and z")]
pub struct Selection {
    /// The mip level, 0 being the volume itself. Default: 0.
    pub mip_level: usize,
    /// The frames, or all. Default: all.
    pub frames: Option<Range<usize>>,
    /// The only channel, or all side by side. Default: all.
    pub channel: Option<usize>,
}

impl Selection {
    /// Returns the selected frames and channels, if a volume has them.
    pub(crate) fn check(&self, header: &Header) -> Result<(Range<usize>, Range<usize>), ShapeError> {
        let (levels, frame_count, channels) = (header.mip_levels, header.frames, header.channels);
        if self.mip_level >= levels {
            return Err(ShapeError::Selected { what: "level", index: self.mip_level, count: levels });
        }
        let frames = self.frames.clone().unwrap_or(0..frame_count);
        if frames.is_empty() || frames.end > frame_count {
            let index = frames.end.saturating_sub(1).max(frames.start);
            return Err(ShapeError::Selected { what: "frame", index, count: frame_count });
        }
        match self.channel {
            None => Ok((frames, 0..channels)),
            Some(channel) if channel < channels => Ok((frames, channel..channel + 1)),
            Some(index) => Err(ShapeError::Selected { what: "channel", index, count: channels }),
        }
    }
}

/// Address of a brick of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "every axis of a file")]
pub struct BrickAddress {
    /// Column of the brick, counted in bricks.
    pub x: usize,
    /// Row of the brick.
    pub y: usize,
    /// Layer of the brick.
    pub z: usize,
    /// The mip level, 0 being the volume itself. Default: 0.
    pub mip_level: usize,
    /// The frame. Default: 0.
    pub frame: usize,
    /// The channel. Default: 0.
    pub channel: usize,
}

impl BrickAddress {
    /// Returns the brick in column `x`, row `y`, layer `z` of the first channel of the first frame.
    pub const fn at(x: usize, y: usize, z: usize) -> Self {
        Self { x, y, z, mip_level: 0, frame: 0, channel: 0 }
    }
}
