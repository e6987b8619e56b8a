//! Errors of rule files.

use brickwork_base::{ByteCount, ErrorKind};
use std::{fmt, io, sync::Arc};

/// Error of a rule file. It is displayed as `file:line: reason`.
#[derive(Clone, Debug)]
pub struct RuleError {
    pub(super) file: String,
    pub(super) line: Option<usize>,
    pub(super) fault: RuleFault,
}

/// Reason of a [`RuleError`].
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RuleFault {
    /// The file does not exist.
    #[error("no such file")]
    NotFound,
    /// The file is a folder.
    #[error("is a folder; expected a file")]
    Folder,
    /// The system cannot read the file.
    #[error(transparent)]
    Io(Arc<io::Error>),
    /// The file is larger than any rule file.
    #[error("is larger than {}", ByteCount(*limit))]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The file is not text in UTF-8.
    #[error("is not text in UTF-8")]
    NotText,
    /// The file is not TOML.
    #[error("{message}")]
    Syntax {
        /// The parser's message.
        message: String,
    },
    /// A table has a key that it cannot have.
    #[error("unknown key \"{key}\" in {table}; {}", expected(key, known))]
    UnknownKey {
        /// The key.
        key: String,
        /// The table, such as `[[rule]]`.
        table: String,
        /// The keys that the table can have.
        known: Vec<&'static str>,
    },
    /// A key has a value that it cannot have.
    #[error("{key}: {reason}")]
    Value {
        /// The key.
        key: String,
        /// The value, and what is expected.
        reason: String,
    },
    /// A table has two options of which only one can be used.
    #[error("\"{}\" and \"{}\" exclude each other; leave out one of them", keys[0], keys[1])]
    Exclusive {
        /// The keys.
        keys: [&'static str; 2],
    },
    /// A rule has no patterns.
    #[error("the rule has no \"files\"; \"**\" matches all files")]
    NoFiles,
    /// A rule names a target that the file does not define.
    #[error("there is no target \"{name}\"{}", defined(targets))]
    NoTarget {
        /// The name.
        name: String,
        /// The targets of the file.
        targets: Vec<String>,
    },
    /// A rule needs the last word of a file name that is not text in UTF-8.
    #[error("{{base}} is for file names in UTF-8, and {stem} is not; rename the file, or use {{stem}}")]
    NotUtf8 {
        /// Name of the file without its extension, in quotes and escaped.
        stem: String,
    },
    /// No input matches a rule.
    #[error("no input matches {}", patterns.join(", "))]
    NoMatch {
        /// Patterns of the rule, in quotes.
        patterns: Vec<String>,
    },
}

fn defined(targets: &[String]) -> String {
    if targets.is_empty() { String::new() } else { format!("; the targets are {}", targets.join(", ")) }
}

/// Maximum number of keys that a message lists.
const LISTED: usize = 8;

/// Returns the name that was probably meant.
pub(super) fn nearest(key: &str, known: impl IntoIterator<Item = &'static str>) -> Option<&'static str> {
    let distance = |name: &&str| strsim::damerau_levenshtein(key, name);
    let nearest = known.into_iter().min_by_key(distance);
    nearest.filter(|name| 3 * distance(name) <= key.len().max(name.len()))
}

/// Names the key that was probably meant, else all keys if they are few.
fn expected(key: &str, known: &[&'static str]) -> String {
    match nearest(key, known.iter().copied()) {
        Some(name) => format!("did you mean \"{name}\"?"),
        None if known.len() <= LISTED => format!("expected one of {}", known.join(", ")),
        None => "docs/textures.md lists the keys".to_owned(),
    }
}

impl RuleError {
    /// Returns the path of the rule file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the line, counted from 1; none if the error is that of the whole file.
    pub const fn line(&self) -> Option<usize> {
        self.line
    }

    /// Returns the reason.
    pub const fn fault(&self) -> &RuleFault {
        &self.fault
    }

    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match &self.fault {
            RuleFault::NotFound | RuleFault::Folder => ErrorKind::Io,
            RuleFault::Io(error) => ErrorKind::of_io(error),
            RuleFault::TooLarge { .. }
            | RuleFault::NotText
            | RuleFault::Syntax { .. }
            | RuleFault::UnknownKey { .. }
            | RuleFault::Value { .. }
            | RuleFault::Exclusive { .. }
            | RuleFault::NoFiles => ErrorKind::Invalid,
            RuleFault::NoTarget { .. } | RuleFault::NotUtf8 { .. } | RuleFault::NoMatch { .. } => {
                ErrorKind::Argument
            }
        }
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.fault),
            None => write!(f, "{}: {}", self.file, self.fault),
        }
    }
}

impl std::error::Error for RuleError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.fault)
    }
}
