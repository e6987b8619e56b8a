//! Violations of rules.

use super::{Rule, Severity};
use crate::container::ContainerFormat;
use std::{collections::HashMap, fmt};

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
    /// Violations in the order of the checks, at most 100 of each rule; the message of the last then says
    /// that further ones are not listed.
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

/// Most findings of a rule. A file of a few bytes per violation could have millions.
const MAX_OF_RULE: usize = 100;

/// Collects findings, up to [`MAX_OF_RULE`] of each rule. The last one says that there are more.
#[derive(Default)]
pub(super) struct Findings {
    all: Vec<Finding>,
    /// Number of findings of each rule, by its id.
    counts: HashMap<&'static str, usize>,
}

impl Findings {
    pub fn add(&mut self, rule: &'static Rule, offset: u64, message: impl Into<String>) {
        self.add_if(true, rule, offset, || message.into());
    }

    /// Adds a finding if `is_violated`.
    pub fn add_if(
        &mut self,
        is_violated: bool,
        rule: &'static Rule,
        offset: u64,
        message: impl FnOnce() -> String,
    ) {
        if !is_violated {
            return;
        }
        let count = self.counts.entry(rule.id).or_default();
        *count += 1;
        if *count <= MAX_OF_RULE {
            let more = if *count == MAX_OF_RULE { "; further violations are not listed" } else { "" };
            self.all.push(Finding { rule, offset, message: message() + more });
        }
    }

    /// Returns the findings in the order in which they were added.
    pub fn into_all(self) -> Vec<Finding> {
        self.all
    }
}
