//! Names of options, as on the command line.

use crate::ErrorKind;

/// A name that is not among the known ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is not one of {known}")]
pub struct UnknownName {
    name: String,
    known: String,
}

impl UnknownName {
    /// Returns the kind, which is always [`ErrorKind::Argument`].
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Argument
    }

    /// Returns the item with this name.
    ///
    /// # Errors
    /// [`UnknownName`] if there is none. It lists the names of `all`.
    pub fn find<T: Copy>(name: &str, all: &[T], name_of: impl Fn(T) -> &'static str) -> Result<T, Self> {
        all.iter().copied().find(|&item| name_of(item) == name).ok_or_else(|| {
            let known: Vec<_> = all.iter().copied().map(name_of).collect();
            Self { name: name.to_owned(), known: known.join(", ") }
        })
    }
}
