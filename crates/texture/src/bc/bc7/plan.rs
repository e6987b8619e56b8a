//! Plans: the work that each quality does.
//!
//! Each quality tries everything that the lower ones do, and then more. Its error is therefore never larger.
//! Where the numbers do not imply that (`best` refines other endpoints than `high`), blocks are encoded for
//! both.

use super::ModeSet;
use crate::Quality;

/// Extent of the search in modes 4 and 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separate {
    /// No rotation, for blocks with alpha or two colours.
    OfAlpha,
    /// Every rotation of mode 5, for blocks with alpha.
    FiveOfAlpha,
    /// Every rotation, for blocks with alpha.
    AllOfAlpha,
    /// Every rotation, for all blocks.
    All,
}

/// Amount of work for a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Number of extents to start from.
    pub starts: usize,
    /// Number of regressions.
    pub rounds: usize,
    /// True if all p-bits are tried for the last endpoints.
    pub p_bits: bool,
}

/// Work of one pass over the blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Squared error up to which mode 6 is good enough.
    pub limit: i32,
    /// Numbers of partitions of two and of three subsets to examine.
    pub two: usize,
    pub three: usize,
    /// Number of partitions to try, per mode.
    pub tries: [usize; 8],
    pub separate: Separate,
    pub effort: Effort,
    /// Number of candidates that are improved, and maximum number of sweeps for that.
    pub climbs: usize,
    pub sweeps: usize,
    /// True if indices beside the projected one are tried.
    pub exact: bool,
}

/// Steps of the power method.
pub(crate) const AXIS_STEPS: usize = 3;

impl Plan {
    /// Returns the plans of a quality, in order. The better block is taken; the first in a tie.
    pub fn all(quality: Quality, modes: ModeSet) -> Vec<Self> {
        let mut plans = vec![Self::new(quality, modes)];
        if quality == Quality::Best {
            plans.push(Self::new(Quality::High, modes));
        }
        plans
    }

    /// Returns the plan of a quality; notes.md has the measurements.
    pub fn new(quality: Quality, modes: ModeSet) -> Self {
        let mut plan = match quality {
            Quality::Ultrafast => Self {
                limit: 400,
                two: 16,
                three: 0,
                tries: [0, 1, 0, 0, 0, 0, 0, 1],
                separate: Separate::OfAlpha,
                effort: Effort { starts: 1, rounds: 1, p_bits: false },
                climbs: 0,
                sweeps: 0,
                exact: false,
            },
            Quality::Fast => Self {
                limit: 32,
                two: 32,
                separate: Separate::FiveOfAlpha,
                effort: Effort { starts: 3, rounds: 1, p_bits: false },
                ..Self::new(Quality::Ultrafast, modes)
            },
            Quality::Normal => Self {
                limit: 4,
                two: 64,
                three: 64,
                tries: [1, 2, 1, 1, 0, 0, 0, 4],
                separate: Separate::AllOfAlpha,
                effort: Effort { starts: 4, rounds: 1, p_bits: false },
                ..Self::new(Quality::Fast, modes)
            },
            Quality::High => Self {
                limit: 0,
                tries: [2, 3, 1, 2, 0, 0, 0, 8],
                effort: Effort { starts: 8, rounds: 1, p_bits: false },
                climbs: 1,
                sweeps: 2,
                exact: true,
                ..Self::new(Quality::Normal, modes)
            },
            Quality::Best => Self {
                tries: [8, 12, 6, 12, 0, 0, 0, 12],
                separate: Separate::All,
                effort: Effort { starts: 16, rounds: 2, p_bits: true },
                climbs: 4,
                sweeps: 8,
                ..Self::new(Quality::High, modes)
            },
        };
        for (mode, tries) in (0..).zip(&mut plan.tries) {
            if !modes.contains(mode) {
                *tries = 0;
            }
        }
        plan
    }
}
