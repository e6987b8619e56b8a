//! Classification of errors by who can act on them.

use std::io;

/// Kind of an error: who can act on it, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The caller requested something impossible, such as a region outside a volume: change the call.
    Argument,
    /// The input breaks its format's rules or ends too soon: write it again.
    Invalid,
    /// The input is valid, but Brickwork or the output format does not support it.
    Unsupported,
    /// The call needs more memory than its limit allows or the machine has: raise the limit or request less.
    Limit,
    /// A file or stream could not be read or written: check the disk.
    Io,
    /// The GPU failed, or there is none: use another device or the CPU.
    Device,
    /// The caller cancelled the call.
    Cancelled,
}

impl ErrorKind {
    /// Returns the kind of an I/O error. Streams that decode while they are read report damaged bytes as
    /// [`io::ErrorKind::InvalidData`], which is [`Invalid`](Self::Invalid) here, and what they cannot decode
    /// as [`io::ErrorKind::Unsupported`].
    pub fn of_io(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => Self::Invalid,
            io::ErrorKind::OutOfMemory => Self::Limit,
            // A system's own error is about the disk.
            io::ErrorKind::Unsupported if error.raw_os_error().is_none() => Self::Unsupported,
            _ if error.get_ref().is_some_and(|inner| inner.is::<crate::Cancelled>()) => Self::Cancelled,
            _ => Self::Io,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cancelled;

    #[test]
    fn io_errors_have_the_kind_of_their_cause() {
        assert_eq!(ErrorKind::of_io(&io::Error::other(Cancelled)), ErrorKind::Cancelled);
        assert_eq!(ErrorKind::of_io(&io::Error::other("full")), ErrorKind::Io);
        assert_eq!(ErrorKind::of_io(&io::Error::from(io::ErrorKind::UnexpectedEof)), ErrorKind::Invalid);
        assert_eq!(ErrorKind::of_io(&io::Error::from(io::ErrorKind::OutOfMemory)), ErrorKind::Limit);
        assert_eq!(ErrorKind::of_io(&io::Error::from(io::ErrorKind::Unsupported)), ErrorKind::Unsupported);
        #[cfg(target_os = "linux")]
        {
            // ENOSYS.
            let error = io::Error::from_raw_os_error(38);
            assert_eq!(error.kind(), io::ErrorKind::Unsupported);
            assert_eq!(ErrorKind::of_io(&error), ErrorKind::Io);
        }
    }
}
