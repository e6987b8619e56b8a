//! Lists and numbers in texts for people.

/// Returns the first of some texts, and the number of the others.
pub(crate) fn list(texts: &[String], separator: &str) -> String {
    /// Maximum number of texts that are listed.
    const SHOWN: usize = 6;
    let shown = texts[..texts.len().min(SHOWN)].join(separator);
    match texts.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Returns a number with at most six significant digits, as texts for people show it.
pub(crate) fn digits(number: f64) -> String {
    format!("{number:.5e}").parse().unwrap_or(number).to_string()
}
