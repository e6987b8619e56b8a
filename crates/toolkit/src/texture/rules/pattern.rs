//! Patterns of names, and names of outputs.

use glob::MatchOptions;
use std::path::{Component, Path, PathBuf};

/// Matching of names: the same on every system.
const MATCH: MatchOptions = MatchOptions {
    case_sensitive: false,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// A pattern of file names.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
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
        let glob = glob::Pattern::new(text).map_err(|error| format!("\"{text}\": {}", error.msg))?;
        Ok(Self { glob, is_path: text.contains('/') })
    }

    pub fn text(&self) -> &str {
        self.glob.as_str()
    }

    /// True if the pattern matches a path below the input folder, with `/` between folders.
    pub fn matches(&self, relative: &str) -> bool {
        let name = relative.rsplit('/').next().unwrap_or(relative);
        self.glob.matches_with(if self.is_path { relative } else { name }, MATCH)
    }
}

/// Checks the name of an output, in which `{stem}` is the name of the input without its extension.
///
/// # Errors
/// The reason why this is no name.
pub(super) fn check_name(name: &str) -> Result<(), String> {
    let fixed = name.replace("{stem}", "");
    if name.is_empty() || fixed.contains(['/', '\\', ':', '{', '}']) || fixed.contains(char::is_control) {
        return Err("expected a file name without folders, in which {stem} is the input's name".to_owned());
    }
    let lower = name.to_ascii_lowercase();
    if lower.ends_with(".dds") || lower.ends_with(".ktx2") {
        return Err("leave out the extension, which follows from the container".to_owned());
    }
    if fixed.starts_with('.') && !name.starts_with("{stem}") {
        return Err("names that begin with a dot are hidden".to_owned());
    }
    Ok(())
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
    Ok(path.components().filter(|part| matches!(part, Component::Normal(_))).collect())
}
