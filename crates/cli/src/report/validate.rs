//! Reports of `validate`.

use brickwork_texture::container::{Finding, Severity, Validation};
use serde::Serialize;

/// One file of `validate`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct TextureValidateReport {
    /// The file's path.
    pub file: String,
    /// The container whose rules were checked: `dds` or `ktx2`.
    pub container: &'static str,
    /// True if there is no error, and with `--warnings-as-errors` no warning.
    pub valid: bool,
    /// Number of errors.
    pub errors: usize,
    /// Number of warnings.
    pub warnings: usize,
    /// Errors and warnings in the order of the checks.
    pub findings: Vec<FindingReport>,
}

/// Violation of a rule.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct FindingReport {
    /// Stable name of the rule, such as `KTX-3012` (`brickwork validate --list-rules`).
    pub id: &'static str,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// Start of the field or bytes, from the start of the file.
    pub offset: u64,
    /// Values found and required.
    pub message: String,
    /// Requirement of the rule.
    pub requirement: &'static str,
    /// Clause of the specification.
    pub clause: &'static str,
}

impl TextureValidateReport {
    /// Creates the report about `file`.
    pub fn new(file: String, validation: &Validation, warnings_are_errors: bool) -> Self {
        let [errors, warnings] = [Severity::Error, Severity::Warning].map(|kind| validation.count(kind));
        let findings =
            validation.findings.iter().map(|Finding { rule, offset, message, .. }| FindingReport {
                id: rule.id,
                severity: rule.severity.name(),
                offset: *offset,
                message: message.clone(),
                requirement: rule.requirement,
                clause: rule.clause,
            });
        Self {
            file,
            container: validation.container.extension(),
            valid: errors == 0 && (warnings == 0 || !warnings_are_errors),
            errors,
            warnings,
            findings: findings.collect(),
        }
    }
}
