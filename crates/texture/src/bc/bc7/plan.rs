//! What each quality tries.
//!
//! A higher quality tries all that a lower one does and then more, so its error is never larger. Where that
//! cannot be seen from the numbers (`best` refines other endpoints than `high`), blocks are encoded for both.

use super::{ModeSet, fit::Effort};
use crate::Quality;

/// What is tried of modes 4 and 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separate {
    /// Without rotation, for blocks with alpha or two colours.
    OfAlpha,
    /// With every rotation of mode 5 for blocks with alpha.
    FiveOfAlpha,
    /// With every rotation for blocks with alpha.
    AllOfAlpha,
    /// With every rotation for all.
    All,
}

/// What is tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Squared error up to which mode 6 is good enough.
    pub limit: i32,
    /// Partitions of two and of three subsets to look at.
    pub two: usize,
    pub three: usize,
    /// Partitions to try, per mode.
    pub tries: [usize; 8],
    pub separate: Separate,
    pub effort: Effort,
    /// Candidates that are improved, and how many sweeps that may take.
    pub climbs: usize,
    pub sweeps: usize,
    /// Whether indices beside the projected one are tried.
    pub exact: bool,
}

/// Steps of the power method.
pub(crate) const AXIS_STEPS: usize = 3;

impl Plan {
    /// What a quality tries, one plan after another; the better block is taken, the first of equals.
    pub fn all(quality: Quality, modes: ModeSet) -> Vec<Self> {
        let mut plans = vec![Self::new(quality, modes)];
        if quality == Quality::Best {
            plans.push(Self::new(Quality::High, modes));
        }
        plans
    }

    /// The plan of a quality; notes.md has the measurements.
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
