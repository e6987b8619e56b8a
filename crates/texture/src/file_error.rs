//! What errors of files have in common.

/// What can be done about a file that was not read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// The file (or what was to be written) is broken: create it again.
    Invalid,
    /// It is valid, but Brickwork does not support it, or the format cannot hold what was to be written.
    Unsupported,
    /// It needs more memory than the limit allows or the machine has: raise the limit.
    Limit,
    /// Reading or writing failed: check the disk.
    Io,
}
