//! Replaces `write.rs` where the feature `papers` is off.

use super::{Profile, Sections, check_written};
use crate::{Task, VolumeWriteError, untyped::UntypedView};
use std::io::Write;

impl Sections {
    /// Returns [`VolumeWriteError::WithoutPapers`].
    pub fn write(
        &mut self,
        _mip_level: usize,
        (_volume, second_level): (UntypedView, bool),
        _sink: &mut dyn Write,
        _offset: &mut u64,
        (_report, _task): (&(dyn Fn(f64) + Sync), &Task<'_>),
    ) -> Result<(), VolumeWriteError> {
        check_written(Profile::Guthe2016 { second_level }, false)
    }
}
