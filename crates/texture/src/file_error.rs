//! What errors of files have in common.

/// Who can do something about a file that was not read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileErrorKind {
    /// The file (or what was to be written) is broken: make it anew.
    Invalid,
    /// It is fine, but Brickwork does not know its format, or the format cannot hold what was to be written.
    Unsupported,
    /// More memory is needed than the limit allows or the machine has: raise the limit.
    Limit,
    /// It could not be read from or written to where it lies: look at the disk.
    Io,
}
