//! Text from outside, in messages and pages.

/// Returns `text` with escaped control characters, including those of C1 and of bidirectional text. Names and
/// much of the report come from outside. They must not break the line, change its order, or control the
/// terminal.
pub fn printable(text: &str) -> String {
    let escaped = |c: char| match is_control(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    text.chars().map(escaped).collect()
}

/// True for characters that control terminals or are not visible: controls, line and paragraph separators,
/// spaces without a width, and marks, embeddings, overrides and isolates of bidirectional text (Unicode, UAX
/// #9, 2).
fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}')
        || matches!(c, '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_not_controlled() {
        assert_eq!(printable("a\u{202E}gnp.exe"), "a\\u{202e}gnp.exe");
        assert_eq!(printable("\u{9B}2J\x1b[0m\n"), "\\u{9b}2J\\u{1b}[0m\\n");
        assert_eq!(printable("a\u{2066}b\u{200F}\u{FEFF}\u{2028}"), "a\\u{2066}b\\u{200f}\\u{feff}\\u{2028}");
        assert_eq!(printable("Größe 5µm → ×2 文"), "Größe 5µm → ×2 文");
    }
}
