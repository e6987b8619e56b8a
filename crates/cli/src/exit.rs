//! The program's exit codes.

use std::process::ExitCode;

/// Exit code of the program. The numbers are those of KTX-Software's `ktx`, so that scripts can treat both
/// alike.
///
/// The list does not contain 130, the code after Ctrl-C. A reader of a report may stop early (`brickwork info
/// … | head`). A reader of a file that does (`brickwork decode … -o - | head`) causes a failure, because the
/// file is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Every request was fulfilled.
    Ok = 0,
    /// The command line or an environment variable is invalid.
    Usage = 1,
    /// A file could not be found, read or written, or already exists.
    Io = 2,
    /// An input file breaks its format's rules.
    Invalid = 3,
    /// Encoding or decoding failed, the GPU failed, or the memory limit is too low.
    Runtime = 4,
    /// The file or the options need something that Brickwork does not support.
    Unsupported = 5,
    // ktx's 6, "not implemented", is covered by 5.
    /// A comparison failed: by `--exact` or a limit of `compare`, or because the images or volumes differ in
    /// size or type, also in `report`. A wrong size is a fault of the files that a script checks. Code 1
    /// would report a fault of the script's command line.
    Differs = 7,
}

impl Exit {
    /// Returns this code if it is that of a failure, else `next`. The program's code is that of the first
    /// failure.
    #[must_use]
    pub const fn or(self, next: Self) -> Self {
        match self {
            Self::Ok => next,
            first => first,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Exit code after Ctrl-C: 128 + SIGINT, as in shells.
pub const INTERRUPTED: i32 = 130;
