//! Violations of rules.

use super::{Rule, Severity};
use crate::container::ContainerFormat;
use std::fmt;

/// Violation of a rule. It is displayed as `KTX-3012: byte 16: typeSize is 3, …`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// Start of the field or bytes, from the start of the file.
    pub offset: u64,
    /// Values found and required, in one line without a period.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: byte {}: {}", self.rule.id, self.offset, self.message)
    }
}

/// Result of [`validate`](super::validate).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Validation {
    /// Container whose rules were checked.
    pub container: ContainerFormat,
    /// Violations in the order of the checks.
    pub findings: Vec<Finding>,
}

impl Validation {
    /// Returns the number of findings of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.rule.severity == severity).count()
    }

    /// True if no error was found.
    pub fn is_valid(&self) -> bool {
        self.count(Severity::Error) == 0
    }
}

/// Collects findings.
#[derive(Default)]
pub(super) struct Findings(pub Vec<Finding>);

impl Findings {
    pub fn add(&mut self, rule: &'static Rule, offset: u64, message: impl Into<String>) {
        self.0.push(Finding { rule, offset, message: message.into() });
    }

    /// Adds a finding if `is_violated`.
    pub fn add_if(
        &mut self,
        is_violated: bool,
        rule: &'static Rule,
        offset: u64,
        message: impl FnOnce() -> String,
    ) {
        if is_violated {
            self.add(rule, offset, message());
        }
    }
}
