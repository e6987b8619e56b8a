//! Plans: the work that each quality does.
//!
//! Each quality tries everything that the lower ones do, and then more. Its error is therefore never larger.

use super::{estimate::FIRST, groups::GroupName};
use crate::Quality;

/// Class of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Color,
    Alpha,
    Grey,
    GreyAlpha,
}

impl Class {
    pub const ALL: [Self; 4] = [Self::Color, Self::Alpha, Self::Grey, Self::GreyAlpha];

    pub const fn has_alpha(self) -> bool {
        matches!(self, Self::Alpha | Self::GreyAlpha)
    }
}

/// Groups that a class may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Groups {
    pub one: GroupName,
    /// Groups with a second plane.
    pub planes: &'static [GroupName],
    pub two: GroupName,
    pub three: Option<GroupName>,
    /// Groups with a factor, of two and of three parts.
    pub scale: Option<[GroupName; 2]>,
}

impl Groups {
    pub const fn of(class: Class) -> Self {
        match class {
            Class::Color => Self {
                one: GroupName::One,
                planes: &[GroupName::DualRed, GroupName::DualGreen, GroupName::DualBlue],
                two: GroupName::Two,
                three: Some(GroupName::Three),
                scale: Some([GroupName::ScaleTwo, GroupName::ScaleThree]),
            },
            Class::Alpha => Self {
                one: GroupName::AlphaOne,
                planes: &[
                    GroupName::AlphaDualRed,
                    GroupName::AlphaDualGreen,
                    GroupName::AlphaDualBlue,
                    GroupName::AlphaDualAlpha,
                ],
                two: GroupName::AlphaTwo,
                three: None,
                scale: None,
            },
            Class::Grey => Self {
                one: GroupName::GreyOne,
                planes: &[],
                two: GroupName::GreyTwo,
                three: Some(GroupName::GreyThree),
                scale: None,
            },
            Class::GreyAlpha => Self {
                one: GroupName::GreyAlphaOne,
                planes: &[GroupName::GreyAlphaDual],
                two: GroupName::GreyAlphaTwo,
                three: None,
                scale: None,
            },
        }
    }
}

/// Work of a quality.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Squared error up to which one part is good enough.
    pub limit: i32,
    /// Number of ranges of weights of one part, of a second plane, of two parts, of three.
    pub ranges: [usize; 4],
    /// Number of second planes to try in blocks without alpha; those with alpha have one more.
    pub planes: usize,
    /// Number of patterns to examine and to try, of two and of three parts.
    pub two: usize,
    pub try_two: usize,
    pub three: usize,
    pub try_three: usize,
    /// Number of patterns of two and of three parts to try with factors.
    pub try_scale: [usize; 2],
    /// Number of variants that are improved.
    pub improved: usize,
    /// Maximum number of their sweeps over all steps of single levels, after a regression.
    pub sweeps: usize,
}

impl Plan {
    /// Returns the plan of a quality; notes.md has the measurements.
    pub const fn new(quality: Quality) -> Self {
        match quality {
            Quality::Ultrafast => Self {
                limit: 140,
                ranges: [1, 1, 1, 1],
                planes: 1,
                two: FIRST[0],
                try_two: 1,
                three: 0,
                try_three: 0,
                try_scale: [0, 0],
                improved: 1,
                sweeps: 0,
            },
            Quality::Fast => {
                Self { limit: 32, ranges: [2, 2, 3, 1], two: FIRST[1], ..Self::new(Quality::Ultrafast) }
            }
            Quality::Normal => Self {
                limit: 8,
                ranges: [4, 4, 4, 1],
                two: FIRST[2],
                try_two: 2,
                improved: 2,
                sweeps: 1,
                ..Self::new(Quality::Fast)
            },
            Quality::High => Self {
                limit: 0,
                ranges: [6, 4, 6, 3],
                planes: 4,
                two: 256,
                try_two: 8,
                three: 128,
                try_three: 2,
                try_scale: [1, 1],
                improved: 6,
                sweeps: 4,
            },
            Quality::Best => Self {
                ranges: [6, 4, 6, 4],
                try_two: 32,
                try_three: 16,
                try_scale: [32, 16],
                improved: 80,
                sweeps: 8,
                ..Self::new(Quality::High)
            },
        }
    }

    /// Returns the number of second planes to try.
    pub const fn plane_count(&self, has_alpha: bool) -> usize {
        self.planes + has_alpha as usize
    }
}
