//! Rules of containers.

use super::{astc_rules, dds_rules, ktx2_rules};
use std::fmt;

/// Severity of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// The file follows the specification but is unusual, or readers are known to ignore the violation, or a
    /// part of the file was not examined.
    Warning,
    /// The file violates the specification.
    Error,
}

impl Severity {
    /// Returns the name: `warning` or `error`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Rule of a container's specification.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// Stable name, such as `KTX-3012` or `DDS-103`. Numbers of KTX2 below 9000 are those of Khronos's `ktx
    /// validate` for the same rule, except for KTX-7014.
    pub id: &'static str,
    /// Severity of a violation.
    pub severity: Severity,
    /// Clause of the specification, or the field that it describes.
    pub clause: &'static str,
    /// Requirement: one sentence without a period.
    pub requirement: &'static str,
}

/// Returns all rules, sorted by container and number.
pub fn validation_rules() -> impl Iterator<Item = &'static Rule> {
    astc_rules::ALL.iter().chain(dds_rules::ALL).chain(ktx2_rules::ALL).copied()
}

/// Defines a static [`Rule`] for each line, and the list `ALL`.
macro_rules! rules {
    ($($name:ident $severity:ident $id:literal $clause:literal $requirement:literal)*) => {
        $(
            pub(super) static $name: $crate::container::validate::Rule = $crate::container::validate::Rule {
                id: $id,
                severity: $crate::container::validate::Severity::$severity,
                clause: $clause,
                requirement: $requirement,
            };
        )*
        pub(super) static ALL: &[&$crate::container::validate::Rule] = &[$(&$name),*];
    };
}
pub(super) use rules;
