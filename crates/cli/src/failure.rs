//! What went wrong, in one line that names the file and the reason.

use crate::{exit::Exit, report::printable};
use std::{fmt, io, path::Path};

/// A failure with its exit code, printed as `subject: reason (hint)`.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The exit code if this is the first failure.
    pub exit: Exit,
    subject: Option<String>,
    reason: String,
    hint: Option<String>,
}

impl Failure {
    /// A failure that concerns no file.
    pub fn new(exit: Exit, reason: impl fmt::Display) -> Self {
        // The number of a system's error means nothing to most readers, and the words say it already.
        let text = reason.to_string();
        let reason = text.split(" (os error").next().unwrap_or_default().to_owned();
        Self { exit, subject: None, reason, hint: None }
    }

    /// A command line that makes no sense.
    pub fn usage(reason: impl fmt::Display) -> Self {
        Self::new(Exit::Usage, reason)
    }

    /// The system said no.
    pub fn io(error: &io::Error) -> Self {
        Self::new(Exit::Io, error)
    }

    /// Names the file (or `standard input`) the failure concerns.
    pub fn of(mut self, subject: impl fmt::Display) -> Self {
        self.subject.get_or_insert(subject.to_string());
        self
    }

    /// Names the file by its path.
    pub fn of_path(self, path: &Path) -> Self {
        self.of(path.display())
    }

    /// Says what would help.
    pub fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::new();
        if let Some(subject) = &self.subject {
            line = format!("{subject}: ");
        }
        line += &self.reason;
        if let Some(hint) = &self.hint {
            line += &format!(" ({hint})");
        }
        f.write_str(&printable(&line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_one_line() {
        let failure = Failure::new(Exit::Invalid, "no\nsense").of("a\u{1b}[31m.png").hint("try another");
        assert_eq!(failure.to_string(), "a\\u{1b}[31m.png: no\\nsense (try another)");
        let error = io::Error::from_raw_os_error(2);
        assert!(!Failure::io(&error).to_string().contains("os error"));
    }
}
