//! Verdicts of limits on measures.

use crate::{
    commands::compare::{Measure, MeasureLimit, Violation},
    report::HtmlReportTexture,
};

/// Verdict of limits on a texture.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdict {
    /// Violations as text.
    pub failures: Vec<String>,
    /// Measures with a limit that the texture does not have.
    pub undefined: Vec<Measure>,
    has_limits: bool,
}

impl Verdict {
    /// Sorts the violations of `limit_count` limits by a texture.
    pub fn of(violations: Vec<Violation>, limit_count: usize) -> Self {
        let mut verdict = Self::default();
        for violation in violations {
            match violation {
                Violation::Undefined { measure } => verdict.undefined.push(measure),
                violation => verdict.failures.push(violation.to_string()),
            }
        }
        verdict.has_limits = limit_count > verdict.undefined.len();
        verdict
    }

    /// True if the texture violates no limit; `None` if none applies.
    pub fn passes(&self) -> Option<bool> {
        self.has_limits.then_some(self.failures.is_empty())
    }

    /// Returns the verdict in a few words: `pass`, or the failures; none without limits that apply.
    pub fn text(&self) -> Option<String> {
        self.passes().map(|passes| match passes {
            true => "pass".to_owned(),
            false => format!("fail: {}", self.failures.join("; ")),
        })
    }
}

/// Returns the failures of all textures, each after the name of its file, and the limits that apply to no
/// texture. A limit does not apply to textures without its measure.
pub(super) fn failures<'a>(
    textures: impl Iterator<Item = (&'a HtmlReportTexture, &'a Verdict)> + Clone,
    limits: &[MeasureLimit],
) -> Vec<String> {
    let mut failures: Vec<String> = textures
        .clone()
        .flat_map(|(texture, verdict)| {
            verdict.failures.iter().map(|failure| format!("{}: {failure}", texture.image.file))
        })
        .collect();
    if !limits.is_empty() && textures.clone().next().is_none() {
        failures.push("there is a limit, but no texture to measure".to_owned());
    }
    let mut measures: Vec<Measure> = Vec::new();
    for &MeasureLimit { measure, .. } in limits {
        let mut verdicts = textures.clone().map(|(_, verdict)| verdict).peekable();
        let is_undefined =
            verdicts.peek().is_some() && verdicts.all(|verdict| verdict.undefined.contains(&measure));
        if is_undefined && !measures.contains(&measure) {
            measures.push(measure);
            failures.push(Violation::Undefined { measure }.to_string());
        }
    }
    failures
}

/// Returns the numbers of textures that pass and fail, as text: empty without limits.
pub(super) fn counts(textures: impl Iterator<Item = Option<bool>>) -> Option<String> {
    let (mut passed, mut failed) = (0, 0);
    for passes in textures.flatten() {
        *(if passes { &mut passed } else { &mut failed }) += 1;
    }
    (passed + failed > 0).then(|| format!("{passed} pass · {failed} fail"))
}
