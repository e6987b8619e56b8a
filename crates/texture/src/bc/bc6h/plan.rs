//! The work of each quality.

use crate::Quality;

/// Work of one stage. The stages of a quality are those of the lower qualities and its own; none loses what
/// the ones before it found.
pub(super) struct Stage {
    /// Numbers of extensions of the line to start from, with one subset and with two.
    pub whole_extensions: usize,
    pub extensions: usize,
    /// Number of partitions to fit, the most promising first.
    pub partitions: usize,
    /// Number of modes whose error is measured for each fit.
    pub tries: usize,
    /// True to descend by one sweep from every fit, before the best are chosen.
    pub explores: bool,
    /// Number of partitions from whose best fits to descend, besides the best of all.
    pub descents: usize,
    /// Sweeps of these descents, and the number of step lengths; 0 sweeps for none.
    pub sweeps: usize,
    pub lengths: usize,
}

/// The stages after ultrafast, which has one line through all texels and no choice by measured errors.
static STAGES: [Stage; 4] = [
    Stage {
        whole_extensions: 1,
        extensions: 2,
        partitions: 2,
        tries: 2,
        explores: false,
        descents: 0,
        sweeps: 0,
        lengths: 2,
    },
    Stage {
        whole_extensions: 3,
        extensions: 4,
        partitions: 2,
        tries: 2,
        explores: false,
        descents: 0,
        sweeps: 1,
        lengths: 2,
    },
    Stage {
        whole_extensions: 9,
        extensions: 9,
        partitions: 5,
        tries: 2,
        explores: false,
        descents: 1,
        sweeps: 4,
        lengths: 2,
    },
    Stage {
        whole_extensions: 15,
        extensions: 16,
        partitions: 8,
        tries: 2,
        explores: true,
        descents: 8,
        sweeps: 8,
        lengths: 6,
    },
];

/// Returns the stages of a quality, in order; none for ultrafast.
pub(super) fn stages(quality: Quality) -> &'static [Stage] {
    &STAGES[..match quality {
        Quality::Ultrafast => 0,
        Quality::Fast => 1,
        Quality::Normal => 2,
        Quality::High => 3,
        Quality::Best => 4,
    }]
}
