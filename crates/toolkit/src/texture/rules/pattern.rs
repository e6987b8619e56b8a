//! Patterns of names, and names of outputs.

use glob::MatchOptions;
use std::{
    ffi::OsStr,
    path::{Component, Path, PathBuf},
};

/// Matching of names: the same on every system.
const MATCH: MatchOptions = MatchOptions {
    case_sensitive: false,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// Message about a name that begins with a dot.
const HIDDEN: &str = "names that begin with a dot are hidden";

/// Message about a name that [is not portable](is_portable).
const NOT_PORTABLE: &str = "Windows cannot have this name";

/// A pattern of file names, as in rule files: without `/`, of names in any folder; with `/`, of paths below a
/// folder. Case does not matter.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The text, as in the file.
    text: String,
    glob: glob::Pattern,
    /// True if the pattern is about the path below the input folder, not about the file's name.
    is_path: bool,
}

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// The reason why this is no pattern.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.contains('\\') {
            return Err(format!("\"{text}\": folders are separated by /"));
        }
        if text.contains(['{', '}']) {
            return Err(format!("\"{text}\": braces have no meaning; use a list of patterns"));
        }
        let glob = glob::Pattern::new(&lower_case(text))
            .map_err(|error| format!("\"{text}\": {}", reason(error.msg)))?;
        Ok(Self { text: text.to_owned(), glob, is_path: text.contains('/') })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// True if the pattern matches a path below the input folder, in [`lower_case`] and with `/` between
    /// folders.
    pub(super) fn matches(&self, relative: &str) -> bool {
        let name = relative.rsplit('/').next().unwrap_or(relative);
        self.glob.matches_with(if self.is_path { relative } else { name }, MATCH)
    }

    /// True if the pattern matches a path below a folder, with `/` between folders.
    pub fn is_of(&self, relative: &str) -> bool {
        self.matches(&lower_case(relative))
    }
}

/// Returns the text with the simple lower case of each character, so that `?` still matches one of them.
/// ASCII remains, because [`MATCH`] ignores its case.
pub(super) fn lower_case(text: &str) -> String {
    let lower = |c: char| if c.is_ascii() { c } else { c.to_lowercase().next().unwrap_or(c) };
    text.chars().map(lower).collect()
}

/// Checks the name of an output, in which `{stem}` is the name of the input without its extension, and
/// `{base}` is the stem without its last word.
///
/// # Errors
/// The reason why this is no name.
pub(super) fn check_name(name: &str) -> Result<(), String> {
    let filled = |text: &str| name.replace("{stem}", text).replace("{base}", text);
    let fixed = filled("");
    if name.is_empty() || fixed.contains(['/', '\\', ':', '{', '}']) || fixed.contains(char::is_control) {
        let reason = "expected a file name without folders, in which {stem} is the input's name, and {base} \
                      that name without its last word";
        return Err(reason.to_owned());
    }
    if !is_portable(&(filled("_") + ".dds")) {
        return Err(NOT_PORTABLE.to_owned());
    }
    let lower = name.to_ascii_lowercase();
    if lower.ends_with(".dds") || lower.ends_with(".ktx2") {
        return Err("leave out the extension, which follows from the container".to_owned());
    }
    if fixed.starts_with('.') && !name.starts_with("{stem}") && !name.starts_with("{base}") {
        return Err(HIDDEN.to_owned());
    }
    Ok(())
}

/// True if every system can have a file or folder with this name. Windows reserves some characters and the
/// names of devices, and removes spaces and dots at the end (Microsoft, "Naming Files, Paths, and
/// Namespaces").
fn is_portable(name: &str) -> bool {
    let device = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let is_numbered = |port: &str| {
        let number = device.strip_prefix(port).and_then(|number| number.parse::<char>().ok());
        number.is_some_and(|digit| matches!(digit, '1'..='9' | '¹' | '²' | '³'))
    };
    let is_device = ["con", "prn", "aux", "nul"].contains(&device.as_str());
    let is_taken = is_device || ["com", "lpt"].into_iter().any(is_numbered);
    !is_taken && !name.ends_with([' ', '.']) && !name.contains(['<', '>', '"', '|', '?', '*'])
}

/// Checks the end of the names of a target's outputs.
///
/// # Errors
/// The reason why names cannot end in this.
pub(super) fn check_suffix(suffix: &str) -> Result<(), String> {
    if suffix.contains(['/', '\\', ':', '{', '}']) || suffix.contains(char::is_control) {
        return Err("expected the end of a file name, without folders and braces".to_owned());
    }
    check_name(&format!("{{stem}}{suffix}"))
}

/// Returns the folder of a target, which is below that of all outputs; `.` is that folder itself.
///
/// # Errors
/// The reason why this is no such folder.
pub(super) fn folder(name: &str) -> Result<PathBuf, String> {
    let path = Path::new(name);
    let is_below = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if name.is_empty() || name.contains(['\\', ':']) || !path.components().all(is_below) {
        return Err(format!("\"{name}\" is not a folder below that of the outputs"));
    }
    let path: PathBuf = path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    for part in path.iter().map(OsStr::to_string_lossy) {
        // The folder of the manifest is one of them.
        if part.starts_with('.') {
            return Err(format!("\"{name}\": {HIDDEN}"));
        }
        if part.contains(char::is_control) || !is_portable(&part) {
            return Err(format!("\"{name}\": {NOT_PORTABLE}"));
        }
    }
    Ok(path)
}

/// Returns a message of the crate `glob` in the words of rule files.
fn reason(message: &'static str) -> &'static str {
    match message {
        "wildcards are either regular `*` or recursive `**`" => "expected * within a name, or ** for folders",
        "recursive wildcards must form a single path component" => {
            "** is for whole folders, alone between slashes, such as ui/**/*.png"
        }
        "invalid range pattern" => "[ begins a list of characters, such as [0-9]; write [[] for [ itself",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A new version of `glob` may have other messages.
    #[test]
    fn refused_patterns_have_reasons_in_words() {
        for (text, part) in [
            ("***", "expected * within"),
            ("a**", "alone between"),
            ("**a", "alone between"),
            ("a[9", "such as [0-9]"),
        ] {
            let reason = Pattern::parse(text).unwrap_err();
            assert!(reason.starts_with(&format!("\"{text}\": ")) && reason.contains(part), "{reason}");
        }
    }
}
