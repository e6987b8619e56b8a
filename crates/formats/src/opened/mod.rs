//! Options of opening, the layout of raw voxels, the source of bytes, and the open volume.

pub(crate) mod opened_volume;
pub(crate) mod options;
pub(crate) mod raw_layout;
#[cfg_attr(not(feature = "io"), allow(dead_code, reason = "only `.bwv` from a pipe is left"))]
pub(crate) mod source;
