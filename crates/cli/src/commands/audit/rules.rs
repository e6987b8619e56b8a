//! Rules for `encode` from the advice of an audit.

use crate::report::{AuditAdvice, AuditKind, AuditReport, AuditedFile, FileEntry};
use std::{collections::BTreeMap, fmt::Write as _, path::Path};

/// Returns a rule file for the images of a folder: a rule for each format and kind, and one for files that
/// are left alone. Images within glTF files have no rules.
pub(super) fn rules_of(report: &AuditReport, folder: &Path) -> String {
    let mut groups: BTreeMap<(bool, String), Vec<String>> = BTreeMap::new();
    for file in report.files.iter().filter_map(FileEntry::done).filter(|file| file.embedded.is_none()) {
        let Some(path) = path_below(folder, &file.file) else { continue };
        // Names without folders match files in all folders. Rules for paths come later, and override them.
        groups.entry((path.contains('/'), keys_of(file))).or_default().push(pattern_of(&path));
    }
    let mut text =
        "# Advice of brickwork audit. Later rules override earlier ones.\n[[rule]]\nfiles = \"**\"\n\
                    mips = \"all\"\noptional = true\n"
            .to_owned();
    for ((_, keys), mut patterns) in groups {
        patterns.sort();
        text += "\n[[rule]]\nfiles = [\n";
        patterns.iter().for_each(|pattern| {
            let _ = writeln!(text, "    {},", quoted(pattern));
        });
        let _ = write!(text, "]\n{keys}");
    }
    text
}

/// Returns the keys for an image.
fn keys_of(file: &AuditedFile) -> String {
    let trial = file.trial.as_ref().filter(|_| file.advice == AuditAdvice::Compress);
    let (Some(trial), Some(kind)) = (trial, file.kind) else { return "skip = true\n".to_owned() };
    let kind = match kind {
        AuditKind::Color => "color",
        AuditKind::Data => "data",
        AuditKind::Normal => "normal",
        AuditKind::OneChannel => "one-channel",
        AuditKind::Hdr => "hdr",
    };
    let levels = if file.is_lookup_table { "mips = false\n" } else { "" };
    format!("skip = false\nkind = \"{kind}\"\nformat = \"{}\"\n{levels}", trial.format)
}

/// Returns the path of a file below a folder, with `/` between its parts.
fn path_below(folder: &Path, file: &str) -> Option<String> {
    let below = Path::new(file).strip_prefix(folder).ok()?;
    let parts: Option<Vec<_>> = below.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

/// Returns the pattern that matches a path alone.
fn pattern_of(path: &str) -> String {
    let escaped = |c: char| if "[]*?{}".contains(c) { "?".to_owned() } else { c.to_string() };
    path.chars().map(escaped).collect()
}

/// Returns a basic string of TOML. (Rust escapes further characters, which TOML does not understand.)
fn quoted(text: &str) -> String {
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn strings_are_those_of_toml() {
        assert_eq!(quoted("a\u{301} \u{200d}ß.png"), "\"a\u{301} \u{200d}ß.png\"");
        assert_eq!(quoted("\"\\\n\u{85}"), r#""\"\\\u000a\u0085""#);
    }
}
