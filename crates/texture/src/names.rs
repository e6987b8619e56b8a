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

    pub(crate) fn new(name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        Self { name: name.to_owned(), known: known.collect::<Vec<_>>().join(", ") }
    }
}

/// `FromStr` for an enum with `ALL` and `name`.
macro_rules! impl_from_str {
    ($type:ty) => {
        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, $crate::UnknownName> {
                let found = Self::ALL.iter().copied().find(|item| item.name() == name);
                found.ok_or_else(|| $crate::UnknownName::new(name, Self::ALL.iter().map(|item| item.name())))
            }
        }
    };
}
pub(crate) use impl_from_str;
