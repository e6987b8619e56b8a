//! Settings of an encoding, and the work that each quality does.

use super::{Method, palette::PaletteRule};
use crate::{ChannelWeights, EncodeOptions, Quality};

/// Settings of one call of [`encode_batch`](super::encode::encode_batch).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub method: Method,
    pub rule: PaletteRule,
    pub weights: ChannelWeights,
    pub three_color: bool,
    pub transparent_black: bool,
    pub quality: Quality,
}

impl Settings {
    pub fn new(options: &EncodeOptions) -> Self {
        Self {
            method: options.bc1.method,
            rule: PaletteRule::new(options.rounding_rule),
            weights: options.weights,
            three_color: options.bc1.three_color,
            transparent_black: options.bc1.transparent_black,
            quality: options.quality,
        }
    }

    /// Returns the square roots of the weights, scaled so that the largest is 1.
    pub fn stretch(&self) -> [f32; 3] {
        let rgb = self.weights.rgb().map(f32::from);
        let greatest = rgb[0].max(rgb[1]).max(rgb[2]);
        rgb.map(|weight| (weight / greatest).sqrt())
    }
}

/// Amount of work that a quality does for each mode. Each number trades time for error; notes.md has the
/// measurements.
pub(crate) struct Effort {
    /// Number of clusterings along the principal axis to descend from, at most 17.
    pub starts: usize,
    /// Number of rounds of a descent.
    pub rounds: usize,
    /// Number of clusterings along each of the other axes.
    pub other_starts: usize,
    /// Number of descents, the best of different costs, that each start their own climb.
    pub restarts: usize,
    /// Number of these descents in three colours, where a block may have four.
    pub three_restarts: usize,
}

impl Effort {
    pub const fn new(quality: Quality) -> Self {
        let none = Self { starts: 1, rounds: 2, other_starts: 0, restarts: 0, three_restarts: 0 };
        match quality {
            // Only for masked blocks, which range fit cannot handle.
            Quality::Ultrafast => none,
            Quality::Fast => Self { starts: 2, ..none },
            Quality::Normal => Self { starts: SHORT_CLIMB_AT, rounds: 3, ..none },
            Quality::High => Self { starts: LONG_CLIMB_AT, rounds: 3, ..none },
            Quality::Best => {
                Self { starts: LONG_CLIMB_AT, rounds: 3, other_starts: 2, restarts: 4, three_restarts: 2 }
            }
        }
    }
}

/// Number of descents after which the best encoding is climbed from once, over the single steps.
pub(crate) const SHORT_CLIMB_AT: usize = 4;
/// Number of descents after which it is climbed from over all moves until none helps.
pub(crate) const LONG_CLIMB_AT: usize = 17;
