//! Errors of inputs, outputs and plans.

use brickwork_base::{ByteCount, Cancelled, ErrorKind};
use std::{fmt, io, path::PathBuf, sync::Arc};

/// Error of an input, an output or a plan. It is displayed as `file: reason`, in one line.
#[derive(Clone, Debug)]
pub struct BatchError {
    file: Option<String>,
    fault: BatchFault,
}

/// Reason of a [`BatchError`].
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchFault {
    /// The input does not exist.
    #[error("no such file")]
    NotFound,
    /// The input is a folder.
    #[error("is a folder; expected a file")]
    Folder,
    /// Standard input is a terminal.
    #[error("is a terminal")]
    TerminalInput,
    /// Standard output is a terminal.
    #[error("binary output is not written to a terminal")]
    TerminalOutput,
    /// A pipe has more bytes than the memory limit allows.
    #[error("is longer than the memory limit of {}", ByteCount(*limit))]
    TooLong {
        /// The limit in bytes.
        limit: u64,
    },
    /// A folder contains no file with one of the extensions.
    #[error("no file in the folder{} has the extension {}",
        if *recursive { " or its subfolders" } else { "" }, extensions.join(", "))]
    NothingFound {
        /// The extensions, without a dot.
        extensions: Vec<String>,
        /// True if the subfolders were searched, too.
        recursive: bool,
        /// True if a subfolder that was not searched contains such a file.
        is_in_subfolders: bool,
    },
    /// Several jobs cannot share one output file.
    #[error("{inputs} inputs do not fit into one file, {}", output.display())]
    OneOutput {
        /// Number of jobs.
        inputs: usize,
        /// Path of the output.
        output: PathBuf,
    },
    /// Another file of the folder differs only in its extension.
    #[error("differs from {other} only in its extension")]
    SameStem {
        /// Name of the other file.
        other: String,
    },
    /// Two jobs have the same output.
    #[error("{} and {} would both be written to {}", inputs[0], inputs[1], output.display())]
    SameOutput {
        /// Names of the two inputs, with the sets of outputs if there are several.
        inputs: [String; 2],
        /// Path of the output.
        output: PathBuf,
    },
    /// An output in a folder is named after its input, and standard input has no name.
    #[error("has no name for the result in the folder")]
    NoName,
    /// The output is one of the inputs.
    #[error("is an input file too; it would be overwritten")]
    OutputIsInput,
    /// The input is not the file that it was when its job began.
    #[error("changed while it was processed; its output was not written")]
    Changed,
    /// The job panicked. This is a bug, even if the file is damaged.
    #[error("a bug in Brickwork ({message}); please report it with this file")]
    Panicked {
        /// The message of the panic.
        message: String,
    },
    /// Another run writes to the folder of the outputs.
    #[error("another run writes to this folder")]
    Busy,
    /// The list of a folder's outputs cannot be understood.
    #[error("line {line} is not that of a manifest of this version")]
    Manifest {
        /// Line of the file, counted from 1.
        line: usize,
    },
    /// The list of a folder's outputs is larger than any that is written.
    #[error("is larger than {}, the limit of a manifest", ByteCount(*limit))]
    LargeManifest {
        /// The limit in bytes.
        limit: u64,
    },
    /// The output exists and must not be replaced.
    #[error("already exists")]
    Exists,
    /// The output exists, and is not the one that Brickwork wrote. It must not be replaced.
    #[error("changed since Brickwork wrote it")]
    Edited,
    /// The extension of the output is that of another format.
    #[error("only PNG is written, not .{extension}")]
    NotPng {
        /// The extension, without a dot.
        extension: String,
    },
    /// The extension of the output is that of another format, of which the job writes none.
    #[error("only PNG and EXR are written, not .{extension}")]
    NotPicture {
        /// The extension, without a dot.
        extension: String,
    },
    /// The name of an output has no extension.
    #[error("the name has no extension")]
    NoExtension,
    /// The system cannot read or write the file.
    #[error(transparent)]
    Io(Arc<io::Error>),
    /// The task was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl BatchError {
    /// Creates an error of `file`.
    pub fn new(file: impl fmt::Display, fault: BatchFault) -> Self {
        Self { file: Some(file.to_string()), fault }
    }

    /// Creates an error of the whole plan.
    pub const fn of_plan(fault: BatchFault) -> Self {
        Self { file: None, fault }
    }

    /// Creates an error of `file` from the system's error.
    pub fn io(file: impl fmt::Display, error: io::Error) -> Self {
        Self::new(file, BatchFault::from(error))
    }

    /// Returns the name of the file; none if the error is that of the whole plan.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Returns the reason.
    pub const fn fault(&self) -> &BatchFault {
        &self.fault
    }

    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match &self.fault {
            BatchFault::NotFound
            | BatchFault::Folder
            | BatchFault::NothingFound { .. }
            | BatchFault::OutputIsInput
            | BatchFault::Changed
            | BatchFault::Busy
            | BatchFault::Exists
            | BatchFault::Edited => ErrorKind::Io,
            BatchFault::Manifest { .. } | BatchFault::LargeManifest { .. } | BatchFault::Panicked { .. } => {
                ErrorKind::Invalid
            }
            BatchFault::TerminalInput
            | BatchFault::TerminalOutput
            | BatchFault::OneOutput { .. }
            | BatchFault::SameOutput { .. }
            | BatchFault::SameStem { .. }
            | BatchFault::NoName
            | BatchFault::NoExtension
            | BatchFault::NotPng { .. }
            | BatchFault::NotPicture { .. } => ErrorKind::Argument,
            BatchFault::TooLong { .. } => ErrorKind::Limit,
            BatchFault::Io(error) => ErrorKind::of_io(error),
            BatchFault::Cancelled(_) => ErrorKind::Cancelled,
        }
    }
}

impl BatchFault {
    /// Returns the fault of a path whose metadata cannot be read.
    pub fn of_metadata(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound { Self::NotFound } else { error.into() }
    }
}

impl From<io::Error> for BatchFault {
    fn from(error: io::Error) -> Self {
        Self::Io(Arc::new(error))
    }
}

impl From<Cancelled> for BatchError {
    fn from(cancelled: Cancelled) -> Self {
        Self::of_plan(cancelled.into())
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}: {}", self.fault),
            None => self.fault.fmt(f),
        }
    }
}

impl std::error::Error for BatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.fault)
    }
}
