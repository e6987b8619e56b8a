//! Building blocks of decoders of untrusted files, for readers of further formats.
//!
//! ```text
//! file → picture_by → TrackedReader → the decoder → Decoded → upright, straight alpha, Rec. 709 → Picture
//!                     Budget ─────────┘
//! ```
//!
//! A decoder asks its [`Budget`] for the memory of texels, and reads from a [`TrackedReader`], which knows
//! where a fault is. [`Patched`] makes a decoder of another crate accept what it does not support.
//! [`check_frames`] keeps decoders of JPEG from allocating what an image in a strip or tile claims.

pub use super::{
    budget::{Budget, Layout, zeroed},
    color::{FileColor, assumed},
    decoded::Decoded,
    failure::Failure,
    halves::{Float, Halves},
    jpeg_frames::{JpegFrameError, check_frames},
    part::first_of,
    patched::{Patch, Patched, Reversal},
    read::picture_by,
    tracked_reader::{BufReadSeek, TrackedReader},
    words::{one_line, plain},
};
