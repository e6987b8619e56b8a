//! The effort of an encoder.

use crate::{EncodeOptions, Quality, RealTime};

/// Quality, or level of real time.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effort {
    Quality(Quality),
    RealTime(RealTime),
}

impl Effort {
    pub fn new(options: &EncodeOptions) -> Self {
        match options.real_time {
            Some(level) => Self::RealTime(level.of_mobile()),
            None => Self::Quality(options.quality),
        }
    }
}
